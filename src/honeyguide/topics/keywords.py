"""Keyword topic: the cosine between the topic's words and a text, both as TF-IDF vectors."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from honeyguide.errors import TopicError
from honeyguide.model import Explanation, Floats
from honeyguide.topics.base import TopicModel
from honeyguide.topics.text import MAX_CHARS, MAX_VOCABULARY, Terms

DAMPED = np.array([0.0, *(1.0 + math.log(count) for count in range(1, MAX_CHARS // 2))])
"""Weight of a word by how often it occurs."""

SHOWN_SHARE = 0.0005
"""Words that contribute less, such as "the", explain nothing."""


class KeywordTopic(TopicModel):
    """Relevance = cos(topic, text), with weights `(1 + ln tf) * idf` and a frozen background idf.

    >>> topic = KeywordTopic("beekeeping, honey bees")
    >>> near, far = topic.judge(["Bees make honey; a keeper of bees tends hives.", "The railway opened in 1850."])
    >>> bool(near > 0.3), float(far)
    (True, 0.0)
    """

    name: ClassVar[str] = "keywords"
    relevant_above = 0.05

    def __init__(self, text: str) -> None:
        self.text = text
        self._learn()
        if not self._norm > 0:
            raise TopicError(
                f"the topic {text!r} has no distinctive word; give some words that pages on it use"
            )

    def __reduce__(self) -> tuple[type[KeywordTopic], tuple[str]]:
        return type(self), (self.text,)  # to another process go the words; it learns the rest itself

    def _learn(self) -> None:
        self._terms = Terms()
        numbers, counts = self._terms.count(self.text)
        weights = self._weights(numbers, counts)
        self._norm = _length(weights)
        # The topic's stems are numbered first, so its vector is a short array.
        self._topic = np.zeros(len(numbers))
        self._topic[numbers] = weights

    def judge(self, texts: Sequence[str]) -> Floats:
        """Cosine of each text with the topic."""
        if len(self._terms) > MAX_VOCABULARY:  # endless new words, as hostile pages have them
            self._learn()
        return np.array([self._cosine(*self._terms.count(text)) for text in texts])

    def _cosine(self, numbers: NDArray[np.int64], counts: NDArray[np.int64]) -> float:
        shared = int(np.searchsorted(numbers, len(self._topic)))
        if not shared:
            return 0.0
        weights = self._weights(numbers, counts)
        dot = math.fsum((weights[:shared] * self._topic[numbers[:shared]]).tolist())
        return min(1.0, dot / (_length(weights) * self._norm)) if dot else 0.0

    def _weights(self, numbers: NDArray[np.int64], counts: NDArray[np.int64]) -> Floats:
        weights: Floats = DAMPED[np.minimum(counts, len(DAMPED) - 1)] * self._terms.rarity(numbers)
        return weights

    def explain(self, text: str) -> Explanation:
        """The topic's words found in the text, by their share of the cosine."""
        numbers, counts = self._terms.count(text)
        weights = self._weights(numbers, counts)
        norm = _length(weights) * self._norm or 1.0
        parts = [
            (f"{self._terms.stems[number]} x{count}", float(weight * self._topic[number] / norm))
            for number, count, weight in zip(numbers.tolist(), counts.tolist(), weights, strict=True)
            if number < len(self._topic)
        ]
        parts = sorted((part for part in parts if part[1] > SHOWN_SHARE), key=lambda part: -part[1])
        total = sum(share for _, share in parts)
        return Explanation(
            f"keywords: cosine {total:.3f} with the topic; {len(parts)} of its {len(self._topic)} words occur",
            parts,
        )


def _length(weights: Floats) -> float:
    # Summed exactly: stems are numbered as they are met, so after a restart the terms come in another order.
    return math.sqrt(math.fsum((weights * weights).tolist()))
