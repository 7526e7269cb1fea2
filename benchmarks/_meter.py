"""Measures a crawl from inside, the same way for every crawler: pages, time, and what its processes use.

Needs nothing but the standard library, as crawlers with libraries of their own use it.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

_TICKS = os.sysconf("SC_CLK_TCK")
_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")


class Sample(NamedTuple):
    """Where a crawl stood at one moment."""

    pages: int
    time: float
    cpu_seconds: float
    main_cpu_seconds: float  # of the process that asked, without those it started
    resident_bytes: int


class Meter:
    """Compares the end of a crawl with the moment when it was warm."""

    def __init__(self, warm_after: int) -> None:
        self.pages = 0
        self._warm_after = warm_after
        self._start: Sample | None = None
        self._end: Sample | None = None
        self._peak = 0

    def count(self, pages: int) -> None:
        """Tell how many pages there are now."""
        self.pages = pages
        if self._start is None and pages >= self._warm_after:
            self._start = _sample(pages)

    def end(self) -> None:
        """The crawl ends here unless told again; what it does after that is not measured."""
        self._end = _sample(self.pages)
        self._peak = max(self._peak, self._end.resident_bytes)

    def print(self) -> None:
        """Print what was measured, as JSON for `read_result`."""
        end = self._end or _sample(self.pages)
        start = self._start or end
        thousands = max(end.pages - start.pages, 1) / 1000
        result = Result(
            pages=end.pages,
            pages_per_s=(end.pages - start.pages) / max(end.time - start.time, 1e-9),
            cpu_per_1000=(end.cpu_seconds - start.cpu_seconds) / thousands,
            main_cpu_per_1000=(end.main_cpu_seconds - start.main_cpu_seconds) / thousands,
            rss_mb=max(self._peak, end.resident_bytes) / 1e6,
        )
        print(json.dumps(result._asdict()))


class Result(NamedTuple):
    """What a meter printed."""

    pages: int
    pages_per_s: float
    cpu_per_1000: float
    main_cpu_per_1000: float  # of that by the process that fetches and ranks; the others read pages
    rss_mb: float  # the most that was seen


def read_result(output: str) -> Result | None:
    """The last line of a crawler's output; None if it did not get that far."""
    with suppress(ValueError, TypeError, IndexError):
        return Result(**json.loads(output.splitlines()[-1]))
    return None


def _sample(pages: int) -> Sample:
    usages = [usage for pid in family(os.getpid()) if (usage := _usage(pid))]
    return Sample(
        pages,
        time.perf_counter(),
        cpu_seconds=sum(cpu for cpu, _ in usages),
        main_cpu_seconds=usages[0][0],
        resident_bytes=sum(resident for _, resident in usages),
    )


def family_seconds(pid: int) -> float:
    """Processor seconds of a process and of those it has started that live."""
    return sum(usage[0] for one in family(pid) if (usage := _usage(one)))


def family(pid: int) -> Iterator[int]:
    """A process, and those it has started that live."""
    yield pid
    for tasks in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(OSError):
            for child in tasks.read_text().split():
                yield from family(int(child))


def _usage(pid: int) -> tuple[float, int] | None:
    """Processor seconds and resident bytes of a process; None if it has ended."""
    with suppress(OSError):
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / _TICKS, int(fields[21]) * _PAGE_BYTES
    return None
