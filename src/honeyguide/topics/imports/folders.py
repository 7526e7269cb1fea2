"""A directory of folders as a taxonomy: each folder is a topic, each file in it an example."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from honeyguide.errors import ImportFailed
from honeyguide.topics.examples import Example
from honeyguide.topics.imports.collected import (
    DEFAULT_LIMITS,
    Collected,
    ImportLimits,
    Progress,
    no_progress,
)

ReadExample = Callable[[Path], Example | None]
"""Makes an example of a file; None for a file that is none. Reading HTML needs a parser, which the caller has."""

MAX_FILE_BYTES = 10_000_000
MAX_ENTRIES = 1_000_000


def read_folders(
    folder: Path,
    read: ReadExample | None = None,
    limits: ImportLimits = DEFAULT_LIMITS,
    progress: Progress = no_progress,
) -> Collected:
    """Files right in the folder belong to the root. Hidden files and symbolic links are not followed.

    Without `read`, text files (*.txt) are examples titled by their names, and all others are left out.
    """
    if not folder.is_dir():
        raise ImportFailed(f"{folder}: no folder; give the one that holds a folder for each topic")
    collected = Collected(folder.name, limits)
    read_bytes = entries = 0
    for at, folders, names in os.walk(folder, onerror=_refuse):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        entries += len(folders) + len(names)
        if entries > MAX_ENTRIES:
            raise ImportFailed(
                f"{folder}: more than {MAX_ENTRIES:,} files and folders; give a folder further down"
            )
        node = collected.topic(Path(at).relative_to(folder).parts)
        for name in sorted(names):
            read_bytes += _take(collected, node, Path(at, name), read or read_text)
        progress(read_bytes)
    return collected.checked()


def _refuse(error: OSError) -> None:
    raise ImportFailed(f"{error.filename}: cannot be read: {error.strerror}")


def _take(collected: Collected, node: int | None, path: Path, read: ReadExample) -> int:
    if node is None or path.name.startswith(".") or path.is_symlink() or not path.is_file():
        collected.skipped["hidden, a link, or outside the part asked for"] += 1
        return 0
    size = path.stat().st_size
    if size > MAX_FILE_BYTES:
        raise ImportFailed(f"{path}: larger than {MAX_FILE_BYTES:,} bytes; an example is one page")
    example = read(path)
    if example is None:
        collected.skipped["no text file"] += 1
    else:
        collected.add(node, example)
    return size


def read_text(path: Path) -> Example | None:
    """A text file in UTF-8 or, failing that, Windows-1252."""
    if path.suffix.lower() != ".txt":
        return None
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ImportFailed(f"{path}: cannot be read: {error.strerror}") from None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("cp1252", "replace")
    return Example(text, title=path.stem.replace("_", " "))
