"""A web of a few pages given as a graph, to try strategies on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from honeyguide.errors import HttpStatusError
from honeyguide.fetch.base import NEVER_SEEN, Fetcher
from honeyguide.model import Response, Validators

TOPIC = "bees honey hive"
ON_TOPIC = "bees and honey from the hive"
OFF_TOPIC = "railway timetable"


class TinyWeb(Fetcher):
    """Pages 0, 1, 2 ... on three hosts; page n links to `links[n]`; pages in `relevant` are about bees."""

    def __init__(self, links: Mapping[int, Sequence[int]], relevant: frozenset[int]) -> None:
        self._links = links
        self._relevant = relevant

    @staticmethod
    def url(number: int) -> str:
        """Where a page is."""
        return f"http://host-{number % 3}.example/{number}"

    async def fetch(self, url: str, validators: Validators = NEVER_SEEN) -> Response:
        """A page of the graph; others do not exist."""
        number = int(url.rpartition("/")[2])
        if number not in self._links:
            raise HttpStatusError(404)
        links = " ".join(
            f'<p>{self._words(target)} <a href="{self.url(target)}">{self._words(target)} {target}</a></p>'
            for target in self._links[number]
        )
        body = f"<title>{number}</title><p>{self._words(number)} {'filler words here ' * (number % 4)}</p>{links}"
        return Response(url, 200, body.encode(), {"content-type": "text/html; charset=utf-8"})

    def _words(self, number: int) -> str:
        return ON_TOPIC if number in self._relevant else OFF_TOPIC

    async def close(self) -> None:
        """Nothing is open."""
