"""What a shard tells the others of its queue: the priorities at a few ranks, so that all together find one order.

Ranks and not bins of priorities: what a strategy calls high is its own affair, and changes as a crawl goes on.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from honeyguide.model import Floats

DEEPEST = 1 << 14
"""The last rank but that of the whole queue: no shard is given so many pages at a time."""

Ladder = NDArray[np.float64]
"""A row for each rank: the rank, and the priority of the url that stands there. None where nothing waits."""

_STEPS = np.unique(np.round(2.0 ** (np.arange(2 * 14 + 1) / 2)).astype(np.int64))


def ladder(priorities: Floats) -> Ladder:
    """Of a queue in any order. Only its best are sorted, so a long one costs one look at each.

    >>> ladder(np.array([0.5, 0.1, 0.9, 0.2, 0.7, 0.3, 0.4])).tolist()
    [[1.0, 0.9], [2.0, 0.7], [3.0, 0.5], [4.0, 0.4], [6.0, 0.2], [7.0, 0.1]]
    """
    waiting = len(priorities)
    if not waiting:
        return np.empty((0, 2))
    falling = -np.asarray(priorities, dtype=np.float64)
    best = falling if waiting <= DEEPEST else np.partition(falling, DEEPEST - 1)[:DEEPEST]
    ranks = np.append(_STEPS[waiting > _STEPS], waiting)
    stands = np.append(np.sort(best)[ranks[:-1] - 1], falling.max())
    return np.stack((ranks, -stands), axis=1)
