"""A worker of a divided crawl: takes its fair share of the shards, runs their engines, and leaves whenever it must.

Workers know each other by locks in the database alone. One that dies loses its locks with its connections, and the
others take over its shards; one that comes gets those that the others have too many of.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from honeyguide.assembly import assemble, read_order
from honeyguide.engine.engine import Engine
from honeyguide.engine.running import StopReason, limit_reached, rare_collections, run_in_loop
from honeyguide.engine.shard import ShardEngine, unpacked
from honeyguide.errors import CrawlLocked, StoreError
from honeyguide.fetch.base import Fetcher
from honeyguide.fetch.live import LiveFetcher
from honeyguide.files import whole_file
from honeyguide.making import make_fetcher, make_strategy, make_topic, read_revision
from honeyguide.settings import CrawlOrder
from honeyguide.shards.owners import Owners
from honeyguide.shards.quotas import quotas
from honeyguide.store.disk import write_atomically
from honeyguide.store.folder import ORDER
from honeyguide.store.postgres.council import Council, Look, Waiting
from honeyguide.store.postgres.place import Place
from honeyguide.store.postgres.shard_store import ShardStore
from honeyguide.store.postgres.whole_graph import LastJob
from honeyguide.store.sending import OF_ARCHIVE
from honeyguide.telemetry.reporter import Progress
from honeyguide.topics.base import TopicModel
from honeyguide.whole_job import WholeJobs

LOOK_EVERY_SECONDS = 5.0
LOOK_AGAIN_SECONDS, LOOK_SOON_SECONDS = 0.1, 0.25
"""After so long somebody looks again who has used up its quota; and who had none, as others tell no more often."""
ASK_EVERY_SECONDS, ASK_AT_ONCE_SECONDS = 0.25, 0.05
"""What waits is asked for so often, and more often for a shard that has nothing else to do."""
LEARNED_SECONDS = 1.0
"""So long all shards of a worker learn from the same look at what others have learned."""
BALANCE_SECONDS = 0.5
PERIOD_SHARE = 0.05
LEAST_PER_SHARE = 8
LEAVE_SECONDS = 4.0
RECONNECT_SECONDS, RECONNECT_EVERY_SECONDS = 60.0, 0.5
"""So long a worker waits for a database that is gone."""


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a worker and its crawl stand."""

    pages: int  # of the whole crawl
    shards: int
    own: int
    workers: int
    notices: tuple[str, ...] = ()  # each is told once


class Table:
    """What the engines of one worker know of all others: one look at the database serves all of them."""

    def __init__(self, council: Council, order: CrawlOrder, jobs: WholeJobs | None = None) -> None:
        self._council = council
        self._jobs = jobs  # over the whole graph, if the strategy needs them
        self._last_job: LastJob | None = None
        self.order = order
        self._look: Look | None = None
        self._looked_at = 0.0
        self._look_after = 0.0  # so many seconds, unless somebody wants to look sooner
        self._waits, self._asked_at = Waiting(frozenset(), False), 0.0
        self._learned: Mapping[int, Mapping[str, NDArray[Any]]] = {}
        self._learned_at = -LEARNED_SECONDS
        self._moment = 0
        self._worked, self._clock_at = 0.0, -LOOK_EVERY_SECONDS
        self._quotas: NDArray[np.int64] = np.zeros(council.number, dtype=np.int64)
        self._reason: StopReason | None = None

    @property
    def look(self) -> Look:
        """All shards, as of a moment ago."""
        now = time.monotonic()
        if self._look is None or now >= self._next_look():
            self._last_job = self._jobs.last() if self._jobs else None
            self._look = self._council.look()
            self._looked_at, self._look_after = now, LOOK_EVERY_SECONDS
            self._moment += 1
            reached = self._limit_reached(self._look)
            # What is under way is still told to all whom it concerns; nobody begins anything new.
            self._quotas = np.zeros_like(self._quotas) if reached else self._worked_out(self._look)
            self._reason = self._reason_in(self._look, reached)
        return self._look

    def _next_look(self) -> float:
        late = self._looked_at + self._look_after
        limit = self.order.limits.max_seconds
        time_is_up = self._clock_at + limit - self._worked
        return min(late, max(time_is_up, self._looked_at + LOOK_AGAIN_SECONDS)) if limit else late

    def _seconds_at_work(self) -> float:
        """Since when the crawl has been worked on, whoever did, without the times when nobody was there."""
        now = time.monotonic()
        if now >= self._clock_at + LOOK_EVERY_SECONDS:
            self._worked, self._clock_at = self._council.count_time(), now
        return self._worked + now - self._clock_at

    def _worked_out(self, look: Look) -> NDArray[np.int64]:
        """Nobody waits for the urls of a shard that is nobody's at the moment."""
        nothing = np.empty((0, 2))
        ladders = [
            np.frombuffer(row.ladder).reshape(-1, 2) if row.is_owned and row.ladder else nothing
            for row in look.shards
        ]
        batch = max(self.order.crawl.batch, self.order.fetch.in_flight)
        least = max(batch, LEAST_PER_SHARE) * max(look.workers, 1)
        return quotas(ladders, max(least, int(PERIOD_SHARE * look.pages)))

    def _limit_reached(self, look: Look) -> StopReason | None:
        limits = self.order.limits
        return limit_reached(
            (StopReason.PAGE_LIMIT, look.pages, limits.max_pages),
            (StopReason.REQUEST_LIMIT, sum(row.requests for row in look.shards), limits.max_requests),
            (StopReason.FAILURE_LIMIT, sum(row.failures for row in look.shards), limits.max_failures),
            (StopReason.TIME_LIMIT, self._seconds_at_work(), limits.max_seconds),
        )

    def _reason_in(self, look: Look, reached: StopReason | None) -> StopReason | None:
        if look.ended:
            return StopReason(look.ended)
        if not look.is_settled:  # what was fetched is still being told, or judged again
            return None
        is_over = look.is_over and (
            self._jobs is None or self._last_job is None or self._jobs.is_settled(self._last_job, look)
        )
        return reached or (StopReason.FRONTIER_EMPTY if is_over else None)

    def look_after_jobs(self) -> Iterator[str]:
        """Have the whole graph looked at when it is time; tells what went wrong."""
        look = self.look
        if self._jobs is not None and self._last_job is not None:
            yield from self._jobs.look_after(self._last_job, look)

    def reason(self) -> StopReason | None:
        """Why the crawl as a whole is to end, if it is."""
        _ = self.look
        return self._reason

    def quota(self, shard: int) -> tuple[int, int]:
        """How many pages a shard may fetch from a moment on, and the number of that moment."""
        _ = self.look
        return int(self._quotas[shard]), self._moment

    def look_again(self, *, is_urgent: bool = True) -> None:
        """Somebody has used up its quota, or has something to tell; or, which is not urgent, has no quota at all."""
        self._look_after = min(self._look_after, LOOK_AGAIN_SECONDS if is_urgent else LOOK_SOON_SECONDS)

    def budget(self, shard: int, needed: int) -> int | None:
        """How many pages a shard may have fetched in all, if it needs so many; None if there is no limit."""
        limit = self.order.limits.max_pages
        return self._council.grant(shard, needed, limit) if limit else None

    def give_back(self, shard: int) -> None:
        """A shard cannot use what it was granted."""
        self._council.give_back(shard)

    def has_letters(self, shard: int, *, is_urgent: bool) -> bool:
        """Whether somebody has written to a shard, as of a moment ago; a short one if nothing else is to be done."""
        return shard in self._waiting(ASK_AT_ONCE_SECONDS if is_urgent else ASK_EVERY_SECONDS).letters

    def has_posts(self) -> bool:
        """Whether there are commands, as of a moment ago."""
        return self._waiting(ASK_EVERY_SECONDS).posts

    def _waiting(self, oldest: float) -> Waiting:
        now = time.monotonic()
        if now >= self._asked_at + oldest:
            self._waits, self._asked_at = self._council.waiting(), now
        return self._waits

    def learning(self, but: int) -> Sequence[Mapping[str, NDArray[Any]]]:
        """What all other shards have learned."""
        now = time.monotonic()
        if now >= self._learned_at + LEARNED_SECONDS:
            learned = self._council.learning()
            self._learned = {shard: unpacked(told) for shard, told in learned.items()}
            self._learned_at = now
        return [told for shard, told in self._learned.items() if shard != but]


class Worker:
    """Runs shards until the crawl is over, or it is told to leave."""

    def __init__(self, place: Place, folder: Path, web: Fetcher | None = None) -> None:
        self._place = place
        self._web = web  # given by a program; otherwise what the order says
        self._folder = folder
        self._engines: dict[int, tuple[Engine, asyncio.Task[StopReason]]] = {}
        self._notices: dict[str, None] = {}  # in order; that of one shard is often that of all
        self._revisions: dict[int, TopicModel] = {}
        self._is_leaving = False
        self._was_connected = False
        self.last_problem = ""

    def _hear(self, progress: Progress) -> None:
        """Of what a shard tells, only what concerns its archive: its harvest alone says nothing of the crawl's."""
        self._notices |= dict.fromkeys(alarm for alarm in progress.alarms if OF_ARCHIVE in alarm)

    def leave(self) -> None:
        """End soon: what is under way is finished, and others take the shards over."""
        self._is_leaving = True
        for engine, _ in self._engines.values():
            engine.stop()

    def run(self, on_progress: Callable[[Standing], None] = lambda standing: None) -> StopReason:
        """Work; gives why it ended."""
        with rare_collections():
            return run_in_loop(self._run(on_progress))

    async def _run(self, on_progress: Callable[[Standing], None]) -> StopReason:
        patient_until = time.monotonic() + RECONNECT_SECONDS
        while True:
            try:
                return await self._run_connected(on_progress)
            except StoreError as problem:
                self.last_problem = str(problem)
                if self._was_connected:
                    patient_until = time.monotonic() + RECONNECT_SECONDS
                self._was_connected = False
                if time.monotonic() > patient_until or self._is_leaving:
                    raise
                await asyncio.sleep(RECONNECT_EVERY_SECONDS)

    async def _run_connected(self, on_progress: Callable[[Standing], None]) -> StopReason:
        with closing(Council(self._place)) as council:
            self._was_connected = True
            self._lay_out(council)
            order = read_order(self._folder)
            self._parts = make_topic(order), self._web or make_fetcher(order)
            strategy = make_strategy(order)
            jobs = WholeJobs(self._place, self._folder, strategy) if strategy.in_shards == "by job" else None
            try:
                return await self._work(council, Table(council, order, jobs), on_progress)
            finally:
                if jobs:
                    jobs.close()
                await self._release(len(self._engines))

    def _lay_out(self, council: Council) -> None:
        """Bring the crawl's own files to where the parts of a crawl look for them."""
        self._folder.mkdir(parents=True, exist_ok=True)
        for name, body in council.files().items():
            with whole_file(self._folder / Path(name).name) as part:
                part.write_bytes(body)

    def _revision(self, council: Council, number: int) -> TopicModel:
        """A later revision of the topic, which is the same object for all shards."""
        if number not in self._revisions:
            self._lay_out(council)  # somebody has put it there since
            self._revisions[number] = read_revision(self._folder, number)
        return self._revisions[number]

    async def _work(
        self, council: Council, table: Table, on_progress: Callable[[Standing], None]
    ) -> StopReason:
        council.begin()
        while True:
            reason = StopReason.STOPPED_BY_USER if self._is_leaving else table.reason()
            self._clear_ended(council)
            if reason is not None:
                if not self._is_leaving:
                    council.end(reason)
                return reason
            look = table.look
            own = len(self._engines)
            self._follow_limits(council, table)
            self._notices |= dict.fromkeys(table.look_after_jobs())
            if own < look.fair_share:
                self._take_one(council, table, look)
            elif own > look.fair_share:
                await self._release(own - look.fair_share)
            notices, self._notices = tuple(self._notices), {}
            on_progress(Standing(look.pages, len(look.shards), own, look.workers, notices))
            await asyncio.sleep(0.01 if own < look.fair_share else BALANCE_SECONDS)

    def _follow_limits(self, council: Council, table: Table) -> None:
        """Limits that somebody has changed hold for the crawl as a whole, and for all who come later."""
        for engine, _ in self._engines.values():
            if engine.order.limits != table.order.limits:
                table.order = engine.order
                write_atomically(self._folder / ORDER, table.order.to_toml())
                council.put_files(self._folder, (ORDER,))
                return

    def _take_one(self, council: Council, table: Table, look: Look) -> None:
        """Take a shard that is nobody's, if there is one."""
        table.look_again()
        free = [row.shard for row in look.shards if not row.is_owned and row.shard not in self._engines]
        # Not all begin with the same one: two that come at once would only find each other there.
        for shard in (
            free[hash(self._folder) % len(free) :] + free[: hash(self._folder) % len(free)] if free else ()
        ):
            with suppress(CrawlLocked):
                engine = self._opened(council, table, shard)
                self._engines[shard] = engine, asyncio.create_task(engine.crawl(self._hear))
                return

    def _opened(self, council: Council, table: Table, shard: int) -> Engine:
        (topic, fetcher), order = self._parts, table.order
        owners, folder = Owners(council.number, shard), self._folder / f"shard-{shard:03}"
        store = ShardStore(folder, self._place, owners)
        own = make_fetcher(order) if fetcher.is_live else fetcher
        if isinstance(own, LiveFetcher):
            own.share_turns(council)
        strategy = make_strategy(order)
        return assemble(
            order,
            folder,
            own,
            topic,
            strategy,
            store=store,
            owners=owners,
            revisions=partial(self._revision, council),
            make=partial(ShardEngine, peers=table, letters=store, strategy=strategy),
        )

    async def _release(self, number: int) -> None:
        """Stop so many shards and leave them to others."""
        leaving = [*self._engines.items()][:number]
        for _, (engine, _) in leaving:
            engine.stop()
        tasks = [task for _, (_, task) in leaving]
        if tasks:
            _, late = await asyncio.wait(tasks, timeout=LEAVE_SECONDS)
            for task in late:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        for shard, (engine, _) in leaving:
            with suppress(StoreError):
                engine.close()
            self._engines.pop(shard, None)

    def _clear_ended(self, council: Council) -> None:
        """A shard whose connection broke, or that went wrong, is let go; somebody takes it again."""
        for shard, (engine, task) in [*self._engines.items()]:
            if not task.done():
                continue
            if not task.cancelled() and (problem := task.exception()) is not None:
                self.last_problem = f"shard {shard}: {problem}"
                if not isinstance(problem, StoreError):
                    raise problem
            with suppress(StoreError):
                engine.close()
            del self._engines[shard]
            if (
                not task.cancelled()
                and task.exception() is None
                and task.result() is StopReason.STOPPED_BY_USER
            ):
                self._is_leaving = True
