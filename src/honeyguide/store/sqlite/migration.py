"""A database of an earlier version brought up to date. Each step and the record of it commit together."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from honeyguide.errors import StoreError
from honeyguide.model import Status
from honeyguide.state.state import State
from honeyguide.state.tables import URLS
from honeyguide.store.loading import damage_told, load_state
from honeyguide.store.schema import MIGRATIONS, VERSION
from honeyguide.store.totals import REQUESTS, count_totals

_WHOLE_COLUMN = (
    f"INSERT INTO changes (rows_of, name, ids, numbers, kind) VALUES ('{URLS}', ?, NULL, ?, '|u1')"
)


def migrate(connection: sqlite3.Connection, folder: Path) -> None:
    """Bring a database of any earlier version up to date; whoever does so has the crawl locked."""
    version = version_of(connection)
    for number, script in enumerate(MIGRATIONS[version:], start=version + 1):
        connection.executescript(f"BEGIN; {script} PRAGMA user_version = {number}; COMMIT;")
    if not is_current(connection):
        state = State()
        with damage_told(folder):
            load_state(connection, state)
        connection.execute("BEGIN IMMEDIATE")
        try:
            connection.execute(_WHOLE_COLUMN, ("outcome", _outcomes(state).tobytes()))
            count_totals(connection, state.urls["status"])
            connection.execute("COMMIT")
        except BaseException:
            connection.execute("ROLLBACK")
            raise


def is_current(connection: sqlite3.Connection) -> bool:
    """Whether a database has this version, and what goes with it has been counted."""
    return version_of(connection) == VERSION and bool(
        connection.execute("SELECT 1 FROM totals WHERE name = ?", (REQUESTS,)).fetchone()
    )


def version_of(connection: sqlite3.Connection) -> int:
    """The version a database was made with; refuses one from the future."""
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if version > VERSION:
        raise StoreError(
            f"this crawl was made by a newer honeyguide (schema {version}; this one knows {VERSION}); upgrade"
        )
    return version


def _outcomes(state: State) -> NDArray[np.uint8]:
    """What the last visit of each url left it as; in crawls that did not keep it, what it was judged tells."""
    status, judged = state.urls["status"], ~np.isnan(state.urls["relevance"])
    known = np.where(judged, Status.FETCHED, Status.KNOWN)
    return np.where(status > Status.IN_FLIGHT, status, known).astype(np.uint8)
