"""A process that answers one question in SQL, and ends. Started by `sql_question`, which ends it if it takes too long.

A process of its own, because nothing else bounds a question: to compile one may take for ever, a pattern may, too, and
what SQLite allocates is counted for the whole process. The connection can only read, and SQLite asks `_Gate` what the
question may touch. SQLite answers also where the crawl is in PostgreSQL: what the question names is copied into memory.
"""

from __future__ import annotations

import json
import math
import re
import resource
import sqlite3
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from honeyguide.errors import HoneyguideError, SettingsError, StoreError
from honeyguide.store import is_elsewhere
from honeyguide.store.folder import DATABASE
from honeyguide.store.sql_question import START_SECONDS, too_large, too_long
from honeyguide.store.sql_views import FUNCTIONS, READ_BY_VIEWS, TABLES, UNPACKED, VIEWS

MOST_BYTES = 16 << 20
"""Of an answer; what comes after is left out."""
BESIDE_SQLITE = 512 << 20
"""Address space for Python, its libraries and the answer."""
LOOK_EVERY = 10_000
"""Steps of SQLite's machine between two looks at the clock."""

MOST_LENGTH = 1_000_000
"""Of a text that a question makes."""

_LIMITS = {
    sqlite3.SQLITE_LIMIT_SQL_LENGTH: 20_000,
    sqlite3.SQLITE_LIMIT_COLUMN: 200,
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 100,
    sqlite3.SQLITE_LIMIT_COMPOUND_SELECT: 50,
    sqlite3.SQLITE_LIMIT_VDBE_OP: 100_000,
    sqlite3.SQLITE_LIMIT_FUNCTION_ARG: 20,
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
    sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 100,
    sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH: 0,
    sqlite3.SQLITE_LIMIT_WORKER_THREADS: 0,
}
_READS = frozenset({sqlite3.SQLITE_SELECT, sqlite3.SQLITE_RECURSIVE})


class _Gate:
    """Lets a question read the views and call pure functions, and notes which views and columns it names."""

    def __init__(self, tables: Iterable[str]) -> None:
        self._tables = {*tables}  # of the store
        self._opened: set[str] = set()  # views whose own tables were read
        self.needed: dict[str, set[str]] = {}
        self.refused = ""

    def __call__(
        self, action: int, first: str | None, second: str | None, base: str | None, within: str | None
    ) -> int:
        refusal = self._refusal(action, first or "", second or "", base or "", within)
        self.refused = self.refused or refusal
        return sqlite3.SQLITE_DENY if refusal else sqlite3.SQLITE_OK

    def _refusal(self, action: int, first: str, second: str, base: str, within: str | None) -> str:
        if action in _READS:
            return ""
        if action == sqlite3.SQLITE_FUNCTION:
            return (
                "" if second.lower() in FUNCTIONS else f"the function {second} is not among those it may call"
            )
        if action != sqlite3.SQLITE_READ:
            return "it may only be a SELECT from the views: nothing is written, attached or set"
        if base == "temp" and first in VIEWS:
            self.needed.setdefault(first, set()).add(second)
            return ""
        if (base, first) in READ_BY_VIEWS and self._is_for_a_view(first, second, (within or "").lower()):
            return ""
        if not (base or second) and first.lower() in VIEWS:
            # Whose rows are counted, or an expression of the same name; never what is called so in the store.
            self.needed.setdefault(first.lower(), set())
            return ""
        is_own = not (base or second or first.lower() in self._tables or first.lower().startswith("sqlite_"))
        return "" if is_own else f"it may not read {first}; there are {', '.join(VIEWS)}"

    def _is_for_a_view(self, table: str, column: str, within: str) -> bool:
        """Whether what views are made of is read by one, and not by the question itself."""
        if within in VIEWS:
            # A common table expression may have the name of a view, too. It sees what views are made of, and no more.
            self._opened.add(within)
            if table in UNPACKED:  # a view of which only rows are counted is not named
                self.needed.setdefault(UNPACKED[table], set())
            return True
        # Where only its rows are counted, a view was replaced by the table they are in when that is told.
        return not column and UNPACKED.get(table, table) in self._opened


def answer(asked: dict[str, Any]) -> dict[str, Any]:
    """Answer a question; what is wrong with it is a SettingsError."""
    folder, question = Path(asked["folder"]), str(asked["question"])
    until = time.monotonic() + asked["seconds"]
    uri = "" if is_elsewhere(folder) else f"{(folder / DATABASE).absolute().as_uri()}?mode=ro"
    with closing(sqlite3.connect(uri or ":memory:", uri=bool(uri), isolation_level=None)) as db:
        db.text_factory = lambda text: text.decode("utf-8", "replace")
        db.set_progress_handler(lambda: time.monotonic() > until, LOOK_EVERY)
        _offer_views(db, asked["threshold"], asked["memory"], is_copied=not uri)
        gate = _Gate(name for (name,) in db.execute("SELECT lower(name) FROM main.sqlite_master"))
        db.set_authorizer(gate)
        with _told(gate, asked):
            db.execute(f"EXPLAIN {question}").close()  # compiled, it has named what it needs
            db.set_authorizer(None)
            _fill(db, folder, gate, asked, until)
            db.execute("PRAGMA query_only = ON")
            db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MOST_LENGTH)
            db.set_authorizer(gate)
            return _taken(db.execute(question), asked["most_rows"])


def _offer_views(db: sqlite3.Connection, threshold: float, memory: int, is_copied: bool) -> None:
    # Also what is sorted and put aside: it is counted, and leaves no file.
    for setting in ("temp_store = MEMORY", f"hard_heap_limit = {memory}", "trusted_schema = OFF"):
        db.execute(f"PRAGMA {setting}")
    db.create_function("site_of", 1, _site_of, deterministic=True)
    db.executescript(TABLES)
    copied: Iterable[str] = ()
    if is_copied:
        from honeyguide.store.postgres import asked_rows

        db.executescript(asked_rows.tables())
        copied = asked_rows.COPIED
    for name, view in VIEWS.items():
        if name not in copied:
            db.execute(
                f"CREATE TEMP VIEW {name} AS {view.definition.replace('{threshold}', repr(threshold))}"
            )
    for limit, number in _LIMITS.items():
        db.setlimit(limit, number)
    db.execute("BEGIN")  # all is as of one moment


def _site_of(host: object) -> str:
    from honeyguide.urls import site_of

    return site_of(str(host or ""))


def _fill(db: sqlite3.Connection, folder: Path, gate: _Gate, asked: dict[str, Any], until: float) -> None:
    """Have at hand what the question names and the database keeps packed, or elsewhere."""
    if is_elsewhere(folder) and gate.needed:
        from honeyguide.store.postgres.asked_rows import Copying

        Copying(db, folder, asked["threshold"], until).fill(gate.needed, asked["values"], asked["seconds"])
    elif gate.needed.keys() & {*UNPACKED.values()}:
        from honeyguide.store.sql_rows import fill

        fill(db, folder, gate.needed, asked["values"])


@contextmanager
def _told(gate: _Gate, asked: dict[str, Any]) -> Iterator[None]:
    """Say in our words what SQLite finds wrong."""
    try:
        yield
    except MemoryError:
        raise too_large(asked["memory"] >> 20) from None
    except (sqlite3.Error, sqlite3.Warning) as error:
        raise _in_our_words(error, gate, asked) from None


def _in_our_words(error: Exception, gate: _Gate, asked: dict[str, Any]) -> HoneyguideError:
    code = getattr(error, "sqlite_errorname", "")
    if gate.refused:
        return SettingsError(f"the question is refused: {gate.refused}")
    if code == "SQLITE_INTERRUPT":
        return too_long(asked["seconds"])
    if code == "SQLITE_TOOBIG":
        return SettingsError(
            f"the question is too long, or makes a text of more than {MOST_LENGTH:,} characters; ask for less at once"
        )
    if code in ("SQLITE_CORRUPT", "SQLITE_NOTADB") or code.startswith(("SQLITE_IOERR", "SQLITE_CANTOPEN")):
        return StoreError(f"{asked['folder']}: the crawl cannot be read: {error}")
    return SettingsError(f"the question cannot be answered: {error}{_remedy(str(error), asked['question'])}")


def _remedy(error: str, question: str) -> str:
    if error.startswith("no such table"):
        return f"; there are {', '.join(VIEWS)}"
    if error.startswith("no such column"):
        named = [name for name in VIEWS if re.search(rf"\b{name}\b", question, re.IGNORECASE)]
        return "".join(f"; {name} has {', '.join(VIEWS[name].columns)}" for name in named)
    return "; ask one question, as in: select url from pages where relevant"


def _taken(cursor: sqlite3.Cursor, most_rows: int) -> dict[str, Any]:
    """As many rows as may be."""
    if cursor.description is None:
        raise SettingsError('the question asks for nothing; begin with "select"')
    rows: list[list[Any]] = []
    size = 0
    for row in cursor:
        plain = [_plain(value) for value in row]
        size += sum(len(value) if isinstance(value, str) else 8 for value in plain)
        if len(rows) == most_rows or size > MOST_BYTES:
            return {"columns": _distinct(cursor), "rows": rows, "truncated": True}
        rows.append(plain)
    return {"columns": _distinct(cursor), "rows": rows, "truncated": False}


def _plain(value: object) -> object:
    """A value as JSON has it."""
    if isinstance(value, bytes):
        return value.hex()
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _distinct(cursor: sqlite3.Cursor) -> list[str]:
    """The names of the columns; of the same name, the second is counted."""
    names: list[str] = []
    for name, *_ in cursor.description:
        again = sum(name == other.partition(" ")[0] for other in names)
        names.append(f"{name} {again + 1}" if again else name)
    return names


def main() -> None:
    """Read the question from standard input, and write the answer to standard output."""
    asked = json.load(sys.stdin)
    most = asked["memory"] + BESIDE_SQLITE
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    cpu = math.ceil(asked["seconds"] + START_SECONDS)  # though whoever asked is gone
    resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu))
    try:
        said = answer(asked)
    except HoneyguideError as error:
        said = {"error": type(error).__name__, "message": str(error)}
    json.dump(said, sys.stdout)


if __name__ == "__main__":
    main()
