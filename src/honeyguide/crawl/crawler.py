"""The loop: acquire, fetch, absorb, commit, until there is a reason to stop.

Async stops at the fetcher: everything after it is plain synchronous code over one batch of pages.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Self

from honeyguide.crawl.absorb import Absorber, Arrival
from honeyguide.crawl.frontier import Frontier
from honeyguide.crawl.harvest import Harvest, HarvestLog
from honeyguide.crawl.state import State
from honeyguide.errors import DiskFull, FetchError
from honeyguide.fetch.base import Fetcher
from honeyguide.model import Ids
from honeyguide.settings import CrawlOrder
from honeyguide.store.archive import PageArchive
from honeyguide.store.base import Batch, Store

LONGEST_SLEEP_SECONDS = 1.0


class StopReason(StrEnum):
    """Why a crawl ended."""

    PAGE_LIMIT = "page_limit"
    TIME_LIMIT = "time_limit"
    FAILURE_LIMIT = "failure_limit"
    FRONTIER_EMPTY = "frontier_empty"
    STOPPED_BY_USER = "stopped_by_user"
    DISK_FULL = "disk_full"


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a crawl stands after a batch."""

    pages: int
    relevant: int
    harvest_last_50: float
    harvest_last_500: float
    harvest_all: float
    failures: int
    queued: int
    known: int
    seconds: float


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
        absorber: Absorber,
        store: Store,
        harvest: Harvest,
        harvest_log: HarvestLog,
        archive: PageArchive | None,
        batch: int,
    ) -> None:
        self.order = order
        self.state = state
        self.frontier = frontier
        self.harvest = harvest
        self._seeds = seeds
        self._fetcher = fetcher
        self._absorber = absorber
        self._store = store
        self._harvest_log = harvest_log
        self._archive = archive
        self._batch = batch
        self._failures = store.failures()
        self._is_stopping = False
        self._started = time.monotonic()

    def stop(self) -> None:
        """Ask for a graceful stop: what is under way is finished and committed."""
        self._is_stopping = True

    def run(self, on_progress: Callable[[Progress], None] = lambda progress: None) -> StopReason:
        """Crawl until there is a reason to stop. May be called again, with other limits, after it returns."""
        self._started = time.monotonic()
        try:
            return asyncio.run(self._run(on_progress))
        except DiskFull:
            return StopReason.DISK_FULL

    async def _run(self, on_progress: Callable[[Progress], None]) -> StopReason:
        if len(self.state) == 0:
            self._commit(self._absorber.plant(self._seeds))
        while (reason := self._stop_reason()) is None:
            ids = self.frontier.acquire(self._room(), time.time())
            if not len(ids):
                wait = self.frontier.seconds_until_ready(time.time())
                if wait is None:
                    return StopReason.FRONTIER_EMPTY
                await asyncio.sleep(min(wait, LONGEST_SLEEP_SECONDS))
                continue
            self._absorb(await self._fetch(ids))
            on_progress(self.progress())
        return reason

    def _stop_reason(self) -> StopReason | None:
        limits = self.order.limits
        if self._is_stopping:
            return StopReason.STOPPED_BY_USER
        if limits.max_pages and self.harvest.pages >= limits.max_pages:
            return StopReason.PAGE_LIMIT
        if limits.max_failures and self._failures >= limits.max_failures:
            return StopReason.FAILURE_LIMIT
        if limits.max_seconds and time.monotonic() - self._started >= limits.max_seconds:
            return StopReason.TIME_LIMIT
        return None

    def _room(self) -> int:
        limit = self.order.limits.max_pages
        return min(self._batch, limit - self.harvest.pages) if limit else self._batch

    async def _fetch(self, ids: Ids) -> list[Arrival]:
        urls = self._store.url_texts(ids)
        return await asyncio.gather(*map(self._fetch_one, ids.tolist(), urls))

    async def _fetch_one(self, url_id: int, url: str) -> Arrival:
        try:
            return Arrival(url_id, url, await self._fetcher.fetch(url), time.time())
        except FetchError as error:
            return Arrival(url_id, url, error, time.time())

    def _absorb(self, arrivals: Sequence[Arrival]) -> None:
        batch = self._absorber.absorb(arrivals, pages_before=self.harvest.pages)
        for arrival in arrivals:
            self.frontier.release(arrival.url_id, arrival.time + self.order.politeness.delay_seconds)
        self._commit(batch)

    def _commit(self, batch: Batch) -> None:
        self._store.commit(batch, self.state)
        self._failures += len(batch.failures)
        self._harvest_log.add((visit.time, visit.relevance) for visit in batch.visits)

    def progress(self) -> Progress:
        """Where the crawl stands."""
        harvest = self.harvest
        return Progress(
            pages=harvest.pages,
            relevant=harvest.relevant,
            harvest_last_50=harvest.last(50),
            harvest_last_500=harvest.last(500),
            harvest_all=harvest.overall,
            failures=self._failures,
            queued=len(self.frontier),
            known=len(self.state),
            seconds=time.monotonic() - self._started,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Release the crawl's folder."""
        asyncio.run(self._fetcher.close())
        self._harvest_log.close()
        if self._archive:
            self._archive.close()
        self._store.close()
