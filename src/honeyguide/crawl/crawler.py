"""The loop: acquire, fetch, absorb, commit, until there is a reason to stop.

Async stops at the fetcher: everything after it is plain synchronous code over one batch of pages.
"""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from enum import StrEnum
from typing import Self

from honeyguide.crawl.absorb import Absorber, Sorted
from honeyguide.crawl.control import Control, Wish
from honeyguide.crawl.downloads import Arrival, Downloads
from honeyguide.crawl.frontier import Frontier
from honeyguide.crawl.metrics import serve_metrics
from honeyguide.crawl.prepare import Prepared, Preparer
from honeyguide.crawl.reading import Reading
from honeyguide.crawl.reporter import Progress, Reporter
from honeyguide.crawl.state import State
from honeyguide.crawl.traps import HostYield
from honeyguide.errors import DiskFull, HoneyguideError
from honeyguide.fetch.base import Fetcher
from honeyguide.settings import CrawlOrder
from honeyguide.store.archive import PageArchive
from honeyguide.store.base import Batch, Store

LONGEST_SLEEP_SECONDS = 1.0
SHORTEST_SLEEP_SECONDS = 0.005
MOST_UNREAD = 128
MOST_UNDER_WAY = 1_000
"""With those that wait for their host, which has just been asked for its robots.txt."""


class StopReason(StrEnum):
    """Why a crawl ended."""

    PAGE_LIMIT = "page_limit"
    TIME_LIMIT = "time_limit"
    FAILURE_LIMIT = "failure_limit"
    FRONTIER_EMPTY = "frontier_empty"
    ROBOTS_BLOCKED_ALL = "robots_blocked_all"
    STOPPED_BY_USER = "stopped_by_user"
    DISK_FULL = "disk_full"


class Crawler:
    """One crawl from here to its stop reason. Made by `honeyguide.assembly`."""

    def __init__(
        self,
        *,
        order: CrawlOrder,
        seeds: Sequence[str],
        state: State,
        frontier: Frontier,
        fetcher: Fetcher,
        preparer: Preparer,
        absorber: Absorber,
        store: Store,
        reporter: Reporter,
        control: Control,
        archive: PageArchive | None,
        yields: HostYield,
        batch: int,
        is_live: bool,
    ) -> None:
        self.order = order
        self.state = state
        self.frontier = frontier
        self.harvest = reporter.harvest
        self._seeds = seeds
        self._fetcher = fetcher
        self._preparer = preparer
        self._absorber = absorber
        self._store = store
        self._reporter = reporter
        self._control = control
        self._archive = archive
        self._batch = batch
        self._is_live = is_live
        self._is_stopping = False
        self._has_run = False
        self._started = time.monotonic()
        self._downloads = Downloads(state, frontier, fetcher, store, yields)

    def stop(self) -> None:
        """Ask for a graceful stop: what is under way is finished and committed."""
        self._is_stopping = True

    def run(self, on_progress: Callable[[Progress], None] = lambda progress: None) -> StopReason:
        """Crawl until there is a reason to stop. To go on after that, open the crawl again."""
        if self._has_run:
            raise HoneyguideError("a crawler runs once; open the crawl again to go on with it")
        self._has_run = True
        self._started = time.monotonic()
        try:
            with _rare_collections():
                return asyncio.run(self._run(on_progress))
        except DiskFull:
            return StopReason.DISK_FULL

    async def _run(self, on_progress: Callable[[Progress], None]) -> StopReason:
        self._control.forget(*Wish)
        crawl = self._crawl_live if self._is_live else self._crawl_recorded
        port = self.order.output.metrics_port
        metrics = await serve_metrics(port, lambda: self.progress().numbers()) if port else None
        try:
            if len(self.state) == 0:
                self._commit(self._absorber.plant(self._seeds))
            return await crawl(on_progress)
        finally:
            await self._fetcher.close()
            if metrics:
                await metrics.cleanup()

    async def _crawl_recorded(self, on_progress: Callable[[Progress], None]) -> StopReason:
        """Batch by batch, each taken in whole before the next is chosen: the same crawl every time."""
        while (reason := self._stop_reason()) is None:
            if self._control.is_asked(Wish.PAUSE):
                await asyncio.sleep(LONGEST_SLEEP_SECONDS)
                continue
            arrivals = await self._downloads.batch(self._room(self._batch))
            if not arrivals:
                if self._refilled():
                    continue
                return self._nothing_left()
            arrived = self._absorber.sort(arrivals)
            self._take_in(arrived, self._preparer.prepare(arrived.responses()))
            on_progress(self._reporter.with_alarms(self.progress()))
        return reason

    async def _crawl_live(self, on_progress: Callable[[Progress], None]) -> StopReason:
        """Without a barrier: requests stay under way while pages that have arrived are read beside them.

        Batches find their own size: whatever arrives while others are being read is the next one.
        """
        reading = Reading(self._preparer, self.order.fetch.workers)
        arrivals: list[Arrival] = []
        try:
            while True:
                reason = self._stop_reason()
                is_paused = self._control.is_asked(Wish.PAUSE)
                if reason is None and not is_paused:
                    room = self._room(self.order.fetch.in_flight, len(arrivals) + reading.pages)
                    # Pages that wait to be read are memory, and what they say comes too late to steer.
                    self._downloads.start(min(room, MOST_UNREAD - len(arrivals)))
                while arrivals and reading.has_room():
                    reading.start(self._absorber.sort(arrivals[: reading.largest_batch]))
                    del arrivals[: reading.largest_batch]
                if not reading.oldest() and not self._downloads.under_way:
                    if reason is not None:
                        return reason
                    if self.frontier.seconds_until_ready(time.time()) is None and not is_paused:
                        if self._refilled():
                            continue
                        return self._nothing_left()
                arrivals += await self._downloads.some(reading.oldest(), self._patience())
                if read := reading.take():
                    self._take_in(*read)
                    on_progress(self._reporter.with_alarms(self.progress()))
        finally:
            reading.close()

    def _patience(self) -> float:
        """How long to wait for an arrival before looking for a host that has rested enough."""
        ready = self.frontier.seconds_until_ready(time.time())
        wanted = LONGEST_SLEEP_SECONDS if ready is None else ready
        return min(max(wanted, SHORTEST_SLEEP_SECONDS), LONGEST_SLEEP_SECONDS)

    def _refilled(self) -> bool:
        self._commit(self._absorber.refill())
        return len(self.frontier) > 0

    def _nothing_left(self) -> StopReason:
        report = self._reporter
        if not self.harvest.pages and report.failures and report.robots_denied == report.failures:
            return StopReason.ROBOTS_BLOCKED_ALL
        return StopReason.FRONTIER_EMPTY

    def _stop_reason(self) -> StopReason | None:
        limits = self.order.limits
        if self._is_stopping or self._control.is_asked(Wish.STOP):
            return StopReason.STOPPED_BY_USER
        if limits.max_pages and self.harvest.pages >= limits.max_pages:
            return StopReason.PAGE_LIMIT
        if limits.max_failures and self._reporter.failures >= limits.max_failures:
            return StopReason.FAILURE_LIMIT
        if limits.max_seconds and time.monotonic() - self._started >= limits.max_seconds:
            return StopReason.TIME_LIMIT
        return None

    def _room(self, most: int, waiting: int = 0) -> int:
        """How many urls more may be handed out, so that the page limit is met exactly."""
        under_way = len(self._downloads.under_way)
        limit = self.order.limits.max_pages
        left = limit - self.harvest.pages - under_way - waiting if limit else most
        return min(most - self._downloads.on_the_wire(), MOST_UNDER_WAY - under_way, left)

    def _take_in(self, arrived: Sorted, prepared: Sequence[Prepared]) -> None:
        if self.order.fetch.sitemaps:
            self._absorber.take_sitemaps(self._fetcher.take_sitemaps())
        self._commit(self._absorber.absorb(arrived, prepared, pages_before=self.harvest.pages))

    def _commit(self, batch: Batch) -> None:
        batch = replace(
            batch, rests=self._downloads.take_rests(), host_records=self._fetcher.take_host_records()
        )
        self._store.commit(batch, self.state)
        if self._archive:
            self._archive.flush()
        self._reporter.committed(batch)

    def progress(self) -> Progress:
        """Where the crawl stands."""
        return self._reporter.progress(len(self.frontier), len(self._downloads.under_way))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Release the crawl's folder."""
        with ExitStack() as everything:  # each is closed, whatever goes wrong with the others
            everything.callback(self._store.close)
            if self._archive:
                everything.callback(self._archive.close)
            everything.callback(self._reporter.close)
            if not self._has_run:
                everything.callback(lambda: asyncio.run(self._fetcher.close()))


@contextmanager
def _rare_collections() -> Iterator[None]:
    """A crawl makes very many short-lived objects and hardly a cycle: looking for cycles less often saves 5 %."""
    usual = gc.get_threshold()
    gc.set_threshold(50_000, 20, 50)
    try:
        yield
    finally:
        gc.set_threshold(*usual)
