"""From the database back to columns and visits: how a crawl reopens, and how reports see one that is running."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from honeyguide.crawl.state import State
from honeyguide.model import Visit
from honeyguide.store.base import Location
from honeyguide.store.schema import VISIT_COLUMNS

READ_ROWS = 100_000
SELECT_VISIT = (
    f"SELECT visits.{', visits.'.join(VISIT_COLUMNS)}, urls.url FROM visits JOIN urls ON urls.id = url_id"
)


def load_state(db: sqlite3.Connection, state: State) -> None:
    """Fill an empty state with hosts, urls, links and columns, as of one moment."""
    hosts = db.execute("SELECT name, barren, given, trust FROM hosts ORDER BY id").fetchall()
    state.restore_urls([name for name, *_ in hosts], **_url_columns(db))
    for place, name in enumerate(("barren", "given", "trust"), start=1):
        state.hosts[name][:] = [row[place] for row in hosts]
    _load_links(db, state)
    for name, ids, numbers in db.execute("SELECT name, ids, numbers FROM changes ORDER BY n"):
        state.declare_value(name)
        column = state.urls[name]
        values = np.frombuffer(numbers, dtype=column.dtype)
        if ids is None:
            column[: len(values)] = values
        else:
            column[np.frombuffer(ids, dtype=np.int32)] = values
    for name, dtype, shape, numbers in db.execute("SELECT name, dtype, shape, numbers FROM arrays"):
        state.arrays[name] = np.frombuffer(numbers, dtype=dtype).reshape(json.loads(shape))


def _url_columns(db: sqlite3.Connection) -> dict[str, NDArray[Any]]:
    cursor = db.execute("SELECT fingerprint, host, depth, via FROM urls ORDER BY id")
    chunks = [np.empty((0, 4), dtype=np.int64)]
    while rows := cursor.fetchmany(READ_ROWS):
        chunks.append(np.array(rows, dtype=np.int64))
    table = np.concatenate(chunks)
    return {
        "fingerprint": table[:, 0].copy().view(np.uint64),
        "host": table[:, 1].astype(np.int32),
        "depth": table[:, 2].astype(np.uint16),
        "via": table[:, 3].astype(np.int32),
    }


def _load_links(db: sqlite3.Connection, state: State) -> None:
    cursor = db.execute("SELECT page, targets FROM links ORDER BY n")
    while rows := cursor.fetchmany(READ_ROWS):
        pages = np.array([page for page, _ in rows], dtype=np.int32)
        counts = np.array([len(packed) // 4 for _, packed in rows], dtype=np.int64)
        targets = np.frombuffer(b"".join(packed for _, packed in rows), dtype=np.int32)
        state.links.append(pages, counts, targets)


def visit_of(row: Sequence[Any]) -> Visit:
    """A row of `SELECT_VISIT`."""
    url_id, *facts, url = row
    return Visit(url_id, url, *facts)


def last_visit(db: sqlite3.Connection, url_id: int) -> Visit | None:
    """The latest visit of a url."""
    row = db.execute(f"{SELECT_VISIT} WHERE url_id = ? ORDER BY n DESC LIMIT 1", (url_id,)).fetchone()
    return visit_of(row) if row else None


def last_location(db: sqlite3.Connection, url_id: int) -> Location | None:
    """Where the archive keeps the latest response of a url."""
    row = db.execute(
        "SELECT archive_file, archive_offset FROM visits WHERE url_id = ? AND archive_file IS NOT NULL"
        " ORDER BY n DESC LIMIT 1",
        (url_id,),
    ).fetchone()
    return Location(*row) if row else None
