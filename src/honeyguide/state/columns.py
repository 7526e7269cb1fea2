"""Growing columns: numpy arrays that share one length and are appended to in batches."""

from __future__ import annotations

import ctypes
import mmap
import sys
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

GROWTH = 1.5
FIRST_CAPACITY = 1024
MANY_ROWS = 1 << 17
LARGE_BYTES = 1 << 20
_M_MMAP_THRESHOLD = -3  # of glibc's malloc.h
_NO_HUGE_PAGES = 15  # MADV_NOHUGEPAGE of Linux


class Columns:
    """Named arrays of equal length. `table["name"]` is the live part; it is replaced when the table grows."""

    def __init__(self, **columns: tuple[DTypeLike, float]) -> None:
        self._length = 0
        self._capacity = FIRST_CAPACITY
        self._fill: dict[str, float] = {}
        self._arrays: dict[str, NDArray[Any]] = {}
        for name, (dtype, fill) in columns.items():
            self.declare(name, dtype, fill)

    def declare(self, name: str, dtype: DTypeLike, fill: float) -> None:
        """Add a column; existing rows get the fill value."""
        self._fill[name] = fill
        self._arrays[name] = np.empty(self._capacity, dtype=dtype)
        self._arrays[name][: self._length] = fill

    def __len__(self) -> int:
        return self._length

    def __contains__(self, name: str) -> bool:
        return name in self._arrays

    def __getitem__(self, name: str) -> NDArray[Any]:
        return self._arrays[name][: self._length]

    def names(self) -> list[str]:
        """The declared columns."""
        return list(self._arrays)

    def append(self, count: int, **values: Any) -> slice:
        """Add rows; columns not given get their fill value. Returns where the rows are."""
        start, end = self._length, self._length + count
        if end > self._capacity:
            self._grow(end)
        self._length = end
        for name, array in self._arrays.items():
            array[start:end] = values.get(name, self._fill[name])
        return slice(start, end)

    def _grow(self, needed: int) -> None:
        self._capacity = max(needed, int(self._capacity * GROWTH))
        if self._capacity >= MANY_ROWS:
            _map_large_arrays()
        for name, old in self._arrays.items():
            new = np.empty(self._capacity, dtype=old.dtype)
            if self._capacity >= MANY_ROWS:
                _in_small_pages(new[self._length :])
            new[: self._length] = old[: self._length]
            self._arrays[name] = new
        if self._capacity >= MANY_ROWS:
            _give_back()


@cache
def _map_large_arrays() -> None:
    """Have each large array in pages of its own: room to grow is then no memory, and what is freed is given back.

    Left to itself, glibc takes arrays of up to 32 MB out of memory that others have used before.
    """
    choose = getattr(ctypes.CDLL(None), "mallopt", None)
    if choose:
        choose(_M_MMAP_THRESHOLD, LARGE_BYTES)


def _in_small_pages(room: NDArray[Any]) -> None:
    """Let room to grow be no memory: numpy has large arrays in pages of 2 MB, and one row would take up a whole one."""
    start = -(-room.ctypes.data // mmap.PAGESIZE) * mmap.PAGESIZE
    size = (room.ctypes.data + room.nbytes - start) // mmap.PAGESIZE * mmap.PAGESIZE
    if size >= LARGE_BYTES and sys.platform == "linux":
        ctypes.CDLL(None).madvise(ctypes.c_void_p(start), ctypes.c_size_t(size), _NO_HUGE_PAGES)


def _give_back() -> None:
    """Return to the system what arrays that moved have left; glibc would keep it, a sixth of a large crawl's memory."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim:
        trim(0)
