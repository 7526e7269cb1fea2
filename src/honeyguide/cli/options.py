"""Arguments and options that several verbs share, and how a crawl's folder is opened for reading."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from honeyguide.errors import SettingsError

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


def changes(
    options: Mapping[str, tuple[str, object]], assignments: Sequence[str] | None
) -> dict[str, object]:
    """Put the options that were given and `--set` together: the settings to change, by key.

    `options` has the key and value of each option; None and empty texts count as not given.
    """
    from honeyguide.settings import parse_assignments

    changed = parse_assignments(assignments or ())
    for option, (key, value) in options.items():
        if value is None or value == "":
            continue
        if key in changed:
            raise SettingsError(f"{option} and --set {key} mean the same setting; give one of them")
        changed[key] = value
    return changed


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
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise StoreError(f"{folder}: the crawl cannot be read: {error}") from error


def topic_name(order: CrawlOrder) -> str:
    """What to call the topic of a crawl: its words, or the kind of its topic file."""
    from honeyguide.assembly import make_topic

    return order.topic.text or f"a {make_topic(order).name} topic from a file"


def threshold(order: CrawlOrder) -> float:
    """Tell the relevance from which a page of this crawl counts as relevant."""
    from honeyguide.assembly import make_topic

    chosen = order.topic.relevant_above
    return make_topic(order).relevant_above if chosen is None else chosen
