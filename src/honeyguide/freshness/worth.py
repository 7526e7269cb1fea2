"""What a request is worth, in days for which a page of full relevance is had as it stands.

Asking again for a page brings what Olston & Pandey (2008) found, here in expectation over all that its rate may be: a
page of which little is known is looked at again in the end, however still it has been. Discovery brings a page for the
days it will stay as it was found, within a horizon. Requests go where they are worth most.
"""

from __future__ import annotations

import math

import numpy as np

from honeyguide.model import Floats

HORIZON_DAYS = 200.0
"""A page that is found counts for so long at most; a quarter more or less makes no difference."""

LEAST_WORTH = 0.25
"""Relevant days below which a request is worth nobody's while: the crawl rather sleeps."""

_NEAR_ONE = 1e-6
_HALVINGS = 32
_LONGEST_DAYS = 36_500.0


def refresh_worth(weight: Floats, shape: Floats, days: Floats, gap: Floats) -> Floats:
    """What it is worth to ask again for pages last looked at `gap` days ago.

    Their rates are gamma distributed with this shape over these days. A page that changes all the time is worth
    little: what is had of it is old at once.

    >>> sure = np.full(3, 1e6)
    >>> rates = np.array([0.001, 0.1, 100.0])
    >>> refresh_worth(np.ones(3), sure, sure / rates, np.full(3, 30.0)).round(2).tolist()
    [0.44, 8.01, 0.01]
    """
    gap = np.maximum(gap, 0.0)
    shape = np.where(np.abs(shape - 1.0) < _NEAR_ONE, 1.0 + _NEAR_ONE, shape)
    longer = np.log1p(gap / days)
    still_fresh = np.exp(-shape * longer)
    fresh_days = days / (1.0 - shape) * np.expm1((1.0 - shape) * longer)
    return np.maximum(weight * (fresh_days - gap * still_fresh), 0.0)


def worth_from(weight: Floats, shape: Floats, days: Floats, least: float) -> Floats:
    """After how many days it is worth as much to ask again; infinite where it never is.

    >>> worth_from(np.array([1.0, 0.0]), np.full(2, 2.0), np.full(2, 60.0), 0.25).round(1).tolist()
    [4.1, inf]
    """
    low, high = np.zeros(len(weight)), np.full(len(weight), _LONGEST_DAYS)
    never = refresh_worth(weight, shape, days, high) < least
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        is_enough = refresh_worth(weight, shape, days, middle) >= least
        low, high = np.where(is_enough, low, middle), np.where(is_enough, middle, high)
    return np.where(never, np.inf, high)


def discovery_worth(expected_relevance: float, rate: float) -> float:
    """What it is worth to ask for a page nobody has asked for yet, where pages change so often a day on average.

    The days for which it stays as it was found if nobody looks again within the horizon, in expectation over rates
    that are exponentially distributed: the integral of 1 / (1 + rate * t). Where pages are still, finding more of them
    is worth more; where they are lively, what is found is soon old.

    That it may be asked for again need not be counted: while requests have one price and time does not end, a page
    whose rate and relevance are known brings more than it costs if and only if it would were it never asked for again.

    >>> [round(discovery_worth(0.5, changes / 365)) for changes in (0.0, 1.0, 12.0)]
    [100, 80, 31]
    """
    days = math.log1p(rate * HORIZON_DAYS) / rate if rate > 0 else HORIZON_DAYS
    return expected_relevance * days
