"""A web of many sites whose links lead to other sites as often as one likes; made up page by page, in no time.

On real webs links into other sites are not strewn over all pages: many pages have none, and some lead into many sites
(`_told` measures it). What sharing a crawl costs depends on how many shards a page is told to, so there are two kinds.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np

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


AS_UCI_ICS = (0.59, 0.091, 0.111, 0.049, 0.017, 0.019, 0.018, 0.01, 0.028, 0.027, 0.008, 0.008, 0.024)
AS_MULTISITE = (0.129, 0.092, 0.127, 0.109, 0.079, 0.069, 0.079, 0.073, 0.059, 0.025, 0.025, 0.016, 0.117)
"""The share of pages that lead into no other site, into one, two ... and into twelve or more, as `_told` has it."""


class CrossingWeb(Fetcher):
    """Pages of sixty links, of which a share lead to other sites, and of so many characters beside.

    Where it is not said how many pages lead into how many `other_sites`, each of these links leads anywhere.
    """

    def __init__(
        self, pages: int, to_other_sites: float, length: int = 1_000, other_sites: Sequence[float] = ()
    ) -> None:
        self._pages = pages
        self._share = to_other_sites
        self._length = length
        self._other_sites = other_sites
        mean = sum(number * share for number, share in enumerate(other_sites))
        self._links_a_site = to_other_sites * LINKS / mean if mean else 0.0

    def url(self, number: int) -> str:
        """The address of a page."""
        return f"http://site{number % SITES}.example/page/{number}"

    def links(self, number: int) -> list[int]:
        """Where a page leads."""
        dice = random.Random(number)
        if not self._other_sites:
            return [self._anywhere(number, dice) for _ in range(LINKS)]
        others = dice.choices(range(len(self._other_sites)), self._other_sites)[0]
        into = [dice.randrange(SITES) for _ in range(others)]
        leaving = min(round(others * self._links_a_site), LINKS)
        sites = [into[at % others] if at < leaving else number % SITES for at in range(LINKS)]
        dice.shuffle(sites)
        return [self._page_of(site, dice.randrange(self._pages)) for site in sites]

    def _anywhere(self, number: int, dice: random.Random) -> int:
        target = dice.randrange(self._pages)
        return self._page_of(number % SITES, target) if dice.random() >= self._share else target

    def _page_of(self, site: int, near: int) -> int:
        return min(near - near % SITES + site, self._pages - 1)

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

    def crossing(self, shards: int, sample: int = 1_000) -> tuple[float, float]:
        """The share of links that lead into another shard, and into how many others a page leads on average."""
        owners = Owners(shards, 0)
        crossed = total = told = 0
        for number in range(sample):
            here = owners.of([self.url(number)])[0]
            there = owners.of([self.url(target) for target in self.links(number)])
            crossed, total = crossed + int((there != here).sum()), total + len(there)
            told += len(np.unique(there[there != here]))
        return crossed / total, told / sample
