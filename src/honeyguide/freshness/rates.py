"""How often a page changes, from looks at irregular times that tell only whether it has changed since the last one.

Two numbers a page, by on-line expectation maximization: the changes there have been in expectation, and the days over
which they were. What little is known of a page is filled up from its site, and of a site from all the Web.
"""

from __future__ import annotations

import numpy as np

from honeyguide.model import Bools, Floats

USUAL_SPREAD = 1.0
"""How far pages of a site differ in their rates, as the variance over the squared mean, until it is known better."""

SPREADS = (0.02, 4.0)
_SPREAD_PAGES = 3.0  # for which the usual one counts

SITE_CHANGES, SITE_DAYS = 1.0, 60.0
"""What is taken for granted of a site nobody has looked at twice: a change in so many days."""

MEMORY_DAYS = 365.0
"""What was seen so long ago counts for a third (1/e): sites fall asleep, and wake up."""

LONGEST_GAP = 3650.0
"""Days between two looks at most; a clock that was wrong must not settle a page's rate for ever."""


def changes_within(rate: Floats, days: Floats, changed: Bools) -> Floats:
    """How many changes there were in expectation, if some were seen; a look shows the last one alone.

    >>> changes_within(np.array([0.1, 0.1]), np.array([0.1, 30.0]), np.array([True, True])).round(2).tolist()
    [1.01, 3.16]
    """
    expected = np.maximum(rate * days, 1e-9)
    return np.where(changed, expected / -np.expm1(-expected), 0.0)


def after_look(
    changes: Floats, days: Floats, rate: Floats, gap: Floats, changed: Bools
) -> tuple[Floats, Floats]:
    """The two numbers of pages after another look, `gap` days after the one before; `rate` is what was thought then."""
    gap = np.clip(gap, 0.0, LONGEST_GAP)
    kept = np.exp(-gap / MEMORY_DAYS)
    return changes * kept + changes_within(rate, gap, changed), days * kept + gap


def site_rate(changes: Floats, days: Floats) -> Floats:
    """Changes of a page a day, on sites whose pages have these sums."""
    return (changes + SITE_CHANGES) / (days + SITE_DAYS)


def spread_of_rates(changes: Floats, expected: Floats) -> float:
    """How far pages differ in their rates, beyond chance: the variance over the squared mean.

    `expected` are the changes there would have been, had every page the rate of its site. Where pages are all alike
    there is nothing to learn of each, and one that changed by chance must not be looked at more often than others.

    >>> expected = np.full(120, 2.0)
    >>> spread_of_rates(np.array([1.0, 2.0, 3.0] * 40), expected)
    0.02
    >>> round(spread_of_rates(np.array([0.0, 0.0, 6.0] * 40), expected), 2)
    1.5
    """
    beyond = float(((changes - expected) ** 2 - expected).sum()) + _SPREAD_PAGES * USUAL_SPREAD
    return float(np.clip(beyond / (float((expected**2).sum()) + _SPREAD_PAGES), *SPREADS))


def known_rate(
    changes: Floats, days: Floats, of_site: Floats, spread: float = USUAL_SPREAD
) -> tuple[Floats, Floats]:
    """What is known of pages' rates, as the shape and the days of a gamma distribution; their quotient is the rate.

    What its site says of a page counts as so many changes seen as the spread of rates leaves to it.

    >>> shape, days = known_rate(np.array([0.0, 3.0]), np.array([0.0, 60.0]), np.array([0.1, 0.1]))
    >>> (shape / days).round(3).tolist()
    [0.1, 0.057]
    """
    return changes + 1.0 / spread, days + 1.0 / spread / of_site
