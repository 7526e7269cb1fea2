"""`honeyguide explain`: why a url or a site stands where it stands, how it was found; what the strategy learned."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from honeyguide.cli import terminal
from honeyguide.cli.options import AsJson, Folder
from honeyguide.errors import SettingsError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from honeyguide.model import Learned

EXAMPLES = """Examples:
  honeyguide explain crawls/beekeeping https://example.org/hives
  honeyguide explain crawls/beekeeping example.org
  honeyguide explain crawls/beekeeping --strategy"""
MOST_ROWS = 12


def explain(
    folder: Folder,
    url: Annotated[
        str, typer.Argument(metavar="URL", help="Any url, in any spelling, or the name of a site.")
    ] = "",
    strategy: Annotated[
        bool, typer.Option("--strategy", help="What the strategy has learned, over time, instead of a url.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Tell why a page has its relevance and priority, and by which links it was found.

    Of a url that was not fetched, tells why not. Of a name without a path, as example.org, tells how relevant the
    site is and what it brought; https://example.org/ is its home page. With --strategy, tells what was learned on the
    way about links.
    """
    from honeyguide.crawls import Crawl

    if bool(url) == strategy:
        raise SettingsError("give either a url or --strategy")
    if strategy:
        _print_learned(Crawl.open(folder).learned(), as_json)
        return
    if as_json:
        raise SettingsError(
            "--json goes with --strategy; in Python, Crawl.explain and Crawl.explain_site give the parts"
        )
    crawl = Crawl.open(folder)
    site = None if {*"/?#"} & {*url} else crawl.explain_site(url)
    for heading, lines in (site or crawl.explain(url)).sections():
        if heading:
            terminal.say("")
            terminal.say(heading, style="bold")
        for line in lines:
            terminal.say(line)


def _print_learned(learned: Learned, as_json: bool) -> None:
    import json
    from dataclasses import asdict

    if as_json:
        typer.echo(json.dumps(asdict(learned)))
        return
    terminal.say(learned.summary)
    if learned.rows:
        table = terminal.table(*learned.columns, right=tuple(learned.columns))
        for row in _some(learned.rows):
            table.add_row(f"{row[0]:,.0f}", *(f"{number:.2f}" for number in row[1:]))
        terminal.print_table(table)


def _some(rows: Sequence[Sequence[float]]) -> list[Sequence[float]]:
    """The first, the last, and some between, evenly spaced."""
    steps = min(MOST_ROWS, len(rows)) - 1
    return [rows[round(at * (len(rows) - 1) / max(1, steps))] for at in range(steps + 1)]
