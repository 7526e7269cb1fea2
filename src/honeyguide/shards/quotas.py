"""How many pages each shard may fetch next, so that all together fetch the best of all queues.

Everybody computes the same from the same ladders: nobody has to be asked.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from honeyguide.model import Floats
from honeyguide.shards.ladder import Ladder


def quotas(ladders: Sequence[Ladder], capacity: int) -> NDArray[np.int64]:
    """Pages for each shard out of so many: what stands above the priority that as many urls of all queues have.

    >>> best, worse, empty = np.array([[1, 0.9], [2, 0.8], [3, 0.2]]), np.array([[1, 0.5], [2, 0.4]]), np.empty((0, 2))
    >>> quotas([best, worse, empty], 3).tolist(), quotas([best, worse, empty], 9).tolist()
    ([2, 1, 0], [3, 2, 0])
    """
    waiting = np.array([own[-1, 0] if len(own) else 0.0 for own in ladders])
    if capacity >= waiting.sum():
        return waiting.astype(np.int64)
    rungs = _Rungs(ladders)
    thresholds = -np.unique(-np.concatenate([own[:, 1] for own in ladders]))
    first, last = 0, len(thresholds) - 1
    while first < last:  # the best threshold that enough urls reach
        middle = (first + last) // 2
        first, last = (
            (first, middle) if rungs.reaching(thresholds[middle]).sum() >= capacity else (middle + 1, last)
        )
    # Up to there counts rise from threshold to threshold, and at each of them by what stands exactly there.
    before = rungs.reaching(thresholds[last - 1]) if last else np.zeros(len(waiting))
    above, reaching = rungs.above(thresholds[last]), rungs.reaching(thresholds[last])
    way = (before, above) if above.sum() >= capacity else (above, reaching)
    return _whole(_between(*way, capacity), capacity)


class _Rungs:
    """All ladders side by side; between two rungs urls are spread evenly over the priorities."""

    def __init__(self, ladders: Sequence[Ladder]) -> None:
        size = max(map(len, ladders)) + 1  # with a last rung that nothing reaches
        self._ranks, self._priorities = np.zeros((len(ladders), size)), np.full((len(ladders), size), -np.inf)
        for row, own in enumerate(ladders):
            self._ranks[row, : len(own)], self._priorities[row, : len(own)] = own.T
            self._ranks[row, len(own) :] = own[-1, 0] + 1 if len(own) else 1

    def reaching(self, threshold: float) -> Floats:
        """How many urls of each queue have at least this priority."""
        return self._counted(np.count_nonzero(self._priorities >= threshold, axis=1), threshold)

    def above(self, threshold: float) -> Floats:
        """How many have more."""
        return self._counted(np.count_nonzero(self._priorities > threshold, axis=1), threshold)

    def _counted(self, passed: NDArray[np.int64], threshold: float) -> Floats:
        row, upper = np.arange(len(passed)), np.maximum(passed - 1, 0)
        rank, high = self._ranks[row, upper], self._priorities[row, upper]
        low = self._priorities[row, passed]
        with np.errstate(all="ignore"):  # what is no number is where nothing lies between two rungs
            share = np.nan_to_num((high - threshold) / (high - low), posinf=0.0, neginf=0.0)
        counted: Floats = rank + np.clip(share, 0.0, 1.0) * (self._ranks[row, passed] - 1 - rank)
        return np.where(passed > 0, counted, 0.0)


def _between(few: Floats, many: Floats, capacity: int) -> Floats:
    """So many in all, on the straight way from a few of each queue to many."""
    missing, all_of_it = capacity - few.sum(), (many - few).sum()
    shares: Floats = few + (many - few) * (missing / all_of_it if all_of_it > 0 else 0.0)
    return shares


def _whole(shares: Floats, capacity: int) -> NDArray[np.int64]:
    """Whole pages: what is left over goes to the largest remainders, of equal ones to the first shards."""
    pages = np.floor(np.round(shares, 6)).astype(np.int64)
    missing = capacity - int(pages.sum())
    pages[np.argsort(pages - np.round(shares, 6), kind="stable")[:missing]] += 1
    return pages
