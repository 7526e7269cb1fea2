"""How an indexer gives way to the crawl it follows: it is the last whom the system lets work, and mostly rests.

To be the last is not enough: cores share memory and caches, so whoever works beside a crawl slows it down though nobody
waits for anybody, by nearly as much as it works. Therefore an indexer works a thirtieth of the time while its crawl
runs, and all of the time when nobody crawls or the crawl is paused. What it is behind by then, it catches up.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path

from honeyguide.search.readers import Readers
from honeyguide.store.lock import process_at_work

RESTS = 29.0
"""How many times as long as it has worked it rests, as long as the crawl is at work."""
LOOK_SECONDS = 0.5
"""How soon it is noticed that the crawl has ended, or pauses."""
_LAST = 19


class GivingWay:
    """What an indexer has used of the processor since it last rested."""

    def __init__(self, crawl: Path) -> None:
        self._crawl = crawl
        self._readers = Readers(crawl)
        self._used = time.process_time()

    def rest(self) -> None:
        """Rest for what was done since the last time, all threads together; not if nobody crawls."""
        until = time.monotonic() + RESTS * (time.process_time() - self._used)
        while (left := until - time.monotonic()) > 0 and self._is_crawled():
            time.sleep(min(left, LOOK_SECONDS))
        self._used = time.process_time()

    def _is_crawled(self) -> bool:
        if process_at_work(self._crawl) is None:
            return False
        with self._readers.one() as reader:
            return not reader.is_paused()


def be_last() -> None:
    """Let this process work when nobody else wants to, on disks too; so will threads that it starts."""
    os.nice(_LAST)
    with suppress(OSError, AttributeError):  # a system that knows none of it
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    leader = os.getsid(0)
    if leader == os.getpid() or not Path(f"/proc/{leader}").exists():  # nobody else is in this session
        with suppress(OSError):
            # Linux may share its time among sessions first, and only then among the processes of each.
            Path("/proc/self/autogroup").write_text(str(_LAST), encoding="ascii")
