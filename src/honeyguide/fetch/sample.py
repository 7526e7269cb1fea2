"""The sample web as a fetcher: nothing leaves the process."""

from __future__ import annotations

from honeyguide.fetch.base import NEVER_SEEN, Fetcher
from honeyguide.model import Response, Validators
from honeyguide.sample_web.changing import ChangingWeb
from honeyguide.sample_web.web import SampleWeb


class SampleFetcher(Fetcher):
    """Fetches from the generator; with `change_days` pages change, by the crawl's own clock."""

    def __init__(self, web: SampleWeb, change_days: float = 0.0) -> None:
        self._web = web
        self._changing = ChangingWeb(web, change_days) if change_days else None
        self._now = 0.0

    def turn_to(self, now: float) -> None:
        """Pages are as they stand then."""
        self._now = now

    async def fetch(self, url: str, validators: Validators = NEVER_SEEN) -> Response:
        """The page the sample web has at a url."""
        if self._changing is None:
            return self._web.fetch(url)
        return self._changing.fetch(url, self._now, validators.etag)

    async def close(self) -> None:
        """Nothing is open."""
