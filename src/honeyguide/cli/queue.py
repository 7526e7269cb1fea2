"""`honeyguide queue`: the urls of a crawl that wait."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from honeyguide.cli import terminal
from honeyguide.cli.options import AsJson, Folder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from honeyguide.steering import Queue

EXAMPLES = """Examples:
  honeyguide queue crawls/beekeeping
  honeyguide queue crawls/beekeeping --match calendar
  honeyguide queue crawls/beekeeping --match 'https://example.org/shop/*'
  honeyguide queue crawls/beekeeping --host example.org --json | jq -r '.urls[].url'"""


def queue(
    folder: Folder,
    match: Annotated[
        str,
        typer.Option(metavar="TEXT", help="Only urls with this text; with *, a pattern for the whole url."),
    ] = "",
    host: Annotated[
        str, typer.Option(metavar="HOST", help="Only urls of this host, and of those below it.")
    ] = "",
    most: Annotated[int, typer.Option("--number", "-n", metavar="N", min=0, help="So many urls.")] = 20,
    as_json: AsJson = False,
) -> None:
    """Show the urls that wait, the next first, and of which hosts they are.

    Works while the crawl runs. `honeyguide steer` changes the order.
    """
    from honeyguide.crawls import Crawl

    found = Crawl.open(folder).queue(match, most, host)
    if as_json:
        typer.echo(json.dumps(asdict(found), indent=2))
        return
    for line in _lines(found):
        terminal.say(line)
    table = terminal.table("priority", "depth", "steered", "url", right=("priority", "depth"), fold=("url",))
    for url in found.urls:
        steered = f"{url.action} (rule {url.rule})" if url.rule else ""
        table.add_row(f"{url.priority:.3f}", f"{url.depth:,}", steered, terminal.clean(url.url))
    terminal.print_table(table)


def _lines(found: Queue) -> Iterator[str]:
    shown = (
        f"{found.hits:,} of them match" if found.hits != found.waiting else "all are shown below or counted"
    )
    yield f"{found.waiting:,} urls wait; {shown}, of {found.hosts:,} hosts"
    steered = {"raised": found.raised, "lowered": found.lowered, "excluded beside them": found.excluded}
    if told := [f"{number:,} {name}" for name, number in steered.items() if number]:
        yield f"by rules: {', '.join(told)}"
    if found.by_host:
        hosts = [f"{terminal.clean(share.host)} {share.urls:,}" for share in found.by_host[:5]]
        yield f"most urls: {', '.join(hosts)}"
    if not found.is_complete:
        yield "there was not enough time to search all of it: there may be more"
