"""PageRank of the graph seen so far (Cho, Garcia-Molina, Page 1998; baseline of HCLA)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from honeyguide.graph.pagerank import pagerank, pagerank_of_part
from honeyguide.model import ROOT, Bools, Explanation, Floats, Ids, Pages, Part, Priorities, Status
from honeyguide.state.tables import Single
from honeyguide.state.view import CrawlView
from honeyguide.strategies.base import Strategy, is_due, largest_first
from honeyguide.strategies.folds import Fold

MOST_TOLD = 1 << 12
"""Pages whose ranks a shard tells the others, the best of those that link there; others count as average ones."""
_ELSEWHERE = "ranks of other shards"


class PageRank(Strategy):
    """Priority = PageRank; pages not fetched yet are dangling. Computed anew, from the ranks before, now and then.

    That is every `every` pages, but not before the crawl has grown by the share `growth`: so the cost of a page stays
    the same. In between a url gets what its new parents would hand on.
    """

    name: ClassVar[str] = "pagerank"
    fold = Fold("sum")
    # The share of a page's links that lead into this shard of the crawl: as it is divided, and as it was.
    values: Mapping[str, float] = {"rank": 0.0, "part": Single(1.0), "links here": Single(1.0)}
    hands_on: Mapping[str, Literal["split", "copied"]] = {"part": "split", "rank": "copied"}

    def __init__(
        self, damping: float = 0.85, iterations: int = 10, every: int = 50, growth: float = 0.05
    ) -> None:
        self.damping = damping
        self.iterations = iterations
        self.growth = growth
        self.refresh_every = every

    def contributions(self, pages: Pages, crawl: CrawlView) -> Floats:
        """What the pages hand on until ranks are computed anew."""
        share = crawl.value("part")[pages.ids].astype(np.float64)
        crawl.set_value("links here", pages.ids, share)
        crawl.set_value("part", pages.ids, 1.0)
        computed, estimated = crawl.value("rank")[pages.ids], crawl.priority[pages.ids]
        rank = np.where(computed > 0, computed, np.maximum(estimated, 0.0))
        handed_on = self.damping * share * rank / np.maximum(pages.link_counts, 1)
        return pages.per_link(handed_on)

    def refresh(self, crawl: CrawlView) -> Priorities:
        """Rank the whole graph; what is known of it in a shard, when the shards have told each other their ranks."""
        if crawl.array(_ELSEWHERE) is not None or not is_due(
            self.name, self.refresh_every, self.growth, crawl
        ):
            return Priorities.none()
        ids = np.arange(1, len(crawl), dtype=np.int32)
        rank = rank_of_known(self.damping, self.iterations, crawl, everybody(crawl))[1:]
        crawl.set_value("rank", ids, rank)
        return Priorities(ids, rank)

    def own_learning(self, crawl: CrawlView) -> dict[str, NDArray[Any]]:
        """Ranks of the best pages that link to other shards, and what is needed of all others: a few sums."""
        rank, is_own = _so_far(crawl), _own(crawl)
        leaving = np.flatnonzero(is_own & (crawl.value("links here") < 1.0))
        told = leaving[np.argsort(-rank[leaving], kind="stable")[:MOST_TOLD]]
        is_dangling = is_own & (crawl.outcome != Status.FETCHED)
        sums = np.array([np.count_nonzero(is_own), rank[is_dangling].sum(), crawl.pages_fetched])
        # As numbers with a sign, which any way of writing arrays down knows.
        return {"pages": crawl.fingerprint[told].view(np.int64), "ranks": rank[told], "sums": sums}

    def take_learning(self, crawl: CrawlView, others: Sequence[Mapping[str, NDArray[Any]]]) -> Priorities:
        """Take the ranks of pages that link here, and rank what is known here once the crawl has grown enough."""
        told = [one for one in others if one]
        urls, dangling, pages = np.sum([one["sums"] for one in told], axis=0) if told else np.zeros(3)
        if not told or not is_due(self.name, self.refresh_every, self.growth, crawl, int(pages)):
            return Priorities.none()
        crawl.set_array(_ELSEWHERE, np.array([urls, dangling]))
        ids = crawl.find(np.concatenate([one["pages"].astype(np.int64) for one in told]).view(np.uint64))
        ranks = np.concatenate([one["ranks"] for one in told])[ids >= 0]
        crawl.set_value("rank", ids[ids >= 0], ranks)
        is_own, shares = _own(crawl), crawl.value("links here").astype(np.float64)
        rank = pagerank_of_part(
            *_of_pages(crawl, everybody(crawl)),
            _so_far(crawl),
            is_own=is_own,
            shares=shares,
            others=(urls, dangling),
            damping=self.damping,
            iterations=self.iterations,
        )
        ids = np.flatnonzero(is_own).astype(np.int32)
        crawl.set_value("rank", ids, rank[ids])
        return Priorities(ids, rank[ids])

    def explain(self, url_id: int, crawl: CrawlView) -> Explanation:
        """What each linking page hands on."""
        return explain_rank(self.name, self.damping, url_id, crawl, everybody(crawl))


def everybody(crawl: CrawlView) -> Bools:
    """All urls but the root, which is no page."""
    is_page: Bools = np.arange(len(crawl)) != ROOT
    return is_page


def _so_far(crawl: CrawlView) -> Floats:
    """Ranks in a shard; what has none yet is taken for an average page."""
    rank = crawl.value("rank")
    return np.where(rank > 0, rank, 1.0)


def _own(crawl: CrawlView) -> Bools:
    """All urls of this shard."""
    is_own: Bools = everybody(crawl) & (crawl.outcome != Status.FOREIGN)
    return is_own


def _of_pages(crawl: CrawlView, counts: Bools) -> tuple[Ids, Ids]:
    sources, targets = crawl.links()
    is_link = counts[sources]
    return sources[is_link], targets[is_link]


def rank_of_known(damping: float, iterations: int, crawl: CrawlView, counts: Bools) -> Floats:
    """PageRank of all urls, over the links of those that count; starts from the value "rank"."""
    sources, targets = _of_pages(crawl, counts)
    start = crawl.value("rank").copy()
    # New urls start with what a random jump brings.
    start[start == 0] = (1 - damping) / len(crawl)
    return pagerank(sources, targets, len(crawl), damping=damping, iterations=iterations, start=start)


def explain_rank(name: str, damping: float, url_id: int, crawl: CrawlView, counts: Bools) -> Explanation:
    """For strategies that keep the value "rank"."""
    parents = crawl.inlinks(url_id)
    parents = parents[counts[parents]]
    rank = crawl.value("rank")
    parts = [
        Part("linked from", damping * float(rank[parent]) / max(1, len(crawl.outlinks(parent))), parent)
        for parent in parents.tolist()
    ]
    average = 1.0 if crawl.array(_ELSEWHERE) is not None else 1.0 / len(crawl)
    parts.append(Part("random jumps", (1 - damping) * average))
    summary = (
        f"{name}: {len(parents)} fetched pages link to it; its rank was last computed as {rank[url_id]:.3g}"
    )
    return Explanation(summary, largest_first(parts))
