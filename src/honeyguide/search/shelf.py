"""The folder of an index: which of the indexes in it is the one in use, who may write, and what its errors mean.

An index that is made anew grows beside the one in use and takes its place in one step, when it is complete.
"""

from __future__ import annotations

import errno
import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from honeyguide.errors import CrawlLocked, DiskFull, HoneyguideError, StoreError
from honeyguide.search.schema import VERSION
from honeyguide.store.disk import LITTLE_SPACE_BYTES, disk_errors, write_atomically
from honeyguide.store.folder import INDEX
from honeyguide.store.lock import announce, lock, process_at_work

_IN_USE = "in-use.json"
_FULL = ("os error 28", "No space left", "StorageFull", "os error 122")


class Shelf:
    """The indexes of one crawl."""

    def __init__(self, crawl: Path) -> None:
        self.crawl = crawl
        self.folder = crawl / INDEX
        self._in_use = self.folder / _IN_USE
        self._known: tuple[tuple[int, int], Path | None] = ((0, 0), None)

    def in_use(self) -> Path | None:
        """The folder of the index to search; None if there is none, or one that this version cannot read."""
        with suppress(OSError, ValueError, KeyError, TypeError):
            found = self._in_use.stat()
            stamp, folder = self._known
            if stamp != (found.st_ino, found.st_mtime_ns):
                folder = self._read()
                self._known = ((found.st_ino, found.st_mtime_ns), folder)
            if folder and folder.is_dir():
                return folder
        return None

    def _read(self) -> Path | None:
        said = json.loads(self._in_use.read_text(encoding="utf-8"))
        return self.folder / f"{int(said['index'])}" if said["version"] == VERSION else None

    def use(self, folder: Path) -> None:
        """Have an index searched from now on, and remove the others. Whoever has one of them open may go on."""
        write_atomically(self.folder / _IN_USE, json.dumps({"version": VERSION, "index": int(folder.name)}))
        self.tidy()

    def tidy(self) -> None:
        """Remove indexes that are not in use; for the one who may write."""
        used = self.in_use()
        for path in self.folder.iterdir():
            if path.name.isdecimal() and path != used:
                shutil.rmtree(path, ignore_errors=True)

    def next_folder(self) -> Path:
        """Where a new index may grow."""
        taken = [int(path.name) for path in self.folder.iterdir() if path.name.isdecimal()]
        return self.folder / f"{max(taken, default=0) + 1}"

    def writer(self) -> int | None:
        """The process that is indexing; None if there is none."""
        return process_at_work(self.folder)

    def lock(self) -> IO[str]:
        """Be the only one who writes; CrawlLocked names the process that does already."""
        with disk_errors(self.folder):
            self.folder.mkdir(exist_ok=True)
        try:
            file = lock(self.folder)
        except CrawlLocked:
            raise CrawlLocked(
                f"{self.crawl} is being indexed by process {self.writer() or 'unknown'} already; its pages can be"
                " searched meanwhile, and that process takes in new ones as well"
            ) from None
        announce(file)
        return file

    @contextmanager
    def told(self) -> Iterator[None]:
        """Say in our words what is wrong with the index or its disk, where the library panics too."""
        try:
            yield
        except HoneyguideError:
            raise
        except BaseException as error:
            if not isinstance(error, (ValueError, OSError)) and type(error).__name__ != "PanicException":
                raise
            if self._means_full(error):
                raise DiskFull(
                    f"no space left for {self.folder}; free some and `honeyguide index {self.crawl}`: the crawl and"
                    " what was indexed before are safe"
                ) from error
            if isinstance(error, PermissionError):
                raise StoreError(f"{self.folder} may not be written to: {error.strerror}") from error
            raise StoreError(
                f"{self.folder} is damaged ({str(error)[:200]});"
                f" `honeyguide index {self.crawl} --rebuild` makes it anew"
            ) from error

    def _means_full(self, error: BaseException) -> bool:
        """The library may only say that its thread has died; then the disk tells why."""
        if getattr(error, "errno", None) in (errno.ENOSPC, errno.EDQUOT) or any(
            sign in str(error) for sign in _FULL
        ):
            return True
        return self.folder.exists() and shutil.disk_usage(self.folder).free < LITTLE_SPACE_BYTES
