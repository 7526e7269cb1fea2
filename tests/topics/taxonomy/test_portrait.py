import random

import numpy as np
import pytest

from honeyguide.topics.examples import Example
from honeyguide.topics.rarity import english_words
from honeyguide.topics.taxonomy.documents import Documents
from honeyguide.topics.taxonomy.portrait import MASS, WORDS, background, portraits
from honeyguide.topics.text import stem_words


def ordinary(seed: int) -> str:
    """A text of the words of English as often as they occur."""
    words = english_words()
    return " ".join(
        random.Random(seed).choices(words, [1 / rank for rank in range(1, len(words) + 1)], k=1000)
    )


def portrait(*texts: str) -> dict[str, float]:
    documents = Documents("en")
    documents.add([Example(text) for text in texts], [1] * len(texts))
    row = portraits(documents, np.array([1], dtype=np.int32))
    return {documents.stems[term]: weight for term, weight in zip(row.indices, row.data, strict=True)}


def test_ordinary_words_are_not_part_of_a_portrait():
    found = portrait(
        *(f"{'bees hive ' * times} swarm {ordinary(seed)}" for seed, times in enumerate((9, 1, 1)))
    )
    assert not set(found).intersection(stem_words(english_words()[:150]))
    assert sorted(found, key=found.__getitem__)[-2:] == ["bee", "hive"]
    assert sum(found.values()) == pytest.approx(MASS)
    # Nine times in one page and once in two others, damped, against once in each of three.
    assert found["hive"] / found["swarm"] == pytest.approx((np.log(10) + 2 * np.log(2)) / (3 * np.log(2)))


def test_words_of_one_page_among_several_are_that_pages_own():
    assert set(portrait("hive swarm", "hive nectar", "hive wax")) == {"hive"}


def test_a_portrait_has_so_many_words_at_most():
    letters = "abcdefghijklmnop"
    words = " ".join(f"q{one}{two}q" for one in letters for two in letters)
    assert len(portrait(words)) == WORDS


def test_a_topic_without_distinctive_words_has_an_empty_portrait():
    assert portrait("the and of", "") == {}


def test_short_words_and_stop_words_tell_nothing():
    documents = Documents("en")
    documents.stems = ["th", "peopl", "hive", "蜜蜂"]
    share = background(documents)
    assert share[0] == 1
    assert share[1] > 100 * share[2]
    assert share[3] < 0.001
