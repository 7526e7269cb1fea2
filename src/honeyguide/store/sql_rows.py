"""What the store keeps packed, as rows of temporary tables: only what a question needs. Called by `sql_process`."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping, Set
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from honeyguide.state.state import State
from honeyguide.store import open_reader
from honeyguide.store.loading import READ_ROWS, damage_told, load_column
from honeyguide.store.sql_views import CHANGING, STATUSES
from honeyguide.urls import fingerprints

Needed = Mapping[str, Set[str]]
"""The views that a question names, with the columns it names of each."""

_LATEST_LINKS = "main.links l WHERE NOT former"


def fill(db: sqlite3.Connection, folder: Path, needed: Needed, values: Mapping[str, float]) -> None:
    """Fill the temporary tables that a question needs. `values` are those of the strategy, with their first numbers."""
    with damage_told(folder):
        if "links" in needed:
            with _unpacking("links"):
                _fill_links(db, needed["links"])
        fill_from(db, "main.urls", db, folder, needed, values)


def fill_from(
    store: Any, urls: str, db: sqlite3.Connection, folder: Path, needed: Needed, values: Mapping[str, float]
) -> None:
    """The same but for links, from a database of any kind; `urls` is what its table of them is called."""
    if needed.get("urls", set()) & {*CHANGING}:
        db.executemany("INSERT INTO temp.url_rows VALUES (?, ?, ?, ?, ?, ?)", _urls(store, urls))
    if "url_values" in needed:
        db.executemany("INSERT INTO temp.value_rows VALUES (?, ?, ?)", _values(store, urls, values))
    if "labels" in needed:
        rows = _labels(store, urls, folder)
        db.executemany("INSERT INTO temp.label_rows VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)


@contextmanager
def _unpacking(what: str) -> Iterator[None]:
    try:
        yield
    except sqlite3.OperationalError as error:
        if error.sqlite_errorname != "SQLITE_ERROR":  # it was interrupted, or the file cannot be read
            raise
        raise ValueError(f"{what} that cannot be unpacked") from error


def _fill_links(db: sqlite3.Connection, columns: Set[str]) -> None:
    """By SQLite's own means: a loop in Python would take four times as long."""
    db.create_function("unpacked", 1, lambda targets: str(memoryview(targets).cast("i").tolist()))
    unpacked = _LATEST_LINKS.replace(" l ", " l JOIN json_each(unpacked(l.targets)) target ")
    db.execute(
        f"INSERT INTO temp.link_rows SELECT l.page, target.value FROM {unpacked} ORDER BY n, target.key"
    )
    index_links(db, columns)
    if "anchor" in columns:  # in the same order
        anchors = _LATEST_LINKS.replace(" l ", " l JOIN json_each(l.anchors) anchor ")
        db.execute(f"INSERT INTO temp.anchor_rows SELECT anchor.value FROM {anchors} ORDER BY n, anchor.key")
        numbers = "SELECT (SELECT count(*) FROM temp.anchor_rows), (SELECT count(*) FROM temp.link_rows)"
        anchors, links = db.execute(numbers).fetchone()
        if anchors != links:
            raise ValueError(f"{links:,} links have {anchors:,} anchors")


def index_links(db: sqlite3.Connection, columns: Set[str]) -> None:
    """Have links found by the ends that a question names."""
    for end in {"source_id", "target_id"} & columns:
        db.execute(f"CREATE INDEX temp.links_by_{end} ON link_rows ({end})")


def _urls(store: Any, table: str) -> Iterator[tuple[Any, ...]]:
    urls = _columns(store, table)
    for name in CHANGING:
        load_column(store, name, urls[name])
    urls["priority"][~np.isfinite(urls["priority"])] = np.nan  # which SQLite takes for NULL
    for start in range(0, len(urls), READ_ROWS):
        some = (urls[name][start : start + READ_ROWS].tolist() for name in CHANGING)
        for url_id, (status, outcome, *numbers) in enumerate(zip(*some, strict=True), start):
            yield url_id, STATUSES[status], STATUSES[outcome], *numbers


def _values(store: Any, table: str, values: Mapping[str, float]) -> Iterator[tuple[int, str, float]]:
    urls = _columns(store, table)
    for name, first in values.items():
        numbers = np.full(len(urls), first)
        load_column(store, name, numbers)
        for url_id, number in enumerate(numbers[1:].tolist(), start=1):
            yield url_id, name, number


def _columns(store: Any, table: str) -> Any:
    """Columns as long as there are urls, in which nothing has changed so far."""
    urls = State().urls
    urls.append(store.execute(f"SELECT count(*) FROM {table}").fetchone()[0])
    return urls


def _labels(store: Any, table: str, folder: Path) -> Iterator[tuple[Any, ...]]:
    with open_reader(folder) as reader:
        labels = reader.labels()
    prints = fingerprints([*labels]).view(np.int64).tolist()
    found = f"SELECT url, id FROM {table} WHERE fingerprint IN (SELECT value FROM json_each(?))"
    ids = dict(store.execute(found, (json.dumps(prints),)))
    for url, label in labels.items():
        said = label.relevant, label.is_unsure, label.note, label.by, label.asked
        yield url, ids.get(url), label.time, *said
