"""How rare a stem is in texts at large: a frozen background, the same in every crawl. Used by the keyword topic."""

from __future__ import annotations

import math
from functools import cache
from importlib.resources import files

from honeyguide.topics.stop_words import stop_words
from honeyguide.topics.text import stem_words

WORDS_PER_PAGE = 400.0
SHARE_OF_FIRST_WORD = 0.08
RARITY_OF_DIGIT = 1.0
"""Of one digit, as in World War 2: as if every third page had it where it is no part of a number."""


def rarity_of_stem(stem: str, language: str = "en") -> float:
    """Natural logarithm of (all pages / pages with this stem), estimated by Zipf's law from its rank in English.

    Words of another language are either stop words, which weigh nothing, or as rare as words no list of ours has.
    Single letters are no words.
    """
    if len(stem) < 2:
        return 0.0
    if language != "en":
        return 0.0 if stem in _stop_stems(language) else _from_rank(2 * len(_english_ranks()))
    return _from_rank(_english_ranks().get(stem, 2 * len(_english_ranks())))


def _from_rank(rank: int) -> float:
    expected = SHARE_OF_FIRST_WORD * WORDS_PER_PAGE / rank
    return -math.log(-math.expm1(-expected))


@cache
def _english_ranks() -> dict[str, int]:
    """Rank of the most frequent form of each stem."""
    ranks: dict[str, int] = {}
    for rank, stem in enumerate(stem_words(english_words()), start=1):
        ranks.setdefault(stem, rank)
    return ranks


@cache
def _stop_stems(language: str) -> frozenset[str]:
    return frozenset(stem_words(sorted(stop_words(language)), language))


def english_words() -> list[str]:
    """The most frequent words of English, most frequent first."""
    lines = files("honeyguide.topics").joinpath("english_words.txt").read_text(encoding="utf-8").splitlines()
    return " ".join(line for line in lines if not line.startswith("#")).split()
