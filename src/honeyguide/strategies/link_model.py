"""A linear model of log-odds that starts from weights found elsewhere and learns from every outcome it is told.

On-line Bayesian logistic regression: the weights are normally distributed around their prior; each outcome moves them
by as much as is still uncertain (one step of Newton's method, as in a Kalman filter), so there is no learning rate.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from honeyguide.model import Floats

LEAST_VARIANCE = 0.01
"""Of an outcome that the model is sure of; keeps one surprise from turning everything over."""


@dataclass(frozen=True)
class LinkModel:
    """What is known of the weights so far."""

    weights: Floats
    covariance: NDArray[np.float64]

    @classmethod
    def start(cls, weights: Sequence[float] | Floats, precisions: Sequence[float]) -> LinkModel:
        """Weights to start from, and how much is trusted in each; infinitely much: it never changes."""
        return cls(np.array(weights, dtype=np.float64), np.diag(1.0 / np.array(precisions)))

    @classmethod
    def from_array(cls, array: NDArray[np.float64]) -> LinkModel:
        """The model that `to_array` has written down."""
        return cls(array[0].copy(), array[1:].copy())

    def to_array(self) -> NDArray[np.float64]:
        """Everything as one array."""
        return np.vstack((self.weights, self.covariance))

    def to_information(self) -> NDArray[np.float64]:
        """What was learned as sums: the information vector above the precision matrix, which outcomes only add to.

        Weights that never change have none. The matrix is exactly symmetric: shards subtract from the sum of all what
        they know of others, and would each add the others' rounding errors to their own, times the number of shards.
        """
        free = _free(self.covariance)
        told = np.zeros((len(self.weights) + 1, len(self.weights)))
        precision = _mirrored(np.linalg.inv(self.covariance[np.ix_(free, free)]))
        told[0, free] = precision @ self.weights[free]
        told[np.ix_(1 + free, free)] = precision
        return told

    def with_information(self, told: NDArray[np.float64]) -> LinkModel:
        """The model that these sums give; what never changes stays as it is here."""
        free = _free(self.covariance)
        weights, covariance = self.weights.copy(), np.zeros_like(self.covariance)
        own = np.linalg.inv(_mirrored(told[np.ix_(1 + free, free)]))
        weights[free] = own @ told[0, free]
        covariance[np.ix_(free, free)] = own
        return LinkModel(weights, covariance)

    def log_odds(self, features: NDArray[np.float64]) -> Floats:
        """How likely each row is to turn out well, as the logarithm of its odds."""
        scores: Floats = features @ self.weights
        return scores

    def learned(
        self, features: NDArray[np.float64], outcomes: Floats, beside: Floats | None = None
    ) -> LinkModel:
        """The model after some outcomes, each from 0 to 1, one after the other.

        `beside` are log-odds that each has apart from its features, which nothing is learned of.
        """
        weights, covariance = self.weights, self.covariance
        beside = np.zeros(len(outcomes)) if beside is None else beside
        for row, outcome, apart in zip(features, outcomes.tolist(), beside.tolist(), strict=True):
            expected = 1.0 / (1.0 + np.exp(-(row @ weights + apart)))
            variance = max(expected * (1.0 - expected), LEAST_VARIANCE)
            spread = covariance @ row
            damping = 1.0 + variance * (row @ spread)
            weights = weights + spread * ((outcome - expected) / damping)
            covariance = covariance - np.outer(spread, spread) * (variance / damping)
        return LinkModel(weights, covariance)


def _mirrored(matrix: NDArray[np.floating[Any]]) -> NDArray[np.float64]:
    """Without the rounding errors that make a symmetric matrix another."""
    return np.asarray((matrix + matrix.T) / 2, dtype=np.float64)


def _free(covariance: NDArray[np.float64]) -> NDArray[np.int64]:
    """Weights that may change."""
    return np.flatnonzero(np.diag(covariance) > 0)
