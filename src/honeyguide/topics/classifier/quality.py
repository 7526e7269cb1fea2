"""How good a classifier is, told from probabilities it gave to examples it had not seen."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from honeyguide.model import Bools, Floats


@dataclass(frozen=True, slots=True)
class Quality:
    """Of the examples called relevant, how many are (precision); of the relevant, how many are called so (recall)."""

    precision: float
    recall: float
    f1: float
    auc: float  # chance that a relevant example gets a greater number than another one
    brier: float  # mean squared error of the probabilities; 0 is perfect, 0.25 is "one half" for all


def quality(probabilities: Floats, is_positive: Bools) -> Quality:
    """Measure, with a page called relevant from one half on.

    >>> found = quality(np.array([0.9, 0.4, 0.6, 0.1]), np.array([True, True, False, False]))
    >>> found.precision, found.recall, found.f1, found.auc, round(found.brier, 3)
    (0.5, 0.5, 0.5, 0.75, 0.185)
    """
    called = probabilities >= 0.5
    hits, called_number, positives = (
        int((called & is_positive).sum()),
        int(called.sum()),
        int(is_positive.sum()),
    )
    precision, recall = hits / max(1, called_number), hits / max(1, positives)
    return Quality(
        precision,
        recall,
        2 * hits / max(1, called_number + positives),
        area_under_curve(probabilities, is_positive),
        float(np.mean((probabilities - is_positive) ** 2)),
    )


def area_under_curve(scores: Floats, is_positive: Bools) -> float:
    """Share of the pairs that are in order; equal ones count half."""
    others = np.sort(scores[~is_positive])
    relevant = scores[is_positive]
    below, up_to = np.searchsorted(others, relevant, "left"), np.searchsorted(others, relevant, "right")
    pairs = len(others) * len(relevant)
    return float((below + up_to).sum()) / (2 * pairs) if pairs else 0.5
