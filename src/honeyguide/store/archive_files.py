"""The files of the page archive: their names, and what a crawl that died left of them.

A file is called `.open` while it is written. Called by the archive and by its index.
"""

from __future__ import annotations

import os
import platform
import re
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, NamedTuple

from honeyguide.errors import StoreError
from honeyguide.model import Location

Compression = Literal["gzip", "zstd"]

OPEN = ".open"
ENDINGS: dict[Compression, str] = {"gzip": ".warc.gz", "zstd": ".warc.zst"}

_NAME = re.compile(r"honeyguide-[0-9]{17}-([0-9]{5,})-[0-9]+~[A-Za-z0-9.-]+\.warc\.(?:gz|zst)")
_NO_HOST_CHARACTER = re.compile(r"[^A-Za-z0-9.-]+")
_MAX_HOST_CHARACTERS = 64


class Rewound(NamedTuple):
    """What reopening at a committed end did to the archive."""

    lost_bytes: int  # committed, yet missing
    changed: bool


def next_name(last: str | None, date: datetime, compression: Compression, shard: int = 0) -> str:
    """Name a file as the IIPC recommends: prefix, moment, serial number, process and machine.

    Shards of a crawl may be written by one process at the same moment, and sent to the same place.
    """
    number = file_number(last) if last else None
    moment = date.astimezone(UTC).strftime("%Y%m%d%H%M%S%f")[:17]
    host = _NO_HOST_CHARACTER.sub("-", platform.node())[:_MAX_HOST_CHARACTERS] or "localhost"
    serial = 0 if number is None else number + 1
    who = f"{os.getpid()}~{host}{f'.{shard}' if shard else ''}"
    return f"honeyguide-{moment}-{serial:05d}-{who}{ENDINGS[compression]}"


def compression_of(name: str) -> Compression:
    """A file goes on as it was begun, whatever new files are packed with."""
    return "zstd" if name.endswith(ENDINGS["zstd"]) else "gzip"


def file_number(name: str) -> int | None:
    """Tell the serial number in the name of a finished file; None for any other name."""
    match = _NAME.fullmatch(name)
    return int(match[1]) if match else None


def finished_files(folder: Path) -> list[str]:
    """Names of the files nobody is writing, in the order they were written."""
    numbers = {path.name: file_number(path.name) for path in folder.iterdir()}
    return sorted(name for name, number in numbers.items() if number is not None)


def readable_path(folder: Path, name: str) -> Path:
    """Where a file is now, finished or not."""
    path = folder / name
    return path if path.exists() else folder / (name + OPEN)


def rewind(folder: Path, committed: Location) -> Rewound:
    """Undo what was written after the committed end."""
    number = file_number(committed.file)
    if number is None:
        raise StoreError(f"{committed.file!r} is not a file of the page archive in {folder}")
    changed = _remove_after(folder, number)
    path = folder / committed.file
    with suppress(FileNotFoundError):
        (folder / (committed.file + OPEN)).rename(path)
        changed = True
    missing = committed.offset - (path.stat().st_size if path.exists() else 0)
    if missing < 0:
        os.truncate(path, committed.offset)
    return Rewound(max(missing, 0), changed or missing != 0)


def _remove_after(folder: Path, number: int) -> bool:
    later = [
        path
        for path in folder.iterdir()
        if (found := file_number(path.name.removesuffix(OPEN))) is not None and found > number
    ]
    for path in later:
        path.unlink()
    return bool(later)


def remove_open(folder: Path) -> None:
    """Remove files that nobody will go on with."""
    for path in folder.iterdir():
        if path.name.endswith(OPEN) and file_number(path.name.removesuffix(OPEN)) is not None:
            path.unlink()


def clear(folder: Path) -> None:
    """Remove what a crawl that died before its first commit left behind, and nothing else."""
    for path in folder.iterdir():
        if file_number(path.name) is not None:
            raise StoreError(f"{path} belongs to another crawl: move it away, or crawl into a new folder")
        if file_number(path.name.removesuffix(OPEN)) is not None:
            path.unlink()
