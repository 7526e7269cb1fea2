"""The page archive: what comes back, what validators say, and what a kill leaves."""

from __future__ import annotations

import errno
import io
import random
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from fastwarc.warc import ArchiveIterator, WarcRecordType
from hypothesis import given, settings
from hypothesis import strategies as st
from isal import isal_zlib

from honeyguide.errors import DiskFull, StoreError
from honeyguide.model import Location, Response
from honeyguide.store.archive import PageArchive, read_page
from honeyguide.store.cdxj import INDEX_NAME
from honeyguide.store.warc_records import PageFacts

NOW = datetime(2024, 5, 6, 7, 8, 9, 123456, UTC)


@pytest.fixture(autouse=True)
def abandoned(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Lets a test drop an archive as a killed process would: the system closes its file, nothing else happens."""
    files: list[io.FileIO] = []

    class Tracked(io.FileIO):
        def __init__(self, path: Path, mode: str) -> None:
            super().__init__(path, mode)
            files.append(self)

    monkeypatch.setattr("honeyguide.store.archive.io.FileIO", Tracked)
    yield
    for file in files:
        file.close()


def page(number: int, size: int = 3000) -> Response:
    body = random.Random(number).randbytes(size)
    return Response(f"http://a.example/{number}", 200, body, {"content-type": "text/html; charset=utf-8"})


def fill(archive: PageArchive, *numbers: int) -> list[Location]:
    return [archive.append(page(number), NOW, PageFacts(0.5)) for number in numbers]


def warcs(folder: Path) -> list[Path]:
    return sorted(file for file in folder.iterdir() if file.name != INDEX_NAME)


def contents(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in warcs(folder)}


def test_pages_come_back_from_anywhere(tmp_path: Path) -> None:
    archive = PageArchive(tmp_path / "archive")
    locations = fill(archive, *range(50))
    for number in random.Random(7).sample(range(50), 50):
        assert archive.read(locations[number]) == page(number)  # also before any flush
    archive.flush()
    archive.close()
    assert read_page(tmp_path / "archive", locations[49]) == page(49)


def test_headers_about_the_sent_bytes_come_back_but_do_not_mislead_readers(tmp_path: Path) -> None:
    headers = {
        "content-type": "text/html",
        "content-encoding": "br",
        "content-length": "7",
        "transfer-encoding": "chunked",
        "location": "/ü",
    }
    response = Response("http://a.example/", 301, b"twelve bytes", headers)
    archive = PageArchive(tmp_path)
    assert archive.read(archive.append(response, NOW, PageFacts())) == response
    (file,) = warcs(tmp_path)
    for record in ArchiveIterator(str(file), record_types=WarcRecordType.response, auto_decode="all"):
        assert record.http_headers.status_line == "HTTP/1.1 301 Moved Permanently"
        assert record.http_headers["content-length"] == "12"
        assert record.reader.read() == b"twelve bytes"


header_texts = st.text(st.characters(blacklist_characters=":"), min_size=1, max_size=12)


@settings(max_examples=80, deadline=None)
@given(
    st.binary(max_size=300),
    st.integers(100, 999),
    st.dictionaries(header_texts, st.text(max_size=30), max_size=4),
)
def test_no_response_breaks_the_archive(
    tmp_path_factory: pytest.TempPathFactory, body: bytes, status: int, headers: dict[str, str]
) -> None:
    archive = PageArchive(tmp_path_factory.mktemp("a"))
    odd = archive.append(
        Response("http://a.example/odd", status, body, headers), NOW, PageFacts(float("nan"))
    )
    (after,) = fill(archive, 1)
    assert (archive.read(odd).status, archive.read(odd).body) == (status, body)
    assert archive.read(after) == page(1)


def test_header_lines_cannot_be_smuggled_in(tmp_path: Path) -> None:
    archive = PageArchive(tmp_path)
    location = archive.append(
        Response("http://a.example/", 200, b"x", {"a": "b\r\nset-cookie: c\n\n"}), NOW, PageFacts()
    )
    assert archive.read(location).headers == {"a": "b  set-cookie: c"}


def test_every_record_is_a_gzip_member_of_its_own(tmp_path: Path) -> None:
    archive = PageArchive(tmp_path)
    locations = fill(archive, *range(5))
    (content,) = contents(tmp_path).values()
    for location in locations:
        first = isal_zlib.decompressobj(wbits=31)
        assert first.decompress(content[location.offset :]).startswith(b"WARC/1.1\r\nWARC-Type: response")
        second = isal_zlib.decompressobj(wbits=31)
        assert second.decompress(first.unused_data).startswith(b"WARC/1.1\r\nWARC-Type: metadata")


def test_reopened_at_a_commit_it_is_what_it_was_then(tmp_path: Path) -> None:
    archive = PageArchive(tmp_path)
    fill(archive, 1, 2)
    committed = archive.flush()
    before = list(contents(tmp_path).values())
    fill(archive, 3, 4)
    archive.flush()
    fill(archive, 5)  # and killed: nothing is closed
    again = PageArchive(tmp_path, committed)
    assert list(contents(tmp_path).values()) == before
    assert again.flush() == committed
    (location,) = fill(again, 6)
    assert location == committed
    assert again.read(location) == page(6)
    assert again.lost_bytes == 0


def test_closed_and_reopened_it_goes_on_in_the_same_file(tmp_path: Path) -> None:
    locations: list[Location] = []
    committed = None
    for number in range(4):
        archive = PageArchive(tmp_path, committed)
        locations += fill(archive, number)
        assert [file.suffix for file in warcs(tmp_path)] == [".open"]
        committed = archive.flush()
        archive.close()
        assert [file.suffix for file in warcs(tmp_path)] == [".gz"]
    assert [archive.read(location) for location in locations] == [page(number) for number in range(4)]
    (file,) = warcs(tmp_path)
    assert sum(1 for _ in ArchiveIterator(str(file))) == 9


def test_files_are_finished_between_batches(tmp_path: Path) -> None:
    archive = PageArchive(tmp_path, max_file_bytes=10_000)
    fill(archive, *range(6))
    assert len(contents(tmp_path)) == 1  # one batch, one file
    archive.flush()
    (next_batch,) = fill(archive, 6)
    assert next_batch.file.split("-")[2] == "00001"
    assert archive.read(next_batch) == page(6)
    archive.flush()
    archive.close()
    assert [name.split("-")[2] for name in contents(tmp_path)] == ["00000", "00001"]


@pytest.mark.parametrize("commit_at", range(1, 8))
def test_killed_at_any_moment_it_reopens_at_the_commit(tmp_path: Path, commit_at: int) -> None:
    archive = PageArchive(tmp_path, max_file_bytes=7000)
    committed, at_commit = None, {}
    for batch in range(8):
        fill(archive, batch)
        end = archive.flush()
        if batch < commit_at:
            committed = end
            at_commit = {name.removesuffix(".open"): content for name, content in contents(tmp_path).items()}
    again = PageArchive(tmp_path, committed, max_file_bytes=7000)
    assert contents(tmp_path) == at_commit
    fill(again, 100)
    again.flush()
    again.close()
    records = [record for file in warcs(tmp_path) for record in ArchiveIterator(str(file))]
    urls = [record.headers["WARC-Target-URI"] for record in records if record.is_http]
    assert urls == [page(number).url for number in [*range(commit_at), 100]]


def test_what_was_never_flushed_is_dropped_on_closing(tmp_path: Path) -> None:
    archive = PageArchive(tmp_path)
    fill(archive, 1)
    committed = archive.flush()
    before = list(contents(tmp_path).values())
    fill(archive, 2)
    archive.close()
    assert list(contents(tmp_path).values()) == before
    unused = PageArchive(tmp_path / "unused")
    fill(unused, 1)
    unused.close()
    assert contents(tmp_path / "unused") == {}
    assert committed is not None


def test_without_a_commit_only_unfinished_files_are_removed(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    fill(PageArchive(tmp_path), 1)  # killed in its first batch
    archive = PageArchive(tmp_path)
    assert archive.flush() is None
    assert list(contents(tmp_path)) == ["notes.txt"]
    fill(archive, 1)
    archive.flush()
    archive.close()
    with pytest.raises(StoreError, match="belongs to another crawl"):
        PageArchive(tmp_path)
    assert len(contents(tmp_path)) == 2


@pytest.mark.parametrize("kept", [None, 0, 2000])
def test_bytes_the_disk_lost_are_never_written_over(tmp_path: Path, kept: int | None) -> None:
    archive = PageArchive(tmp_path)
    locations = fill(archive, 1, 2)
    committed = archive.flush()
    archive.close()
    (file,) = warcs(tmp_path)
    if kept is None:
        file.unlink()
    else:
        file.write_bytes(file.read_bytes()[:kept])
    assert committed is not None
    again = PageArchive(tmp_path, committed)
    assert again.lost_bytes == committed.offset - (kept or 0)
    assert again.flush() == committed
    (new,) = fill(again, 3)
    assert new.file != committed.file
    assert again.read(new) == page(3)
    with pytest.raises(StoreError, match="cannot be read"):
        again.read(locations[1])


class FullDisk(io.FileIO):
    """Takes some bytes of the next write, then no more."""

    room = 10**9

    def write(self, content: bytes) -> int:  # type: ignore[override]
        if not FullDisk.room:
            raise OSError(errno.ENOSPC, "No space left on device")
        written = super().write(memoryview(content)[: FullDisk.room])
        FullDisk.room -= written
        return written


def test_a_full_disk_harms_nothing_that_was_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("honeyguide.store.archive.io.FileIO", FullDisk)
    archive = PageArchive(tmp_path)
    (first,) = fill(archive, 1)
    committed = archive.flush()
    monkeypatch.setattr(FullDisk, "room", 1234)
    with pytest.raises(DiskFull, match="free some"):
        fill(archive, 2)
    assert archive.read(first) == page(1)
    monkeypatch.setattr(FullDisk, "room", 10**9)
    (second,) = fill(archive, 2)
    assert second == committed
    assert archive.read(second) == page(2)
    archive.close()
    PageArchive(tmp_path, committed).close()


def test_a_real_full_device_is_told(tmp_path: Path) -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("this system has no /dev/full")
    archive = PageArchive(tmp_path)
    fill(archive, 1)
    with io.FileIO(full, "wb") as archive._file, pytest.raises(DiskFull):
        fill(archive, 2)


def test_unusable_folders_and_locations_are_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StoreError, match="choose another folder"):
        PageArchive(tmp_path / "file")
    with pytest.raises(StoreError, match="not a file of the page archive"):
        PageArchive(tmp_path, Location("../../etc/passwd", 3))
    archive = PageArchive(tmp_path / "a")
    (location,) = fill(archive, 1)
    for bad in (
        Location(location.file, location.offset + 1),
        Location(location.file, 10**6),
        Location("no", 0),
    ):
        with pytest.raises(StoreError, match="cannot be read"):
            archive.read(bad)


KILLED = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from test_archive import *
archive = PageArchive(Path(sys.argv[1]), max_file_bytes=200_000)
number = 0
while True:
    fill(archive, *range(number, number + 7))
    number += 7
    print(*archive.flush(), number, flush=True)
"""


def test_kill_9_while_writing(tmp_path: Path) -> None:
    command = [sys.executable, "-W", "ignore", "-c", KILLED, str(tmp_path), str(Path(__file__).parent)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for _ in range(40):
            file, offset, count = process.stdout.readline().split()
        process.kill()
    (tmp_path / ".index.cdxj.1.part").write_text("killed while it wrote the index")
    archive = PageArchive(tmp_path, Location(file, int(offset)), max_file_bytes=200_000)
    archive.close()
    records = [record for path in warcs(tmp_path) for record in ArchiveIterator(str(path))]
    urls = [record.headers["WARC-Target-URI"] for record in records if record.is_http]
    assert urls == [page(number).url for number in range(int(count))]
