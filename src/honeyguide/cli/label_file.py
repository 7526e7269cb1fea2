"""Labels in a file: one page a line as a spreadsheet writes it, or a table that `honeyguide export` wrote."""

from __future__ import annotations

import csv
import gzip
import io
import json
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, TextIO

from honeyguide.commands import Label, made
from honeyguide.errors import SettingsError

MOST_BYTES = 50 << 20
MOST_ROWS = 1_000_000
MOST_LABELS = 100_000
EARLIEST = datetime(1990, 1, 1, tzinfo=UTC)
"""Before it there was no page to label."""
AHEAD = timedelta(days=1)
"""So far the clock of another machine may be ahead."""
TOLD_EVERY = 100
SHOWN_CHARS = 80
SHOWN_COLUMNS = 8

_WORDS: dict[str, bool | None] = {
    **dict.fromkeys(("relevant", "yes", "y", "true", "1", "+"), True),
    **dict.fromkeys(("not relevant", "irrelevant", "no", "n", "false", "0", "-"), False),
    **dict.fromkeys(("unsure", "?"), None),
}
_COLUMNS = ("url", "label", "note", "by", "asked", "said_at")
_ALSO = {"label_note": "note", "labelled_by": "by"}
"""What exported pages call them."""

Row = tuple[int, Mapping[str, str]]


def read_labels_file(
    path: Path,
    spelling: Callable[[str], str],
    by: str = "",
    on_progress: Callable[[int, int], None] | None = None,
) -> list[Label]:
    """Read labels from CSV, JSON lines or Parquet, one of each page; the first two may be packed (.gz).

    CSV has url, label and perhaps a note, or a first line that names the columns, with commas, semicolons or tabs
    between them. Exported pages have labels, too; those that nobody labelled are left out. `spelling` writes a url as
    the crawl does, or raises SettingsError if it is none. `by` stands for whoever the file says has given the labels.
    """
    try:
        rows = _labelled(path)
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise SettingsError(f"{path}: cannot be read: {error}; write it as CSV in UTF-8") from None
    if not rows:
        raise SettingsError(f"{path}: no label in it; a line is url,label[,note], as in https://a.org/,yes")
    lines: dict[str, int] = {}
    said: dict[str, Label] = {}
    for done, (number, row) in enumerate(rows):
        if on_progress and done % TOLD_EVERY == 0:
            on_progress(done, len(rows))
        label = _label(path, number, row, spelling, by)
        if said.setdefault(label.url, label).relevant != label.relevant:
            raise SettingsError(
                f"{path}: line {number} contradicts line {lines[label.url]} on {_cut(label.url)}; keep one of them"
            )
        lines.setdefault(label.url, number)
        said[label.url] = label
    return [*said.values()]


def _labelled(path: Path) -> list[Row]:
    """All rows but those of pages that nobody labelled."""
    labelled = []
    for number, row in _rows(path):
        # A page that nobody labelled has an empty cell; a line that has no second cell at all is a mistake.
        if row.get("url") and row.get("label") == "" and len(row) > 2:
            continue
        labelled.append((number, row))
        if len(labelled) > MOST_LABELS:
            raise SettingsError(f"{path}: more than {MOST_LABELS:,} labels; divide it")
    return labelled


def _rows(path: Path) -> Iterator[Row]:
    """The rows by their numbers, each with its columns by name."""
    if path.stat().st_size > MOST_BYTES:
        raise SettingsError(f"{path}: larger than {MOST_BYTES >> 20} MB; divide it")
    kind = path.name.lower().removesuffix(".gz")
    if kind.endswith(".parquet"):
        yield from _parquet_rows(path)
        return
    with _opened(path) as file:
        yield from _json_rows(path, file) if kind.endswith((".jsonl", ".ndjson")) else _csv_rows(path, file)


@contextmanager
def _opened(path: Path) -> Iterator[TextIO]:
    """A text, unpacked as far as it may be large."""
    with path.open("rb") as raw:
        is_packed = raw.read(2) == b"\x1f\x8b"
        raw.seek(0)
        with gzip.GzipFile(fileobj=raw) if is_packed else raw as file:
            content = file.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise SettingsError(f"{path}: larger than {MOST_BYTES >> 20} MB when unpacked; divide it")
    yield io.StringIO(content.decode("utf-8-sig"), newline="")


def _csv_rows(path: Path, file: TextIO) -> Iterator[Row]:
    from honeyguide.store.export import plain_cell

    separator = _separator(file.readline())
    file.seek(0)
    names: list[str] = list(_COLUMNS[:3])
    for number, row in _csv_lines(path, csv.reader(file, delimiter=separator, strict=True)):
        cells = [plain_cell(cell).strip() for cell in row]
        given = _names(cells)
        if number == 1 and "url" in given and ("label" in given or given[0] == "url"):
            names = given if "label" in given else names
        elif number == 1 and _names_columns(cells):
            raise SettingsError(
                f"{path}: line 1: the columns are {', '.join(map(_cut, cells[:SHOWN_COLUMNS]))}; they should be"
                f" named url and label, and perhaps {', '.join(_COLUMNS[2:])}"
            )
        elif any(cells):
            yield number, dict(zip(names, cells, strict=False))


def _names_columns(cells: Sequence[str]) -> bool:
    """Whether a first line can be nothing else: no cell is like a url or a verdict."""
    return len(cells) > 1 and not any(
        "." in cell or ":" in cell or "/" in cell or cell.lower() in _WORDS for cell in cells
    )


def _csv_lines(path: Path, reader: Any) -> Iterator[tuple[int, list[str]]]:
    """Rows, each with the line it begins on: a note may go over several."""
    while True:
        number = reader.line_num + 1
        try:
            yield number, next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise SettingsError(
                f'{path}: line {number}: the row that begins here cannot be read ({error}); close what a " opens, and'
                ' write "" for one within it'
            ) from None


def _separator(first: str) -> str:
    """What stands between the names of columns; a comma where these are not named."""
    for separator in ";\t":
        if {"url", "label"} <= {*_names(first.split(separator))}:
            return separator
    return ","


def _names(cells: Iterable[str]) -> list[str]:
    plain = [cell.strip().strip('"').lower() for cell in cells]
    return [_ALSO.get(name, name) for name in plain]


def _json_rows(path: Path, file: TextIO) -> Iterator[Row]:
    for number, line in enumerate(file, 1):
        try:
            row = json.loads(line) if line.strip() else {}
        except (ValueError, RecursionError):
            row = None
        if not isinstance(row, dict):
            raise SettingsError(f"{path}: line {number}: it is no JSON object, as in {_JSON_EXAMPLE}")
        if row:
            yield number, _texts(row)


_JSON_EXAMPLE = '{"url": "https://a.org/", "label": "yes"}'


def _parquet_rows(path: Path) -> Iterator[Row]:
    try:
        import pyarrow as pa  # type: ignore[import-untyped]
        import pyarrow.parquet as pq  # type: ignore[import-untyped]
    except ImportError:
        raise SettingsError("parquet needs one more package: pip install 'honeyguide[parquet]'") from None
    try:
        with pq.ParquetFile(path) as file:
            if file.metadata.num_rows > MOST_ROWS:
                raise SettingsError(f"{path}: more than {MOST_ROWS:,} rows; divide it")
            known = [name for name in file.schema_arrow.names if _ALSO.get(name, name) in _COLUMNS]
            number = 0
            for batch in file.iter_batches(batch_size=1000, columns=known):
                for row in batch.to_pylist():
                    number += 1
                    yield number, _texts(row)
    except pa.ArrowException as error:
        raise SettingsError(f"{path}: cannot be read as parquet: {error}") from None


def _texts(row: Mapping[str, Any]) -> dict[str, str]:
    named = {_ALSO.get(name, name): value for name, value in row.items()}
    return {name: "" if named.get(name) is None else str(named[name]).strip() for name in _COLUMNS}


def _label(path: Path, number: int, row: Mapping[str, str], spelling: Callable[[str], str], by: str) -> Label:
    url, said = row.get("url", ""), row.get("label")
    if not url or said is None:
        raise SettingsError(
            f"{path}: line {number}: it should be url,label[,note] with commas; where columns stand otherwise, or"
            " between them ; or tab, the first line must name them, as label;url"
        )
    if said.lower() not in _WORDS:
        raise SettingsError(f"{path}: line {number}: {_cut(said)!r} is no label; write yes, no or unsure")
    relevant = _WORDS[said.lower()]
    told = {"note": row.get("note", ""), "by": by or row.get("by", ""), "asked": row.get("asked", "")}
    try:
        said_at = _moment(row.get("said_at", ""))
        verdict = {"relevant": relevant, "unsure": relevant is None, "said_at": said_at}
        return made(Label, url=spelling(url), **verdict, **told)
    except SettingsError as error:
        raise SettingsError(f"{path}: line {number}: {error}") from None


def _moment(text: str) -> float | None:
    """Seconds since 1970; a time without a zone is in UTC, and none is None."""
    if not text:
        return None
    try:
        moment = datetime.fromisoformat(text)
        told = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        is_possible = EARLIEST <= told <= datetime.now(UTC) + AHEAD
    except (ValueError, OverflowError):
        is_possible = False
    if not is_possible:
        raise SettingsError(
            f"said_at: {_cut(text)!r} is no time at which a label can have been given; write it as in"
            " 2026-03-14T15:09:26+00:00, or leave it empty"
        )
    return told.timestamp()


def _cut(text: str) -> str:
    return text if len(text) <= SHOWN_CHARS else f"{text[:SHOWN_CHARS]}..."
