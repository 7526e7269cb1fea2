"""Discovery against refresh, stylised: pages wait to be found, those found change, and a day has so many requests.

Candidates are taken best first; what they promise falls from one to the next, as in any focused crawl, and every day
brings some new ones. What is counted is relevance that is had and fresh, day by day.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from honeyguide.freshness.rates import after_look, known_rate, site_rate, spread_of_rates
from honeyguide.freshness.worth import discovery_worth, refresh_worth
from honeyguide.model import Floats

DAYS = 720
SPLITS = tuple(share / 10 for share in range(11))


@dataclass(frozen=True)
class Scene:
    """A web to be found, and the means to do so."""

    name: str
    requests: int  # a day
    candidates: int  # at first; the promise of the last is 1/e**3 of the first's
    new: float  # candidates more, a day
    yearly: float  # median changes of a page a year; rates are lognormal


SCENES: tuple[Scene, ...] = (
    Scene("a large topic, still pages", 10, 6_000, 3.0, 1.0),
    Scene("a large topic, lively pages", 10, 6_000, 3.0, 6.0),
    Scene("a small topic, still pages", 10, 2_000, 3.0, 1.0),
    Scene("a small topic, lively pages", 10, 2_000, 3.0, 6.0),
    Scene("much that is new", 10, 2_000, 12.0, 3.0),
)

FURTHER: tuple[Scene, ...] = (
    Scene("many requests, still pages", 20, 4_900, 5.6, 1.6),
    Scene("few requests, lively pages", 5, 2_400, 9.5, 8.9),
    Scene("many requests, lively pages", 20, 5_100, 3.6, 10.8),
    Scene("few requests for a large topic, lively pages", 5, 9_800, 7.6, 5.5),
    Scene("few requests for a large topic, still pages", 5, 7_800, 5.4, 1.5),
)
"""Drawn at random once, and played when the rule was settled: nothing was chosen by them."""


class Web:
    """Candidates with what they promise, and pages with when they changed."""

    def __init__(self, scene: Scene, seed: int) -> None:
        random = np.random.default_rng([seed, *scene.name.encode()])
        first = 0.9 * np.exp(-3.0 * np.arange(scene.candidates) / scene.candidates)
        later = random.poisson(scene.new, DAYS)
        promise = np.concatenate((first, random.beta(1.0, 3.0, int(later.sum()))))
        self.since = np.concatenate((np.zeros(scene.candidates), np.repeat(np.arange(DAYS), later)))
        self.promise = promise
        self.relevance = random.beta(2.0 * promise, 2.0 * (1.0 - promise))
        self.rates = np.exp(random.normal(np.log(scene.yearly / 365), 1.2, len(promise)))
        self.random = random


class _Collection:
    """What has been found, and how fresh it is."""

    def __init__(self, web: Web) -> None:
        size = len(web.promise)
        self.web = web
        self.is_found, self.is_stale = np.zeros(size, dtype=np.bool_), np.zeros(size, dtype=np.bool_)
        self.looked, self.changes, self.days = np.zeros(size), np.zeros(size), np.zeros(size)

    def worth(self, day: int) -> Floats:
        """Of asking again for each page that was found; nothing for others."""
        found = np.flatnonzero(self.is_found)
        worth = np.zeros(len(self.is_found))
        shape, days = self.known(found)
        worth[found] = refresh_worth(self.web.relevance[found], shape, days, day - self.looked[found])
        return worth

    def age(self, day: int) -> Floats:
        """Days since each page that was found was looked at; nothing for others."""
        return np.where(self.is_found, day - self.looked, 0.0)

    def known(self, pages: np.ndarray[tuple[int], np.dtype[np.int64]]) -> tuple[Floats, Floats]:
        rate = self.usual_rate()
        spread = spread_of_rates(self.changes, rate * self.days)
        return known_rate(self.changes[pages], self.days[pages], rate, spread)

    def usual_rate(self) -> Floats:
        return site_rate(self.changes.sum(keepdims=True), self.days.sum(keepdims=True))

    def find(self, pages: np.ndarray[tuple[int], np.dtype[np.int64]], day: int) -> None:
        self.is_found[pages], self.is_stale[pages], self.looked[pages] = True, False, day

    def look_again(self, pages: np.ndarray[tuple[int], np.dtype[np.int64]], day: int) -> None:
        shape, days = self.known(pages)
        self.changes[pages], self.days[pages] = after_look(
            self.changes[pages],
            self.days[pages],
            shape / days,
            day - self.looked[pages],
            self.is_stale[pages],
        )
        self.find(pages, day)


def fresh_relevance(
    scene: Scene, seed: int, split: float | Floats | None, *, oldest_first: bool = False
) -> float:
    """Relevance had fresh, summed over days; requests divided by a fixed split, or (None) by what they are worth.

    A split may also be told as how many pages are to be found until the end of each day. What is asked for again is
    what that is worth most for, or what was not looked at for longest.
    """
    web = Web(scene, seed)
    had = _Collection(web)
    total = 0.0
    for day in range(DAYS):
        waiting = np.flatnonzero(~had.is_found & (web.since <= day))
        waiting = waiting[np.argsort(-web.promise[waiting], kind="stable")][: scene.requests]
        worth = had.age(day) if oldest_first else had.worth(day)
        again = np.argsort(-worth, kind="stable")[: scene.requests]
        again = again[worth[again] > 0]
        if split is None:
            found = np.array(
                [discovery_worth(own, float(had.usual_rate()[0])) for own in web.promise[waiting]]
            )
            most_again = _worth_more(worth[again], found, scene.requests)
        elif isinstance(split, float):
            most_again = _fixed(round(split * scene.requests), len(again), len(waiting), scene.requests)
        else:
            missing = round(float(split[day])) - int(had.is_found.sum())
            wanted = scene.requests - min(max(missing, 0), scene.requests)
            most_again = _fixed(wanted, len(again), len(waiting), scene.requests)
        had.look_again(again[:most_again], day)
        had.find(waiting[: scene.requests - most_again], day)
        total += float(web.relevance[had.is_found & ~had.is_stale].sum())
        had.is_stale |= web.random.uniform(size=len(web.rates)) < -np.expm1(-web.rates)
    return total


def _worth_more(again: Floats, found: Floats, requests: int) -> int:
    """How many of the requests are worth more for pages that are had already."""
    best = np.argsort(-np.concatenate((found, again)), kind="stable")[:requests]
    return int(np.count_nonzero(best >= len(found)))


def _fixed(wanted: int, again: int, waiting: int, requests: int) -> int:
    """The same by a fixed split. Either kind takes what the other cannot use."""
    return max(min(wanted, again), min(requests - waiting, again))
