"""A crawl's database moved from its folder to PostgreSQL, or back: every row, then the file that says where it is."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from honeyguide.errors import StoreError
from honeyguide.store import is_elsewhere, open_store
from honeyguide.store.disk import disk_errors
from honeyguide.store.folder import DATABASE, DATABASE_PARTS, PLACE, holds_crawl
from honeyguide.store.lock import lock
from honeyguide.store.postgres.dialect import TRUTHS
from honeyguide.store.postgres.place import Place
from honeyguide.store.postgres.store import make_tables, number_on
from honeyguide.store.sqlite.migration import migrate

TABLES = (
    *(
        "hosts",
        "urls",
        "visits",
        "links",
        "failures",
        "changes",
        "counts",
        "archive_end",
        "host_records",
        "arrays",
    ),
    *("totals", "inbox", "labels", "revisions", "rules", "gone", "archive_files"),
)
ROWS_AT_ONCE = 5_000
PART = f"{DATABASE}.part"

Progress = Callable[[int, int], None]
"""Called with the rows that were moved, and with all there are."""


def move_to_postgres(folder: Path, address: str, progress: Progress) -> None:
    """From the file in the folder into a schema of its own; the file is removed when all is there."""
    if is_elsewhere(folder):
        raise StoreError(
            f"{folder}: its database is in PostgreSQL already; `honeyguide move {folder}` brings it back"
        )
    _bring_up_to_date(folder)
    place = Place.choose(address, folder)
    with disk_errors(folder), lock(folder), closing(place.connect()) as there, closing(_file(folder)) as here:
        make_tables(there, place)
        # The file is removed next: a power cut must find it all there.
        there.execute("SET synchronous_commit TO on")
        try:
            _copy(here, there, progress)
            number_on(there, ("inbox",))
        except BaseException:
            there.execute("ROLLBACK")
            place.drop()
            raise
        place.write(folder)  # from here on the crawl is there
    _remove_file(folder)


def move_to_file(folder: Path, progress: Progress) -> None:
    """From PostgreSQL into a file in the folder; the schema is removed when all is there."""
    if not is_elsewhere(folder):
        raise StoreError(f"{folder}: its database is in the folder already; name a database to move it to")
    _bring_up_to_date(folder)
    place, part = Place.read(folder), folder / PART
    with disk_errors(folder), lock(folder), closing(place.connect()) as there:
        part.unlink(missing_ok=True)
        with closing(sqlite3.connect(part, isolation_level=None)) as here:
            migrate(here, folder)
            _copy(there, here, progress)
        part.replace(folder / DATABASE)
        (folder / PLACE).unlink()  # from here on the crawl is here
    place.drop()


def _bring_up_to_date(folder: Path) -> None:
    if not holds_crawl(folder):
        raise StoreError(f"{folder} holds no crawl; name the folder that `honeyguide crawl` made")
    open_store(folder).close()
    if is_elsewhere(folder):
        _remove_file(folder)  # of a move that was cut short at its very end


def _file(folder: Path) -> sqlite3.Connection:
    return sqlite3.connect(
        f"{(folder / DATABASE).absolute().as_uri()}?mode=ro", uri=True, isolation_level=None
    )


def _remove_file(folder: Path) -> None:
    with disk_errors(folder):
        for part in DATABASE_PARTS:
            (folder / f"{DATABASE}{part}").unlink(missing_ok=True)


def _copy(source: Any, target: Any, progress: Progress) -> None:
    """All rows of all tables as of one moment, in one transaction."""
    source.execute("BEGIN")
    target.execute("BEGIN")
    sizes = [source.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in TABLES]
    done, total = 0, sum(sizes)
    for table, size in zip(TABLES, sizes, strict=True):
        target.execute(f"DELETE FROM {table}")  # a new database has counted itself
        columns = _columns(target, table)
        put = f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"
        moved = 0
        for rows in _rows(source, table, columns):
            target.executemany(put, rows)
            moved += len(rows)
            progress(done + moved, total)
        if moved != size:
            raise StoreError(f"{moved:,} of {size:,} rows of {table} were moved; nothing was changed")
        done += size
    target.execute("COMMIT")
    source.execute("ROLLBACK")


def _rows(source: Any, table: str, columns: Sequence[str]) -> Iterator[list[tuple[Any, ...]]]:
    truths = [place for place, name in enumerate(columns) if name.strip('"') in TRUTHS]
    answer = source.execute(f"SELECT {', '.join(columns)} FROM {table} ORDER BY 1")
    while rows := answer.fetchmany(ROWS_AT_ONCE):
        yield [_with_truths(row, truths) for row in rows]


def _with_truths(row: Sequence[Any], places: Sequence[int]) -> tuple[Any, ...]:
    values = list(row)
    for place in places:
        values[place] = None if values[place] is None else bool(values[place])
    return tuple(values)


def _columns(database: Any, table: str) -> list[str]:
    if isinstance(database, sqlite3.Connection):
        named = "SELECT name FROM pragma_table_info(?) ORDER BY cid"
    else:
        named = (
            "SELECT column_name::text FROM information_schema.columns"
            " WHERE table_schema = current_schema() AND table_name = ? ORDER BY ordinal_position"
        )
    return [f'"{name}"' for (name,) in database.execute(named, (table,)).fetchall()]
