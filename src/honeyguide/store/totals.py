"""Numbers of a crawl that would take long to count: kept up to date with every commit, counted once in old crawls."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence

import numpy as np

from honeyguide.model import Status
from honeyguide.store.base import Batch

_RELEVANCE = "relevance"
_PAUSED = "paused"
_PAGES = "pages"
REQUESTS = "requests"
_JUDGED_AGAIN = "judged_again"
_OF_STATUS = {status: f"urls_{status.name.lower()}" for status in Status}
_COUNT_REQUESTS = """
    SELECT (SELECT count(*) FROM visits)
        + (SELECT count(*) FROM failures WHERE error NOT IN ('RobotsDenied', 'AddressForbidden', 'NotRecorded'))
        + (SELECT coalesce(sum(count), 0) FROM counts WHERE name IN ('redirects', 'sitemaps'))
"""
"""In crawls that did not count them."""


def write_totals(
    db: sqlite3.Connection, batch: Batch, retired: float, more_of: Sequence[int] | None = None
) -> None:
    """Take a batch into account; `retired` is the relevance of the visits that are history by it.

    Of a crawl that is divided, `more_of` says how many urls more have each status.
    """
    if more_of is None:
        _put(db, zip(_OF_STATUS.values(), batch.changes.statuses, strict=True))
    if batch.is_paused is not None:
        _put(db, [(_PAUSED, float(batch.is_paused))])
    more = {
        _RELEVANCE: sum(visit.relevance for visit in batch.visits) - retired,
        _PAGES: sum(not visit.is_revisit for visit in batch.visits) - len(batch.gone),
        REQUESTS: batch.requests,
    }
    if more_of is not None:
        more |= dict(zip(_OF_STATUS.values(), more_of, strict=True))
    if batch.judgments:
        more[_RELEVANCE] += batch.judgments.more
        more[_JUDGED_AGAIN] = len(batch.judgments.ids)
    db.executemany(
        "INSERT INTO totals VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET number = totals.number + ?2",
        [(name, number) for name, number in more.items() if number],
    )


def count_totals(db: sqlite3.Connection, statuses: np.ndarray[tuple[int], np.dtype[np.uint8]]) -> None:
    """Count everything, in a crawl that has not been counted so far."""
    _put(db, zip(_OF_STATUS.values(), np.bincount(statuses, minlength=len(Status)).tolist(), strict=True))
    relevance, pages = db.execute(
        "SELECT coalesce(sum(relevance), 0), count(*) FROM visits WHERE NOT former"
    ).fetchone()
    (asked,) = db.execute(_COUNT_REQUESTS).fetchone()
    _put(db, [(_RELEVANCE, relevance), (_PAGES, pages), (REQUESTS, asked)])


class Totals:
    """As of the last commit."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._numbers = dict(db.execute("SELECT name, number FROM totals").fetchall())
        self.relevance = float(self._numbers.get(_RELEVANCE, 0.0))
        self.pages = int(self._numbers.get(_PAGES, 0))
        self.requests = int(self._numbers.get(REQUESTS, 0))
        self.is_paused = bool(self._numbers.get(_PAUSED, 0))
        self.judged_again = int(self._numbers.get(_JUDGED_AGAIN, 0))  # since this is counted

    def urls(self, status: Status) -> int:
        """How many urls have this status; the root is none of them."""
        number = int(self._numbers.get(_OF_STATUS[status], 0))
        return max(0, number - (status is Status.FETCHED))


def _put(db: sqlite3.Connection, numbers: Iterable[tuple[str, float]]) -> None:
    db.executemany(
        "INSERT INTO totals VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET number = excluded.number", numbers
    )
