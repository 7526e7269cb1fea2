"""PageRank in two shards: what one shard knows of the other's pages comes with what is learned."""

import numpy as np
import pytest

from honeyguide.model import Status
from honeyguide.strategies.pagerank import MOST_TOLD, PageRank
from tests.strategies.graph import TinyCrawl


def shard():
    crawl = TinyCrawl(PageRank(every=1))
    crawl.seed("a")
    return crawl


def linking_here(share=1.0):
    """A shard with a page of another one, x, that links here: a share of its links lead to b."""
    crawl = shard()
    crawl.fetch(("a", 1.0, "c"))
    x = crawl.ids_of("x")
    crawl.state.set("part", x, share)
    crawl.fetch(("x", 1.0, "b"))
    crawl.state.settle(x, Status.FOREIGN)
    return crawl


def told_of_x(crawl, rank):
    pages = crawl.view.fingerprint[crawl.ids_of("x")].view(np.int64)
    return {"pages": pages, "ranks": np.array([rank]), "sums": np.array([5.0, 0.0, 5.0])}


def test_a_page_elsewhere_hands_on_what_its_shard_says():
    crawl = linking_here(share=0.5)
    given = crawl.apply(crawl.strategy.take_learning(crawl.view, [told_of_x(crawl, 8.0), {}]))
    assert given["b"] - given["c"] > 0
    jumps = 0.15 + 0.85 * (given["b"] + given["c"]) / 8  # three urls here, five elsewhere
    assert given["b"] == pytest.approx(jumps + 0.85 * 8.0 * 0.5, rel=1e-3)
    assert "x" not in given
    assert crawl.values("rank", "x") == [8.0]


def test_ranks_are_computed_when_the_whole_crawl_has_grown():
    crawl = linking_here()
    other = told_of_x(crawl, 3.0)
    assert len(crawl.strategy.take_learning(crawl.view, [other]).ids)
    assert not len(crawl.strategy.take_learning(crawl.view, [other]).ids)
    assert not len(crawl.strategy.refresh(crawl.view).ids)
    other["sums"] += (10, 0, 10)
    assert len(crawl.strategy.take_learning(crawl.view, [other]).ids)


def test_only_pages_that_link_elsewhere_are_told():
    crawl = shard()
    crawl.state.set("part", crawl.ids_of("a"), 0.25)
    crawl.fetch(("a", 1.0, "bc"))
    crawl.fetch(("b", 1.0, "c"))
    told = crawl.strategy.own_learning(crawl.view)
    assert told["pages"].tolist() == crawl.view.fingerprint[crawl.ids_of("a")].view(np.int64).tolist()
    assert told["sums"].tolist()[::2] == [3.0, 2.0]  # urls and pages
    assert len(told["pages"]) <= MOST_TOLD
    assert crawl.values("part", "ab") == [1.0, 1.0]  # it may be divided again


def test_alone_nothing_changes():
    crawl = shard()
    crawl.fetch(("a", 1.0, "b"))
    assert not len(crawl.strategy.take_learning(crawl.view, []).ids)
    assert crawl.refresh()
