"""Pages judged again: what strategies conclude is what they would have concluded from the new judgment at once."""

import numpy as np
import pytest

from honeyguide.model import Page, Pages
from honeyguide.strategies.alliance import Alliance
from honeyguide.strategies.best_first import BestFirst
from honeyguide.strategies.evidence import VALUES
from honeyguide.strategies.honeyguide import Honeyguide
from honeyguide.strategies.link_context import LinkContext
from honeyguide.strategies.soft_focus import SoftFocus
from honeyguide.topics.cosine import CosineTopic
from tests.strategies.graph import TinyCrawl

BEES, CARS = CosineTopic("bees"), CosineTopic("cars")
AROUND = {"urls": ["c", "d", "e"], "contexts": ["bees and cars", "many cars", "only bees here"]}


def crawl(strategy, topic, relevance, remembers=False):
    made = TinyCrawl(strategy, topic)
    if remembers:
        made.state.links.remember()
    made.seed("ab")
    made.fetch(("a", relevance, "cde", AROUND))
    made.fetch(("c", relevance / 2, "fg", {"urls": ["f", "g"], "contexts": ["cars", "bees"]}))
    return made


def judge_again(made, relevance):
    made.view.topic = CARS
    pages = Pages(
        [
            Page(made.id("a"), "a", relevance, 0, made.ids_of("cde"), **AROUND),
            Page(
                made.id("c"),
                "c",
                relevance / 2,
                1,
                made.ids_of("fg"),
                urls=["f", "g"],
                contexts=["cars", "bees"],
            ),
        ]
    )
    before = made.view.relevance[pages.ids].copy()
    made.state.set("relevance", pages.ids, pages.relevance)
    return made.apply(made.strategy.judged_again(pages, before, BEES, made.view))


def test_the_default_strategy_corrects_all_that_it_had_added_up():
    revised, anew = crawl(Honeyguide(), BEES, 0.9), crawl(Honeyguide(), CARS, 0.2)
    judge_again(revised, 0.2)
    for name in VALUES:
        if name != "cash":  # which follows links, not judgments
            assert revised.values(name, "defg") == pytest.approx(anew.values(name, "defg"), abs=1e-6), name
    for table in ("hosts", "folders"):
        for column in ("good", "pages"):
            told, expected = (one.view.table(table).value(column) for one in (revised, anew))
            assert told.tolist() == pytest.approx(expected.tolist(), abs=1e-6), (table, column)


@pytest.mark.parametrize("combine", ["max", "mean"])
def test_soft_focus_ranks_by_what_pages_are_worth_now(combine):
    revised, anew = crawl(SoftFocus(combine), BEES, 0.9), crawl(SoftFocus(combine), CARS, 0.2)
    judge_again(revised, 0.2)
    told, expected = (one.view.priority[one.ids_of("defg")] for one in (revised, anew))
    assert np.allclose(told, expected)


@pytest.mark.parametrize(
    "strategy",
    [LinkContext(), LinkContext(combine="mean"), BestFirst(), BestFirst(combine="mean"), Alliance()],
    ids=lambda one: f"{one.name} {getattr(one.fold, 'kind', 'sums')}",
)
def test_what_links_are_known_to_have_brought_is_judged_anew(strategy):
    revised, anew = crawl(strategy, BEES, 0.9, remembers=True), crawl(strategy, CARS, 0.2, remembers=True)
    judge_again(revised, 0.2)
    told, expected = (one.view.priority[one.ids_of("defg")] for one in (revised, anew))
    assert told == pytest.approx(expected, abs=1e-6)
    told, expected = (one.view.contributions_into(one.ids_of("defg"), 9)[2] for one in (revised, anew))
    assert told == pytest.approx(expected, abs=1e-6)


def test_where_links_remember_nothing_their_targets_stay_where_they_are():
    revised, before = (crawl(LinkContext(), BEES, 0.9) for _ in range(2))
    assert judge_again(revised, 0.2) == {}
    assert (revised.view.priority == before.view.priority).all()
