"""Batches of arrivals whose pages are being read and judged, while others are still being fetched."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence

from honeyguide.engine.arrival import Arrival, Arrivals
from honeyguide.engine.prepare import Around, Preparer
from honeyguide.engine.worker import Read, Worker
from honeyguide.model import Response

LARGEST_BATCH = 64
"""Pages read in this process keep answers of hosts waiting meanwhile, some tenth of a second."""

LARGE_BYTES = 300_000
"""A page that takes as long to be read as a batch of others, and is one by itself."""

BATCHES_AHEAD = 3
"""Of each worker: one that it reads, one that waits for it, one that waits to be taken."""


class Reading:
    """Has batches read by workers, or here where there are none; the oldest batch is taken first."""

    def __init__(self, preparer: Preparer, workers: int, page_seconds: float) -> None:
        self._preparer = preparer
        self._workers = [Worker(preparer, page_seconds) for _ in range(workers)]
        self._most_batches = BATCHES_AHEAD * workers or 1
        self._started = 0
        self._is_large_turn = False
        self._batches: deque[tuple[Arrivals, asyncio.Task[Read]]] = deque()

    @property
    def pages(self) -> int:
        """How many pages are being read."""
        return sum(len(arrived.pages) for arrived, _ in self._batches)

    def has_room(self) -> bool:
        """Whether another batch may be started."""
        return len(self._batches) < self._most_batches

    def next_batch(self, arrivals: list[Arrival]) -> list[Arrival]:
        """Take a batch out of what has arrived: by turns a large page, and pages that need not wait for all such."""
        large = [arrival for arrival in arrivals if arrival.body_bytes > LARGE_BYTES]
        others = [arrival for arrival in arrivals if arrival.body_bytes <= LARGE_BYTES]
        self._is_large_turn = bool(large) and (not others or not self._is_large_turn)
        if self._is_large_turn:
            batch = [large.pop(0)]
        else:
            batch, others = others[:LARGEST_BATCH], others[LARGEST_BATCH:]
        arrivals[:] = large + others
        return batch

    def start(self, arrived: Arrivals) -> None:
        """Have the pages among arrivals read."""
        task = asyncio.create_task(self._read(arrived.responses(), Around.NUMBERS))
        self._batches.append((arrived, task))

    def turn_to(self, preparer: Preparer) -> None:
        """Have what is started from here on read by another preparer."""
        self._preparer = preparer
        for worker in self._workers:
            worker.turn_to(preparer)

    async def read(self, responses: Sequence[Response]) -> Read:
        """Have pages read that did not arrive just now, with the words that a former topic has judged."""
        return await self._read(responses, Around.KEPT)

    async def _read(self, responses: Sequence[Response], around: Around) -> Read:
        if not self._workers or not responses:
            # With the words: who takes the pages in knows which links are new, and judges no others.
            return self._preparer.prepare(responses, Around.WORDS if around is Around.NUMBERS else around)
        self._started += 1
        return await self._workers[self._started % len(self._workers)].prepare(responses, around)

    def oldest(self) -> list[asyncio.Task[Read]]:
        """What to wait for; empty when nothing is being read."""
        return [self._batches[0][1]] if self._batches else []

    def take(self) -> Arrivals | None:
        """All that has been read since, as one batch: the fewer, the less there is to commit."""
        if not self._batches or not self._batches[0][1].done():
            return None
        everything = Arrivals()
        while self._batches and self._batches[0][1].done():
            arrived, task = self._batches.popleft()
            everything.add(arrived.after_reading(task.result()))
        return everything

    async def close(self) -> None:
        """End the workers, whatever they are at."""
        tasks = [task for _, task in self._batches]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for worker in self._workers:
            worker.close()
