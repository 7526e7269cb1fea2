"""What the links beside a link led to: where good pages are linked to side by side, one found tells of the others."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from honeyguide.model import MOST_REDIRECTS, ROOT, Floats, Ids, Pages, Status
from honeyguide.state.ordering import is_among
from honeyguide.state.tables import Single
from honeyguide.state.view import CrawlView, add_to

VALUES = dict.fromkeys(("near", "near weight"), Single(0.0))
"""Of each url: how the links beside those to it turned out, weighted by nearness."""

REACH = 3  # links to either side that are neighbors
MOST_LINKS = 16  # into one url through which it and its neighbors tell each other how they turned out


class Neighbors:
    """Who stands beside whom in one crawl, and what they tell each other; keeps nothing itself."""

    def __init__(self, crawl: CrawlView) -> None:
        self._crawl = crawl

    def tell(self, ids: Ids, outcomes: Floats, is_new: bool = True) -> Ids:
        """Tell neighbors of fetched pages how these turned out; gives those that learn of it."""
        ids, outcomes = self._with_former(ids, outcomes)
        place, distance, neighbors = self._crawl.links_beside(ids, MOST_LINKS, REACH)
        neighbors = self._crawl.destinations(neighbors)
        once = _nearest(place, neighbors, distance, len(self._crawl))
        return self._note_near(neighbors[once], outcomes[place[once]], distance[once], is_new)

    def _with_former(self, ids: Ids, outcomes: Floats) -> tuple[Ids, Floats]:
        """Links to a url that moved to one of these are links to that one."""
        found, told = [ids], [outcomes]
        for _ in range(MOST_REDIRECTS):
            place, sources = self._crawl.inlinks_of(found[-1], MOST_LINKS)
            # A page may have linked here before it moved elsewhere.
            is_end = self._crawl.destinations(sources) == self._crawl.destinations(found[-1])[place]
            moved = is_end & (self._crawl.outcome[sources] == Status.MOVED)
            if not moved.any():
                break
            told.append(told[-1][place[moved]])
            found.append(sources[moved])
        return np.concatenate(found), np.concatenate(told)

    def _note_near(
        self, neighbors: Ids, outcomes: Floats, distance: NDArray[np.int64], is_new: bool = True
    ) -> Ids:
        is_open = ~self._crawl.is_fetched(neighbors)
        nearness = 1.0 / distance[is_open]
        told = {"near": outcomes[is_open] * nearness, **({"near weight": nearness} if is_new else {})}
        return add_to(self._crawl, neighbors[is_open], told)

    def renew(self, pages: Pages) -> None:
        """Of what pages link or linked to whose links have changed: only what stands beside them now tells of them."""
        changed = [page for page in pages if len(page.removed) or (page.is_revisit and len(page.added))]
        if not changed:
            return
        crawl = self._crawl
        linked = [part for page in changed for part in (page.targets, page.removed)]
        ids = np.unique(crawl.destinations(np.concatenate(linked)))
        ids = ids[~crawl.is_fetched(ids)]
        place, distance, neighbors = crawl.links_beside(ids, MOST_LINKS, REACH)
        neighbors = crawl.destinations(neighbors)
        once = _nearest(place, neighbors, distance, len(crawl))
        once = once[crawl.is_fetched(neighbors[once]) & (neighbors[once] != ids[place[once]])]
        nearness = 1.0 / distance[once]
        outcomes = crawl.relevance[neighbors[once]] * nearness
        for name, amounts in (("near", outcomes), ("near weight", nearness)):
            told = np.bincount(place[once], amounts, minlength=len(ids)).astype(np.float64)
            crawl.set_value(name, ids, told)

    def note_known(self, pages: Pages, ends: Ids) -> None:
        """New links may stand beside links to pages that were fetched before."""
        known = self._crawl.is_fetched(ends) & ~is_among(ends, pages.ids) & (ends != ROOT)
        known &= (pages.sources != ROOT) & (self._crawl.outcome[pages.sources] != Status.FOREIGN)
        # What is linked from everywhere would be told the same again and again, and so would be what links are kept.
        is_told = (self._crawl.value("links")[ends] < MOST_LINKS) & pages.is_added()
        outcomes, sources = self._crawl.relevance[ends], pages.sources
        told: list[tuple[NDArray[np.int64], NDArray[np.int64], int]] = []  # who tells whom, and how far away
        for distance in range(1, REACH + 1):
            same = sources[distance:] == sources[:-distance]
            for one, other in ((distance, 0), (0, distance)):
                beside = same & known[one:][: len(same)] & is_told[other:][: len(same)]
                at = np.flatnonzero(beside)
                told.append((at + one, at + other, distance))
        telling, hearing = (np.concatenate([part[side] for part in told]) for side in (0, 1))
        distances = np.repeat([part[2] for part in told], [len(part[0]) for part in told])
        self._note_near(ends[hearing], outcomes[telling], distances)


def _nearest(
    place: NDArray[np.int64], neighbors: Ids, distance: NDArray[np.int64], urls: int
) -> NDArray[np.int64]:
    """Pages of a site share menus: two links are neighbors once, where they are nearest."""
    nearest_first = np.argsort(distance, kind="stable")
    pairs = place * urls + neighbors
    _, first = np.unique(pairs[nearest_first], return_index=True)
    once: NDArray[np.int64] = nearest_first[first]
    return once
