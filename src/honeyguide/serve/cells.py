"""Every page of a crawl as dots on a grid: pages in the order they came against their relevance.

A cell knows how many pages fell on it and the newest of them, so a million visits cost what a thousand cost, and no
rare page is lost as it might be in a sample. The grid is kept in memory and grows by the new visits alone; when it is
full to the right, neighboring columns become one. Pages that are judged again move, a little later where there are
many. Copies of earlier pages are no dots: they count for nothing.

As binary columns (`HGG1`), little-endian: 4 bytes magic, then uint32 number of cells, pages to a column, last visit;
uint32 number of columns, number of rows, mark, 0; float64 time of the last visit of each column; then of each cell
uint32 place (column times rows plus row), uint32 pages, uint32 newest visit. Cells without a visit after `since` are
left out: a cell has changed if and only if its newest visit has. Another mark or other pages to a column: ask for all
of it again.
"""

from __future__ import annotations

import struct
import threading
import time
from weakref import WeakKeyDictionary

import numpy as np

from honeyguide.crawls import Crawl
from honeyguide.store.reader import Reader

MAGIC = b"HGG1"
COLUMNS, ROWS = 512, 50
REST_SHARE = 20.0
"""While pages are judged again, all of the grid is made anew after so many times as long as it took."""
_HEADER = struct.Struct("<4sIIIIIII")


class Grid:
    """The dots of one crawl."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._anew_after = 0.0
        self._begin(0)

    def _begin(self, mark: int) -> None:
        self._mark = mark  # how often pages were judged again, which moves dots
        self._width, self._last = 1, 0
        self._pages = np.zeros((COLUMNS, ROWS), dtype=np.uint32)
        self._newest = np.zeros((COLUMNS, ROWS), dtype=np.uint32)
        self._times: list[float] = []  # of the last visits of columns that are full

    def grow(self, reader: Reader) -> None:
        """Take in what is new since somebody last asked."""
        with self._guard:
            began, last = time.monotonic(), reader.last_number()
            mark = (len(reader.revisions()) + reader.judged_again()[1]) % 2**32
            is_anew = last < self._last or (mark != self._mark and began >= self._anew_after)
            if is_anew:
                self._begin(mark)
            while last > COLUMNS * self._width:
                self._halve()
            if last > self._last:
                self._add(reader, last)
            if is_anew:
                self._anew_after = began + REST_SHARE * (time.monotonic() - began)

    def cells(self, reader: Reader, since: int) -> bytes:
        """What has changed since a visit, as of when it last grew."""
        with self._guard:
            return self._packed(reader, since)

    def _halve(self) -> None:
        """Two columns become one."""
        for grid, join in ((self._pages, np.add), (self._newest, np.maximum)):
            grid[: COLUMNS // 2] = join(grid[::2], grid[1::2])
            grid[COLUMNS // 2 :] = 0
        self._width *= 2
        self._times = self._times[1::2]

    def _add(self, reader: Reader, last: int) -> None:
        for column, row, pages, newest in reader.cells(self._last, last, self._width, ROWS):
            self._pages[column, row] += pages
            self._newest[column, row] = newest
        self._last = last

    def _packed(self, reader: Reader, since: int) -> bytes:
        columns = -(-self._last // self._width)
        ends = [min((column + 1) * self._width, self._last) for column in range(len(self._times), columns)]
        times = np.array([*self._times, *(time for _, time, _ in reader.judged(ends))], dtype="<f8")
        self._times = times[: self._last // self._width].tolist()
        flat = self._newest.ravel()
        places = np.flatnonzero(flat > min(since, 2**32 - 1))
        head = _HEADER.pack(MAGIC, len(places), self._width, self._last, len(times), ROWS, self._mark, 0)
        parts = (places, self._pages.ravel()[places], flat[places])
        return head + times.tobytes() + b"".join(part.astype("<u4").tobytes() for part in parts)


class Grids:
    """Those of all crawls that are open; gone with them."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._known: WeakKeyDictionary[Crawl, Grid] = WeakKeyDictionary()

    def of(self, crawl: Crawl) -> Grid:
        """The dots of a crawl."""
        with self._guard:
            return self._known.setdefault(crawl, Grid())
