"""Batches of arrivals whose pages are being read and judged, while others are still being fetched."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence

from honeyguide.crawl.absorb import Sorted
from honeyguide.crawl.prepare import Prepared, Preparer
from honeyguide.crawl.worker import Worker
from honeyguide.model import Response

LARGEST_BATCH = 48
LARGEST_BATCH_HERE = 32
"""Pages read in this process keep answers of hosts waiting meanwhile."""

BATCHES_AHEAD = 3
"""Of each worker: one that it reads, one that waits for it, one that waits to be taken."""


class Reading:
    """Has batches read by workers, or here where there are none; the oldest batch is taken first."""

    def __init__(self, preparer: Preparer, workers: int) -> None:
        self.largest_batch = LARGEST_BATCH if workers else LARGEST_BATCH_HERE
        self._preparer = preparer
        self._workers = [Worker(preparer) for _ in range(workers)]
        self._most_batches = BATCHES_AHEAD * workers or 1
        self._started = 0
        self._batches: deque[tuple[Sorted, asyncio.Task[list[Prepared]]]] = deque()

    @property
    def pages(self) -> int:
        """How many pages are being read."""
        return sum(len(arrived.pages) for arrived, _ in self._batches)

    def has_room(self) -> bool:
        """Whether another batch may be started."""
        return len(self._batches) < self._most_batches

    def start(self, arrived: Sorted) -> None:
        """Have the pages among arrivals read."""
        task = asyncio.create_task(self._read(arrived.responses()))
        self._batches.append((arrived, task))

    async def _read(self, responses: Sequence[Response]) -> list[Prepared]:
        if not self._workers or not responses:
            return self._preparer.prepare(responses)
        self._started += 1
        return await self._workers[self._started % len(self._workers)].prepare(responses)

    def oldest(self) -> list[asyncio.Task[list[Prepared]]]:
        """What to wait for; empty when nothing is being read."""
        return [self._batches[0][1]] if self._batches else []

    def take(self) -> tuple[Sorted, list[Prepared]] | None:
        """All that has been read since, as one batch: the fewer, the less there is to commit."""
        if not self._batches or not self._batches[0][1].done():
            return None
        everything, prepared = Sorted(), list[Prepared]()
        while self._batches and self._batches[0][1].done():
            arrived, task = self._batches.popleft()
            everything.add(arrived)
            prepared += task.result()
        return everything, prepared

    def close(self) -> None:
        """End the workers."""
        for _, task in self._batches:
            task.cancel()
        for worker in self._workers:
            worker.close()
