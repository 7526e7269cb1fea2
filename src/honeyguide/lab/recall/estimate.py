"""How complete a crawl may be when nobody knows what there is: three estimates, each with what is wrong with it.

An audit looks at a sample of what the crawl knows but has not fetched, and of what those pages link to.
Capture-recapture compares two crawls from other seeds. A list is a sample of relevant pages that somebody else made.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from honeyguide.model import Bools, Floats
from honeyguide.teaching import CONFIDENT, wilson

AUDIT, RECAPTURE, LIST = "audit", "capture-recapture", "list"
STRATA = 8

KNOWN_BIAS = {
    AUDIT: (
        "pages two links and more from what was fetched are not in it, so true recall is mostly lower: where it is "
        "known, by 0.05 on average, and by more than 0.2 in one crawl of twelve"
    ),
    RECAPTURE: (
        "both crawls prefer the same pages, so pages that neither prefers are missing and true recall is lower: where "
        "it is known, by 0.3 on average; how far, two crawls cannot tell, so there is no lower limit. Between two "
        "focused crawls it says how stable the crawl is, not how complete"
    ),
    LIST: (
        "well-known pages are found and listed more easily, so true recall is often lower: where it is known, by 0.07 "
        "on average"
    ),
}


@dataclass(frozen=True, slots=True)
class RecallEstimate:
    """How many relevant pages there seem to be, and so what share was found. Limits are those of 95 %."""

    method: str
    found: int
    total: float
    total_low: float
    total_high: float
    looked_at: int  # pages the estimate rests on: audited, in both crawls, or listed
    unanswered: int = 0  # pages that an audit could not look at

    @property
    def recall(self) -> float:
        """The estimate itself."""
        return _share(self.found, self.total)

    @property
    def recall_low(self) -> float:
        """Its lower limit."""
        return _share(self.found, self.total_high)

    @property
    def recall_high(self) -> float:
        """Its upper limit."""
        return _share(self.found, self.total_low)

    @property
    def is_upper_bound(self) -> bool:
        """Whether recall may be lower by any amount."""
        return self.method == RECAPTURE

    @property
    def caution(self) -> str:
        """What is known to be wrong with it."""
        return KNOWN_BIAS[self.method]


@dataclass(frozen=True, slots=True, eq=False)
class Audit:
    """Which places of the queue to look at: more of those near its front, where relevant pages are."""

    places: NDArray[np.int64]  # in the queue, best first
    strata: NDArray[np.int64]  # of each place
    sizes: NDArray[np.int64]  # of each stratum

    @property
    def looks(self) -> NDArray[np.int64]:
        """How many places of each stratum are looked at."""
        return np.bincount(self.strata, minlength=len(self.sizes))

    @property
    def weights(self) -> Floats:
        """How many places of the queue each place stands for."""
        return _over(self.sizes.astype(np.float64), self.looks)[self.strata]

    def only(self, answered: Bools) -> Audit:
        """Without the places that could not be looked at: the others of their stratum stand for them."""
        return Audit(self.places[answered], self.strata[answered], self.sizes)


@dataclass(frozen=True, slots=True, eq=False)
class Looked:
    """What came of an audit: which places are relevant, and what the chance was to know of each at all."""

    audit: Audit
    is_relevant: Bools
    chance: Floats
    known_by: NDArray[
        np.int64
    ]  # places with the same number are known by the same page, so all of them or none

    @classmethod
    def of_known(cls, audit: Audit, is_relevant: Bools) -> Looked:
        """Of places that were known for certain."""
        count = len(is_relevant)
        return cls(audit, is_relevant, np.ones(count), np.arange(count))


def draw_audit(queued: int, looks: int, seed: int = 0) -> Audit:
    """Draw places from a queue of this length: as many from its first few as from its last thousands.

    >>> audit = draw_audit(queued=1000, looks=80)
    >>> len(audit.places), int(audit.sizes.sum()), int(audit.sizes[0])
    (80, 1000, 10)
    """
    each = max(1, looks // STRATA)
    if queued <= STRATA * each:
        return Audit(np.arange(queued), np.arange(queued), np.ones(queued, dtype=np.int64))
    # Every stratum has at least as many places as are drawn from it.
    steps = np.geomspace(each, queued, STRATA)
    ends = np.maximum(np.round(steps).astype(np.int64), each * np.arange(1, STRATA + 1))
    ends[-1] = queued
    starts = np.concatenate(([0], ends[:-1]))
    dice = np.random.default_rng(seed)
    drawn = [start + dice.permutation(end - start)[:each] for start, end in zip(starts, ends, strict=True)]
    return Audit(np.concatenate(drawn), np.repeat(np.arange(STRATA), each), ends - starts)


def chances(weights: Sequence[Sequence[float]]) -> Floats:
    """The chance that an audit came to know each page, from the weights of the audited pages that link to it.

    A page that links stands for as many as its weight says: they are so many chances to draw one of them.

    >>> chances([[1.0], [10.0], [10.0, 10.0]]).round(2).tolist()
    [1.0, 0.65, 0.88]
    """
    counts = np.array([len(own) for own in weights], dtype=np.float64)
    linking = np.array([sum(own) for own in weights], dtype=np.float64)
    return 1 - (1 - np.minimum(1.0, _over(counts, linking))) ** linking


def estimate_by_audit(found: int, known: Looked, beyond: Looked, unanswered: int = 0) -> RecallEstimate:
    """From what was found, from what the crawl knew of, and from what lay behind that."""
    missed, variance = np.sum([_missing(known), _missing(beyond)], axis=0).tolist()
    error = CONFIDENT * variance**0.5
    least = found + int(known.is_relevant.sum() + beyond.is_relevant.sum())
    return RecallEstimate(
        AUDIT,
        found,
        total=found + missed,
        total_low=max(float(least), found + missed - error),
        total_high=found + missed + error,
        looked_at=len(known.is_relevant) + len(beyond.is_relevant),
        unanswered=unanswered,
    )


def _missing(looked: Looked) -> tuple[float, float]:
    """How many relevant pages there seem to be in a queue, and the variance of that number."""
    audit, looks = looked.audit, looked.audit.looks
    hits = np.bincount(audit.strata[looked.is_relevant], minlength=len(looks))
    chance, numbers = looked.chance[looked.is_relevant], audit.weights[looked.is_relevant]
    numbers = numbers / chance
    # Half a hit more and less: no stratum is certain because nothing was found in a few looks.
    share = (hits + 0.5) / (looks + 1)
    unseen = audit.sizes - looks
    drawn = unseen * audit.sizes * share * (1 - share) / np.maximum(looks, 1)
    # What is known by one page was come to by one throw of the dice.
    together = looked.known_by[looked.is_relevant]
    known = np.bincount(together, numbers) * np.bincount(together, numbers * (1 - chance))
    return float(numbers.sum()), float(drawn.sum() + known.sum())


def estimate_by_recapture(first: Set[str], second: Set[str]) -> RecallEstimate:
    """From the relevant pages of two crawls, by Chapman's estimator; what was found is what either has.

    >>> estimate = estimate_by_recapture(set("abcdefghij"), set("efghijklmn"))
    >>> round(estimate.total, 2), estimate.found, round(estimate.recall, 2)
    (16.29, 14, 0.86)

    Crawls that prefer the same pages have more in common than chance would give them: the total is a lower bound.
    """
    ours, theirs, common = len(first), len(second), len(first & second)
    found = ours + theirs - common
    total = (ours + 1) * (theirs + 1) / (common + 1) - 1
    spread = (ours + 1) * (theirs + 1) * (ours - common) * (theirs - common)
    low = _least(found, total, spread / ((common + 1) ** 2 * (common + 2)))
    return RecallEstimate(RECAPTURE, found, max(total, float(found)), low, float("inf"), common)


def estimate_by_list(found: Set[str], listed: Set[str]) -> RecallEstimate:
    """From the share of an independent list of relevant pages that was found, with Wilson's limits.

    >>> estimate = estimate_by_list(set("abcdefgh"), set("abcdxyzw"))
    >>> estimate.recall, round(estimate.recall_low, 2), round(estimate.recall_high, 2)
    (0.5, 0.22, 0.78)
    """
    hits, count = len(found & listed), len(listed)
    low, high = wilson(hits, count)
    return RecallEstimate(
        LIST,
        len(found),
        total=_total(len(found), hits / count if count else 0.0),
        total_low=_total(len(found), high),
        total_high=_total(len(found), low),
        looked_at=count,
    )


def _least(found: int, total: float, variance: float) -> float:
    """A limit that never falls below what was found: the number of missing pages is taken as log-normal (Chao)."""
    missing = total - found
    if missing <= 0:
        return float(found)
    return found + missing / float(np.exp(CONFIDENT * np.sqrt(np.log1p(variance / missing**2))))


def _over(counts: Floats, looks: NDArray[np.int64] | Floats) -> Floats:
    return np.divide(counts, looks, out=np.zeros(len(counts)), where=looks > 0)


def _total(found: int, recall: float) -> float:
    return found / recall if recall > 0 else float("inf") if found else 0.0


def _share(found: int, total: float) -> float:
    return found / total if total > 0 else 0.0
