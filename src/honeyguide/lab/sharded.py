"""A crawl in several shards, simulated in one process: the parts that workers are made of, without any machines.

Shards work at the same time, each as fast as its quota of the period says; letters arrive before a shard's next batch.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from honeyguide.assembly import remembered
from honeyguide.engine.arrival import Arrivals
from honeyguide.engine.downloads import Downloads
from honeyguide.engine.guidance import Guidance
from honeyguide.engine.prepare import Preparer
from honeyguide.engine.whole_graph import is_due, scored, take_scores
from honeyguide.errors import HoneyguideError
from honeyguide.fetch.base import Fetcher
from honeyguide.making import read_revision
from honeyguide.model import ROOT, Bools, Ids, Priorities, Status, Visit
from honeyguide.settings import CrawlOrder
from honeyguide.shards.ladder import ladder
from honeyguide.shards.letters import Letter
from honeyguide.shards.owners import Owners
from honeyguide.shards.quotas import quotas
from honeyguide.shards.scores import Scores
from honeyguide.state.state import State
from honeyguide.state.united import united
from honeyguide.state.view import CrawlView
from honeyguide.store import open_store
from honeyguide.store.base import Batch
from honeyguide.strategies.base import Strategy
from honeyguide.topics.base import TopicModel

SYNC_SHARE = 0.05
"""Shards look at each other's ladders, and learn from each other, whenever the crawl has grown by this share."""


@dataclass(frozen=True)
class Exchange:
    """What shards do for each other; experiments leave something out to see what it is worth."""

    quotas: bool = True  # otherwise all shards with urls fetch equally many pages
    letters: bool = True  # otherwise links into other shards are lost
    learning: bool = True


EVERYTHING = Exchange()


class Shard:
    """One shard, and the letters that wait for it."""

    def __init__(
        self,
        order: CrawlOrder,
        folder: Path,
        fetcher: Fetcher,
        topic: TopicModel,
        strategy: Strategy,
        preparer: Preparer,
        owners: Owners,
    ) -> None:
        self.store = open_store(folder)
        guidance = Guidance(topic, lambda number: read_revision(folder, number), order.topic.relevant_above)
        try:
            memory = remembered(order, folder, self.store, fetcher, guidance, strategy, owners)
        except BaseException:
            self.store.close()
            raise
        self._memory = memory
        self._view = CrawlView(memory.state, topic)
        self._downloads = Downloads(memory.state, memory.frontier, fetcher, self.store, memory.yields)
        self.strategy, self.topic = strategy, topic
        self._preparer, self._order = preparer, order
        self._pages = 0
        self.mail: list[Letter] = []

    def plant(self, seeds: Sequence[str]) -> Batch:
        """Enter the seeds that are its own."""
        return self._stored(self._memory.ingest.plant(seeds))

    def read_mail(self) -> list[Batch]:
        """Take in what others have written."""
        mail, self.mail = self.mail, []
        return [self._stored(self._memory.ingest.receive(Letter.joined(mail)))] if mail else []

    def fetch(self, count: int) -> Batch:
        """Fetch its best urls."""
        arrived = Arrivals.sorted(
            asyncio.run(self._downloads.batch(count)), self._order.limits.max_page_bytes
        )
        arrived = arrived.after_reading(self._preparer.prepare(arrived.responses()))
        batch = self._stored(self._memory.ingest.take(arrived, pages_before=self._pages))
        self._pages += sum(not visit.is_revisit for visit in batch.visits)
        return batch

    def rungs(self) -> NDArray[np.float64]:
        """The ladder of its queue."""
        return ladder(self._memory.frontier.contenders())

    def learning(self) -> dict[str, NDArray[np.generic]]:
        """What it has learned."""
        return self.strategy.own_learning(self._view)

    def learn(self, others: Sequence[dict[str, NDArray[np.generic]]]) -> None:
        """Add what the others have learned."""
        self._queue(self.strategy.take_learning(self._view, others))

    def _queue(self, wanted: Priorities) -> None:
        self._stored(self._memory.ingest.refill(wanted) if len(wanted) else self._memory.ingest.nothing())

    @property
    def state(self) -> State:
        """All that it knows."""
        return self._memory.state

    def take_scores(self, scores: Scores) -> None:
        """Take in what a job over the whole graph says of its urls."""
        self._queue(take_scores(scores, self.strategy, self._view))

    def refill(self) -> None:
        """Its queue is empty: have the strategy look for more."""
        if not len(self._memory.frontier):
            self._stored(self._memory.ingest.refill())

    def _stored(self, batch: Batch) -> Batch:
        self.store.commit(batch, self._memory.state)
        return batch


class WholeGraph:
    """Does at once what a job does beside the workers of a real crawl, where a strategy needs all links."""

    def __init__(self, shards: Sequence[Shard]) -> None:
        self._shards = shards
        self._is_needed = len(shards) > 1 and shards[0].strategy.in_shards == "by job"
        self._arrays: dict[str, NDArray[np.generic]] = {}  # what the strategy keeps for the next time
        self._last = 0

    def look_if_due(self, pages: int) -> None:
        """Look at it if the crawl has grown enough."""
        if is_due(self._shards[0].strategy, pages, self._last):
            self.look(pages)

    def look(self, pages: int) -> None:
        """Score all urls, and tell each shard of its own."""
        if not self._is_needed:
            return
        self._last = pages
        states, strategy = [shard.state for shard in self._shards], self._shards[0].strategy
        whole, numbers = united(states, strategy.values, strategy.tables)
        whole.arrays.update(self._arrays)
        topic = self._shards[0].topic
        scores, kept = scored(strategy, whole, topic, [state.arrays for state in states])
        self._arrays |= kept
        for shard, number in zip(self._shards, numbers, strict=True):
            here = np.full(len(whole), -1, dtype=np.int32)
            own = np.flatnonzero(shard.state.urls["status"] != Status.FOREIGN)
            here[number[own]] = own
            shard.take_scores(scores.of(partial(_is_known, here)).numbered(here.__getitem__))


def _is_known(here: Ids, ids: Ids) -> Bools:
    known: Bools = here[ids] > ROOT
    return known


class ShardedCrawl:
    """All shards of a crawl; `make` makes one, given a folder and what it owns."""

    def __init__(
        self,
        make: Callable[[Path, Owners], Shard],
        folder: Path,
        number: int,
        batch: int,
        exchange: Exchange = EVERYTHING,
    ) -> None:
        self._batch = batch
        self._exchange = exchange
        self.visits: list[Visit] = []  # of all shards, in the order of time
        self.messages = 0  # letters
        self._shards: list[Shard] = []
        with ExitStack() as stores:
            for shard in range(number):
                self._shards.append(make(folder / f"shard-{shard}", Owners(number, shard)))
                stores.callback(self._shards[-1].store.close)
            self._open = stores.pop_all()
        self._whole_graph = WholeGraph(self._shards)

    def close(self) -> None:
        """Close the stores."""
        self._open.close()

    def run(self, seeds: Sequence[str], pages: int) -> str:
        """Crawl until so many pages are fetched, or nothing is left; tells which."""
        for shard in self._shards:
            self._take(shard.plant(seeds))
        while len(self.visits) < pages:
            left = pages - len(self.visits)
            due = self._synchronized(min(left, max(self._batch, int(SYNC_SHARE * len(self.visits)))))
            if not due.any():
                return "frontier_empty"
            for number, count in _turns(due.tolist(), self._batch):
                self._deliver(self._shards[number])
                self._take(self._shards[number].fetch(min(count, pages - len(self.visits))))
        return "page_limit"

    def _synchronized(self, capacity: int) -> NDArray[np.int64]:
        """What each shard may fetch until the next time."""
        if self._exchange.learning:
            told = [shard.learning() for shard in self._shards]
            for number, shard in enumerate(self._shards):
                shard.learn(told[:number] + told[number + 1 :])
        self._whole_graph.look_if_due(len(self.visits))
        due = self._due(capacity)
        if not due.any():
            self._whole_graph.look(len(self.visits))
            for shard in self._shards:
                shard.refill()
            due = self._due(capacity)
        return due

    def _due(self, capacity: int) -> NDArray[np.int64]:
        for shard in self._shards:
            self._deliver(shard)
        ladders = [shard.rungs() for shard in self._shards]
        if self._exchange.quotas:
            return quotas(ladders, capacity)
        # As if all that waits were of equal worth, and equally much waited wherever something does.
        return quotas([np.array([[capacity, 0.0]])[: len(own)] for own in ladders], capacity)

    def _deliver(self, shard: Shard) -> None:
        for batch in shard.read_mail():
            self._take(batch)

    def _take(self, batch: Batch) -> None:
        self.visits += batch.visits
        if batch.failures and any(failure.error == "Unreadable" for failure in batch.failures):
            raise HoneyguideError(f"{batch.failures[-1].url}: cannot be read")
        if not self._exchange.letters:
            return
        for number, letter in batch.letters.items():
            self.messages += 1
            self._shards[number].mail.append(letter)


def _turns(due: Sequence[int], batch: int) -> Iterator[tuple[int, int]]:
    """Whose turn it is, and for how many pages: each shard's batches are spread evenly over the period.

    >>> [*_turns([9, 0, 3], 4)]
    [(0, 3), (0, 3), (2, 3), (0, 3)]
    """
    turns = []
    for number, pages in enumerate(due):
        times = math.ceil(pages / batch)
        turns += [
            ((turn + 0.5) / times, number, pages * (turn + 1) // times - pages * turn // times)
            for turn in range(times)
        ]
    for _, number, count in sorted(turns):
        yield number, count
