"""What a crawl tells while it runs: progress, harvest log, crawl log, alarms. Fed with what was committed."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np

from honeyguide.state.state import State
from honeyguide.store.base import Batch, Store
from honeyguide.telemetry.alarms import Alarms
from honeyguide.telemetry.crawl_log import CrawlLog, LogEntry
from honeyguide.telemetry.harvest import LONG, SHORT, Harvest, HarvestLog

HARVEST_NAME = "harvest.log"


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
    under_way: int
    seconds: float
    alarms: tuple[str, ...] = ()

    def numbers(self) -> dict[str, float]:
        """All that can be drawn as a curve."""
        return {name: value for name, value in asdict(self).items() if name != "alarms"}


class Reporter:
    """Counts what was committed and writes the logs."""

    def __init__(
        self,
        folder: Path,
        store: Store,
        harvest: Harvest,
        harvest_every: int,
        is_live: bool,
        notices: Sequence[str] = (),
    ) -> None:
        self._store = store
        self._alarms = Alarms()
        self._notices = notices  # to be told with the first alarms
        self.harvest = harvest
        self.failures = store.failures()
        self.robots_denied = 0
        self._started = time.monotonic()
        self._harvest_log = HarvestLog(folder / HARVEST_NAME, harvest, harvest_every, store.harvested())
        # Of a recorded web nobody needs to be told who was asked for what when.
        self._crawl_log = CrawlLog(folder) if is_live else None

    def committed(self, batch: Batch, state: State) -> None:
        """Take note of a batch that is safe."""
        self.failures += len(batch.failures)
        self.robots_denied += sum(failure.error == "RobotsDenied" for failure in batch.failures)
        self._harvest_log.add((visit.time, visit.harvest) for visit in batch.visits)
        if self._crawl_log:
            self._crawl_log.add(self._entries(batch, state))

    def _entries(self, batch: Batch, state: State) -> Iterator[LogEntry]:
        failed = np.array([failure.url_id for failure in batch.failures], dtype=np.int32)
        visited = np.array([visit.url_id for visit in batch.visits], dtype=np.int32)
        via = state.urls["via"]
        depth = state.urls["depth"]
        asked = np.unique(np.concatenate((failed, via[failed], via[visited])))
        texts = dict(zip(asked.tolist(), self._store.url_texts(asked), strict=True))
        for visit in batch.visits:
            yield LogEntry.of_visit(visit, texts[int(via[visit.url_id])])
        for failure in batch.failures:
            url_id = failure.url_id
            yield LogEntry.of_failure(failure, texts[url_id], int(depth[url_id]), texts[int(via[url_id])])

    def progress(self, queued: int, known: int, under_way: int) -> Progress:
        """Where the crawl stands."""
        harvest = self.harvest
        return Progress(
            pages=harvest.pages,
            relevant=harvest.relevant,
            harvest_last_50=harvest.last(SHORT),
            harvest_last_500=harvest.last(LONG),
            harvest_all=harvest.overall,
            failures=self.failures,
            queued=queued,
            known=known,
            under_way=under_way,
            seconds=time.monotonic() - self._started,
        )

    def with_alarms(self, progress: Progress) -> Progress:
        """The same, with the alarms that begin to ring at this point; each is told once."""
        rung = self._alarms.note(progress.pages, progress.harvest_last_500, progress.seconds)
        notices, self._notices = self._notices, ()
        return replace(progress, alarms=(*notices, *rung))

    def close(self) -> None:
        """Close the logs."""
        self._harvest_log.close()
        if self._crawl_log:
            self._crawl_log.close()
