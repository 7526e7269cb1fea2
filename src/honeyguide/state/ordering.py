"""Sorting small whole numbers: what opening a crawl, and every batch of links, would else spend its time on."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from honeyguide.model import Ids

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
