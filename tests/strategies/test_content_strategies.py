"""Hard focus, link context and shark-search, with hand-computed priorities."""

import numpy as np
import pytest

from honeyguide.strategies.best_first import BestFirst
from honeyguide.strategies.hard_focus import HardFocus
from honeyguide.strategies.link_context import LinkContext
from honeyguide.strategies.shark_search import SharkSearch
from honeyguide.strategies.soft_focus import TRY_PENALTY, SoftFocus
from tests.strategies.graph import TinyCrawl

BEES, TRAINS = "bees", "trains"  # the topic's relevance of these is 1 and 0


def near(numbers):
    return pytest.approx(numbers, abs=1e-12)


@pytest.mark.parametrize("strategy", [SoftFocus, BestFirst])
def test_the_mean_of_all_linking_pages(strategy):
    crawl = TinyCrawl(strategy(combine="mean"))
    crawl.seed("ab")
    assert crawl.fetch(("a", 0.3, "cd"), ("b", 0.7, "c")) == near({"c": 0.5, "d": 0.3})
    assert crawl.fetch(("d", 0.8, "c")) == near({"c": 0.6})


def test_a_mean_starts_with_what_a_redirect_brought():
    crawl = TinyCrawl(SoftFocus(combine="mean"))
    crawl.seed("ab")
    crawl.fetch(("a", 0.4, "c"))
    assert crawl.redirect("c", "d") == {"d": 0.4}
    assert crawl.fetch(("b", 0.8, "d")) == near({"d": 0.6})


def test_hard_focus_adds_no_links_of_pages_that_are_not_admitted():
    crawl = TinyCrawl(HardFocus())
    crawl.seed("s")
    crawl.fetch(("s", 0.9, "ab"))
    assert crawl.fetch(("a", 0.4, "cd"), ("b", 0.6, "ce", {"accepted": False})) == {"c": 0.4, "d": 0.4}
    assert "none of them is on the topic" in crawl.strategy.explain(crawl.id("e"), crawl.view).summary
    assert crawl.fetch(("d", 0.5, "e")) == {"e": 0.5}


def test_hard_focus_follows_the_seeds_whatever_the_rule_says_of_them():
    crawl = TinyCrawl(HardFocus())
    crawl.seed("s")
    assert crawl.fetch(("s", 0.2, "a", {"accepted": False})) == {"a": 0.2}
    assert crawl.fetch(("a", 0.2, "b", {"accepted": False})) == {}


def test_hard_focus_first_in_first_out():
    crawl = TinyCrawl(HardFocus(order="discovery"))
    crawl.seed("s")
    crawl.fetch(("s", 0.9, "ab"))
    assert crawl.fetch(("a", 0.4, "xy", {"accepted": False})) == {}
    first = crawl.fetch(("b", 0.3, "z"))
    later = crawl.fetch(("z", 0.9, "xw"))
    assert first.keys() == {"z"}
    assert later.keys() == {"x", "w"}
    assert later["x"] == later["w"] < first["z"], "x was seen before z, but let in after it"


def test_hard_focus_orders_by_tries_then_relevance():
    crawl = TinyCrawl(HardFocus())
    crawl.seed("a")
    crawl.fetch(("a", 0.9, "cd"))
    failed = crawl.ids_of("c")
    crawl.state.set("tries", failed, 1)
    assert crawl.apply(crawl.strategy.retry(failed, crawl.view)) == near({"c": 0.9 - TRY_PENALTY})


def test_link_context_mixes_page_and_words_around_the_link():
    crawl = TinyCrawl(LinkContext())
    assert crawl.seed("ab") == {"a": 1.0, "b": 1.0}
    found = crawl.fetch(
        ("a", 0.4, "cd", {"contexts": [BEES, TRAINS]}), ("b", 0.8, "d", {"contexts": [TRAINS]})
    )
    assert found == near({"c": 0.25 * 0.4 + 0.75, "d": 0.25 * 0.8})
    assert crawl.told("c") == near(
        {"linked from a": 0.1, "words around the link on the most relevant page, at least": 0.75}
    )


def test_words_around_links_that_were_judged_with_their_page_are_not_judged_again():
    crawl = TinyCrawl(LinkContext())
    crawl.seed("ab")
    found = crawl.fetch(
        ("a", 0.4, "cd", {"around": np.array([0.2, 0.6]), "contexts": [BEES, BEES]}),
        ("b", 0.8, "ef", {"contexts": [BEES, TRAINS]}),
    )
    assert found == near({"c": 0.1 + 0.75 * 0.2, "d": 0.1 + 0.75 * 0.6, "e": 0.2 + 0.75, "f": 0.2})


def test_link_context_as_a_mean():
    crawl = TinyCrawl(LinkContext(beta=0.5, combine="mean"))
    crawl.seed("ab")
    found = crawl.fetch(("a", 0.4, "c", {"contexts": [BEES]}), ("b", 0.8, "c", {"contexts": [TRAINS]}))
    assert found == near({"c": (0.7 + 0.4) / 2})


def test_shark_hands_promise_down_a_chain_of_irrelevant_pages():
    crawl = TinyCrawl(SharkSearch())
    assert crawl.seed("a") == {"a": 0.25}  # half of half of the root's 1
    assert crawl.fetch(("a", 0.8, "b")) == near({"b": 0.5 * 0.4})
    assert crawl.fetch(("b", 0.0, "c")) == near({"c": 0.5 * 0.2})
    assert crawl.fetch(("c", 0.0, "d")) == near({"d": 0.5 * 0.1})
    assert crawl.redirect("d", "e") == near({"e": 0.5 * 0.1})
    assert crawl.fetch(("e", 0.0, "f")) == near({"f": 0.5 * 0.05})
    assert crawl.fetch(("f", 0.6, "g")) == near({"g": 0.5 * 0.3})
    assert crawl.values("inherited", "abcdefg") == near([0.5, 0.4, 0.2, 0.1, 0.1, 0.05, 0.3])


def test_shark_reads_anchors_first_and_the_words_around_them_otherwise():
    crawl = TinyCrawl(SharkSearch())
    crawl.seed("a")
    texts = {"anchors": [BEES, TRAINS, TRAINS], "contexts": [TRAINS, BEES, TRAINS]}
    inherited = 0.5 * 0.5 * 0.4
    assert crawl.fetch(("a", 0.4, "bcd", texts)) == near(
        {"b": inherited + 0.5 * (0.8 + 0.2), "c": inherited + 0.5 * 0.2, "d": inherited}
    )
    assert crawl.told("c") == near({"inherited": 0.1, "anchor and words around the link": 0.1})


def test_shark_with_a_trained_model_needs_a_threshold():
    crawl = TinyCrawl(SharkSearch(similar_above=0.5))
    crawl.seed("a")
    crawl.fetch(("a", 0.8, "b"))
    assert crawl.fetch(("b", 0.3, "c")) == near({"c": 0.5 * 0.2})
