"""Two experts on which link next, and the trust in each: the weights a crawl starts from, and those it has learned.

What is learned from pages that were chosen may mislead: it is used as far as it has ordered those pages better than
the starting weights would have. Exponential weights over two experts (Hedge, Freund and Schapire 1997), where the loss
of a page is the share of recent pages that an expert had put on the wrong side of it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from honeyguide.model import Floats

RECENT = 64  # pages that a page is compared with
FULL_WEIGHT = 5.0  # sum of differences in outcome from which on a page counts as one
RATE = 1.0
LARGEST_LEAD = 30.0  # so that an expert who was right for long can be wrong again


@dataclass(frozen=True)
class Experts:
    """By how much the learned weights are ahead, and what both said of recent pages, with the outcomes."""

    lead: float
    own: float  # the part of the lead that this shard's pages gave; all of it in a crawl of one piece
    recent: NDArray[
        np.float64
    ]  # a row a page: by the starting weights, by the learned ones, how it turned out

    @classmethod
    def start(cls) -> Experts:
        """Nothing is known of either."""
        return cls(0.0, 0.0, np.empty((0, 3)))

    @classmethod
    def from_array(cls, array: NDArray[np.float64]) -> Experts:
        """What `to_array` has written down."""
        return cls(float(array[0, 0]), float(array[0, 1]), array[1:].copy())

    def to_array(self) -> NDArray[np.float64]:
        """Everything as one array."""
        return np.vstack(([self.lead, self.own, 0.0], self.recent))

    @property
    def trust(self) -> float:
        """In the learned weights, from 0 to 1; the rest is in the starting ones."""
        return float(1.0 / (1.0 + np.exp(-RATE * self.lead)))

    def right(self) -> tuple[float, float]:
        """The share of recent pages that turned out differently, by how much, that each has put in the right order.

        First that of the starting weights. Half of them, as by chance, where nothing is known.
        """
        gap = self.recent[:, None, 2] - self.recent[:, 2]
        differ = np.abs(gap).sum()
        if not differ:
            return 0.5, 0.5
        order = np.sign(gap)
        started, learned = (
            float((np.abs(gap) * (np.sign(said[:, None] - said) == order)).sum() / differ)
            for said in self.recent.T[:2]
        )
        return started, learned

    def beside(self, others: float) -> Experts:
        """The same with what the pages of other shards give to the lead.

        What is told to others stays as it is where the bound cuts the sum off: if every shard took back all that is
        too much, the sum would swing from bound to bound.
        """
        return replace(self, lead=_bounded(self.own + others))

    def judged(self, started: Floats, learned: Floats, outcomes: Floats) -> Experts:
        """The experts after some pages, by what each had said of them before."""
        known = np.vstack((self.recent, np.stack((started, learned, outcomes), axis=1)))
        first = len(self.recent)
        age = np.arange(first, len(known))[:, None] - np.arange(len(known))
        gap = np.where((age > 0) & (age <= RECENT), known[first:, None, 2] - known[:, 2], 0.0)
        weight = np.abs(gap).sum(axis=1)
        right = [
            (np.abs(gap) * (np.sign(gap) == np.sign(known[first:, None, own] - known[:, own]))).sum(axis=1)
            for own in (0, 1)
        ]
        lead = self.lead
        for ahead in ((right[1] - right[0]) / np.maximum(weight, FULL_WEIGHT)).tolist():
            lead = _bounded(lead + ahead)
        return Experts(lead, self.own + lead - self.lead, known[-RECENT:])


def _bounded(lead: float) -> float:
    return min(max(lead, -LARGEST_LEAD), LARGEST_LEAD)
