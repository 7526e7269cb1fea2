"""The records of a page: what they say, what validators and replay make of them, and revisits."""

from __future__ import annotations

import gzip
import subprocess
import sys
from base64 import b32encode
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from hashlib import sha1
from pathlib import Path
from uuid import RFC_4122, UUID

import pytest
from fastwarc.warc import ArchiveIterator, WarcRecordType

from honeyguide.errors import StoreError
from honeyguide.fetch.replay import open_recording
from honeyguide.model import Location, Response
from honeyguide.store.archive import PageArchive, read_page
from honeyguide.store.archive_files import Compression, finished_files
from honeyguide.store.warc_records import PageFacts, payload_digest

NOW = datetime(2024, 5, 6, 7, 8, 9, 123456, UTC)
LATER = NOW + timedelta(hours=1)
REQUEST = b"GET /1 HTTP/1.1\r\nHost: a.example\r\nUser-Agent: honeyguide\r\n\r\n"
FACTS = PageFacts(relevance=0.123456789, priority=7.5, depth=3, via="http://a.example/")
COMPRESSIONS: list[Compression] = ["gzip", "zstd"]


def page(number: int, body: bytes = b"") -> Response:
    return Response(
        url=f"http://a.example/{number}",
        status=200,
        body=body or f"<p>Page {number} ".encode() * 100,
        headers={"content-type": "text/html", "content-encoding": "gzip", "x-number": str(number)},
        address="192.0.2.7",
        request=REQUEST,
        seconds=0.2345,
    )


def packed(response: Response, level: int = 9) -> Response:
    """The same as a server sends it by gzip."""
    return replace(response, packed=gzip.compress(response.body, level, mtime=0))


def not_modified(number: int) -> Response:
    return replace(page(number), status=304, body=b"", headers={"etag": '"x"'})


def records(folder: Path) -> list[tuple[WarcRecordType, dict[str, str], bytes]]:
    return [
        (record.record_type, dict(record.headers), record.reader.read())
        for name in finished_files(folder)
        for record in ArchiveIterator(str(folder / name), parse_http=False)
    ]


def back(response: Response) -> Response:
    """A page as it is read back: the archive does not look for what belongs to the other records."""
    return replace(response, request=b"", seconds=0.0)


def check(*command: str) -> subprocess.CompletedProcess[str]:
    tool, *arguments = command
    code = f"from {tool}.cli import main; main()"
    return subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code, "check", *arguments],
        capture_output=True,
        text=True,
        check=False,
    )


def everything(folder: Path, compression: Compression = "gzip") -> dict[str, Location]:
    """An archive with every kind of answer in it; where each stands."""
    odd = Response(
        "http://a.example/odd", 799, b"\0\xff", {"a": "b\r\n\r\nc", "ü": "\ud800", "": ""}, request=b"?"
    )
    answers = {
        "page": (page(1), FACTS),
        "bare": (replace(page(2), request=b"", address=""), PageFacts()),
        "empty": (replace(page(3), body=b""), FACTS),
        "moved": (replace(page(4), status=301, headers={"location": "/ü"}), replace(FACTS, relevance=None)),
        "unknown 304": (not_modified(5), FACTS),
        "odd": (odd, FACTS),
        "packed": (packed(page(7)), FACTS),
    }
    with closing(PageArchive(folder, compression=compression, info={"operator": "A\r\nB: c"})) as archive:
        places = {name: archive.append(response, NOW, facts) for name, (response, facts) in answers.items()}
        again = replace(FACTS, same_as=places["page"])
        places["same"] = archive.append(page(6, page(1).body), LATER, again)
        places["304"] = archive.append(not_modified(1), LATER, again)
        same = replace(FACTS, same_as=places["packed"])
        places["same packed"] = archive.append(packed(page(8, page(7).body)), LATER, same)
        archive.flush()
    return places


def test_a_page_is_three_records_that_know_each_other(tmp_path: Path) -> None:
    with closing(PageArchive(tmp_path)) as archive:
        archive.append(page(1), NOW.astimezone(timezone(timedelta(hours=5))), FACTS)
        archive.flush()
    _, (kind, response, block), (kind_2, request, sent), (kind_3, metadata, known) = records(tmp_path)
    assert [kind, kind_2, kind_3] == [
        WarcRecordType.response,
        WarcRecordType.request,
        WarcRecordType.metadata,
    ]
    for headers in (response, request, metadata):
        assert headers["WARC-Target-URI"] == "http://a.example/1"
        assert headers["WARC-Date"] == "2024-05-06T07:08:09.123456Z"
    assert request["WARC-Concurrent-To"] == metadata["WARC-Concurrent-To"] == response["WARC-Record-ID"]
    ids = {headers["WARC-Record-ID"] for headers in (response, request, metadata)}
    assert len(ids) == 3
    for found in map(UUID, (text.removeprefix("<urn:uuid:").removesuffix(">") for text in ids)):
        assert (found.version, found.variant, f"<{found.urn}>" in ids) == (4, RFC_4122, True)
    assert response["WARC-IP-Address"] == "192.0.2.7"
    assert response["WARC-Payload-Digest"] == payload_digest(page(1).body)
    assert block.endswith(b"\r\n\r\n" + page(1).body)
    assert sent == REQUEST
    assert known.decode().splitlines() == [
        "via: http://a.example/",
        "seedDistance: 3",
        "fetchTimeMs: 234",
        "relevance: 0.123457",
        "priority: 7.5",
    ]


def test_files_say_who_wrote_them(tmp_path: Path) -> None:
    info = {"operator": "someone@a.example", "robots": "obey"}
    with closing(PageArchive(tmp_path, info=info)) as archive:
        archive.append(page(1), NOW, FACTS)
        archive.flush()
    kind, headers, block = records(tmp_path)[0]
    (name,) = finished_files(tmp_path)
    assert kind == WarcRecordType.warcinfo
    assert headers["WARC-Filename"] == name
    assert block.startswith(b"software: honeyguide/")
    assert block.endswith(b"\r\noperator: someone@a.example\r\nrobots: obey\r\n")


@pytest.mark.parametrize("compression", COMPRESSIONS)
def test_validators_are_content(tmp_path: Path, compression: Compression) -> None:
    everything(tmp_path, compression)
    (name,) = finished_files(tmp_path)
    result = check("fastwarc", "-q", str(tmp_path / name))
    assert (result.returncode, result.stdout) == (0, "")
    if compression == "gzip":  # the other is unknown to warcio
        result = check("warcio", "-v", str(tmp_path / name))
        assert result.returncode == 0, result.stdout
        assert result.stdout.count("digest pass") == len(records(tmp_path)) - 3
        assert result.stdout.count("digest present but not checked (revisit)") == 3


def test_validators_would_notice(tmp_path: Path) -> None:
    everything(tmp_path / "a")
    (name,) = finished_files(tmp_path / "a")
    whole = gzip.decompress((tmp_path / "a" / name).read_bytes())
    broken = whole.replace(b"Page 1", b"Page X")
    assert broken != whole
    (tmp_path / "broken.warc").write_bytes(broken)
    for tool in ("fastwarc", "warcio"):
        assert check(tool, str(tmp_path / "broken.warc")).returncode != 0


def test_payload_digests_are_those_of_the_bodies(tmp_path: Path) -> None:
    everything(tmp_path)
    (name,) = finished_files(tmp_path)
    found = ArchiveIterator(str(tmp_path / name), record_types=WarcRecordType.response)
    assert all(record.verify_payload_digest() for record in found)


def test_digests_are_written_in_base_32() -> None:
    for body in (b"%d" % number for number in range(500)):
        assert payload_digest(body) == f"sha1:{b32encode(sha1(body).digest()).decode()}"


def test_a_duplicate_refers_to_what_is_archived(tmp_path: Path) -> None:
    places = everything(tmp_path)
    found = records(tmp_path)
    original = next(
        headers for _, headers, _ in found if headers.get("WARC-Target-URI") == "http://a.example/1"
    )
    same, unchanged, _ = (headers for kind, headers, _ in found if kind == WarcRecordType.revisit)
    assert same["WARC-Profile"] == "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
    assert same["WARC-Payload-Digest"] == original["WARC-Payload-Digest"]
    assert unchanged["WARC-Profile"] == "http://netpreserve.org/warc/1.1/revisit/server-not-modified"
    assert "WARC-Payload-Digest" not in unchanged
    assert found[-6][2] == b'HTTP/1.1 304 Not Modified\r\netag: "x"\r\n\r\n'
    for headers in (same, unchanged):
        assert headers["WARC-Refers-To"] == original["WARC-Record-ID"]
        assert headers["WARC-Refers-To-Target-URI"] == "http://a.example/1"
        assert headers["WARC-Refers-To-Date"] == original["WARC-Date"]
    assert read_page(tmp_path, places["same"]) == back(page(6, page(1).body))
    assert read_page(tmp_path, places["304"]) == back(page(1))


@pytest.mark.parametrize("compression", COMPRESSIONS)
def test_revisits_of_revisits_lead_to_the_one_original(tmp_path: Path, compression: Compression) -> None:
    archive = PageArchive(tmp_path, compression=compression)
    at = first = archive.append(page(1), NOW, FACTS)
    for response in [page(2, page(1).body), not_modified(2), not_modified(2), page(3, page(1).body)]:
        at = archive.append(response, LATER, replace(FACTS, same_as=at))
    archive.flush()
    archive.close()
    assert read_page(tmp_path, at) == back(page(3, page(1).body))
    revisits = [headers for kind, headers, _ in records(tmp_path) if kind == WarcRecordType.revisit]
    assert {headers["WARC-Refers-To-File-Offset"] for headers in revisits} == {str(first.offset)}
    assert len(revisits) == 4


@pytest.mark.parametrize("compression", COMPRESSIONS)
def test_what_a_server_has_packed_is_archived_as_it_was_sent(
    tmp_path: Path, compression: Compression
) -> None:
    sent = packed(page(1))
    with closing(PageArchive(tmp_path, compression=compression)) as archive:
        place = archive.append(sent, NOW, FACTS)
        archive.flush()
    _, (_, headers, block), *_ = records(tmp_path)
    assert block.endswith(
        f"content-encoding: gzip\r\ncontent-length: {len(sent.packed)}\r\n\r\n".encode() + sent.packed
    )
    assert headers["WARC-Payload-Digest"] == payload_digest(sent.packed)
    assert read_page(tmp_path, place) == back(sent)
    (name,) = finished_files(tmp_path)
    others = ArchiveIterator(
        str(tmp_path / name), record_types=WarcRecordType.response, auto_decode="content"
    )
    assert [record.reader.read() for record in others] == [sent.body]


ORIGINALS = [page(1), packed(page(1)), packed(page(1), level=1)]
ORIGINAL_NAMES = ["plain", "packed", "packed otherwise"]


@pytest.mark.parametrize("again", ORIGINALS, ids=ORIGINAL_NAMES)
@pytest.mark.parametrize("original", ORIGINALS, ids=ORIGINAL_NAMES)
def test_the_same_page_is_a_revisit_however_it_was_packed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, original: Response, again: Response
) -> None:
    """Whoever replays a revisit puts its head before the payload of the original, so these must fit."""
    monkeypatch.setenv("HONEYGUIDE_CACHE", str(tmp_path / "cache"))
    again = replace(again, url="http://a.example/2")
    with closing(PageArchive(tmp_path / "archive")) as archive:
        first = archive.append(original, NOW, FACTS)
        place = archive.append(again, LATER, replace(FACTS, same_as=first))
        archive.flush()
    found = records(tmp_path / "archive")
    (first_headers, payload), (headers, head) = (
        (headers, block) for kind, headers, block in found if "WARC-Payload-Digest" in headers
    )
    assert [kind for kind, *_ in found].count(WarcRecordType.revisit) == 1
    assert headers["WARC-Payload-Digest"] == first_headers["WARC-Payload-Digest"]
    about = [line for line in payload.partition(b"\r\n\r\n")[0].splitlines() if line.startswith(b"content-")]
    assert about == [line for line in head.splitlines() if line.startswith(b"content-")]
    assert read_page(tmp_path / "archive", place) == back(again)
    with closing(open_recording(tmp_path / "archive")) as recording:
        replayed = recording.response("http://a.example/2")
    assert replayed is not None
    assert replayed.body == page(1).body


def test_a_payload_that_cannot_be_unpacked_is_told(tmp_path: Path) -> None:
    with closing(PageArchive(tmp_path)) as archive:
        place = archive.append(replace(page(1), packed=b"no gzip"), NOW, FACTS)
        archive.flush()
    with pytest.raises(StoreError, match="its payload is damaged"):
        read_page(tmp_path, place)


def test_what_only_seems_to_be_a_duplicate_is_archived_whole(tmp_path: Path) -> None:
    archive = PageArchive(tmp_path)
    first = archive.append(page(1), NOW, FACTS)
    wrong = [first, Location(first.file, first.offset + 1), Location("../../etc/passwd", 0)]
    places = [archive.append(page(2), NOW, replace(FACTS, same_as=place)) for place in wrong]
    lonely = archive.append(not_modified(2), NOW, replace(FACTS, same_as=wrong[1]))
    assert [archive.read(place) for place in places] == [back(page(2))] * 3
    assert archive.read(lonely) == back(not_modified(2))
    archive.close()


def test_a_revisit_whose_original_is_lost_is_told(tmp_path: Path) -> None:
    with closing(PageArchive(tmp_path, max_file_bytes=1)) as archive:
        first = archive.append(page(1), NOW, FACTS)
        archive.flush()
        again = archive.append(not_modified(1), NOW, replace(FACTS, same_as=first))
        archive.flush()
    assert again.file != first.file
    assert read_page(tmp_path, again) == back(page(1))
    (tmp_path / first.file).unlink()
    with pytest.raises(StoreError, match=r"-00000-.* cannot be read"):
        read_page(tmp_path, again)


def test_only_the_archive_itself_is_read(tmp_path: Path) -> None:
    place = everything(tmp_path / "other")["page"]
    (tmp_path / "own").mkdir()
    with pytest.raises(StoreError, match="no file of a page archive"):
        read_page(tmp_path / "own", Location(f"../other/{place.file}", place.offset))


def test_nothing_can_be_smuggled_into_the_records(tmp_path: Path) -> None:
    evil = "\r\n\r\nWARC/1.1\r\nWARC-Type: response\r\n"
    response = replace(page(1), url="http://a.example/" + evil, address=evil, headers={"a": evil})
    with closing(PageArchive(tmp_path, info={"operator": evil})) as archive:
        archive.append(response, NOW, replace(FACTS, via=evil))
        archive.flush()
    kinds = [kind for kind, _, _ in records(tmp_path)]
    assert [str(kind).split(".")[-1] for kind in kinds] == ["warcinfo", "response", "request", "metadata"]
    assert records(tmp_path)[3][2].count(b"\r\n") == 5


@pytest.mark.parametrize("compression", COMPRESSIONS)
def test_the_archive_can_be_crawled_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, compression: Compression
) -> None:
    monkeypatch.setenv("HONEYGUIDE_CACHE", str(tmp_path / "cache"))
    everything(tmp_path / "crawl" / "archive", compression)
    with closing(open_recording(tmp_path / "crawl")) as recording:
        assert recording.skipped == 0
        assert list(recording.urls()) == [f"http://a.example/{number}" for number in (1, 2, 3, 7, 6, 8)]
        same = recording.response("http://a.example/6")
        assert same is not None
        assert (same.body, same.headers["x-number"]) == (page(1).body, "6")
        first = recording.response("http://a.example/1")
        assert first is not None
        assert (first.body, first.headers["x-number"]) == (page(1).body, "1")
        for number in (7, 8):
            found = recording.response(f"http://a.example/{number}")
            assert found is not None
            assert (found.body, found.headers["x-number"]) == (page(7).body, str(number))


def test_a_revisit_of_a_later_capture_is_replayed_with_its_body(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HONEYGUIDE_CACHE", str(tmp_path / "cache"))
    with closing(PageArchive(tmp_path / "archive")) as archive:
        archive.append(page(1), NOW, FACTS)
        changed = archive.append(page(1, b"changed"), LATER, FACTS)
        archive.append(page(2, b"changed"), LATER, replace(FACTS, same_as=changed))
        archive.flush()
    with closing(open_recording(tmp_path / "archive")) as recording:
        bodies = [response.body for url in recording.urls() if (response := recording.response(url))]
    assert bodies == [page(1).body, b"changed"]


def test_zstd_files_have_one_frame_a_record(tmp_path: Path) -> None:
    places = everything(tmp_path, "zstd")
    (name,) = finished_files(tmp_path)
    content = (tmp_path / name).read_bytes()
    assert name.endswith(".warc.zst")
    assert content.count(b"\x28\xb5\x2f\xfd") == len(records(tmp_path))
    assert all(content[place.offset :].startswith(b"\x28\xb5\x2f\xfd") for place in places.values())


def test_a_file_goes_on_as_it_was_begun(tmp_path: Path) -> None:
    archive = PageArchive(tmp_path, compression="zstd")
    archive.append(page(1), NOW, FACTS)
    committed = archive.flush()
    archive.close()
    archive = PageArchive(tmp_path, committed, compression="gzip", max_file_bytes=10**4)
    second = archive.append(page(2), NOW, FACTS)
    assert archive.read(second) == back(page(2))
    archive.append(page(3), NOW, FACTS)
    archive.close()
    assert [Path(name).suffix for name in finished_files(tmp_path)] == [".zst"]
