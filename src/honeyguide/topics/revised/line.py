"""Where a revision is least sure, by labels that were held out: there it asks on, and from there pages are relevant."""

from __future__ import annotations

import numpy as np

from honeyguide.model import Bools, Floats
from honeyguide.topics.classifier.calibration import sigmoid

STEEPNESS = 2.0
"""Log-odds that a page is relevant rise by this much with each standard deviation, as far as labels place the line."""
LEAST_WIDTH = 0.3
"""Standard deviation of log-odds where the first topic says nearly the same of all pages."""


def find_doubt(held_out: Floats, is_relevant: Bools, usual: Floats) -> tuple[float, float]:
    """Where labels are as likely good as bad, in log-odds, and what they have against the model, as a loss.

    Both by a logistic regression on it in which this place alone is free: it may be anywhere, as how few pages are
    relevant says nothing of how well a model orders them.
    """
    from scipy.optimize import brentq  # slow to import, and only training needs it

    width, expected = max(float(usual.std()), LEAST_WIDTH), float(usual.mean())
    places = (held_out - expected) / width

    def slope(at: float) -> float:
        """Of the loss; the place is doubted by one width."""
        surplus = sigmoid(STEEPNESS * (places - at)) - is_relevant
        return at - STEEPNESS * float(surplus.sum())

    farthest = STEEPNESS * len(places) + 1.0
    at = float(brentq(slope, -farthest, farthest))
    above = STEEPNESS * (places - at)
    loss = float((np.logaddexp(0.0, above) - is_relevant * above).sum()) + at**2 / 2
    return expected + width * at, loss
