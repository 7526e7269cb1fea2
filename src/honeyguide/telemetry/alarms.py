"""Alarms, as the 1999 paper wished for: the crawl brings less and less, or drifts off its topic for good."""

from __future__ import annotations

from collections import deque

WINDOW_PAGES = 500
FALLEN_TO = 0.25
"""An alarm rings when a rate has fallen below this share of its best."""


class Alarms:
    """Watches harvest and acquisition; each alarm rings once, and again only after a recovery."""

    def __init__(self) -> None:
        self._best_harvest = 0.0
        self._best_rate = 0.0
        self._marks: deque[tuple[int, float]] = deque()  # (pages, seconds) over the last window
        self._ringing: set[str] = set()

    def note(self, pages: int, harvest_last_500: float, seconds: float) -> list[str]:
        """The alarms that begin to ring with this progress."""
        self._marks.append((pages, seconds))
        while len(self._marks) > 1 and pages - self._marks[1][0] >= WINDOW_PAGES:
            self._marks.popleft()
        fetched, took = pages - self._marks[0][0], seconds - self._marks[0][1]
        if fetched < WINDOW_PAGES or took <= 0:
            return []
        rate = fetched / took
        self._best_harvest = max(self._best_harvest, harvest_last_500)
        self._best_rate = max(self._best_rate, rate)
        return [
            *self._check(
                "relevance",
                harvest_last_500 < FALLEN_TO * self._best_harvest,
                f"harvest rate over the last {WINDOW_PAGES} pages is {harvest_last_500:.1%}, its best was "
                f"{self._best_harvest:.1%}: the crawl drifts off its topic; see `honeyguide top`, add seeds or stop",
            ),
            *self._check(
                "acquisition",
                rate < FALLEN_TO * self._best_rate,
                f"{rate:.1f} pages/s over the last {WINDOW_PAGES} pages, the best was {self._best_rate:.1f}: few hosts "
                f"are left or they answer slowly",
            ),
        ]

    def _check(self, name: str, is_bad: bool, message: str) -> list[str]:
        if not is_bad:
            self._ringing.discard(name)
            return []
        if name in self._ringing:
            return []
        self._ringing.add(name)
        return [message]
