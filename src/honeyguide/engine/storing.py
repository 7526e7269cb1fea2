"""Batches taken in and stored, and what is done where that fails: memory is made anew, and only a culprit is given up.

A part of the engine.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from honeyguide.engine import running
from honeyguide.engine.arrival import Arrival, Arrivals
from honeyguide.engine.downloads import Downloads
from honeyguide.engine.inbox import Controls, Inbox
from honeyguide.engine.memory import Memory, made_anew
from honeyguide.engine.rereading import ReadAgain, Rereading
from honeyguide.errors import CrawlLocked, DiskFull, HoneyguideError, Unreadable, in_one_line
from honeyguide.fetch.base import Fetcher
from honeyguide.store.base import Batch, Post, Store
from honeyguide.telemetry.harvest import Harvest
from honeyguide.telemetry.reporter import Reporter


class Storing:
    """From what arrived to what is safe."""

    harvest: Harvest
    last_unreadable: str
    _memory: Memory
    _remember: Callable[[], Memory]
    _fetcher: Fetcher
    _rereading: Rereading
    _store: Store
    _reporter: Reporter
    _inbox: Inbox
    _controls: Controls
    _downloads: Downloads
    _unreadable: int
    _pages_before: int
    _trust: dict[int, int]
    _host_records: dict[str, str]

    def _take_again(self, read: Sequence[ReadAgain]) -> None:
        if read and self._attempt(lambda: self._memory.ingest.judge_again(read)):
            self._go_back(())  # they stay as they were judged before, until the crawl is opened again

    def _obey(self, post: Post) -> None:
        problem = self._attempt(lambda: self._inbox.carry_out(post, self._memory.ingest))
        if problem:
            self._go_back_from(problem)
            self._commit(self._inbox.refuse(post, problem, self._memory.ingest))

    def _take_in(self, arrived: Arrivals) -> None:
        self._take_sitemaps()
        self._take_in_all(arrived)
        self._rereading.note(arrived.pages)
        for arrival in arrived:
            self._fetcher.body_done(arrival.body_bytes)
        if self._unreadable >= running.MOST_UNREADABLE_AT_FIRST and self.harvest.pages == self._pages_before:
            raise self._nothing_is_readable()

    def _take_in_all(self, arrived: Arrivals) -> None:
        """Take a batch in. Where that fails, each arrival is taken in alone, and only the culprit is given up."""
        problem = self._attempt(lambda: self._memory.ingest.take(arrived, pages_before=self.harvest.pages))
        if problem is None:
            self._note_unreadable(arrived.failed)
            return
        self._go_back([*arrived])
        if len(arrived) > 1:
            for one in arrived.one_by_one():
                self._take_in_all(one)
            return
        (culprit,) = arrived
        culprit.outcome = Unreadable(f"taking it in failed: {in_one_line(problem)}")
        self._commit(self._memory.ingest.give_up([culprit]))
        self._note_unreadable([culprit])

    def _attempt(self, make: Callable[[], Batch]) -> Exception | None:
        """Make a batch and store it; gives what went wrong, unless nothing can be stored at all."""
        try:
            batch = self._stored(make())
        except (DiskFull, CrawlLocked):
            raise
        except Exception as error:
            return error
        self._reporter.committed(batch)
        return None

    def _take_sitemaps(self) -> None:
        found = self._fetcher.take_sitemaps() if self._controls.order.fetch.sitemaps else ()
        if found and self._attempt(lambda: self._memory.ingest.take_sitemaps(found)):
            self._go_back(())  # nothing but what they list is lost

    def _go_back_from(self, problem: Exception) -> None:
        """Return to the last commit after something that was no arrival."""
        self._go_back(())

    def _go_back(self, arrivals: Sequence[Arrival]) -> None:
        """Return to the last commit, with the arrivals of a batch that failed still to be taken in."""
        taken = [arrival.url_id for arrival in arrivals]
        self._memory = memory = made_anew(self._memory, self._remember, taken)
        self._downloads.turn_to(memory.state, memory.frontier, memory.yields)

    def _note_unreadable(self, failed: Sequence[Arrival]) -> None:
        for arrival in (one for one in failed if isinstance(one.error, Unreadable)):
            self._unreadable += 1
            self.last_unreadable = f"{arrival.url}: {arrival.error}"

    def _nothing_is_readable(self) -> HoneyguideError:
        return HoneyguideError(f"no page could be read or stored. The last was {self.last_unreadable}")

    def _commit(self, batch: Batch) -> None:
        self._reporter.committed(self._stored(batch))

    def _stored(self, batch: Batch) -> Batch:
        self._trust |= self._downloads.take_trust()
        self._host_records |= self._fetcher.take_host_records()
        batch = replace(batch, trust=self._trust, host_records=self._host_records)
        self._store.commit(batch, self._memory.state)
        self._trust, self._host_records = {}, {}
        if self._memory.archive:
            self._memory.archive.flush()
        return batch
