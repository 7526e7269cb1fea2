"""The order over sites, around strategies whose priorities are known."""

import numpy as np
import pytest

from honeyguide.checks import check_strategy
from honeyguide.graph.site_relevance import evidence, leaning, site_relevance
from honeyguide.model import Page, Pages, Status
from honeyguide.state.sites import SITES
from honeyguide.strategies import STRATEGIES
from honeyguide.strategies.backlink import Backlink
from honeyguide.strategies.distilled import Distilled
from honeyguide.strategies.hard_focus import HardFocus
from honeyguide.strategies.honeyguide import Honeyguide
from honeyguide.strategies.link_analysis import LinkAnalysis
from honeyguide.strategies.otie import Otie
from honeyguide.strategies.sites import LEVELS, MOVES_PER_PAGE, PAGE_PRIORITY, Sites, squeezed
from honeyguide.strategies.soft_focus import SoftFocus
from honeyguide.topics.cosine import CosineTopic
from tests.strategies.graph import TinyCrawl

HALF = 0.2
"""The threshold of the topic that these crawls have."""


def crawl_by_sites(budget: int = 8) -> TinyCrawl:
    topic = CosineTopic("bees")
    topic.relevant_above = HALF
    return TinyCrawl(Sites(SoftFocus(), relevance="share", budget=budget), topic)


def steps(priorities: dict[str, float]) -> dict[str, int]:
    return {name: int(priority) for name, priority in priorities.items()}


def row_of(crawl: TinyCrawl, name: str) -> dict[str, float]:
    table = crawl.view.table(SITES)
    row = table.find(crawl.view.sites(crawl.ids_of(name)).astype(np.uint64))[0]
    return {column: float(table.value(column)[row]) for column in table.columns.names()}


@pytest.mark.parametrize("inner", [Distilled, HardFocus, Honeyguide, LinkAnalysis, Otie])
def test_what_an_order_over_sites_is_put_around_conforms(inner):
    check_strategy(lambda: Sites(inner(), budget=2))


@pytest.mark.slow
@pytest.mark.parametrize("inner", STRATEGIES, ids=lambda strategy: strategy.name)
def test_every_strategy_conforms_with_an_order_over_sites_around_it(inner):
    check_strategy(lambda: Sites(inner(), budget=2))


@pytest.mark.parametrize("relevance", ["share", "odds"])
def test_every_definition_conforms(relevance):
    check_strategy(lambda: Sites(SoftFocus(), relevance=relevance, budget=3))


def test_all_seeds_stand_on_the_step_of_what_somebody_chose():
    crawl = crawl_by_sites()
    # One link by the list of seeds, which counts as relevant, and one at a half: 3/4.
    assert steps(crawl.seed("aA")) == {"a": LEVELS - 1, "A": LEVELS - 1}
    assert row_of(crawl, "A")["trust"] == 1


def test_a_site_found_poor_falls_with_all_that_waits_of_it_and_one_that_pays_rises():
    crawl = crawl_by_sites()
    crawl.seed("aA")
    found = steps(crawl.fetch(("a", 1.0, "bc"), ("A", 0.0, "BC")))
    # Two pages' worth of 3/4, and the page: 2.5 / 3 and 1.5 / 3.
    assert found == {"b": 6, "c": 6, "B": 5, "C": 5}
    assert steps(crawl.fetch(("B", 0.0, "D"))) == {"D": 5}, "1.5 / 4"
    found = steps(crawl.fetch(("D", 0.0, "EFG"), ("E", 0.0, "")))
    assert found == {"C": 4, "F": 4, "G": 4}, "1.5 / 6, less 4 pages; what waits falls with it"
    assert steps(crawl.fetch(("b", 0.0, "d"))) == {"d": 6}, "2.5 / 4"
    assert steps(crawl.fetch(("C", 1.0, ""))) == {"F": 5, "G": 5}, "2.5 / 7"


def test_within_a_site_the_inner_strategy_decides():
    crawl = crawl_by_sites()
    crawl.seed("aA")
    crawl.fetch(("a", 0.9, "bd"), ("A", 0.9, "B"))
    crawl.fetch(("b", 0.4, "c"))
    first, second = crawl.view.priority[crawl.ids_of("dc")].tolist()
    assert int(first) == int(second)
    assert first > second, "0.9 and 0.4 by soft focus"
    assert crawl.values(PAGE_PRIORITY, "dc") == [0.9, 0.4]


def test_the_inner_strategy_sees_its_own_priorities():
    """Links add up: were it to see what the sites make of it, it would add steps of sites."""
    alone, wrapped = TinyCrawl(Backlink()), TinyCrawl(Sites(Backlink()))
    for crawl in (alone, wrapped):
        crawl.seed("aA")
        crawl.fetch(("a", 0.9, "bB"))
        crawl.fetch(("A", 0.9, "bc"))
    expected = alone.view.priority[alone.ids_of("bBc")].tolist()
    assert wrapped.values(PAGE_PRIORITY, "bBc") == pytest.approx(expected)


def test_what_others_say_of_a_site_counts_until_its_first_budget_is_used_up():
    crawl = crawl_by_sites(budget=2)
    crawl.seed("a")
    assert steps(crawl.fetch(("a", 0.0, "bcAB")))["A"] == 5, "a half and nothing, of two"
    assert steps(crawl.fetch(("b", 1.0, "C")))["A"] == 6, "and one of three"
    crawl.fetch(("A", 1.0, ""), ("B", 1.0, ""))
    assert row_of(crawl, "A")["before"] == pytest.approx((2 * 0.5 + 2) / 4)
    assert row_of(crawl, "A")["spent"] == 0
    row = crawl.view.table(SITES).find(crawl.view.sites(crawl.ids_of("A")).astype(np.uint64))
    crawl.fetch(("c", 0.0, "DE"))
    expected = crawl.strategy.expected(row, crawl.view.table(SITES))
    assert expected.tolist() == [0.75], "links count no more"


def test_a_page_links_to_a_site_once_however_often():
    crawl = crawl_by_sites()
    crawl.seed("a")
    crawl.fetch(("a", 1.0, "ABCD"))
    assert row_of(crawl, "A")["links"] == 1


def test_a_site_that_stops_paying_is_left_although_it_once_paid():
    crawl = crawl_by_sites(budget=4)
    crawl.seed("a")
    names = [chr(code) for code in range(ord("b"), ord("z"))]
    levels = []
    for place, name in enumerate(names):
        crawl.fetch((name, 1.0 if place < 12 else 0.0, ""))
        levels.append(row_of(crawl, "a")["level"])
    assert levels[11] == 6
    assert levels[-1] == 1, "twelve good pages are forgotten after a few budgets without one"


def test_a_site_that_points_elsewhere_recommends_where():
    crawl = crawl_by_sites()
    crawl.seed("a")
    assert steps(crawl.redirect("a", "A")) == {"A": 6}
    assert row_of(crawl, "A")["trust"] == pytest.approx(0.75)
    assert steps(crawl.redirect("b", "c")) == {}, "what has no priority hands none on"


def test_failures_are_placed_again_where_they_stood():
    crawl = crawl_by_sites()
    before = crawl.seed("aA")
    assert crawl.apply(crawl.strategy.retry(crawl.ids_of("a"), crawl.view))["a"] <= before["a"]


def test_pages_judged_again_change_what_is_known_of_their_site_and_of_those_they_link_to():
    crawl = crawl_by_sites()
    crawl.seed("a")
    crawl.fetch(("a", 1.0, "bA"))
    before = {name: row_of(crawl, name) for name in "aA"}
    topic = crawl.view.topic
    pages = Pages([Page(crawl.id("a"), "a", 0.0, 0, crawl.ids_of("bA"))])
    crawl.state.set("relevance", pages.ids, 0.0)
    wanted = crawl.apply(crawl.strategy.judged_again(pages, np.array([1.0]), topic, crawl.view))
    assert row_of(crawl, "a")["evidence"] == before["a"]["evidence"] - 1
    assert row_of(crawl, "a")["pages"] == before["a"]["pages"]
    assert row_of(crawl, "A")["trust"] == before["A"]["trust"] - 1
    assert row_of(crawl, "A")["links"] == before["A"]["links"]
    assert steps(wanted) == {"b": 5, "A": 5}


def test_a_page_pays_for_the_urls_that_move():
    crawl = crawl_by_sites()
    crawl.seed("a")
    many = [f"m{number}" for number in range(5 * MOVES_PER_PAGE)]
    crawl.fetch(("a", 1.0, many))
    poor = [(name, 0.0, "") for name in many[:3]]
    assert crawl.fetch(*poor[:2]) == {}, "more urls wait than may be moved for four pages"
    assert row_of(crawl, "a")["level"] == 6
    assert len(crawl.fetch(poor[2])) == len(many) - 3, "and now all at once"
    assert row_of(crawl, "a")["level"] == 5


def test_what_is_fetched_is_not_looked_at_for_ever():
    crawl = crawl_by_sites()
    crawl.seed("abcdefgh")
    site = int(crawl.view.sites(crawl.ids_of("a"))[0])
    crawl.fetch(*((name, 1.0, "") for name in "abcdefg"))
    assert crawl.view.waiting_of(site).tolist() == [crawl.id("h")]
    assert len(crawl.view._site_index._urls[site]) == 1
    crawl.state.set("status", crawl.ids_of("h"), Status.IN_FLIGHT)
    assert crawl.view.waiting_of(site).tolist() == []


def test_squeezing_keeps_every_order():
    numbers = np.array([-1e20, -7.0, -6.0, -1e-9, 0.0, 1e-10, 1.0000001e-10, 0.5, 0.5000001, 1e6, 1e6 + 1])
    found = squeezed(numbers) + LEVELS - 1
    assert (np.diff(found) > 0).all()
    assert found[0] > LEVELS - 1
    assert found[-1] < LEVELS


def test_an_explanation_adds_up():
    crawl = crawl_by_sites()
    crawl.seed("aA")
    priority = crawl.fetch(("a", 1.0, "b"))["b"]
    explanation = crawl.strategy.explain(crawl.id("b"), crawl.view)
    assert sum(part.number for part in explanation.parts) == pytest.approx(priority)
    assert "sites: 1 pages of its site were judged" in explanation.summary
    assert "soft" in explanation.summary


def test_definitions_of_relevance_agree_on_what_is_certain():
    judged = np.array([0.0, 0.1, HALF, 0.6, 1.0])
    leaned = leaning(judged, HALF)
    assert leaned.tolist() == [0.0, 0.25, 0.5, 0.75, 1.0]
    assert evidence("share", leaned).tolist() == [0, 0, 1, 1, 1]
    half = np.array([0.5])
    for definition in ("share", "mean", "odds"):
        all_good, none = (evidence(definition, np.full(9, end)).sum(keepdims=True) for end in (1.0, 0.0))
        assert site_relevance(definition, half, all_good, np.array([9.0]))[0] > 0.9
        assert site_relevance(definition, half, none, np.array([9.0]))[0] < 0.1
        assert site_relevance(definition, half, np.zeros(1), np.zeros(1))[0] == 0.5
    # By the thesis' source three bad pages are enough to call a site poor.
    assert (
        site_relevance("odds", np.array([0.75]), 3 * evidence("odds", np.zeros(1)), np.array([3.0]))[0] < 0.01
    )
