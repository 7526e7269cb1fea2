"""From the database back to columns and visits: how a crawl reopens, and how reports see one that is running."""

from __future__ import annotations

import json
import math
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from struct import pack
from typing import Any

import numpy as np
from numpy.typing import NDArray

from honeyguide.errors import SettingsError, StoreError
from honeyguide.model import Ids, Location, Status, Visit
from honeyguide.patterns import ACTIONS, Pattern, Rule
from honeyguide.state.state import State
from honeyguide.state.tables import KEY, URLS
from honeyguide.state.united import enter_links
from honeyguide.store.schema import VISIT_COLUMNS

READ_ROWS = 100_000
READ_URLS = 2_000
"""Rows of four numbers: as many as the processor has near while they are copied, which saves a fifth of the time."""
SELECT_VISIT = (
    f"SELECT visits.url_id, urls.url, visits.{', visits.'.join(VISIT_COLUMNS[1:])}, n, vias.url, archive_file,"
    " archive_offset FROM visits JOIN urls ON urls.id = url_id JOIN urls AS vias ON vias.id = urls.via"
)
"""In the order of the fields of `Visit`, but that a location is a file and an offset."""


@contextmanager
def damage_told(folder: Path) -> Iterator[None]:
    """Raise StoreError where the database says what no crawl has ever written there."""
    try:
        yield
    except (ValueError, TypeError, LookupError, OverflowError, RecursionError) as error:
        raise StoreError(
            f"{folder}: its crawl.db is damaged: {error}; put back a copy of it, or crawl what its archive holds by"
            f" `honeyguide crawl {folder / 'order.toml'} --recording {folder} --folder NEW`"
        ) from error


def load_state(db: sqlite3.Connection, state: State, is_divided: bool = False) -> None:
    """Fill an empty state with hosts, urls, links and columns, as of one moment. For use within `damage_told`.

    In a crawl that is divided, a page has as many rows of links as there are shards that these lead into.
    """
    hosts = db.execute("SELECT name, barren, given, trust FROM hosts ORDER BY id").fetchall()
    state.restore_urls([name for name, *_ in hosts], **_url_columns(db, len(hosts)))
    for place, name in enumerate(("barren", "given", "trust"), start=1):
        state.hosts[name][:] = [row[place] for row in hosts]
    rows = db.execute("SELECT page, targets, contributed FROM links WHERE NOT former ORDER BY n")
    load = _load_divided_links if is_divided else load_links
    load(rows, state, lambda numbers: _checked(numbers, len(state)).astype(np.int32, copy=False))
    _load_keys(db, state)
    # What shards of a divided crawl keep for themselves is in their own numbers: see store/postgres/shard_loading.
    logged = (
        "SELECT rows_of, name, ids, numbers, kind FROM changes"
        " WHERE rows_of <> 'foreign' AND rows_of NOT LIKE '%/%' ORDER BY n"
    )
    for table, name, ids, numbers, kind in db.execute(logged):
        if table != URLS and name == KEY:
            continue
        _change(_column(table, name, state), ids, numbers, table, kind)
    if (np.maximum(state.urls["status"], state.urls["outcome"]) > max(Status)).any():
        raise ValueError("a status that does not exist")
    state.count_statuses()
    load_verdicts(db, state)
    for name, dtype, shape, numbers in db.execute(
        "SELECT name, dtype, shape, numbers FROM arrays WHERE name NOT LIKE '%/%'"
    ):
        state.arrays[name] = checked_array(dtype, shape, numbers)


def load_verdicts(db: sqlite3.Connection, state: State) -> None:
    """What people said of pages. For use within `damage_told`."""
    for verdicts, of_hub in ((state.labels, False), (state.hub_marks, True)):
        said = "SELECT url, relevant FROM labels WHERE of_hub = ? ORDER BY n"
        if rows := db.execute(said, (of_hub,)).fetchall():
            urls, given = zip(*rows, strict=True)
            verdicts.note(urls, [None if one is None else bool(one) for one in given])


def load_column(db: sqlite3.Connection, name: str, column: NDArray[Any]) -> None:
    """Bring one column of urls from its first numbers up to date. For use within `damage_told`."""
    logged = "SELECT ids, numbers, kind FROM changes WHERE name = ? AND rows_of = ? ORDER BY n"
    for ids, numbers, kind in db.execute(logged, (name, URLS)):
        _change(column, ids, numbers, URLS, kind)


def _change(column: NDArray[Any], ids: bytes | None, numbers: bytes, table: str, kind: str) -> None:
    values = np.frombuffer(numbers, dtype=numbers_of_kind(kind))
    if ids is not None:
        column[_ids(ids, len(column))] = values
    elif table == URLS:
        column[: len(values)] = values
    else:  # in former crawls as long as the column of urls that it was
        column[: len(values)] = values[: len(column)]


def _load_keys(db: sqlite3.Connection, state: State) -> None:
    """Keys say which rows the tables have."""
    logged = "SELECT rows_of, ids, numbers FROM changes WHERE name = ? AND rows_of NOT LIKE '%/%' ORDER BY n"
    for table, ids, keys in db.execute(logged, (KEY,)):
        state.declare_table(table, {})
        rows = state.tables[table].restore(np.frombuffer(keys, dtype=np.uint64))
        if ids is not None and rows.tobytes() != ids:
            raise ValueError(f"rows of the table {table!r} that do not follow each other")


def _column(table: str, name: str, state: State) -> NDArray[Any]:
    if table != URLS:
        state.declare_table(table, {name: 0.0})
        return state.tables[table].columns[name]
    if name in state.urls and name not in state.mutable_columns:
        raise ValueError(f"changes of the column {name!r}, which never changes")
    state.declare_value(name)
    return state.urls[name]


def _url_columns(db: sqlite3.Connection, hosts: int) -> dict[str, NDArray[Any]]:
    cursor = db.execute("SELECT fingerprint, host, depth, via FROM urls ORDER BY id")
    chunks = [np.empty((0, 4), dtype=np.int64)]
    while rows := cursor.fetchmany(READ_URLS):
        # Number by number: an array of tuples takes three times as long.
        numbers = np.fromiter(chain.from_iterable(rows), dtype=np.int64, count=4 * len(rows))
        chunks.append(numbers.reshape(-1, 4))
    table = np.concatenate(chunks)
    fingerprint, host, depth, via = table.T
    # Whoever led to a url was known before it, except that nobody led to the root.
    via_limits = np.maximum(np.arange(len(table)), 1)
    for name, column, limits in (("host", host, hosts), ("depth", depth, 1 << 16), ("via", via, via_limits)):
        if ((column < 0) | (column >= limits)).any():
            raise ValueError(f"a {name} of a url that cannot be")
    return {
        "fingerprint": fingerprint.copy().view(np.uint64),
        "host": host.astype(np.int32),
        "depth": depth.astype(np.uint16),
        "via": via.astype(np.int32),
    }


def load_links(rows: Any, state: State, here: Callable[[NDArray[Any]], Ids]) -> None:
    """Take in rows of pages, their targets and contributions; `here` gives the numbers that urls have in the state."""
    while some := rows.fetchmany(READ_ROWS):
        pages = np.array([page for page, *_ in some], dtype=np.int64)
        counts = np.array([len(packed) for _, packed, _ in some], dtype=np.int64)
        if (counts % 4).any():
            raise ValueError("links of which one is cut in two")
        targets = np.frombuffer(b"".join(packed for _, packed, _ in some), dtype=np.int32)
        contributed = None
        if any(numbers is not None for *_, numbers in some):
            state.links.remember()
            unknown = np.array([np.nan], dtype=np.float32).tobytes()
            packed = b"".join(numbers or unknown * (len(own) // 4) for _, own, numbers in some)
            contributed = np.frombuffer(packed, dtype=np.float32)
        state.links.append(here(pages), counts // 4, here(targets), contributed)


def _load_divided_links(rows: Any, state: State, here: Callable[[NDArray[Any]], Ids]) -> None:
    """The same where the links of a page are in several rows; what they contributed is known to their shards."""
    pages, counts, targets = ([np.empty(0, dtype=np.int32)] for _ in range(3))
    while some := rows.fetchmany(READ_ROWS):
        pages.append(here(np.array([page for page, *_ in some], dtype=np.int64)))
        counts.append(np.array([len(packed) // 4 for _, packed, _ in some], dtype=np.int32))
        targets.append(here(np.frombuffer(b"".join(packed for _, packed, _ in some), dtype=np.int32)))
    visited = np.concatenate(pages)
    enter_links(state, visited, np.repeat(visited, np.concatenate(counts)), np.concatenate(targets))


def _ids(packed: bytes, known: int) -> NDArray[np.int32]:
    return _checked(np.frombuffer(packed, dtype=np.int32), known)


def _checked(ids: NDArray[Any], known: int) -> NDArray[Any]:
    if len(ids) and not 0 <= ids.min() <= ids.max() < known:
        raise ValueError("the number of a url that does not exist")
    return ids


def numbers_of_kind(dtype: str) -> np.dtype[Any]:
    """The kind of packed numbers; ValueError if no crawl has ever written it."""
    kind = np.dtype(dtype)
    if kind.kind not in "biuf" or kind.str != dtype:
        raise ValueError(f"numbers of the type {dtype!r}")
    return kind


def checked_array(dtype: str, shape: str, numbers: bytes) -> NDArray[Any]:
    """An array that a strategy keeps; ValueError if it is none."""
    kind, sides = numbers_of_kind(dtype), json.loads(shape)
    # In whole numbers of any size: the product must be known before anything is made that large.
    if math.prod(sides) * kind.itemsize != len(numbers) or min(sides, default=0) < 0:
        raise ValueError(f"an array of the shape {shape[:50]} with {len(numbers)} bytes")
    return np.frombuffer(numbers, dtype=kind).reshape(sides)


def unpacked_links(targets: bytes, anchors: str) -> list[tuple[int, str]]:
    """The links of one page: ids and anchor texts. For use within `damage_told`."""
    return list(zip(memoryview(targets).cast("i"), json.loads(anchors), strict=True))


def packed_target(url_id: int) -> bytes:
    """How a url stands among the targets of a page."""
    return pack("i", url_id)


def visit_of(row: Sequence[Any]) -> Visit:
    """A row of `SELECT_VISIT`."""
    *facts, noindex, is_revisit, content, changed, number, via, file, offset = row
    facts += [
        bool(noindex),
        bool(is_revisit),
        content,
        None if changed is None else bool(changed),
        number,
        via,
    ]
    facts.append(None if file is None else Location(file, offset))
    return Visit(*facts)


def current_revision(db: sqlite3.Connection) -> int:
    """The revision of the topic that guides a crawl."""
    row = db.execute("SELECT revision FROM revisions ORDER BY n DESC LIMIT 1").fetchone()
    return int(row[0]) if row else 0


def rules_in_force(db: sqlite3.Connection) -> list[Rule]:
    """The rules that steer a crawl. For use within `damage_told`."""
    rows = db.execute("SELECT n, action, pattern, time FROM rules WHERE ended IS NULL ORDER BY n").fetchall()
    for number, action, pattern, _ in rows:
        try:
            Pattern.read(pattern)
        except SettingsError as error:
            raise ValueError(f"rule {number}: {error}") from error
        if action not in ACTIONS:
            raise ValueError(f"rule {number} asks for what cannot be done")
    return [Rule(*row) for row in rows]


def last_visit(db: sqlite3.Connection, url_id: int) -> Visit | None:
    """The latest visit of a url."""
    row = db.execute(f"{SELECT_VISIT} WHERE url_id = ? ORDER BY n DESC LIMIT 1", (url_id,)).fetchone()
    return visit_of(row) if row else None
