"""Pages judged again by the words that were kept of them: the same numbers as if they were read."""

import json
import shutil
import sqlite3
import zlib
from functools import cache

import numpy as np
import pytest

import honeyguide as hg
from honeyguide.engine.prepare import Around, Prepared, Preparer
from honeyguide.engine.worded_pages import WordFinder, packed
from honeyguide.model import Passages, Response
from honeyguide.sample_web.web import SampleWeb
from honeyguide.store.kept_words import KeptWords
from honeyguide.topics.classifier import train_classifier
from honeyguide.topics.combined import CombinedTopic
from honeyguide.topics.cosine import CosineTopic
from honeyguide.topics.examples import Example
from honeyguide.topics.keywords import KeywordTopic
from honeyguide.topics.revised import Labelled, revise
from honeyguide.urls import DEFAULT_POLICY

WEB = SampleWeb(pages=300)
HTML = (
    "<title>Bees &amp; Κυψέλη</title><p>The <a href=/a>honey bees</a> of 蜂蜜 hives swarm; <a href=/b rel=nofollow>a"
    " queen</a> bee, <a href='http://x.example/c'><img alt='brood comb'></a> naïve drones → honey."
)
FIRST = KeywordTopic('"honey bees" hives -wasps', "en")
TEXTS = [f"{WEB.topic_of(number)} {WEB.html(number).decode()}" for number in range(60)]


@cache
def topic_of(kind):
    """Made when it is asked for: to train takes seconds, and every process of the tests reads this file."""
    if kind == "revised":
        return revise(FIRST, [Labelled(text, "bees" in text[:10]) for text in TEXTS[:30]], TEXTS[30:]).topic
    if kind == "trained":
        return train_classifier(
            [Example(one) for one in TEXTS[:8]], [Example(one) for one in TEXTS[8:30]]
        ).topic
    return CombinedTopic([FIRST, topic_of("trained")], "mean") if kind == "combined" else FIRST


def response(html, url="http://h.example/page"):
    return Response(url, 200, html.encode(), {"content-type": "text/html; charset=utf-8"})


def preparer(topic):
    return Preparer(topic, DEFAULT_POLICY, frozenset({"context relevance"}), 100, is_live=True)


@pytest.mark.parametrize("kind", ["first", "revised", "trained", "combined"])
def test_a_page_is_judged_by_its_words_as_it_was_read(kind):
    topic = topic_of(kind)
    pages = [response(HTML), response("<p>"), *(response(WEB.html(n).decode()) for n in range(20))]
    reads = preparer(topic)
    assert reads.keeps_words
    kept = [WordFinder().unpacked(packed(page.words)) for page in reads.prepare(pages, Around.KEPT)]
    for read, again in zip(reads.prepare(pages), reads.judged(kept), strict=True):
        assert (again.relevance, again.accepted) == (read.relevance, read.accepted)
        assert again.parsed.links.urls == read.parsed.links.urls
        assert (again.parsed.links.anchors, again.parsed.links.nofollow) == (
            read.parsed.links.anchors,
            read.parsed.links.nofollow,
        )
        judged = topic.judge(again.parsed.links.contexts)
        np.testing.assert_array_equal(judged, topic.judge(Passages.of(read.parsed.links.contexts)))


def test_what_says_that_there_is_no_such_page_stays_on_no_topic():
    (read,) = preparer(FIRST).prepare([response("<title>404 Not Found</title>honey bees hives")], Around.KEPT)
    assert (read.is_missing, read.relevance, read.accepted) == (True, 0.0, False)


def test_topics_that_look_at_more_than_words_have_pages_read():
    for topic in (KeywordTopic("C++ bees", "en"), CosineTopic("bees")):
        assert not preparer(topic).keeps_words
        (read,) = preparer(topic).prepare([response(HTML)], Around.KEPT)
        assert isinstance(read, Prepared)
        assert read.words is None


def test_a_page_that_was_not_packed_by_us_is_none():
    (read,) = preparer(FIRST).prepare([response(HTML)], Around.KEPT)
    good, finder = packed(read.words), WordFinder()
    assert finder.unpacked(good)
    assert finder.unpacked(good[:-20]) is None
    assert finder.unpacked(b"no page") is None
    worse = {"words": "bees", "length": 99, "urls": [1], "nofollow": [7], "around": -1}
    for name, value in worse.items():
        assert finder.unpacked(_spoiled(good, name, value)) is None, name


def _spoiled(good, name, value):
    length, _, rest = zlib.decompress(good).partition(b"\n")
    head = json.dumps(json.loads(rest[: int(length)]) | {name: value}).encode()
    return zlib.compress(b"%d\n%b%b" % (len(head), head, rest[int(length) :]))


@pytest.fixture(scope="module")
def revised(tmp_path_factory):
    """A crawl that was judged once by a revision, and turned back."""
    folder = tmp_path_factory.mktemp("crawl") / "crawl"
    settings = {"web.sample_pages": 300, "limits.max_pages": 80}
    crawl = hg.Crawl.start(folder, "honey", WEB.seeds("bees"), settings=settings)
    crawl.run()
    for number, page in enumerate(crawl.questions(12)):
        crawl.label(page.url, number % 2 == 0)
    crawl.learn()
    return folder


def _again(folder, copy, spoil=lambda path: None):
    shutil.copytree(folder, copy)
    spoil(copy / "words.cache")
    crawl = hg.Crawl.open(copy)
    crawl.use_revision(1 - crawl.revision)
    with crawl.reader() as reader:
        judged = {visit.url: visit.relevance for visit in reader.visits()}
    return judged, {row.url: row.priority for row in crawl.queue(most=1_000).urls}


def test_a_crawl_is_judged_the_same_with_and_without_the_words_it_kept(revised, tmp_path):
    with sqlite3.connect(revised / "words.cache") as db:
        assert db.execute("SELECT count(*) FROM pages").fetchone()[0] == 80
    by_words = _again(revised, tmp_path / "kept")
    assert _again(revised, tmp_path / "read", lambda path: path.unlink()) == by_words
    assert _again(revised, tmp_path / "torn", lambda path: path.write_bytes(b"torn" * 5_000)) == by_words


def test_a_file_that_cannot_be_read_is_thrown_away_and_one_that_cannot_be_written_done_without(tmp_path):
    (tmp_path / "words.cache").write_bytes(b"torn" * 5_000)
    words = KeptWords(tmp_path)
    assert words.get([1]) == {}
    words.put({1: b"page"})
    words.close()
    again = KeptWords(tmp_path)
    again.put({1: b"page", -2: b"other"})
    assert again.get([1, -2, 3]) == {1: b"page", -2: b"other"}
    again.close()
    nowhere = KeptWords(tmp_path / "none")
    nowhere.put({1: b"page"})
    assert nowhere.get([1]) == {}
