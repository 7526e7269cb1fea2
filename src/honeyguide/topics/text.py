"""From text to weighted terms: words, stems and background rarity, in one place for all topic models."""

from __future__ import annotations

import math
import re
from array import array
from functools import cache
from importlib.resources import files

import numpy as np
import Stemmer
from numpy.typing import NDArray

from honeyguide.model import Floats

WORD = re.compile(r"[^\W\d_]{2,}+")
LONGEST_WORD = 40
MAX_CHARS = 6_500
"""Only the beginning of a text is read: about 1,000 words settle what a page is about, and bound the cost."""
MAX_VOCABULARY = 500_000
WORDS_PER_PAGE = 400.0
SHARE_OF_FIRST_WORD = 0.08


def words_of(text: str) -> list[str]:
    """Lower-case words of the beginning of a text; numbers are no words."""
    return WORD.findall(text[:MAX_CHARS].lower())


class Terms(dict[str, int]):
    """From word to the number of its stem; learns words as it meets them and keeps each stem's rarity."""

    def __init__(self) -> None:
        super().__init__()
        self._stem = Stemmer.Stemmer("english", 0)
        self._numbers: dict[str, int] = {}
        self.stems: list[str] = []
        self._rarity = array("d")

    def __missing__(self, word: str) -> int:
        stem = self._stem.stemWord(word) if len(word) <= LONGEST_WORD else ""
        number = self._numbers.get(stem)
        if number is None:  # endless strings share the empty stem, which weighs nothing
            number = self._numbers[stem] = len(self.stems)
            self.stems.append(stem)
            self._rarity.append(rarity_of_stem(stem))
        self[word] = number
        return number

    def rarity(self, numbers: NDArray[np.int64]) -> Floats:
        """Inverse document frequency of stems."""
        rarity: Floats = np.frombuffer(self._rarity)[numbers]
        return rarity

    def count(self, text: str) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Distinct stems of a text and how often each occurs."""
        words = words_of(text)
        numbers = np.fromiter(map(self.__getitem__, words), dtype=np.int64, count=len(words))
        return np.unique(numbers, return_counts=True)


@cache
def _ranks() -> dict[str, int]:
    """Rank of the most frequent form of each stem of English."""
    stem = Stemmer.Stemmer("english")
    lines = files("honeyguide.topics").joinpath("english_words.txt").read_text(encoding="utf-8").splitlines()
    words = " ".join(line for line in lines if not line.startswith("#")).split()
    ranks: dict[str, int] = {}
    for rank, stemmed in enumerate(stem.stemWords(words), start=1):
        ranks.setdefault(stemmed, rank)
    return ranks


def rarity_of_stem(stem: str) -> float:
    """Natural logarithm of (all pages / pages with this stem), estimated by Zipf's law from its rank in English.

    A frozen background keeps relevance comparable across crawls and the same after a restart.
    """
    if not stem:
        return 0.0
    rank = _ranks().get(stem, 2 * len(_ranks()))
    expected = SHARE_OF_FIRST_WORD * WORDS_PER_PAGE / rank
    return -math.log(-math.expm1(-expected))
