"""The index of a recording: one SQLite file, written once, then only read (see recording.py).

Pages of corpora are kept in it, compressed; of WARC files it keeps only where each page stands.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path

from honeyguide.model import Response
from honeyguide.urls import DEFAULT_POLICY

FORMAT_VERSION = 3
"""Part of an index's name: raised when the tables or what is put into them change."""

Progress = Callable[[int, int], None]
"""Told the bytes read so far and the bytes in all."""

_SCHEMA = """
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
PRAGMA page_size = 8192;
CREATE TABLE facts (skipped INTEGER NOT NULL);
CREATE TABLE files (id INTEGER PRIMARY KEY, path TEXT NOT NULL);
CREATE TABLE damages (file INTEGER NOT NULL, offset INTEGER NOT NULL, UNIQUE (file, offset));
CREATE TABLE pages (
    id INTEGER PRIMARY KEY, status INTEGER NOT NULL,
    url TEXT UNIQUE,                -- none for a later capture that only revisits refer to
    headers TEXT, body BLOB,        -- kept here, or else
    file INTEGER, offset INTEGER,   -- where the WARC record stands
    digest TEXT, payload_of INTEGER -- a revisit's body is that of another page
);
CREATE TABLE labels (url TEXT NOT NULL, label TEXT NOT NULL, UNIQUE (url, label));
CREATE TEMP TABLE later (status INTEGER, file INTEGER, offset INTEGER, digest TEXT);
CREATE TEMP TABLE revisits (
    url TEXT, status INTEGER, file INTEGER, offset INTEGER, digest TEXT, refers_to TEXT
);
"""

# The first capture of a url wins, except that a page wins over a redirect or an error.
_ADD = """
INSERT INTO pages (url, status, headers, body, file, offset, digest) VALUES (?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (url) DO UPDATE SET status = excluded.status, headers = excluded.headers, body = excluded.body,
    file = excluded.file, offset = excluded.offset, digest = excluded.digest
WHERE pages.status >= 300 AND excluded.status < 300
"""

# Last of all, because the original may be recorded after the revisit, or in a later file. The url it refers to
# is enough where no payloads can be compared: another capture of that url may have had another body.
_RESOLVE_REVISITS = """
CREATE INDEX digests ON pages (digest) WHERE digest IS NOT NULL;
INSERT INTO pages (status, file, offset, digest)
SELECT status, file, offset, digest FROM later
WHERE digest IN (SELECT digest FROM revisits)
    AND digest NOT IN (SELECT digest FROM pages WHERE digest IS NOT NULL)
GROUP BY digest;
INSERT OR IGNORE INTO pages (url, status, file, offset, payload_of)
SELECT url, status, file, offset, original FROM (
    SELECT r.rowid AS number, r.*, coalesce(
        (SELECT p.id FROM pages p WHERE p.url = r.refers_to AND r.status = 304),
        (SELECT p.id FROM pages p WHERE p.digest = r.digest),
        (SELECT p.id FROM pages p WHERE p.url = r.refers_to AND (p.digest IS NULL OR r.digest IS NULL))
    ) AS original
    FROM revisits r
) WHERE original IS NOT NULL ORDER BY number;
DROP INDEX digests;
"""


class IndexWriter:
    """Takes pages under any spelling of their urls; what has no canonical url is skipped and counted."""

    def __init__(self, path: Path) -> None:
        self.skipped = 0
        self._db = sqlite3.connect(path, isolation_level=None)
        self._db.executescript(_SCHEMA)
        self._db.execute("BEGIN")

    def add_file(self, number: int, path: Path) -> None:
        """Name a WARC file that captures will refer to by number."""
        self._db.execute("INSERT INTO files VALUES (?, ?)", (number, str(path)))

    def add_damage(self, number: int, offset: int) -> None:
        """Note where a WARC file cannot be read; what stands there is skipped and counted, once."""
        added = self._db.execute("INSERT OR IGNORE INTO damages VALUES (?, ?)", (number, offset))
        self.skipped += added.rowcount

    def add_page(self, page: Response, labels: Sequence[str] = (), digest: str | None = None) -> None:
        """Add a page to be kept in the index itself."""
        if key := self._key(page.url):
            kept = (json.dumps(dict(page.headers)), zlib.compress(page.body, 1))
            self._db.execute(_ADD, (key, page.status, *kept, None, None, digest))
            self._db.executemany("INSERT OR IGNORE INTO labels VALUES (?, ?)", [(key, x) for x in labels])

    def add_redirect(self, url: str, target: str) -> None:
        """Add a url that leads to another; one that is no http(s) url was no page to be skipped."""
        if key := DEFAULT_POLICY.canonical(url):
            headers = json.dumps({"location": target})
            self._db.execute(_ADD, (key, 301, headers, zlib.compress(b""), None, None, None))

    def add_capture(self, url: str, status: int, file: int, offset: int, digest: str | None) -> None:
        """Add a page that stays in its WARC file."""
        if key := self._key(url):
            added = self._db.execute(_ADD, (key, status, None, None, file, offset, digest))
            if not added.rowcount and digest:
                self._db.execute("INSERT INTO later VALUES (?, ?, ?, ?)", (status, file, offset, digest))

    def add_revisit(
        self, url: str, status: int, file: int, offset: int, digest: str | None, refers_to: str | None
    ) -> None:
        """Add a page whose body is recorded elsewhere: under the same digest, or the url it refers to."""
        if key := self._key(url):
            original = DEFAULT_POLICY.canonical(refers_to) if refers_to else None
            row = (key, status, file, offset, digest, original)
            self._db.execute("INSERT INTO revisits VALUES (?, ?, ?, ?, ?, ?)", row)

    def finish(self) -> int:
        """Make it complete, and tell the number of urls in it."""
        self._db.execute("INSERT INTO facts VALUES (?)", (self.skipped,))
        self._db.execute("COMMIT")
        self._db.executescript(_RESOLVE_REVISITS)
        count: int = self._db.execute("SELECT count(url) FROM pages").fetchone()[0]
        return count

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def _key(self, url: str) -> str | None:
        key = DEFAULT_POLICY.canonical(url)
        self.skipped += key is None
        return key
