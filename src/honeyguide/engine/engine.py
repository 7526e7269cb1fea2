"""The loop: acquire, fetch, read, take in, commit, until there is a reason to stop.

Async stops at the fetcher: everything after it is plain synchronous code over one batch of pages.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from typing import Self

import numpy as np

from honeyguide import clock
from honeyguide.engine import running
from honeyguide.engine.arrival import Arrival, Arrivals
from honeyguide.engine.downloads import Downloads
from honeyguide.engine.guidance import Guidance
from honeyguide.engine.inbox import Controls, Inbox
from honeyguide.engine.memory import Memory
from honeyguide.engine.prepare import Around, Preparer
from honeyguide.engine.reading import Reading
from honeyguide.engine.rereading import Rereading
from honeyguide.engine.running import StopReason, limit_reached, rare_collections, run_in_loop
from honeyguide.engine.storing import Storing
from honeyguide.engine.worker import Read
from honeyguide.errors import DiskFull, HoneyguideError
from honeyguide.fetch.base import Fetcher
from honeyguide.model import ROOT, Response
from honeyguide.settings import CrawlOrder
from honeyguide.store.base import Post, Store
from honeyguide.telemetry.metrics import serve_metrics
from honeyguide.telemetry.reporter import Progress, Reporter

OnProgress = Callable[[Progress], None]
Counted = Callable[[int, int], None]
"""Called with how many are done, and of how many."""


def _nobody_looks(progress: Progress) -> None:
    pass


def _nobody_counts(done: int, number: int) -> None:
    pass


class Engine(Storing):
    """One run of a crawl, from here to its stop reason. Made by `honeyguide.assembly`."""

    _around = Around.WORDS  # of links, in a recorded web

    def __init__(
        self,
        *,
        controls: Controls,
        seeds: Sequence[str],
        memory: Memory,
        remember: Callable[[], Memory],
        fetcher: Fetcher,
        preparer: Preparer,
        guidance: Guidance,
        rereading: Rereading,
        store: Store,
        reporter: Reporter,
        batch: int,
    ) -> None:
        self.last_unreadable = ""
        """The last page that could not be read or stored, and why."""
        self.harvest = reporter.harvest
        self._seeds = seeds
        self._fetcher = fetcher
        self._preparer = preparer
        self._guidance = guidance
        self._rereading = rereading
        self._remember = remember
        self._memory = memory
        self._store = store
        self._reporter = reporter
        self._controls = controls
        self._inbox = Inbox(store, controls)
        self._batch = batch
        self._has_run = False
        self._started = time.monotonic()
        self._pages_before = reporter.harvest.pages
        self._failures_before = reporter.failures
        self._unreadable, self._stop_at = 0, 0.0
        self._in_hand = 0  # pages that were brought and are not taken in yet
        self._refilled_after = -1  # requests
        self._trust: dict[int, int] = {}  # of hosts, and what the fetcher knows of them, to be stored
        self._host_records: dict[str, str] = {}
        self._downloads = Downloads(memory.state, memory.frontier, fetcher, store, memory.yields)

    @property
    def order(self) -> CrawlOrder:
        """What the crawl was told, with the limits that were changed since."""
        return self._controls.order

    @property
    def seeds(self) -> int:
        """How many urls of the crawl were given."""
        return int(np.count_nonzero(self._memory.state.urls["via"] == ROOT)) - 1  # the root is its own

    def stop(self) -> None:
        """Ask for a graceful stop: what is under way is finished and committed."""
        self._controls.is_stopping = True

    def run(
        self, on_progress: OnProgress = _nobody_looks, limits: Mapping[str, object] | None = None
    ) -> StopReason:
        """Crawl until there is a reason to stop. To go on after that, open the crawl again.

        Limits given here are newer than any that wait in the inbox, and hold for later runs.
        """
        if self._has_run:
            raise HoneyguideError("an engine runs once; open the crawl again to go on with it")
        with rare_collections():
            return run_in_loop(self.crawl(on_progress, limits))

    async def crawl(
        self, on_progress: OnProgress = _nobody_looks, limits: Mapping[str, object] | None = None
    ) -> StopReason:
        """The same for whoever has more to do meanwhile."""
        self._has_run = True
        self._started = time.monotonic()
        try:
            return await self._run(on_progress, limits or {})
        except DiskFull:
            return StopReason.DISK_FULL

    def judge_again(self, on_progress: Counted = _nobody_counts) -> int:
        """Obey what waits, and judge all pages anew that a former revision has judged; gives their number."""
        self._has_run = True
        with rare_collections():
            return asyncio.run(self._judge_all_again(on_progress))

    async def _judge_all_again(self, on_progress: Counted) -> int:
        try:
            for post in self._inbox.backlog():
                self._obey(post)
            self._follow_topic()
            return await self._judge_rest_again(on_progress)
        finally:
            await self._fetcher.close()

    async def _judge_rest_again(self, on_progress: Counted = _nobody_counts) -> int:
        number = len(self._rereading)
        while self._rereading and not self._controls.is_stopping:
            self._take_again(await self._rereading.some(self._preparer, self._read_here))
            on_progress(number - len(self._rereading), number)
        return number - len(self._rereading)

    async def _run(self, on_progress: OnProgress, limits: Mapping[str, object]) -> StopReason:
        crawl = self._crawl_live if self._fetcher.is_live else self._crawl_recorded
        port = self.order.output.metrics_port
        metrics = await serve_metrics(port, lambda: self.progress().numbers()) if port else None
        try:
            ingest = self._memory.ingest
            begun = ingest.nothing() if len(self._memory.state) else ingest.plant(self._seeds)
            self._commit(replace(begun, is_paused=False))
            for post in self._inbox.backlog():
                self._obey(post)
            if limits:
                self._controls.set_limits(limits)
            reason = await crawl(on_progress)
            if reason in (StopReason.PAGE_LIMIT, StopReason.REQUEST_LIMIT, StopReason.FRONTIER_EMPTY):
                await self._judge_rest_again()
            return reason
        finally:
            await self._fetcher.close()
            if metrics:
                await metrics.cleanup()

    async def _crawl_recorded(self, on_progress: OnProgress) -> StopReason:
        """Batch by batch, each taken in whole before the next is chosen: the same crawl every time."""
        while (reason := self._stop_reason()) is None:
            self._follow_topic()
            if self._rereading:
                self._take_again(await self._rereading.some(self._preparer, self._read_here))
            if self._controls.is_paused:
                await asyncio.sleep(running.LONGEST_SLEEP_SECONDS)
                continue
            self._keep_fresh()
            self._fetcher.turn_to(self._memory.keeping.now())
            arrivals = await self._downloads.batch(self._room(self._batch))
            self._memory.keeping.date(arrivals)
            if not arrivals:
                if self._refilled() or self._keep_fresh(is_idle=True) or await self._waited():
                    continue
                return self._nothing_left()
            arrived = self._sorted(arrivals)
            self._take_in(arrived.after_reading(self._preparer.prepare(arrived.responses(), self._around)))
            on_progress(self._reporter.with_alarms(self.progress()))
            await asyncio.sleep(0)  # so that Ctrl-C is heard, which ends whatever awaits
        return reason

    def _keep_fresh(self, *, is_idle: bool = False) -> bool:
        """Queue what is worth asking for again; gives whether the crawl goes on, though perhaps it only sleeps."""
        wanted = self._memory.keeping.wanted(is_idle=is_idle)
        if len(wanted):
            self._commit(self._memory.ingest.refill(wanted))
        return len(wanted) > 0 or (is_idle and self._memory.keeping.sleep())

    async def _crawl_live(self, on_progress: OnProgress) -> StopReason:
        """Without a barrier: requests stay under way while pages that have arrived are read beside them.

        Batches find their own size: whatever arrives while others are being read is the next one.
        """
        fetch = self.order.fetch
        reading = Reading(self._preparer, fetch.workers, self.order.limits.max_parse_seconds)
        arrivals: list[Arrival] = []
        try:
            while not self._must_end(reason := self._stop_reason()):
                self._follow_topic(reading)
                is_paused = self._controls.is_paused
                if reason is None and not is_paused:
                    self._keep_fresh()
                    room = self._room(fetch.in_flight, len(arrivals) + reading.pages)
                    # Pages that wait to be read are memory, and what they say comes too late to steer.
                    self._downloads.start(min(room, running.MOST_UNREAD - len(arrivals)))
                self._read_ahead(arrivals, reading)
                self._in_hand = len(arrivals) + reading.pages
                if not reading.oldest() and not self._downloads.under_way:
                    if reason is not None:
                        break
                    is_idle = self._seconds_until_ready() is None and not is_paused
                    goes_on = not is_idle or self._refilled() or self._keep_fresh(is_idle=True)
                    if not (goes_on or await self._waited()):
                        return self._nothing_left()
                self._take_again(self._rereading.take())
                again = self._rereading.beside(self._preparer, reading.read) if reason is None else []
                arrivals += await self._downloads.some([*reading.oldest(), *again], self._patience())
                if read := reading.take():
                    self._in_hand = len(arrivals) + reading.pages
                    self._take_in(read)
                    on_progress(self._reporter.with_alarms(self.progress()))
            assert reason is not None
            return reason
        finally:
            self._rereading.cancel()
            await reading.close()
            await self._downloads.cancel()

    def _follow_topic(self, reading: Reading | None = None) -> None:
        """Have everything guided by the revision that is in use now."""
        guidance = self._guidance
        if self._preparer.revision != guidance.revision:
            self._preparer = self._preparer.revised(guidance.topic, guidance.revision)
            if reading:
                reading.turn_to(self._preparer)
        if self._rereading.revision != guidance.revision:
            self._rereading.turn_to(guidance.revision)
        self.harvest.relevant_above = guidance.relevant_above

    async def _read_here(self, responses: Sequence[Response]) -> Read:
        return self._preparer.prepare(responses, Around.KEPT)

    def _must_end(self, reason: StopReason | None) -> bool:
        """Whether there is a reason to stop, and what is under way has had its time to end."""
        if reason is None:
            return False
        self._stop_at = self._stop_at or time.monotonic() + running.STOP_SECONDS
        return time.monotonic() >= self._stop_at

    def _read_ahead(self, arrivals: list[Arrival], reading: Reading) -> None:
        while arrivals and reading.has_room():
            reading.start(self._sorted(reading.next_batch(arrivals)))

    def _sorted(self, arrivals: Sequence[Arrival]) -> Arrivals:
        return Arrivals.sorted(arrivals, self.order.limits.max_page_bytes)

    def _patience(self) -> float:
        """How long to wait for an arrival before looking for a host that has rested enough."""
        ready = self._seconds_until_ready()
        wanted = running.LONGEST_SLEEP_SECONDS if ready is None else ready
        return min(max(wanted, running.SHORTEST_SLEEP_SECONDS), running.LONGEST_SLEEP_SECONDS)

    def _seconds_until_ready(self) -> float | None:
        return self._memory.frontier.seconds_until_ready(clock.now())

    def _refilled(self) -> bool:
        if self._refilled_after == self._reporter.requests:
            return False  # a crawl that sleeps need not think again and again
        self._refilled_after = self._reporter.requests
        self._commit(self._memory.ingest.refill())
        return len(self._memory.frontier) > 0

    async def _waited(self) -> bool:
        """Wait for what others may bring; false if there is nobody."""
        return False

    def _nothing_left(self) -> StopReason:
        report = self._reporter
        if self._unreadable and self.harvest.pages == self._pages_before:
            raise self._nothing_is_readable()
        if not self.harvest.pages and report.failures and report.robots_denied == report.failures:
            return StopReason.ROBOTS_BLOCKED_ALL
        return StopReason.FRONTIER_EMPTY

    def _posts(self) -> list[Post]:
        """Commands that wait."""
        return self._inbox.posts()

    def _stop_reason(self) -> StopReason | None:
        for post in self._posts():
            self._obey(post)
        limits = self.order.limits
        if self._controls.is_stopping:
            return StopReason.STOPPED_BY_USER
        reached = limit_reached(
            (StopReason.PAGE_LIMIT, self._reporter.pages, limits.max_pages),
            (StopReason.REQUEST_LIMIT, self._reporter.requests, limits.max_requests),
            (StopReason.FAILURE_LIMIT, self._reporter.failures, limits.max_failures),
            (StopReason.TIME_LIMIT, time.monotonic() - self._started, limits.max_seconds),
        )
        return reached or (StopReason.NO_ANSWER if self._is_alone() else None)

    def _is_alone(self) -> bool:
        """Whether everybody who was asked in this run kept silent, or could not be reached."""
        is_late = time.monotonic() - self._started >= running.NO_ANSWER_SECONDS
        has_failed = self._reporter.failures > self._failures_before
        return self._fetcher.is_live and is_late and has_failed and not self._downloads.has_answer

    def _room(self, most: int, waiting: int = 0) -> int:
        """How many urls more may be handed out, so that limits of pages and requests are met exactly."""
        under_way = len(self._downloads.under_way)
        limits = self.order.limits
        counted = ((limits.max_pages, self._reporter.pages), (limits.max_requests, self._reporter.requests))
        left = [limit - so_far - under_way - waiting for limit, so_far in counted if limit]
        return min(most - self._downloads.on_the_wire(), running.MOST_UNDER_WAY - under_way, *left)

    def progress(self) -> Progress:
        """Where the crawl stands."""
        memory = self._memory
        return self._reporter.progress(
            queued=len(memory.frontier), known=len(memory.state), under_way=len(self._downloads.under_way)
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Release the crawl's folder."""
        with ExitStack() as everything:  # each is closed, whatever goes wrong with the others
            everything.callback(self._store.close)
            if self._memory.archive:
                everything.callback(self._memory.archive.close)
            everything.callback(self._reporter.close)
            everything.callback(self._rereading.close)
            if not self._has_run:
                everything.callback(lambda: asyncio.run(self._fetcher.close()))
