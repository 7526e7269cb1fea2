"""Discovery against refresh, stylised: pages wait to be found, those found change, and a day has so many requests.

Candidates are taken best first; what they promise falls from one to the next, as in any focused crawl, and every day
brings some new ones. What is counted is relevance that is had and fresh, day by day.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from honeyguide.freshness.rates import after_look, known_rate, site_rate
from honeyguide.freshness.worth import HORIZON_DAYS, discovery_worth, refresh_worth
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


class _Web:
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

    def __init__(self, web: _Web) -> None:
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

    def known(self, pages: np.ndarray[tuple[int], np.dtype[np.int64]]) -> tuple[Floats, Floats]:
        of_all = site_rate(self.changes.sum(keepdims=True), self.days.sum(keepdims=True))
        return known_rate(self.changes[pages], self.days[pages], of_all)

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


def fresh_relevance(scene: Scene, seed: int, split: float | None, horizon: float = HORIZON_DAYS) -> float:
    """Relevance had fresh, summed over days; requests divided by a fixed split, or (None) by what they are worth."""
    web = _Web(scene, seed)
    had = _Collection(web)
    total = 0.0
    for day in range(DAYS):
        waiting = np.flatnonzero(~had.is_found & (web.since <= day))
        waiting = waiting[np.argsort(-web.promise[waiting], kind="stable")][: scene.requests]
        worth = had.worth(day)
        again = np.argsort(-worth, kind="stable")[: scene.requests]
        again = again[worth[again] > 0]
        most_again = _refreshes(web.promise[waiting], worth[again], scene.requests, split, horizon)
        had.look_again(again[:most_again], day)
        had.find(waiting[: scene.requests - most_again], day)
        total += float(web.relevance[had.is_found & ~had.is_stale].sum())
        had.is_stale |= web.random.uniform(size=len(web.rates)) < -np.expm1(-web.rates)
    return total


def _refreshes(promise: Floats, worth: Floats, requests: int, split: float | None, horizon: float) -> int:
    """How many of the requests go to pages that are had already. Either kind takes what the other cannot use."""
    if split is None:
        found_worth = np.array([discovery_worth(own, horizon) for own in promise.tolist()])
        merged = np.concatenate((found_worth, worth))
        best = np.argsort(-merged, kind="stable")[:requests]
        return int(np.count_nonzero(best >= len(found_worth)))
    wanted = min(round(split * requests), len(worth))
    return max(wanted, min(requests - len(promise), len(worth)))
