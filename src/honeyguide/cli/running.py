"""Runs a crawler for `crawl`, `resume` and `demo`: progress, Ctrl-C, the summary, and the exit code."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from honeyguide.cli import terminal
from honeyguide.cli.progress import crawl_bar

if TYPE_CHECKING:
    from honeyguide.crawl.crawler import Crawler, StopReason
    from honeyguide.crawl.reporter import Progress

WRONG_INPUT = 2
DISK_FULL = 3
FAILURE_LIMIT = 4
STOPPED = 130

EXIT_CODES = {
    "page_limit": 0,
    "time_limit": 0,
    "frontier_empty": 0,
    "disk_full": DISK_FULL,
    "failure_limit": FAILURE_LIMIT,
    "stopped_by_user": STOPPED,
}

EXIT_CODES_HELP = """Exit codes:
  0    page_limit, time_limit or frontier_empty: the crawl is done
  2    wrong usage, settings or folder
  3    disk_full: make room, then resume
  4    failure_limit: too many pages could not be had
  130  stopped_by_user: Ctrl-C or SIGTERM; resume goes on"""

_MEANINGS = {
    "page_limit": "the page limit is reached",
    "time_limit": "the time limit is reached",
    "frontier_empty": "no link is left to follow",
    "disk_full": "no room is left on the disk; make some, then resume",
    "failure_limit": "too many pages could not be had",
    "stopped_by_user": "stopped on request",
}
_STOPPING = b"\nstopping once the pages under way are stored; again to stop at once\n"


def run(crawler: Crawler, quiet: bool = False) -> StopReason:
    """Crawl to the end with a progress bar; the first Ctrl-C ends it gracefully, the second at once."""
    limit = crawler.order.limits.max_pages
    with crawl_bar(limit, crawler.harvest.pages, quiet) as show, stop_on_signals(crawler.stop):
        return crawler.run(show)


@contextmanager
def stop_on_signals(stop: Callable[[], None]) -> Iterator[None]:
    """Turn the first SIGINT or SIGTERM into a call; a second one raises KeyboardInterrupt."""
    signals = (signal.SIGINT, signal.SIGTERM)

    def handle(number: int, frame: FrameType | None) -> None:
        for each in signals:
            signal.signal(each, _stop_at_once)
        stop()
        # Not through a buffered stream: the signal may have come in the middle of a write to it.
        os.write(2, _STOPPING)

    before = [signal.signal(each, handle) for each in signals]
    try:
        yield
    finally:
        for each, handler in zip(signals, before, strict=True):
            signal.signal(each, handler)


def _stop_at_once(number: int, frame: FrameType | None) -> None:
    import logging

    # The event loop would log the interrupt as the unseen error of a task, with a traceback.
    logging.getLogger("asyncio").disabled = True
    raise KeyboardInterrupt


def report(crawler: Crawler, reason: StopReason, folder: Path, new_pages: int) -> None:
    """Print why the crawl ended and what it brought."""
    progress = crawler.progress()
    out = terminal.out()
    out.print(f"{reason.value}: {_MEANINGS[reason.value]}")
    out.print(summary_line(progress, new_pages))
    if progress.pages:
        out.print(f"next: honeyguide top {folder}")
    else:
        terminal.warn(f"no page was fetched; `honeyguide export {folder} - --what failures` tells why")


def summary_line(progress: Progress, new_pages: int) -> str:
    """Write a crawl's result in one line."""
    speed = new_pages / max(progress.seconds, 1e-3)
    return (
        f"{progress.pages:,} pages, {progress.relevant:,} relevant (harvest rate"
        f" {terminal.percent(progress.harvest_all)}), {progress.failures:,} failures,"
        f" {progress.queued:,} urls waiting; {progress.seconds:.1f} s, {speed:,.0f} pages/s"
    )
