"""Expansion of a keyword topic: the words that its seeds or other examples share join those the user gave."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from honeyguide.topics.examples import Example
from honeyguide.topics.rarity import rarity_of_stem
from honeyguide.topics.text import common_language, count_stems, stem_words, words_of

WORDS = 40
SHARE_OF_EXAMPLES = 0.3
"""That must have a word; what only one page has may be anything."""


def expanded(text: str, examples: Sequence[Example], language: str = "", words: int = WORDS) -> str:
    """The topic's own words, twice, and after them the words its examples share and other pages lack.

    >>> bees = [Example("Honey bees in a hive"), Example("Bees make honey"), Example("A hive of bees")]
    >>> expanded("beekeeping", bees, language="en")
    'beekeeping beekeeping bees hive honey'
    """
    texts = [example.readable for example in examples]
    language = language or common_language([text, *texts]) or "en"
    forms = _forms(texts, language)
    return " ".join([text, text, *(forms[stem] for stem in _shared_stems(texts, language)[:words])])


def _shared_stems(texts: Sequence[str], language: str) -> list[str]:
    """Stems by their mean weight in the texts, each text a vector of unit length; greatest first."""
    stems, counts = count_stems(texts, language)
    rarity = np.array([rarity_of_stem(stem, language) for stem in stems])
    weights = (1.0 + np.log(counts.data)) * rarity[counts.indices]
    rows = np.repeat(np.arange(len(texts)), np.diff(counts.indptr))
    lengths = np.sqrt(np.bincount(rows, weights * weights, minlength=len(texts)))
    means = np.bincount(counts.indices, weights / lengths[rows], minlength=len(stems))
    frequency = np.bincount(counts.indices, minlength=len(stems))
    means[frequency < max(2.0, SHARE_OF_EXAMPLES * len(texts))] = 0.0
    return [stems[place] for place in np.argsort(-means, kind="stable").tolist() if means[place] > 0]


def _forms(texts: Sequence[str], language: str) -> dict[str, str]:
    """The most frequent word of each stem."""
    words = [word for word, _ in Counter(word for text in texts for word in words_of(text)).most_common()]
    forms: dict[str, str] = {}
    for stem, word in zip(stem_words(words, language), words, strict=True):
        forms.setdefault(stem, word)
    return forms
