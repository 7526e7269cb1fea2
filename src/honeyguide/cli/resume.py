"""`honeyguide resume`: a crawl goes on where its last commit left it, or where it was paused."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from honeyguide.cli import at_work, running, terminal
from honeyguide.cli.options import Assignments, Folder, Quiet, changes
from honeyguide.errors import CrawlLocked

EXAMPLES = f"""Examples:
  honeyguide resume crawls/beekeeping
  honeyguide resume crawls/beekeeping --pages 5000

{running.EXIT_CODES_HELP}"""


def resume(
    folder: Folder,
    pages: Annotated[
        int | None, typer.Option(metavar="N", help="Stop at so many pages, earlier ones included.")
    ] = None,
    assignments: Assignments = None,
    quiet: Quiet = False,
) -> None:
    """Go on with a crawl that was paused, stopped, or died.

    It continues exactly after the last batch that was stored. What pages were found and judged by
    (topic, seeds, strategy, web) stays as it was. Urls that were given up for a setting are tried
    again where --set changes it.
    """
    from honeyguide.assembly import read_order, resume_crawl

    changed = changes({"--pages": ("limits.max_pages", pages)}, assignments)
    read_order(folder)
    process = at_work.process_at_work(folder)
    if process is not None:
        _go_on(folder, process, bool(changed))
        return
    crawler = running.opened(lambda show: resume_crawl(folder, changed, show), quiet)
    running.run_and_report(crawler, folder, quiet)


def _go_on(folder: Path, process: int, is_changed: bool) -> None:
    """Let a paused process go on; what it was started with cannot be changed from outside."""
    from honeyguide.engine.control import Control, Wish

    if is_changed or not at_work.is_paused(folder):
        remedy = " and then give this command again" if is_changed else ""
        raise CrawlLocked(
            f"{folder} is in use by {at_work.named(process)}; `honeyguide status {folder}` shows it,"
            f" `honeyguide stop {folder}` ends it{remedy}"
        )
    Control(folder).forget(Wish.PAUSE)
    terminal.say(f"{at_work.named(process)} goes on")
