"""A connection to PostgreSQL that is asked as one to SQLite is: `execute`, `executemany`, transactions by words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import chain
from typing import Any
from urllib.parse import urlsplit

import psycopg
from psycopg.pq import TransactionStatus
from psycopg.types.numeric import NumericBinaryLoader

from honeyguide.errors import DiskFull, StoreError
from honeyguide.store.postgres.dialect import asked, copied, quoted, storable, storable_rows, translated

READ_ROWS = 5_000
CONNECT_SECONDS = 10
LOST_IF_SILENT: Mapping[str, Any] = {
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 15_000,  # milliseconds that what was sent may stay unacknowledged
}
"""A connection whose other end cannot be reached fails, instead of being waited for until the network comes back."""
_NO_ROOM = "53100"
_TEXT = psycopg.adapters.types["text"].oid


class _Number(NumericBinaryLoader):
    """Sums of whole numbers are whole, all others as good as floats."""

    def load(self, data: Any) -> Any:
        number = super().load(data)
        return int(number) if number == number.to_integral_value() else float(number)


class Answer:
    """What a question brought: rows, all at hand or as they are asked for."""

    def __init__(self, cursor: Any, where: str) -> None:
        self._cursor = cursor
        self._where = where

    def fetchone(self) -> tuple[Any, ...] | None:
        """The next row."""
        with told(self._where):
            row: tuple[Any, ...] | None = self._cursor.fetchone() if self._cursor is not None else None
            return row

    def fetchmany(self, size: int) -> list[tuple[Any, ...]]:
        """The next rows."""
        with told(self._where):
            return self._cursor.fetchmany(size) if self._cursor is not None else []

    def fetchall(self) -> list[tuple[Any, ...]]:
        """All rows that are left."""
        with told(self._where):
            return self._cursor.fetchall() if self._cursor is not None else []

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        while rows := self.fetchmany(READ_ROWS):
            yield from rows


class Connection:
    """One connection, whose tables are those of a schema.

    Outside a transaction the rows of an answer are all read at once; within one they are read as they are asked for.
    """

    def __init__(self, address: str, schema: str) -> None:
        self.where = without_password(address)
        self._kinds: dict[tuple[str, str], Sequence[int]] = {}
        self._is_together = False
        self._cursors: list[Any] = []  # those that read as they are asked, until the transaction ends
        with told(self.where):
            self._pg = psycopg.connect(
                address, autocommit=True, connect_timeout=CONNECT_SECONDS, **LOST_IF_SILENT
            )
            self._pg.execute(f"SET search_path TO {quoted(schema)}")
            # A crawl survives the death of either process; a power cut may cost the last commits, as in SQLite.
            self._pg.execute("SET synchronous_commit TO off")
        self._pg.adapters.register_loader("numeric", _Number)

    @property
    def in_transaction(self) -> bool:
        """Whether one has begun."""
        return self._pg.info.transaction_status not in (TransactionStatus.IDLE, TransactionStatus.UNKNOWN)

    def execute(self, question: str, parameters: Sequence[Any] = ()) -> Answer:
        """Ask or tell the database."""
        question_and_given = asked(question, parameters)
        if question_and_given is None:
            return Answer(None, self.where)
        text, given = question_and_given
        if text in ("COMMIT", "ROLLBACK"):
            self._close_cursors()
        with told(self.where):
            cursor = self._cursor(text)
            cursor.execute(text.replace("BEGIN IMMEDIATE", "BEGIN"), given or None)
            has_rows = cursor.description is not None
        return Answer(cursor if has_rows else None, self.where)

    def ask(self, question: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """A few rows, at once, also within a transaction."""
        question_and_given = asked(question, parameters)
        if question_and_given is None:
            return []
        text, given = question_and_given
        with told(self.where):
            rows: list[tuple[Any, ...]] = self._pg.cursor(binary=True).execute(text, given or None).fetchall()
            return rows

    def _cursor(self, text: str) -> Any:
        if self.in_transaction and not self._is_together and text.lstrip().startswith("SELECT"):
            self._cursors.append(self._pg.cursor(f"c{len(self._cursors)}", binary=True))
            return self._cursors[-1]
        return self._pg.cursor(binary=True)

    def _close_cursors(self) -> None:
        for cursor in self._cursors:
            with suppress(psycopg.Error):  # of a transaction that has failed
                cursor.close()
        self._cursors = []

    @contextmanager
    def together(self) -> Iterator[None]:
        """What is told in here is sent at once, and waited for once; what is asked, with all that was told before."""
        with told(self.where), self._pg.pipeline():
            self._is_together = True
            try:
                yield
            finally:
                self._is_together = False

    def executemany(self, statement: str, rows: Iterable[Sequence[Any]]) -> None:
        """Tell the database of many rows; such as are only added are copied in, unless there are but a few together."""
        if not self._is_together and (into := copied(statement)) is not None:
            self._copy(*into, rows)
            return
        text, order, _ = translated(statement)
        given = [[storable(row[place]) for place in order] for row in rows]
        if given:
            with told(self.where), self._pg.cursor() as cursor:
                cursor.executemany(text, given)

    def _copy(self, table: str, columns: str, rows: Iterable[Sequence[Any]]) -> None:
        waiting = iter(rows)
        first = next(waiting, None)
        if first is None:  # a round trip saved
            return
        with told(self.where), self._pg.cursor() as cursor:
            kinds = self._kinds_of(cursor, table, columns)
            into = f"{table} ({columns})" if columns else table
            with cursor.copy(f"COPY {into} FROM STDIN (FORMAT BINARY)") as copy:
                copy.set_types(kinds)
                texts = [place for place, kind in enumerate(kinds) if kind == _TEXT]
                for row in storable_rows(chain((first,), waiting), texts):
                    copy.write_row(row)

    def _kinds_of(self, cursor: Any, table: str, columns: str) -> Sequence[int]:
        """What PostgreSQL keeps in columns: numbers and bytes are sent as they are, not as digits."""
        key = table, columns
        if key not in self._kinds:
            cursor.execute(f"SELECT {columns or '*'} FROM {table} LIMIT 0")
            self._kinds[key] = [column.type_code for column in cursor.description]
        return self._kinds[key]

    def script(self, text: str) -> None:
        """Several statements, in one transaction of their own."""
        with told(self.where), self._pg.transaction():
            self._pg.execute(text)

    def close(self) -> None:
        """Close it; what was not committed is gone."""
        self._close_cursors()
        self._pg.close()


@contextmanager
def told(where: str) -> Iterator[None]:
    """Say in our words what PostgreSQL finds wrong."""
    try:
        yield
    except psycopg.OperationalError as error:
        if error.sqlstate == _NO_ROOM:
            raise DiskFull(f"no space left at {where}; free some: nothing committed is lost") from error
        raise StoreError(
            f"{where}: {_first_line(error)}; is the database there, and may you use it?"
        ) from error
    except psycopg.Error as error:
        raise StoreError(f"{where}: {_first_line(error)}") from error


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0]


def without_password(address: str) -> str:
    """An address as people may see it.

    >>> without_password("postgresql://me:secret@db.example/crawls")
    'postgresql://me@db.example/crawls'
    """
    parts = urlsplit(address)
    who, has_host, host = parts.netloc.rpartition("@")
    return parts._replace(netloc=f"{who.partition(':')[0]}{has_host}{host}", query="").geturl()
