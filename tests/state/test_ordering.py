"""Sorting ids together with their places."""

import numpy as np

from honeyguide.state.ordering import distinct, grouped, is_among, stable_order


def test_equal_numbers_keep_their_order():
    random = np.random.default_rng(1)
    for most in (1, 5, 2**31):
        numbers = random.integers(0, most, 3_000).astype(np.int32)
        assert stable_order(numbers).tolist() == np.argsort(numbers, kind="stable").tolist()


def test_nothing_is_sorted():
    assert stable_order(np.empty(0, dtype=np.int32)).tolist() == []


def test_what_is_sorted_out_is_as_numpy_has_it():
    random = np.random.default_rng(2)
    for count in (0, 1, 7, 3_000):
        numbers, some = (random.integers(0, 1_500, many).astype(np.int32) for many in (count, count // 3))
        ids, group = np.unique(numbers, return_inverse=True)
        assert distinct(numbers).tolist() == ids.tolist()
        assert [found.tolist() for found in grouped(numbers)] == [ids.tolist(), group.tolist()]
        assert is_among(numbers, some).tolist() == np.isin(numbers, some).tolist()
