"""One shard of a divided crawl, as a store: its urls have numbers of their own here, and those of the crawl there.

The connection that commits holds the shard's lock: if it dies, so does the right to write, whatever the process thinks.
A commit waits for its turn among all shards, and a worker that stalls in its own loses it, with its connection.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from honeyguide.errors import CrawlLocked, StoreError
from honeyguide.model import Ids, Location, Status, Validators, Visit
from honeyguide.shards.corrections import Correction
from honeyguide.shards.letters import Letter
from honeyguide.shards.owners import Owners
from honeyguide.shards.scores import Scores
from honeyguide.state.state import Changes, State
from honeyguide.state.tables import HOSTS, URLS
from honeyguide.store.archived_files import ArchivedFiles
from honeyguide.store.base import Batch, Post
from honeyguide.store.database import LISTED, DatabaseStore, log_limit
from honeyguide.store.database_log import write_arrivals, write_notes
from honeyguide.store.loading import damage_told, last_visit
from honeyguide.store.postgres.place import Place
from honeyguide.store.postgres.shard_letters import TAKEN, waiting_letters, write_letters, write_receipts
from honeyguide.store.postgres.shard_loading import FOREIGN, load_shard
from honeyguide.store.postgres.shard_numbers import Numbering, in_crawl_numbers
from honeyguide.store.postgres.shard_tables import (
    OF_COMMITS,
    OF_SHARDS,
    STALLED_SECONDS,
    lock_key,
    lose_if_silent,
)
from honeyguide.store.postgres.store import number_on
from honeyguide.store.postgres.whole_graph import waiting_scores
from honeyguide.store.totals import write_totals

if TYPE_CHECKING:
    from honeyguide.store.postgres.connection import Connection

TURN_SECONDS = 30
"""So long a commit waits for its turn."""

_NUMBERED = ("visits", "links", "failures", "gone")
_GAPS = " OR ".join(
    f"(SELECT coalesce(max(n), 0) + 1 FROM {table}) <> (SELECT last_value + is_called::int FROM {table}_n_seq)"
    for table in _NUMBERED
)
_BEGIN = (
    f"SELECT set_config('statement_timeout', ?, TRUE), {_GAPS},"
    " (SELECT max(id) FROM urls), (SELECT max(id) FROM hosts)"
)
_BEGIN_TAKING = f"{TAKEN} {_BEGIN}, (SELECT count(*) FROM taken)"
_INSERT_CHANGES = "INSERT INTO changes (rows_of, name, ids, numbers, kind, shard) VALUES (?, ?, ?, ?, ?, ?)"
_SELECT_UNANSWERED = (
    "SELECT n, time, CAST(command AS BLOB) FROM inbox WHERE receipt IS NULL"
    " AND n NOT IN (SELECT post FROM obeyed WHERE shard = ?) ORDER BY n LIMIT 100"
)

_ROOT_ALONE = np.bincount([Status.FETCHED], minlength=len(Status))


class ShardStore(DatabaseStore):
    """Takes a shard that nobody has; CrawlLocked if somebody does."""

    def __init__(self, folder: Path, place: Place, owners: Owners) -> None:
        self._place = place
        self._owners = owners
        self.shard = owners.shard
        self._number_of = Numbering()
        self._host_number_of = Numbering()
        self._statuses = _ROOT_ALONE
        self._taking: Sequence[int] = ()  # letters that are deleted by the commit that takes them in
        super().__init__(folder)

    def _connect(self) -> Connection:
        database = self._place.connect()
        try:
            key = lock_key(self._place.schema, self.shard)
            row = database.execute("SELECT pg_try_advisory_lock(?, ?)", (OF_SHARDS, key)).fetchone()
            if not (row and row[0]):
                raise CrawlLocked(f"shard {self.shard} of {self._place.schema} is another worker's")
            lose_if_silent(database)
        except BaseException:
            database.close()
            raise
        return database

    def _refuse_outdated(self) -> None:
        """Commands are for all workers, whichever have come and gone since."""

    def _measure_log(self) -> dict[tuple[str, str], int]:
        sizes = (
            "SELECT rows_of, name, sum(length(ids) + length(numbers)) FROM changes WHERE shard = ?"
            " AND ids IS NOT NULL GROUP BY rows_of, name"
        )
        rows = self._db.execute(sizes, (self.shard,)).fetchall()
        return {(table.removeprefix(f"{self.shard}/"), name): size for table, name, size in rows}

    def load(self, state: State) -> None:
        """Rebuild the shard; nothing at all before its seeds were planted."""
        with damage_told(self._folder):
            (is_planted,) = self._one("SELECT is_planted FROM shards WHERE shard = ?")
            self._number_of, self._host_number_of = Numbering(), Numbering()
            self._statuses = _ROOT_ALONE
            if is_planted:
                self._number_of, self._host_number_of = load_shard(self._db, self.shard, state)
                self._statuses = np.bincount(state.urls["status"], minlength=len(Status))
                self._statuses[Status.FOREIGN] = 0
            self._urls = len(self._number_of)

    def _one(self, question: str) -> tuple[Any, ...]:
        row: tuple[Any, ...] | None = self._db.execute(question, (self.shard,)).fetchone()
        if row is None:
            raise StoreError(f"{self._place.schema} has no shard {self.shard}")
        return row

    # -- commits

    def commit(self, batch: Batch, state: State) -> None:
        """Write a batch in one transaction, in the numbers of the crawl."""
        known = len(self._number_of), len(self._host_number_of)
        statuses = self._statuses
        self._changes: list[tuple[Any, ...]] = []
        self._taking = batch.received
        try:
            with self._transaction():
                self._write_urls_of(batch)
                told = self._told(batch)
                retired = self._retire_former(told)
                self._write_links(told)
                write_arrivals(self._db, told, self.shard)
                for table, columns in ((URLS, batch.changes.columns), *batch.changes.tables.items()):
                    for name, (ids, numbers) in columns.items():
                        self._write_column(table, name, ids, numbers, state)
                self._db.executemany(_INSERT_CHANGES, self._changes)
                write_receipts(self._db, self.shard, self._owners.number, batch.receipts)
                with self._db.together():
                    write_notes(self._db, told)
                    self._write_rest(batch, told, retired)
                    super()._end()
        except BaseException:
            self._number_of.cut(known[0])
            self._host_number_of.cut(known[1])
            self._statuses = statuses
            raise
        finally:
            self._taking = ()
        self._urls += len(batch.changes.urls)

    def _write_rest(self, batch: Batch, told: Batch, retired: float) -> None:
        """What is a row or a few: nobody waits for one before the next is sent."""
        for name, array in batch.changes.arrays.items():
            self._write_array(f"{self.shard}/{name}", array)
        self._write_totals(told, retired)
        self._write_shard(batch)
        if batch.scores_taken:
            self._db.execute("DELETE FROM scores WHERE shard = ?", (self.shard,))
        write_letters(self._db, self.shard, batch, self._number_of)

    def _begin(self) -> None:
        """Wait for the turn of this shard, and see what the others have left."""
        taking, stalled = len(self._taking), f"{STALLED_SECONDS}s"
        with self._db.together():
            super()._begin()
            turn = "SELECT set_config('statement_timeout', ?, TRUE), pg_advisory_xact_lock(?, ?)"
            self._db.execute(turn, (f"{TURN_SECONDS}s", OF_COMMITS, lock_key(self._place.schema)))
            if taking:
                given = self.shard, json.dumps([*self._taking]), stalled
                ((_, has_gaps, *last, taken),) = self._db.ask(_BEGIN_TAKING, given)
            else:
                ((_, has_gaps, *last),), taken = self._db.ask(_BEGIN, (stalled,)), 0
        if taken != taking:
            raise CrawlLocked(f"shard {self.shard}: another worker has taken its letters in; open it again")
        self._last_url, self._last_host = last
        if has_gaps:  # somebody's commit was rolled back
            number_on(self._db, _NUMBERED)

    def _end(self) -> None:
        """Unless what was written last was sent together with the end of the transaction."""
        if self._db.in_transaction:
            super()._end()

    def _write_urls_of(self, batch: Batch) -> None:
        changes = batch.changes
        if changes.first_url != len(self._number_of):
            raise StoreError(f"shard {self.shard}: a batch was lost before url {changes.first_url}")
        self._write_hosts(changes)
        first = changes.first_url
        foreign = {first + at: 0 for at, url in enumerate(changes.urls) if not url} | {**batch.foreign}
        is_foreign = np.array([first + at in foreign for at in range(len(changes.urls))], dtype=np.bool_)
        numbers = np.zeros(len(changes.urls), dtype=np.int32)
        numbers[~is_foreign] = self._last_url + 1 + np.arange(np.count_nonzero(~is_foreign))
        numbers[is_foreign] = [foreign[first + at] for at in np.flatnonzero(is_foreign).tolist()]
        self._number_of.add(numbers, is_foreign)
        columns = changes.url_columns
        rows = zip(
            numbers.tolist(),
            changes.urls,
            columns["fingerprint"].view(np.int64).tolist(),
            self._host_number_of.of(columns["host"]).tolist(),
            columns["depth"].tolist(),
            self._number_of.of(columns["via"]).tolist(),
            [self.shard] * len(numbers),
            strict=True,
        )
        self._db.executemany(
            "INSERT INTO urls (id, url, fingerprint, host, depth, via, shard) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (row for row, is_others in zip(rows, is_foreign.tolist(), strict=True) if not is_others),
        )

    def _write_hosts(self, changes: Changes) -> None:
        if not changes.hosts:
            return
        asked = f"SELECT name, id FROM hosts WHERE name IN {LISTED}"
        known = dict(self._db.ask(asked, (json.dumps(changes.hosts),)))
        new = [name for name in changes.hosts if name not in known]
        numbered = {name: self._last_host + 1 + at for at, name in enumerate(new)}
        self._db.executemany(
            "INSERT INTO hosts (id, name) VALUES (?, ?)", [(at, name) for name, at in numbered.items()]
        )
        everything = known | numbered
        self._host_number_of.add(np.array([everything[name] for name in changes.hosts], dtype=np.int32))

    def _told(self, batch: Batch) -> Batch:
        """In the numbers of the crawl; what all shards are told to do, the first of them writes down."""
        told = in_crawl_numbers(batch, self._number_of, self._host_number_of)
        if (batch.rule or batch.revision is not None) and self._is_done(batch.receipts):
            told = replace(told, rule=None, revision=None)
        return replace(told, labels=[label for label in batch.labels if self._owners.own([label.url])[0]])

    def _is_done(self, receipts: Mapping[int, str]) -> bool:
        """Whether another shard has carried out a command before: later ones may have undone it since."""
        asked = f"SELECT 1 FROM obeyed WHERE post IN {LISTED} LIMIT 1"
        return bool(self._db.ask(asked, (json.dumps([*receipts]),)))

    def _write_column(self, table: str, name: str, ids: Ids, numbers: NDArray[Any], state: State) -> None:
        """Log changes in the numbers of the crawl; where the log is several times its size, a column replaces it."""
        column = state.urls[name] if table == URLS else state.tables[table].columns[name]
        logged = self._log_bytes.get((table, name), 0) + ids.nbytes + numbers.nbytes
        is_long = logged > log_limit(column)
        if is_long:
            ids = np.arange(len(column), dtype=np.int32)
            numbers = state.saved_values(name, slice(None)) if table == URLS else column
        for rows_of, chosen, told in self._rows_of(table, ids):
            if is_long:
                former = "DELETE FROM changes WHERE rows_of = ? AND name = ? AND shard = ?"
                self._db.execute(former, (rows_of, name, self.shard))
            own = numbers[chosen]
            self._changes.append((rows_of, name, told.tobytes(), own.tobytes(), own.dtype.str, self.shard))
        self._log_bytes[table, name] = 0 if is_long else logged

    def _rows_of(self, table: str, ids: Ids) -> Iterator[tuple[str, NDArray[np.bool_], Ids]]:
        """Which table rows are of, and their numbers there. Of pages of others only this shard wants to know."""
        everything = np.ones(len(ids), dtype=np.bool_)
        if table == HOSTS:
            yield f"{self.shard}/{table}", everything, self._host_number_of.of(ids)
        elif table != URLS:
            yield f"{self.shard}/{table}", everything, ids
        else:
            is_foreign = self._number_of.is_foreign(ids)
            for rows_of, chosen in ((URLS, ~is_foreign), (FOREIGN, is_foreign)):
                if chosen.any():
                    yield rows_of, chosen, self._number_of.of(ids[chosen])

    def _write_totals(self, batch: Batch, retired: float) -> None:
        now = np.array(batch.changes.statuses)
        now[Status.FOREIGN] = 0  # they are counted where they are at home
        write_totals(self._db, batch, retired, (now - self._statuses).tolist())
        self._statuses = now

    def _write_shard(self, batch: Batch) -> None:
        new = sum(not visit.is_revisit for visit in batch.visits) - len(batch.gone)
        told, end = batch.standing, batch.archive_end
        self._db.execute(
            "UPDATE shards SET is_planted = TRUE, pages = pages + ?2, requests = requests + ?3,"
            " failures = failures + ?4, seen = ?5, archive_file = coalesce(?6, archive_file),"
            " archive_offset = coalesce(?7, archive_offset), ladder = coalesce(?8, ladder),"
            " learning = coalesce(?9, learning), is_idle = coalesce(?10, is_idle),"
            " is_judging = coalesce(?11, is_judging) WHERE shard = ?1",
            (
                *(self.shard, new, batch.requests, len(batch.failures), time.time(), *(end or (None, None))),
                *((told.ladder, told.learning, told.is_idle, told.is_judging) if told else (None,) * 4),
            ),
        )

    # -- questions

    def letters(self, most: int) -> list[tuple[int, Letter | Correction]]:
        """What waits from other shards, with its numbers, the oldest first."""
        return waiting_letters(self._db, self.shard, most)

    def scores(self) -> Scores | None:
        """What a job over the whole graph says of this shard's urls."""
        scores = waiting_scores(self._db, self.shard)
        return scores and scores.numbered(self._number_of.here)

    def url_texts(self, ids: Ids) -> list[str]:
        """Texts by primary key."""
        return super().url_texts(self._number_of.of(ids))

    def validators(self, ids: Ids) -> dict[int, Validators]:
        """What servers said of pages at their last visits."""
        numbers = self._number_of.of(ids)
        here = dict(zip(numbers.tolist(), ids.tolist(), strict=True))
        return {here[number]: said for number, said in super().validators(numbers).items()}

    def archived(self, digests: Sequence[str]) -> dict[str, Location]:
        """Nothing: what another worker has archived is no reason not to keep it here."""
        return {}

    def last_visit(self, url_id: int) -> Visit | None:
        """The latest visit of a url."""
        found = last_visit(self._db, int(self._number_of.of([url_id])[0]))
        return found and replace(found, url_id=url_id)

    def host_records(self) -> dict[str, str]:
        """What was kept of hosts that this shard asks."""
        return {
            name: record
            for name, record in super().host_records().items()
            if _is_address(name) or self._owners.own([f"http://{name.partition('://')[2] or name}/"])[0]
        }

    def harvested(self) -> Iterator[tuple[float, float]]:
        """Time and harvest of every page's first visit so far."""
        yield from self._db.execute(
            "SELECT time, iif(copy_of IS NULL, relevance, 0) FROM visits WHERE shard = ? AND NOT is_revisit ORDER BY n",
            (self.shard,),
        )

    def originals(self, latest: int) -> Iterator[tuple[int, str, int]]:
        """Page, digest and signature of those of the latest visits that were no copies."""
        rows = self._db.execute(
            "SELECT url_id, digest, signature FROM visits WHERE shard = ? AND copy_of IS NULL"
            " ORDER BY n DESC LIMIT ?",
            (self.shard, latest),
        ).fetchall()[::-1]
        here = self._number_of.here([number for number, *_ in rows]).tolist()
        yield from (
            (url_id, digest, signature) for url_id, (_, digest, signature) in zip(here, rows, strict=True)
        )

    def failures(self) -> int:
        """How many fetches have failed so far."""
        return int(self._one("SELECT failures FROM shards WHERE shard = ?")[0])

    def requests(self) -> int:
        """How many requests have been made so far."""
        return int(self._one("SELECT requests FROM shards WHERE shard = ?")[0])

    def given_up(self, settings: Sequence[str]) -> Ids:
        """Urls that were given up for what one of these settings says."""
        if not settings:
            return np.empty(0, dtype=np.int32)
        numbers = super().given_up(settings)
        _, own = self._number_of.own()
        return self._number_of.here(numbers[np.isin(numbers, own)])

    def posts(self) -> list[Post]:
        """Commands that this shard has not carried out yet."""
        rows = self._db.execute(_SELECT_UNANSWERED, (self.shard,)).fetchall()
        return [Post(number, sent, command.decode("utf-8", "replace")) for number, sent, command in rows]

    def urls_with(self, text: str, first: int, last: int) -> Iterator[tuple[int, str]]:
        """The urls of this shard with a text in them."""
        ids = np.arange(max(first, 1), min(last + 1, len(self._number_of)), dtype=np.int32)
        ids = ids[~self._number_of.is_foreign(ids)]
        here = dict(zip(self._number_of.of(ids).tolist(), ids.tolist(), strict=True))
        query = f"SELECT id, url FROM urls WHERE id IN {LISTED} AND instr(url, ?) > 0"
        for number, url in self._db.execute(query, (json.dumps([*here]), text)).fetchall():
            yield here[number], url

    def judged_otherwise(self, revision: int) -> Ids:
        """Pages of this shard that another revision has judged."""
        return self._number_of.here(super().judged_otherwise(revision))

    def archived_files(self) -> ArchivedFiles:
        """The files of this shard, whoever wrote them."""
        return ArchivedFiles(self._db, self._transaction, self.shard, lambda own: self._number_of.here(own))

    def archive_end(self) -> Location | None:
        """Up to where this shard's archive is committed."""
        file, offset = self._one("SELECT archive_file, archive_offset FROM shards WHERE shard = ?")
        return None if file is None else Location(file, offset)


def _is_address(name: str) -> bool:
    """Of an address that several hosts share, whoever asks it wants to know."""
    return "://" not in name and (name.count(":") > 1 or name.replace(".", "").isdigit())
