"""`honeyguide hubs`: what the distiller makes of a crawl: the best hubs, authorities and sites."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from honeyguide.cli import terminal
from honeyguide.cli.options import AsJson, Folder

EXAMPLES = """Examples:
  honeyguide hubs crawls/beekeeping
  honeyguide hubs crawls/beekeeping --most 50 --all-links
  honeyguide hubs crawls/beekeeping --json | jq -r '.hubs[].url'"""


def hubs(
    folder: Folder,
    most: Annotated[int, typer.Option(metavar="N", min=1, help="So many of each.")] = 10,
    all_links: Annotated[
        bool, typer.Option("--all-links", help="Count links within a site too; for crawls of one site.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Show hubs (pages that link to relevant pages), authorities (relevant pages they link to), and sites.

    Links count by the relevance of their ends, and only between sites: a site cannot praise itself. Sites are listed
    by their share of relevant pages. What people said of pages counts as their relevance, what they said of hubs
    (`honeyguide label --hub`) as `distilled` follows it: those marked as bad are listed last.
    """
    from honeyguide.crawls import Crawl
    from honeyguide.hubs import distilled

    found = distilled(Crawl.open(folder), most, all_links)
    if as_json:
        typer.echo(json.dumps(found, indent=2))
        return
    if not found["hubs"]:
        terminal.note(
            "no link between judged pages of different sites leads to a relevant one; try --all-links"
        )
    for name, columns in (
        ("hubs", ("hub", "relevance", "mark", "title", "url")),
        ("authorities", ("authority", "relevance", "mark", "title", "url")),
        ("sites", ("density", "relevant", "pages", "site")),
    ):
        terminal.say(name, style="bold")
        numbers = tuple(column for column in columns if column not in ("mark", "title", "url", "site"))
        table = terminal.table(*columns, right=numbers, fold=("url", "site"))
        for row in found[name]:
            table.add_row(*(_cell(row[column]) for column in columns))
        terminal.print_table(table)


def _cell(value: float | str | None) -> str:
    if value is None:
        return "-"
    if isinstance(value, str):
        return terminal.clean(value)
    return f"{value:,}" if isinstance(value, int) else f"{value:.3f}"
