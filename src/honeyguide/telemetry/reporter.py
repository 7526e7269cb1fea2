"""What a crawl tells while it runs: progress, harvest log, crawl log, alarms. Fed with what was committed."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import chain
from pathlib import Path

from honeyguide.errors import NotRecorded
from honeyguide.store.base import Batch, Store
from honeyguide.store.folder import HARVEST_LOG
from honeyguide.telemetry.alarms import Alarms
from honeyguide.telemetry.crawl_log import CrawlLog, LogEntry
from honeyguide.telemetry.harvest import LONG, SHORT, Harvest, HarvestLog


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a crawl stands after a batch."""

    pages: int  # distinct ones
    relevant: int
    harvest_last_50: float
    harvest_last_500: float
    harvest_all: float
    requests: int
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
        pages: int | None = None,
        notices: Sequence[str] = (),
        more_notices: Callable[[], Sequence[str]] = list,
    ) -> None:
        self._store = store
        self._alarms = Alarms()
        self._notices = notices  # to be told with the first alarms
        self._more_notices = more_notices
        self.harvest = harvest  # of all pages that were had, those that are gone since among them
        self.requests = store.requests()
        self.failures = store.failures()
        self.robots_denied = 0
        self._started = time.monotonic()
        self._harvest_log = HarvestLog(folder / HARVEST_LOG, harvest, harvest_every, store.harvested())
        self._crawl_log = CrawlLog(folder)
        self.pages = harvest.pages if pages is None else pages

    def committed(self, batch: Batch) -> None:
        """Take note of a batch that is safe."""
        self.requests += batch.requests
        self.failures += len(batch.failures)
        self.robots_denied += sum(failure.error == "RobotsDenied" for failure in batch.failures)
        before = self.harvest.pages
        self._harvest_log.add((visit.time, visit.harvest) for visit in batch.visits if not visit.is_revisit)
        self.pages += self.harvest.pages - before - len(batch.gone)
        visits = map(LogEntry.of_visit, batch.visits)
        # A link that leads out of a recording was asked of nobody, and there are many.
        failures = (failure for failure in batch.failures if failure.error != NotRecorded.__name__)
        self._crawl_log.add(chain(visits, map(LogEntry.of_failure, failures)))

    def progress(self, queued: int, known: int, under_way: int) -> Progress:
        """Where the crawl stands."""
        harvest = self.harvest
        return Progress(
            pages=self.pages,
            relevant=harvest.relevant,
            harvest_last_50=harvest.last(SHORT),
            harvest_last_500=harvest.last(LONG),
            harvest_all=harvest.overall,
            requests=self.requests,
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
        return replace(progress, alarms=(*notices, *self._more_notices(), *rung))

    def close(self) -> None:
        """Close the logs."""
        self._harvest_log.close()
        self._crawl_log.close()
