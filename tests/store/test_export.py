import csv
import gzip
import io
import json
import os
import sys
from datetime import UTC, datetime
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from honeyguide.assembly import start_crawl
from honeyguide.commands import Label
from honeyguide.errors import SettingsError
from honeyguide.model import Location
from honeyguide.sample_web.web import SampleWeb
from honeyguide.settings import CrawlOrder
from honeyguide.store import export, open_reader
from honeyguide.store.archive import read_page
from honeyguide.store.inbox import post
from honeyguide.store.reader import Reader

TEXTS = export.Table({"text": str, "number": float}, (), None)


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Reader:
    web = SampleWeb(pages=300)
    order = CrawlOrder().with_overrides(
        {
            "topic.text": web.description("bees"),
            "seeds.urls": [*web.seeds("bees"), "http://nowhere.example/"],
            "web.sample_pages": web.pages,
            "limits.max_pages": 40,
            "output.folder": str(tmp_path_factory.mktemp("crawl")),
        }
    )
    crawler = start_crawl(order)
    crawler.run()
    crawler.close()
    reader = open_reader(order.folder)
    for visit, relevant in zip(reader.latest(3), (True, False, None), strict=True):
        said = Label(url=visit.url, relevant=relevant, unsure=relevant is None, note="=1", by="Ada")
        post(order.folder, said)
    return reader


def tables(reader: Reader) -> dict[str, export.Table]:
    return {what: export.table_of(reader, what, 0.05) for what in export.COLUMNS}


def table_of(*rows: export.Row) -> export.Table:
    return export.Table(TEXTS.columns, rows, len(rows))


@pytest.mark.parametrize("what", export.COLUMNS)
def test_all_formats_hold_the_same_rows(what: str, reader: Reader, tmp_path: Path) -> None:
    expected = [dict(zip(export.COLUMNS[what], row, strict=True)) for row in tables(reader)[what].rows]
    assert expected
    for name in ("out.jsonl", "out.csv.gz", "out.parquet"):
        export.write_table(tables(reader)[what], tmp_path / name, export.format_of(tmp_path / name))
    from_json = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().split("\n")[:-1]]
    csv_text = gzip.decompress((tmp_path / "out.csv.gz").read_bytes()).decode()
    from_csv = list(csv.DictReader(io.StringIO(csv_text, newline="")))
    from_parquet = pq.read_table(tmp_path / "out.parquet").to_pylist()
    for rows in (from_json, from_csv, from_parquet):
        assert [list(row) for row in rows] == [list(row) for row in expected]
    for row, json_row, csv_row, parquet_row in zip(expected, from_json, from_csv, from_parquet, strict=True):
        for name, value in row.items():
            if isinstance(value, datetime):
                written = value.isoformat(timespec="milliseconds")
                assert json_row[name] == csv_row[name] == written
                assert abs(parquet_row[name] - value).total_seconds() < 0.001
            else:
                assert json_row[name] == parquet_row[name] == value
                assert csv_row[name] == ("" if value is None else "'=1" if value == "=1" else str(value))


def test_labels_are_a_table_and_columns_of_pages(reader: Reader) -> None:
    labels = [row[:4] for row in export.table_of(reader, "labels", 0.05).rows]
    assert [row[1:] for row in labels] == [(said, "=1", "Ada") for said in ("yes", "no", "unsure")]
    pages = [(row[0], *row[-3:]) for row in export.table_of(reader, "pages", 0.05).rows]
    assert pages[-3:] == labels
    assert pages[0][1:] == (None, None, None)


def test_pages_tell_where_they_are_archived(reader: Reader) -> None:
    names = list(export.COLUMNS["pages"])
    for values in export.table_of(reader, "pages", 0.05).rows:
        row = dict(zip(names, values, strict=True))
        location = Location(str(row["archive_file"]), int(str(row["archive_offset"])))
        assert read_page(reader.folder / "archive", location).url == row["url"]


def test_only_pages_from_a_relevance_on(reader: Reader) -> None:
    everything = list(export.table_of(reader, "pages", 0.05).rows)
    at = list(export.COLUMNS["pages"]).index("relevance")
    limit = sorted(float(str(row[at])) for row in everything)[30]
    chosen = list(export.table_of(reader, "pages", limit, only_relevant=True).rows)
    assert chosen == [row for row in everything if float(str(row[at])) >= limit]
    assert 0 < len(chosen) < len(everything)


@given(st.text() | st.text("=+-@\t\r\n \uff1da", max_size=4))
def test_no_csv_cell_is_a_formula_or_holds_control_characters(text: str) -> None:
    cell = export._csv_cell(text)
    assert isinstance(cell, str)
    assert not cell.lstrip().startswith(("=", "+", "-", "@", "\uff1d"))
    assert not any(ord(c) < 32 or 0x7F <= ord(c) < 0xA0 for c in cell)


def test_negative_numbers_stay_numbers(tmp_path: Path) -> None:
    export.write_table(table_of(("-1", -1.5)), tmp_path / "out.csv", "csv")
    assert (tmp_path / "out.csv").read_bytes() == b"text,number\r\n'-1,-1.5\r\n"


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_a_json_line_is_one_line_for_everybody(text: str) -> None:
    file = io.BytesIO()
    export._write_jsonl(table_of((text, 1.0)), file)
    line = file.getvalue().decode()
    assert len(line.splitlines()) == 1
    assert json.loads(line) == {"text": text, "number": 1.0}
    assert "\x9b" not in line


def test_a_time_is_written_in_utc(tmp_path: Path) -> None:
    table = export.Table({"at": datetime}, [(datetime(2025, 6, 1, 12, tzinfo=UTC),)], 1)
    export.write_table(table, tmp_path / "out.csv", "csv")
    assert (tmp_path / "out.csv").read_text().split() == ["at", "2025-06-01T12:00:00.000+00:00"]


def test_a_failed_export_leaves_the_old_file_alone(tmp_path: Path) -> None:
    def rows() -> object:
        yield ("a", 1.0)
        raise KeyboardInterrupt

    out = tmp_path / "out.csv"
    out.write_text("old")
    with pytest.raises(KeyboardInterrupt):
        export.write_table(export.Table(TEXTS.columns, rows(), None), out, "csv")  # type: ignore[arg-type]
    assert out.read_text() == "old"
    assert list(tmp_path.iterdir()) == [out]


def test_a_pipe_is_written_to_and_stays_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    end = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    export.write_table(table_of(("a", 1.0)), pipe, "csv")
    assert os.read(end, 100) == b"text,number\r\na,1.0\r\n"
    os.close(end)
    assert pipe.is_fifo()


def test_a_link_is_followed_to_the_file_that_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "real.csv").write_text("old")
    (tmp_path / "link.csv").symlink_to("real.csv")
    export.write_table(table_of(("a", 1.0)), tmp_path / "link.csv", "csv")
    assert (tmp_path / "link.csv").is_symlink()
    assert (tmp_path / "real.csv").read_text().startswith("text")


def test_equal_exports_are_equal_bytes(reader: Reader, tmp_path: Path) -> None:
    for name in ("a.csv.gz", "b.csv.gz"):
        export.write_table(tables(reader)["links"], tmp_path / name, "csv")
    assert (tmp_path / "a.csv.gz").read_bytes() == (tmp_path / "b.csv.gz").read_bytes()


def test_parquet_without_pyarrow_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(SettingsError, match=r"pip install 'honeyguide\[parquet\]'"):
        export.write_table(table_of(), tmp_path / "out.parquet", "parquet")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["out", "out.gz", "out.xlsx", "csv"])
def test_a_name_that_tells_no_format_is_refused(name: str) -> None:
    with pytest.raises(SettingsError, match="no format is known"):
        export.format_of(Path(name))
