"""A linear model of log-odds that starts from weights found elsewhere and learns from every outcome it is told.

On-line Bayesian logistic regression: the weights are normally distributed around their prior; each outcome moves them
by as much as is still uncertain (one step of Newton's method, as in a Kalman filter), so there is no learning rate.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

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

    def log_odds(self, features: NDArray[np.float64]) -> Floats:
        """How likely each row is to turn out well, as the logarithm of its odds."""
        scores: Floats = features @ self.weights
        return scores

    def learned(self, features: NDArray[np.float64], outcomes: Floats) -> LinkModel:
        """The model after some outcomes, each from 0 to 1, one after the other."""
        weights, covariance = self.weights, self.covariance
        for row, outcome in zip(features, outcomes.tolist(), strict=True):
            expected = 1.0 / (1.0 + np.exp(-(row @ weights)))
            variance = max(expected * (1.0 - expected), LEAST_VARIANCE)
            spread = covariance @ row
            damping = 1.0 + variance * (row @ spread)
            weights = weights + spread * ((outcome - expected) / damping)
            covariance = covariance - np.outer(spread, spread) * (variance / damping)
        return LinkModel(weights, covariance)
