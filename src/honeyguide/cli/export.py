"""`honeyguide export`: tables of a crawl, or its archive, as a file for other programs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from honeyguide import wording
from honeyguide.cli import progress, terminal
from honeyguide.cli.options import Folder
from honeyguide.errors import SettingsError

if TYPE_CHECKING:
    from honeyguide.crawls import Crawl
    from honeyguide.store.export import Row, Table

EXAMPLES = """Examples:
  honeyguide export crawls/beekeeping pages.csv
  honeyguide export crawls/beekeeping relevant.jsonl.gz --relevant
  honeyguide export crawls/beekeeping links.parquet --what links
  honeyguide export crawls/beekeeping sites.csv --what sites
  honeyguide export crawls/beekeeping labels.csv --what labels
  honeyguide export crawls/beekeeping bees.wacz
  honeyguide export crawls/beekeeping - --what failures | head"""


class What(StrEnum):
    """The tables there are."""

    PAGES = "pages"
    VISITS = "visits"
    LINKS = "links"
    HOSTS = "hosts"
    SITES = "sites"
    FAILURES = "failures"
    LABELS = "labels"


class Format(StrEnum):
    """The formats there are."""

    JSONL = "jsonl"
    CSV = "csv"
    PARQUET = "parquet"
    WACZ = "wacz"


def export(
    folder: Folder,
    out: Annotated[
        Path,
        typer.Argument(metavar="OUT", help="The file to write; - for standard output; NAME.gz is packed."),
    ],
    what: Annotated[What, typer.Option(metavar="|".join(What), help="Which table.")] = What.PAGES,
    kind: Annotated[
        Format | None,
        typer.Option("--format", metavar="|".join(Format), help="The format [default: by the name of OUT]."),
    ] = None,
    relevant: Annotated[bool, typer.Option("--relevant", help="Only relevant pages.")] = False,
) -> None:
    """Write a crawl's pages, the visits of them, links, hosts, sites, failures or labels to a file.

    An existing file is replaced once the new one is complete. Works while the crawl runs.
    Parquet needs: pip install 'honeyguide[parquet]'
    A WACZ has all pages that are kept, as replay tools open them: relevant ones are listed first.
    """
    from honeyguide.crawls import Crawl
    from honeyguide.store.export import STDOUT, format_of, table_of, write_table

    if relevant and what is not What.PAGES:
        raise SettingsError(f"--relevant chooses pages; there is no choice of {what.value}")
    chosen = kind.value if kind else format_of(out)
    crawl = Crawl.open(folder)
    if chosen == Format.WACZ.value:
        if relevant or what is not What.PAGES:
            raise SettingsError("a WACZ has all pages that are kept; --relevant and --what are for tables")
        _export_wacz(crawl, out)
        return
    with crawl.reader() as reader, progress.bar(f"exporting {what.value}") as show:
        definition = crawl.order.crawl.site_relevance
        table = table_of(
            reader, what.value, crawl.threshold, only_relevant=relevant, site_relevance=definition
        )
        rows = _Counted(table)
        write_table(rows.table, out, chosen, show)
    if out != STDOUT:
        terminal.note(f"{wording.count(rows.number, 'row')} of {what.value} written to {out}")


def _export_wacz(crawl: Crawl, out: Path) -> None:
    from honeyguide.store.export import STDOUT, output
    from honeyguide.store.wacz import Wacz

    with crawl.reader() as reader:
        made = Wacz(reader, crawl.folder.name, crawl.threshold)
    with output(out) as file, progress.bar("exporting pages") as show:
        file.writelines(made.chunks(show))
    if out != STDOUT:
        terminal.note(f"{wording.count(out.stat().st_size, 'byte')} written to {out}")


class _Counted:
    """A table that counts the rows taken from it."""

    def __init__(self, table: Table) -> None:
        self.number = 0
        self.table = replace(table, rows=self._rows(table.rows))

    def _rows(self, rows: Iterable[Row]) -> Iterator[Row]:
        for row in rows:
            self.number += 1
            yield row
