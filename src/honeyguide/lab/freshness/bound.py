"""What no rule can surpass when discovery is set against refresh: an upper bound, by prices of requests.

If a request has a price, another one each day, every page can be decided on by itself: when to find it, and when to
ask for it again. What all pages then bring beyond what they pay, and the price of all requests that there are, is never
less than what any rule reaches with these requests, whatever the prices (Lagrangian relaxation). The bound is the least
of it that was found over prices.

Whoever reaches it knows when the count ends, what will come, how rates are distributed, and the rate of a page as soon
as it was asked for once more: far more than a crawl does. Pages are put into classes of promise, relevance and rate;
with classes half as wide the bound differs by a thousandth.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from honeyguide.lab.freshness.discovery import DAYS, Scene, Web
from honeyguide.model import Floats

Days = np.ndarray[tuple[int, ...], np.dtype[np.int64]]

_RELEVANCES = np.array([0.0, 0.05, 0.12, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0])
_RATES = 17  # classes of them
_OLD, _NEW = 40, 12  # classes of candidates there are at first, and of those that come later
_PERIODS = 6  # in which they come: by chance those of one may be more relevant than those of another
_CLASSES = _OLD + _PERIODS * _NEW
_RATES_LEFT_OUT = 0.0005  # at either end
_PRICE_DAYS = np.concatenate(([0.0, 5.0, 15.0], np.linspace(40.0, DAYS - 1.0, 20)))  # linear between
_FIRST_GUESS = ((0.0, 0.3 * DAYS, DAYS), (120.0, 60.0, 1.0))
_STEPS = 60
_SCALE = 1e-3  # the minimizer wants numbers of a modest size


@dataclass(frozen=True)
class Bound:
    """What cannot be surpassed, and how who reaches it divides requests."""

    fresh_relevance: float
    found_by: Floats  # pages found until the end of each day


def bound_of(scene: Scene, seeds: Sequence[int]) -> Bound:
    """Of the mean over these draws of a scene."""
    from scipy.optimize import minimize  # here, as it takes long to load

    priced = Priced(scene, seeds)
    days = np.arange(DAYS)
    shares = np.array([np.interp(days, _PRICE_DAYS, own) for own in np.eye(len(_PRICE_DAYS))])

    def to_minimize(heights: Floats) -> tuple[float, Floats]:
        value, unused = priced.value(heights @ shares)
        return _SCALE * value, _SCALE * (shares @ unused)

    found = minimize(
        to_minimize,
        np.interp(_PRICE_DAYS, *_FIRST_GUESS),
        jac=True,
        method="L-BFGS-B",
        bounds=[(0.0, None)] * len(_PRICE_DAYS),
        options={"maxiter": _STEPS},
    )
    value, _ = priced.value(found.x @ shares)
    # Pages of a class are found on one day; a crawl, which cannot, spreads them over the days before.
    found_by = np.cumsum(priced.found)[_PRICE_DAYS.astype(np.int64)]
    return Bound(value, np.interp(days, _PRICE_DAYS, found_by))


class Priced:
    """A scene in which each request has a price, and each page does what is best for itself."""

    def __init__(self, scene: Scene, seeds: Sequence[int]) -> None:
        webs = [Web(scene, seed) for seed in seeds]
        self._requests = scene.requests
        self.found = np.zeros(DAYS)
        rates = np.log(np.concatenate([web.rates for web in webs]))
        lowest, highest = np.quantile(rates, [_RATES_LEFT_OUT, 1.0 - _RATES_LEFT_OUT]).tolist()
        of_rates = np.linspace(lowest, highest, _RATES)
        self._rates = _between(rates, of_rates).mean(axis=0)
        still = np.exp(-np.exp(of_rates))[:, None]  # the share that is as it was a day before
        fresh_days = (1.0 - still ** np.arange(DAYS + 1)) / (1.0 - still)
        self._brings = (_RELEVANCES[:, None, None] * fresh_days).reshape(-1, DAYS + 1)
        self._candidates(webs, scene.candidates)

    def _candidates(self, webs: Sequence[Web], old: int) -> None:
        """How many candidates of each class come on each day, and how relevant those are."""
        is_old = np.concatenate([np.arange(len(web.promise)) < old for web in webs])
        promise, since, relevance = (
            np.concatenate([getattr(web, name) for web in webs]) for name in ("promise", "since", "relevance")
        )
        periods = (since * _PERIODS).astype(np.int64) // DAYS
        groups = np.empty(len(promise), dtype=np.int64)
        for first, most, own in ((0, _OLD, is_old), (_OLD, _NEW, ~is_old)):
            ends = np.quantile(promise[own], np.arange(1, most) / most) if own.any() else np.zeros(0)
            groups[own] = first + np.searchsorted(ends, promise[own]) + most * periods[own]
        self._coming = np.zeros((_CLASSES, DAYS))
        np.add.at(self._coming, (groups, since.astype(np.int64)), 1.0 / len(webs))
        self._relevance = np.zeros((_CLASSES, len(_RELEVANCES)))
        np.add.at(self._relevance, groups, _between(relevance, _RELEVANCES))
        self._relevance /= np.maximum(self._relevance.sum(axis=1, keepdims=True), 1.0)

    def value(self, prices: Floats) -> tuple[float, Floats]:
        """What pages bring beyond what they pay, with what all requests cost; and those of each day nobody wants."""
        later, next_looks = _looks_again(self._brings, prices)
        brings_unknown, later_unknown = self._over_rates(self._brings), self._over_rates(later)
        first_looks = [_best_next(brings_unknown, later_unknown, day) for day in range(DAYS)]
        gain = self._relevance @ np.stack([value for value, _ in first_looks], axis=1) - prices
        best = np.maximum.accumulate(gain[:, ::-1], axis=1)[:, ::-1]  # from each day on
        on_day = np.where(gain >= best, np.arange(DAYS), DAYS)
        on_day = np.minimum.accumulate(on_day[:, ::-1], axis=1)[:, ::-1]
        wanted = np.where(best > 0, self._coming, 0.0)
        found = np.zeros_like(gain)
        np.add.at(found, (np.arange(len(gain))[:, None], on_day), wanted)
        self.found = found.sum(axis=0)
        looks = self._looks(found, [day for _, day in first_looks], next_looks)
        value = self._requests * prices.sum() + (wanted * best).sum()
        return float(value), self._requests - self.found - looks

    def _over_rates(self, values: Floats) -> Floats:
        """What is to be expected of pages of each relevance, whose rate is not known."""
        means: Floats = self._rates @ values.reshape(len(_RELEVANCES), _RATES, -1)
        return means

    def _looks(self, found: Floats, first_looks: Sequence[Days], next_looks: Days) -> Floats:
        """How many pages are asked for again each day."""
        looks = np.zeros((len(self._brings), DAYS + 1))
        for of_relevance, days in zip((self._relevance.T @ found).T, first_looks, strict=True):
            for place in np.flatnonzero(of_relevance):
                own = slice(place * _RATES, (place + 1) * _RATES)
                looks[own, days[place]] += of_relevance[place] * self._rates
        rows = np.arange(len(looks))
        for day in range(DAYS):
            looks[rows, next_looks[:, day]] += looks[:, day]
        total: Floats = looks[:, :DAYS].sum(axis=0)
        return total


def _looks_again(brings: Floats, prices: Floats) -> tuple[Floats, Days]:
    """What a look on each day is worth beyond its price, and on which day the next one follows, if any."""
    later = np.zeros((len(brings), DAYS + 1))
    next_looks = np.empty((len(brings), DAYS), dtype=np.int64)
    for day in reversed(range(DAYS)):
        value, next_looks[:, day] = _best_next(brings, later, day)
        later[:, day] = value - prices[day]
    return later, next_looks


def _best_next(brings: Floats, later: Floats, day: int) -> tuple[Floats, Days]:
    """What pages that are fresh on this day bring if the next look is at the best time, and when that is."""
    worth = brings[:, 1 : DAYS - day + 1] + later[:, day + 1 :]
    best = worth.argmax(axis=1)
    return worth[np.arange(len(worth)), best], day + 1 + best


def _between(values: Floats, places: Floats) -> Floats:
    """Shares of each value in the two places around it, so that their mean is the value.

    >>> _between(np.array([0.25, 2.0]), np.array([0.0, 1.0, 2.0])).tolist()
    [[0.75, 0.25, 0.0], [0.0, 0.0, 1.0]]
    """
    values = np.clip(values, places[0], places[-1])
    right = np.clip(np.searchsorted(places, values), 1, len(places) - 1)
    share = (values - places[right - 1]) / (places[right] - places[right - 1])
    shares, rows = np.zeros((len(values), len(places))), np.arange(len(values))
    shares[rows, right - 1], shares[rows, right] = 1.0 - share, share
    return shares
