"""A crawl's SQLite file opened to be read: whatever is wrong with it is told in our words."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from honeyguide.commands import Command, read_command
from honeyguide.errors import CrawlLocked, SettingsError, StoreError
from honeyguide.store.folder import DATABASE, holds_crawl
from honeyguide.store.loading import damage_told
from honeyguide.store.lock import lock
from honeyguide.store.migration import is_current, migrate, version_of
from honeyguide.store.reader import Reader

UPDATED_WITHIN_SECONDS = 60.0


class SqliteRows(Reader):
    """One crawl's database, opened read-only; that of an earlier version is brought up to date first."""

    def __init__(self, folder: Path) -> None:
        if not holds_crawl(folder):
            raise StoreError(f"{folder} holds no crawl; name the folder that `honeyguide crawl` made")
        self.folder = folder
        with self._told():
            self._db = self._connect()

    def _connect(self) -> Any:
        _update(self.folder)
        return sqlite3.connect(f"{_uri(self.folder)}?mode=ro", uri=True, check_same_thread=False)

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Say in our words what SQLite finds wrong."""
        try:
            with damage_told(self.folder):
                yield
        except (sqlite3.Error, UnicodeDecodeError, OSError) as error:
            raise StoreError(f"{self.folder}: the crawl cannot be read: {error}") from error

    def _rows(self, query: str, *parameters: object) -> Iterator[tuple[Any, ...]]:
        with self._told():
            for row in self._db.execute(query, parameters):  # noqa: UP028 - it would close the cursor, perhaps too late
                yield row

    def _all(self, query: str, *parameters: object) -> list[tuple[Any, ...]]:
        """Rows that are few, in a fraction of the time of one by one."""
        with self._told():
            found: list[tuple[Any, ...]] = self._db.execute(query, parameters).fetchall()
            return found

    def _row(self, query: str, *parameters: object) -> tuple[Any, ...]:
        with self._told():
            found: tuple[Any, ...] = self._db.execute(query, parameters).fetchone()
            return found

    def _last(self, column: str, table: str) -> int:
        """How many rows a table has whose rows are numbered; to count them would take as long as to read them."""
        return self._row(f"SELECT max({column}) FROM {table}")[0] or 0

    @contextmanager
    def _one_moment(self) -> Iterator[None]:
        """Whatever is read within is of the same commit."""
        self._db.execute("BEGIN")
        try:
            yield
        finally:
            self._db.execute("ROLLBACK")

    def close(self) -> None:
        """Close the database."""
        self._db.close()


def waiting_command(text: bytes) -> Command | None:
    """A command that waits; None for one that the crawl will refuse."""
    with suppress(SettingsError):
        return read_command(text.decode("utf-8", "replace"))
    return None


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
