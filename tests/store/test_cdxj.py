"""The index of the archive: as other tools write it, and right whatever happened to the crawl."""

from __future__ import annotations

import errno
import json
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from honeyguide.model import Location, Response
from honeyguide.store.archive import PageArchive, read_page
from honeyguide.store.archive_files import OPEN, Compression
from honeyguide.store.cdxj import INDEX_NAME, file_lines, write_cdxj
from honeyguide.store.warc_records import PageFacts

NOW = datetime(2024, 5, 6, 7, 8, 9, 123456, UTC)


def page(number: int) -> Response:
    body = f"<p>{number}".encode() * 50
    return Response(
        f"http://www.a.example/{number}?b=%20&A=1", 200, body, {"content-type": "Text/HTML; charset=x"}
    )


def fill(archive: PageArchive, *numbers: int, same_as: Location | None = None) -> list[Location]:
    return [
        archive.append(page(number), NOW + timedelta(seconds=number), PageFacts(same_as=same_as))
        for number in numbers
    ]


def lines(folder: Path) -> list[bytes]:
    return (folder / INDEX_NAME).read_bytes().splitlines(keepends=True)


def rebuilt(folder: Path) -> list[bytes]:
    (folder / INDEX_NAME).unlink(missing_ok=True)
    write_cdxj(folder)
    return lines(folder)


def numbers(folder: Path) -> list[int]:
    urls = [json.loads(line.split(b" ", 2)[2])["url"] for line in lines(folder)]
    return sorted(int(url.split("/")[3].split("?")[0]) for url in urls)


@pytest.mark.parametrize("name", ["iana", "dupes", "example2"])
def test_lines_are_those_of_another_tool(shared: Path, name: str) -> None:
    folder = shared / "fixtures" / "warc" / "pywb"
    expected = (folder / "cdxj" / f"{name}.cdxj").read_bytes().splitlines(keepends=True)
    assert sorted(file_lines(folder / "warcs", f"{name}.warc.gz")) == sorted(expected)


def test_a_line_says_where_a_capture_stands(tmp_path: Path) -> None:
    with closing(PageArchive(tmp_path)) as archive:
        (location,) = fill(archive, 1)
        fill(archive, 2, 0)
        archive.flush()
    first, second, third = lines(tmp_path)
    assert (first, second, third) == tuple(sorted((first, second, third)))
    key, timestamp, told = second.split(b" ", 2)
    assert (key, timestamp) == (b"example,a)/1?a=1&b=%20", b"20240506070810")
    facts = json.loads(told)
    assert list(facts) == ["url", "mime", "status", "digest", "length", "offset", "filename"]
    assert (facts["url"], facts["mime"], facts["status"]) == (page(1).url, "text/html", "200")
    assert Location(facts["filename"], int(facts["offset"])) == location
    packed = (tmp_path / location.file).read_bytes()[location.offset :][: int(facts["length"])]
    assert packed.startswith(b"\x1f\x8b")
    (tmp_path / "cut").mkdir()
    (tmp_path / "cut" / location.file).write_bytes(packed)
    assert read_page(tmp_path / "cut", Location(location.file, 0)) == page(1)


def test_revisits_and_redirects(tmp_path: Path) -> None:
    with closing(PageArchive(tmp_path)) as archive:
        (first,) = fill(archive, 1)
        fill(archive, 1, same_as=first)
        again = PageFacts(same_as=first)
        archive.append(replace(page(1), status=304, body=b""), NOW + timedelta(days=1), again)
        archive.append(Response("http://b.example/", 301, b"", {"location": "/"}), NOW, PageFacts())
        archive.flush()
    found = [json.loads(line.split(b" ", 2)[2]) for line in lines(tmp_path)]
    told = [(facts["mime"], facts.get("status"), "digest" in facts) for facts in found]
    assert sorted(told[:2]) == [("text/html", "200", True), ("warc/revisit", None, True)]
    assert told[2:] == [("warc/revisit", None, False), ("unk", "301", True)]
    assert lines(tmp_path) == rebuilt(tmp_path)


@pytest.mark.parametrize("compression", ["gzip", "zstd"])
@pytest.mark.parametrize("killed_in", range(6))
def test_it_is_right_whatever_happened(tmp_path: Path, killed_in: int, compression: Compression) -> None:
    committed, count = None, 0
    for run in range(6):
        archive = PageArchive(tmp_path, committed, compression=compression, max_file_bytes=1500)
        for _ in range(3):
            fill(archive, count, count + 1)
            committed, count = archive.flush(), count + 2
        fill(archive, 1000)
        if run == killed_in:
            assert archive._file is not None
            archive._file.close()  # all that a killed process does
        else:
            archive.close()
            if run != killed_in + 1:
                assert numbers(tmp_path) == list(range(count))
    PageArchive(tmp_path, committed).close()
    assert numbers(tmp_path) == list(range(count))
    assert lines(tmp_path) == rebuilt(tmp_path)


def test_it_follows_the_file_through_closing_and_reopening(tmp_path: Path) -> None:
    committed = None
    for number in range(3):
        with closing(PageArchive(tmp_path, committed)) as archive:
            fill(archive, number)
            committed = archive.flush()
            fill(archive, 1000)  # never flushed
        assert numbers(tmp_path) == list(range(number + 1))
    assert lines(tmp_path) == rebuilt(tmp_path)


def test_only_finished_files_are_in_it(tmp_path: Path) -> None:
    archive = PageArchive(tmp_path, max_file_bytes=1)
    fill(archive, 1)
    archive.flush()
    assert not (tmp_path / INDEX_NAME).exists()
    fill(archive, 2)
    archive.flush()
    assert numbers(tmp_path) == [1]
    archive.close()
    assert numbers(tmp_path) == [1, 2]


def test_killed_between_index_and_name_it_is_mended(tmp_path: Path) -> None:
    with closing(PageArchive(tmp_path)) as archive:
        fill(archive, 1, 2)
        committed = archive.flush()
        fill(archive, 3)
        archive.flush()
    assert committed is not None
    (tmp_path / committed.file).rename(tmp_path / (committed.file + OPEN))
    assert numbers(tmp_path) == [1, 2, 3]
    PageArchive(tmp_path, committed).close()
    assert numbers(tmp_path) == [1, 2]


@pytest.mark.parametrize("kept", [30, 310])
def test_lost_bytes_leave_it(tmp_path: Path, kept: int) -> None:
    with closing(PageArchive(tmp_path)) as archive:
        _, second, _ = fill(archive, 1, 2, 3)
        committed = archive.flush()
    path = tmp_path / second.file
    path.write_bytes(path.read_bytes()[: second.offset + kept])
    with closing(PageArchive(tmp_path, committed)) as archive:
        assert archive.lost_bytes
        fill(archive, 4)
        archive.flush()
    assert numbers(tmp_path) == [1, 4]


def test_pages_after_a_kill_that_were_never_flushed_do_not_keep_it_from_being_mended(tmp_path: Path) -> None:
    archive = PageArchive(tmp_path, max_file_bytes=1)
    fill(archive, 1)
    committed = archive.flush()
    assert archive._file is not None
    archive._file.close()  # killed
    with closing(PageArchive(tmp_path, committed, max_file_bytes=1)) as archive:
        fill(archive, 2)
    assert numbers(tmp_path) == [1]


def test_long_heads_and_odd_urls_do_not_end_it(tmp_path: Path) -> None:
    with closing(PageArchive(tmp_path)) as archive:
        archive.append(replace(page(1), headers={"x": "y" * 100_000}), NOW, PageFacts())
        archive.append(replace(page(2), url="http://www.a.example/2?\ud800\r\n "), NOW, PageFacts())
        fill(archive, 3)
        archive.flush()
    assert numbers(tmp_path) == [1, 2, 3]
    rebuilt(tmp_path)
    assert numbers(tmp_path) == [1, 2, 3]


def test_a_missing_or_spoilt_index_is_made_from_the_files(tmp_path: Path) -> None:
    with closing(PageArchive(tmp_path, max_file_bytes=1)) as archive:
        for number in range(4):
            fill(archive, number)
            committed = archive.flush()
    right = lines(tmp_path)
    for spoilt in (None, b"", b"\0\xff" * 99, b"x 1 {}\n", right[0] + right[1][:40]):
        if spoilt is None:
            (tmp_path / INDEX_NAME).unlink()
        else:
            (tmp_path / INDEX_NAME).write_bytes(spoilt)
        write_cdxj(tmp_path)
        assert lines(tmp_path) == right
    (tmp_path / INDEX_NAME).unlink()
    PageArchive(tmp_path, committed).close()
    assert lines(tmp_path) == right


def test_no_room_for_it_stops_no_crawl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    archive = PageArchive(tmp_path, max_file_bytes=1)
    fill(archive, 1)
    archive.flush()
    fill(archive, 2)
    archive.flush()
    with monkeypatch.context() as patch:
        patch.setattr("honeyguide.files.os.fsync", full)
        fill(archive, 3)
    assert [path.suffix for path in tmp_path.iterdir()].count(".gz") == 2
    assert not (tmp_path / INDEX_NAME).exists()
    archive.flush()
    archive.close()
    assert numbers(tmp_path) == [1, 2, 3]


def test_an_archive_without_pages_has_none(tmp_path: Path) -> None:
    PageArchive(tmp_path).close()
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_was_taken_away_leaves_it(tmp_path: Path) -> None:
    with closing(PageArchive(tmp_path, max_file_bytes=1)) as archive:
        (first,) = fill(archive, 1)
        archive.flush()
        fill(archive, 2)
        archive.flush()
    (tmp_path / first.file).unlink()
    write_cdxj(tmp_path)
    assert numbers(tmp_path) == [2]


def test_nothing_to_do_touches_nothing(tmp_path: Path) -> None:
    with closing(PageArchive(tmp_path)) as archive:
        fill(archive, 1)
        committed = archive.flush()
    before = (tmp_path / INDEX_NAME).stat()
    PageArchive(tmp_path, committed).close()
    assert (tmp_path / INDEX_NAME).stat().st_ino == before.st_ino
