"""Searching the collections, and keeping their indexes up to date: by processes of their own, never by who asks."""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

from starlette.concurrency import run_in_threadpool

from honeyguide.crawls import Crawl
from honeyguide.errors import CrawlLocked, HoneyguideError, NoIndex
from honeyguide.search.answering import question, read_results, write_results
from honeyguide.search.results import Results
from honeyguide.searching import asked_of
from honeyguide.serve.processes import Processes, Work, work_at
from honeyguide.serve.searchers import Searchers
from honeyguide.serve.workspace import NotFound, Workspace

LOOK_SECONDS = 60.0
MANY = 2_000
"""So many visits of a running crawl wait to be indexed before a process is started for them."""
MOST_AT_ONCE = 2
AGAIN_SECONDS = 5.0
"""From the end of a process to the next one for the same crawl: to start takes longer than to take a few pages in."""
FAILED_SECONDS = 60.0
"""The same after one that failed, as on a full disk, from when it ended or, if it could not tell, was to begin."""


class Indexing:
    """The indexes of a workspace."""

    def __init__(self, workspace: Workspace, processes: Processes) -> None:
        self._workspace = workspace
        self._processes = processes
        self._place = workspace.private / "indexing"
        self._searchers = Searchers()
        self._waker = ThreadPoolExecutor(1, "waking")  # who searches does not wait until a process has begun
        self._to_wake: set[str] = set()
        self._tried: dict[str, float] = {}  # when the last process of a crawl was to begin

    def search(self, name: str, query: str, **wanted: Any) -> Results:
        """Search a crawl as it is indexed so far; what waits is taken in by another process meanwhile."""
        return read_results(self.results(name, query, **wanted))

    def results(self, name: str, query: str, **wanted: Any) -> bytes:
        """The same as JSON, which is what the API sends."""
        crawl = self._workspace.crawl(name)
        waiting, found = self._asked(crawl, query, wanted)
        if waiting:
            self.wake(name)
        return found

    def _asked(self, crawl: Crawl, query: str, wanted: Mapping[str, Any]) -> tuple[int, bytes]:
        try:
            return self._searchers.ask(question(crawl.folder, *asked_of(crawl, query, wanted)))
        except NoIndex:
            with crawl.reader() as reader:
                none_yet = Results(query=query, waiting=reader.last_number())
            return none_yet.waiting, write_results(none_yet)

    def close(self) -> None:
        """End the processes that search."""
        self._waker.shutdown(wait=False, cancel_futures=True)
        self._searchers.close()

    def wake(self, name: str) -> None:
        """Have a process take in what waits, soon, unless one does or enough are at work."""
        if name in self._to_wake:
            return
        self._to_wake.add(name)
        with suppress(RuntimeError):  # the server ends
            self._waker.submit(self._wake, name)

    def _wake(self, name: str) -> None:
        place = self._place / name
        try:
            crawl = self._workspace.crawl(name)
            place.mkdir(parents=True, exist_ok=True)
            at_work = sum(work_at(one).is_running for one in self._place.iterdir())
            if at_work < MOST_AT_ONCE and self._may_begin(name, work_at(place)):
                self._tried[name] = time.time()
                self._processes.start(place, ["index", "--quiet", str(crawl.folder)])
        except NotFound:  # it was thrown away meanwhile
            self._tried.pop(name, None)
        except CrawlLocked:  # another server of this workspace was first
            pass
        except (HoneyguideError, OSError) as error:  # as on a full disk: there is an answer all the same
            logging.getLogger(__name__).warning("%s: its index cannot be kept up: %s", name, error)
        finally:
            self._to_wake.discard(name)

    def _may_begin(self, name: str, former: Work) -> bool:
        """Whether another process may follow the former one of a crawl.

        One that was killed, or could not be started, has told no end since it was to begin: it has failed, too.
        """
        tried = self._tried.get(name, -math.inf)
        ended = -math.inf if former.ended is None else former.ended
        is_well = former.code == 0 and ended >= tried
        since, rest = max(tried, ended), AGAIN_SECONDS if is_well else FAILED_SECONDS
        return not former.is_running and not since <= time.time() < since + rest

    async def keep_up(self) -> None:
        """Look after running crawls as long as the server runs, so that the first who searches need not wait."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            await run_in_threadpool(self._look)

    def _look(self) -> None:
        for name in self._workspace.crawl_names():
            try:
                crawl = self._workspace.crawl(name)
                if crawl.process and self._asked(crawl, "", {"most": 1})[0] > MANY:
                    self.wake(name)
            except (HoneyguideError, OSError) as error:  # it is tried again, and the others are looked after
                logging.getLogger(__name__).warning("%s: its index cannot be looked after: %s", name, error)
