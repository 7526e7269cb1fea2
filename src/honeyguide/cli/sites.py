"""`honeyguide sites`: the sites of a crawl, by how relevant they are."""

from __future__ import annotations

import json
from dataclasses import asdict
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from honeyguide.cli import terminal
from honeyguide.cli.options import AsJson, Folder
from honeyguide.wording import count

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.table import Table

    from honeyguide.store.site_rows import SiteSummary

EXAMPLES = """Examples:
  honeyguide sites crawls/beekeeping
  honeyguide sites crawls/beekeeping --by density --most 50
  honeyguide sites crawls/beekeeping --json | jq -r '.sites[].site'"""


class By(StrEnum):
    """What sites are sorted by."""

    RELEVANCE = "relevance"
    PAGES = "pages"
    DENSITY = "density"


def sites(
    folder: Folder,
    most: Annotated[int, typer.Option(metavar="N", min=1, help="So many sites.")] = 20,
    by: Annotated[By, typer.Option(metavar="|".join(By), help="What to sort by.")] = By.RELEVANCE,
    as_json: AsJson = False,
) -> None:
    """Show the sites of a crawl: how relevant each is, its pages, and the share of these that is relevant.

    A site is a domain that one registers, with all its hosts. How relevant it is follows from its pages, as
    crawl.site_relevance says; it is a relevant one from 0.5 on. Works for every crawl; one with crawl.level = "sites"
    also tells what it expects of the next page. Pages per relevant site is the number of pages fetched for each.
    """
    from honeyguide.crawls import Crawl
    from honeyguide.store.site_rows import pages_per_relevant_site

    found = Crawl.open(folder).sites(by=by.value)
    relevant = sum(site.is_relevant for site in found)
    rate = pages_per_relevant_site(found)
    if as_json:
        numbers = {"sites_found": len(found), "relevant_sites": relevant, "pages_per_relevant_site": rate}
        typer.echo(json.dumps({**numbers, "sites": [*map(asdict, found[:most])]}, indent=2))
        return
    terminal.print_table(_table(found[:most]))
    written = f"; {rate:.1f} pages per relevant site" if rate else ""
    terminal.say(f"{count(len(found), 'site')} with a page, {relevant:,} relevant{written}")


def _table(found: Sequence[SiteSummary]) -> Table:
    columns = ("relevance", "relevant", "pages", "density", "waiting", "expected")
    table = terminal.table(*columns, "site", right=columns, fold=("site",))
    for site in found:
        expected = "-" if site.expected is None else f"{site.expected:.3f}"
        numbers = (f"{site.relevance:.3f}", f"{site.relevant:,}", f"{site.pages:,}", f"{site.density:.3f}")
        table.add_row(*numbers, f"{site.waiting:,}", expected, terminal.clean(site.site))
    return table
