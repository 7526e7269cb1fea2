"""Words known by their hashes: the same numbers and places as by looking at every word."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from honeyguide.topics import word_numbers as module
from honeyguide.topics.word_numbers import WordNumbers

LONGEST = 5
LETTERS = st.lists(st.sampled_from(["a", "b", "bee", "bees", "honey", "honeyed", "é", " ", "  "])).map(
    "".join
)


class Dictionary(dict):
    """Numbers words as they are met, and remembers which it was asked for."""

    def __init__(self):
        self.asked = []

    def number(self, word):
        self.asked.append(word)
        return self.setdefault(word, len(self))


def found(numbers, dictionary, text):
    """Numbers and places as `WordNumbers` gives them, and as the words say."""
    given, places = numbers.find(text.encode("latin-1"), "latin-1", dictionary.number)
    words = list(re.finditer("[^ ]+", text))
    expected = [dictionary.number(word[0][:LONGEST]) for word in words], [word.start() for word in words]
    return (given.tolist(), places.tolist()), expected


@given(st.lists(LETTERS, max_size=5))
def test_numbers_are_those_of_the_words(texts):
    numbers, dictionary = WordNumbers(LONGEST), Dictionary()
    for text in texts:
        given, expected = found(numbers, dictionary, text)
        assert given == expected


@pytest.mark.parametrize("block", [8, 9, 16])
@given(text=LETTERS)
def test_a_long_text_is_read_in_blocks(block, text):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "BLOCK", block)
        given, expected = found(WordNumbers(LONGEST), Dictionary(), text)
    assert given == expected


def test_words_are_asked_for_once_wherever_they_stand():
    numbers, dictionary = WordNumbers(40), Dictionary()
    for text in (b"honey bee", b"a honey   bee"):
        numbers.find(text, "latin-1", dictionary.number)
    assert dictionary.asked == ["honey", "bee", "a"]


def test_words_that_share_a_slot_are_told_apart(monkeypatch):
    monkeypatch.setattr(module, "_SLOT_BITS", 2)
    numbers, dictionary = WordNumbers(LONGEST), Dictionary()
    text = " ".join(chr(97 + at) * 2 for at in range(26))
    for _ in range(3):
        given, expected = found(numbers, dictionary, text)
        assert given == expected


def test_hashes_of_words_differ():
    words = np.array(
        [[first, second] for first in range(97, 123) for second in range(97, 123)], dtype=np.uint8
    )
    starts = np.arange(0, words.size, 2)
    assert len(np.unique(module._hashed(words.ravel(), starts, starts + 2))) == 26 * 26
    assert len(np.unique(module._hashed(words.ravel(), starts, starts + 1))) == 26


def test_one_endless_word_is_one_word():
    given, places = WordNumbers(40).find(b"bee " + b"z" * 10_000_000 + b" bee", "latin-1", len)
    assert (given.tolist(), places.tolist()) == ([3, 40, 3], [0, 4, 10_000_005])
