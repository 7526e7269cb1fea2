"""Harvest rate while the crawl runs: the share of relevant pages, over the last 50, the last 500 and all.

The log has one line every so many pages: time, pages, and the three rates.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path

from honeyguide.store.disk import disk_errors, write_atomically

HEADER = "time\tpages\tharvest_last_50\tharvest_last_500\tharvest_all\n"
SHORT, LONG = 50, 500


class Harvest:
    """Counts relevant pages."""

    def __init__(self, relevant_above: float) -> None:
        self.relevant_above = relevant_above
        self.pages = 0
        self.relevant = 0
        self._recent: deque[bool] = deque(maxlen=LONG)

    def add(self, relevance: float) -> None:
        """Count one page."""
        is_relevant = relevance >= self.relevant_above
        self.pages += 1
        self.relevant += is_relevant
        self._recent.append(is_relevant)

    def last(self, pages: int) -> float:
        """Harvest rate over the last pages (at most 500 are remembered)."""
        recent = list(self._recent)[-pages:]
        return sum(recent) / len(recent) if recent else 0.0

    @property
    def overall(self) -> float:
        """Harvest rate over all pages."""
        return self.relevant / self.pages if self.pages else 0.0


class HarvestLog:
    """Writes the log; on reopening it is made anew from the committed pages, so that it never tells of lost ones."""

    def __init__(
        self, path: Path, harvest: Harvest, every: int, committed: Iterable[tuple[float, float]]
    ) -> None:
        self._harvest = harvest
        self._every = every
        self._path = path
        write_atomically(path, HEADER + "".join(self._lines(committed)))
        with disk_errors(path):
            self._file = path.open("a", encoding="utf-8")

    def add(self, visits: Iterable[tuple[float, float]]) -> None:
        """Count committed pages, each as (time, relevance)."""
        with disk_errors(self._path):
            self._file.writelines(self._lines(visits))
            self._file.flush()

    def _lines(self, visits: Iterable[tuple[float, float]]) -> Iterator[str]:
        harvest = self._harvest
        for time, relevance in visits:
            harvest.add(relevance)
            if harvest.pages % self._every == 0:
                moment = datetime.fromtimestamp(time, UTC).isoformat(timespec="seconds")
                rates = f"{harvest.last(SHORT):.4f}\t{harvest.last(LONG):.4f}\t{harvest.overall:.4f}"
                yield f"{moment}\t{harvest.pages}\t{rates}\n"

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def read_harvest_log(path: Path, most: int = 0) -> list[tuple[int, float, float, float]]:
    """Pages, and the harvest rates of the last 50, the last 500 and all, in each line; nothing if there is no log.

    Of more lines than `most`, if that is given, so many are read, evenly, and the last is always among them.
    """
    with disk_errors(path):
        lines = path.read_text(encoding="utf-8").splitlines()[1:] if path.exists() else []
    if lines and lines[-1].count("\t") < HEADER.count("\t"):
        lines.pop()  # it is being written
    step = max(1, -(-len(lines) // most)) if most else 1
    columns = (line.split("\t") for line in lines[::-1][::step][::-1])
    return [
        (int(row[1]), float(row[2]), float(row[3]), float(row[4]))
        for row in columns
        if len(row) == HEADER.count("\t") + 1
    ]
