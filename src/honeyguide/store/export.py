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
from dataclasses import astuple, dataclass
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import IO, Any

from honeyguide.errors import DiskFull, SettingsError, StoreError
from honeyguide.files import whole_file
from honeyguide.graph.site_relevance import Definition
from honeyguide.model import Failure, Visit
from honeyguide.store.base import LabelRow
from honeyguide.store.reader import HostSummary, Reader
from honeyguide.store.site_rows import site_summaries
from honeyguide.urls import host_of

STDOUT = Path("-")
ROWS_AT_ONCE = 10_000

Row = tuple[object, ...]

_OF_PAGES: dict[str, type] = {
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
    "label": str,
    "label_note": str,
    "labelled_by": str,
}
COLUMNS: dict[str, dict[str, type]] = {
    "pages": _OF_PAGES,
    "visits": {**_OF_PAGES, "is_revisit": bool, "changed": bool},
    "links": {"source": str, "target": str, "anchor": str},
    "hosts": {"host": str, "pages": int, "relevant": int, "mean_relevance": float},
    "sites": {
        "site": str,
        "relevance": float,
        "pages": int,
        "relevant": int,
        "density": float,
        "mean_relevance": float,
        "hosts": int,
        "waiting": int,
        "expected": float,
    },
    "failures": {
        "url": str,
        "host": str,
        "failed_at": datetime,
        "error": str,
        "message": str,
        "tries": int,
        "is_final": bool,
    },
    "labels": {"url": str, "label": str, "note": str, "by": str, "asked": str, "said_at": datetime},
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


def table_of(
    reader: Reader,
    what: str,
    relevant_above: float,
    *,
    only_relevant: bool = False,
    site_relevance: Definition = "mean",
) -> Table:
    """The pages as they are, the visits of them, links, hosts, sites, failures or labels; of pages perhaps some."""
    labels = reader.labels()
    match what:
        case "pages":
            above = relevant_above if only_relevant else None
            pages = reader.visits(relevant_above=above, last_only=True)
            rows = (_page_row(page, labels) for page in pages)
            return Table(COLUMNS["pages"], rows, None if only_relevant else reader.numbers(0.0).pages)
        case "visits":
            rows = ((*_page_row(visit, labels), visit.is_revisit, visit.changed) for visit in reader.visits())
            return Table(COLUMNS["visits"], rows, reader.last_number())
        case "links":  # the source of a seed is empty
            links = ((link.source, link.target, link.anchor) for link in reader.links())
            return Table(COLUMNS["links"], links, None)
        case "hosts":  # the most relevant first
            hosts = reader.hosts(sys.maxsize, relevant_above)
            return Table(COLUMNS["hosts"], map(_host_row, hosts), len(hosts))
        case "sites":  # the most relevant first
            sites = site_summaries(reader, relevant_above, site_relevance)
            return Table(COLUMNS["sites"], map(astuple, sites), len(sites))
        case "failures":
            total = reader.numbers(relevant_above).failures
            return Table(COLUMNS["failures"], map(_failure_row, reader.failures()), total)
        case "labels":
            return Table(COLUMNS["labels"], map(_label_row, labels.values()), len(labels))
    raise SettingsError(
        f"there is no table {what!r}; there are pages, visits, links, hosts, sites, failures and labels"
    )


def _page_row(page: Visit, labels: Mapping[str, LabelRow]) -> Row:
    return (
        *(page.url, host_of(page.url), _moment(page.time), page.status, page.relevance),
        *(_finite(page.priority), page.depth, page.bytes, page.title, page.language),
        *(page.content_type, page.digest, page.links, *(page.location or (None, None))),
        *_label_cells(labels.get(page.url)),
    )


def _host_row(host: HostSummary) -> Row:
    return host.host, host.pages, host.relevant, host.mean_relevance


def _failure_row(failure: Failure) -> Row:
    where = (failure.url, host_of(failure.url), _moment(failure.time))
    return *where, failure.error, failure.message, failure.tries, failure.final


def _label_row(label: LabelRow) -> Row:
    said, note, by = _label_cells(label)
    return label.url, said, note, by, label.asked, _moment(label.time)


def _label_cells(label: LabelRow | None) -> tuple[str | None, str | None, str | None]:
    """What was said, why and by whom; nothing where there is no label."""
    if label is None:
        return None, None, None
    said = "unsure" if label.relevant is None else "yes" if label.relevant else "no"
    return said, label.note, label.by


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
        (".wacz", "wacz"),
    ):
        if name.endswith(ending):
            return found
    raise SettingsError(
        f"{out}: no format is known by this name; end it with .jsonl, .csv, .parquet or .wacz"
    )


def write_table(
    table: Table, out: Path, kind: str, on_row: Callable[[int, int | None], None] = lambda done, total: None
) -> None:
    """Write a table to a file, all or nothing, or to standard output. Raises StoreError, DiskFull."""
    write = _WRITERS[kind]
    is_packed = out.name.lower().endswith(".gz")
    if kind == "parquet" and (is_packed or out == STDOUT):
        raise SettingsError(f"{out}: parquet goes to a file, and is packed as it is; name it NAME.parquet")
    counted = Table(table.columns, _counted(table, on_row), table.total)
    with output(out) as file:
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


def plain_cell(cell: str) -> str:
    """A cell of CSV as it was before it was made harmless; what was blank or a line's end stays blank."""
    text = cell.removeprefix("'")
    return text if text.lstrip().startswith(_FORMULA_STARTS) else cell


def _write_parquet(table: Table, file: Any, is_terminal: bool) -> None:
    batches = _arrow_batches(table)
    schema = next(batches)
    import pyarrow.parquet as pq  # type: ignore[import-untyped]

    with pq.ParquetWriter(file, schema, compression="zstd") as writer:
        for batch in batches:
            writer.write_batch(batch)


def as_arrow(table: Table) -> Any:
    """A whole table in memory, as a `pyarrow.Table`."""
    schema, *batches = _arrow_batches(table)
    import pyarrow as pa

    return pa.Table.from_batches(batches, schema=schema)


def _arrow_batches(table: Table) -> Iterator[Any]:
    """The schema, then the rows, many at once."""
    try:
        import pyarrow as pa
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
    yield schema
    rows = iter(table.rows)
    while chunk := list(islice(rows, ROWS_AT_ONCE)):
        columns = zip(zip(*chunk, strict=True), schema, strict=True)
        yield pa.record_batch([pa.array(column, field.type) for column, field in columns], schema=schema)


_WRITERS: dict[str, Callable[[Table, Any, bool], None]] = {
    "jsonl": _write_jsonl,
    "csv": _write_csv,
    "parquet": _write_parquet,
}


@contextmanager
def output(out: Path) -> Iterator[IO[bytes]]:
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
