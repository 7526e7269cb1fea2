"""Names that are no words: what of a phrase is one, and where pages have it."""

import time

import pytest

from honeyguide.errors import TopicError
from honeyguide.model import Passages
from honeyguide.topics.keywords import KeywordTopic
from honeyguide.topics.names import Names


@pytest.mark.parametrize(
    ("words", "has", "has_not"),
    [
        ("US history", "history of the US", "history, as told by us"),
        ("US history", "history of the U.S.", "history of the U.S.S.R., and US1"),
        ("IT security", "security of IT-systems", "security as it is"),
        ("WHO guidelines", "guidelines (WHO)", "guidelines who"),
        ("U.S. Constitution", "the US constitution", "a constitution for us, u and s"),
        ("J.R.R. Tolkien", "Tolkien, J.R.R.", "Tolkien, J. S."),
        ("World War 2", "World War 2.", "World War 1, of 12 and 2.5 and 2%, $2"),
        ("Web 2.0", "web 2.0", "web 2 and 12.0 and 0"),
        ("Windows 11", "windows 11", "windows 10"),
        ("ASP.NET guide", "an asp.net guide", "a guide to net and asp"),
    ],
)
def test_names_are_found_and_what_looks_like_them_is_not(words, has, has_not):
    topic = KeywordTopic(words)
    found, other = topic.judge([has, has_not])
    assert found > 1.2 * other > 0
    assert (topic.judge(Passages.of([has, has_not])) == [found, other]).all()


@pytest.mark.parametrize(
    ("phrase", "labels"),
    [
        ("US history", {"US", "history"}),
        ("US HISTORY", {"history"}),
        ("us history", {"history"}),
        ("U.S. HISTORY", {"U.S.", "history"}),
        ("U.S.A.", {"U.S.A."}),
        ("bees AND wasps", {"bees", "wasps"}),
        ("NASA missions", {"nasa", "missions"}),
        ("World War 2", {"world", "war", "2"}),
        ("1. bees 2. wasps", {"bees", "wasps"}),
        ("Node.js, bees.in a hive", {'"node js"', "bees", "hive"}),
        ('"WHO"', {"WHO"}),
        ("“C”", {"C"}),
        ('"who"', {"who"}),
        ('"the who"', {'"the who"'}),
        ('"THE ART OF WAR"', {'"the art of war"'}),
        ('"der die das"', {'"der die das"'}),
    ],
)
def test_what_of_a_phrase_is_a_name(phrase, labels):
    assert KeywordTopic(phrase).weights.keys() == labels


@pytest.mark.parametrize("phrase", ["C", "WHO", "the who", "der die das und", "le la les des"])
def test_what_is_refused_is_taken_in_quotes(phrase):
    with pytest.raises(TopicError, match=f"no distinctive word.*: '\"{phrase}\"'"):
        KeywordTopic(phrase)
    topic = KeywordTopic(f'"{phrase}"')
    assert topic.judge([f"all about {phrase} and others"])[0] > topic.relevant_above


@pytest.mark.parametrize("phrase", ["1 2", "???", '"..."'])
def test_quotes_are_not_advised_where_they_would_not_help(phrase):
    with pytest.raises(TopicError, match=r"that pages on it use$"):
        KeywordTopic(phrase)


@pytest.mark.parametrize("unit", ["U.S", "U.", "2", "A.B.", "US ", "2. "])
def test_hostile_pages_cost_no_more_than_others(unit):
    page = unit * (1_000_000 // len(unit))
    begun = time.perf_counter()
    assert len(Names("US vitamin C 2", "en").spelled(page)) == len(page)
    assert time.perf_counter() - begun < 5
