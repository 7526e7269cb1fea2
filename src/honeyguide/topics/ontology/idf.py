"""How rare it is that a page mentions a topic: log10(pages / pages with it), frozen or counted while judging."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from honeyguide.model import Floats
from honeyguide.topics.ontology.matching import Mentions, Numbers
from honeyguide.topics.rarity import rarity_of_stem

_UNHEARD_OF = "\x00\x00"
"""In no list of words, so as rare as a word can be."""


def background_idf(names: Sequence[Sequence[Sequence[str]]], language: str) -> Floats:
    """For each topic, by its stemmed names, an estimate from how rare their words are in texts at large."""
    return np.array([_of_topic(stemmed, language) for stemmed in names], dtype=np.float64)


def _of_topic(names: Sequence[Sequence[str]], language: str) -> float:
    share = sum(math.exp(-_rarity(name, language)) for name in names)
    return max(0.0, -math.log10(min(1.0, share))) if share > 0 else 0.0


def _rarity(name: Sequence[str], language: str) -> float:
    """A phrase is rarer than its rarest word, but less so than if its words met by chance: halfway between."""
    words = [rarity_of_stem(stem, language) for stem in name]
    rarest = rarity_of_stem(_UNHEARD_OF, language)
    return min(rarest, (max(words) + sum(words)) / 2)


class RunningIdf:
    """Counts pages as they are judged, as in the thesis: the number of a page depends on the pages before it."""

    def __init__(self, topics: int) -> None:
        self._pages = 0
        self._frequency: Numbers = np.zeros(topics, dtype=np.int64)

    def of_next_pages(self, mentions: Mentions, texts: int) -> Floats:
        """The idf of every mention, each page counted before it is judged."""
        earlier = self._frequency[mentions.topics] + _so_far(mentions.topics)
        self._frequency += np.bincount(mentions.topics, minlength=len(self._frequency))
        pages = self._pages + 1 + mentions.texts
        self._pages += texts
        return np.log10(pages / (earlier + 1))

    def of_one_more_page(self, mentions: Mentions) -> Floats:
        """The idf of the mentions of a page if it came next; nothing is counted."""
        return np.log10((self._pages + 1) / (self._frequency[mentions.topics] + 1))


def _so_far(topics: Numbers) -> Numbers:
    """For each mention, how many earlier ones in the batch are of the same topic."""
    order = np.argsort(topics, kind="stable")
    ordered = topics[order]
    first = np.searchsorted(ordered, ordered, side="left")
    counts = np.empty(len(topics), dtype=np.int64)
    counts[order] = np.arange(len(topics)) - first
    return counts
