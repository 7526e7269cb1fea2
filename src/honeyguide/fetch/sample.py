"""The sample web as a fetcher: nothing leaves the process."""

from __future__ import annotations

from honeyguide.fetch.base import NEVER_SEEN, Fetcher
from honeyguide.model import Response, Validators
from honeyguide.sample_web.web import SampleWeb


class SampleFetcher(Fetcher):
    """Fetches from the generator."""

    def __init__(self, web: SampleWeb) -> None:
        self._web = web

    async def fetch(self, url: str, validators: Validators = NEVER_SEEN) -> Response:
        """The page the sample web has at a url."""
        return self._web.fetch(url)

    async def close(self) -> None:
        """Nothing is open."""
