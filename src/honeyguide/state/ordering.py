"""Sorting small whole numbers: what opening a crawl, and every batch of links, would else spend its time on."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from honeyguide.model import Bools, Ids, Places

_PLACE_BITS = 32
_PLACE = (1 << _PLACE_BITS) - 1


def stable_order(numbers: Ids) -> NDArray[np.int64]:
    """As `np.argsort(numbers, kind="stable")` of ids, in less than half the time: number and place sort as one.

    >>> stable_order(np.array([7, 3, 7, 0], dtype=np.int32)).tolist()
    [3, 1, 0, 2]
    """
    both = numbers.astype(np.int64)
    both <<= _PLACE_BITS
    both |= np.arange(len(numbers))
    both.sort()
    both &= _PLACE
    return both


def distinct(numbers: Ids) -> Ids:
    """As `np.unique(numbers)` of some thousand numbers, which hashes them, in a tenth of the time.

    >>> distinct(np.array([7, 3, 7], dtype=np.int32)).tolist()
    [3, 7]
    """
    in_order = np.sort(numbers)
    return in_order[_is_first(in_order)]


def grouped(numbers: Ids) -> tuple[Ids, Places]:
    """As `np.unique(numbers, return_inverse=True)` of so many, in half the time.

    >>> [found.tolist() for found in grouped(np.array([7, 3, 7], dtype=np.int32))]
    [[3, 7], [1, 0, 1]]
    """
    order = stable_order(numbers)
    in_order = numbers[order]
    is_first = _is_first(in_order)
    group = np.empty(len(order), dtype=np.int64)
    group[order] = np.cumsum(is_first) - 1
    return in_order[is_first], group


def is_among(numbers: Ids, some: Ids) -> Bools:
    """As `np.isin(numbers, some)`, likewise.

    >>> is_among(np.array([7, 3, 9], dtype=np.int32), np.array([9, 7], dtype=np.int32)).tolist()
    [True, False, True]
    """
    if not len(some):
        return np.zeros(len(numbers), dtype=np.bool_)
    in_order = np.sort(some)
    found: Bools = in_order.take(np.searchsorted(in_order, numbers), mode="clip") == numbers
    return found


def _is_first(in_order: Ids) -> Bools:
    is_first = np.ones(len(in_order), dtype=np.bool_)
    np.not_equal(in_order[1:], in_order[:-1], out=is_first[1:])
    return is_first
