"""Reading a crawl from its SQLite file. Nothing is written, so a running crawl is not disturbed."""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import ClassVar

from honeyguide.errors import CrawlLocked, StoreError
from honeyguide.store.database_reader import DatabaseReader
from honeyguide.store.folder import DATABASE
from honeyguide.store.lock import lock
from honeyguide.store.sqlite.migration import is_current, migrate, version_of

UPDATED_WITHIN_SECONDS = 60.0


class SqliteReader(DatabaseReader):
    """All that a crawl's file tells; one of an earlier version is brought up to date first."""

    troubles: ClassVar[tuple[type[Exception], ...]] = (OSError, sqlite3.Error)

    def _connect(self) -> sqlite3.Connection:
        _update(self.folder)
        return sqlite3.connect(f"{_uri(self.folder)}?mode=ro", uri=True, check_same_thread=False)


def _uri(folder: Path) -> str:
    return (folder / DATABASE).absolute().as_uri()


def _update(folder: Path) -> None:
    """Bring the database of an earlier version up to date; whoever else does so, is waited for."""
    until = time.monotonic() + UPDATED_WITHIN_SECONDS
    while not _is_current(folder):
        try:
            with lock(folder), closing(sqlite3.connect(folder / DATABASE, isolation_level=None)) as db:
                migrate(db, folder)
        except CrawlLocked:
            if time.monotonic() > until:
                raise
            time.sleep(0.05)


def _is_current(folder: Path) -> bool:
    with closing(sqlite3.connect(f"{_uri(folder)}?mode=ro", uri=True)) as db:
        if version_of(db) == 0:
            raise StoreError(
                f"{folder} holds a crawl that has not begun; `honeyguide resume {folder}` begins it"
            )
        return is_current(db)
