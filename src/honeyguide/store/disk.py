"""Errors of the disk and of SQLite in our own words."""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from honeyguide.errors import DiskFull, StoreError
from honeyguide.files import whole_file

LITTLE_SPACE_BYTES = 1 << 20


@contextmanager
def disk_errors(path: Path) -> Iterator[None]:
    """Raise DiskFull when there is no room, StoreError for everything else that goes wrong with a file."""
    try:
        yield
    except UnicodeDecodeError as error:  # as SQLite's own words on a damaged file may be damaged too
        raise StoreError(f"{path}: the database is damaged; put back a copy of it") from error
    except sqlite3.Error as error:
        if _means_full(error, path):
            raise _full(path) from error
        raise StoreError(f"{path}: {error}; is it a crawl's folder, and writable?") from error
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise _full(path) from error
        raise StoreError(
            f"{path}: {error.strerror or error}; choose another folder or mend this one"
        ) from error


def write_atomically(path: Path, text: str) -> None:
    """Put a file in place whole or not at all."""
    with disk_errors(path), whole_file(path) as part:
        part.write_text(text, encoding="utf-8")


def _full(path: Path) -> DiskFull:
    return DiskFull(f"no space left for {path}; free some and `honeyguide resume`: nothing committed is lost")


def _means_full(error: sqlite3.Error, path: Path) -> bool:
    name = getattr(error, "sqlite_errorname", "")
    if name == "SQLITE_FULL":
        return True
    # On a full disk SQLite may also fail to grow its shared memory, and calls that an I/O error.
    folder = path if path.is_dir() else path.parent
    return name.startswith("SQLITE_IOERR") and folder.exists() and _free_bytes(folder) < LITTLE_SPACE_BYTES


def _free_bytes(folder: Path) -> int:
    return shutil.disk_usage(os.fspath(folder)).free
