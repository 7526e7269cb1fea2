"""Words of two topics, compared."""

import pytest

from honeyguide.topics.cosine import CosineTopic
from honeyguide.topics.difference import changed_words
from honeyguide.topics.keywords import KeywordTopic
from honeyguide.topics.revised import Labelled, revise

HONEY = KeywordTopic("honey bees", language="en")
HIVES = KeywordTopic("honey hives", language="en")
GOOD, BAD = "the bees swarm around the hive", "a shop that sells a jar of honey"


def learned(first, good=GOOD):
    labels = [Labelled(good, True)] * 3 + [Labelled(BAD, False)] * 3
    return revise(first, labels, [GOOD, BAD, "a train on its track"] * 2).topic


def test_words_that_only_one_phrase_has():
    found = changed_words(HONEY, HIVES, 10)
    assert found.unit == "shares of the phrase"
    changes = {one.word: (one.before, one.after) for one in found.words}
    assert changes["bees"] == (HONEY.weights["bees"], 0.0)
    assert changes["hives"] == (0.0, HIVES.weights["hives"])
    assert sum(HONEY.weights.values()) == pytest.approx(1.0)
    assert len(changed_words(HONEY, HIVES, 1).words) == 1
    assert abs(found.words[0].change) >= abs(found.words[-1].change)


def test_a_revision_is_what_was_learned_beside_its_first_topic():
    revised = learned(HONEY)
    changes = {one.word: (one.before, one.after) for one in changed_words(HONEY, revised, 50).words}
    assert changes["swarm"][0] == 0.0 < changes["swarm"][1]
    assert changes["jar"][1] < 0.0
    back = {one.word: (one.after, one.before) for one in changed_words(revised, HONEY, 50).words}
    assert back == changes


def test_topics_of_two_kinds_are_brought_to_one_scale():
    found = changed_words(HIVES, learned(HONEY), 50)  # it revises another topic
    assert found.unit.startswith("shares of the greatest")
    assert max(abs(one.after) for one in found.words) == pytest.approx(1.0)
    assert max(abs(one.before) for one in found.words) == pytest.approx(1.0)


def test_where_words_have_no_weight_nothing_is_said():
    assert changed_words(CosineTopic("honey"), HONEY, 10).unit == ""
