"""Phrases in many languages."""

import numpy as np
import pytest

from honeyguide.topics.keywords import KeywordTopic
from honeyguide.topics.phrase_language import phrase_language
from tests.topics.sentences import PHRASES, SUBJECTS, pages


@pytest.mark.parametrize("language", PHRASES)
def test_a_phrase_in_its_language_finds_its_pages(language):
    listed = pages(language)
    assert len(listed) == 30
    for subject, phrase in zip(SUBJECTS, PHRASES[language], strict=True):
        topic = KeywordTopic(phrase)
        assert topic.language == language, phrase
        relevance = topic.judge([text for _, text in listed])
        is_right = np.array([own == subject for own, _ in listed])
        assert relevance[is_right].min() > relevance[~is_right].max(), phrase


@pytest.mark.parametrize(
    ("phrase", "small_word"),
    [
        ("die Bienen und der Honig", "die der und"),
        ("les abeilles et le miel", "les et le"),
        ("пчёлы и мёд", "и"),
    ],
)
def test_small_words_of_any_language_are_no_topic_words(phrase, small_word):
    assert KeywordTopic(phrase).judge([small_word])[0] == 0.0


@pytest.mark.parametrize(
    ("phrase", "seeds", "expected"),
    [
        ("Bienenzucht", ["https://imker.example.de/", "https://honig.example.at/"], "de"),
        ("Bienenzucht", [], "en"),
        ("apicultura", ["https://mel.example.br/a"], "pt"),
        ("honey bees", ["https://imker.example.de/"], "en"),
        ("war games", ["https://spiele.example.de/"], "en"),
        ("docker", ["https://a.example.com/", "https://b.example.com/", "https://c.example.de/"], "en"),
        ("蜂蜜", [], "zh"),
        ("car", [], "en"),
        ("page -car", [], "en"),
        ("", [], "en"),
    ],
)
def test_seeds_decide_where_the_phrase_does_not_tell(phrase, seeds, expected):
    assert phrase_language(phrase, seeds) == expected
