"""Counts are what scipy makes of the same numbers, by whichever way they were counted."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from honeyguide.topics.counting import counted

rows_of_numbers = st.lists(st.lists(st.integers(0, 4), max_size=12), max_size=6)


@given(rows_of_numbers, st.sampled_from([5, 500]))  # few cells for each number, or many
def test_counts_are_those_of_scipy(rows: list[list[int]], columns: int) -> None:
    numbers = np.array([number for row in rows for number in row], dtype=np.int32)
    lengths = np.array([len(row) for row in rows], dtype=np.int64)
    ends = np.concatenate(([0], np.cumsum(lengths)))
    expected = csr_array((np.ones(len(numbers)), numbers.copy(), ends), shape=(len(rows), columns))
    expected.sum_duplicates()
    found = counted(numbers.copy(), lengths, columns)
    assert found.shape == expected.shape
    for name, dtype in (("data", np.float64), ("indices", np.int32), ("indptr", np.int32)):
        assert getattr(found, name).dtype == dtype
        assert getattr(found, name).tolist() == getattr(expected, name).tolist()
