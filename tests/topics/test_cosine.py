"""The cosine topic."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from honeyguide.errors import TopicError
from honeyguide.topics import cosine, text
from honeyguide.topics.base import TopicParts
from honeyguide.topics.cosine import CosineTopic
from honeyguide.topics.rarity import rarity_of_stem


def test_cosine_by_hand():
    topic = CosineTopic("nectar hive")
    nectar, hive, zebra = (rarity_of_stem(stem) for stem in ("nectar", "hive", "zebra"))
    weights = {"nectar": (1 + math.log(2)) * nectar, "zebra": zebra}
    expected = weights["nectar"] * nectar / (math.hypot(*weights.values()) * math.hypot(nectar, hive))
    assert topic.judge(["Nectar, nectar. Zebra!"])[0] == pytest.approx(expected, abs=1e-12)


def test_the_topic_itself_is_fully_relevant_and_other_words_are_not():
    topic = CosineTopic("Growing roses in small gardens")
    same, stems, other = topic.judge(
        ["growing roses in small gardens", "grow a rose: garden", "steam engines"]
    )
    assert same == pytest.approx(1.0)
    assert 0.5 < stems < 1.0
    assert other == 0.0


def test_frequent_words_weigh_little():
    topic = CosineTopic("the history of bees")
    bees, history = topic.judge(["all about bees", "the history of the"])
    assert bees > 2 * history


@pytest.mark.parametrize("words", ["", "   ", "12 34", "???"])
def test_a_topic_without_words_is_refused(words):
    with pytest.raises(TopicError, match="no distinctive word"):
        CosineTopic(words)


def test_explanation_adds_up_to_the_relevance():
    topic = CosineTopic("bees honey hive")
    page = "Honey bees. Bees and bees, and wax from trees."
    explanation = topic.explain(page)
    assert sum(part.number for part in explanation.parts) == pytest.approx(topic.judge([page])[0])
    assert explanation.parts[0].label == "bee x3"


def test_a_flood_of_new_words_does_not_fill_the_memory(monkeypatch):
    monkeypatch.setattr(cosine, "MAX_STEMS", 50)
    topic = CosineTopic("bees honey")
    before = topic.judge(["bees and honey and wax"])
    for start in range(0, 2000, 20):
        topic.judge([" ".join(f"x{chr(97 + n % 26)}{'y' * (n // 26)}" for n in range(start, start + 20))])
    assert len(topic._rarity) < 100
    assert (topic.judge(["bees and honey and wax"]) == before).all()


def test_only_the_beginning_of_a_long_text_is_read():
    topic = CosineTopic("bees")
    filler = "wax " * (text.MAX_CHARS // 4)
    assert topic.judge([filler + " bees" * 100])[0] == 0.0


@given(st.lists(st.text(), max_size=5))
def test_any_text_gets_a_relevance(texts):
    judged = CosineTopic("bees").judge(texts)
    assert judged.shape == (len(texts),)
    assert np.isfinite(judged).all()
    assert ((judged >= 0) & (judged <= 1)).all()


def test_a_paragraph_is_judged_in_its_own_language():
    topic = CosineTopic(
        "Die Haltung von Bienen in Stöcken und die Ernte von Honig, Wachs und Propolis durch Imker"
    )
    assert topic.language == "de"
    near, far = topic.judge(["Eine Biene sammelt für den Stock", "Der Zug und die Ernte von der Bahn"])
    assert near > far > 0
    assert CosineTopic("Bienen", language="de").judge(["Biene"])[0] == pytest.approx(1.0)


def test_its_parts_make_it_again():
    topic = CosineTopic("Bienen und Honig", language="de")
    again = CosineTopic.from_parts(topic.parts())
    assert (again.text, again.language) == (topic.text, "de")
    for settings in ({}, {"text": 1, "language": "de"}, {"text": "bees"}, {"text": "", "language": ""}):
        with pytest.raises(TopicError):
            CosineTopic.from_parts(TopicParts(settings))
