"""Hierarchical naive Bayes on arrays: at each topic, which of its children a document belongs to.

    Pr[c|d] = Pr[parent|d] * Pr[c|d, parent]
    Pr[c|d, parent] ~ Pr[c|parent] * product over terms t of theta(c, t) ^ n(d, t)
    theta(c, t) = (n(c, t) + a(t)) / sum over the parent's features of (n(c, u) + a(u))

With a(t) = 1 this is Laplace's smoothing; a(t) may also follow how common a term is in the language.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from honeyguide.model import Bools, Floats, Ids

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Integers = NDArray[np.integer[Any]]


def subtree_counts(counts: csr_array, places: Ids, parents: Ids, wanted: Ids) -> csr_array:
    """Terms of all documents at or below each wanted topic: a row a topic."""
    from scipy.sparse import coo_array

    row_of = np.full(len(parents), -1, dtype=np.int32)
    row_of[wanted] = np.arange(len(wanted), dtype=np.int32)
    rows, documents = [], []
    above, below = places, np.arange(len(places), dtype=np.int32)
    while len(above):
        inside = row_of[above] >= 0
        rows.append(row_of[above[inside]])
        documents.append(below[inside])
        above = parents[above]
        below, above = below[above >= 0], above[above >= 0]
    row, document = np.concatenate([*rows, row_of[:0]]), np.concatenate([*documents, row_of[:0]])
    members = coo_array((np.ones(len(row)), (row, document)), shape=(len(wanted), len(places))).tocsr()
    summed: csr_array = members @ counts
    summed.sort_indices()
    return summed


def own_counts(counts: csr_array, places: Ids, topics: Ids) -> csr_array:
    """Terms of the documents right at each topic: a row a topic."""
    number = max(int(places.max(initial=0)), int(topics.max(initial=0))) + 1
    return subtree_counts(counts, places, np.full(number, -1, dtype=np.int32), topics)


def subtree_sizes(places: Ids, parents: Ids) -> Floats:
    """Number of documents at or below each topic."""
    sizes = np.zeros(len(parents))
    above = places
    while len(above):
        sizes += np.bincount(above, minlength=len(parents))
        above = parents[above]
        above = above[above >= 0]
    return sizes


def log_priors(sizes: Floats, parents: Ids) -> Floats:
    """Logarithms of Pr[c|parent], by the number of documents, one added to each. Topics without any cannot be chosen.

    Where no child of a topic has documents, all are equally likely.
    """
    below = parents >= 0
    documents = np.bincount(parents[below], sizes[below], minlength=len(parents))
    is_chosen = below & ((sizes > 0) | (documents[parents] == 0))
    smoothed = np.where(is_chosen, sizes + 1.0, 0.0)
    of_siblings = np.bincount(parents[below], smoothed[below], minlength=len(parents))
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(below, np.log(smoothed / of_siblings[parents]), 0.0)


@dataclass(frozen=True)
class Learned:
    """What tells topics from their siblings."""

    weights: csr_array  # a row a topic: ln(1 + n(c, t) / a(t)) for the features of its parent
    totals: Floats  # of each topic, ln of the sum in the denominator of theta
    features: csr_array  # a row a parent, in ascending order: 1 for the terms that tell its children apart


def train(counts: csr_array, parents: Ids, smoothing: Floats, max_features: int) -> Learned:
    """Learn from the term counts of topics, each there with all its siblings; `parents` has the parent of each row."""
    width = counts.shape[1]
    group = np.unique(parents, return_inverse=True)[1].astype(np.int64)
    groups = int(group.max(initial=-1)) + 1
    row = np.repeat(np.arange(len(parents)), np.diff(counts.indptr))
    cells, cell = np.unique(group[row] * width + counts.indices, return_inverse=True)
    is_feature = best_in_group(_gain(counts, row, group, cell, len(cells)), cells // width, max_features)
    kept, chosen = is_feature[cell], cells[is_feature]
    weights = np.log1p(counts.data[kept] / smoothing[counts.indices[kept]])
    totals: Floats = np.bincount(row[kept], counts.data[kept], minlength=len(parents)).astype(np.float64)
    totals += np.bincount(chosen // width, smoothing[chosen % width], minlength=groups)[group]
    return Learned(
        from_rows(weights, row[kept], counts.indices[kept], counts.shape),
        np.log(
            np.maximum(totals, np.finfo(np.float64).tiny)
        ),  # zero where a topic has no sibling to be told from
        from_rows(np.ones(len(chosen)), chosen // width, chosen % width, (groups, width)),
    )


def _gain(counts: csr_array, row: Integers, group: Integers, cell: Integers, cells: int) -> Floats:
    """How much each term says about which child of a topic a word comes from: its share of the mutual information."""
    of_row = np.bincount(row, counts.data, minlength=counts.shape[0])
    of_group = np.bincount(group, of_row)
    of_cell = np.bincount(cell, counts.data, minlength=cells)
    gain = np.bincount(cell, counts.data * np.log(counts.data / of_row[row]), minlength=cells)
    at = np.zeros(cells, dtype=np.int64)
    at[cell] = group[row]
    return np.asarray(gain - of_cell * np.log(of_cell / of_group[at]), dtype=np.float64)


def best_in_group(gain: Floats, group: Integers, number: int) -> Bools:
    """The entries of the highest gain in each group; those without any gain are none."""
    order = np.lexsort((-gain, group))
    ordered = group[order]
    rank = np.arange(len(order)) - np.searchsorted(ordered, ordered)
    best = np.zeros(len(gain), dtype=np.bool_)
    best[order] = rank < number
    return best & (gain > 1e-9)


def from_rows(values: Floats, rows: Integers, columns: Integers, shape: tuple[int, int]) -> csr_array:
    """A sparse matrix from entries that come row by row."""
    from scipy.sparse import csr_array

    starts = np.searchsorted(rows, np.arange(shape[0] + 1))
    return csr_array((values, columns.astype(np.int32), starts.astype(np.int32)), shape=shape)


class Classifier:
    """The tree as it judges documents."""

    def __init__(self, parents: Ids, depths: Ids, learned: Learned, priors: Floats) -> None:
        self._parents = parents
        self._totals = learned.totals
        self._priors = priors
        # Documents are rows, so that a product with these walks along the terms of one document.
        self._weights = learned.weights.T.tocsr()
        self._features = learned.features.T.tocsr()
        order = np.lexsort((parents, depths))
        self._levels = [order[depths[order] == depth] for depth in range(1, int(depths.max()) + 1)]
        self._starts = [np.flatnonzero(np.diff(parents[level], prepend=-1)) for level in self._levels]

    def log_probabilities(self, counts: csr_array, words: float = np.inf) -> Floats:
        """Logarithms of Pr[c|d]: a row a document, a column a topic.

        Evidence of documents with more than `words` known words is scaled down to so many.
        """
        evidence = (counts @ self._weights).toarray()
        length = (counts @ self._features).toarray()
        result = np.zeros(evidence.shape)
        for level, starts in zip(self._levels, self._starts, strict=True):
            above = self._parents[level]
            used = length[:, above]
            score = evidence[:, level] - used * self._totals[level]
            score = score * np.minimum(1.0, words / np.maximum(used, 1.0)) + self._priors[level]
            result[:, level] = result[:, above] + _log_shares(score, starts)
        return result

    def gains(self, counts: csr_array, topic: int, words: float) -> Floats:
        """What each term of one document adds to the logarithm of the odds of a topic against its siblings."""
        above = self._parents[topic]
        siblings = np.flatnonzero(self._parents == above)
        used = float((counts @ self._features[:, [above]]).sum())
        weights = self._weights[counts.indices][:, siblings].toarray() - self._totals[siblings]
        weights *= self._features[counts.indices][:, [above]].toarray()
        share = np.exp(self.log_probabilities(counts, words)[0, siblings])
        share[siblings == topic] = 0.0
        against = weights @ (share / share.sum()) if share.sum() > 0 else 0.0
        gain: Floats = counts.data * (weights[:, siblings == topic].ravel() - against)
        return gain * min(1.0, words / max(used, 1.0))


def _log_shares(score: Floats, starts: Integers) -> Floats:
    """Logarithm of each score's share among its neighbors up to the next start."""
    sizes = np.diff(starts, append=score.shape[1])
    score = score - np.repeat(np.maximum.reduceat(score, starts, axis=1), sizes, axis=1)
    total = np.log(np.add.reduceat(np.exp(score), starts, axis=1))
    shares: Floats = score - np.repeat(total, sizes, axis=1)
    return shares
