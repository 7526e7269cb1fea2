"""Words of pages that were read once more, in a file of their own: a cache, which can be thrown away at any time.

Nothing in it is ever wrong: a page is found by what it was made of. Damaged or not writable, the file is done without.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

from honeyguide.store.folder import WORDS

_KEY_BYTES = 8
_MOST_ASKED = 500  # keys in one question


def page_key(*made_of: str) -> int:
    """By what a page is found: its url, the digest of its body, and how it is read."""
    digest = blake2b("\n".join(made_of).encode("utf-8", "replace"), digest_size=_KEY_BYTES).digest()
    return int.from_bytes(digest, signed=True)


class KeptWords:
    """Packed pages by their keys. Of a crawl that nobody revises there is no file."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / WORDS
        self._db: sqlite3.Connection | None = None
        self._is_given_up = False

    def get(self, keys: Sequence[int]) -> dict[int, bytes]:
        """Those that are kept."""
        if self._is_given_up or not self._path.exists():
            return {}
        found: dict[int, bytes] = {}
        try:
            for start in range(0, len(keys), _MOST_ASKED):
                asked = keys[start : start + _MOST_ASKED]
                marks = ", ".join("?" * len(asked))
                rows = self._opened().execute(f"SELECT key, page FROM pages WHERE key IN ({marks})", asked)
                found.update((key, page) for key, page in rows if isinstance(page, bytes))
        except sqlite3.Error as error:
            self._give_up(error)
        return found

    def put(self, pages: Mapping[int, bytes]) -> None:
        """Keep some more."""
        if not pages or self._is_given_up:
            return
        try:
            with self._opened() as db:
                db.executemany("INSERT OR REPLACE INTO pages VALUES (?, ?)", pages.items())
        except sqlite3.Error as error:
            self._give_up(error)

    def _opened(self) -> sqlite3.Connection:
        if self._db is None:
            self._db = sqlite3.connect(self._path)
            # A crash of the machine may cost the file, which is made again.
            self._db.execute("PRAGMA synchronous = OFF")
            self._db.execute("CREATE TABLE IF NOT EXISTS pages (key INTEGER PRIMARY KEY, page BLOB)")
        return self._db

    def _give_up(self, error: sqlite3.Error) -> None:
        """Keep nothing from here on; what is damaged is removed, so that the next run starts anew."""
        self.close()
        self._is_given_up = True
        if not isinstance(error, sqlite3.OperationalError):  # which are full disks, and others who write
            with suppress(OSError):
                self._path.unlink()

    def close(self) -> None:
        """Let go of the file."""
        if self._db is not None:
            self._db.close()
        self._db = None
