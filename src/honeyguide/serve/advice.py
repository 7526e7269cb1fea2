"""What is wrong with a crawl and what to do about it, as far as its numbers and its last process tell."""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

from honeyguide.crawled import CrawlStatus
from honeyguide.serve.api.shapes import ENDINGS, RunState
from honeyguide.serve.processes import log_of, work_at
from honeyguide.telemetry.alarms import FALLEN_TO, WINDOW_PAGES

FEW_PAGES = 50
"""Among fewer pages it is no wonder if none is relevant."""
FEW_FAILURES = 20
QUIET_SECONDS = 60.0
LITTLE_SPACE_BYTES = 500_000_000
LONGEST_LINE = 500


def advice(folder: Path, state: RunState, status: CrawlStatus) -> list[str]:
    """All that a person should know at once; most crawls need none."""
    free = shutil.disk_usage(folder).free
    return [*_of_process(folder, state), *of_numbers(state, status, time.time()), *of_disk(free)]


def _of_process(folder: Path, state: RunState) -> Iterator[str]:
    if state == "killed":
        yield "Its process died. Nothing that was stored is lost: run it again."
    if state == "failed" and (ending := ENDINGS.get(work_at(folder).code or 0)):
        last = re.sub(r"^(error|warning): ", "", log_of(folder).strip().rpartition("\n")[2])
        last = last.replace(f"{folder.parent}/", "")  # nobody need know where on the disk crawls are
        yield f"{ending} It said: {last[:LONGEST_LINE]}" if last else ending


def of_numbers(state: RunState, status: CrawlStatus, now: float) -> Iterator[str]:
    """What the numbers tell."""
    if not status.pages:
        return
    if not status.urls_by_status["queued"]:
        yield "No urls are left to follow: add seeds, or widen the topic."
    if status.pages >= FEW_PAGES and not status.relevant:
        yield "None of its pages is relevant: look at the topic, or choose other seeds."
    elif status.pages >= WINDOW_PAGES and status.harvest_last_500 < FALLEN_TO * status.harvest_all:
        yield (
            f"The harvest of the last {WINDOW_PAGES} pages is {status.harvest_last_500:.1%}, that of all is "
            f"{status.harvest_all:.1%}: the crawl drifts off its topic, or has found most of it. Look at the "
            "results, add seeds, label some pages, or stop."
        )
    if status.failures > FEW_FAILURES and status.failures > status.pages:
        yield "More pages failed than came: look at the reasons."
    if state == "running" and status.last_time and now - status.last_time > QUIET_SECONDS:
        yield "No page came for a minute: the hosts that are left are slow, resting or unreachable."


def of_disk(free: int) -> Iterator[str]:
    """What the disk tells."""
    if free < LITTLE_SPACE_BYTES:
        yield f"Only {free // 1_000_000:,} MB are left on the disk: make room, or the crawl stops."
