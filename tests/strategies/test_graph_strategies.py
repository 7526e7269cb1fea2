"""Strategies that look at the graph: PageRank, link analysis, CC-BFS, alliance, distilled."""

import numpy as np
import pytest

from honeyguide.checks import check_strategy
from honeyguide.errors import SettingsError
from honeyguide.model import Status
from honeyguide.strategies.alliance import Alliance
from honeyguide.strategies.cc_bfs import BEYOND, FAR, INSIDE, NEAR, CcBfs
from honeyguide.strategies.cc_bfs_k import CcBfsK
from honeyguide.strategies.distilled import TOP, Distilled
from honeyguide.strategies.link_analysis import LinkAnalysis
from honeyguide.strategies.pagerank import PageRank
from tests.strategies.graph import TinyCrawl


def near(numbers):
    return pytest.approx(numbers, abs=1e-9)


def test_pagerank_ranks_the_graph_seen_so_far():
    crawl = TinyCrawl(PageRank(iterations=200, every=1))
    crawl.seed("ab")
    crawl.fetch(("a", 0.0, "bc"), ("b", 0.0, "c"))
    ranks = crawl.refresh()
    # The root, which links to nobody here, and a get jumps alone: x each. c dangles.
    x = crawl.values("rank", "a")[0]
    assert crawl.values("rank", "b")[0] == near(x + 0.85 * x / 2)
    assert ranks["c"] == near(x + 0.85 * (x / 2 + crawl.values("rank", "b")[0]))
    assert 2 * x + crawl.values("rank", "b")[0] + ranks["c"] == near(1.0)


def test_pagerank_estimates_until_the_next_time():
    crawl = TinyCrawl(PageRank(every=2, growth=0.0))
    crawl.seed("ab")
    crawl.fetch(("a", 0.0, "c"), ("b", 0.0, "c"))
    ranks = crawl.refresh()
    assert crawl.fetch(("c", 0.0, "de")) == near({"d": 0.85 * ranks["c"] / 2, "e": 0.85 * ranks["c"] / 2})
    assert crawl.refresh() == {}, "one page is not enough"


def test_pagerank_waits_until_the_crawl_has_grown():
    crawl = TinyCrawl(PageRank(every=1, growth=1.0))
    crawl.seed("abcdefg")
    ranked = [bool(crawl.fetch((name, 0.0, "z")) and crawl.refresh()) for name in "abcdefg"]
    assert ranked == [True, True, False, True, False, False, False]


def test_link_analysis_lets_the_best_in_when_the_queue_runs_low():
    crawl = TinyCrawl(LinkAnalysis(top_size=2, minimum_frontier=2))
    assert crawl.seed("abc") == {"a": 1.0, "b": 1.0, "c": 1.0}
    assert crawl.fetch(("a", 0.9, "xy")) == {}, "two are waiting still"
    let_in = crawl.fetch(("b", 0.9, "yz"), ("q", 0.1, "vz", {"accepted": False}))
    assert set(let_in) == {"x", "y"}, (
        "z comes later by discovery, and q's link to it counts no more than that to v"
    )
    assert let_in["y"] > let_in["x"]
    assert "waits" in crawl.strategy.explain(crawl.id("z"), crawl.view).summary
    assert crawl.told("z").keys() == {"linked from b", "random jumps"}
    assert "no relevant page" in crawl.strategy.explain(crawl.id("v"), crawl.view).summary


def test_link_analysis_follows_seeds_and_counts_urls_that_moved():
    crawl = TinyCrawl(LinkAnalysis())
    crawl.seed("ab")
    seen = crawl.fetch(("a", 0.1, "xm", {"accepted": False}))
    assert seen.keys() == {"x", "m"}, "whatever the hard rule says of a seed"
    crawl.redirect("m", "y")
    assert "linked from m" in crawl.told("y")


def test_link_analysis_bounds_what_waits_for_a_host():
    crawl = TinyCrawl(LinkAnalysis(top_size=10, minimum_frontier=10, maximum_host_queue=2))
    crawl.seed("ab")
    let_in = crawl.fetch(("a", 0.9, "cdEFG"))
    assert len([name for name in let_in if name.isupper()]) == 2
    assert len([name for name in let_in if name.islower()]) == 1, "b waits already"


def drawn(strategy):
    """A crawl with the seeds a, b and c."""
    crawl = TinyCrawl(strategy)
    crawl.seed("abc")
    return crawl


def test_cc_bfs_decides_for_each_node_of_a_drawn_graph():
    crawl = drawn(CcBfs())
    # d is linked from two seeds, which are joined: C_S = 1. The others have one neighbor only.
    assert crawl.fetch(("a", 0.0, "dex"), ("b", 0.0, "d"), ("c", 0.0, "f")) == {
        "d": 1,
        "e": 0,
        "f": 0,
        "x": 0,
    }
    # d joins; g, which it links to, becomes a neighbor of S.
    assert crawl.fetch(("d", 0.0, "ag")) == {"g": 0.0}
    # e has a in S and f, x in N1, which are not known to be joined: it is dropped, and h comes behind.
    assert crawl.fetch(("e", 0.0, "fhx")) == {"f": 0.0, "h": -FAR, "x": 0.0}
    assert crawl.values("ring", "abcdefghx") == [INSIDE] * 4 + [NEAR] * 3 + [FAR] + [NEAR]
    # f has c in S, and e and x in N1, which are joined: C_S = 0, C_N1 = 1 > C_N2 = 0, so it joins.
    coefficients = np.ravel(CcBfs().coefficients(crawl.ids_of("f"), crawl.view))
    assert coefficients.tolist() == [0.0, 0.0, 0.0], "by what was known before f was fetched"
    assert crawl.fetch(("f", 0.0, "x")) == {"x": 0.0}
    assert np.ravel(CcBfs().coefficients(crawl.ids_of("f"), crawl.view)).tolist() == [0.0, 1.0, 0.0]
    assert crawl.values("ring", "fx") == [INSIDE, NEAR]


def test_cc_bfs_rejects_what_is_more_clustered_outside():
    crawl = drawn(CcBfs())
    crawl.fetch(("a", 0.0, "e"), ("b", 0.0, ""), ("c", 0.0, "e"))
    assert crawl.values("ring", "e") == [NEAR]
    # e's neighbors in S are the seeds a and c, joined: C_S = 1, so it joins.
    crawl.fetch(("e", 0.0, "pq"))
    assert crawl.values("ring", "epq") == [INSIDE, NEAR, NEAR]
    # p has one neighbor in S and nothing else: no condition holds.
    crawl.fetch(("p", 0.0, ""))
    assert crawl.values("ring", "p") == [NEAR]


def test_cc_bfs_knows_pages_that_link_into_the_set():
    crawl = drawn(CcBfs())
    crawl.fetch(("a", 0.0, "d"), ("b", 0.0, ""), ("c", 0.0, ""))
    crawl.fetch(("d", 0.0, "h"))
    crawl.fetch(("h", 0.0, "j"))
    assert crawl.values("ring", "dhj") == [NEAR, FAR, BEYOND]
    crawl.fetch(("j", 0.0, "ab"))  # links to two seeds: a neighbor of S with C_S = 1
    assert crawl.values("ring", "j") == [INSIDE]


def test_cc_bfs_k_looks_one_link_further():
    crawl = drawn(CcBfsK(weights=(1.0, 0.5)))
    crawl.fetch(("a", 0.0, "bcd"), ("b", 0.0, ""), ("c", 0.0, ""))
    # d's only neighbor in S is a; two links away are b and c, which are joined as seeds.
    inside, _, _ = crawl.strategy.coefficients(crawl.ids_of("d"), crawl.view)
    assert inside.tolist() == [0.5]
    plain = CcBfs().coefficients(crawl.ids_of("d"), crawl.view)
    assert plain[0].tolist() == [0.0]


def test_cc_bfs_k_goes_on_by_way_of_joined_seeds():
    crawl = drawn(CcBfsK(weights=(1.0, 0.5)))
    crawl.fetch(("a", 0.0, "d"), ("b", 0.0, ""), ("c", 0.0, ""))
    # No page links a to b or c, but seeds are joined: both are two steps from d, and neighbors of each other.
    assert crawl.strategy.coefficients(crawl.ids_of("d"), crawl.view)[0].tolist() == [0.5]


def test_alliance_divides_allies_by_others():
    crawl = TinyCrawl(Alliance())
    assert crawl.seed("abc") == {"a": 2.0, "b": 2.0, "c": 2.0}
    off = {"accepted": False}
    found = crawl.fetch(("a", 0.9, "xyz"), ("b", 0.1, "xyw", off), ("c", 0.1, "x", off))
    assert found == {"x": 0.5, "y": 1.0, "z": 2.0, "w": 0.0}
    assert crawl.fetch(("z", 0.9, "xy")) == {"x": 1.0, "y": 2.0}


def hub_crawl(**settings):
    """Hub h, on the first host, cites A, B and C on the second; A and B are relevant. g cites C and D."""
    crawl = TinyCrawl(Distilled(every=1, growth=0.0, top_share=0.5, **settings))
    crawl.seed("hgAB")
    crawl.fetch(("h", 0.5, "ABC"), ("g", 0.5, "DE"), ("A", 0.9, ""), ("B", 0.8, ""))
    return crawl


def test_the_distiller_raises_what_the_best_hubs_cite():
    crawl = hub_crawl(hubs=1)
    assert crawl.refresh() == near({"C": TOP + 1.0})
    assert crawl.values("hub", "hg") == near([1.0, 0.0])
    # A = R(A) * hub, B = R(B) * hub, to unit length.
    assert crawl.values("authority", "AB") == near(list(np.array([0.9, 0.8]) / np.hypot(0.9, 0.8)))
    assert crawl.fetch(("D", 0.7, "CF")) == {"C": near(TOP + 1.0), "F": 0.7}, "what was raised stays so"


def say(crawl, verdicts, name, verdict):
    verdicts._said[int(crawl.state.urls["fingerprint"][crawl.id(name)])] = verdict


def test_the_distiller_follows_what_people_say_of_hubs():
    crawl = hub_crawl()
    crawl.refresh()
    best, *_ = hubs_by_score(crawl)
    raised = {name for name, at in crawl.ids.items() if crawl.view.value("raised")[at] > 0}
    assert raised
    say(crawl, crawl.state.hub_marks, best, False)
    wanted = crawl.apply(crawl.strategy.hubs_marked(crawl.view))
    assert crawl.view.value("hub")[crawl.id(best)] == 0
    fallen = [name for name, priority in wanted.items() if priority == 0.0]
    assert fallen
    assert set(fallen) <= raised
    assert not any(crawl.view.value("raised")[crawl.id(name)] for name in fallen)
    say(crawl, crawl.state.hub_marks, best, True)
    again = crawl.apply(crawl.strategy.hubs_marked(crawl.view))
    assert all(again[name] >= TOP for name in fallen)
    assert best in hubs_by_score(crawl)[:1]


def test_labels_are_the_relevance_that_the_distiller_sees():
    crawl = hub_crawl()
    crawl.refresh()
    authorities = [name for name, at in crawl.ids.items() if crawl.view.value("authority")[at] > 0]
    for name in authorities:
        say(crawl, crawl.state.labels, name, False)
    crawl.apply(crawl.strategy.hubs_marked(crawl.view))
    assert not any(crawl.view.value("authority")[crawl.id(name)] for name in authorities)


def hubs_by_score(crawl):
    return sorted(crawl.ids, key=lambda name: -crawl.view.value("hub")[crawl.ids[name]])


def test_links_within_a_site_do_not_count():
    crawl = TinyCrawl(Distilled(every=1, growth=0.0, top_share=0.5))
    crawl.seed("hab")
    crawl.fetch(("h", 0.5, "abc"), ("a", 0.9, ""), ("b", 0.8, ""))
    assert crawl.refresh() == {}
    crawl = TinyCrawl(Distilled(every=1, growth=0.0, top_share=0.5, between_sites=False))
    crawl.seed("hab")
    crawl.fetch(("h", 0.5, "abc"), ("a", 0.9, ""), ("b", 0.8, ""))
    assert crawl.refresh() == near({"c": TOP + 1.0})


def test_hubs_are_revisited_once():
    crawl = hub_crawl(hubs=1, revisits=1)
    assert set(crawl.refresh()) == {"h", "C"}
    crawl.state.settle(crawl.ids_of("h"), Status.FETCHED)
    crawl.fetch(("D", 0.1, ""))
    assert set(crawl.refresh()) == {"C"}


def test_the_inner_strategy_has_its_own_settings_and_rhythm():
    strategy = Distilled(inner="otie", settings=("a=0.5", "redistribute_every=20"), every=50)
    assert (strategy.inner.a, strategy.inner.refresh_every, strategy.refresh_every) == (0.5, 20, 10)
    assert strategy.needs == {"context relevance"}
    assert {"cash", "hub"} <= set(strategy.values)
    with pytest.raises(SettingsError, match="did you mean otie"):
        Distilled(inner="oti")
    with pytest.raises(SettingsError, match="neutral"):
        Distilled(inner="otie", settings=("neutrall=1",))


@pytest.mark.parametrize("inner", ["opic", "otie", "pagerank", "hcla", "cc-bfs", "link-analysis"])
def test_distilled_resumes_with_any_inner_strategy(inner):
    check_strategy(lambda: Distilled(inner=inner, every=3, growth=0.0, hubs=3, revisits=1, top_share=0.5))


@pytest.mark.parametrize(
    "make",
    [
        lambda: PageRank(every=2),
        lambda: LinkAnalysis(top_size=3, minimum_frontier=2, maximum_host_queue=2),
        lambda: CcBfsK(most_neighbors=2),
    ],
    ids=["pagerank", "link-analysis", "cc-bfs-k"],
)
def test_short_periods_resume_too(make):
    check_strategy(make)
