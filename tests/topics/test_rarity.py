"""The frozen background of word frequencies."""

import math

import pytest

from honeyguide.topics.rarity import english_words, rarity_of_stem


def test_rarity_follows_zipfs_law():
    assert english_words()[:3] == ["the", "of", "and"]
    # Of 400 words 32 are expected to be "the": the chance that none is, e^-32.
    assert rarity_of_stem("the") == pytest.approx(-math.log1p(-math.exp(-32.0)))
    assert rarity_of_stem("of") == pytest.approx(-math.log1p(-math.exp(-16.0)))
    assert rarity_of_stem("school") < rarity_of_stem("nectar") < rarity_of_stem("zzyzx") < 7


def test_letters_weigh_nothing_and_neither_do_stop_words_of_other_languages():
    assert rarity_of_stem("x") == rarity_of_stem("") == 0.0
    assert rarity_of_stem("und", "de") == 0.0
    assert rarity_of_stem("honig", "de") == rarity_of_stem("zzyzx")
    assert rarity_of_stem("the", "de") > 0, "it is no stop word there"
