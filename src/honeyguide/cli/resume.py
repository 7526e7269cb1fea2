"""`honeyguide resume`: a crawl goes on where its last commit left it."""

from __future__ import annotations

from contextlib import closing
from typing import Annotated

import typer

from honeyguide.cli import progress, running, terminal
from honeyguide.cli.options import Assignments, Folder, Quiet

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
    """Go on with a crawl that stopped, was stopped, or died.

    It continues exactly after the last batch that was stored.
    """
    from honeyguide.assembly import resume_crawl
    from honeyguide.settings import parse_assignments

    changes = parse_assignments(assignments or ())
    if pages is not None:
        changes["limits.max_pages"] = pages
    with progress.bar("indexing the recording", quiet) as show:
        crawler = resume_crawl(folder, changes, show)
    with closing(crawler):
        before = crawler.harvest.pages
        reason = running.run(crawler, quiet)
        new_pages = crawler.harvest.pages - before
        if not quiet:
            running.report(crawler, reason, folder, new_pages)
            if not new_pages and reason.value == "page_limit":
                terminal.warn(f"the crawl already had its {before:,} pages; go on with --pages {2 * before}")
    raise typer.Exit(running.EXIT_CODES[reason.value])
