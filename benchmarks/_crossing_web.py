"""A web of many sites whose links lead to other sites as often as one likes; made up page by page, in no time."""

from __future__ import annotations

import random

from honeyguide.fetch.base import NEVER_SEEN, Fetcher
from honeyguide.model import Response, Validators
from honeyguide.shards.owners import Owners

SITES, LINKS = 200, 60
_WORDS = (
    "bee",
    "hive",
    "honey",
    "comb",
    "queen",
    "swarm",
    "nectar",
    "wax",
    "smoke",
    "frame",
    "meadow",
    "road",
)


_TEXT = " ".join(random.Random(1).choices(_WORDS, k=20_000))
"""Of which every page has a part: to make one must cost next to nothing beside reading it."""


class CrossingWeb(Fetcher):
    """Pages of sixty links, of which a share lead to other sites, and of so many characters beside."""

    def __init__(self, pages: int, to_other_sites: float, length: int = 1_000) -> None:
        self._pages = pages
        self._share = to_other_sites
        self._length = length

    def url(self, number: int) -> str:
        """The address of a page."""
        return f"http://site{number % SITES}.example/page/{number}"

    def links(self, number: int) -> list[int]:
        """Where a page leads."""
        dice = random.Random(number)
        own = number % SITES
        found = []
        for _ in range(LINKS):
            target = dice.randrange(self._pages)
            stays = dice.random() >= self._share
            found.append(target - target % SITES + own if stays else target)
        return [min(target, self._pages - 1) for target in found]

    def _body(self, number: int) -> bytes:
        dice = random.Random(-number - 1)
        start = dice.randrange(len(_TEXT) - self._length)
        words = _TEXT[start : start + self._length]
        anchors = (
            f'<p>{dice.choice(_WORDS)} <a href="{self.url(target)}">{dice.choice(_WORDS)} {target}</a></p>'
            for target in self.links(number)
        )
        return f"<html><title>page {number}</title><body><p>{words}</p>{''.join(anchors)}".encode()

    async def fetch(self, url: str, validators: Validators = NEVER_SEEN) -> Response:
        """Any page."""
        number = int(url.rpartition("/")[2])
        return Response(url, 200, self._body(number), {"content-type": "text/html"})

    async def close(self) -> None:
        """Nothing is open."""

    def crossing(self, shards: int, sample: int = 200) -> float:
        """The share of links that lead into another shard."""
        owners = Owners(shards, 0)
        crossed = total = 0
        for number in range(sample):
            here = owners.of([self.url(number)])[0]
            there = owners.of([self.url(target) for target in self.links(number)])
            crossed, total = crossed + int((there != here).sum()), total + len(there)
        return crossed / total
