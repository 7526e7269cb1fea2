"""The seen-set against a dictionary."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from honeyguide.state.seen import SeenSet

FINGERPRINTS = st.lists(st.integers(0, 2**64 - 1), unique=True, max_size=200)


@given(st.lists(FINGERPRINTS, max_size=5), FINGERPRINTS)
def test_finds_what_was_added_and_nothing_else(batches, others):
    seen, known, column = SeenSet(), {}, np.empty(0, dtype=np.uint64)
    for batch in batches:
        new = [print_ for print_ in batch if print_ not in known]
        ids = np.arange(len(known), len(known) + len(new), dtype=np.int32)
        known.update(zip(new, ids.tolist(), strict=True))
        column = np.concatenate((column, np.array(new, dtype=np.uint64)))
        seen.add(ids, column)
    asked = [*known, *others]
    expected = [known.get(print_, -1) for print_ in asked]
    assert seen.find(np.array(asked, dtype=np.uint64), column).tolist() == expected


def test_grows_far_beyond_its_first_size():
    column = np.arange(100_000, dtype=np.uint64) * np.uint64(2654435761)
    seen = SeenSet()
    for start in range(0, len(column), 7_000):
        seen.add(np.arange(start, min(start + 7_000, len(column)), dtype=np.int32), column)
    assert (seen.find(column, column) == np.arange(len(column))).all()
    assert (seen.find(column + np.uint64(1), column) == -1).all()
