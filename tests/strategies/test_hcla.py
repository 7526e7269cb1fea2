"""HCLA on crawls of a few pages: the order it gives, what it keeps, how it explains."""

import numpy as np
import pytest

from honeyguide.checks import check_strategy
from honeyguide.errors import SettingsError, TopicError
from honeyguide.model import Explanation
from honeyguide.strategies.hcla import Hcla
from honeyguide.topics.base import TopicModel
from tests.strategies.graph import TinyCrawl

BEES = {"text": "bees collect honey for the hive; bees and their queen live in a hive of wax"}
TRAINS = {"text": "trains carry freight along the railway; trains stop at a station of the railway"}


def small(**settings):
    return Hcla(**{"k": 2, "every": 1, "corpus_pages": 4, "pages": 6, **settings})


def two_sides(strategy):
    """Pages a and b are about bees and link to x, pages c and d about trains and link to y; b and c link to z."""
    crawl = TinyCrawl(strategy)
    crawl.seed("abcd")
    crawl.fetch(
        ("a", 0.9, "bx", BEES), ("b", 0.9, "axz", BEES), ("c", 0.0, "dyz", TRAINS), ("d", 0.0, "cy", TRAINS)
    )
    return crawl


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"both_ways": True},
        {"itself": 0.0},
        {"weighting": "log"},
        {"update": "fold-in"},
        {"residual_rank": 2},
    ],
    ids=str,
)
def test_links_of_relevant_pages_come_first(settings):
    scores = two_sides(small(**settings)).refresh()
    assert scores["x"] > scores["z"] > scores["y"]
    assert scores["x"] > 0.2


def test_a_page_speaks_for_its_links_before_anything_else_is_known():
    crawl = TinyCrawl(small())
    crawl.seed("ac")
    crawl.fetch(("a", 0.9, "x", BEES), ("c", 0.0, "y", TRAINS))
    scores = crawl.refresh()
    assert scores["x"] > scores["y"]


def test_anchors_can_be_words_of_what_they_lead_to():
    crawl = TinyCrawl(small(anchors=True))
    crawl.seed("a")
    crawl.fetch(("a", 0.5, "xy", {**TRAINS, "anchors": ["bees", "railway"]}))
    scores = crawl.refresh()
    assert scores["x"] > scores["y"]


def test_words_and_links_explain_the_cosine():
    crawl = two_sides(small())
    score = crawl.refresh()["x"]
    parts = crawl.told("x")
    words = [share for label, share in parts.items() if label.startswith("the word")]
    links = [share for label, share in parts.items() if label.startswith("linked from")]
    assert sum(words) == pytest.approx(score)
    assert sum(links) == pytest.approx(score)
    assert len(links) == 2
    assert "stands" in crawl.strategy.explain(crawl.id("a"), crawl.view).summary


def test_only_the_latest_pages_are_kept():
    crawl = TinyCrawl(small())
    crawl.seed("abcdefghij")
    for name in "abcdefghij":
        crawl.fetch((name, 0.5, "x", BEES))
        crawl.refresh()
    kept = [name for name in crawl.state.arrays if name.startswith("hcla words")]
    assert len(kept) == 6
    assert crawl.view.array("hcla pages")[0].tolist() == crawl.ids_of("efghij").tolist()


def test_the_corpus_is_learned_from_the_first_pages_and_then_settled():
    crawl = two_sides(small())
    crawl.refresh()
    left = crawl.view.array("hcla corpus left")
    crawl.fetch(("x", 0.9, "v", {"text": "quite different words about sailing boats and the sea"}))
    crawl.refresh()
    assert crawl.view.array("hcla corpus left") is left


def test_a_corpus_of_its_own(tmp_path):
    path = tmp_path / "corpus.txt"
    path.write_text(f"{BEES['text']}\n\n{TRAINS['text']}\nbees and trains\n", encoding="utf-8")
    scores = two_sides(small(corpus=str(path))).refresh()
    assert scores["x"] > scores["z"] > scores["y"]
    check_strategy(lambda: Hcla(every=2, k=3, corpus=str(path)))
    with pytest.raises(SettingsError, match="a document a line"):
        two_sides(small(corpus=str(tmp_path / "missing.txt"))).refresh()
    (tmp_path / "empty.txt").write_text("\n", encoding="utf-8")
    with pytest.raises(SettingsError, match="no text"):
        two_sides(small(corpus=str(tmp_path / "empty.txt"))).refresh()


class Wordless(TopicModel):
    name = "wordless"

    def judge(self, texts):
        return np.zeros(len(texts))

    def explain(self, text):
        return Explanation("nothing")


def test_a_topic_without_words_needs_a_query():
    with pytest.raises(TopicError, match=r"set strategy\.query"):
        small().check(Wordless())
    small(query="bees").check(Wordless())


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"update": "fold-in", "both_ways": True, "anchors": True, "weighting": "log"},
        {"pages": 4, "every": 3},
    ],
    ids=str,
)
def test_short_periods_resume_too(settings):
    check_strategy(lambda: small(**settings))
