"""`honeyguide changes`: what is new, has changed, or is gone in a crawl that is kept fresh."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Annotated

import typer

from honeyguide.cli import terminal
from honeyguide.cli.options import AsJson, Folder

EXAMPLES = """Examples:
  honeyguide changes crawls/beekeeping
  honeyguide changes crawls/beekeeping --since 12h
  honeyguide changes crawls/beekeeping --since 2026-05-01 --atom > changes.xml"""


def changes(
    folder: Folder,
    since: Annotated[
        str, typer.Option(metavar="TIME", help="As 30m, 12h, 7d or 4w ago, or a date such as 2026-05-01.")
    ] = "7d",
    most: Annotated[int, typer.Option(metavar="N", min=1, help="So many of each kind at most.")] = 1000,
    as_atom: Annotated[bool, typer.Option("--atom", help="Print an Atom feed.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show pages that are new, say something else than before, or are gone; the latest first.

    Dates, counters and advertisements are no changes. What has changed is known of crawls with --keep-fresh.
    """
    from honeyguide.changing import changes_as_atom
    from honeyguide.crawls import Crawl

    crawl = Crawl.open(folder)
    found = crawl.changes(since, most)
    if as_atom:
        typer.echo(changes_as_atom(found, folder.name, crawl.order.topic.text or folder.name))
        return
    if as_json:
        typer.echo(json.dumps([asdict(change) for change in found], indent=2))
        return
    if not found:
        terminal.say(f"Nothing is new, changed or gone since {since}.")
        return
    table = terminal.table("time", "what", "relevance", "page", right=("relevance",), fold=("page",))
    for change in found:
        told = [change.title, change.url, change.difference]
        page = "\n".join(terminal.clean(text) for text in told if text)
        table.add_row(_moment(change.time), change.kind, f"{change.relevance:.3f}", page)
    terminal.print_table(table)


def _moment(seconds: float) -> str:
    from datetime import datetime

    return datetime.fromtimestamp(seconds).astimezone().strftime("%Y-%m-%d %H:%M")
