"""A trace played once more: as many requests for every schedule, and how much of what it has is stale."""

from __future__ import annotations

from bisect import bisect_right

import numpy as np

from honeyguide.lab.freshness.schedules import Schedule
from honeyguide.lab.freshness.traces import Trace
from honeyguide.model import Floats

STEPS = 1_000
_RELEVANCE = (0.4, 0.6)  # a beta distribution: most pages are far from or near to the topic


def relevance_of(pages: int, seed: int) -> Floats:
    """Made up, as traces know times alone: as classifiers judge, mostly little or much, and none of the rates."""
    return np.random.default_rng([seed, pages]).beta(*_RELEVANCE, pages)


def stale_share(schedule: Schedule) -> float:
    """The share of page-days, by weight, on which what was had of a page was no longer what stood there."""
    trace, weights = schedule.trace, schedule.weights
    step = trace.days / STEPS
    stale, owed = 0.0, 0.0
    for now in np.arange(1, STEPS + 1) * step:
        owed += np.count_nonzero(trace.born <= now) * step / schedule.interval
        ids = schedule.choose(float(now), int(owed))
        owed -= int(owed)
        stale_days = [_stale_days(trace, page, schedule.looked[page], float(now)) for page in ids.tolist()]
        stale += float(weights[ids] @ stale_days) if len(ids) else 0.0
        schedule.hear(ids, float(now), np.array(stale_days) > 0)
    rest = [_stale_days(trace, page, schedule.looked[page], trace.days) for page in range(len(trace))]
    return (stale + float(weights @ rest)) / float(weights @ (trace.days - trace.born))


def _stale_days(trace: Trace, page: int, looked: float, now: float) -> float:
    """How long it has been another than it was when it was looked at."""
    changes = trace.changes[page]
    first = bisect_right(changes, looked)
    return max(0.0, now - float(changes[first])) if first < len(changes) else 0.0
