"""What a question in SQL names of a crawl in PostgreSQL, copied for the process that answers it.

SQLite answers it here, too (`sql_process`): in the same language, within the same limits; and PostgreSQL, where other
crawls and other people's tables are, never sees a word of it. It is asked for the columns that are named, by statements
that are all written here, in one read-only transaction that has ended before the question is answered.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from honeyguide.errors import StoreError
from honeyguide.store.postgres.place import Place
from honeyguide.store.sql_question import too_long
from honeyguide.store.sql_views import VIEWS

if TYPE_CHECKING:
    from honeyguide.store.postgres.connection import Connection

ROWS_AT_ONCE = 5_000
_RELEVANT = "v.copy_of IS NULL AND v.relevance >= {threshold}"
_URL = {"url": "u.url", "host_id": "u.host", "host": "h.name"}
# Joins that nobody needs are left out by PostgreSQL: each finds one row at most, by a primary key.
_OF_URL = "LEFT JOIN urls u ON u.id = {}.url_id LEFT JOIN hosts h ON h.id = u.host"
_VISIT = {
    **{name: f"v.{name}" for name in VIEWS["visits"].columns},
    **{name: f"v.{name}::int" for name in ("noindex", "is_revisit", "changed")},
    **_URL,
    "number": "v.n",
    "id": "v.url_id",
    "relevant": f"({_RELEVANT})::int",
    "via_id": "u.via",
    "via": "p.url",
}
_VISITS = f"visits v {_OF_URL.format('v')} LEFT JOIN urls p ON p.id = u.via"
_JUDGED = (
    f"count(*) AS pages, count(*) FILTER (WHERE {_RELEVANT}) AS relevant, avg(v.relevance) AS mean_relevance"
)


@dataclass(frozen=True, slots=True)
class _Copied:
    """A view whose rows PostgreSQL makes, as it has indexes for that and need not send what they are made of."""

    rows: str
    columns: Mapping[str, str]
    order: str = ""


COPIED: Mapping[str, _Copied] = {
    "pages": _Copied(f"{_VISITS} WHERE NOT v.former", _VISIT, "v.n"),
    "visits": _Copied(_VISITS, _VISIT, "v.n"),
    "failures": _Copied(
        f"failures f {_OF_URL.format('f')}",
        {
            **{name: f"f.{name}" for name in VIEWS["failures"].columns},
            **_URL,
            "number": "f.n",
            "id": "f.url_id",
            "final": "f.final::int",
        },
        "f.n",
    ),
    "hosts": _Copied(
        f"""hosts h
        LEFT JOIN (SELECT host, count(*) AS urls FROM urls GROUP BY host) u ON u.host = h.id
        LEFT JOIN (SELECT u.host, {_JUDGED} FROM visits v JOIN urls u ON u.id = v.url_id WHERE NOT v.former
            GROUP BY u.host) p ON p.host = h.id
        LEFT JOIN (SELECT u.host, count(*) AS failures FROM failures f JOIN urls u ON u.id = f.url_id
            GROUP BY u.host) f ON f.host = h.id
        WHERE h.id > 0""",
        {
            "id": "h.id",
            "host": "h.name",
            "site": "h.name",  # of which SQLite makes the site
            "urls": "coalesce(u.urls, 0)",
            "pages": "coalesce(p.pages, 0)",
            "relevant": "coalesce(p.relevant, 0)",
            "mean_relevance": "p.mean_relevance",
            "failures": "coalesce(f.failures, 0)",
            "fruitless": "h.barren",
        },
        "h.id",
    ),
    "classes": _Copied(
        f"""(SELECT v.topic_class, {_JUDGED} FROM visits v WHERE NOT v.former AND v.topic_class <> ''
        GROUP BY v.topic_class) c""",
        {name: f"c.{name}" for name in VIEWS["classes"].columns},
        "c.topic_class",
    ),
}

_TEXTS = frozenset(
    "url host title language content_type digest topic_class via error message site".split()  # noqa: SIM905
)
_FRACTIONS = frozenset("time relevance priority seconds first_relevance mean_relevance".split())  # noqa: SIM905
_KEYS = {"pages": "number", "visits": "number", "failures": "number", "hosts": "id"}


def tables() -> str:
    """Where copies go: views that PostgreSQL makes, and what the others are made of."""
    made = (
        f"CREATE TEMP TABLE {view} ({', '.join(f'{name} {_kind(view, name)}' for name in copied.columns)});"
        for view, copied in COPIED.items()
    )
    base = """
        CREATE TABLE main.urls (id INTEGER PRIMARY KEY, url TEXT, host INTEGER, depth INTEGER, via INTEGER);
        CREATE TABLE main.hosts (id INTEGER PRIMARY KEY, name TEXT);
    """
    return "\n".join((base, *made))


def _kind(view: str, column: str) -> str:
    """As SQLite's own tables have it: by the kind of a column it is told how to compare."""
    if _KEYS.get(view) == column:
        return "INTEGER PRIMARY KEY"
    return "TEXT" if column in _TEXTS else "REAL" if column in _FRACTIONS else "INTEGER"


class Copying:
    """One question's copies."""

    def __init__(self, db: sqlite3.Connection, folder: Path, threshold: float, until: float) -> None:
        self._db = db
        self._folder = folder
        self._threshold = threshold
        self._until = until

    def fill(self, needed: Mapping[str, set[str]], values: Mapping[str, float], seconds: float) -> None:
        """Copy what a question needs, as of one moment; SettingsError if that takes too long."""
        with self._in_time(seconds), closing(Place.read(self._folder).connect()) as store:
            left = max(1, int(1000 * (self._until - time.monotonic())))
            for name in ("statement_timeout", "idle_in_transaction_session_timeout"):
                store.execute(f"SET {name} TO {left}")
            store.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            for view in COPIED.keys() & needed.keys():
                self._copy(store, view, needed[view])
            self._copy_urls(store, needed)
            if needed.keys() - COPIED.keys():
                self._unpack(store, needed, values)
            store.execute("ROLLBACK")
        with closing(self._db.cursor()) as cursor:
            for view in ("pages", "visits", "failures"):
                if "id" in needed.get(view, ()):
                    cursor.execute(f"CREATE INDEX temp.{view}_by_id ON {view} (id)")

    @contextmanager
    def _in_time(self, seconds: float) -> Iterator[None]:
        try:
            yield
        except TimeoutError:
            raise too_long(seconds) from None
        except StoreError:
            if time.monotonic() > self._until:  # PostgreSQL was the first to notice
                raise too_long(seconds) from None
            raise

    def _rows(self, store: Connection, asked: str) -> Iterator[Sequence[Any]]:
        return chain.from_iterable(self._some_rows(store, asked))

    def _some_rows(self, store: Connection, asked: str) -> Iterator[list[tuple[Any, ...]]]:
        answer = store.execute(asked)
        while rows := answer.fetchmany(ROWS_AT_ONCE):
            if time.monotonic() > self._until:
                raise TimeoutError
            yield rows

    def _copy(self, store: Connection, view: str, named: set[str]) -> None:
        copied = COPIED[view]
        key, *_ = copied.columns  # there is a row, though nothing of it is named
        columns = [name for name in copied.columns if name in named | {key}]
        what = ", ".join(copied.columns[name] for name in columns)
        asked = f"SELECT {what} FROM {copied.rows} ORDER BY {copied.order}"
        marks = ", ".join("site_of(?)" if name == "site" else "?" for name in columns)
        rows = self._rows(store, asked.replace("{threshold}", repr(self._threshold)))
        self._db.executemany(f"INSERT INTO temp.{view} ({', '.join(columns)}) VALUES ({marks})", rows)

    def _copy_urls(self, store: Connection, needed: Mapping[str, set[str]]) -> None:
        """All of them, for views that look them up; without their texts, where nobody wants these."""
        texts = {"url", "via"} & needed.get("urls", set()) | {"source", "target"} & needed.get("links", set())
        if not texts and "urls" not in needed:
            return
        url = "url" if texts else "NULL"
        rows = self._rows(store, f"SELECT id, {url}, host, depth, via FROM urls ORDER BY id")
        self._db.executemany("INSERT INTO main.urls VALUES (?, ?, ?, ?, ?)", rows)
        if "host" in needed.get("urls", ()):
            self._db.executemany(
                "INSERT INTO main.hosts VALUES (?, ?)", self._rows(store, "SELECT id, name FROM hosts")
            )

    def _unpack(self, store: Connection, needed: Mapping[str, set[str]], values: Mapping[str, float]) -> None:
        from honeyguide.store.loading import damage_told
        from honeyguide.store.sql_rows import fill_from, index_links

        with damage_told(self._folder):
            if "links" in needed:
                self._unpack_links(store, "anchor" in needed["links"])
                index_links(self._db, needed["links"])
            fill_from(store, "urls", self._db, self._folder, needed, values)

    def _unpack_links(self, store: Connection, has_anchors: bool) -> None:
        anchors = "anchors" if has_anchors else "NULL"
        asked = f"SELECT page, targets, {anchors} FROM links WHERE NOT former ORDER BY n"
        for rows in self._some_rows(store, asked):
            links = ((page, target) for page, packed, _ in rows for target in memoryview(packed).cast("i"))
            self._db.executemany("INSERT INTO temp.link_rows VALUES (?, ?)", links)
            if has_anchors:  # in the same order
                words = ((word,) for _, packed, texts in rows for word in _anchors(texts, len(packed) // 4))
                self._db.executemany("INSERT INTO temp.anchor_rows VALUES (?)", words)


def _anchors(texts: str, links: int) -> Sequence[str]:
    words: Sequence[str] = json.loads(texts)
    if len(words) != links:
        raise ValueError(f"{links:,} links have {len(words):,} anchors")
    return words
