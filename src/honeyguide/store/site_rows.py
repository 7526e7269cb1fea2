"""The sites of a crawl, as far as pages of them were fetched: how relevant each is, and what it brought."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from honeyguide.graph.site_relevance import (
    RELEVANT_SITE,
    Definition,
    evidence,
    expected_of,
    leaning,
    site_relevance,
)
from honeyguide.model import Floats, Ids, Status
from honeyguide.state.sites import SITE_COLUMNS, SITES, SiteIndex
from honeyguide.state.state import State
from honeyguide.store.reader import Reader


@dataclass(frozen=True, slots=True)
class SiteSummary:
    """A site by what it brought."""

    site: str
    relevance: float  # by its pages alone, as the setting crawl.site_relevance defines it
    pages: int
    relevant: int
    density: float  # the share of its pages that is relevant
    mean_relevance: float
    hosts: int  # that are known
    waiting: int  # urls in the queue
    expected: float | None  # what its next page should bring; None where the crawl is not one by sites

    @property
    def is_relevant(self) -> bool:
        """Whether it counts as a relevant site."""
        return self.relevance >= RELEVANT_SITE


def site_summaries(reader: Reader, relevant_above: float, definition: Definition) -> list[SiteSummary]:
    """All sites with a page, the most relevant first; ties by relevant pages."""
    state = reader.state(None, {SITES: SITE_COLUMNS})
    index = SiteIndex(state)
    of_hosts = index.of_hosts()
    relevance = state.urls["relevance"].copy()
    relevance[:1] = np.nan  # the list of seeds is no page
    judged = np.flatnonzero(~np.isnan(relevance))
    sites = of_hosts[state.urls["host"]]
    leaned = leaning(relevance[judged], relevant_above)

    def per_site(of: Ids, weights: Floats | None = None) -> Floats:
        return np.bincount(of, weights, minlength=len(index.names)).astype(np.float64)

    own = sites[judged]
    pages = per_site(own)
    said = per_site(own, evidence(definition, leaned))
    found = site_relevance(definition, np.full(len(pages), RELEVANT_SITE), said, pages)
    relevant = per_site(own, (relevance[judged] >= relevant_above).astype(np.float64))
    means = per_site(own, relevance[judged]) / np.maximum(pages, 1)
    hosts = per_site(of_hosts)
    waiting = per_site(sites[state.urls["status"] == Status.QUEUED])
    expected = _expected(state, definition, len(pages))
    order = np.lexsort((np.arange(len(pages)), -relevant, -found))
    return [
        SiteSummary(
            site=index.names[site],
            relevance=float(found[site]),
            pages=int(pages[site]),
            relevant=int(relevant[site]),
            density=float(relevant[site] / pages[site]),
            mean_relevance=float(means[site]),
            hosts=int(hosts[site]),
            waiting=int(waiting[site]),
            expected=None if np.isnan(expected[site]) else float(expected[site]),
        )
        for site in order.tolist()
        if pages[site]
    ]


def _expected(state: State, definition: Definition, sites: int) -> Floats:
    """What a crawl by sites expects of each; not a number where it does not say."""
    table = state.tables[SITES]
    expected = np.full(sites, np.nan)
    rows = table.find(np.arange(sites, dtype=np.uint64))
    known = rows >= 0
    columns = {name: table.value(name)[rows[known]] for name in SITE_COLUMNS}
    expected[known] = expected_of(definition, columns)
    return expected


def pages_per_relevant_site(sites: Sequence[SiteSummary]) -> float | None:
    """Pages fetched for each relevant site found (the thesis on topic maps, 8.1); None if there is none."""
    relevant = sum(site.is_relevant for site in sites)
    return sum(site.pages for site in sites) / relevant if relevant else None
