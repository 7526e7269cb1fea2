"""Questions to an index, in several languages, and hostile ones."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from honeyguide import Crawl, Label
from honeyguide.errors import SettingsError, StoreError
from honeyguide.model import Explanation, Floats
from honeyguide.search.results import Results
from honeyguide.topics.base import Judgment, TopicModel

from .conftest import HIDDEN, HOSTILE_TITLE, PAGES, crawl_of, write_corpus

QUEENS = "http://www.bees.example/queens"
ROYAL = "http://www.bees.example/royal"


def urls(found: Results) -> list[str]:
    return [hit.url for hit in found.hits]


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("queen rearing", QUEENS),
        ("reared QUEENS", QUEENS),
        ("the queens of a rearing", QUEENS),
        ("die Königinnen", "http://imker.example/koenigin"),
        ("konigin", "http://imker.example/koenigin"),
        ("蜂蜜", "http://hachi.example/"),
        ("養蜂家", "http://hachi.example/"),
        ("蜂", "http://hachi.example/"),
        ("العسل", "http://nahl.example/"),
        ("꿀벌", "http://beol.example/"),
        ("title:wheels", "http://cars.example/"),
        ("url:koenigin", "http://imker.example/koenigin"),
        ("site:cars.example beekeepers", "http://cars.example/"),
        ("host:www.bees.example jelly -breakfast", QUEENS),
        ('"royal jelly"', QUEENS),
        ("royal-jelly", QUEENS),
        ('anchor:"read on" lang:ja', "http://hachi.example/"),
    ],
)
def test_words_find_pages(crawl: Crawl, query: str, first: str) -> None:
    assert urls(crawl.search(query))[:1] == [first]


@pytest.mark.parametrize(
    ("query", "missing"),
    [
        ('"jelly royal"', QUEENS),
        ("queen -jelly", QUEENS),
        ("title:larvae", QUEENS),
        ("蜜蜂花", "http://hachi.example/"),
        ("secret", HIDDEN),
        ("queen -site:www.bees.example", QUEENS),
    ],
)
def test_what_was_not_asked_for_is_not_found(crawl: Crawl, query: str, missing: str) -> None:
    assert missing not in urls(crawl.search(query))


def test_an_empty_query_lists_the_best_pages(crawl: Crawl) -> None:
    found = crawl.search()
    assert found.total == len(PAGES) - 1 == len(found.hits)
    assert [hit.score for hit in found.hits] == sorted((hit.score for hit in found.hits), reverse=True)
    assert found.hits[0].relevance > found.hits[-1].relevance
    assert (found.indexed, found.waiting) == (len(PAGES), 0)


def test_a_question_may_ask_for_more_than_words(crawl: Crawl) -> None:
    german = urls(crawl.search(language="de"))
    assert german == urls(crawl.search(language="DE-at")) == urls(crawl.search(language="de_AT")) != []
    assert {hit.language for hit in crawl.search(language="de").hits} == {"de"}
    assert {hit.site for hit in crawl.search(site="Imker.Example").hits} == {"imker.example"}
    times = [page.visit.time for page in crawl.visits()]
    assert crawl.search(since=max(times) + 1).total == 0
    assert crawl.search(since=min(times)).total == len(PAGES) - 1
    assert (
        crawl.search(year=1999).total == crawl.search(year=-1).total == crawl.search(year=10**30).total == 0
    )
    relevant = crawl.search(relevant=True)
    assert 0 < relevant.total < len(PAGES) - 1
    assert all(hit.relevance >= crawl.threshold for hit in relevant.hits)
    with pytest.raises(SettingsError, match="search knows no colour; it knows site, language"):
        crawl.search("bees", colour="red")


def test_results_come_a_page_at_a_time(crawl: Crawl) -> None:
    whole = urls(crawl.search(most=100))
    assert urls(crawl.search(most=3)) + urls(crawl.search(offset=3, most=3)) == whole[:6]
    assert urls(crawl.search(offset=200, most=5)) == urls(crawl.search(most=0)) == []


def test_the_score_is_a_product(crawl: Crawl) -> None:
    for hit in crawl.search("queen").hits:
        assert set(hit.parts) == {"text", "relevance", "authority"}
        assert hit.score == pytest.approx(hit.parts["text"] * hit.parts["relevance"] * hit.parts["authority"])
        assert hit.parts["relevance"] == pytest.approx(1 + 3 * hit.relevance)
        assert hit.parts["authority"] == pytest.approx(1 + hit.authority)


def test_snippets_show_the_words(crawl: Crawl) -> None:
    (hit,) = crawl.search('"royal jelly"').hits[:1]
    marked = {text.lower() for text, is_match in hit.snippet if is_match}
    assert {"royal", "jelly"} <= marked <= {"royal", "jelly"}
    (german,) = crawl.search("Bienenhaus").hits[:1]
    assert {text for text, is_match in german.snippet if is_match} == {"Bienenhaus"}
    (japanese,) = crawl.search("蜂蜜").hits[:1]
    assert ("蜂蜜", True) in japanese.snippet
    for hit in crawl.search("queen").hits:
        assert len("".join(text for text, _ in hit.snippet)) < 300


def test_a_hostile_title_is_kept_as_it_is(crawl: Crawl) -> None:
    (hit,) = [hit for hit in crawl.search("royalty").hits if hit.url == ROYAL]
    assert "<script>" in hit.title
    assert "alert" in HOSTILE_TITLE


def test_facets_count_the_matches(crawl: Crawl) -> None:
    facets = crawl.search("bees OR").facets
    assert set(facets) == {"site", "language", "topic_class", "year"}
    assert dict(facets["language"])["en"] == sum(
        hit.language == "en" for hit in crawl.search("bees", most=50).hits
    )
    assert sum(dict(crawl.search().facets["site"]).values()) == len(PAGES) - 1
    (year,) = dict(crawl.search().facets["year"])
    assert crawl.search(year=int(year)).total == len(PAGES) - 1


def test_a_better_spelling_is_proposed(crawl: Crawl) -> None:
    assert crawl.search("qeuen raering").suggestion.startswith("queen r")
    assert crawl.search('title:"Engiens"').suggestion == 'title:"engines"'
    assert crawl.search("queen").suggestion == ""


@pytest.mark.parametrize("query", ["Koniginnen", "Königinen", "Bienenhause", "winters", "wheel"])
def test_a_word_that_is_found_by_its_stem_is_no_mistake(crawl: Crawl, query: str) -> None:
    found = crawl.search(query)
    assert found.total >= 1
    assert found.suggestion == ""


def test_what_is_not_understood_is_said(crawl: Crawl) -> None:
    found = crawl.search('queen AND colour:red "rearing')
    assert found.hits[0].url == QUEENS
    assert found.ignored == (
        "AND: all words are looked for anyway",
        "colour: there is no such field, so it was read as a word",
        "the quotation mark that is not closed",
        "no page has all the words, so these have some of them",
    )
    assert crawl.search("the queen", language="en").ignored == ("the: too common",)
    assert crawl.search("x" * 1000).ignored == ("all after the first 500 characters",)
    assert crawl.search("bee " * 100).ignored == ("all after the first 24 words",)


def test_a_quotation_mark_that_is_not_closed_makes_no_phrase(crawl: Crawl) -> None:
    assert urls(crawl.search('queen "larvae colonies title:rearing')) == [QUEENS]
    assert urls(crawl.search('"royal jelly" "larvae colonies')) == [QUEENS]
    assert crawl.search('title:"wheels').hits[0].url == "http://cars.example/"


@pytest.mark.parametrize(
    ("query", "asked", "language"),
    [
        ("war", "war", "de"),
        ("man hat", "man hat", "de"),
        ("the -jelly", "the", "en"),
        ('"to be"', "to be", "en"),
    ],
)
def test_words_that_one_language_leaves_out_are_said(
    crawl: Crawl, query: str, asked: str, language: str
) -> None:
    """In a collection of several languages another one may mean something by them: no page has that."""
    found = crawl.search(query)
    assert (found.total, found.hits) == (0, ())
    assert found.ignored == (f"{asked}: too common in {language}, so not looked for in such pages",)


def test_words_that_every_language_leaves_out_find_every_page(tmp_path: Path) -> None:
    made = crawl_of(tmp_path, {url: page for url, page in PAGES.items() if page[0] in ("en", "de")})
    made.index()
    found = made.search("in -jelly")
    assert found.ignored == ("in: too common",)
    assert found.total == made.search("-jelly").total > 0


def test_a_language_that_no_page_is_in_is_said(crawl: Crawl) -> None:
    for found in (crawl.search("queen", language="German"), crawl.search("queen lang:german")):
        assert found.total == 0
        assert found.ignored[0].startswith("german: no page is in this language; most are in ")
        assert "de" in found.ignored[0].partition("most are in ")[2].split(", ")
    assert crawl.search("queen -lang:german").ignored == ()


def test_pages_like_one(crawl: Crawl) -> None:
    found = crawl.search(like="www.bees.example/queens")
    assert urls(found)[0] == ROYAL
    assert QUEENS not in urls(found)
    assert crawl.search(like="http://unknown.example/").ignored == (
        "http://unknown.example/: that page is not in the index",
    )


@given(
    query=st.text(max_size=60)
    | st.lists(
        st.sampled_from(
            ['"', "-", "+", "title:", "site:", ":", "queen", "蜂", "the", "(", "\\", "\ud800", "\0", "*", "/"]
        )
        | st.text(max_size=5)
    ).map("".join)
)
def test_no_query_fails(crawl: Crawl, query: str) -> None:
    found = crawl.search(query, fresh=False)
    assert found.total >= len(found.hits)
    assert asdict(found)["query"] == found.query


@given(
    site=st.text(max_size=9), language=st.text(max_size=4), topic_class=st.text(max_size=9),
    year=st.none() | st.integers(), since=st.none() | st.floats(), offset=st.integers(), most=st.integers(),
)  # fmt: skip
def test_no_question_fails(crawl: Crawl, **wanted: object) -> None:
    crawl.search("queen", fresh=False, **wanted)


def test_labels_count_at_once(tmp_path: Path) -> None:
    crawl = crawl_of(tmp_path)
    worst = crawl.search("beekeeper").hits[-1]
    assert worst.label is None
    crawl.send(Label(url=worst.url, relevant=True))
    best = crawl.search("beekeeper").hits[0]
    assert (best.url, best.label) == (worst.url, True)
    assert best.parts["relevance"] == pytest.approx(4.0)


def test_copies_are_folded(tmp_path: Path) -> None:
    text = " ".join(f"the {number} bees of hive {number * 7}" for number in range(60))
    pages = {f"http://h{number}.example/": ("en", "Bees", text) for number in range(1, 5)}
    found = crawl_of(tmp_path, {"http://h0.example/": ("en", "Start", "Begin here"), **pages}).search("hive")
    assert [hit.copies for hit in found.hits] == [3]


def test_words_of_urls_are_found_as_they_are_written(tmp_path: Path) -> None:
    """Where all pages are of one language, only that one's stems are looked for; urls have none."""
    pages = {
        "http://h0.example/": ("en", "Start", "Begin here with the keeping of hives. " * 8),
        "http://h1.example/swarmings": ("en", "Hives", "Of the keeping of bees in their hives. " * 8),
    }
    crawl = crawl_of(tmp_path, pages)
    assert urls(crawl.search("swarmings hives")) == ["http://h1.example/swarmings"]
    assert crawl._collection._current().languages == ("en",)


class Sorted(TopicModel):
    """A topic that sorts pages by a word."""

    name = "sorted"

    def judge(self, texts: Sequence[str]) -> Floats:
        return np.array([float("bee" in text.lower()) for text in texts])

    def classify(self, texts: Sequence[str]) -> Judgment:
        relevance = self.judge(texts)
        classes = ["Top/Queens" if "queen" in text.lower() else "Top/Other" for text in texts]
        return Judgment(relevance, relevance > 0, classes)

    def explain(self, text: str) -> Explanation:
        return Explanation("")


def test_pages_have_the_class_of_their_topic(tmp_path: Path) -> None:
    corpus = write_corpus(tmp_path / "corpus", PAGES)
    crawl = Crawl.start(tmp_path / "crawl", Sorted(), [next(iter(PAGES))], web=corpus)
    crawl.run()
    queens = crawl.search(topic_class="Top/Queens")
    assert {hit.url for hit in queens.hits} == {QUEENS, ROYAL}
    assert {hit.topic_class for hit in queens.hits} == {"Top/Queens"}
    assert dict(crawl.search().facets["topic_class"])["Top/Queens"] == 2
    assert Crawl.open(crawl.folder).search("queen").total == 2, "also without the topic"


def test_a_crawl_without_pages_has_nothing_to_search(tmp_path: Path) -> None:
    settings = {"web.sample_pages": 50}
    crawl = Crawl.start(tmp_path / "crawl", "bees", ["http://a.example/"], settings=settings)
    with pytest.raises(StoreError, match="honeyguide index"):
        crawl.search("bees")
    assert not (crawl.folder / "index").exists()
    assert crawl.index() == 0
    assert crawl.search("bees").total == 0
    Crawl.start(tmp_path / "crawl", "wasps", ["http://a.example/"], settings=settings)
    assert not (crawl.folder / "index").exists(), "it made way for another crawl"
