"""A directory as a table: url, category, title and description, separated by tabs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from honeyguide.errors import ImportFailed
from honeyguide.topics.imports.collected import (
    DEFAULT_LIMITS,
    Collected,
    ImportLimits,
    Progress,
    chunks,
    names_of,
    no_progress,
    opened,
)

COLUMNS = ("url", "category", "title", "description")
_MAX_LINE = 1_000_000
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")


def read_directory_tsv(
    path: Path, limits: ImportLimits = DEFAULT_LIMITS, progress: Progress = no_progress
) -> Collected:
    """One page a line; the category is a path such as Top/Arts/Music, with underscores for spaces.

    The first line may name the columns in any order; title and description may be missing.
    """
    collected = Collected(path.name, limits)
    with opened(path) as file:
        lines = _lines(chunks(file, path.name, limits, progress), path.name)
        columns: Sequence[str] = COLUMNS
        for number, line in enumerate(lines, 1):
            fields = line.split("\t")
            if number == 1 and {"url", "category"} <= set(fields):
                columns = fields
            elif line.strip():
                _take(collected, dict(zip(columns, fields, strict=False)))
    return collected.checked()


def _take(collected: Collected, row: dict[str, str]) -> None:
    if not row.get("category", "").strip("/ "):
        collected.skipped["no category after the first tab"] += 1
        return
    names = names_of(row["category"])
    collected.page(names, row.get("url", ""), row.get("title", ""), row.get("description", ""))


def _lines(pieces: Iterator[bytes], source: str) -> Iterator[str]:
    rest = b""
    for number, piece in enumerate(pieces):
        if number == 0 and piece[:2] in _UTF_16:
            raise ImportFailed(f"{source}: the file is UTF-16; save it as UTF-8")
        *whole, rest = (rest + piece.removeprefix(b"\xef\xbb\xbf" if number == 0 else b"")).split(b"\n")
        if len(rest) > _MAX_LINE:
            raise ImportFailed(
                f"{source}: a line is longer than {_MAX_LINE:,} bytes; this is no table of pages"
            )
        yield from map(_decoded, whole)
    yield _decoded(rest)


def _decoded(line: bytes) -> str:
    try:
        return line.decode().rstrip("\r")
    except UnicodeDecodeError:
        return line.decode("cp1252", "replace").rstrip("\r")
