"""Runs a crawl for `crawl`, `resume` and `demo`: progress, Ctrl-C, the summary, and the exit code."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, NoReturn

import typer

from honeyguide import wording
from honeyguide.cli import advice, terminal
from honeyguide.cli.failures import NOT_RECORDED, failure_reasons
from honeyguide.cli.progress import bar, crawl_bar

if TYPE_CHECKING:
    from honeyguide.crawls import Crawl
    from honeyguide.engine.running import StopReason
    from honeyguide.making import RecordingProgress
    from honeyguide.telemetry.reporter import Progress

WRONG_INPUT = 2
DISK_FULL = 3
FAILURE_LIMIT = 4
ROBOTS_BLOCKED_ALL = 5
NO_PAGE = 6
STOPPED = 130
PIPE_CLOSED = 141

EXIT_CODES = {
    "page_limit": 0,
    "request_limit": 0,
    "time_limit": 0,
    "frontier_empty": 0,
    "disk_full": DISK_FULL,
    "failure_limit": FAILURE_LIMIT,
    "robots_blocked_all": ROBOTS_BLOCKED_ALL,
    "no_answer": NO_PAGE,
    "stopped_by_user": STOPPED,
}

EXIT_CODES_HELP = """Exit codes:
  0    page_limit, request_limit, time_limit or frontier_empty: the crawl is done
  2    wrong usage, settings or folder
  3    disk_full: make room, then resume
  4    failure_limit: too many pages could not be had
  5    robots_blocked_all: no host lets a crawler in
  6    no_answer, or not a single page was fetched: the warning says what to do
  130  stopped_by_user: Ctrl-C, SIGTERM or `stop`; resume goes on
  141  the program that read the output went away, as `head` does"""

MEANINGS = {
    "page_limit": "the page limit is reached",
    "request_limit": "as many requests were made as limits.max_requests allows",
    "time_limit": "the time limit is reached",
    "frontier_empty": "no link is left to follow",
    "disk_full": "no room is left on the disk; make some, then resume",
    "failure_limit": "too many pages could not be had",
    "robots_blocked_all": "the robots.txt of every host asked forbids its pages; choose other seeds",
    "no_answer": "nobody who was asked has answered; is there a network, and are these hosts still there?",
    "stopped_by_user": "stopped on request",
}
_MOST_DAMAGES = 10
_MOST_WORDS = 8
_NO_ANSWER = "nobody has answered yet; the hosts are asked again later, and crawl.log says what is wrong"
_STOPPING = b"\nstopping once the pages under way are stored; again to stop at once\n"


def opened(take: Callable[[RecordingProgress], Crawl], quiet: bool) -> Crawl:
    """Take a crawl, with a progress bar while its recording is indexed."""
    try:
        with bar("indexing the recording", quiet) as show:
            crawl = take(show)
        _warn_of_damage(crawl.order.web.recording)
        return crawl
    except KeyboardInterrupt:
        terminal.error("stopped by Ctrl-C before the crawl began; give the same command to start again")
        raise typer.Exit(STOPPED) from None


def _warn_of_damage(recording: str) -> None:
    """Name the places where the files of a recording cannot be read; of many, the first."""
    if not recording:
        return
    from honeyguide.fetch.replay import open_recording

    with closing(open_recording(Path(recording))) as opened_again:  # its index is there by now
        damages = opened_again.damages
    for path, offset in damages[:_MOST_DAMAGES]:
        terminal.warn(f"{path}: damaged at byte {offset:,}; what stands there is left out, the rest is used")
    if len(damages) > _MOST_DAMAGES:
        terminal.warn(f"{recording}: and {len(damages) - _MOST_DAMAGES:,} more damaged places")


def run_and_report(crawl: Crawl, quiet: bool) -> NoReturn:
    """Crawl to the end, tell what came of it, and leave with the exit code of the stop reason."""
    try:
        with crawl:
            before = crawl.progress().pages
            reason = run(crawl, quiet)
            _report(crawl, reason.value, before, quiet)
            code = exit_code(reason.value, crawl.progress().pages)
        _warn_of_unsent(crawl)
    except KeyboardInterrupt:
        terminal.error(
            f"stopped at once; `honeyguide resume {crawl.folder}` goes on after the last stored batch"
        )
        raise typer.Exit(STOPPED) from None
    raise typer.Exit(code)


def _warn_of_unsent(crawl: Crawl) -> None:
    if not (address := crawl.order.output.archive_at):
        return
    with crawl.reader() as reader:
        unsent = sum(not file.address for file in reader.archive_files().values())
    if unsent:
        terminal.warn(
            f"{wording.count(unsent, 'file')} of the archive could not be sent to {address} and"
            f" {'is' if unsent == 1 else 'are'} still in {crawl.folder / 'archive'};"
            f" `honeyguide resume {crawl.folder}` tries again"
        )


def exit_code(reason: str, pages: int) -> int:
    """Tell the exit code of a crawl that ended for this reason with so many pages."""
    return EXIT_CODES[reason] or (0 if pages else NO_PAGE)


def run(crawl: Crawl, quiet: bool = False) -> StopReason:
    """Crawl to the end with a progress bar; the first Ctrl-C ends it gracefully, the second at once."""
    limit, before = crawl.order.limits.max_pages, crawl.progress()
    silence = iter((_NO_ANSWER,))  # told once
    with crawl_bar(limit, before.pages, quiet) as show, stop_on_signals(crawl.stop):

        def tell(progress: Progress) -> None:
            show(progress)
            has_failed = progress.failures > before.failures and progress.pages == before.pages
            waits = has_failed and progress.queued > 0 and not progress.under_way
            for alarm in (*progress.alarms, *(silence if waits else ())):
                terminal.warn(alarm)

        return crawl.run(on_progress=tell)


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


def _report(crawl: Crawl, reason: str, before: int, quiet: bool) -> None:
    """Print why the crawl ended, what it brought, and what to do next."""
    progress, order, held = crawl.progress(), crawl.order, crawl.status()
    # What the collection is now: pages may have gone, or been judged again, since they were counted.
    progress = replace(progress, pages=held.pages, relevant=held.relevant, harvest_all=held.harvest_all)
    failures = failure_reasons(crawl)
    commands = advice.next_commands(reason, order, crawl.folder, progress.pages)
    if not quiet:
        terminal.say(f"{reason}: {MEANINGS[reason]}")
        terminal.say(summary_line(progress, progress.pages - before, failures[NOT_RECORDED]))
        _tell_of_learning(crawl)
        for at, command in enumerate(commands):
            terminal.say(("      " if at else "next: ") + command)
    elif EXIT_CODES[reason] not in (0, STOPPED):  # somebody has to do something about it
        then = "".join(f"; next: `{command}`" for command in commands)
        terminal.error(f"{reason}: {MEANINGS[reason]}{then}")
    if reason == "page_limit" and progress.pages == before:
        limit = order.limits.max_pages
        terminal.warn(f"the crawl has {wording.count(before, 'page')} already, and its limit is {limit:,}")
    for warning in advice.warnings(crawl, progress, failures):
        terminal.warn(warning)


def _tell_of_learning(crawl: Crawl) -> None:
    """Which words the topic has learned without anybody's labels, and how to be rid of them."""
    from honeyguide.revisions import kept_revision

    revision = crawl.revision
    topic = kept_revision(crawl, revision)
    if topic and topic.is_self_taught:
        words = ", ".join(
            [stem for stem, weight in topic.telling(3 * _MOST_WORDS) if weight > 0][:_MOST_WORDS]
        )
        diff = terminal.command("topic", "diff", f"{crawl.folder}:0", f"{crawl.folder}:{revision}")
        back = terminal.command("revise", crawl.folder, "--use", "0")
        terminal.say(
            f"learned on the way, from the pages it was surest of: {words}; `{diff}` tells more, `{back}` takes it back"
        )


def summary_line(progress: Progress, new_pages: int, not_recorded: int = 0) -> str:
    """Write a crawl's result in one line."""
    speed = new_pages / max(progress.seconds, 1e-3)
    failures = progress.failures - not_recorded
    missing = f"{wording.count(not_recorded, 'link')} not in the recording, " if not_recorded else ""
    failed = f"{wording.count(failures, 'failure')}, " if failures or not not_recorded else ""
    return (
        f"{wording.count(progress.pages, 'page')}, {progress.relevant:,} relevant (harvest rate"
        f" {terminal.percent(progress.harvest_all)}), {missing}{failed}"
        f"{wording.count(progress.queued, 'url')} waiting; {progress.seconds:.1f} s, {speed:,.0f} pages/s"
    )
