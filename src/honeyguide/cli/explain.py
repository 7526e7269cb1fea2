"""`honeyguide explain`: why a url has its relevance and its priority, and how it was found."""

from __future__ import annotations

from typing import Annotated

import typer

from honeyguide.cli import terminal
from honeyguide.cli.options import Folder

EXAMPLES = """Examples:
  honeyguide explain crawls/beekeeping https://example.org/hives"""


def explain(
    folder: Folder, url: Annotated[str, typer.Argument(metavar="URL", help="Any url, in any spelling.")]
) -> None:
    """Tell why a page has its relevance and priority, and by which links it was found.

    Of a url that was not fetched, tells why not.
    """
    from honeyguide.crawls import Crawl

    for heading, lines in Crawl.open(folder).explain(url).sections():
        if heading:
            terminal.say("")
            terminal.say(heading, style="bold")
        for line in lines:
            terminal.say(line)
