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
        _fill(db, folder, needed, values)


def _fill(db: sqlite3.Connection, folder: Path, needed: Needed, values: Mapping[str, float]) -> None:
    if "links" in needed:
        with _unpacking("links"):
            _fill_links(db, needed["links"])
    if needed.get("urls", set()) & {*CHANGING}:
        db.executemany("INSERT INTO temp.url_rows VALUES (?, ?, ?, ?, ?, ?)", _urls(db))
    if "url_values" in needed:
        db.executemany("INSERT INTO temp.value_rows VALUES (?, ?, ?)", _values(db, values))
    if "labels" in needed:
        db.executemany("INSERT INTO temp.label_rows VALUES (?, ?, ?, ?, ?, ?, ?, ?)", _labels(db, folder))


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
    for end in {"source_id", "target_id"} & columns:
        db.execute(f"CREATE INDEX temp.links_by_{end} ON link_rows ({end})")
    if "anchor" in columns:  # in the same order
        anchors = _LATEST_LINKS.replace(" l ", " l JOIN json_each(l.anchors) anchor ")
        db.execute(f"INSERT INTO temp.anchor_rows SELECT anchor.value FROM {anchors} ORDER BY n, anchor.key")
        numbers = "SELECT (SELECT count(*) FROM temp.anchor_rows), (SELECT count(*) FROM temp.link_rows)"
        anchors, links = db.execute(numbers).fetchone()
        if anchors != links:
            raise ValueError(f"{links:,} links have {anchors:,} anchors")


def _urls(db: sqlite3.Connection) -> Iterator[tuple[Any, ...]]:
    urls = _columns(db)
    for name in CHANGING:
        load_column(db, name, urls[name])
    urls["priority"][~np.isfinite(urls["priority"])] = np.nan  # which SQLite takes for NULL
    for start in range(0, len(urls), READ_ROWS):
        some = (urls[name][start : start + READ_ROWS].tolist() for name in CHANGING)
        for url_id, (status, outcome, *numbers) in enumerate(zip(*some, strict=True), start):
            yield url_id, STATUSES[status], STATUSES[outcome], *numbers


def _values(db: sqlite3.Connection, values: Mapping[str, float]) -> Iterator[tuple[int, str, float]]:
    urls = _columns(db)
    for name, first in values.items():
        numbers = np.full(len(urls), first)
        load_column(db, name, numbers)
        for url_id, number in enumerate(numbers[1:].tolist(), start=1):
            yield url_id, name, number


def _columns(db: sqlite3.Connection) -> Any:
    """Columns as long as there are urls, in which nothing has changed so far."""
    urls = State().urls
    urls.append(db.execute("SELECT count(*) FROM main.urls").fetchone()[0])
    return urls


def _labels(db: sqlite3.Connection, folder: Path) -> Iterator[tuple[Any, ...]]:
    with open_reader(folder) as reader:
        labels = reader.labels()
    prints = fingerprints([*labels]).view(np.int64).tolist()
    found = "SELECT url, id FROM main.urls WHERE fingerprint IN (SELECT value FROM json_each(?))"
    ids = dict(db.execute(found, (json.dumps(prints),)))
    for url, label in labels.items():
        said = label.relevant, label.is_unsure, label.note, label.by, label.asked
        yield url, ids.get(url), label.time, *said
