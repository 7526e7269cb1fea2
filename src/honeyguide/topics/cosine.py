"""Cosine topic: the cosine between the topic's words and a text, both as TF-IDF vectors, as most papers have it."""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from honeyguide.model import Explanation, Floats, Ids, Part
from honeyguide.topics.described import DescribedTopic
from honeyguide.topics.rarity import rarity_of_stem
from honeyguide.topics.text import MAX_CHARS, StemTable, language_of

DAMPED = np.array([0.0, *(1.0 + math.log(count) for count in range(1, MAX_CHARS // 2))])
"""Weight of a word by how often it occurs."""

MAX_STEMS = 500_000
"""More are only met on hostile pages; then those learned from pages are forgotten."""

SHOWN_SHARE = 0.0005
"""Words that contribute less, such as "the", explain nothing."""


class CosineTopic(DescribedTopic):
    """Relevance = cos(topic, text), with weights `(1 + ln tf) * idf` and a frozen background idf.

    The topic is a phrase or a paragraph; its language is detected unless given, and English when nobody can tell.

    >>> topic = CosineTopic("beekeeping, honey bees")
    >>> near, far = topic.judge(["Bees make honey; a keeper of bees tends hives.", "The railway opened in 1850."])
    >>> bool(near > 0.3), float(far)
    (True, 0.0)
    """

    name: ClassVar[str] = "cosine"
    relevant_above = 0.05

    def __init__(self, text: str, language: str = "") -> None:
        self.text = text
        self.language = language or language_of(text) or "en"
        self._learn()
        if not self._norm > 0:
            raise self._says_nothing()

    def _learn(self) -> None:
        self._table = StemTable((), self.language, grows=True, skipped=frozenset())
        self._rarity = array("d")
        numbers, counts = self._counted(self._table.sequence(self.text))
        weights = self._weights(numbers, counts)
        self._norm = _length(weights)
        # The topic's stems are numbered first, so its vector is a short array.
        self._topic = np.zeros(len(numbers))
        self._topic[numbers] = weights

    def _counted(self, sequence: Ids) -> tuple[Ids, NDArray[np.int64]]:
        """Distinct stems of a text and how often each occurs."""
        numbers, counts = np.unique(sequence, return_counts=True)
        new = self._table.stems[len(self._rarity) :]
        self._rarity.extend(rarity_of_stem(stem, self.language) for stem in new)
        return numbers, counts

    def _weights(self, numbers: Ids, counts: NDArray[np.int64]) -> Floats:
        weights: Floats = DAMPED[np.minimum(counts, len(DAMPED) - 1)] * np.frombuffer(self._rarity)[numbers]
        return weights

    def judge(self, texts: Sequence[str]) -> Floats:
        """Cosine of each text with the topic."""
        if len(self._table.stems) > MAX_STEMS:
            self._learn()
        numbers, firsts, lasts = self._table.sequences(texts)
        # Most words around links have nothing to do with the topic; then nothing need be weighed.
        of_topic = np.concatenate(([0], np.cumsum(numbers < len(self._topic))))
        cosines = np.zeros(len(texts))
        judged: dict[bytes, float] = {}  # pages of a site share menus, so each distinct text is judged once
        for place in np.flatnonzero(of_topic[lasts] > of_topic[firsts]).tolist():
            sequence = numbers[firsts[place] : lasts[place]]
            key = sequence.tobytes()
            if key not in judged:
                judged[key] = self._cosine(sequence)
            cosines[place] = judged[key]
        return cosines

    def _cosine(self, sequence: Ids) -> float:
        numbers, counts = self._counted(sequence)
        shared = int(np.searchsorted(numbers, len(self._topic)))
        weights = self._weights(numbers, counts)
        dot = math.fsum((weights[:shared] * self._topic[numbers[:shared]]).tolist())
        return min(1.0, dot / (_length(weights) * self._norm)) if dot else 0.0

    def explain(self, text: str) -> Explanation:
        """The topic's words found in the text, by their share of the cosine."""
        numbers, counts = self._counted(self._table.sequence(text))
        weights = self._weights(numbers, counts)
        norm = _length(weights) * self._norm or 1.0
        stems = self._table.stems[: len(self._topic)]
        parts = [
            Part(f"{stems[number]} x{count}", float(weight * self._topic[number] / norm))
            for number, count, weight in zip(numbers.tolist(), counts.tolist(), weights, strict=True)
            if number < len(stems)
        ]
        parts = sorted((part for part in parts if part.number > SHOWN_SHARE), key=lambda part: -part.number)
        total = sum(part.number for part in parts)
        return Explanation(
            f"cosine: {total:.3f} with the topic; {len(parts)} of its {len(self._topic)} words occur",
            parts,
        )


def _length(weights: Floats) -> float:
    # Summed exactly: stems are numbered as they are met, so after a restart the terms come in another order.
    return math.sqrt(math.fsum((weights * weights).tolist()))
