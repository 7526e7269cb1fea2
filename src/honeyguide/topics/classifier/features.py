"""Texts as vectors: TF-IDF weights of the stems that tell the classes apart best, by chi-squared.

`w = tf * ln(|E| / df)` over the examples E is the published weight. By default tf is damped to `1 + ln tf` and the
vector of all known stems scaled to unit length before the best are taken: both make long and short pages alike. And
rarity is `1 + ln((|N| + 1) / (df + 1))` over the negative examples N alone: what pages on the topic share is not common
for that. As nothing weighs less than 1, stems that one page happens to have do not outweigh all others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from honeyguide.model import Bools, Floats
from honeyguide.topics.text import Vocabulary

if TYPE_CHECKING:
    from scipy.sparse import csr_array

DAMPED, RAW = "damped", "raw"
WEIGHTINGS = (DAMPED, RAW)


@dataclass(frozen=True)
class Features:
    """What a model looks at in a text: the first `selected` stems of its vocabulary; the rest count for the length."""

    vocabulary: Vocabulary
    idf: Floats
    selected: int
    weighting: str = DAMPED

    def vectors(self, texts: Sequence[str]) -> csr_array:
        """A row a text, a column a selected stem."""
        return self.weighed(self.vocabulary.counts(texts))

    def weighed(self, counts: csr_array) -> csr_array:
        """The same of texts whose stems were counted."""
        return weigh(counts, self.idf, self.selected, self.weighting)


def weigh(counts: csr_array, idf: Floats, selected: int, weighting: str) -> csr_array:
    """Vectors of texts from counts of their stems."""
    from scipy.sparse import csr_array

    if weighting == RAW:
        weights = counts.data * idf[counts.indices]
    else:
        weights = (1.0 + np.log(counts.data)) * idf[counts.indices]
        rows = rows_of(counts)
        lengths = np.sqrt(np.bincount(rows, weights * weights, minlength=counts.shape[0]))
        weights /= np.where(lengths > 0, lengths, 1.0)[rows]
    return csr_array((weights, counts.indices, counts.indptr), shape=counts.shape)[:, :selected]


def rows_of(matrix: csr_array) -> NDArray[np.int64]:
    """The row of each entry."""
    return np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))


def choose_stems(
    counts: csr_array, is_positive: Bools, best: int, weighting: str = DAMPED
) -> tuple[NDArray[np.int64], Floats]:
    """Columns of the stems to look at, the `best` ones first, and their idf; stems no example has are left out."""
    frequency = np.bincount(counts.indices, minlength=counts.shape[1])
    order = np.argsort(-_chi_squared(counts, is_positive, frequency), kind="stable")
    columns = order[frequency[order] > 0]
    columns = np.concatenate((np.sort(columns[:best]), np.sort(columns[best:])))
    if weighting == RAW:
        return columns, np.log(counts.shape[0] / frequency[columns])
    negatives = counts[~is_positive]
    among_negatives = np.bincount(negatives.indices, minlength=counts.shape[1])[columns]
    return columns, 1.0 + np.log((negatives.shape[0] + 1) / (among_negatives + 1))


def _chi_squared(counts: csr_array, is_positive: Bools, frequency: NDArray[np.int64]) -> Floats:
    """How much more often each stem occurs in texts of one class than by chance: 2 x 2 table, one degree of freedom."""
    total, positives = counts.shape[0], int(is_positive.sum())
    inside = np.bincount(counts.indices, is_positive[rows_of(counts)], minlength=counts.shape[1])
    expected = frequency * positives / total
    spread = expected * (1.0 - positives / total) * (1.0 - frequency / total)
    return np.where(spread > 0, (inside - expected) ** 2 / np.where(spread > 0, spread, 1.0), 0.0)
