"""An archive that is kept elsewhere: in a folder that machines share, and in an object store that may be down."""

from __future__ import annotations

import re
import shutil
import socket
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from typer.testing import CliRunner

import honeyguide as hg
from honeyguide.assembly import resume_crawl
from honeyguide.cli.main import app
from honeyguide.errors import StoreError
from honeyguide.model import Location
from honeyguide.sample_web.web import SampleWeb
from honeyguide.store import archive, open_reader, open_store, sending
from honeyguide.store.archive_files import finished_files
from honeyguide.store.archive_place import FIRST_READ, ObjectStore, SharedFolder, place_at, record_at
from honeyguide.store.wacz import Wacz
from tests.object_store import KEYS, ObjectServer, object_server
from tests.store.test_wacz import captures, packed

WEB = SampleWeb(pages=300, seed=1)
PAGES = 40


@pytest.fixture(scope="module")
def server() -> Iterator[ObjectServer]:
    with object_server() as started:
        yield started


@pytest.fixture
def many_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file for each batch."""
    monkeypatch.setattr(archive, "SEND_SECONDS", 0.0)


def started(folder: Path, address: str, pages: int = PAGES, **settings: object) -> hg.Crawl:
    given = {"web.sample_pages": 300, "limits.max_pages": pages, "crawl.batch": 8, **settings}
    return hg.Crawl.start(
        folder, WEB.description("bees"), WEB.seeds("bees"), settings={**given, "output.archive_at": address}
    )


def bodies(crawl: hg.Crawl) -> dict[str, bytes]:
    """The pages as they were sent, by their last visits."""
    with crawl.reader() as reader:
        return {
            visit.url: reader.response(visit.location).body for visit in reader.visits() if visit.location
        }


def alarms(crawl: hg.Crawl) -> list[str]:
    told: list[str] = []
    crawl.run(on_progress=lambda progress: told.extend(progress.alarms))
    return told


def slow_alarms(crawl: hg.Crawl) -> list[str]:
    """Those of a crawl that takes its time: a network is tried beside it."""
    told: list[str] = []

    def listen(progress: hg.Progress) -> None:
        told.extend(progress.alarms)
        if not told:
            time.sleep(0.5)

    crawl.run(on_progress=listen)
    return told


def local(crawl: hg.Crawl) -> list[str]:
    return sorted(path.name for path in (crawl.folder / "archive").iterdir())


@pytest.fixture(params=["folder", "objects"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "folder":
        return (tmp_path / "shared").as_uri()
    request.getfixturevalue("server")
    place_at.cache_clear()  # of a server before
    return f"s3://pages/{tmp_path.name}"


@pytest.mark.usefixtures("many_files")
def test_pages_are_read_from_where_their_files_were_sent(tmp_path, address):
    here, there = started(tmp_path / "here", ""), started(tmp_path / "there", address)
    assert alarms(here) == alarms(there) == []
    assert local(there) == [], "what has arrived is not kept twice"
    expected = bodies(here)
    assert (len(expected), bodies(there)) == (PAGES, expected)
    assert there.text(next(iter(expected))) == here.text(next(iter(expected)))
    assert captures(packed(there)).keys() == captures(packed(here)).keys()
    assert len(packed(there).namelist()) > len(packed(here).namelist()), "in many files"


def test_records_packed_by_zstd_are_read_as_well(tmp_path):
    crawl = started(tmp_path / "crawl", (tmp_path / "shared").as_uri(), 8, **{"output.compression": "zstd"})
    crawl.run()
    assert (local(crawl), len(bodies(crawl))) == ([], 8)


@pytest.mark.usefixtures("many_files")
def test_what_is_lost_with_a_machine_is_asked_for_again(tmp_path, address, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(sending.Sender, "_run", lambda self: None)  # a network that has not moved a byte yet
        crawl = started(tmp_path / "crawl", address, 24)
        crawl.run()
    before = bodies(crawl)
    kept = finished_files(crawl.folder / "archive")
    sent = place_at(address)
    for name in kept[:2]:  # the first files were sent, and nobody could note it any more
        sent.put(crawl.folder / "archive" / name)
    shutil.rmtree(crawl.folder / "archive")
    again = hg.Crawl.open(crawl.folder)
    told: list[str] = []
    again.run(pages=PAGES, on_progress=lambda progress: told.extend(progress.alarms))
    assert [f"{len(kept) - 2} files of the archive were lost" in one for one in told] == [True]
    assert len(bodies(again)) == PAGES
    assert before.items() <= bodies(again).items()
    with again.reader() as reader:
        visits = [*reader.visits()]
        numbers = reader.numbers(0.5)
    lost = [visit for visit in visits if visit.location is None]
    assert {visit.url for visit in lost} <= set(before)
    assert (numbers.pages, len(visits)) == (PAGES, PAGES + len(lost))
    with open_reader(again.folder) as reader:
        assert {*kept[:2]} <= {*reader.archive_files()}


@pytest.mark.usefixtures("many_files")
def test_nothing_is_sent_twice(tmp_path):
    shared = tmp_path / "shared"
    crawl = started(tmp_path / "crawl", shared.as_uri(), 16)
    crawl.run()
    first = {path.name: path.stat().st_ino for path in shared.iterdir()}
    store = open_store(crawl.folder)  # as if it had died before it could note that they arrived
    store._db.execute("UPDATE archive_files SET bytes = 0, address = ''")
    for name in first:
        shutil.copyfile(shared / name, crawl.folder / "archive" / name)
    store.close()
    hg.Crawl.open(crawl.folder).run(pages=24)
    assert {name: (shared / name).stat().st_ino for name in first} == first
    assert local(crawl) == []
    assert len(bodies(crawl)) == 24


def test_an_archive_that_was_in_the_folder_is_sent_when_it_gets_an_address(tmp_path):
    crawl = started(tmp_path / "crawl", "", 16)
    crawl.run()
    kept = [name for name in local(crawl) if "warc" in name]
    told: list[str] = []
    for pages, address in ((24, (tmp_path / "shared").as_uri()), (32, "")):
        changed = {"limits.max_pages": pages, "output.archive_at": address}
        with resume_crawl(crawl.folder, changed) as engine:
            engine.run(on_progress=lambda progress: told.extend(progress.alarms))
        assert len(bodies(crawl)) == pages
    assert told == []
    assert kept[0] in {path.name for path in (tmp_path / "shared").iterdir()}
    assert len(local(crawl)) == 2, "the last file stays, with the index of the folder"


@pytest.mark.usefixtures("many_files")
def test_a_crawl_goes_on_while_the_object_store_is_down(tmp_path, server, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:1")  # where nobody listens
        place_at.cache_clear()
        crawl = started(tmp_path / "crawl", f"s3://pages/{tmp_path.name}", 24)
        told = slow_alarms(crawl)
        assert len(told) == 1
        assert "cannot be sent and stay here meanwhile" in told[0]
        assert len(bodies(crawl)) == 24
        ended = CliRunner().invoke(app, ["resume", str(crawl.folder), "--pages", "32"])
        assert re.search(r"\d+ files of the archive could not be sent to s3://pages/", ended.output)
    place_at.cache_clear()
    again = hg.Crawl.open(crawl.folder)
    again.run(pages=PAGES)
    assert (local(again), len(bodies(again))) == ([], PAGES)


class Strange(BaseHTTPRequestHandler):
    """An object store with a mood of its own; `ranges` notes what is asked for."""

    status = 403
    content = b""
    ranges: list[str]

    def _answer(self) -> None:
        self.rfile.read(int(self.headers.get("content-length", 0)))
        body = b""
        if self.status == 200:
            self.ranges.append(self.headers.get("range", "all"))
            first, last = self.headers.get("range", "bytes=0-").removeprefix("bytes=").split("-")
            body = self.content[int(first) : int(last) + 1 if last else None]
        self.send_response(self.status)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    do_GET = do_PUT = do_HEAD = do_POST = _answer  # noqa: N815

    def log_message(self, *told: object) -> None:
        pass


@pytest.fixture
def strange(monkeypatch: pytest.MonkeyPatch) -> Iterator[type[Strange]]:
    pytest.importorskip("s3fs", reason="the extra `objects` is not installed")
    handler = type("Handler", (Strange,), {"ranges": []})
    found = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=found.serve_forever, daemon=True).start()
    for name, value in {**KEYS, "AWS_ENDPOINT_URL": f"http://127.0.0.1:{found.server_port}"}.items():
        monkeypatch.setenv(name, value)
    place_at.cache_clear()
    yield handler
    found.shutdown()
    found.server_close()


@pytest.mark.usefixtures("many_files")
def test_a_crawl_goes_on_when_it_is_refused(tmp_path, strange):
    crawl = started(tmp_path / "crawl", f"s3://pages/refused-{tmp_path.name}")
    told = slow_alarms(crawl)
    assert ["cannot be sent" in one for one in told] == [True]
    assert len(bodies(crawl)) == PAGES


@pytest.mark.usefixtures("many_files")
def test_a_crawl_ends_though_nobody_answers(tmp_path, monkeypatch):
    pytest.importorskip("s3fs", reason="the extra `objects` is not installed")
    monkeypatch.setattr(sending, "CLOSE_SECONDS", 0.1)
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        endpoint = f"http://127.0.0.1:{silent.getsockname()[1]}"
        for name, value in {**KEYS, "AWS_ENDPOINT_URL": endpoint}.items():
            monkeypatch.setenv(name, value)
        place_at.cache_clear()
        crawl = started(tmp_path / "crawl", f"s3://pages/silent-{tmp_path.name}")
        crawl.run()
        assert len(bodies(crawl)) == PAGES
        assert len(local(crawl)) > 2


def test_a_page_is_read_by_one_short_question(tmp_path, strange):
    crawl = started(tmp_path / "crawl", "", 24)
    crawl.run()
    with crawl.reader() as reader:
        visit = [*reader.visits()][3]
    file = crawl.folder / "archive" / visit.location.file
    strange.status, strange.content = 200, file.read_bytes() + bytes(10 * FIRST_READ)
    record = record_at(ObjectStore("s3://pages/strange"), visit.location)
    assert visit.url.encode() in record
    start = visit.location.offset
    assert strange.ranges == [f"bytes={start}-{start + FIRST_READ - 1}"]


def test_a_record_that_is_cut_short_is_told(tmp_path):
    crawl = started(tmp_path / "crawl", (tmp_path / "shared").as_uri(), 8)
    crawl.run()
    (file,) = (tmp_path / "shared").glob("*.gz")
    file.write_bytes(file.read_bytes()[:-400])
    with crawl.reader() as reader:
        visits = [*reader.visits()]
        with pytest.raises(StoreError, match="cannot be read"):
            reader.response(Location(visits[-1].location.file, file.stat().st_size - 10))


@pytest.mark.parametrize(
    "address", ["s3://", "s3://key:secret@bucket/x", "ftp://a/b", "file://machine/x", "bees", "s3://b/c?d=e"]
)
def test_addresses_where_no_archive_can_be(tmp_path, address):
    with pytest.raises(StoreError, match=r"output\.archive_at"):
        started(tmp_path / "crawl", address)
    assert not (tmp_path / "crawl").exists()


def test_a_folder_that_is_not_mounted_is_not_an_empty_one(tmp_path):
    with pytest.raises(StoreError):
        SharedFolder(tmp_path / "nowhere" / "bees").size("file")
    assert SharedFolder(tmp_path / "bees").size("file") is None


def test_a_wacz_of_nothing_is_refused(tmp_path):
    crawl = started(tmp_path / "crawl", (tmp_path / "shared").as_uri(), 8, **{"output.archive": False})
    crawl.run()
    with crawl.reader() as reader, pytest.raises(StoreError, match=r"output\.archive"):
        Wacz(reader, "bees", 0.5)
