"""Portraits: a topic reduced to the words it uses far more often than the language does.

A few example pages against lists of words would win every page by their ordinary words alone; as portraits, topics
learned from pages and topics given as words are of one kind and weight.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from honeyguide.model import Floats, Ids
from honeyguide.topics.rarity import WORDS_PER_PAGE, rarity_of_stem
from honeyguide.topics.taxonomy.documents import Documents
from honeyguide.topics.taxonomy.model import best_in_group, from_rows, own_counts

if TYPE_CHECKING:
    from scipy.sparse import csr_array

WORDS = 200
MASS = 100.0
"""What the words of a portrait count together; F1 over topics of a few examples changes little around it."""
MIN_RATIO = 8.0
SHORTEST = 3  # "th", "km" and "ii" are everywhere and on no list of words


def damped(counts: csr_array) -> csr_array:
    """Counts in which a word that is repeated says little more."""
    from scipy.sparse import csr_array

    return csr_array((np.log1p(counts.data), counts.indices, counts.indptr), shape=counts.shape)


def portraits(documents: Documents, topics: Ids) -> csr_array:
    """A row for each topic: the WORDS most distinctive terms of its own documents, together MASS."""
    counts, occurs, weights = (
        own_counts(matrix, documents.places, topics)
        for matrix in (documents.counts, _ones(documents.counts), damped(documents.counts))
    )
    row = np.repeat(np.arange(len(topics)), np.diff(counts.indptr))
    expected = background(documents)[counts.indices] * np.bincount(row, counts.data)[row]
    score = counts.data * np.log(counts.data / expected) - (counts.data - expected)
    # A word of one page among several is that page's own.
    sizes = np.bincount(documents.places, minlength=int(topics.max(initial=0)) + 1)[topics]
    is_shared = (occurs.data >= 2) | (sizes[row] < 3)
    score[(counts.data < MIN_RATIO * expected) | ~is_shared] = 0.0
    kept = best_in_group(score, row, WORDS)
    total = np.bincount(row[kept], weights.data[kept], minlength=len(topics))[row[kept]]
    return from_rows(weights.data[kept] * MASS / total, row[kept], counts.indices[kept], counts.shape)


def _ones(counts: csr_array) -> csr_array:
    from scipy.sparse import csr_array

    return csr_array((np.ones(counts.nnz), counts.indices, counts.indptr), shape=counts.shape)


def background(documents: Documents) -> Floats:
    """Which share of all words each stem has in the language; all of them where it can tell nothing."""
    rarity = np.array([rarity_of_stem(stem, documents.language) for stem in documents.stems])
    rarity[[len(stem) < SHORTEST and stem.isascii() for stem in documents.stems]] = 0.0
    tells = rarity > 0
    share = np.ones(len(rarity))
    share[tells] = -np.log1p(-np.exp(-rarity[tells])) / WORDS_PER_PAGE
    return share
