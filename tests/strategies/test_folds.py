"""A page that is fetched again: priorities are those that its last version alone would have led to."""

import numpy as np
import pytest

from honeyguide.strategies.alliance import Alliance
from honeyguide.strategies.backlink import Backlink
from honeyguide.strategies.best_first import BestFirst
from honeyguide.strategies.breadth_first import BreadthFirst
from honeyguide.strategies.evidence import VALUES
from honeyguide.strategies.hard_focus import HardFocus
from honeyguide.strategies.honeyguide import Honeyguide
from honeyguide.strategies.link_context import LinkContext
from honeyguide.strategies.soft_focus import SoftFocus
from tests.strategies.graph import TinyCrawl

FOLDS = [
    SoftFocus(),
    SoftFocus("mean"),
    HardFocus(),
    BestFirst(),
    BestFirst(combine="mean"),
    LinkContext(),
    LinkContext(combine="mean"),
    Backlink(),
    Alliance(),
]
WORDS = {"c": "bees", "d": "bees and cars", "e": "cars", "f": "many bees here"}


def page(name, relevance, links):
    fields = {"urls": [*links], "contexts": [WORDS[link] for link in links], "accepted": relevance > 0.5}
    return name, relevance, links, fields


def crawl(strategy, *versions, remembers=True):
    """Page a in its versions, with b, which stays as it is, fetched after the first."""
    made = TinyCrawl(strategy)
    if remembers:
        made.state.links.remember()
    made.seed("ab")
    made.fetch(page(*versions[0]))
    made.fetch(page("b", 0.6, "cdf"))
    for version in versions[1:]:
        made.fetch(page(*version))
    return made


@pytest.mark.parametrize("strategy", FOLDS, ids=lambda one: f"{one.name} {getattr(one.fold, 'kind', 'sums')}")
@pytest.mark.parametrize(
    "now",
    [("a", 0.9, "cde"), ("a", 0.3, "cde"), ("a", 0.9, "ce"), ("a", 0.2, "ef"), ("a", 0.95, "def")],
    ids=["same", "worse", "less", "other", "better"],
)
def test_former_links_are_taken_back(strategy, now):
    again = crawl(strategy, ("a", 0.9, "cde"), now)
    anew = crawl(strategy, now)
    linked = [*"cdf", *now[2]]
    told, expected = (one.view.priority[one.ids_of(linked)] for one in (again, anew))
    if strategy.name == "hard-focus":  # what was let in stays in
        expected = np.where(np.isfinite(expected), expected, told)
    assert told == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("strategy", [Backlink(), SoftFocus("mean"), Alliance()], ids=lambda one: one.name)
def test_links_that_stay_are_not_counted_twice_where_nothing_was_remembered(strategy):
    once = crawl(strategy, ("a", 0.9, "cde"), remembers=False)
    again = crawl(strategy, ("a", 0.9, "cde"), ("a", 0.9, "cdef"), remembers=False)
    told, expected = (one.view.priority[one.ids_of("cde")] for one in (again, once))
    assert told.tolist() == expected.tolist()


def test_what_nobody_links_to_any_more_comes_last():
    again = crawl(SoftFocus(), ("a", 0.9, "cde"), ("a", 0.9, "c"))
    assert again.view.priority[again.ids_of("e")].tolist() == [0.0]


def test_where_links_remember_each_is_explained():
    told = crawl(LinkContext(), ("a", 0.9, "cde")).told("d")
    around = {link: LinkContext().beta * relevance for link, relevance in (("a", 0.9), ("b", 0.6))}
    assert told.keys() == {"linked from a", "linked from b"}
    assert told["linked from a"] - told["linked from b"] == pytest.approx(around["a"] - around["b"], abs=1e-6)


def test_the_place_in_order_of_discovery_stays():
    again = crawl(BreadthFirst(), ("a", 0.9, "cde"), ("a", 0.9, "c"))
    assert again.view.priority[again.ids_of("cdef")].tolist() == [0.0] * 4


@pytest.mark.parametrize("now", [("a", 0.9, "cde"), ("a", 0.2, "cde"), ("a", 0.9, "cd"), ("a", 0.2, "cf")])
def test_the_default_strategy_takes_back_what_it_had_added_up(now):
    again, anew = crawl(Honeyguide(), ("a", 0.9, "cde"), now), crawl(Honeyguide(), now)
    for name in VALUES:
        if name in (
            "links",
            "worded",
            "words",
            "parents",
        ):  # of neighbors only those count that are left, and cash flows on
            told, expected = (one.values(name, "cdf") for one in (again, anew))
            assert told == pytest.approx(expected, abs=1e-6), name
    for column in ("pages", "good", "worded", "words"):
        told, expected = (one.view.table("hosts").value(column).tolist() for one in (again, anew))
        assert told == pytest.approx(expected, abs=1e-6), column


def test_the_default_strategy_puts_what_nobody_links_to_any_more_last():
    again = crawl(Honeyguide(), ("a", 0.9, "cde"), ("a", 0.9, "c"))
    priorities = dict(zip("cde", again.view.priority[again.ids_of("cde")].tolist(), strict=True))
    assert min(priorities, key=priorities.get) == "e"


def test_the_default_strategy_hears_no_more_of_neighbors_that_are_gone():
    """f stands beside c no more, and e beside nothing: how c turned out is taken back from both."""
    again = crawl(Honeyguide(), ("a", 0.9, "cef"))
    again.fetch(page("c", 0.8, ""))
    told = again.values("near weight", "def")
    assert min(told) > 0
    again.fetch(page("a", 0.9, "cf"))
    after = dict(zip("def", again.values("near weight", "def"), strict=True))
    assert after["e"] == 0
    assert after["f"] == pytest.approx(1.0), "c stands next to it on a, and two links away on b"
    assert after["d"] == pytest.approx(told[0]), "b is as it was"
