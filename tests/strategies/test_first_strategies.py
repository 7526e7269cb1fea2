"""The baselines, with hand-computed priorities."""

import numpy as np
import pytest

from honeyguide.model import Part
from honeyguide.strategies.backlink import Backlink
from honeyguide.strategies.best_first import BestFirst
from honeyguide.strategies.breadth_first import BreadthFirst
from honeyguide.strategies.random_order import Random
from honeyguide.strategies.soft_focus import TRY_PENALTY, SoftFocus
from tests.strategies.graph import TinyCrawl


def test_breadth_first_ranks_each_url_once_and_alike():
    crawl = TinyCrawl(BreadthFirst())
    assert crawl.seed("ab") == {"a": 0.0, "b": 0.0}
    assert crawl.fetch(("a", 0.9, "bc")) == {"c": 0.0}


def test_backlink_counts_linking_pages():
    crawl = TinyCrawl(Backlink())
    crawl.seed("ab")
    assert crawl.fetch(("a", 0.0, "cd"), ("b", 0.0, "c")) == {"c": 2.0, "d": 1.0}
    assert crawl.fetch(("d", 0.0, "c")) == {"c": 3.0}


@pytest.mark.parametrize("strategy", [SoftFocus, BestFirst])
def test_the_best_linking_page_counts(strategy):
    crawl = TinyCrawl(strategy())
    assert crawl.seed("ab") == {"a": 1.0, "b": 1.0}
    assert crawl.fetch(("a", 0.3, "cd"), ("b", 0.7, "c")) == {"c": 0.7, "d": 0.3}
    assert crawl.fetch(("d", 0.5, "c")) == {"c": 0.7}


def test_soft_focus_orders_by_tries_then_relevance():
    crawl = TinyCrawl(SoftFocus())
    crawl.seed("ab")
    crawl.fetch(("a", 0.9, "c"), ("b", 0.1, "d"))
    failed = np.array([crawl.id("c")], dtype=np.int32)
    crawl.state.set("tries", failed, 1)
    assert crawl.apply(crawl.strategy.retry(failed, crawl.view)) == {"c": pytest.approx(0.9 - TRY_PENALTY)}
    assert crawl.view.priority[crawl.id("c")] < crawl.view.priority[crawl.id("d")]
    assert crawl.fetch(("d", 1.0, "c")) == {"c": pytest.approx(1.0 - TRY_PENALTY)}


def test_random_is_seeded_uniform_and_drawn_once():
    names = [chr(1000 + n) for n in range(2000)]
    drawn = TinyCrawl(Random(seed=1)).seed(names)
    assert drawn == TinyCrawl(Random(seed=1)).seed(names)
    assert drawn != TinyCrawl(Random(seed=2)).seed(names)
    values = np.array(list(drawn.values()))
    assert 0.47 < values.mean() < 0.53
    assert values.min() >= 0
    assert values.max() <= 1
    crawl = TinyCrawl(Random())
    crawl.seed("ab")
    assert crawl.fetch(("a", 0.5, "b")) == {}


def test_bfs256_asks_for_a_batch_and_a_bounded_queue():
    strategy = BestFirst(n=256, queue=256)
    assert (strategy.batch, strategy.max_queue) == (256, 256)


def test_a_redirect_hands_on_the_priority():
    crawl = TinyCrawl(SoftFocus())
    crawl.seed("a")
    crawl.fetch(("a", 0.8, "b"))
    moved, target = crawl.id("b"), crawl.id("z")
    wanted = crawl.strategy.redirect(
        np.array([moved], dtype=np.int32), np.array([target], dtype=np.int32), crawl.view
    )
    assert crawl.apply(wanted) == {"z": 0.8}


def test_explanations_name_the_parents_best_first():
    crawl = TinyCrawl(SoftFocus())
    crawl.seed("ab")
    crawl.fetch(("a", 0.3, "c"), ("b", 0.7, "c"))
    explanation = crawl.strategy.explain(crawl.id("c"), crawl.view)
    assert explanation.parts == [
        Part("linked from", 0.7, crawl.id("b")),
        Part("linked from", 0.3, crawl.id("a")),
    ]
