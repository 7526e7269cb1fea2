"""The SQLite store: one file a crawl, with a write-ahead log."""

from __future__ import annotations

import sqlite3
from contextlib import ExitStack, closing

from honeyguide.store.database import DatabaseStore
from honeyguide.store.folder import DATABASE
from honeyguide.store.sqlite.migration import migrate


class SqliteStore(DatabaseStore):
    """Opens or creates the crawl in a folder."""

    def _connect(self) -> sqlite3.Connection:
        """The database, with the tables of this version."""
        # By one thread after the other: whoever takes a crawl may have another one run it.
        database = sqlite3.connect(self._folder / DATABASE, isolation_level=None, check_same_thread=False)
        with ExitStack() as undo:
            undo.enter_context(closing(database))
            database.execute("PRAGMA journal_mode = WAL")
            # Safe against the death of the process at any moment; a power cut may cost the last commits.
            database.execute("PRAGMA synchronous = NORMAL")
            migrate(database, self._folder)
            undo.pop_all()
        return database
