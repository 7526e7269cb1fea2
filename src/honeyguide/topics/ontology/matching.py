"""Finding names in texts: stemmed phrases in a trie of arrays, walked from all places of all texts at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from honeyguide.topics.stop_words import stop_words
from honeyguide.topics.text import Vocabulary, stem_phrase, words_of

MAX_NAME_WORDS = 20
"""Longer names never occur word for word."""

Numbers = NDArray[np.int64]
NEVER = np.iinfo(np.int64).max
"""An edge beyond all others."""


@dataclass(frozen=True, slots=True)
class Mentions:
    """How often topics are mentioned: one entry a text and topic, sorted by text, then topic."""

    texts: Numbers
    topics: Numbers
    counts: Numbers


class NameFinder:
    """Finds all names of all topics. Names may overlap, but those of one topic count once where they do."""

    def __init__(self, names: Iterable[tuple[int, Sequence[str]]], language: str) -> None:
        phrases = [(topic, stems) for topic, stems in names if stems]
        stems = sorted({stem for _, phrase in phrases for stem in phrase})
        self._vocabulary = Vocabulary(stems, language)
        self._topics = 1 + max((topic for topic, _ in phrases), default=0)
        self._build({stem: number for number, stem in enumerate(stems)}, phrases)

    def _build(self, numbers: dict[str, int], phrases: list[tuple[int, Sequence[str]]]) -> None:
        """Number the beginnings of phrases: edge (node, stem) -> node, and the topics named at a node."""
        self._width = max(1, len(numbers))
        edges: dict[int, int] = {}
        named: set[tuple[int, int]] = set()
        for topic, phrase in phrases:
            node = 0
            for stem in phrase:
                node = edges.setdefault(node * self._width + numbers[stem], len(edges) + 1)
            named.add((node, topic))
        later = {edge: node for edge, node in edges.items() if edge >= self._width}
        self._first = np.array([*(edges.get(stem, 0) for stem in range(self._width)), 0], dtype=np.int64)
        self._edges = np.array([*sorted(later), NEVER], dtype=np.int64)
        self._nodes = np.array([*(later[edge] for edge in sorted(later)), 0], dtype=np.int64)
        self._is_inner = np.zeros(len(edges) + 1, dtype=bool)
        self._is_inner[self._edges[:-1] // self._width] = True
        ends = np.array(sorted(named), dtype=np.int64).reshape(-1, 2)
        self._end_topics = ends[:, 1]
        self._end_starts = np.searchsorted(ends[:, 0], np.arange(len(edges) + 2))

    def find(self, texts: Sequence[str]) -> Mentions:
        """Count the mentions of every topic in every text."""
        sequences = self._vocabulary.sequences(texts)
        # A gap after each text keeps phrases from running into the next.
        gap = np.array([-1], dtype=np.int32)
        words = np.concatenate([part for sequence in sequences for part in (sequence, gap)] or [gap])
        owners = np.repeat(np.arange(len(texts)), [len(sequence) + 1 for sequence in sequences])
        topics, starts = _apart(*self._spans(words.astype(np.int64)), len(words))
        cells, counts = np.unique(owners[starts] * self._topics + topics, return_counts=True)
        return Mentions(cells // self._topics, cells % self._topics, counts)

    def _spans(self, words: Numbers) -> tuple[Numbers, Numbers, Numbers]:
        """Topic, first place and number of words of every name found."""
        nodes = self._first[words]  # a gap, -1, reads the last entry, which leads nowhere
        starts = np.flatnonzero(nodes)
        nodes = nodes[starts]
        found: list[tuple[Numbers, Numbers, Numbers]] = []
        for length in range(1, MAX_NAME_WORDS + 1):
            found.append(self._named_at(nodes, starts, length))
            inner = self._is_inner[nodes]
            starts, nodes = starts[inner], nodes[inner]
            following = words[starts + length]
            edges = np.where(following >= 0, nodes * self._width + following, -1)
            rows = np.searchsorted(self._edges, edges)
            goes_on = self._edges[rows] == edges
            starts, nodes = starts[goes_on], self._nodes[rows[goes_on]]
            if not len(starts):
                break
        topics, firsts, lengths = (np.concatenate(column) for column in zip(*found, strict=True))
        return topics, firsts, lengths

    def _named_at(self, nodes: Numbers, starts: Numbers, length: int) -> tuple[Numbers, Numbers, Numbers]:
        first = self._end_starts[nodes]
        many = self._end_starts[nodes + 1] - first
        begins = np.repeat(starts, many)
        offsets = np.arange(len(begins)) - np.repeat(np.cumsum(many) - many, many)
        topics = self._end_topics[np.repeat(first, many) + offsets]
        return topics, begins, np.full(len(begins), length)


def _apart(topics: Numbers, starts: Numbers, lengths: Numbers, places: int) -> tuple[Numbers, Numbers]:
    """Topics and places without those that overlap an earlier or longer name of the same topic."""
    # One number sorts by topic, then place, then longest first.
    keys = np.sort((topics * places + starts) * (MAX_NAME_WORDS + 1) + MAX_NAME_WORDS - lengths)
    spots, shortness = np.divmod(keys, MAX_NAME_WORDS + 1)
    reached = np.maximum.accumulate(np.concatenate([[0], spots + MAX_NAME_WORDS - shortness]))[:-1]
    topics, starts = np.divmod(spots[spots >= reached], places)
    return topics, starts


def findable(name: str, language: str) -> list[str]:
    """Stems of a name; none for one that would be found everywhere: a lone letter or stop word, or a number's unit.

    >>> findable("Corolla Verso", "en"), findable("C", "en"), findable("IT", "en"), findable("Area 51", "en")
    (['corolla', 'verso'], [], [], [])
    """
    words = words_of(name[:1000])
    if len(words) > MAX_NAME_WORDS or stop_words(language).issuperset(words):
        return []
    telling = [word for word in words if len(word) > 1]
    # Numbers are no words, so a name with one is only known by what remains.
    needed = 2 if any(character.isdigit() for character in name) else 1
    return stem_phrase(name[:1000], language) if len(telling) >= needed else []
