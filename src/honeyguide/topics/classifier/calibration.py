"""From scores to probabilities: a sigmoid fitted to scores of examples the model had not seen (Platt)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from honeyguide.model import Bools, Floats

LEAST_SLOPE = 1e-6
RECALL_WANTED = 0.7


def sigmoid(values: Floats) -> Floats:
    """1 / (1 + e^-x), without overflow."""
    result: Floats = np.exp(-np.logaddexp(0.0, -values))
    return result


@dataclass(frozen=True, slots=True)
class Calibration:
    """Probability = sigmoid(slope * score + intercept)."""

    slope: float
    intercept: float

    def probabilities(self, scores: Floats) -> Floats:
        """Of being on the topic."""
        return sigmoid(self.slope * scores + self.intercept)

    def starting_at(self, threshold: float) -> Calibration:
        """The same slope, with a probability of one half at another score."""
        return Calibration(self.slope, -self.slope * threshold)


def calibrate(scores: Floats, is_positive: Bools) -> Calibration:
    """Fit by maximum likelihood, with targets a little inside 0 and 1 so that few examples do not make it certain."""
    from scipy.optimize import minimize  # slow to import, and only training needs it

    positives = int(is_positive.sum())
    negatives = len(is_positive) - positives
    high, low = (positives + 1) / (positives + 2), 1 / (negatives + 2)
    targets = np.where(is_positive, high, low)
    spread = float(scores.std()) or 1.0
    center = float(scores.mean())
    standard = (scores - center) / spread

    def loss(parameters: Floats) -> tuple[float, Floats]:
        raw = parameters[0] * standard + parameters[1]
        error = sigmoid(raw) - targets
        value = float(np.logaddexp(0, raw).sum() - (targets * raw).sum())
        return value, np.array([(error * standard).sum(), error.sum()])

    start = np.array([1.0, np.log(positives / negatives)])
    found = minimize(loss, start, jac=True, bounds=[(LEAST_SLOPE, None), (None, None)]).x
    slope = float(found[0]) / spread
    return Calibration(slope, float(found[1]) - slope * center)


def threshold_by_positives(scores: Floats) -> float:
    """The score that RECALL_WANTED of the positive examples reach: where to draw the line without real negatives."""
    return float(np.quantile(scores, 1.0 - RECALL_WANTED))
