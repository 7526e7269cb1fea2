"""Jobs over the whole graph of a divided crawl, as its database has them: who does one, what it says, who has read it.

A job reads all shards as of one moment and writes what it says of the urls of each; a shard deletes that in the commit
that takes it in. So nothing is lost or taken in twice, and no job begins before the last one has reached everybody.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from honeyguide.errors import SettingsError
from honeyguide.model import Ids
from honeyguide.shards.scores import Scores
from honeyguide.state.state import State
from honeyguide.store.database import put_array
from honeyguide.store.loading import checked_array, damage_told, load_state
from honeyguide.store.postgres.place import Place
from honeyguide.store.postgres.shard_tables import lock_key, lose_if_silent, number_of_shards

if TYPE_CHECKING:
    from honeyguide.store.postgres.connection import Connection

OF_JOBS = 11
"""What this advisory lock is of."""
MOST_URLS, MOST_LINKS = 20_000_000, 200_000_000
"""Of a crawl that a job looks at: about 6 GB of memory."""


@dataclass(frozen=True, slots=True)
class LastJob:
    """The last job, and the crawl as it found it."""

    number: int
    pages: int
    requests: int
    note: str  # why it could not be done, if it could not
    is_waiting: bool  # shards have still to take in what it said


class JobSeat:
    """A worker's seat: whoever has the lock has the job done; if its connection dies, another may."""

    def __init__(self, place: Place) -> None:
        self._db: Connection = place.connect()
        self._key = lock_key(place.schema)
        lose_if_silent(self._db)

    def last(self) -> LastJob:
        """The last job."""
        asked = "SELECT jobs, pages, requests, note, EXISTS (SELECT 1 FROM scores) FROM whole_graph"
        (row,) = self._db.ask(asked)
        return LastJob(*row)

    def take(self) -> bool:
        """Try to be the one who does the next."""
        ((is_taken,),) = self._db.ask("SELECT pg_try_advisory_lock(?, ?)", (OF_JOBS, self._key))
        return bool(is_taken)

    def leave(self) -> None:
        """Let others do the next."""
        self._db.ask("SELECT pg_advisory_unlock(?, ?)", (OF_JOBS, self._key))

    def give_up(self, number: int, pages: int, requests: int, note: str) -> None:
        """Go on without a job that cannot be done, until the crawl has grown again."""
        _finish(self._db, number, pages, requests, note)

    def close(self) -> None:
        """Leave."""
        self._db.close()


@dataclass(frozen=True, slots=True)
class WholeCrawl:
    """All shards at one moment."""

    state: State
    owners: NDArray[np.int32]  # of urls: their shards
    arrays: list[Mapping[str, NDArray[Any]]]  # that each shard keeps for its strategy
    pages: int
    requests: int


def read_whole(db: Any, values: Mapping[str, float], tables: Mapping[str, Mapping[str, float]]) -> WholeCrawl:
    """Read it row by row, with server-side cursors; SettingsError if it is too large."""
    state = State()
    state.declare(values, tables)
    db.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    try:
        _check_size(db)
        with damage_told(Path(db.where)):
            load_state(db, state, is_divided=True)
            owners = np.array(db.ask("SELECT shard FROM urls ORDER BY id"), dtype=np.int32).reshape(-1)
            arrays = _arrays_of_shards(db)
        ((pages, requests),) = db.ask("SELECT sum(pages)::bigint, sum(requests)::bigint FROM shards")
    finally:
        db.execute("ROLLBACK")
    return WholeCrawl(state, owners, arrays, pages, requests)


def _check_size(db: Connection) -> None:
    asked = "SELECT (SELECT max(id) FROM urls), (SELECT sum(length(targets)) / 4 FROM links WHERE NOT former)"
    ((urls, links),) = db.ask(asked)
    if urls > MOST_URLS or (links or 0) > MOST_LINKS:
        raise SettingsError(
            f"the crawl has {urls:,} urls and {int(links or 0):,} links, and a job over its whole graph takes at most"
            f" {MOST_URLS:,} and {MOST_LINKS:,}; it goes on with the places that urls have"
        )


def _arrays_of_shards(db: Connection) -> list[Mapping[str, NDArray[Any]]]:
    arrays: list[dict[str, NDArray[Any]]] = [{} for _ in range(number_of_shards(db))]
    for name, dtype, shape, numbers in db.execute(
        "SELECT name, dtype, shape, numbers FROM arrays WHERE name LIKE '%/%' ORDER BY name"
    ):
        shard, _, own = name.partition("/")
        arrays[int(shard)][own] = checked_array(dtype, shape, numbers)
    return [*arrays]


def write_scores(
    db: Connection, number: int, whole: WholeCrawl, scores: Scores, kept: Mapping[str, NDArray[Any]]
) -> bool:
    """Tell all shards what the job with this number says.

    False if somebody else has done it meanwhile, or not all have read what the last one said.
    """
    db.execute("BEGIN")
    try:
        if not _finish(db, number, whole.pages, whole.requests, ""):
            return False
        for shard in np.unique(whole.owners[whole.owners >= 0]).tolist():
            own = scores.of(_OwnedBy(shard, whole.owners))
            if len(own):
                db.execute("INSERT INTO scores VALUES (?, ?)", (shard, own.pack()))
        for name, array in kept.items():
            put_array(db, name, array)
        db.execute("COMMIT")
        return True
    finally:
        if db.in_transaction:
            db.execute("ROLLBACK")


class _OwnedBy:
    def __init__(self, shard: int, owners: NDArray[np.int32]) -> None:
        self._is_own = owners == shard

    def __call__(self, ids: Ids) -> NDArray[np.bool_]:
        own: NDArray[np.bool_] = self._is_own[ids]
        return own


def _finish(db: Connection, number: int, pages: int, requests: int, note: str) -> bool:
    done = (
        "UPDATE whole_graph SET jobs = jobs + 1, pages = ?, requests = ?, note = ?"
        " WHERE jobs = ? AND NOT EXISTS (SELECT 1 FROM scores) RETURNING jobs"
    )
    return bool(db.ask(done, (pages, requests, note, number)))


def waiting_scores(db: Connection, shard: int) -> Scores | None:
    """What the last job says of the urls of a shard, if it has not taken that in yet."""
    rows = db.ask("SELECT scores FROM scores WHERE shard = ?", (shard,))
    return Scores.unpack(rows[0][0]) if rows else None
