"""Files that have their name only when they are whole, and where files go that can be made again."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Give a name to write a file under, which takes the place of `path` at the end if nothing went wrong.

    By then the disk has it. Links are followed; what is no file, such as a pipe, is written to as it is. Raises
    OSError as it comes.
    """
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        yield target
        return
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    part.unlink(missing_ok=True)
    try:
        yield part
        with part.open("rb") as file:
            os.fsync(file.fileno())
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)


def remove_parts(folder: Path) -> None:
    """Remove what whoever wrote files there had begun when it was killed; nobody else may be writing."""
    for part in folder.glob(".*.part"):
        part.unlink(missing_ok=True)


def cache_folder(name: str) -> Path:
    """The folder of one kind of files that can be made again."""
    usual = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "honeyguide"
    return Path(os.environ.get("HONEYGUIDE_CACHE") or usual) / name
