"""What one worker sees of all shards of a divided crawl, and what it may take for its own."""

from __future__ import annotations

import hashlib
import os
import socket
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from honeyguide.errors import StoreError
from honeyguide.files import whole_file
from honeyguide.store.folder import ORDER, TOPIC
from honeyguide.store.postgres.place import Place
from honeyguide.store.postgres.shard_tables import (
    CLOCK_TABLE,
    OF_COMMITS,
    OF_SHARDS,
    OF_WORKERS,
    lock_key,
    lose_if_silent,
    make_shards,
    number_of_shards,
)

if TYPE_CHECKING:
    from honeyguide.store.postgres.connection import Connection

_LOOK = (
    "SELECT shard, is_idle, is_judging, pages, requests, failures, granted, ladder,"
    " NULL::bigint, NULL::bigint,"
    " NOT EXISTS (SELECT 1 FROM outbox) AND NOT EXISTS (SELECT 1 FROM inbox WHERE receipt IS NULL),"
    " coalesce((SELECT reason FROM ended LIMIT 1), '') FROM shards"
    " UNION ALL SELECT NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,"
    " classid::bigint, objid::bigint, NULL, NULL"
    " FROM pg_locks WHERE locktype = 'advisory' AND granted AND classid IN (?, ?)"
)
"""In one statement, which is one moment and one way to the database: all workers ask it all the time."""
_WAITING = (
    "SELECT shard, FALSE FROM shards WHERE EXISTS (SELECT 1 FROM outbox WHERE receiver = shard)"
    " UNION ALL SELECT n, TRUE FROM inbox WHERE receipt IS NULL"
)
ANSWERED_SECONDS = 30
"""A database that answers no sooner is as good as gone: the worker lets its shards go, and connects anew."""
GRANTED_AT_ONCE = 8
"""A shard is granted its share of what is left of the crawl's limit in so many parts, or what it needs now."""
LONGEST_SILENCE_SECONDS = 15.0
"""If nobody has counted the time for longer, nobody was at work."""
_COUNT_TIME = (
    "UPDATE clock SET seconds = seconds + CASE WHEN clock_timestamp() - counted < make_interval(secs => ?)"
    " THEN greatest(extract(epoch FROM clock_timestamp() - counted), 0) ELSE 0 END, counted = clock_timestamp()"
    " RETURNING seconds"
)
LONGEST_TURN_SECONDS = 120.0
"""Whoever has died in its turn holds nobody up for longer."""


@dataclass(frozen=True, slots=True)
class ShardRow:
    """A shard, as its last commit left it."""

    shard: int
    is_idle: bool
    is_judging: bool
    pages: int
    requests: int
    failures: int
    granted: int
    ladder: bytes
    is_owned: bool  # somebody works on it now


@dataclass(frozen=True, slots=True)
class Look:
    """All shards at one moment."""

    shards: tuple[ShardRow, ...]
    is_quiet: bool  # no letter is under way, and no command waits
    ended: str  # why the crawl ended, if it has
    workers: int

    @property
    def pages(self) -> int:
        """Fetched by all."""
        return sum(row.pages for row in self.shards)

    @property
    def is_settled(self) -> bool:
        """Whether all that is fetched is taken in by whomever it concerns, and judged by the topic in use."""
        return self.is_quiet and not any(row.is_judging for row in self.shards)

    @property
    def is_over(self) -> bool:
        """Whether nobody has anything left to do, and nothing is on its way to anybody."""
        return self.is_settled and all(row.is_idle for row in self.shards)

    @property
    def fair_share(self) -> int:
        """How many shards a worker should have, so that all have about as many."""
        return -(-len(self.shards) // max(self.workers, 1))


@dataclass(frozen=True, slots=True)
class Waiting:
    """What somebody has still to read."""

    letters: frozenset[int]  # the shards that have some
    posts: bool  # commands that not all shards have carried out


class Council:
    """A worker's seat: a connection of its own, which also says that the worker is there."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self._db: Connection = place.connect()
        self._key = lock_key(place.schema)
        try:
            self.number = number_of_shards(self._db)
            if not self.number:
                raise StoreError(
                    f"{place.schema} is no crawl that is divided; `honeyguide crawl --shards N` makes one"
                )
            lose_if_silent(self._db)
            self._db.execute(f"SET statement_timeout TO '{ANSWERED_SECONDS}s'")
            name = f"{socket.gethostname()[:40]}:{os.getpid()}"
            self._db.execute("SELECT set_config('application_name', ?, FALSE)", (name,))
            self._db.execute("SELECT pg_advisory_lock_shared(?, ?)", (OF_WORKERS, self._key))
        except BaseException:
            self._db.close()
            raise

    def close(self) -> None:
        """Leave."""
        self._db.close()

    def look(self) -> Look:
        """See all shards at one moment."""
        rows: list[tuple[Any, ...]] = self._db.execute(_LOOK, (OF_SHARDS, OF_WORKERS)).fetchall()
        shards = sorted(row for row in rows if row[0] is not None)
        locks = [row[8:10] for row in rows if row[0] is None]
        owned = {key for kind, key in locks if kind == OF_SHARDS}
        mine = self._key % (1 << 32)
        *_, is_quiet, ended = shards[0]
        return Look(
            tuple(ShardRow(*(*row[:8], self._unsigned(row[0]) in owned)) for row in shards),
            is_quiet,
            ended,
            sum(kind == OF_WORKERS and key == mine for kind, key in locks),
        )

    def learning(self) -> dict[int, bytes]:
        """What each shard says it has learned."""
        return dict(self._db.execute("SELECT shard, learning FROM shards").fetchall())

    def waiting(self) -> Waiting:
        """See for whom there is something to read, be it of other shards or of people."""
        rows = self._db.execute(_WAITING).fetchall()
        shards, posts = ({number for number, is_post in rows if is_post is kind} for kind in (False, True))
        return Waiting(frozenset(shards), bool(posts))

    def _unsigned(self, shard: int) -> int:
        return lock_key(self.place.schema, shard) % (1 << 32)

    def grant(self, shard: int, needed: int, limit: int) -> int:
        """Reserve pages of the crawl's limit for a shard that needs so many in all; gives how many it has then.

        While much is left it gets more than it needs now, and asks less often; what it does not use it gives back.
        """
        # Pages that were fetched while there was no limit were granted by nobody.
        so_far = "greatest(granted, pages)"
        left = f"(?3 - (SELECT sum({so_far})::bigint FROM shards))"
        more = f"greatest(0, least(greatest(?2 - {so_far}, {left} / ({GRANTED_AT_ONCE} * ?4)), {left}))"
        asked = f"UPDATE shards SET granted = {so_far} + {more} WHERE shard = ?1 RETURNING granted"
        try:
            with self._db.together():
                self._db.execute("BEGIN")
                self._db.execute("SELECT pg_advisory_xact_lock(?, ?)", (OF_COMMITS, self._key))
                rows = self._db.ask(asked, (shard, needed, limit, self.number))
                self._db.execute("COMMIT")
        finally:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
        return int(rows[0][0]) if rows else 0

    def give_back(self, shard: int) -> None:
        """Leave to others what a shard was granted and cannot use."""
        self._db.execute("UPDATE shards SET granted = pages WHERE shard = ?", (shard,))

    def claim(self, group: str, now: float) -> float:
        """Take the turn to ask an address; gives the moment until which it is another's, or `now` if it is taken."""
        rows = self._db.ask(
            "INSERT INTO turns VALUES (?1, ?3) ON CONFLICT (address) DO UPDATE SET until = ?3"
            " WHERE turns.until <= ?2 RETURNING until",
            (group, now, now + LONGEST_TURN_SECONDS),
        )
        if rows:
            return now
        return float((self._db.ask("SELECT until FROM turns WHERE address = ?", (group,)) or [(now,)])[0][0])

    def leave(self, group: str, until: float) -> None:
        """Let the next ask an address, from a moment on."""
        self._db.execute("UPDATE turns SET until = ? WHERE address = ?", (until, group))

    def count_time(self) -> float:
        """For how many seconds the crawl has been worked on, by the clock of the database."""
        ((seconds,),) = self._db.ask(_COUNT_TIME, (LONGEST_SILENCE_SECONDS,))
        return float(seconds)

    def end(self, reason: str) -> None:
        """Let all workers know that the crawl is over."""
        self._db.execute("INSERT INTO ended SELECT ? WHERE NOT EXISTS (SELECT 1 FROM ended)", (reason,))

    def begin(self) -> None:
        """Go on with a crawl that had ended."""
        in_turn = f"SELECT pg_advisory_xact_lock({OF_COMMITS}, {self._key})"
        self._db.script(f"{in_turn}; DELETE FROM ended; {CLOCK_TABLE}")

    def put_files(self, folder: Path, names: tuple[str, ...]) -> None:
        """Keep files of a crawl's folder where every worker finds them."""
        for name in names:
            if (folder / name).exists():
                self._db.execute(
                    "INSERT INTO files VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET body = excluded.body",
                    (name, (folder / name).read_bytes()),
                )

    def files(self) -> Mapping[str, bytes]:
        """The order, the topic and its revisions."""
        return dict(self._db.execute("SELECT name, body FROM files").fetchall())


def divide_crawl(folder: Path, place: Place, number: int) -> None:
    """Divide a new crawl, whose folder and tables are there."""
    with closing(place.connect()) as database:
        make_shards(database, number)
    with closing(Council(place)) as council:
        council.put_files(folder, (ORDER, TOPIC))


def put_revision(path: Path, place: Place) -> None:
    """Keep a revision of the topic where every worker finds it, once and for all."""
    with closing(place.connect()) as database:
        body = path.read_bytes()
        database.execute("INSERT INTO files VALUES (?, ?) ON CONFLICT (name) DO NOTHING", (path.name, body))
        (is_ours,) = database.execute(
            "SELECT body = ? FROM files WHERE name = ?", (body, path.name)
        ).fetchone() or (False,)
    if not is_ours:
        raise StoreError(f"{path}: somebody else has learned a revision of this number; learn once more")


def get_revisions(folder: Path, place: Place) -> None:
    """Bring all that are not in the folder, or are others there."""
    with closing(place.connect()) as database:
        rows = database.execute("SELECT name, md5(body) FROM files WHERE name LIKE 'revision-%'").fetchall()
        for name, digest in rows:
            path = folder / Path(name).name
            if not path.exists() or hashlib.md5(path.read_bytes()).hexdigest() != digest:
                (body,) = database.execute("SELECT body FROM files WHERE name = ?", (name,)).fetchone() or (
                    b"",
                )
                with whole_file(path) as part:
                    part.write_bytes(body)


def workers_of(place: Place) -> list[str] | None:
    """The workers of a crawl, by machine and process; None if the crawl is not divided."""
    with closing(place.connect()) as database:
        if not number_of_shards(database):
            return None
        rows = database.execute(
            "SELECT application_name::text FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE granted"
            " AND locktype = 'advisory' AND classid = ? AND objid::bigint = ? ORDER BY backend_start",
            (OF_WORKERS, lock_key(place.schema) % (1 << 32)),
        ).fetchall()
    return [name for (name,) in rows]


def divided_crawls(address: str) -> list[str]:
    """The schemas of a database in which there is a divided crawl."""
    with closing(Place(address, "public").connect()) as database:
        rows = database.execute(
            "SELECT table_schema::text FROM information_schema.tables WHERE table_name = 'outbox'"
            " AND table_schema LIKE 'crawl_%' ORDER BY 1"
        ).fetchall()
    return [name for (name,) in rows]


def chosen_crawl(address: str, name: str = "") -> Place:
    """The divided crawl of a database that has this name, or the only one there is."""
    crawls = divided_crawls(address)
    found = [
        schema for schema in crawls if name in (schema, schema.removeprefix("crawl_").rpartition("_")[0], "")
    ]
    if len(found) == 1:
        return Place(address, found[0])
    known = ", ".join(crawls[:10]) or "none; `honeyguide crawl --shards N` makes one"
    raise StoreError(
        f"{len(found)} divided crawls there {f'are called {name!r}' if name else 'could be meant'}; name one of"
        f" these with --crawl: {known}"
    )
