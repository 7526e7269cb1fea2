import math

import numpy as np
import pytest

from honeyguide.errors import SettingsError
from honeyguide.model import Part, Status
from honeyguide.strategies.evidence import (
    FEATURES,
    USUAL,
    USUAL_WEIGHT,
    Evidence,
    _folder_of,
    log_odds,
)
from honeyguide.strategies.honeyguide import NEXT, SAYS, WEIGHTS, Honeyguide
from honeyguide.strategies.neighbors import MOST_LINKS
from tests.strategies.graph import TinyCrawl


def address(name):
    return f"http://{name}.example/{name}"


def page(name, relevance, links, contexts=None, urls=None):
    further = {"urls": urls or [address(link) for link in links]}
    if contexts:
        further["contexts"] = contexts
    return (name, relevance, links, further)


def features_of(crawl, name):
    row = Evidence(crawl.view).features(crawl.ids_of([name]))[0]
    return dict(zip(FEATURES, row.tolist(), strict=True))


def test_words_around_a_link_tell_it_from_its_neighbor():
    crawl = TinyCrawl(Honeyguide())
    crawl.seed("a")
    given = crawl.fetch(page("a", 0.5, "bc", ["all about bees and bees", "the weather of tomorrow"]))
    assert given["b"] > given["c"]
    assert features_of(crawl, "b")["words"] > 0 > features_of(crawl, "c")["words"]


def test_the_link_of_a_relevant_page_comes_first():
    crawl = TinyCrawl(Honeyguide())
    crawl.seed("ab")
    given = crawl.fetch(page("a", 0.9, "c"), page("b", 0.1, "d"))
    assert given["c"] > given["d"]


def test_neighbors_of_a_good_page_rise_at_once_and_the_nearest_most():
    crawl = TinyCrawl(Honeyguide())
    crawl.seed("a")
    before = crawl.fetch(page("a", 0.5, "bcdefgh"))
    after = crawl.fetch(page("d", 1.0, ""))
    rise = {name: after[name] - before[name] for name in "bcefg"}
    assert "h" not in after  # four links away
    # The second link away is told half as loudly as the first.
    assert rise["c"] == pytest.approx(rise["e"])
    assert rise["e"] > rise["f"] > rise["g"] > 0


def test_what_neighbors_led_to_by_hand():
    crawl = TinyCrawl(Honeyguide())
    crawl.seed("a")
    crawl.fetch(page("a", 0.5, "bcd"))
    crawl.fetch(page("b", 0.8, ""))
    usual = (1.3 + USUAL_WEIGHT * USUAL) / (2 + USUAL_WEIGHT)
    expected = log_odds((0.8 / 2 + usual) / (1 / 2 + 1)) - log_odds(usual)
    assert features_of(crawl, "d")["neighbors"] == pytest.approx(float(expected))


def test_a_new_list_profits_from_what_is_known_of_its_pages():
    crawl = TinyCrawl(Honeyguide())
    crawl.seed("abx")
    crawl.fetch(page("a", 0.5, "c"))
    crawl.fetch(page("c", 1.0, ""))
    given = crawl.fetch(page("b", 0.5, "cde"), page("x", 0.5, "pqr"))
    assert given["d"] > given["e"] > given["q"]


def test_folders_and_hosts_are_remembered():
    crawl = TinyCrawl(Honeyguide())
    crawl.seed("a")
    urls = [f"http://small.example/{place}" for place in ("good/1", "good/2", "bad/1", "bad/2")]
    crawl.fetch(page("a", 0.5, "bmcn", urls=urls))
    crawl.fetch(page("b", 1.0, ""), page("c", 0.0, ""))
    crawl.fetch(
        page("n", 0.5, "xyz", urls=["http://small.example/good/9", "http://small.example/bad/9", "x"])
    )
    told = {name: features_of(crawl, name)["folder"] for name in "xyz"}
    assert told["x"] > told["z"] > told["y"]


def test_cash_comes_in_equal_parts():
    crawl = TinyCrawl(Honeyguide())
    crawl.seed("ab")
    assert crawl.values("cash", "ab") == [0.5, 0.5]
    crawl.fetch(page("a", 0.5, "cd"), page("b", 0.5, "d"))
    assert crawl.values("cash", "abcd") == [0.0, 0.0, 0.25, 0.75]


def test_a_moved_url_takes_its_evidence_along():
    crawl = TinyCrawl(Honeyguide())
    crawl.seed("a")
    before = crawl.fetch(page("a", 0.9, "bc", ["all about bees", "the weather"]))
    given = crawl.redirect("b", "z")
    assert given["z"] == pytest.approx(before["b"])
    crawl.fetch(page("z", 1.0, ""))
    assert features_of(crawl, "c")["neighbors"] > 0  # the link to b was a link to z


def test_learns_what_tells_good_links():
    crawl = TinyCrawl(Honeyguide(precision=1.0))
    crawl.seed("a")
    names = [f"n{number}" for number in range(60)]
    contexts = ["all about bees" if number % 2 else "the weather" for number in range(60)]
    crawl.fetch(page("a", 0.5, names, contexts))
    # Here the words around links mislead: those about bees lead nowhere.
    crawl.fetch(*(page(name, 0.0 if number % 2 else 1.0, "") for number, name in enumerate(names[:40])))
    weights = dict(zip(FEATURES, Honeyguide()._model(crawl.view).weights.tolist(), strict=True))
    assert weights["words"] < WEIGHTS["words"]


def test_how_seeds_turn_out_teaches_nothing_of_links():
    """Somebody vouched for all of them: that most are off the topic is no fault of a page that links well."""
    crawl = TinyCrawl(Honeyguide(precision=1.0))
    names = [f"n{number}" for number in range(30)]
    crawl.seed(names)
    crawl.fetch(*(page(name, 0.0, "") for name in names[:20]))
    assert Honeyguide()._model(crawl.view).weights.tolist() == list(WEIGHTS.values())
    assert crawl.values("near weight", names[20:]) == [0.0] * 10  # nor are seeds neighbors on their list
    crawl.fetch(page(names[20], 0.0, ["a", names[25], "b"]))
    crawl.fetch(page(names[25], 1.0, ""))
    assert crawl.values("near weight", "ab") == [1.0, 1.0]  # but they are on a page that links to them


def test_what_was_learned_is_used_as_far_as_it_is_trusted():
    crawl = TinyCrawl(Honeyguide(precision=1.0))
    crawl.seed("a")
    names = [f"n{number}" for number in range(60)]
    contexts = ["all about bees" if number % 2 else "the weather" for number in range(60)]
    crawl.fetch(page("a", 0.5, names, contexts))
    words = FEATURES.index("words")

    def used():
        return crawl.strategy._used(crawl.view)[words]

    for at in range(0, 40, 8):
        outcomes = ((name, float(number % 2 == 0)) for number, name in enumerate(names[at : at + 8]))
        crawl.fetch(*(page(name, outcome, "") for name, outcome in outcomes))
    learned = crawl.strategy._model(crawl.view).weights[words]
    assert used() == pytest.approx(learned, abs=1e-3)  # it ordered all of them rightly, the start wrongly
    crawl.view.set_array("experts", np.array([[-30.0, 0.0, 0.0]]))
    assert used() == pytest.approx(WEIGHTS["words"], abs=1e-3)
    crawl.view.set_array("experts", np.array([[0.0, 0.0, 0.0]]))
    assert used() == pytest.approx((learned + WEIGHTS["words"]) / 2)
    assert Honeyguide(trusted="start")._used(crawl.view)[words] == pytest.approx(WEIGHTS["words"])
    assert Honeyguide(trusted="learned")._used(crawl.view)[words] == pytest.approx(learned)


def test_what_weights_have_lost_they_have_lost_on_hosts_of_which_pages_were_seen():
    """There words mislead; of a host that nobody has looked at, words are all that is known."""
    crawl = TinyCrawl(Honeyguide(precision=0.1, explore=0.0, trusted="learned"))
    crawl.seed("a")
    names = [*(f"n{number}" for number in range(60)), "y", "Y", "z", "Z"]
    contexts = [*(["all about bees", "the weather"] * 30), *["all about bees"] * 2, *["the weather"] * 2]
    crawl.fetch(page("a", 0.5, names, contexts))
    crawl.fetch(*(page(name, 1.0 if at % 2 else 0.0, "") for at, name in enumerate(names[:60])))
    assert Evidence(crawl.view).known(crawl.ids_of("yY")).tolist() == [1.0, 0.0]
    crawl.fetch(page("Z", 0.5, ""))
    crawl.refresh()
    evidence = Evidence(crawl.view)
    assert evidence.known(crawl.ids_of("Y")).tolist() == [pytest.approx(1 / 3)]
    learned = crawl.strategy._model(crawl.view).weights
    start = np.array(list(WEIGHTS.values()))
    assert learned[1] < 0 < start[1]
    for name, known in (("y", 1.0), ("Y", 1 / 3), ("z", 1.0)):
        weights = np.where(learned < start, start + known * (learned - start), learned)
        features = evidence.features(crawl.ids_of([name]))[0]
        assert crawl.view.priority[crawl.id(name)] == pytest.approx(features[1:] @ weights[1:], abs=0.05)


def test_experts_are_compared_without_what_any_link_is_worth():
    """That changes from page to page, for all alike: an expert is no better for it."""
    crawl = TinyCrawl(Honeyguide())
    crawl.seed("a")
    crawl.fetch(page("a", 0.9, "bcd", ["all about bees", "the weather", "here"]))
    features = Evidence(crawl.view).features(crawl.ids_of("b"))[0]
    crawl.fetch(page("b", 0.2, ""))
    start = np.array(list(WEIGHTS.values()))
    said = features[1:] @ start[1:]
    assert crawl.view.array("experts")[1].tolist() == pytest.approx([said, said, 0.2])


def test_what_was_learned_can_be_looked_at():
    crawl = TinyCrawl(Honeyguide())
    crawl.seed("a")
    names = [f"n{number}" for number in range(80)]
    crawl.fetch(page("a", 0.5, names))
    crawl.fetch(*(page(name, 1.0, "") for name in names[:60]))
    crawl.refresh()
    told = crawl.strategy.learned(crawl.view)
    assert told.columns == ("pages", "trust", "start right", "learned right", *FEATURES)
    assert list(told.rows[0][2:]) == [0.5, 0.5, *WEIGHTS.values()]
    assert told.rows[-1][0] == 61
    assert told.rows[-1][4:] == Honeyguide()._model(crawl.view).weights.tolist()


def test_what_was_noted_before_the_experts_scores_were_is_still_shown():
    crawl = TinyCrawl(Honeyguide())
    crawl.seed("a")
    former = np.arange(2.0 + len(FEATURES))[None]
    crawl.view.set_array("weights over time", former)
    crawl.fetch(page("a", 0.5, ["b"]))
    crawl.refresh()
    rows = crawl.strategy.learned(crawl.view).rows
    assert rows[1] == [0.0, 1.0, 0.5, 0.5, *former[0, 2:].tolist()]
    assert len({len(row) for row in rows}) == 1


def test_a_host_is_known_by_what_is_said_of_its_pages():
    crawl = TinyCrawl(Honeyguide())
    crawl.seed("a")
    urls = [f"http://{host}.example/{number}/x" for host in ("small", "capital") for number in range(6)]
    said = ["all about bees and bees"] * 5 + ["here"] + ["the weather"] * 5 + ["here"]
    crawl.fetch(page("a", 0.5, "bcdefgMNOPQR", said, urls))
    told = {name: features_of(crawl, name)["folder"] for name in "gR"}
    assert told["g"] > 0 > told["R"]


def test_the_best_of_the_queue_is_weighed_anew_every_so_often():
    crawl = TinyCrawl(Honeyguide())
    crawl.seed("a")
    names = [f"n{number}" for number in range(80)]
    crawl.fetch(page("a", 0.5, [*names, "z"], urls=["http://small.example/x/1"] * 81))
    crawl.fetch(*(page(name, 1.0, "") for name in names[:60]))
    before = crawl.view.priority[crawl.id("z")]
    given = crawl.refresh()
    assert given["z"] > before  # its folder turned out well, though nothing stood beside it
    assert crawl.refresh() == {}  # not due again


def test_parts_of_an_explanation_add_up_to_the_priority():
    crawl = TinyCrawl(Honeyguide())
    crawl.seed("a")
    given = crawl.fetch(page("a", 0.9, "bc", ["all about bees", "the weather"]))
    told = crawl.strategy.explain(crawl.id("b"), crawl.view)
    parts = crawl.told("b")
    likely = sum(parts.values())
    assert likely - parts[SAYS["always"]] == pytest.approx(given["b"])  # which is the same for all
    assert set(parts) == set(SAYS.values())
    assert told.refers_to == [Part("most relevant of what links to it:", 0.9, crawl.id("a"))]
    assert f"{1 / (1 + math.exp(-likely)):.1%}" in told.summary


def test_evidence_left_out_counts_nothing_and_is_not_learned():
    crawl = TinyCrawl(Honeyguide(without="words", precision=1.0))
    crawl.seed("a")
    given = crawl.fetch(page("a", 0.5, "bxyc", ["bees", "bees", "weather", "weather"]))
    assert given["b"] == pytest.approx(given["c"])
    crawl.fetch(page("b", 1.0, ""), page("c", 0.0, ""))
    assert crawl.told("x")[SAYS["words"]] == 0.0


def test_evidence_nobody_has_is_refused():
    with pytest.raises(SettingsError, match="there are always, words"):
        Honeyguide(without="stars")


@pytest.mark.parametrize("precision", [0.0, -1.0, math.nan])
def test_a_precision_that_is_none_is_refused(precision):
    with pytest.raises(SettingsError, match="more than 0"):
        Honeyguide(precision=precision)


def test_seeds_have_no_words_to_be_judged_by():
    crawl = TinyCrawl(Honeyguide())
    crawl.seed("ab")
    crawl.fetch(page("a", 0.1, "cdefg", ["weather"] * 5))
    assert features_of(crawl, "b")["words"] == 0.0


def test_a_sitemap_is_no_outcome():
    crawl = TinyCrawl(Honeyguide())
    crawl.seed("ab")
    before = Evidence(crawl.view).usual
    crawl.fetch(("a", 0.0, "cd", {"is_listing": True, "urls": [address("c"), address("d")]}))
    assert Evidence(crawl.view).usual == before
    assert crawl.values("near weight", "b") == [0.0]
    assert np.isfinite(crawl.view.priority[crawl.ids_of("cd")]).all()


def test_a_url_dropped_from_a_full_queue_comes_back_by_a_new_link():
    crawl = TinyCrawl(Honeyguide())
    crawl.seed("abc")
    crawl.fetch(page("a", 0.5, "x"))
    crawl.state.set("status", crawl.ids_of("x"), Status.KNOWN)
    assert "x" in crawl.fetch(page("b", 0.5, "x"))
    crawl.state.set("status", crawl.ids_of("x"), Status.KNOWN)
    assert "x" not in crawl.fetch(page("c", 0.5, ""))


def test_what_nobody_links_to_is_in_no_folder():
    crawl = TinyCrawl(Honeyguide())
    assert features_of(crawl, "Z")["folder"] == 0
    crawl.seed("a")
    crawl.fetch(page("a", 1.0, "b"))
    assert features_of(crawl, "Z")["folder"] == 0  # not in the first there is, which is a's


def test_urls_of_a_folder_share_its_row():
    crawl = TinyCrawl(Honeyguide())
    crawl.seed("a")
    crawl.fetch(page("a", 0.5, "bc", urls=["http://x.example/one/1", "http://x.example/two/1"]))
    crawl.fetch(page("b", 0.5, "de", urls=["http://x.example/two/2", "http://x.example/three/1"]))
    numbers = crawl.values("folder", "bcde")
    assert numbers[2] == numbers[1]
    assert len(set(numbers)) == len(crawl.view.table("folders")) - 1 == 3  # the seed's is another


def test_a_share_of_the_pages_is_what_has_waited_longest():
    crawl = TinyCrawl(Honeyguide(explore=0.5))
    crawl.seed("abc")
    assert crawl.fetch(page("c", 0.5, "x")).get("a") != NEXT  # half a page is owed
    assert crawl.fetch(page("x", 0.5, "y"))["a"] == NEXT
    assert "waited longest" in crawl.strategy.explain(crawl.id("a"), crawl.view).summary
    crawl.fetch(page("y", 1.0, "az"))
    assert crawl.view.priority[crawl.id("a")] == NEXT  # new evidence does not put it back
    assert crawl.fetch(page("z", 1.0, "pq"))["b"] == NEXT
    given = crawl.fetch(page("a", 0.5, ""), page("b", 0.5, ""))
    assert [name for name, priority in given.items() if priority == NEXT] == ["p"]


def test_where_an_explored_url_moved_is_weighed_by_evidence():
    crawl = TinyCrawl(Honeyguide(explore=0.5))
    crawl.seed("abc")
    crawl.fetch(page("c", 0.5, ""), page("b", 0.5, ""))
    assert crawl.view.priority[crawl.id("a")] == NEXT
    assert crawl.redirect("a", "z")["z"] < NEXT


def test_what_was_dropped_while_it_was_next_comes_back():
    crawl = TinyCrawl(Honeyguide(explore=0.5))
    crawl.seed("abcd")
    crawl.fetch(page("c", 0.5, ""), page("b", 0.5, ""))
    crawl.state.set("status", crawl.ids_of("a"), Status.KNOWN)
    assert "a" in crawl.fetch(page("d", 0.5, "a"))


def test_a_link_of_a_page_that_moved_elsewhere_is_no_redirect():
    crawl = TinyCrawl(Honeyguide())
    crawl.seed("a")
    crawl.fetch(page("a", 0.5, "hy"))
    crawl.fetch(page("h", 0.5, "t"))
    crawl.redirect("h", "m")
    before = crawl.values("near weight", "y")
    crawl.fetch(page("t", 1.0, ""))
    assert crawl.values("near weight", "y") == before


def test_a_page_just_found_may_be_the_one_that_has_waited_longest():
    crawl = TinyCrawl(Honeyguide(explore=0.9))
    crawl.seed("ab")
    assert crawl.fetch(page("a", 0.5, ""), page("b", 0.5, "xy"))["x"] == NEXT


def test_without_exploration_evidence_alone_decides():
    crawl = TinyCrawl(Honeyguide(explore=0.0))
    given = crawl.seed("ab") | crawl.fetch(page("a", 0.5, "cdefgh")) | crawl.fetch(page("c", 0.5, "xyz"))
    assert NEXT not in given.values()


@pytest.mark.parametrize("explore", [-0.1, 1.0, math.nan])
def test_a_share_that_is_none_is_refused(explore):
    with pytest.raises(SettingsError, match="explore is"):
        Honeyguide(explore=explore)


def test_links_to_a_moved_url_lead_to_where_it_moved():
    crawl = TinyCrawl(Honeyguide())
    crawl.seed("ab")
    crawl.fetch(page("a", 0.9, "x"))
    crawl.redirect("x", "z")
    before = crawl.values("links", "z")[0]
    assert "z" in crawl.fetch(page("b", 0.9, "x"))
    assert crawl.values("links", "z") == [before + 1]
    assert crawl.values("cash", "xz") == [0.0, 1.0]


def test_a_url_that_moves_to_a_known_page_tells_its_neighbors():
    crawl = TinyCrawl(Honeyguide())
    crawl.seed("az")
    crawl.fetch(page("z", 1.0, ""))
    before = crawl.fetch(page("a", 0.5, "bcd"))
    crawl.redirect("c", "m")  # once and again
    given = crawl.redirect("m", "z")
    assert given["b"] > before["b"]
    assert given["d"] > before["d"]


def test_a_menu_on_many_pages_makes_two_links_neighbors_once():
    crawl = TinyCrawl(Honeyguide())
    crawl.seed("abc")
    crawl.fetch(page("a", 0.5, "xpy"), page("b", 0.5, "xy"), page("c", 0.5, "xpy"))
    crawl.fetch(page("x", 1.0, ""))
    assert crawl.values("near weight", "y") == [1.0]  # they are nearest on b


def test_what_is_linked_from_everywhere_is_not_told_again_and_again():
    crawl = TinyCrawl(Honeyguide())
    names = [f"n{number}" for number in range(MOST_LINKS + 9)]
    crawl.seed(["x", *names])
    crawl.fetch(page("x", 1.0, ""))
    for name in names:
        crawl.fetch(page(name, 0.5, "xy"))
    assert crawl.values("near weight", "y") == [MOST_LINKS]


@pytest.mark.parametrize(
    "url", ["http://x.example/one/a", "http://x.example/one/b/", "http://x.example/one/c?d=/e/f"]
)
def test_a_folder_is_what_stands_before_the_last_name(url):
    assert _folder_of(url) == "http://x.example/one"


def test_links_without_texts_or_urls_are_ranked_all_the_same():
    crawl = TinyCrawl(Honeyguide())
    crawl.seed("a")
    given = crawl.fetch(("a", 0.5, "bc"))
    assert np.isfinite(list(given.values())).all()
