"""A recorded web, read through its index (see recording_index.py). Used by replay and by evaluation."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from isal import isal_zlib

from honeyguide.fetch.warc import read_capture
from honeyguide.model import Response
from honeyguide.urls import DEFAULT_POLICY

_PAGE = "SELECT url, status, headers, body, file, offset, payload_of FROM pages WHERE"
_Row = tuple[str, int, str | None, bytes | None, int, int, int | None]


class Recording:
    """What was recorded, by url in any spelling. Opened with `honeyguide.fetch.replay.open_recording`."""

    def __init__(self, index: Path) -> None:
        # One that was never used is closed by another thread than the one that opened it.
        uri = f"{index.absolute().as_uri()}?mode=ro&immutable=1"
        self._db = sqlite3.connect(uri, uri=True, check_same_thread=False)
        try:
            self.skipped: int = self._db.execute("SELECT skipped FROM facts").fetchone()[0]
            self.damages: list[tuple[Path, int]] = [
                (Path(path), offset)
                for path, offset in self._db.execute(
                    "SELECT path, offset FROM damages JOIN files ON files.id = file ORDER BY file, offset"
                )
            ]
            self._files = [Path(path) for (path,) in self._db.execute("SELECT path FROM files ORDER BY id")]
        except sqlite3.Error:
            self._db.close()
            raise

    def response(self, url: str) -> Response | None:
        """Give what was recorded at a url: a page, a redirect or an error; None if nothing was.

        Raises TooLarge, or FetchError if the WARC file has changed since it was opened.
        """
        row = self._db.execute(f"{_PAGE} url = ?", (DEFAULT_POLICY.canonical(url),)).fetchone()
        return replace(self._read(row), url=url) if row else None

    def __contains__(self, url: str) -> bool:
        key = DEFAULT_POLICY.canonical(url)
        return self._db.execute("SELECT 1 FROM pages WHERE url = ?", (key,)).fetchone() is not None

    def urls(self) -> Iterator[str]:
        """Canonical urls of the recorded pages, in recorded order, without redirects and errors."""
        pages = "SELECT url FROM pages WHERE url IS NOT NULL AND status < 300 ORDER BY id"
        for (url,) in self._db.execute(pages):
            yield url

    def labels(self, url: str) -> tuple[str, ...]:
        """Give what people said the page is about; empty where nothing is recorded."""
        key = DEFAULT_POLICY.canonical(url)
        rows = self._db.execute("SELECT label FROM labels WHERE url = ? ORDER BY rowid", (key,))
        return tuple(label for (label,) in rows)

    def close(self) -> None:
        """Close the index."""
        self._db.close()

    def _read(self, row: _Row) -> Response:
        url, status, headers, body, file, offset, payload_of = row
        if headers is not None and body is not None:
            return Response(url, status, isal_zlib.decompress(body), json.loads(headers))
        own = read_capture(self._files[file], offset, url)
        if payload_of is None:
            return own
        original = self._read(self._db.execute(f"{_PAGE} id = ?", (payload_of,)).fetchone())
        # "Not modified", or a revisit that kept no headers, says only that the original still stands.
        return original if own.status in (0, 304) else replace(own, body=original.body)
