"""The tables of a crawl that is divided among several workers, beside those that every crawl has.

All shards write into the tables of one crawl, so whoever reads them sees one crawl. Their commits follow each other: a
lock that lives as long as the transaction lets rows be numbered without a gap, in the order in which they appear.
"""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from honeyguide.store.postgres.connection import Connection

SHARDS_TABLES = """
    CREATE TABLE shards (
        shard BIGINT PRIMARY KEY, is_planted BOOLEAN NOT NULL DEFAULT FALSE, is_idle BOOLEAN NOT NULL DEFAULT FALSE,
        is_judging BOOLEAN NOT NULL DEFAULT FALSE,
        pages BIGINT NOT NULL DEFAULT 0, requests BIGINT NOT NULL DEFAULT 0, failures BIGINT NOT NULL DEFAULT 0,
        granted BIGINT NOT NULL DEFAULT 0, seen DOUBLE PRECISION NOT NULL DEFAULT 0,
        ladder BYTEA NOT NULL DEFAULT '', learning BYTEA NOT NULL DEFAULT '',
        archive_file TEXT, archive_offset BIGINT
    );
    -- What shards have written to each other. Whoever takes a letter in deletes it in the same transaction.
    CREATE TABLE outbox (
        n BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, receiver BIGINT NOT NULL, sender BIGINT NOT NULL,
        letter BYTEA NOT NULL
    );
    CREATE INDEX outbox_by_receiver ON outbox (receiver, n);
    -- It would be compressed to be thrown away a moment later.
    ALTER TABLE outbox ALTER COLUMN letter SET STORAGE EXTERNAL;
    -- A command is answered when all shards have carried it out.
    CREATE TABLE obeyed (post BIGINT NOT NULL, shard BIGINT NOT NULL, receipt TEXT NOT NULL, PRIMARY KEY (post, shard));
    -- What the crawl's folder holds besides the database, for machines that have no such folder.
    CREATE TABLE files (name TEXT PRIMARY KEY, body BYTEA NOT NULL);
    CREATE TABLE ended (reason TEXT NOT NULL);
    -- Addresses that hosts of several shards have in common, and until when it is somebody's turn.
    CREATE TABLE turns (address TEXT PRIMARY KEY, until DOUBLE PRECISION NOT NULL);
    -- The last job over the whole graph, and what it says of the urls of each shard until that has taken it in.
    CREATE TABLE whole_graph (
        jobs BIGINT NOT NULL, pages BIGINT NOT NULL, requests BIGINT NOT NULL, note TEXT NOT NULL
    );
    INSERT INTO whole_graph VALUES (0, 0, 0, '');
    CREATE TABLE scores (shard BIGINT PRIMARY KEY, scores BYTEA NOT NULL);
    CREATE INDEX urls_by_shard ON urls (shard);
    CREATE INDEX links_by_shard ON links (shard) WHERE NOT former;
    CREATE INDEX visits_by_shard ON visits (shard, n);
    CREATE INDEX changes_by_shard ON changes (shard, n);
    CREATE INDEX hosts_by_name ON hosts (name);
    INSERT INTO totals VALUES ('urls_fetched', 1), ('requests', 0);
    INSERT INTO hosts (id, name) VALUES (0, '');
    INSERT INTO urls (id, url, fingerprint, host, depth, via, shard) VALUES (0, '', 0, 0, 0, 0, -1);
"""
CLOCK_TABLE = """
    CREATE TABLE IF NOT EXISTS clock (
        "only" INTEGER PRIMARY KEY CHECK ("only" = 1), seconds DOUBLE PRECISION NOT NULL, counted TIMESTAMPTZ NOT NULL
    );
    INSERT INTO clock VALUES (1, 0, 'epoch') ON CONFLICT DO NOTHING;
"""
"""How long the crawl has been worked on, whoever did; made by whoever begins, as there are crawls without."""
OF_COMMITS, OF_SHARDS, OF_WORKERS = 10, 7, 9
"""What our advisory locks are of."""


STALLED_SECONDS = 8
"""A worker that says nothing for so long within a commit loses its connection, lest all others wait for it."""
SILENT_SECONDS = 15
"""One that says nothing at all for so long loses its shards: it hangs, or cannot be reached."""


def lose_if_silent(database: Connection) -> None:
    """Have PostgreSQL end a connection whose other end hangs or cannot be reached."""
    database.execute(f"SET idle_in_transaction_session_timeout TO '{STALLED_SECONDS}s'")
    database.execute(f"SET idle_session_timeout TO '{SILENT_SECONDS}s'")
    for name, value in (("idle", 5), ("interval", 2), ("count", 3)):
        database.execute(f"SET tcp_keepalives_{name} TO {value}")


def make_shards(database: Connection, number: int) -> None:
    """Divide a new crawl, whose other tables are there and empty."""
    rows = ", ".join(f"({shard})" for shard in range(number))
    # The root is a page of nobody, so that all shards can link from it.
    root = f"INSERT INTO changes (rows_of, name, ids, numbers, kind) VALUES {_root_rows()};"
    database.script(f"{SHARDS_TABLES} INSERT INTO shards (shard) VALUES {rows}; {root}")


def _root_rows() -> str:
    fetched, one, first = "'\\x03'::bytea", "'\\x000000000000f03f'::bytea", "'\\x00000000'::bytea"
    rows = (("status", fetched, "|u1"), ("outcome", fetched, "|u1"), ("relevance", one, "<f8"))
    return ", ".join(f"('urls', '{name}', {first}, {number}, '{kind}')" for name, number, kind in rows)


def number_of_shards(database: Connection) -> int:
    """In how many shards a crawl is divided; 0 if it is not."""
    if (database.execute("SELECT to_regclass('shards')").fetchone() or (None,))[0] is None:
        return 0
    (number,) = database.execute("SELECT count(*) FROM shards").fetchone() or (0,)
    return int(number)


def lock_key(schema: str, shard: int = 0) -> int:
    """Of advisory locks, for one shard of one crawl."""
    return (zlib.crc32(schema.encode()) + shard) % (1 << 32) - (1 << 31)
