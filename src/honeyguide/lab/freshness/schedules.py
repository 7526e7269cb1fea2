"""Who is asked for again: ours and its rivals. A schedule names pages, and hears whether they had changed."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np

from honeyguide.freshness.rates import after_look, known_rate, site_rate, spread_of_rates
from honeyguide.freshness.worth import refresh_worth
from honeyguide.lab.freshness.traces import Trace
from honeyguide.model import Bools, Floats, Ids

_CERTAIN = 1e6  # changes seen; whoever knows a rate has no doubt


class Schedule(ABC):
    """Orders the pages of a trace; those not born yet are looked at when they are."""

    def __init__(self, trace: Trace, weights: Floats, interval: float) -> None:
        self.trace, self.weights, self.interval = trace, weights, interval
        self.looked = trace.born.copy()

    @abstractmethod
    def urgency(self, now: float) -> Floats:
        """Of every page; the most urgent are asked for."""

    def choose(self, now: float, count: int) -> Ids:
        """The most urgent pages that are there, the earlier ones first where they are alike."""
        urgency = np.where(self.trace.born <= now, self.urgency(now), -np.inf)
        ids = np.argsort(-urgency, kind="stable")[:count]
        return ids[np.isfinite(urgency[ids])].astype(np.int32)

    def hear(self, ids: Ids, now: float, changed: Bools) -> None:
        """What came of it."""
        self.looked[ids] = now


class RoundRobin(Schedule):
    """Everybody in turn."""

    def urgency(self, now: float) -> Floats:
        """Who was looked at longest ago."""
        return now - self.looked


class Learning(Schedule):
    """Rates as honeyguide learns them."""

    def __init__(self, trace: Trace, weights: Floats, interval: float) -> None:
        super().__init__(trace, weights, interval)
        self.changes, self.days = np.zeros(len(trace)), np.zeros(len(trace))
        self._of_site = np.zeros((2, int(trace.sites.max()) + 1))

    def known(self) -> tuple[Floats, Floats]:
        """What is known of all rates."""
        rate = site_rate(*self._of_site)[self.trace.sites]
        spread = spread_of_rates(self.changes, rate * self.days)
        return known_rate(self.changes, self.days, rate, spread)

    def hear(self, ids: Ids, now: float, changed: Bools) -> None:
        """Learn from it."""
        shape, days = (own[ids] for own in self.known())
        before = self.changes[ids], self.days[ids]
        after = after_look(*before, shape / days, now - self.looked[ids], changed)
        for place, column in enumerate((self.changes, self.days)):
            np.add.at(self._of_site[place], self.trace.sites[ids], after[place] - before[place])
            column[ids] = after[place]
        super().hear(ids, now, changed)


class Ours(Learning):
    """By what it is worth: the rule of the crawl."""

    def urgency(self, now: float) -> Floats:
        """The worth of asking again."""
        return refresh_worth(self.weights, *self.known(), now - self.looked)


class PointRate(Learning):
    """The same by the most likely rate alone, with no doubt about it (Olston & Pandey 2008)."""

    def urgency(self, now: float) -> Floats:
        """The worth of asking again, if rates were what they seem."""
        shape, days = self.known()
        sure = np.full(len(shape), _CERTAIN)
        return refresh_worth(self.weights, sure, sure * days / shape, now - self.looked)


class TrueRates(Schedule):
    """The same by somebody who knows all rates beforehand: a bound."""

    def urgency(self, now: float) -> Floats:
        """The worth of asking again."""
        sure = np.full(len(self.weights), _CERTAIN)
        rates = np.maximum(self.trace.rates, 1e-9)
        return refresh_worth(self.weights, sure, sure / rates, now - self.looked)


class LambdaCrawl(Learning):
    """Rates of crawling by Kolobov et al. (2019): the harmonic penalty, without signals of change; ours to learn by."""

    def urgency(self, now: float) -> Floats:
        """How many of its own intervals have gone by."""
        shape, days = self.known()
        return (now - self.looked) * _harmonic(self.weights, shape / days, 1.0 / self.interval)


def _harmonic(weights: Floats, rates: Floats, mean_rate: float) -> Floats:
    """Crawl rates whose mean is given: r = (sqrt(1 + 4 w / (m c)) - 1) c / 2, with the multiplier m by halving."""
    low, high = 1e-12, 1e12
    found = rates
    for _ in range(100):
        middle = float(np.sqrt(low * high))
        found = (np.sqrt(1.0 + 4.0 * weights / (middle * rates)) - 1.0) * rates / 2
        low, high = (middle, high) if found.mean() > mean_rate else (low, middle)
    return found


class _Adaptive(Schedule):
    """An interval for each page, longer after a look in vain; whoever is due first is asked, due or not."""

    def __init__(self, trace: Trace, weights: Floats, interval: float) -> None:
        super().__init__(trace, weights, interval)
        self.intervals = np.full(len(trace), interval)
        self.due = self.looked + interval

    def urgency(self, now: float) -> Floats:
        """How long it has been due."""
        return now - self.due


class Nutch(_Adaptive):
    """AdaptiveFetchSchedule: times 1.4 or .8, a year at most. Without `sync_delta`, which makes it far worse here."""

    def hear(self, ids: Ids, now: float, changed: Bools) -> None:
        """Lengthen or shorten."""
        intervals = self.intervals[ids] * np.where(changed, 0.8, 1.4)
        self.intervals[ids] = np.clip(intervals, 60 / 86_400, 365.0)
        self.due[ids] = now + self.intervals[ids]
        super().hear(ids, now, changed)


class StormCrawler(_Adaptive):
    """AdaptiveScheduler with its defaults: times 1.5 or .5; here from an hour to a year."""

    def hear(self, ids: Ids, now: float, changed: Bools) -> None:
        """Lengthen or shorten."""
        intervals = self.intervals[ids] * np.where(changed, 0.5, 1.5)
        self.intervals[ids] = np.clip(intervals, 1 / 24, 365.0)
        self.due[ids] = now + self.intervals[ids]
        super().hear(ids, now, changed)


SCHEDULES: dict[str, type[Schedule]] = {
    "round-robin": RoundRobin,
    "Nutch": Nutch,
    "StormCrawler": StormCrawler,
    "LambdaCrawl": LambdaCrawl,
    "most likely rate": PointRate,
    "honeyguide": Ours,
    "true rates": TrueRates,
}
