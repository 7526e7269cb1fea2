"""Readers of a crawl that are kept open between questions: to open one takes as long as to answer."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock

from honeyguide.store import open_reader
from honeyguide.store.folder import DATABASE, PLACE
from honeyguide.store.reader import Reader

MOST_IDLE = 8


class Readers:
    """Readers of one crawl, each used by one thread at a time. One that is idle looks at nothing."""

    def __init__(self, crawl: Path) -> None:
        self._crawl = crawl
        self._idle: list[tuple[int, Reader]] = []
        self._lock = Lock()

    def __del__(self) -> None:
        for _, reader in self._idle:  # each may hold a connection to a database elsewhere
            reader.close()

    @contextmanager
    def one(self) -> Iterator[Reader]:
        """A reader of what stands in the folder now, which may be another crawl than before."""
        file = self._file()
        reader = self._taken(file) or open_reader(self._crawl)
        try:
            yield reader
        except BaseException:
            reader.close()
            raise
        with self._lock:
            if len(self._idle) < MOST_IDLE:
                self._idle.append((file, reader))
                return
        reader.close()

    def _taken(self, file: int) -> Reader | None:
        with self._lock:
            while self._idle:
                read, reader = self._idle.pop()
                if read == file:
                    return reader
                reader.close()
        return None

    def _file(self) -> int:
        for name in (DATABASE, PLACE):
            with suppress(OSError):  # opening it tells what is wrong
                return (self._crawl / name).stat().st_ino
        return 0
