"""CC-BFS: links into the densely linked neighborhood of the seeds (the clustering-coefficient best-first search)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Literal

import numpy as np

from honeyguide.graph.clustering import Places, clustering
from honeyguide.model import ROOT, Explanation, Floats, Ids, Pages, Part, Priorities, Status
from honeyguide.state.tables import Single
from honeyguide.state.view import CrawlView
from honeyguide.strategies.base import Strategy, explain_whole, largest_first

INSIDE, NEAR, FAR, BEYOND = 0.0, 1.0, 2.0, 3.0
"""Rings around the set S of pages on topic: S itself, N1, N2, and the rest."""
MOST_SEEDS = 1_000
URLS_AT_ONCE = 4_096
"""Whose neighborhoods are in memory together."""


class CcBfs(Strategy):
    """A fetched neighbor u of S joins it if C_S(u) > C_N1(u) or C_N1(u) > C_N2(u); all seeds are in S, and joined.

    C_X(u) is the chance that two neighbors of u in X are neighbors; links count both ways. Priority of an unfetched
    neighbor = the larger margin, by the links seen so far; everything else comes behind, instead of never.
    Of a url with more neighbors than `most_neighbors` the latest are looked at.
    """

    name: ClassVar[str] = "cc-bfs"
    in_shards = "by job"
    # Which pages a job over a divided crawl has asked whether they join; elsewhere that is done at once.
    values: Mapping[str, float] = {"ring": BEYOND, "seed": 0.0, "asked": Single(0.0)}
    hands_on: Mapping[str, Literal["split", "copied"]] = {"ring": "copied"}

    def __init__(self, most_neighbors: int = 32) -> None:
        self.most_neighbors = most_neighbors
        self.weights: Sequence[float] = (1.0,)

    def prioritize(self, pages: Pages, crawl: CrawlView) -> Priorities:
        """Let pages join, and rank what they link to."""
        if ROOT in pages.ids:
            return self._plant(pages, crawl)
        if crawl.is_part:
            return self._for_now(pages, crawl)
        place = np.repeat(np.arange(len(pages)), pages.link_counts)
        return self._asked(pages.ids, place, pages.targets, crawl)

    def refresh_whole(self, crawl: CrawlView) -> Priorities:
        """The same for all pages of all shards that came since the last time, as if they were one batch."""
        is_new = (crawl.outcome == Status.FETCHED) & (crawl.value("asked") == 0)
        is_new[ROOT] = False
        ids = np.flatnonzero(is_new).astype(np.int32)
        crawl.set_value("asked", ids, 1.0)
        return self._asked(ids, *crawl.outlinks_of(ids), crawl)

    def _asked(self, ids: Ids, place: Places, targets: Ids, crawl: CrawlView) -> Priorities:
        """Let those of new pages join that do; links are given by the place of their page, and their target."""
        self._draw_near(ids, place, targets, crawl)
        ring = crawl.value("ring")[ids]
        asked = ids[ring == NEAR]
        joining = asked[self.margins(asked, crawl) > 0]
        crawl.set_value("ring", joining, INSIDE)
        self._spread(np.concatenate((joining, ids[ring == INSIDE])), crawl)
        linked = np.unique(targets)
        linked = linked[~crawl.is_fetched(linked)]
        return self._ranked(linked, crawl)

    def _for_now(self, pages: Pages, crawl: CrawlView) -> Priorities:
        """In a shard, until the next job: one ring further out than the page that led there."""
        ids, group = np.unique(pages.targets, return_inverse=True)
        nearest = np.full(len(ids), BEYOND)
        np.minimum.at(nearest, group, pages.per_link(crawl.value("ring")[pages.ids]) + 1)
        is_new = np.isneginf(crawl.priority[ids])
        return Priorities(ids[is_new], -nearest[is_new])

    def _plant(self, pages: Pages, crawl: CrawlView) -> Priorities:
        """Seeds are on topic; a list of sitemaps, which is the root without relevance, is not."""
        seeds = pages.targets[pages.per_link(pages.relevance) > 0]
        crawl.set_value("ring", seeds, INSIDE)
        crawl.set_value("seed", seeds, 1.0)
        return Priorities(pages.targets, pages.per_link(pages.relevance))

    def _draw_near(self, ids: Ids, place: Places, targets: Ids, crawl: CrawlView) -> None:
        """A page is one step from S when it links into it, and two from it when it links to a neighbor."""
        nearest = np.full(len(ids), BEYOND)
        np.minimum.at(nearest, place, crawl.value("ring")[targets] + 1)
        _closer(ids, nearest, crawl)
        _closer(targets, crawl.value("ring")[ids][place] + 1, crawl)

    def _spread(self, joining: Ids, crawl: CrawlView) -> None:
        """Neighbors of what is in S are N1, and theirs N2."""
        near = self._neighbors(joining, crawl)[1]
        newly_near = np.unique(near[crawl.value("ring")[near] > NEAR])
        _closer(near, np.full(len(near), NEAR), crawl)
        far = self._neighbors(newly_near, crawl)[1]
        _closer(far, np.full(len(far), FAR), crawl)

    def _ranked(self, ids: Ids, crawl: CrawlView) -> Priorities:
        priorities = -crawl.value("ring")[ids]
        near = np.flatnonzero(priorities == -NEAR)
        priorities[near] = self.margins(ids[near], crawl)
        return Priorities(ids, priorities)

    def margins(self, ids: Ids, crawl: CrawlView) -> Floats:
        """By how much the condition to join S is met, or missed."""
        parts = [np.empty(0)]
        for start in range(0, len(ids), URLS_AT_ONCE):
            inside, near, far = self.coefficients(ids[start : start + URLS_AT_ONCE], crawl)
            parts.append(np.maximum(inside - near, near - far))
        return np.concatenate(parts)

    def coefficients(self, ids: Ids, crawl: CrawlView) -> tuple[Floats, Floats, Floats]:
        """C_S, C_N1 and C_N2 of each url."""
        places, members = self._neighbors(ids, crawl)
        ring = crawl.value("ring")[members]
        found = [
            self._coefficient(ids, places[ring == number], members[ring == number], number, crawl)
            for number in (INSIDE, NEAR, FAR)
        ]
        return found[0], found[1], found[2]

    def _coefficient(self, ids: Ids, places: Places, members: Ids, ring: float, crawl: CrawlView) -> Floats:
        """Weighted sum over distances of the share of joined pairs; all within one ring."""
        total = self.weights[0] * _joined_share(places, members, len(ids), crawl)
        seen = [_pairs(np.arange(len(ids)), ids), _pairs(places, members)]
        for weight in self.weights[1:]:
            places, members = self._one_further(places, members, ring, np.concatenate(seen), crawl)
            seen.append(_pairs(places, members))
            total += weight * _joined_share(places, members, len(ids), crawl)
        return total

    def _one_further(
        self, places: Places, members: Ids, ring: float, seen: Places, crawl: CrawlView
    ) -> tuple[Places, Ids]:
        """Neighbors in the ring of the members of each group, without those seen at shorter distances."""
        via, further = self._neighbors(members, crawl)
        if ring == INSIDE:
            via, further = _by_way_of_seeds(via, further, members, crawl)
        is_in = crawl.value("ring")[further] == ring
        pairs = np.setdiff1d(_pairs(places[via[is_in]], further[is_in]), seen)
        places, members = pairs >> 32, (pairs & 0xFFFFFFFF).astype(np.int32)
        within = np.arange(len(places)) - np.searchsorted(places, places)
        return places[within < self.most_neighbors], members[within < self.most_neighbors]

    def _neighbors(self, ids: Ids, crawl: CrawlView) -> tuple[Places, Ids]:
        """Urls joined to each of the ids by a link of either direction."""
        out_places, linked = crawl.outlinks_of(ids)
        in_places, linking = crawl.inlinks_of(ids, self.most_neighbors)
        places, members = np.concatenate((out_places, in_places)), np.concatenate((linked, linking))
        is_page = (members != ROOT) & (members != ids[places])
        return places[is_page], members[is_page]

    def explain(self, url_id: int, crawl: CrawlView) -> Explanation:
        """The three coefficients, and how many neighbors they are over."""
        if crawl.is_part:
            return explain_whole(self.name, url_id, crawl)
        ids = np.array([url_id], dtype=np.int32)
        _, members = self._neighbors(ids, crawl)
        ring = crawl.value("ring")[np.unique(members)]
        counts = [int((ring == number).sum()) for number in (INSIDE, NEAR, FAR)]
        parts = [
            Part(f"clustering among its {count} known neighbors in {name}", float(found[0]))
            for name, count, found in zip(
                ("S", "N1", "N2"), counts, self.coefficients(ids, crawl), strict=True
            )
        ]
        where = {INSIDE: "is in S", NEAR: "is a neighbor of S", FAR: "is two links from S"}
        own = where.get(float(crawl.value("ring")[url_id]), "is further from S")
        summary = f"{self.name}: it {own}, the pages on topic; a neighbor joins if C_S > C_N1 or C_N1 > C_N2"
        return Explanation(summary, largest_first(parts))


def _by_way_of_seeds(via: Places, further: Ids, members: Ids, crawl: CrawlView) -> tuple[Places, Ids]:
    """Seeds are neighbors of each other, so from one of them the others are a step away; of very many, the first."""
    seeds = crawl.outlinks(ROOT)[:MOST_SEEDS]
    seeds = seeds[crawl.value("seed")[seeds] > 0]
    at = np.flatnonzero(crawl.value("seed")[members] > 0)
    return np.concatenate((via, np.repeat(at, len(seeds)))), np.concatenate(
        (further, np.tile(seeds, len(at)))
    )


def _pairs(places: Places, members: Ids) -> Places:
    return places.astype(np.int64) << 32 | members


def _closer(ids: Ids, rings: Floats, crawl: CrawlView) -> None:
    """Move urls inward where this brings them nearer; only deciding brings them inside."""
    unique, group = np.unique(ids, return_inverse=True)
    before = crawl.value("ring")[unique]
    after = before.copy()
    np.minimum.at(after, group, np.maximum(rings, NEAR))
    crawl.set_value("ring", unique[after < before], after[after < before])


def _joined_share(places: Places, members: Ids, size: int, crawl: CrawlView) -> Floats:
    nodes = np.unique(members)
    at, linked = crawl.outlinks_of(nodes)
    seeds = nodes[crawl.value("seed")[nodes] > 0]
    return clustering(places, members, size, nodes[at], linked, seeds)
