"""Reading a crawl from PostgreSQL, also while it runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from honeyguide.errors import StoreError
from honeyguide.model import Ids
from honeyguide.state.state import State
from honeyguide.store.database_reader import DatabaseReader
from honeyguide.store.postgres.place import Place
from honeyguide.store.postgres.shard_loading import load_shard
from honeyguide.store.postgres.shard_tables import number_of_shards
from honeyguide.store.postgres.store import version_of
from honeyguide.store.schema import VERSION

if TYPE_CHECKING:
    from honeyguide.store.postgres.connection import Connection


class PostgresReader(DatabaseReader):
    """All that a crawl's schema tells."""

    row_of_grid = "floor(greatest(0, least(?4 - 1, relevance * ?4)))::bigint"

    def _connect(self) -> Connection:
        self._place = Place.read(self.folder)
        self._spare: list[Connection] = []
        self._busy: set[Connection] = set()
        database = self._place.connect()
        if (version := version_of(database)) != VERSION:
            database.close()
            raise StoreError(
                f"{self.folder}: its tables in PostgreSQL are of version {version}, not {VERSION};"
                f" `honeyguide resume {self.folder}` brings them up to date"
            )
        return database

    def cells(self, since: int, last: int, width: int, rows: int) -> list[tuple[int, int, int, int]]:
        """All of them counted by PostgreSQL, which sorts a million at a glance."""
        return self._new_cells(since, last, width, rows)

    def _is_divided(self) -> bool:
        """Whether shards write the tables."""
        return number_of_shards(self._db) > 0

    def ranked_in(
        self, url_id: int, values: Mapping[str, float], tables: Mapping[str, Mapping[str, float]]
    ) -> tuple[State, int, Ids] | None:
        """The shard that owns a url; of the root, which is nobody's, the first."""
        if not self._is_divided():
            return None
        state = State(is_part=True)
        state.declare(values, tables)
        with self._told(), self._one_moment():
            (shard,) = self._row("SELECT greatest(shard, 0) FROM urls WHERE id = ?", url_id)
            urls, _ = load_shard(self._db, shard, state)
        return state, int(urls.here([url_id])[0]), urls.of(np.arange(len(urls)))

    def _rows(self, query: str, *parameters: object) -> Iterator[tuple[Any, ...]]:
        """Read as they are asked for, on a connection of their own: others may be asked meanwhile."""
        if self._db.in_transaction:  # as of the same moment
            yield from super()._rows(query, *parameters)
            return
        with self._told():
            database = self._spare.pop() if self._spare else self._place.connect()
            self._busy.add(database)
            database.execute("BEGIN READ ONLY")
            try:
                yield from database.execute(query, parameters)
            finally:
                if database in self._busy:
                    database.execute("ROLLBACK")
                    self._busy.remove(database)
                    self._spare.append(database)

    def close(self) -> None:
        """Close all connections, also those of rows that nobody went on to read."""
        super().close()
        for database in (*self._spare, *self._busy):
            database.close()
        self._spare, self._busy = [], set()
