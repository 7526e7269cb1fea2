"""How near the words of a text are to those of a phrase: the cosine of their mean vectors."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from honeyguide.errors import TopicError
from honeyguide.model import Floats, Part
from honeyguide.topics.meaning.table import Vectors, read_table
from honeyguide.topics.names import Names
from honeyguide.topics.phrase import read_phrase
from honeyguide.topics.phrase_language import phrase_language
from honeyguide.topics.stop_words import stop_words
from honeyguide.topics.text import MAX_CHARS, StemTable

if TYPE_CHECKING:
    from scipy.sparse import csr_array

MAX_WORDS = 100_000
"""Of which the vectors are remembered: some 100 MB."""
DAMPED = np.array([0, *(round(4 * (1 + math.log(count))) for count in range(1, MAX_CHARS))], dtype=np.float32)
"""Weight of a word by how often it occurs, in whole numbers, so that sums are exact."""


class NoMeaning(TopicError):
    """A phrase has names alone, such as C++."""


def similarities(phrase: str, texts: Sequence[str], language: str = "", folder: str = "") -> Floats:
    """Cosine of each text with a phrase, -1 to 1."""
    return Similarity(phrase, language or phrase_language(phrase), folder).of(texts)


class Similarity:
    """A phrase as a vector: the sum of its words, less those that are not meant."""

    def __init__(self, phrase: str, language: str, folder: str = "") -> None:
        self._pieces = read_table(folder)
        self._language = language
        asked = read_phrase(phrase, language, Names(""))
        signed = [(word, 1 if one.is_meant else -1) for one in asked for word in one.words]
        signs = np.array([[sign] for _, sign in signed], dtype=np.float32).reshape(-1, 1)
        self.query: Floats = (
            (signs * self._pieces.of_words([word for word, _ in signed])).sum(axis=0).astype(np.float64)
        )
        self._length = math.sqrt(float((self.query**2).sum()))
        if not self._length > 0:
            raise NoMeaning(
                f"the topic {phrase[:200]!r} has no word of which the meaning is known; give others, "
                "or go by words alone"
            )
        self._forget()

    def _forget(self) -> None:
        self._words = StemTable((), "", grows=True, skipped=stop_words(self._language))
        self._vectors: Vectors = np.zeros((0, self._pieces.width), dtype=np.float32)

    def of(self, texts: Sequence[str]) -> Floats:
        """Cosine of each text; 0 of one without words."""
        sums = self._sums(self._weighed(texts))
        lengths = np.sqrt((sums * sums).sum(axis=1)) * self._length
        cosines: Floats = np.divide(sums @ self.query, lengths, out=np.zeros(len(texts)), where=lengths > 0)
        return cosines

    def shares(self, text: str) -> list[Part]:
        """What each word of a text adds to its cosine, the largest first."""
        weighed = self._weighed([text])
        length = math.sqrt(float((self._sums(weighed) ** 2).sum())) * self._length or 1.0
        along = self._vectors[weighed.indices].astype(np.float64) @ self.query * weighed.data / length
        words = [self._words.stems[number] for number in weighed.indices.tolist()]
        parts = [Part(word, share) for word, share in zip(words, along.tolist(), strict=True)]
        return sorted(parts, key=lambda part: (-part.number, part.label))

    def _weighed(self, texts: Sequence[str]) -> csr_array:
        """The weight of each word, a column, in each text, a row; words met for the first time get their vectors."""
        if len(self._words.stems) > MAX_WORDS:
            self._forget()
        weighed = self._words.counts(texts).astype(np.float32)
        weighed.data = DAMPED[np.minimum(weighed.data, len(DAMPED) - 1).astype(np.int64)]
        known = len(self._vectors)
        if new := self._words.stems[known:]:
            self._vectors = np.concatenate((self._vectors, self._pieces.of_words(new)))
        return weighed

    def _sums(self, weighed: csr_array) -> Floats:
        sums: Floats = (weighed @ self._vectors).astype(np.float64)
        return sums
