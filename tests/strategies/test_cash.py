"""OPIC and OTIE: who has how much, step by step."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from honeyguide.strategies.opic import Opic, cash_of
from honeyguide.strategies.otie import Otie
from tests.strategies.graph import TinyCrawl

BEES, TRAINS = "bees", "trains"  # the topic's relevance of these is 1 and 0


def near(numbers):
    return pytest.approx(numbers, abs=1e-12)


def cash(crawl, names):
    return cash_of(crawl.ids_of(names), crawl.view).tolist()


def test_opic_step_by_step():
    crawl = TinyCrawl(Opic())
    assert crawl.seed("ab") == near({"a": 0.5, "b": 0.5}), "the seeds' root is no page and gives nobody else"
    # A third each goes to b, c and the virtual page.
    assert crawl.fetch(("a", 0.0, "bc")) == near({"b": 2 / 3, "c": 1 / 6})
    assert cash(crawl, "abc") == near([0.0, 2 / 3, 1 / 6])
    crawl.fetch(
        ("b", 0.0, "")
    )  # no other links: now the virtual page is richer than b was, and all share its 5 / 6
    assert cash(crawl, "abc") == near([5 / 18, 5 / 18, 1 / 6 + 5 / 18])
    crawl.fetch(("c", 0.0, ""))  # the virtual page has what c had, which is not more
    assert cash(crawl, "abc") == near([5 / 18, 5 / 18, 0.0])
    assert crawl.values("history", "abc") == near([1 / 2, 2 / 3, 4 / 9])


def test_opic_visits_a_batch_in_order():
    crawl = TinyCrawl(Opic())
    crawl.seed("ab")
    crawl.fetch(("a", 0.0, "b"), ("b", 0.0, "c"))
    assert cash(crawl, "abc") == near([0.0, 0.0, 0.375])
    crawl = TinyCrawl(Opic())
    crawl.seed("ab")
    crawl.fetch(("b", 0.0, "c"), ("a", 0.0, "b"))
    assert cash(crawl, "abc") == near([0.0, 0.25, 0.25])


def test_what_is_new_after_a_gift_has_no_share_in_it():
    crawl = TinyCrawl(Opic())
    crawl.seed("ab")
    crawl.fetch(("a", 0.0, ""))
    crawl.fetch(("b", 0.0, ""))  # the virtual page's 1 goes to a and b
    assert cash(crawl, "ab") == near([0.5, 0.5])
    gained = crawl.fetch(("a", 0.0, "cd"))
    assert cash(crawl, "abcd") == near([0.0, 0.5, 1 / 6, 1 / 6])
    assert gained["c"] == gained["d"]


def test_opic_hands_cash_on_over_redirects():
    crawl = TinyCrawl(Opic())
    crawl.seed("ab")
    assert crawl.redirect("b", "c") == near({"c": 0.5})
    assert crawl.fetch(("a", 0.0, "b")) == near({"c": 0.75})  # a link to b is one to c


def test_opic_explains_gains():
    crawl = TinyCrawl(Opic())
    crawl.seed("ab")
    crawl.fetch(("a", 0.0, "bc"))
    assert crawl.told("b") == near(
        {"linked from root": 0.5, "linked from a": 1 / 6, "shares of the virtual page, at most": 0.0}
    )


PAGES = st.lists(st.tuples(st.integers(0, 9), st.sets(st.integers(0, 9), max_size=5)), max_size=30)


@given(PAGES, st.integers(1, 3))
def test_opic_keeps_all_cash(visits, batch):
    crawl = TinyCrawl(Opic())
    crawl.seed("0123456789")
    for start in range(0, len(visits), batch):
        pages = {
            str(page): (str(page), 0.5, [*map(str, links)]) for page, links in visits[start : start + batch]
        }
        crawl.fetch(*pages.values())
        virtual, _ = crawl.view.array("opic bank")
        everybody = cash_of(np.arange(1, len(crawl.view), dtype=np.int32), crawl.view)
        assert everybody.sum() + virtual == pytest.approx(1.0, abs=1e-9)
        assert (everybody > -1e-12).all()


@pytest.mark.parametrize(
    ("relevance", "factor"), [(0.0, 0.15), (0.5, 1.0), (1.0, 1.85), (0.75, 1 + 0.85 / 8)]
)
def test_otie_revises_by_relevance(relevance, factor):
    crawl = TinyCrawl(Otie())
    crawl.seed("ab")
    assert crawl.fetch(("a", relevance, "c")) == near({"c": 0.5 * factor})


def test_otie_takes_at_most_all():
    crawl = TinyCrawl(Otie(a=2.0))
    crawl.seed("a")
    assert crawl.fetch(("a", 0.0, "c")) == {"c": 0.0}


def test_otie_step_by_step():
    crawl = TinyCrawl(Otie())
    assert crawl.seed("ab") == near({"a": 0.5, "b": 0.5})
    # sim' is .25 + .75 for c, .25 for d; a has 0.5 * 1.85.
    found = crawl.fetch(("a", 1.0, "cd", {"contexts": [BEES, TRAINS]}))
    assert found == near({"c": 0.925 * 0.8, "d": 0.925 * 0.2})
    # c is punished to 15 %; a, fetched before, has its true similarity 1, e the predicted 0.
    found = crawl.fetch(("c", 0.0, "ae", {"contexts": [TRAINS, TRAINS]}))
    assert found == near({"e": 0.0})
    assert crawl.values("cash", "abcde") == near([0.74 * 0.15, 0.5, 0.0, 0.185, 0.0])
    # Nothing similar: equal parts.
    assert crawl.fetch(("e", 0.0, "fg", {"contexts": [TRAINS, TRAINS]})) == {"f": 0.0, "g": 0.0}
    assert crawl.fetch(("b", 0.5, "hi", {"contexts": [TRAINS, TRAINS]})) == near({"h": 0.25, "i": 0.25})


def test_otie_richest_fetched_page_gives_again():
    crawl = TinyCrawl(Otie())
    crawl.seed("ab")
    crawl.fetch(("a", 1.0, "cd", {"contexts": [BEES, TRAINS]}))
    assert crawl.refresh() == {}
    crawl.fetch(("c", 0.0, "ae", {"contexts": [TRAINS, TRAINS]}))
    # a has 0.111, rewarded to 0.20535; of its links c is known to be irrelevant, d was promised .25.
    assert crawl.refresh() == near({"d": 0.185 + 0.111 * 1.85})
    assert crawl.values("cash", "ac") == [0.0, 0.0]


def test_otie_hands_cash_on_over_redirects():
    crawl = TinyCrawl(Otie())
    crawl.seed("ab")
    assert crawl.redirect("b", "c") == near({"c": 0.5})
    assert crawl.values("cash", "b") == [0.0]


def test_otie_explains_who_gave_how_much():
    crawl = TinyCrawl(Otie())
    crawl.seed("a")
    crawl.fetch(("a", 1.0, "cd", {"contexts": [BEES, TRAINS]}))
    assert crawl.told("c") == near(
        {"about 80.0% of the 1.85 given by a page relevant by 1.000: a": 1.85 * 0.8}
    )
