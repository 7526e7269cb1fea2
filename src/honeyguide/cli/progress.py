"""Progress bars, all of them. They go to standard error, and only to a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from honeyguide import wording
from honeyguide.cli import terminal

if TYPE_CHECKING:
    from rich.progress import Progress as Bars

    from honeyguide.telemetry.reporter import Progress

BAR_WIDTH = 20


@contextmanager
def crawl_bar(max_pages: int, before: int, quiet: bool) -> Iterator[Callable[[Progress], None]]:
    """Show a running crawl: give what `Crawl.run` calls after each batch. `before`: pages of earlier runs."""
    with _bars(quiet) as bars:
        task = bars.add_task("crawling", total=max_pages or None)

        def show(progress: Progress) -> None:
            speed = (progress.pages - before) / max(progress.seconds, 1e-3)
            bars.update(task, completed=progress.pages, description=crawl_line(progress, max_pages, speed))

        yield show


def crawl_line(progress: Progress, max_pages: int, speed: float) -> str:
    """Write where a crawl stands, in little room."""
    limit = f"/{max_pages:,}" if max_pages else ""
    rates = (progress.harvest_last_50, progress.harvest_last_500, progress.harvest_all)
    harvest = "/".join(f"{100 * rate:.0f}" for rate in rates)
    return (
        f"{progress.pages:,}{limit}  {speed:,.0f}/s  harvest {harvest} %"
        f"  queue {progress.queued:,}  failed {progress.failures:,}"
    )


@contextmanager
def bar(label: str, quiet: bool = False) -> Iterator[Callable[[int, int | None], None]]:
    """Show work of a known or unknown size; nothing appears until the first report."""
    with _bars(quiet) as bars:
        task = bars.add_task(label, visible=False, total=None)
        yield lambda done, total: bars.update(task, completed=done, total=total, visible=True)


@contextmanager
def long_bar(label: str, quiet: bool = False) -> Iterator[Callable[[str, int, int, float], None]]:
    """Show work of hours: what is being done, runs done and planned of all, and about how many seconds are left."""
    with _bars(quiet) as bars:
        task = bars.add_task(label, total=None)

        def show(part: str, done: int, total: int, seconds_left: float) -> None:
            minutes = wording.count(max(1, round(seconds_left / 60)), "minute")
            left = f", about {minutes} left" if seconds_left else ""
            text = f"{part}: {done:,} of {wording.count(total, 'run')}{left}"
            bars.update(task, completed=done, total=total, description=text)

        yield show


@contextmanager
def _bars(quiet: bool) -> Iterator[Bars]:
    from rich.progress import BarColumn, TextColumn
    from rich.progress import Progress as Bars

    console = terminal.err()
    columns = (BarColumn(bar_width=BAR_WIDTH), TextColumn("{task.description}", markup=False))
    hidden = quiet or not console.is_terminal
    with Bars(*columns, console=console, transient=True, disable=hidden) as bars:
        yield bars
