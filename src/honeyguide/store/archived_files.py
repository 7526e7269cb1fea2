"""What a crawl's database says of the files of an archive that is kept elsewhere: which there are, and where.

A file has a row before its first page is committed. Its address is empty until all of it is where it belongs; so the
files that may be lost with a machine are known to any other. Crawls that keep their archive in the folder have no rows.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any, NamedTuple

import numpy as np

from honeyguide.model import Ids, Location

_LISTED = "(SELECT value FROM json_each(?))"


class ArchivedFile(NamedTuple):
    """A file of the archive; its address is empty until it is where it belongs."""

    name: str
    bytes: int
    address: str


class ArchivedFiles:
    """The rows of one crawl or shard, which only whoever has its store may change.

    `here` gives the ids that a store has for numbers of the tables, where these are not the same.
    """

    def __init__(
        self,
        database: Any,
        transaction: Callable[[], AbstractContextManager[None]],
        shard: int = 0,
        here: Callable[[Ids], Ids] = lambda numbers: numbers,
    ) -> None:
        self._db = database
        self._transaction = transaction
        self.shard = shard
        self._here = here

    def unsent(self) -> list[str]:
        """Files that were begun and are not known to be where they belong, in order."""
        asked = "SELECT file FROM archive_files WHERE address = '' AND shard = ? ORDER BY file"
        rows = self._db.execute(asked, (self.shard,)).fetchall()
        return [name for (name,) in rows]

    def address_of(self, name: str) -> str:
        """Where a file was sent; empty if it was not."""
        row = self._db.execute("SELECT address FROM archive_files WHERE file = ?", (name,)).fetchone()
        return str(row[0]) if row else ""

    def begin(self, names: Sequence[str]) -> None:
        """There will be pages in these files."""
        begun = (
            "INSERT INTO archive_files (file, bytes, address, shard) VALUES (?, 0, '', ?)"
            " ON CONFLICT (file) DO NOTHING"
        )
        with self._transaction():
            for name in names:
                self._db.execute(begun, (name, self.shard))

    def sent(self, files: Sequence[ArchivedFile]) -> None:
        """These are where they belong."""
        with self._transaction():
            for file in files:
                self._db.execute(
                    "UPDATE archive_files SET bytes = ?, address = ? WHERE file = ?",
                    (file.bytes, file.address, file.name),
                )

    def pages_in(self, names: Sequence[str]) -> Ids:
        """Urls whose last visit stands in one of these files; reads all visits, as only disasters ask."""
        asked = f"SELECT url_id FROM visits WHERE archive_file IN {_LISTED} AND NOT former"
        rows = self._db.execute(asked, (json.dumps([*names]),)).fetchall() if names else []
        return self._here(np.array([url_id for (url_id,) in rows], dtype=np.int32))

    def lost(self, names: Sequence[str]) -> None:
        """These are gone: visits stay, without their pages, and servers are asked for the whole page again."""
        listed = (json.dumps([*names]),)
        with self._transaction():
            self._db.execute(
                "UPDATE visits SET archive_file = NULL, archive_offset = NULL, etag = '', last_modified = ''"
                f" WHERE archive_file IN {_LISTED}",
                listed,
            )
            self._db.execute(f"DELETE FROM archive_files WHERE file IN {_LISTED}", listed)


def write_end(database: Any, end: Location) -> None:
    """Up to where the archive of a crawl is committed; within a transaction."""
    database.execute(
        "INSERT INTO archive_end VALUES (1, ?, ?)"
        ' ON CONFLICT ("only") DO UPDATE SET file = excluded.file, "offset" = excluded."offset"',
        end,
    )


def read_end(database: Any) -> Location | None:
    """What was committed last."""
    row = database.execute('SELECT file, "offset" FROM archive_end').fetchone()
    return Location(*row) if row else None
