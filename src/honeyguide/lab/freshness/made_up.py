"""Change traces that nobody observed, made by processes that are written down here. A seed makes each the same again.

Real pages change in bursts, at rates that differ by orders of magnitude, and now and then all at once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from honeyguide.lab.freshness.traces import Trace
from honeyguide.model import Floats

DAYS = 1095.0
PAGES, SITES = 400, 8
_Random = np.random.Generator


def _poisson(random: _Random, rate: float) -> Floats:
    return np.sort(random.uniform(0.0, DAYS, random.poisson(rate * DAYS)))


def _heavy_tailed(random: _Random, sites: np.ndarray[tuple[int], np.dtype[np.int32]]) -> Floats:
    """Rates around that of the site, which is around one change a year; each is lognormal."""
    of_site = np.exp(random.normal(np.log(1.0 / 365), 0.7, SITES))
    return of_site[sites] * np.exp(random.normal(0.0, 1.2, len(sites)))


def _steady(random: _Random, rate: float) -> Floats:
    return _poisson(random, rate)


def _bursts(random: _Random, rate: float) -> Floats:
    """Each change brings three more on average, within days."""
    starts = _poisson(random, rate / 4)
    more = [start + random.exponential(4.0, random.poisson(3.0)) for start in starts]
    return np.sort(np.concatenate([starts, *more]))


def _weekly(random: _Random, rate: float) -> Floats:
    """On five days of the week alone, three times as often in one quarter of the year as in the others."""
    days = _poisson(random, 3 * rate)
    is_kept = (days % 7 < 5) & ((days % 365 < 91) | (random.uniform(size=len(days)) < 1 / 3))
    return days[is_kept]


def _waking(random: _Random, rate: float) -> Floats:
    """A page is at work for a third of a year at most, ten times as often as on average, and still otherwise."""
    start = random.uniform(0.0, DAYS)
    days = _poisson(random, 10 * rate)
    return days[(days > start) & (days < start + 110)]


def _alike(random: _Random, rate: float) -> Floats:
    """Every page the same rate: there is nothing to learn, and every departure from round-robin costs."""
    return _poisson(random, 1.0 / 365)


def _templates(random: _Random, rate: float) -> Floats:
    return _poisson(random, rate / 2)


PROCESSES: Mapping[str, tuple[str, Callable[[_Random, float], Floats]]] = {
    "steady": ("Poisson processes, rates lognormal around their site's", _steady),
    "bursts": ("bursts: each change brings three more within days", _bursts),
    "templates": ("half Poisson, half changes of all pages of a site on one day", _templates),
    "weekly": ("on working days alone, most of it in one quarter of the year", _weekly),
    "waking": ("pages that are at work for some months, and still before and after", _waking),
    "alike": ("all pages at one rate: there is nothing to learn", _alike),
}


def made_up(name: str, seed: int = 1) -> Trace:
    """A trace of one of the processes."""
    meaning, process = PROCESSES[name]
    random = np.random.default_rng([seed, *name.encode()])
    sites = random.integers(0, SITES, PAGES).astype(np.int32)
    rates = np.minimum(_heavy_tailed(random, sites), 1.0)
    at_once = [_poisson(random, 2.0 / 365) for _ in range(SITES)] if name == "templates" else []
    changes = []
    for site, rate in zip(sites.tolist(), rates.tolist(), strict=True):
        own = process(random, rate)
        own = np.union1d(own, at_once[site]) if at_once else own
        changes.append(own[(own > 0) & (own < DAYS)])
    return Trace(name, f"made up: {meaning}", DAYS, sites, np.zeros(PAGES), tuple(changes))
