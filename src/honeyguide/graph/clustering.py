"""Clustering coefficients: the chance that two neighbors of a node are neighbors of each other.

A new page changes the coefficients of itself and of its neighbors alone, so a crawl recomputes just those.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from honeyguide.model import Floats, Ids

if TYPE_CHECKING:
    from scipy.sparse import csr_array

NOBODY = np.empty(0, dtype=np.int32)
Places = NDArray[np.int64]


def clustering(
    places: Places, members: Ids, size: int, first: Ids, second: Ids, clique: Ids = NOBODY
) -> Floats:
    """Of `size` groups of nodes the share of pairs that are joined; 0 for groups of less than two.

    Node `members[i]` belongs to group `places[i]`. Pairs are joined by the links `first[i] - second[i]`, of any
    direction and number, and all nodes of `clique` are joined to each other.

    >>> clustering(np.array([0, 0, 0]), np.array([7, 8, 9]), 1, np.array([7]), np.array([8])).round(3).tolist()
    [0.333]
    """
    nodes = np.unique(members)
    groups = _ones(places, np.searchsorted(nodes, members), (size, len(nodes)))
    joined = _joined(nodes, first, second, clique)
    pairs = np.asarray((groups @ joined).multiply(groups).sum(axis=1)).ravel() / 2
    counts = np.asarray(groups.sum(axis=1)).ravel()
    in_clique = np.asarray(groups @ np.isin(nodes, clique).astype(np.float64)).ravel()
    pairs += in_clique * (in_clique - 1) / 2
    shares: Floats = pairs / np.maximum(counts * (counts - 1) / 2, 1.0)
    return shares


def _joined(nodes: Ids, first: Ids, second: Ids, clique: Ids) -> csr_array:
    """Which of the nodes are joined, both ways; the clique is left out, as it would fill the matrix."""
    wanted = np.isin(first, nodes) & np.isin(second, nodes) & (first != second)
    if len(clique):
        wanted &= ~(np.isin(first, clique) & np.isin(second, clique))
    here, there = np.searchsorted(nodes, first[wanted]), np.searchsorted(nodes, second[wanted])
    return _ones(np.concatenate((here, there)), np.concatenate((there, here)), (len(nodes), len(nodes)))


def _ones(rows: Places, columns: Places, shape: tuple[int, int]) -> csr_array:
    """A matrix of ones, however often a place is named."""
    from scipy.sparse import csr_array

    matrix = csr_array((np.ones(len(rows)), (rows, columns)), shape=shape)
    matrix.sum_duplicates()
    matrix.data[:] = 1.0
    return matrix
