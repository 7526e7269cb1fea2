"""Searching the collections, and keeping their indexes up to date: by processes of their own, never by who asks."""

from __future__ import annotations

import asyncio
import logging
import threading
from pathlib import Path
from typing import Any

from starlette.concurrency import run_in_threadpool

from honeyguide.crawls import Crawl
from honeyguide.errors import CrawlLocked, HoneyguideError
from honeyguide.search.results import Results
from honeyguide.search.shelf import Shelf
from honeyguide.serve.processes import Processes, work_at
from honeyguide.serve.workspace import Workspace

LOOK_SECONDS = 60.0
MANY = 2_000
"""So many visits of a running crawl wait to be indexed before a process is started for them."""
MOST_AT_ONCE = 2
MOST_SEARCHES = 3
"""At the same time. More would take the processor from each other, and each be answered later."""


class Indexing:
    """The indexes of a workspace."""

    def __init__(self, workspace: Workspace, processes: Processes) -> None:
        self._workspace = workspace
        self._processes = processes
        self._place = workspace.private / "indexing"
        self._turns = threading.Semaphore(MOST_SEARCHES)

    def search(self, name: str, query: str, **wanted: Any) -> Results:
        """Search a crawl as it is indexed so far; what waits is taken in by another process meanwhile."""
        crawl = self._workspace.crawl(name)
        if Shelf(crawl.folder).in_use() is None:
            with crawl.reader() as reader:
                found = Results(query=query, waiting=reader.last_number())
        else:
            with self._turns:
                found = crawl.search(query, fresh=False, **wanted)
        if found.waiting:
            self.wake(name, crawl)
        return found

    def wake(self, name: str, crawl: Crawl) -> None:
        """Have a process take in what waits, unless one does or enough are at work."""
        place = self._place / name
        place.mkdir(parents=True, exist_ok=True)
        at_work = sum(work_at(one).is_running for one in self._place.iterdir())
        if at_work >= MOST_AT_ONCE or work_at(place).is_running:
            return
        try:
            self._processes.start(place, ["index", "--quiet", str(crawl.folder)])
        except CrawlLocked:  # two have asked at the same moment
            return

    async def keep_up(self) -> None:
        """Look after running crawls as long as the server runs, so that the first who searches need not wait."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            await run_in_threadpool(self._look)

    def _look(self) -> None:
        for name in self._workspace.crawl_names():
            try:
                crawl = self._workspace.crawl(name)
                if crawl.process and self._waiting(crawl.folder, crawl) > MANY:
                    self.wake(name, crawl)
            except (HoneyguideError, OSError) as error:  # it is tried again, and the others are looked after
                logging.getLogger(__name__).warning("%s: its index cannot be looked after: %s", name, error)

    def _waiting(self, folder: Path, crawl: Crawl) -> int:
        with crawl.reader() as reader:
            last = reader.last_number()
        return last if Shelf(folder).in_use() is None else crawl.search("", fresh=False, most=1).waiting
