"""How often each number occurs in each row, as a sparse matrix. Called by `StemTable` for the stems of texts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from honeyguide.model import Floats, Ids, Places

if TYPE_CHECKING:
    from scipy.sparse import csr_array

_MOST_CELLS = 8
"""For each number: a table of so many cells is gone through in less time than the numbers are sorted."""


COUNTS = "counts", "count_terms", "count_starts"
"""Names of the arrays that such a matrix is kept as."""


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


def read_counts(arrays: Mapping[str, NDArray[Any]], rows: int, columns: int) -> csr_array:
    """Such a matrix out of its arrays, which may come from a damaged or hostile file.

    Raises KeyError, TypeError or ValueError where they make no sense: scipy itself checks little of what it is given.
    """
    from scipy.sparse import csr_array

    counts, terms, starts = (arrays[name] for name in COUNTS)
    for array in (counts, terms, starts):
        if array.ndim != 1 or array.dtype.kind not in "iu":
            raise ValueError("counts do not consist of whole numbers")
    starts = starts.astype(np.int64)
    if len(starts) != rows + 1 or starts[0] != 0 or (np.diff(starts) < 0).any() or starts[-1] != len(counts):
        raise ValueError("counts are not divided among the documents")
    if len(terms) != len(counts) or (len(counts) and not 0 <= terms.min() <= terms.max() < columns):
        raise ValueError("something is counted that has no name")
    if (counts < 1).any():
        raise ValueError("something is counted less than once")
    made = csr_array((counts.astype(np.float64), terms.astype(np.int32), starts), shape=(rows, columns))
    made.sum_duplicates()
    return made
