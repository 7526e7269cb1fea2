"""PageRank of the graph seen so far (Cho, Garcia-Molina, Page 1998; baseline of HCLA)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from honeyguide.graph.pagerank import pagerank
from honeyguide.model import ROOT, Bools, Explanation, Floats, Pages, Part, Priorities
from honeyguide.state.view import CrawlView
from honeyguide.strategies.base import Strategy, is_due, largest_first
from honeyguide.strategies.folds import Fold


class PageRank(Strategy):
    """Priority = PageRank; pages not fetched yet are dangling. Computed anew, from the ranks before, now and then.

    That is every `every` pages, but not before the crawl has grown by the share `growth`: so the cost of a page stays
    the same. In between a url gets what its new parents would hand on.
    """

    name: ClassVar[str] = "pagerank"
    fold = Fold("sum")
    values: Mapping[str, float] = {"rank": 0.0}

    def __init__(
        self, damping: float = 0.85, iterations: int = 10, every: int = 50, growth: float = 0.05
    ) -> None:
        self.damping = damping
        self.iterations = iterations
        self.growth = growth
        self.refresh_every = every

    def contributions(self, pages: Pages, crawl: CrawlView) -> Floats:
        """What the pages hand on until ranks are computed anew."""
        computed, estimated = crawl.value("rank")[pages.ids], crawl.priority[pages.ids]
        rank = np.where(computed > 0, computed, np.maximum(estimated, 0.0))
        handed_on = self.damping * rank / np.maximum(pages.link_counts, 1)
        return pages.per_link(handed_on)

    def refresh(self, crawl: CrawlView) -> Priorities:
        """Rank the whole graph."""
        if not is_due(self.name, self.refresh_every, self.growth, crawl):
            return Priorities.none()
        ids = np.arange(1, len(crawl), dtype=np.int32)
        rank = rank_of_known(self.damping, self.iterations, crawl, everybody(crawl))[1:]
        crawl.set_value("rank", ids, rank)
        return Priorities(ids, rank)

    def explain(self, url_id: int, crawl: CrawlView) -> Explanation:
        """What each linking page hands on."""
        return explain_rank(self.name, self.damping, url_id, crawl, everybody(crawl))


def everybody(crawl: CrawlView) -> Bools:
    """All urls but the root, which is no page."""
    is_page: Bools = np.arange(len(crawl)) != ROOT
    return is_page


def rank_of_known(damping: float, iterations: int, crawl: CrawlView, counts: Bools) -> Floats:
    """PageRank of all urls, over the links of those that count; starts from the value "rank"."""
    sources, targets = crawl.links()
    is_link = counts[sources]
    start = crawl.value("rank").copy()
    # New urls start with what a random jump brings.
    start[start == 0] = (1 - damping) / len(crawl)
    return pagerank(
        sources[is_link], targets[is_link], len(crawl), damping=damping, iterations=iterations, start=start
    )


def explain_rank(name: str, damping: float, url_id: int, crawl: CrawlView, counts: Bools) -> Explanation:
    """For strategies that keep the value "rank"."""
    parents = crawl.inlinks(url_id)
    parents = parents[counts[parents]]
    rank = crawl.value("rank")
    parts = [
        Part("linked from", damping * float(rank[parent]) / max(1, len(crawl.outlinks(parent))), parent)
        for parent in parents.tolist()
    ]
    parts.append(Part("random jumps", (1 - damping) / len(crawl)))
    summary = (
        f"{name}: {len(parents)} fetched pages link to it; its rank was last computed as {rank[url_id]:.3g}"
    )
    return Explanation(summary, largest_first(parts))
