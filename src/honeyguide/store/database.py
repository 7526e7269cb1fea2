"""A store in tables: one transaction per batch, appending wherever it can. Where they are, the stores below say.

Columns that change (status, priority, relevance, a strategy's values and tables) are kept as a log of packed arrays.
When a column's log is several times as large as the column, one copy of the whole replaces it: flat cost, averaged.
"""

from __future__ import annotations

import json
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic_core import PydanticSerializationError, to_json

from honeyguide.errors import StoreError
from honeyguide.model import Ids, Location, Validators, Visit
from honeyguide.patterns import Rule
from honeyguide.state.state import Changes, State
from honeyguide.state.tables import URLS
from honeyguide.store.archived_files import ArchivedFiles, read_end
from honeyguide.store.base import Batch, Post, Store
from honeyguide.store.database_log import write_log
from honeyguide.store.disk import disk_errors
from honeyguide.store.loading import current_revision, damage_told, last_visit, load_state, rules_in_force
from honeyguide.store.lock import announce, check_lock, lock
from honeyguide.store.totals import Totals, write_totals

LOG_FACTOR = 4
LOG_SPARE_BYTES = 1 << 20

_INSERT_CHANGE = (
    "INSERT INTO changes (rows_of, name, ids, numbers, kind, shard) VALUES (?, ?, ?, ?, ?, ?) RETURNING n"
)
_PUT_ARRAY = (
    "INSERT INTO arrays VALUES (?, ?, ?, ?) ON CONFLICT (name)"
    " DO UPDATE SET dtype = excluded.dtype, shape = excluded.shape, numbers = excluded.numbers"
)
_SELECT_UNANSWERED = (
    "SELECT n, time, CAST(command AS BLOB) FROM inbox WHERE receipt IS NULL ORDER BY n LIMIT 100"
)
LISTED = "(SELECT value FROM json_each(?))"
"""Any number of ids as one parameter."""


class DatabaseStore(Store):
    """Opens or creates the crawl of a folder."""

    shard = 0  # of a crawl that is divided among several

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        with ExitStack() as undo, disk_errors(folder):
            folder.mkdir(parents=True, exist_ok=True)
            self._lock = undo.enter_context(lock(folder))
            self._db = undo.enter_context(closing(self._connect()))
            self._refuse_outdated()
            self._urls = int(self._db.execute("SELECT count(*) FROM urls").fetchone()[0])
            self._log_bytes = self._measure_log()
            announce(self._lock)  # from here on, commands are for this process
            undo.pop_all()

    @abstractmethod
    def _connect(self) -> Any:
        """The database, with the tables of this version, asked in the words of SQLite."""

    def _refuse_outdated(self) -> None:
        self._db.execute(
            "UPDATE inbox SET receipt = 'outdated: it was meant for an earlier process'"
            " WHERE receipt IS NULL AND is_transient"
        )

    def _measure_log(self) -> dict[tuple[str, str], int]:
        sizes = (  # measured before they are grouped, or the arrays themselves would be read and sorted
            "WITH logged AS MATERIALIZED"
            " (SELECT rows_of, name, length(ids) + length(numbers) AS size FROM changes WHERE ids IS NOT NULL)"
            " SELECT rows_of, name, sum(size) FROM logged GROUP BY rows_of, name"
        )
        return {(table, name): size for table, name, size in self._db.execute(sizes)}

    def load(self, state: State) -> None:
        """Rebuild hosts, urls, links and columns."""
        with disk_errors(self._folder), damage_told(self._folder):
            load_state(self._db, state)

    def commit(self, batch: Batch, state: State) -> None:
        """Write a batch in one transaction."""
        with self._transaction():
            self._write_urls(batch.changes)
            retired = self._retire_former(batch)
            self._write_links(batch)
            write_log(self._db, batch, self.shard)
            for table, columns in ((URLS, batch.changes.columns), *batch.changes.tables.items()):
                for name, (ids, numbers) in columns.items():
                    self._write_column(table, name, ids, numbers, state)
            for name, array in batch.changes.arrays.items():
                self._write_array(name, array)
            write_totals(self._db, batch, retired)
        self._urls += len(batch.changes.urls)

    def _write_urls(self, changes: Changes) -> None:
        if changes.first_url != self._urls:
            raise StoreError(
                f"{self._folder}: a batch was lost before url {changes.first_url}; open the crawl again to go on"
            )
        self._db.executemany(
            "INSERT INTO hosts (id, name) VALUES (?, ?)", enumerate(changes.hosts, start=changes.first_host)
        )
        columns = changes.url_columns
        self._db.executemany(
            "INSERT INTO urls (id, url, fingerprint, host, depth, via) VALUES (?, ?, ?, ?, ?, ?)",
            zip(
                range(changes.first_url, changes.first_url + len(changes.urls)),
                changes.urls,
                columns["fingerprint"].view(np.int64).tolist(),
                columns["host"].tolist(),
                columns["depth"].tolist(),
                columns["via"].tolist(),
                strict=True,
            ),
        )

    def _retire_former(self, batch: Batch) -> float:
        """Make history of what is replaced by this batch; gives the relevance of these visits in all."""
        replaced = ((links.page, self.shard) for links in batch.links if links.replaces)
        self._db.executemany(
            "UPDATE links SET former = TRUE WHERE page = ? AND shard = ? AND NOT former", replaced
        )
        again = [visit.url_id for visit in batch.visits if visit.is_revisit]
        again += [page.url_id for page in batch.gone]
        ask = f"UPDATE visits SET former = TRUE WHERE url_id IN {LISTED} AND NOT former RETURNING relevance"
        rows = self._db.execute(ask, (json.dumps(again),)).fetchall() if again else []
        return float(sum(relevance for (relevance,) in rows))

    def _write_links(self, batch: Batch) -> None:
        contributed = {page: numbers.tobytes() for page, numbers in batch.changes.contributions.items()}
        rows = []
        for links in reversed(batch.links):  # what is known of a page is written to the last row of it
            targets = links.targets.astype(np.int32).tobytes()
            known = contributed.pop(links.page, None)
            rows.append((links.page, targets, _json_list(links.anchors), known, self.shard))
        self._db.executemany(
            "INSERT INTO links (page, targets, anchors, contributed, shard) VALUES (?, ?, ?, ?, ?)",
            rows[::-1],
        )
        self._db.executemany(
            "UPDATE links SET contributed = ? WHERE n = (SELECT max(n) FROM links WHERE page = ? AND shard = ?)",
            ((numbers, page, self.shard) for page, numbers in contributed.items()),
        )

    def _write_column(self, table: str, name: str, ids: Ids, numbers: NDArray[Any], state: State) -> None:
        logged = self._log_bytes.get((table, name), 0) + ids.nbytes + numbers.nbytes
        column = state.urls[name] if table == URLS else state.tables[table].columns[name]
        if logged > log_limit(column):
            whole = state.saved_values(name, slice(None)) if table == URLS else column
            # Before the others are deleted, so that no number is ever given twice: whoever reads on knows what is new.
            (last,) = self._log(table, name, None, whole)
            former = "DELETE FROM changes WHERE rows_of = ? AND name = ? AND n < ? AND shard = ?"
            self._db.execute(former, (table, name, last, self.shard))
            logged = 0
        else:
            self._log(table, name, ids.tobytes(), numbers)
        self._log_bytes[table, name] = logged

    def _log(self, table: str, name: str, ids: bytes | None, numbers: NDArray[Any]) -> Any:
        row = (table, name, ids, numbers.tobytes(), numbers.dtype.str, self.shard)
        return self._db.execute(_INSERT_CHANGE, row).fetchone()

    def _write_array(self, name: str, array: NDArray[Any]) -> None:
        put_array(self._db, name, array)

    def url_texts(self, ids: Ids) -> list[str]:
        """Texts by primary key, many at a time."""
        with disk_errors(self._folder):
            texts = dict(
                self._db.execute(f"SELECT id, url FROM urls WHERE id IN {LISTED}", _listed(ids)).fetchall()
            )
        return [texts[url_id] for url_id in ids.tolist()]

    def validators(self, ids: Ids) -> dict[int, Validators]:
        """What servers said of pages at their last visits."""
        rows = self._db.execute(
            f"SELECT url_id, etag, last_modified FROM visits WHERE url_id IN {LISTED} ORDER BY n",
            _listed(ids),
        )
        return {url_id: Validators(etag, modified) for url_id, etag, modified in rows if etag or modified}

    def archived(self, digests: Sequence[str]) -> dict[str, Location]:
        """Where pages with these digests were first archived."""
        rows = self._db.execute(
            "SELECT digest, archive_file, archive_offset FROM visits WHERE n IN (SELECT min(n) FROM visits"
            f" WHERE digest IN {LISTED} AND archive_file IS NOT NULL GROUP BY digest)",
            (json.dumps(list(digests)),),
        )
        return {digest: Location(file, offset) for digest, file, offset in rows}

    def last_visit(self, url_id: int) -> Visit | None:
        """The latest visit of a url."""
        return last_visit(self._db, url_id)

    def host_records(self) -> dict[str, str]:
        """What the fetcher kept of hosts."""
        return dict(self._db.execute("SELECT name, record FROM host_records").fetchall())

    def harvested(self) -> Iterator[tuple[float, float]]:
        """Time and harvest of every page's first visit so far, in order."""
        yield from self._db.execute(
            "SELECT time, iif(copy_of IS NULL, relevance, 0) FROM visits WHERE NOT is_revisit ORDER BY n"
        )

    def originals(self, latest: int) -> Iterator[tuple[int, str, int]]:
        """Page, digest and signature of those of the latest visits that were no copies, in order."""
        since = "n > (SELECT max(n) FROM visits) - ?"
        asked = f"SELECT url_id, digest, signature FROM visits WHERE copy_of IS NULL AND {since} ORDER BY n"
        yield from self._db.execute(asked, (latest,))

    def failures(self) -> int:
        """How many fetches have failed so far."""
        return int(self._db.execute("SELECT count(*) FROM failures").fetchone()[0])

    def requests(self) -> int:
        """How many requests have been made so far."""
        return Totals(self._db).requests

    def given_up(self, settings: Sequence[str]) -> Ids:
        """Urls that were given up, once or more, with a message that names one of these settings as the remedy."""
        rows = self._db.execute(
            "SELECT DISTINCT url_id FROM failures JOIN json_each(?) ON instr(message, value) > 0 WHERE final",
            (json.dumps(list(settings)),),
        )
        return np.array([url_id for (url_id,) in rows] if settings else [], dtype=np.int32)

    def posts(self) -> list[Post]:
        """Commands that nobody has answered yet, in order."""
        with disk_errors(self._folder):
            rows = self._db.execute(_SELECT_UNANSWERED).fetchall()
            return [Post(number, time, command.decode("utf-8", "replace")) for number, time, command in rows]

    def revision(self) -> int:
        """The revision that guides the crawl."""
        return current_revision(self._db)

    def rules(self) -> list[Rule]:
        """The rules in force."""
        with disk_errors(self._folder), damage_told(self._folder):
            return rules_in_force(self._db)

    def urls_with(self, text: str, first: int, last: int) -> Iterator[tuple[int, str]]:
        """One pass over these urls, in which all but the wanted ones are left to the database."""
        query = "SELECT id, url FROM urls WHERE id BETWEEN ? AND ? AND instr(url, ?) > 0"
        yield from self._db.execute(query, (max(first, 1), last, text))

    def judged_otherwise(self, revision: int) -> Ids:
        """Pages that another revision has judged."""
        if revision == 0 and not self._db.execute("SELECT 1 FROM revisions LIMIT 1").fetchone():
            return np.empty(
                0, dtype=np.int32
            )  # most crawls have but one, and opening them must not read every visit
        rows = self._db.execute(
            "SELECT url_id FROM visits WHERE copy_of IS NULL AND revision <> ? AND NOT former AND shard = ?"
            " ORDER BY relevance DESC, n",
            (revision, self.shard),
        )
        return np.array([url_id for (url_id,) in rows], dtype=np.int32)

    def archive_end(self) -> Location | None:
        """Up to where the page archive is committed."""
        return read_end(self._db)

    def archived_files(self) -> ArchivedFiles:
        """The files of an archive that is kept elsewhere."""
        return ArchivedFiles(self._db, self._transaction, self.shard)

    def close(self) -> None:
        """Release the crawl."""
        self._db.close()
        self._lock.close()

    def _begin(self) -> None:
        self._db.execute("BEGIN IMMEDIATE")

    def _end(self) -> None:
        self._db.execute("COMMIT")

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        logged = dict(self._log_bytes)
        try:
            with disk_errors(self._folder):
                check_lock(self._lock, self._folder)
                self._begin()
                yield
                self._end()
        except BaseException:
            self._log_bytes = logged
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise


def log_limit(column: NDArray[Any]) -> int:
    """How long the log of a column may become before the whole column replaces it."""
    return LOG_FACTOR * column.nbytes + LOG_SPARE_BYTES


def _json_list(texts: Sequence[str]) -> str:
    """In a fifth of the time of `json`, which is needed for the unpaired surrogates of hostile pages alone."""
    try:
        return to_json(texts).decode()
    except PydanticSerializationError:
        return json.dumps(list(texts))


def _listed(ids: Ids) -> tuple[str]:
    return (json.dumps(ids.tolist()),)


def put_array(db: Any, name: str, array: NDArray[Any]) -> None:
    """Keep an array; an empty one is forgotten."""
    if array.size:
        db.execute(_PUT_ARRAY, (name, array.dtype.str, json.dumps(array.shape), array.tobytes()))
    else:
        db.execute("DELETE FROM arrays WHERE name = ?", (name,))
