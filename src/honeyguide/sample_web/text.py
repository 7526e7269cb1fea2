"""The prose of the sample web: words drawn from topics and from common English, with Zipf frequencies."""

import numpy as np
from numpy.typing import NDArray

from honeyguide.sample_web.dice import Bits, Dice, Numbers
from honeyguide.sample_web.words import COMMON, GENERAL, TOPICS

_COMMON_SLOTS = 4096
_TOPIC_SLOTS = 1024
_SENTENCE = 13


def _zipf_slots(words: int, slots: int, flatness: float) -> Numbers:
    """Make a table from uniform draws to ranks: rank r fills slots in proportion to 1 / (r + flatness)."""
    weights = 1.0 / (np.arange(words) + flatness)
    edges = np.cumsum(weights) / weights.sum() * slots
    return np.minimum(np.searchsorted(edges, np.arange(slots), side="right"), words - 1).astype(np.int64)


class Prose:
    """Draws words for pages; a topic is its place in the list of names."""

    def __init__(self, seed: int, topic_names: list[str]) -> None:
        self._dice = Dice(seed, "prose")
        every_word: list[str] = list(COMMON)
        self._common = _zipf_slots(len(COMMON), _COMMON_SLOTS, flatness=2.0)
        self.vocabularies = [COMMON if name == GENERAL else TOPICS[name][1] for name in topic_names]
        self._starts: list[int] = []
        for words in self.vocabularies:
            self._starts.append(len(every_word))
            every_word.extend(words)
        self._ranks = [_zipf_slots(len(words), _TOPIC_SLOTS, flatness=4.0) for words in self.vocabularies]
        self._words = np.array(every_word, dtype=object)

    def draw(self, key: int, count: int, parts: list[tuple[int, float]]) -> list[str]:
        """Words of which each topic of `parts` has its share; the rest is common English."""
        bits = self._dice.stream(key, count)
        ids = self._common[(bits & np.uint64(_COMMON_SLOTS - 1)).astype(np.int64)]
        choice = ((bits >> np.uint64(12)) & np.uint64(0xFFFF)).astype(np.float64) / 65536.0
        start = 0.0
        for topic, share in parts:
            chosen = (choice >= start) & (choice < start + share)
            ids[chosen] = self._topical(topic, bits[chosen], key)
            start += share
        drawn: list[str] = self._words[ids].tolist()
        return drawn

    def _topical(self, topic: int, bits: Bits, key: int) -> NDArray[np.int64]:
        size = len(self.vocabularies[topic])
        ranks = self._ranks[topic][((bits >> np.uint64(28)) & np.uint64(_TOPIC_SLOTS - 1)).astype(np.int64)]
        # Half of the words come from the page's own corner of the topic: two pages need not share any.
        shift = np.where(bits >> np.uint64(63), self._dice(~key) % size, 0)
        return self._starts[topic] + (ranks + shift) % size

    def word(self, topic: int, draw: int) -> str:
        """One word of a topic; any draw will do."""
        words = self.vocabularies[topic]
        return words[draw % len(words)]


def sentences(words: list[str]) -> list[str]:
    """Words cut into sentences."""
    cuts = range(0, len(words), _SENTENCE)
    return [f"{words[cut].capitalize()} {' '.join(words[cut + 1 : cut + _SENTENCE])}." for cut in cuts]
