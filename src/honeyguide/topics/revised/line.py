"""Where a revision draws the line between relevant and not: by labels that were held out, and by how many to expect.

The pages that people are asked about are among the best, and were chosen by what the topic got wrong before: of two
pages with the same log-odds the labelled one is less often on the topic. So a line at which labels are as likely good
as bad is far too high for all other pages: there one asks, but draws no line. What labels tell is at which line they
are told apart best; how many pages are relevant in all, they hardly tell.
"""

from __future__ import annotations

import numpy as np

from honeyguide.model import Bools, Floats
from honeyguide.topics.classifier.calibration import sigmoid

USUAL_SHARE = 0.1
"""Of the fetched pages, on the topic, as far as anybody knows who has not seen what the first topic says."""
STEEPNESS = 2.0
"""Log-odds that a page is relevant rise by this much with each standard deviation, where labels are doubted."""
LEAST_WIDTH = 0.3
"""Standard deviation of log-odds where the first topic says nearly the same of all pages."""
_TRIED = 501


def draw_line(held_out: Floats, is_relevant: Bools, usual: Floats, share: float) -> float:
    """The log-odds from which on pages are relevant.

    `usual` are those of pages without a label, of which a `share` is expected to be relevant. F1 of the labels counts
    once for each of them, against the square of the distance from what was expected.
    """
    width = max(float(usual.std()), LEAST_WIDTH)
    expected = float(np.quantile(usual, 1.0 - share))
    places = (held_out - expected) / width
    lines = np.linspace(min(0.0, places.min()), max(0.0, places.max()), _TRIED)
    called = sigmoid(places[:, None] - lines)
    relevant = is_relevant.sum()
    f1 = 2 * called[is_relevant].sum(axis=0) / (called.sum(axis=0) + relevant)
    best = int(np.argmax(len(places) * f1 - lines**2))
    return expected + width * float(lines[best])


def expected_share(by_first: float, pages: int) -> float:
    """Of relevant pages, before any label: the geometric mean of what the first topic says and of what is usual.

    >>> expected_share(0.4, 500), round(expected_share(0.0, 500), 3)
    (0.2, 0.014)
    """
    return float(np.sqrt(max(by_first, 1 / pages) * USUAL_SHARE))


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
