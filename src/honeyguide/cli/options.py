"""Arguments and options that several verbs share, and how a crawl's folder is opened for reading."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from honeyguide.settings import CrawlOrder
    from honeyguide.store.reader import CrawlReader

Folder = Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder of a crawl.")]
Assignments = Annotated[
    list[str] | None,
    typer.Option(
        "--set", metavar="KEY=VALUE", help="Change any setting, as in scope.max_depth=3. Repeatable."
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print warnings and errors only.")]


@contextmanager
def open_crawl(folder: Path) -> Iterator[CrawlReader]:
    """Open a crawl for reading, also while it runs; a damaged database is told in one line."""
    import sqlite3

    from honeyguide.errors import StoreError
    from honeyguide.store.reader import CrawlReader

    try:
        reader = CrawlReader(folder)
        try:
            yield reader
        finally:
            reader.close()
    except sqlite3.Error as error:
        raise StoreError(f"{folder}: the crawl cannot be read: {error}") from error


def threshold(order: CrawlOrder) -> float:
    """Tell the relevance from which a page of this crawl counts as relevant."""
    from honeyguide.assembly import make_topic

    chosen = order.topic.relevant_above
    return make_topic(order).relevant_above if chosen is None else chosen
