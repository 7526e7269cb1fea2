"""Labels in a file: one page a line, as a spreadsheet writes it."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from honeyguide.commands import LONGEST_NOTE
from honeyguide.errors import SettingsError

MOST_BYTES = 50 << 20
MOST_LABELS = 100_000
LONGEST_URL = 10_000

_WORDS: dict[str, bool | None] = {
    **dict.fromkeys(("relevant", "yes", "y", "true", "1", "+"), True),
    **dict.fromkeys(("not relevant", "irrelevant", "no", "n", "false", "0", "-"), False),
    **dict.fromkeys(("unsure", "?"), None),
}


@dataclass(frozen=True, slots=True)
class FileLabel:
    """A line."""

    url: str
    relevant: bool | None
    unsure: bool
    note: str


def read_labels_file(path: Path) -> list[FileLabel]:
    """Read url, label and perhaps a note from each line; a first line that names the columns is skipped."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise SettingsError(f"{path}: larger than {MOST_BYTES >> 20} MB; divide it")
        with path.open(encoding="utf-8-sig", newline="") as file:
            labels = [*_labels(path, csv.reader(file))]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise SettingsError(f"{path}: cannot be read: {error}; write it as CSV in UTF-8") from None
    if not labels:
        raise SettingsError(f"{path}: no label in it; a line is url,label[,note], as in https://a.org/,yes")
    return labels


def _labels(path: Path, rows: Iterator[list[str]]) -> Iterator[FileLabel]:
    for number, row in enumerate(rows, 1):
        if number > MOST_LABELS:
            raise SettingsError(f"{path}: more than {MOST_LABELS:,} lines; divide it")
        cells = [cell.strip() for cell in row]
        if not any(cells) or (number == 1 and cells[0].lower() == "url"):
            continue
        if len(cells) < 2 or len(cells[0]) > LONGEST_URL:
            raise SettingsError(f"{path}: line {number}: it should be url,label[,note]")
        if cells[1].lower() not in _WORDS:
            raise SettingsError(
                f"{path}: line {number}: {cells[1][:50]!r} is no label; write yes, no or unsure"
            )
        relevant = _WORDS[cells[1].lower()]
        note = cells[2][:LONGEST_NOTE] if len(cells) > 2 else ""
        yield FileLabel(cells[0], relevant, relevant is None, note)
