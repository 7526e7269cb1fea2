"""Sorting ids together with their places."""

import numpy as np

from honeyguide.state.ordering import stable_order


def test_equal_numbers_keep_their_order():
    random = np.random.default_rng(1)
    for most in (1, 5, 2**31):
        numbers = random.integers(0, most, 3_000).astype(np.int32)
        assert stable_order(numbers).tolist() == np.argsort(numbers, kind="stable").tolist()


def test_nothing_is_sorted():
    assert stable_order(np.empty(0, dtype=np.int32)).tolist() == []
