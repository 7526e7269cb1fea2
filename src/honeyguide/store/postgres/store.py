"""The PostgreSQL store: the tables and questions of every store, rows copied in, one connection that commits.

The connection that commits holds an advisory lock: if it dies, so does the right to write. The crawl's folder keeps the
order, the topic, the archive and the file that says which database it is.
"""

from __future__ import annotations

import time
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from honeyguide.errors import CrawlLocked, StoreError
from honeyguide.store import check_one_process
from honeyguide.store.database import DatabaseStore
from honeyguide.store.postgres.dialect import FUNCTIONS, NUMBERED, quoted, schema_script
from honeyguide.store.postgres.place import Place
from honeyguide.store.schema import MIGRATIONS, VERSION

if TYPE_CHECKING:
    from honeyguide.store.postgres.connection import Connection

_STORE = 7  # what our advisory locks are of
OWNED_WITHIN_SECONDS = 3.0
"""The connection of a process that was killed lives on for a moment."""


class PostgresStore(DatabaseStore):
    """Opens or creates the crawl of a folder in its database."""

    def __init__(self, folder: Path) -> None:
        self._has_gaps = False
        super().__init__(folder)

    def _connect(self) -> Connection:
        place = Place.read(self._folder)
        database = place.connect()
        try:
            self._own(database, place)
            make_tables(database, place)
            check_one_process(self._folder)
            number_on(database)
        except BaseException:
            database.close()
            raise
        return database

    def _own(self, database: Connection, place: Place) -> None:
        """Keep everybody else out, whatever folder or machine they come from."""
        key = zlib.crc32(place.schema.encode()) - (1 << 31)
        until = time.monotonic() + OWNED_WITHIN_SECONDS
        while not _is_owner(database, key):
            if time.monotonic() < until:
                time.sleep(0.02)
                continue
            raise CrawlLocked(
                f"{self._folder}: schema {place.schema} of {database.where} is in use by another process;"
                " wait for it or stop it"
            )

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        if self._has_gaps:
            number_on(self._db)
            self._has_gaps = False
        try:
            with super()._transaction():
                yield
        except BaseException:
            self._has_gaps = True
            raise


def _is_owner(database: Connection, key: int) -> bool:
    row = database.execute("SELECT pg_try_advisory_lock(?, ?)", (_STORE, key)).fetchone()
    return bool(row and row[0])


def make_tables(database: Connection, place: Place) -> None:
    """Make the schema, or bring that of an earlier version up to date."""
    database.script(f"CREATE SCHEMA IF NOT EXISTS {quoted(place.schema)}")
    version = version_of(database)
    for number, script in enumerate(MIGRATIONS[version:], start=version + 1):
        first = f"{FUNCTIONS} CREATE TABLE version (number BIGINT NOT NULL); INSERT INTO version VALUES (0);"
        database.script(
            f"{first if number == 1 else ''} {schema_script(script)} UPDATE version SET number = {number};"
        )


def version_of(database: Connection) -> int:
    """The version the tables were made with; 0 if there are none."""
    if (database.execute("SELECT to_regclass('version')").fetchone() or (None,))[0] is None:
        return 0
    (version,) = database.execute("SELECT number FROM version").fetchone() or (0,)
    if version > VERSION:
        raise StoreError(
            f"this crawl was made by a newer honeyguide (schema {version}; this one knows {VERSION}); upgrade"
        )
    return int(version)


def number_on(database: Connection, tables: Sequence[str] = NUMBERED) -> None:
    """Rows are numbered without a gap, as if nothing that was rolled back had ever been there."""
    for table in tables:
        database.ask(  # at once: one that is read row by row would not be carried out
            f"SELECT setval(pg_get_serial_sequence('{table}', 'n'), coalesce(max(n), 0) + 1, false) FROM {table}"
        )
