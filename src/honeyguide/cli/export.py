"""`honeyguide export`: pages, links, hosts or failures of a crawl as a file for other programs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from honeyguide.cli import progress, terminal
from honeyguide.cli.failures import message_of
from honeyguide.cli.options import Folder, open_crawl, threshold
from honeyguide.errors import SettingsError

if TYPE_CHECKING:
    from honeyguide.settings import CrawlOrder
    from honeyguide.store.export import Row, Table
    from honeyguide.store.reader import CrawlReader

EXAMPLES = """Examples:
  honeyguide export crawls/beekeeping pages.csv
  honeyguide export crawls/beekeeping relevant.jsonl.gz --relevant
  honeyguide export crawls/beekeeping links.parquet --what links
  honeyguide export crawls/beekeeping - --what failures | head"""


class What(StrEnum):
    """The tables there are."""

    PAGES = "pages"
    LINKS = "links"
    HOSTS = "hosts"
    FAILURES = "failures"


class Format(StrEnum):
    """The formats there are."""

    JSONL = "jsonl"
    CSV = "csv"
    PARQUET = "parquet"


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
    """Write a crawl's pages, links, hosts or failures to a file.

    An existing file is replaced once the new one is complete. Works while the crawl runs.
    Parquet needs: pip install 'honeyguide[parquet]'
    """
    from honeyguide.store.export import STDOUT, format_of, write_table

    if relevant and what is not What.PAGES:
        raise SettingsError(f"--relevant chooses pages; there is no choice of {what.value}")
    chosen = kind.value if kind else format_of(out)
    with open_crawl(folder) as reader, progress.bar(f"exporting {what.value}") as show:
        rows = _Counted(_table(reader, what, relevant))
        write_table(rows.table, out, chosen, show)
    if out != STDOUT:
        terminal.note(f"{terminal.count(rows.number, 'row')} of {what.value} written to {out}")


class _Counted:
    """A table that counts the rows taken from it."""

    def __init__(self, table: Table) -> None:
        self.number = 0
        self.table = replace(table, rows=self._rows(table.rows))

    def _rows(self, rows: Iterable[Row]) -> Iterator[Row]:
        for row in rows:
            self.number += 1
            yield row


def _table(reader: CrawlReader, what: What, only_relevant: bool) -> Table:
    from honeyguide.assembly import read_order
    from honeyguide.store import export as tables

    if what is What.LINKS:
        return tables.links_table(reader)
    order = read_order(reader.folder)
    if what is What.FAILURES:
        return _in_words(tables.failures_table(reader), order)
    relevant_above = threshold(order)
    if what is What.HOSTS:
        return tables.hosts_table(reader, relevant_above)
    return tables.pages_table(reader, relevant_above if only_relevant else 0.0)


def _in_words(table: Table, order: CrawlOrder) -> Table:
    """Say in a table of failures what they mean in this crawl."""
    names = list(table.columns)
    error, message = names.index("error"), names.index("message")
    rows = (
        (*row[:message], message_of(str(row[error]), str(row[message]), order), *row[message + 1 :])
        for row in table.rows
    )
    return replace(table, rows=rows)
