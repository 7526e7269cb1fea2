"""`honeyguide index`: make the pages of a crawl searchable, once or as they come."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from honeyguide import wording
from honeyguide.cli import progress, terminal
from honeyguide.cli.options import AsJson, Folder, Quiet

EXAMPLES = """Examples:
  honeyguide index crawls/beekeeping
  honeyguide index crawls/beekeeping --follow
  honeyguide index crawls/beekeeping --rebuild"""


def index(
    folder: Folder,
    rebuild: Annotated[
        bool, typer.Option("--rebuild", help="Make the index anew, of the crawl's archive and store.")
    ] = False,
    follow: Annotated[
        bool, typer.Option("--follow", help="Go on as the crawl brings pages, until Ctrl-C.")
    ] = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Index the full text of a crawl's pages, for `honeyguide search`.

    Goes on where it was. While the crawl runs, this gives way to it: it works a thirtieth of the time then.
    Needs: pip install 'honeyguide[search]'
    """
    from honeyguide.crawls import Crawl
    from honeyguide.search.giving_way import be_last

    crawl = Crawl.open(folder)
    if follow or crawl.process is not None:
        be_last()
    with (
        crawl.indexer(rebuild=rebuild, gives_way=True) as indexer,
        progress.bar("indexing", quiet) as show,
    ):
        new = indexer.catch_up(show)
        _tell(new, indexer.done, indexer.unreadable, quiet)
        if as_json:
            typer.echo(json.dumps({"new": new, "indexed": indexer.done, "unreadable": indexer.unreadable}))
        if follow:
            indexer.follow(lambda: True, show)


def _tell(new: int, done: int, unreadable: int, quiet: bool) -> None:
    if not quiet:
        terminal.note(f"{wording.count(new, 'new page')} taken in, {done:,} in all")
    if unreadable:
        terminal.warn(
            f"{wording.count(unreadable, 'page')} cannot be read from the archive, and cannot be searched"
        )
