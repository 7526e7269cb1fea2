"""Crawls that revise their topic by themselves, on the sample web."""

import shutil

import pytest

import honeyguide as hg
from honeyguide.errors import SettingsError, TopicError
from honeyguide.sample_web.web import SampleWeb
from honeyguide.selftaught import MOST_REVISIONS, MOST_WORDS, SelfTaught, lessons
from honeyguide.store.folder import revision_file
from honeyguide.topics.keywords import KeywordTopic
from honeyguide.topics.revised import Labelled, revise
from honeyguide.topics.topic_file import write_topic

WEB = SampleWeb(pages=3000)
TOPIC = WEB.topic_names[0]
GOOD = frozenset(WEB.targets(TOPIC))
WORDS = WEB.description(TOPIC).split()[0]


def begun(folder, topic=WORDS, **settings):
    given = {"web.sample_pages": 3000, **settings}
    return hg.Crawl.start(folder, topic, WEB.seeds(TOPIC), settings=given)


@pytest.fixture(scope="module")
def taught(tmp_path_factory):
    crawl = begun(tmp_path_factory.mktemp("taught") / "crawl", **{"crawl.learn": "self"})
    crawl.run(pages=400)
    return crawl


def test_lessons_are_shares_of_what_the_crawl_may_have():
    assert lessons(1000, 0) == [100, 200, 350, 500, 650], "of 50 pages there is little to be sure of"
    assert lessons(1000, 200) == [240, 280, 360, 480, 600, 720]
    assert lessons(0, 3) == [203, 403, 803, 1603, 3203, 6403]


def test_what_lessons_cost_does_not_grow_with_the_crawl():
    assert lessons(10_000_000, 5) == lessons(0, 5)
    judged_again = sum(lessons(10_000_000, 100_000)[:MOST_REVISIONS])
    assert judged_again < 12_000, "each revision has all pages judged again"


def test_a_crawl_learns_from_the_pages_it_is_surest_of(taught):
    assert taught.revisions() == [0, 1, 2, 3]
    used = [post.receipt for post in taught.inbox()]
    assert used == [f"guided by revision {number} of the topic" for number in (1, 2, 3)]
    assert {page.visit.revision for page in taught.visits()} == {3}
    firsts = [page.visit.first_revision for page in taught.visits()]
    assert firsts.index(1) >= 10, "it began with the first topic"
    top = [page.url in GOOD for page in taught.top(20)]
    assert sum(top) > 15


def test_it_is_the_same_every_time(taught, tmp_path):
    again = begun(tmp_path / "crawl", **{"crawl.learn": "self"})
    again.run(pages=400)
    assert [(page.url, page.relevance) for page in again.visits()] == [
        (page.url, page.relevance) for page in taught.visits()
    ]


def test_a_phrase_is_revised_by_itself_but_neither_other_topics_nor_descriptions_nor_where_it_is_off(
    tmp_path,
):
    crawl = begun(tmp_path / "phrase")
    crawl.run(pages=220)
    assert len(crawl.revisions()) > 1
    described = f"{WORDS} hives honey swarms pollen queens drones"
    assert KeywordTopic(described).words_asked == MOST_WORDS + 1
    others = (
        begun(tmp_path / "off", **{"crawl.learn": "off"}),
        begun(tmp_path / "line", **{"topic.relevant_above": 0.5}),
        begun(tmp_path / "cosine", **{"topic.model": "cosine"}),
        begun(tmp_path / "described", described),
    )
    for crawl in others:
        crawl.run(pages=220)
        assert crawl.revisions() == [0]


def test_nothing_is_learned_from_few_pages(tmp_path):
    crawl = begun(tmp_path / "crawl", **{"crawl.learn": "self"})
    crawl.run(pages=99)
    assert crawl.revisions() == [0]


def test_people_know_better(tmp_path):
    with pytest.raises(SettingsError, match="learn"):
        begun(tmp_path / "wrong", **{"crawl.learn": "always"})
    crawl = begun(tmp_path / "labelled", **{"crawl.learn": "self"})
    crawl.label(WEB.seeds(TOPIC)[0], True)
    crawl.run(pages=220)
    assert crawl.revisions() == [0]


def test_the_surest_are_looked_for_among_the_best_pages_not_among_random_ones_alone():
    first = KeywordTopic("bees")
    honey = [f"bees bees bees honey comb page{number}" for number in range(15)]
    usual = [f"trains rails station page{number}" for number in range(15, 30)]
    with pytest.raises(TopicError, match="nothing to learn from"):
        revise(first, [], usual)
    taught = revise(first, [], usual, promising=honey).topic
    assert taught.is_self_taught
    honey, trains, both = taught.judge(["honey comb", "trains rails", "bees bees honey comb"])
    assert both > honey > 1.5 * trains


def test_it_turns_back_when_it_brings_less_and_is_then_left_alone(tmp_path):
    crawl = begun(tmp_path / "crawl", **{"crawl.learn": "off"})
    crawl.run(pages=60)
    texts = [(page.text(), page.url in GOOD) for page in crawl.visits()]
    wrong = [Labelled(text, not is_good) for text, is_good in texts] * 3
    write_topic(
        revision_file(crawl.folder, 1), revise(crawl.first_topic, wrong, [text for text, _ in texts]).topic
    )
    crawl.use_revision(1)
    crawl.run(pages=160)
    SelfTaught(crawl, None, in_background=False).lesson()
    assert (crawl.revision, crawl.revisions()) == (0, [0, 1])
    SelfTaught(crawl, None, in_background=False).lesson()
    assert (crawl.revision, crawl.revisions()) == (0, [0, 1])


def test_a_word_that_leads_astray_is_struck_out_for_good(taught, tmp_path):
    shutil.copytree(taught.folder, tmp_path / "crawl")
    crawl = hg.Crawl.open(tmp_path / "crawl")
    (word, weight), *_ = crawl.topic.telling(1)
    assert weight > 0
    number = crawl.strike([f" {word.upper()}"])
    assert (crawl.revision, crawl.revisions()[-1]) == (number, number)
    assert dict(crawl.topic.telling(10_000))[word] == 0
    assert {page.visit.revision for page in crawl.visits()} == {number}
    learned = crawl.learn_itself()
    assert word not in dict(learned.report.telling), "it is not learned again either"
    assert crawl.of_revision(learned.number).struck == (word,)
    with pytest.raises(TopicError, match="it has not learned 'xylophone'; words that count most are"):
        crawl.strike(["xylophone"])


def test_what_was_struck_out_stays_out_whichever_revision_is_in_use(taught, tmp_path):
    shutil.copytree(taught.folder, tmp_path / "crawl")
    crawl = hg.Crawl.open(tmp_path / "crawl")
    had = SelfTaught(crawl, None, in_background=False)._had()
    one, two, three = [word for word, weight in crawl.topic.telling(3) if weight > 0]
    crawl.strike([one, two])
    crawl.use_revision(1)
    number = crawl.strike([three])
    assert {*crawl.of_revision(number).struck} == {one, two, three}
    assert {dict(crawl.topic.telling(10_000)).get(word, 0.0) for word in (one, two, three)} == {0.0}
    crawl.use_revision(0)
    for page in crawl.questions(6):
        crawl.label(page.url, page.url in GOOD)
    learned = crawl.of_revision(crawl.learn().number)
    assert {one, two, three}.isdisjoint(learned.features.vocabulary.stems)
    assert SelfTaught(crawl, None, in_background=False)._had() == had + 1, "to strike a word out is no lesson"
    with pytest.raises(SettingsError, match="at least one"):
        crawl.strike([])


def test_a_lesson_that_was_killed_before_it_was_used_is_had_again(tmp_path):
    crawl = begun(tmp_path / "crawl")
    crawl.run(pages=90)
    topic = revise(crawl.first_topic, [], [page.text() for page in crawl.visits()]).topic
    write_topic(revision_file(crawl.folder, 1), topic)
    SelfTaught(crawl, None, in_background=False).lesson()
    assert crawl.revision > 0


def test_where_no_word_was_learned_none_can_be_struck_out(tmp_path):
    crawl = begun(tmp_path / "crawl")
    crawl.run(pages=20)
    with pytest.raises(SettingsError, match="has not learned any words yet"):
        crawl.strike(["honey"])


def test_what_was_given_is_told_from_what_was_found(tmp_path):
    crawl = begun(tmp_path / "crawl")
    crawl.run(pages=20)
    with crawl.take() as taken:
        assert taken._engine.seeds == len({*WEB.seeds(TOPIC)})
