"""Hubs and authorities: Kleinberg's HITS, and the distiller's variant that weighs links by relevance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from honeyguide.model import Bools, Floats, Ids

GOOD_HUB_TIMES = 2.0
LEAST_GOOD_HUB = 0.1  # where no other page is a hub


def hits(
    sources: Ids,
    targets: Ids,
    size: int,
    *,
    forward: Floats | None = None,
    backward: Floats | None = None,
    iterations: int = 50,
) -> tuple[Floats, Floats]:
    """Hub and authority of each node, each of unit length.

    `authority(v) = sum of forward * hub(u)`, `hub(u) = sum of backward * authority(v)` over links u -> v; a weight a
    link, 1 unless given.
    """
    from scipy.sparse import csr_array

    ones = np.ones(len(sources))
    to_authorities = csr_array((ones if forward is None else forward, (targets, sources)), shape=(size, size))
    to_hubs = csr_array((ones if backward is None else backward, (sources, targets)), shape=(size, size))
    hub, authority = np.ones(size), np.zeros(size)
    for _ in range(iterations):
        authority = _unit(to_authorities @ hub)
        hub = _unit(to_hubs @ authority)
    return hub, authority


def _unit(vector: Floats) -> Floats:
    length = float(np.linalg.norm(vector))
    return vector / length if length else vector


@dataclass(frozen=True, slots=True)
class Distillation:
    """Hub and authority of every url."""

    hub: Floats
    authority: Floats


@dataclass(frozen=True, slots=True)
class HubMarks:
    """Hubs that somebody called good or bad."""

    good: Ids
    bad: Ids

    @classmethod
    def of(cls, ids: Ids, is_good: Bools) -> HubMarks:
        """By what was said of each."""
        return cls(ids[is_good], ids[~is_good])


NO_MARKS = HubMarks(np.empty(0, dtype=np.int32), np.empty(0, dtype=np.int32))


def distill(
    sources: Ids,
    targets: Ids,
    relevance: Floats,
    sites: Ids | None,
    *,
    marks: HubMarks = NO_MARKS,
    top_share: float = 0.15,
    iterations: int = 50,
) -> Distillation:
    """HITS over judged pages: prestige flows to v by R(v) and back to u by R(u).

    Only the `top_share` most relevant pages may be authorities. `sites` has the site of every url, between which alone
    links count; None lets all links count. `relevance` is NaN where a url was not judged. A hub marked as bad hands out
    nothing; of one marked as good links count twice, and no hub stands above it.
    """
    hub, authority = np.zeros(len(relevance)), np.zeros(len(relevance))
    threshold = authority_threshold(relevance, top_share)
    counts = _counting_links(sources, targets, relevance, sites, threshold) & ~np.isin(sources, marks.bad)
    pairs = np.unique(sources[counts].astype(np.int64) << 32 | targets[counts])
    nodes, places = np.unique(np.concatenate((pairs >> 32, pairs & 0xFFFFFFFF)), return_inverse=True)
    from_page, to_page = places[: len(pairs)].astype(np.int32), places[len(pairs) :].astype(np.int32)
    known = relevance[nodes]
    hub[nodes], authority[nodes] = hits(
        from_page,
        to_page,
        len(nodes),
        forward=known[to_page] * np.where(np.isin(nodes, marks.good), GOOD_HUB_TIMES, 1.0)[from_page],
        backward=known[from_page],
        iterations=iterations,
    )
    hub[marks.good[~np.isnan(relevance[marks.good])]] = max(hub.max(initial=0.0), LEAST_GOOD_HUB)
    return Distillation(hub, authority)


def authority_threshold(relevance: Floats, top_share: float) -> float:
    """The relevance that the `top_share` most relevant of all judged pages have at least; 0 is never relevant."""
    judged = relevance[~np.isnan(relevance)]
    if not len(judged):
        return 1.0
    return max(float(np.quantile(judged, 1 - top_share)), float(np.finfo(np.float64).tiny))


def _counting_links(
    sources: Ids, targets: Ids, relevance: Floats, sites: Ids | None, threshold: float
) -> Bools:
    with np.errstate(invalid="ignore"):
        is_authority = relevance >= threshold
    counts: Bools = is_authority[targets] & ~np.isnan(relevance[sources]) & (sources != targets)
    return counts if sites is None else counts & (sites[sources] != sites[targets])


@dataclass(frozen=True, slots=True)
class SiteDensities:
    """Sites by their share of relevant pages, densest first."""

    sites: Ids
    pages: Ids
    relevant: Ids

    @property
    def densities(self) -> Floats:
        """Relevant pages over pages."""
        return self.relevant / self.pages


def densest_sites(
    relevance: Floats, sites: Ids, relevant_above: float, *, fewest_pages: int = 3
) -> SiteDensities:
    """Sites by density of relevant pages, of those with at least so many judged pages; ties by relevant pages."""
    judged = ~np.isnan(relevance)
    numbers, group = np.unique(sites[judged], return_inverse=True)
    pages = np.bincount(group, minlength=len(numbers))
    relevant = np.bincount(group[relevance[judged] >= relevant_above], minlength=len(numbers))
    order = np.lexsort((numbers, -relevant, -relevant / np.maximum(pages, 1)))
    order = order[pages[order] >= fewest_pages]
    return SiteDensities(
        numbers[order].astype(np.int32), pages[order].astype(np.int32), relevant[order].astype(np.int32)
    )


def best_of_scores(scores: Floats, most: int) -> Ids:
    """Places of the greatest scores above 0, greatest first; ties in order.

    >>> best_of_scores(np.array([0.0, 0.5, 0.7, 0.5]), 2).tolist()
    [2, 1]
    """
    found = np.flatnonzero(scores > 0)
    return found[np.argsort(-scores[found], kind="stable")][:most].astype(np.int32)
