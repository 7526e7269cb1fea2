"""`honeyguide resume`: a crawl goes on where its last commit left it, or where it was paused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from honeyguide.cli import running, terminal
from honeyguide.cli.options import Assignments, Folder, Quiet, changes
from honeyguide.errors import CrawlLocked

if TYPE_CHECKING:
    from honeyguide.crawls import Crawl

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
    from honeyguide.crawls import Crawl

    changed = changes({"--pages": ("limits.max_pages", pages)}, assignments)
    crawl = Crawl.open(folder)
    if crawl.process is not None:
        _go_on(crawl, bool(changed))
        return
    running.opened(lambda show: crawl.take(changed, show), quiet)
    running.run_and_report(crawl, quiet)


def _go_on(crawl: Crawl, is_changed: bool) -> None:
    """Let a paused process go on; what it was started with cannot be changed by resuming it."""
    from honeyguide.commands import Resume

    if is_changed or not crawl.status().paused:
        remedy = " and then give this command again" if is_changed else ""
        folder, process = crawl.folder, terminal.process(crawl.process)
        raise CrawlLocked(
            f"{folder} is in use by {process}; `honeyguide status {folder}` shows it,"
            f" `honeyguide stop {folder}` ends it{remedy}"
        )
    crawl.answer(crawl.send(Resume()))
    terminal.say(f"{terminal.process(crawl.process)} goes on")
