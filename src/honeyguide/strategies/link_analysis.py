"""Link analysis: when the queue runs low, the best-ranked links of relevant pages (a thesis on Heritrix and Nutch)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar

import numpy as np

from honeyguide.model import ROOT, Bools, Explanation, Floats, Ids, Pages, Priorities, Status
from honeyguide.state.view import CrawlView
from honeyguide.strategies.base import Strategy, explain_whole
from honeyguide.strategies.hard_focus import is_admitted
from honeyguide.strategies.pagerank import explain_rank, rank_of_known


class LinkAnalysis(Strategy):
    """Links of relevant pages wait outside the queue until it runs low.

    When it holds less than `minimum_frontier`, the graph of these links is ranked and the `top_size` best of them
    enter; at most `maximum_host_queue` of a host wait in it at a time (0: any number).
    """

    name: ClassVar[str] = "link-analysis"
    in_shards = "by job"
    values: Mapping[str, float] = {"rank": 0.0, "waits": 0.0, "followed": 0.0}

    def __init__(
        self,
        top_size: int = 500,
        minimum_frontier: int = 100,
        maximum_host_queue: int = 0,
        damping: float = 0.85,
        iterations: int = 10,
    ) -> None:
        self.top_size = top_size
        self.minimum_frontier = minimum_frontier
        self.maximum_host_queue = maximum_host_queue
        self.damping = damping
        self.iterations = iterations

    def prioritize(self, pages: Pages, crawl: CrawlView) -> Priorities:
        """Note the links of relevant pages; let the best in when there is room."""
        is_followed = is_admitted(pages)
        crawl.set_value("followed", pages.ids[is_followed & (pages.ids != ROOT)], 1.0)
        crawl.set_value("waits", pages.targets[np.repeat(is_followed, pages.link_counts)], 1.0)
        if ROOT in pages.ids:
            from_root = pages.sources == ROOT
            return Priorities(pages.targets[from_root], pages.per_link(pages.relevance)[from_root])
        return Priorities.none() if crawl.is_part else self.refresh_whole(crawl)

    def refresh(self, crawl: CrawlView) -> Priorities:
        """All that was let in has failed, and the queue is empty: let in more."""
        return Priorities.none() if crawl.is_part else self._let_in(crawl)

    def refresh_whole(self, crawl: CrawlView) -> Priorities:
        """Let the best in when there is room."""
        if np.count_nonzero(crawl.status == Status.QUEUED) >= self.minimum_frontier:
            return Priorities.none()
        return self._let_in(crawl)

    def _let_in(self, crawl: CrawlView) -> Priorities:
        rank = rank_of_known(self.damping, self.iterations, crawl, _counts(crawl))
        crawl.set_value("rank", np.arange(1, len(crawl), dtype=np.int32), rank[1:])
        waiting = np.flatnonzero((crawl.value("waits") > 0) & (crawl.status == Status.KNOWN)).astype(np.int32)
        best_first = waiting[np.argsort(-rank[waiting], kind="stable")]
        if self.maximum_host_queue:
            best_first = best_first[self._fits_its_host(best_first, crawl)]
        chosen = best_first[: self.top_size]
        return Priorities(chosen, rank[chosen])

    def _fits_its_host(self, best_first: Ids, crawl: CrawlView) -> Bools:
        """Which urls are among the first of their host that its queue has room for."""
        queued = np.bincount(crawl.host[crawl.status == Status.QUEUED], minlength=int(crawl.host.max()) + 1)
        hosts = crawl.host[best_first]
        order = np.argsort(hosts, kind="stable")
        starts = np.searchsorted(hosts[order], hosts[order])
        place: Floats = np.empty(len(order))
        place[order] = np.arange(len(order)) - starts
        fits: Bools = place < self.maximum_host_queue - queued[hosts]
        return fits

    def explain(self, url_id: int, crawl: CrawlView) -> Explanation:
        """What each linking page hands on, and whether it still waits."""
        if crawl.is_part:
            return explain_whole(self.name, url_id, crawl)
        explanation = explain_rank(self.name, self.damping, url_id, crawl, _counts(crawl))
        if crawl.status[url_id] != Status.KNOWN:
            return explanation
        why = (
            "it waits for room in the queue"
            if crawl.value("waits")[url_id]
            else "no relevant page links to it"
        )
        return replace(explanation, summary=f"{explanation.summary}; {why}")


def _counts(crawl: CrawlView) -> Bools:
    """Whose links make the graph: pages that are followed, and urls that moved. The thesis read no others."""
    is_moved: Bools = crawl.outcome == Status.MOVED
    return is_moved | (crawl.value("followed") > 0)
