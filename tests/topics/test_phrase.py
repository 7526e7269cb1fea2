"""What a phrase asks for, what it leaves out, and what it cannot mean."""

import pytest

from honeyguide.errors import TopicError
from honeyguide.topics.keywords import KeywordTopic
from honeyguide.topics.phrase import check_phrase, left_out


@pytest.mark.parametrize(
    ("phrase", "language"),
    [
        ("jaguar -jaguar", "en"),
        ("jaguars NOT jaguar", "en"),
        ("cooking -cook", "en"),
        ('"sports car" -car', "en"),
        ("US history -US", "en"),
        ("Bienen -Biene", ""),
    ],
)
def test_what_asks_for_a_word_and_against_it_is_refused(phrase, language):
    with pytest.raises(TopicError, match=r"asks for .* and against .*; leave one of them out"):
        check_phrase(phrase, language)
    assert KeywordTopic(phrase).weights, "what is there already is still read"


@pytest.mark.parametrize(
    "phrase", ["jaguar -car", 'car -"sports car"', "university -universe", "us history -US"]
)
def test_what_asks_against_something_else_is_taken(phrase):
    check_phrase(phrase)


@pytest.mark.parametrize(
    ("phrase", "language", "expected"),
    [
        ("us history", "en", ["us"]),
        ("US HISTORY", "en", ["US"]),
        ("US history", "en", []),
        ("the history of bees, and of wasps", "en", []),
        ("São Paulo", "pt", ["São"]),
        ("E. coli", "en", ["E."]),
        ("vitamin c and bees", "en", ["c"]),
        ("abejas y miel", "es", []),
        ("die Bienen und der Honig", "de", []),
        ('"the who" in concert', "en", []),
        ("bees AND wasps & C++ - World War 2", "en", []),
        ("日本の歴史", "ja", []),
    ],
)
def test_what_is_not_looked_for_though_it_may_be_meant(phrase, language, expected):
    assert left_out(phrase, language) == expected
