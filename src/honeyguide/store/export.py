"""A crawl as a flat file: JSON lines, CSV or Parquet, a row at a time. Called by the command line."""

from __future__ import annotations

import csv
import errno
import gzip
import io
import json
import math
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import IO, Any

from honeyguide.errors import DiskFull, SettingsError, StoreError
from honeyguide.files import whole_file
from honeyguide.store.base import Location
from honeyguide.store.reader import CrawlReader
from honeyguide.urls import host_of

STDOUT = Path("-")
ROWS_AT_ONCE = 10_000

Row = tuple[object, ...]

COLUMNS: dict[str, dict[str, type]] = {
    "pages": {
        "url": str,
        "host": str,
        "fetched_at": datetime,
        "status": int,
        "relevance": float,
        "priority": float,
        "depth": int,
        "bytes": int,
        "title": str,
        "language": str,
        "content_type": str,
        "digest": str,
        "links": int,
        "archive_file": str,
        "archive_offset": int,
    },
    "links": {"source": str, "target": str, "anchor": str},
    "hosts": {"host": str, "pages": int, "relevant": int, "mean_relevance": float},
    "failures": {
        "url": str,
        "host": str,
        "failed_at": datetime,
        "error": str,
        "message": str,
        "tries": int,
        "is_final": bool,
    },
}
"""The columns of each table, with the type of their values; None may stand in any."""

# Invisible in an editor, but some terminals obey them and some programs see a line's end in them.
_ESCAPED_IN_JSON = {code: f"\\u{code:04x}" for code in (*range(0x7F, 0xA0), 0x2028, 0x2029)}
_NO_CONTROLS = dict.fromkeys((*range(0x20), *range(0x7F, 0xA0), 0x2028, 0x2029), " ")
# What makes a spreadsheet take a cell for a formula, in both widths that some of them know.
_FORMULA_STARTS = tuple("=+-@＝＋－＠")  # noqa: RUF001


@dataclass(frozen=True, slots=True)
class Table:
    """What is exported."""

    columns: Mapping[str, type]
    rows: Iterable[Row]
    total: int | None  # rows, where it is known beforehand


def pages_table(reader: CrawlReader, relevant_above: float = 0.0) -> Table:
    """Every fetched page at or above a relevance, in the order of the crawl."""
    return Table(COLUMNS["pages"], _page_rows(reader, relevant_above), reader.summary().pages)


def _page_rows(reader: CrawlReader, relevant_above: float) -> Iterator[Row]:
    for page in reader.visits():
        if page.relevance >= relevant_above:
            location: Location | tuple[None, None] = reader.location(page.url_id) or (None, None)
            yield (
                *(page.url, host_of(page.url), _moment(page.time), page.status, page.relevance),
                *(_finite(page.priority), page.depth, page.bytes, page.title, page.language),
                *(page.content_type, page.digest, page.links, *location),
            )


def links_table(reader: CrawlReader) -> Table:
    """Every link that entered the crawl; the source of a seed is empty."""
    rows = ((link.source, link.target, link.anchor) for link in reader.links())
    return Table(COLUMNS["links"], rows, None)


def hosts_table(reader: CrawlReader, relevant_above: float) -> Table:
    """Every host that a page was fetched from, the most relevant first."""
    hosts = reader.top_hosts(sys.maxsize, relevant_above)
    rows = ((host.host, host.pages, host.relevant, host.mean_relevance) for host in hosts)
    return Table(COLUMNS["hosts"], rows, len(hosts))


def failures_table(reader: CrawlReader) -> Table:
    """Every fetch that failed, in order."""
    rows = (
        (url, host_of(url), _moment(each.time), each.error, each.message, each.tries, each.final)
        for url, each in reader.failures()
    )
    return Table(COLUMNS["failures"], rows, reader.summary().failures)


def _moment(time: float) -> datetime:
    return datetime.fromtimestamp(time, UTC)


def _finite(number: float | None) -> float | None:
    return number if number is not None and math.isfinite(number) else None


def format_of(out: Path) -> str:
    """Tell the format by a file's name; standard output gets JSON lines."""
    name = "out.jsonl" if out == STDOUT else out.name.lower().removesuffix(".gz")
    for ending, found in (
        (".jsonl", "jsonl"),
        (".ndjson", "jsonl"),
        (".csv", "csv"),
        (".parquet", "parquet"),
    ):
        if name.endswith(ending):
            return found
    raise SettingsError(f"{out}: no format is known by this name; end it with .jsonl, .csv or .parquet")


def write_table(
    table: Table, out: Path, kind: str, on_row: Callable[[int, int | None], None] = lambda done, total: None
) -> None:
    """Write a table to a file, all or nothing, or to standard output. Raises StoreError, DiskFull."""
    write = _WRITERS[kind]
    is_packed = out.name.lower().endswith(".gz")
    if kind == "parquet" and (is_packed or out == STDOUT):
        raise SettingsError(f"{out}: parquet goes to a file, and is packed as it is; name it NAME.parquet")
    counted = Table(table.columns, _counted(table, on_row), table.total)
    with _output(out) as file:
        if is_packed:
            with gzip.GzipFile(fileobj=file, mode="wb", filename="", mtime=0) as packed:
                write(counted, packed, False)
        else:
            write(counted, file, file.isatty())


def _counted(table: Table, on_row: Callable[[int, int | None], None]) -> Iterator[Row]:
    for number, row in enumerate(table.rows):
        if number % 1000 == 0:
            on_row(number, table.total)
        yield row


def _write_jsonl(table: Table, file: Any, is_terminal: bool = False) -> None:
    names = list(table.columns)
    for row in table.rows:
        line = json.dumps(dict(zip(names, row, strict=True)), ensure_ascii=False, default=_written_time)
        if is_terminal:
            line = _visible(line, lambda character: json.dumps(character)[1:-1])
        file.write(line.translate(_ESCAPED_IN_JSON).encode() + b"\n")


def _visible(text: str, escape: Callable[[str], str]) -> str:
    """Leave nothing to a terminal that hides, or that turns the reading direction; programs get texts as they are."""
    return text if text.isprintable() else "".join(c if c.isprintable() else escape(c) for c in text)


def _written_time(value: object) -> str:
    assert isinstance(value, datetime)
    return value.isoformat(timespec="milliseconds")


def _write_csv(table: Table, file: Any, is_terminal: bool) -> None:
    text = io.TextIOWrapper(file, encoding="utf-8", newline="")
    writer = csv.writer(text)
    writer.writerow(table.columns)
    for row in table.rows:
        cells = [_csv_cell(value) for value in row]
        if is_terminal:
            cells = [_visible(str(cell), lambda _: "\ufffd") for cell in cells]
        writer.writerow(cells)
    text.flush()
    text.detach()  # whoever opened the file closes it


def _csv_cell(value: object) -> object:
    r"""Make a value harmless: pages choose their own titles, and spreadsheets run what looks like a formula.

    >>> _csv_cell("\t=HYPERLINK(1)"), _csv_cell(-1.5), _csv_cell("Bees\nand hives")
    ("' =HYPERLINK(1)", -1.5, 'Bees and hives')
    """
    if isinstance(value, datetime):
        return _written_time(value)
    if not isinstance(value, str):
        return value
    cell = value.translate(_NO_CONTROLS)
    return f"'{cell}" if cell.lstrip().startswith(_FORMULA_STARTS) else cell


def _write_parquet(table: Table, file: Any, is_terminal: bool) -> None:
    try:
        import pyarrow as pa  # type: ignore[import-untyped]
        import pyarrow.parquet as pq  # type: ignore[import-untyped]
    except ImportError:
        raise SettingsError("parquet needs one more package: pip install 'honeyguide[parquet]'") from None
    types = {
        str: pa.string(),
        int: pa.int64(),
        float: pa.float64(),
        bool: pa.bool_(),
        datetime: pa.timestamp("ms", tz="UTC"),
    }
    schema = pa.schema([(name, types[kind]) for name, kind in table.columns.items()])
    rows = iter(table.rows)
    with pq.ParquetWriter(file, schema, compression="zstd") as writer:
        while chunk := list(islice(rows, ROWS_AT_ONCE)):
            arrays = [
                pa.array(column, field.type)
                for column, field in zip(zip(*chunk, strict=True), schema, strict=True)
            ]
            writer.write_batch(pa.record_batch(arrays, schema=schema))


_WRITERS: dict[str, Callable[[Table, Any, bool], None]] = {
    "jsonl": _write_jsonl,
    "csv": _write_csv,
    "parquet": _write_parquet,
}


@contextmanager
def _output(out: Path) -> Iterator[IO[bytes]]:
    """Standard output, or a file that appears under its name only when it is complete."""
    if out == STDOUT:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    try:
        with whole_file(out) as part, part.open("wb") as file:
            yield file
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise DiskFull(f"no room left for {out}; make some, or choose another place") from error
        raise StoreError(f"{out} cannot be written: {error.strerror}; choose another place") from error
