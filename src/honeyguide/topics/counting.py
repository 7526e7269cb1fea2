"""How often each number occurs in each row, as a sparse matrix. Called by `StemTable` for the stems of texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from honeyguide.model import Floats, Ids, Places

if TYPE_CHECKING:
    from scipy.sparse import csr_array

_MOST_CELLS = 8
"""For each number: a table of so many cells is gone through in less time than the numbers are sorted."""


def counted(numbers: Ids, lengths: Places, columns: int) -> csr_array:
    """Rows of so many numbers each; the numbers, which come row after row, are columns. In order, each once.

    >>> counted(np.array([2, 0, 2, 1]), np.array([3, 0, 1]), 3).toarray().tolist()
    [[1.0, 0.0, 2.0], [0.0, 0.0, 0.0], [0.0, 1.0, 0.0]]
    """
    from scipy.sparse import csr_array  # slow to import, and a keyword topic never counts

    rows = len(lengths)
    if rows * columns <= _MOST_CELLS * len(numbers):
        return csr_array(_counted_in_table(numbers, lengths, columns), shape=(rows, columns))
    ends = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(lengths))).astype(np.int32)
    counts = csr_array((np.ones(len(numbers)), numbers, ends), shape=(rows, columns))
    counts.sum_duplicates()
    return counts


def _counted_in_table(numbers: Ids, lengths: Places, columns: int) -> tuple[Floats, Ids, Ids]:
    """What such a matrix is made of: of texts, whose words are many for the stems of a topic."""
    firsts = np.arange(len(lengths) + 1) * columns  # cells of the rows
    table = np.bincount(np.repeat(firsts[:-1], lengths) + numbers)
    cells = np.flatnonzero(table)
    ends = np.searchsorted(cells, firsts)
    places = cells - np.repeat(firsts[:-1], np.diff(ends))
    return table[cells].astype(np.float64), places.astype(np.int32), ends.astype(np.int32)
