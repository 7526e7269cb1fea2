"""A web of a few pages given as a graph, to try strategies on: with redirects, a slow page, and links to nowhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from honeyguide.errors import FetchTimeout, HttpStatusError
from honeyguide.fetch.base import NEVER_SEEN, Fetcher
from honeyguide.model import Response, Validators

TOPIC = "bees honey hive"
ON_TOPIC = "bees and honey from the hive"
OFF_TOPIC = "railway timetable"
MOVED_BY = 100
"""Every seventh page has moved: page 5 redirects to 105, which has what is said of 5."""


class TinyWeb(Fetcher):
    """Pages 0, 1, 2 ... on three hosts; page n links to `links[n]`; pages in `relevant` are about bees.

    If it `changes`, a page that was had has lost its first link when it is asked for again.
    """

    def __init__(
        self, links: Mapping[int, Sequence[int]], relevant: frozenset[int], changes: bool = False
    ) -> None:
        self._links = links
        self._relevant = relevant
        self._had: Counter[int] = Counter()
        self._changes = changes
        self._asked: Counter[int] = Counter()

    @staticmethod
    def url(number: int) -> str:
        """Where a page is."""
        return f"http://host-{number % 3}.example/{number}"

    async def fetch(self, url: str, validators: Validators = NEVER_SEEN) -> Response:
        """A page of the graph. Page 6 and every seventh after it time out when first asked for."""
        asked = int(url.rpartition("/")[2])
        number = asked - MOVED_BY if asked >= MOVED_BY else asked
        self._asked[asked] += 1
        if number not in self._links:
            raise HttpStatusError(404)
        if asked % 7 == 6 and self._asked[asked] == 1:
            raise FetchTimeout("slow the first time")
        if asked % 7 == 5 and asked < MOVED_BY:
            return Response(url, 302, b"", {"location": self.url(asked + MOVED_BY)})
        has_changed = self._changes and self._had[number] > 0
        self._had[number] += 1
        body = self._html(number, self._links[number][has_changed:]).encode()
        return Response(url, 200, body, {"content-type": "text/html; charset=utf-8"})

    def body(self, url: str) -> bytes:
        """What is at a url that was fetched."""
        number = int(url.rpartition("/")[2])
        number = number - MOVED_BY if number >= MOVED_BY else number
        return self._html(number, self._links[number]).encode()

    def _html(self, number: int, linked: Sequence[int]) -> str:
        links = " ".join(
            f'<p>{self._words(target)} <a href="{self.url(target)}">{self._words(target)} {target}</a></p>'
            for target in linked
        )
        return f"<title>{number}</title><p>{self._words(number)} {'filler words here ' * (number % 4)}</p>{links}"

    def _words(self, number: int) -> str:
        return ON_TOPIC if number in self._relevant else OFF_TOPIC

    async def close(self) -> None:
        """Nothing is open."""
