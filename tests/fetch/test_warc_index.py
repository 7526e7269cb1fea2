"""WARC files as recordings: those of other tools, broken ones, and every compression."""

from __future__ import annotations

import gzip
import json
import random
import shutil
import tempfile
from base64 import b32encode
from collections.abc import Callable
from contextlib import closing, suppress
from hashlib import sha1
from pathlib import Path

import pytest
from fastwarc.stream_io import ZstdWriter
from hypothesis import given, settings
from hypothesis import strategies as st

from honeyguide.errors import FetchError, ImportFailed
from honeyguide.fetch import warc_index
from honeyguide.fetch.recording import Recording
from honeyguide.fetch.replay import open_recording
from honeyguide.urls import DEFAULT_POLICY
from tests.fetch.warc_records import TEXT, http, record


def page(name: str, body: bytes = TEXT, status: str = "200 OK", **fields: str) -> bytes:
    return record(http(body, status=status), WARC_Target_URI=f"http://a.example/{name}", **fields)


def opened(folder: Path, content: bytes, name: str = "web.warc") -> Recording:
    folder.mkdir(exist_ok=True)
    (folder / name).write_bytes(content)
    return open_recording(folder / name)


def body_at(recording: Recording, name: str) -> bytes:
    response = recording.response(f"http://a.example/{name}")
    assert response is not None
    return response.body


def names(recording: Recording) -> list[str]:
    return [url.removeprefix("http://a.example/") for url in recording.urls()]


def zstd(records: list[bytes], folder: Path) -> bytes:
    writer = ZstdWriter(str(folder / "packed"))
    for each in records:
        writer.write(each)
        writer.finish()
    writer.close()
    return (folder / "packed").read_bytes()


PACKINGS: dict[str, Callable[[list[bytes], Path], bytes]] = {
    ".warc": lambda records, _: b"".join(records),
    ".warc.gz": lambda records, _: b"".join(map(gzip.compress, records)),
    ".warc.zst": zstd,
    ".one-stream.warc.gz": lambda records, _: gzip.compress(b"".join(records)),
}


@pytest.mark.parametrize("ending", PACKINGS)
def test_every_packing_gives_random_access(tmp_path: Path, ending: str) -> None:
    dice = random.Random(7)
    bodies = {str(number): dice.randbytes(dice.randrange(90_000)) for number in range(40)}
    packed = PACKINGS[ending]([page(name, body) for name, body in bodies.items()], tmp_path)
    with closing(opened(tmp_path / "w", packed, f"web{ending}")) as recording:
        assert names(recording) == list(bodies)
        for name in dice.sample(sorted(bodies), len(bodies)):
            assert body_at(recording, name) == bodies[name]
        assert recording.skipped == 0


def test_bodies_stay_in_the_warc_file(tmp_path: Path, cache: Path) -> None:
    opened(tmp_path / "w", gzip.compress(page("big", random.Random(7).randbytes(2_000_000)))).close()
    (index,) = (cache / "recordings").iterdir()
    assert index.stat().st_size < 200_000


def readable(shared: Path) -> dict[str, dict[str, int]]:
    cases = json.loads((shared / "fixtures" / "warc" / "expected.json").read_text())
    found = {case["file"]: case.get("record_types", {}) for case in cases}
    return {file: types for file, types in found.items() if ".arc" not in file}


def test_files_of_other_tools_can_be_replayed(shared: Path) -> None:
    without_page = {
        "jwarc/gzip_extra_sl.warc.gz",  # no record but a description of the file
        "pywb/warcs/example-url-agnostic-revisit.warc.gz",  # its original is in another file
        "warcio/example-digest.warc",  # requests only
        "warcio/example-space-in-target-uri.warc.gz",  # a file: url
    }
    for file in readable(shared):
        path = shared / "fixtures" / "warc" / file
        if file in without_page:
            with pytest.raises(ImportFailed, match="holds no page"):
                open_recording(path)
            continue
        with closing(open_recording(path)) as recording:
            assert all(recording.response(url) for url in recording.urls())


@pytest.mark.parametrize(
    ("file", "url", "start", "size"),
    [
        ("warcio/example-wrong-chunks.warc.gz", "http://example.com/", b"<!doctype html>", 1270),
        ("warcio/example-iana.org-chunked.warc", "http://www.iana.org/", b"<!doctype html>", 7223),
        ("warcio/example-trunc.warc", "http://example.com/", b"<!doctype html>", 1270),
        ("warcio/example-wget-bad-target-uri.warc.gz", "http://example.com/", b"<!doctype html>", 1270),
        ("warcio/example-bad-non-chunked.warc.gz", "http://example.com/", b"<!doctype html>", 1270),
        ("warcio/example-bad.warc.gz.bad", "http://example.com/?example=1", b"<!doctype html>", 1270),
        ("pywb/warcs/example.warc", "http://example.com/?example=1", b"<!doctype html>", 1270),
        ("pywb/warcs/httpbin-resource.warc.gz", "http://httpbin.org/anything/resource.json", b"{", 367),
        ("jwarc/cc.warc.gz", "http://commoncrawl.org/", b"\n<!DOCTYPE html>", 20289),
    ],
)
def test_odd_files(shared: Path, file: str, url: str, start: bytes, size: int) -> None:
    with closing(open_recording(shared / "fixtures" / "warc" / file)) as recording:
        response = recording.response(url)
        assert response is not None
        assert response.body.startswith(start)
        assert len(response.body) == size


def test_iana_holds_what_its_published_index_says(shared: Path) -> None:
    folder = shared / "fixtures" / "warc" / "pywb"
    captures: dict[str, set[tuple[str, str]]] = {}
    for line in (folder / "cdxj" / "iana.cdxj").read_text().splitlines():
        entry = json.loads(line.split(" ", 2)[2])
        key = DEFAULT_POLICY.canonical(entry["url"])
        assert key is not None
        captures.setdefault(key, set()).add((entry.get("status", "200"), entry["digest"]))
    with closing(open_recording(folder / "warcs" / "iana.warc.gz")) as recording:
        for url, expected in captures.items():
            response = recording.response(url)
            assert response is not None  # revisits are found in their originals
            digest = b32encode(sha1(response.body).digest()).decode()
            assert (str(response.status), digest) in expected


def test_a_record_with_a_broken_status_line_is_counted(shared: Path) -> None:
    with closing(
        open_recording(shared / "fixtures" / "warc" / "pywb" / "warcs" / "example-extra.warc")
    ) as found:
        assert list(found.urls()) == ["http://example.com/?example=2"]
        assert found.skipped == 1


def test_a_revisit_finds_its_original_in_another_file(shared: Path, tmp_path: Path) -> None:
    for name in ("orig", "revisit"):
        shutil.copy(shared / f"fixtures/warc/pywb/warcs/example-url-agnostic-{name}.warc.gz", tmp_path)
    with closing(open_recording(tmp_path)) as recording:
        original = recording.response("http://example.iana.org/")
        revisit = recording.response("http://example.com/")
    assert original is not None
    assert revisit is not None
    assert revisit.body == original.body
    assert revisit.headers["date"] != original.headers["date"]


def test_revisits(tmp_path: Path) -> None:
    def revisit(name: str, block: bytes, **fields: str) -> bytes:
        return record(block, "revisit", WARC_Target_URI=f"http://a.example/{name}", **fields)

    original = "http://a.example/original"
    content = [
        revisit("by-url", b"", WARC_Refers_To_Target_URI=original),
        revisit("by-digest", http(b"", "X-Own: yes"), WARC_Payload_Digest="sha1:AA"),
        revisit("not-modified", http(b"", status="304 Not Modified"), WARC_Refers_To_Target_URI=original),
        revisit(
            "lost", http(b""), WARC_Payload_Digest="sha1:BB", WARC_Refers_To_Target_URI="http://b.example/"
        ),
        revisit("chain", http(b""), WARC_Refers_To_Target_URI="http://a.example/by-url"),
        revisit("changed", http(b""), WARC_Payload_Digest="sha1:DD", WARC_Refers_To_Target_URI=original),
        revisit("original", http(b""), WARC_Payload_Digest="sha1:CC"),
        page("original", WARC_Payload_Digest="sha1:AA"),
        page("other", b"other", WARC_Payload_Digest="sha1:CC"),
    ]
    with closing(opened(tmp_path / "w", b"".join(content))) as recording:
        for name in ("by-url", "by-digest", "not-modified", "original"):
            response = recording.response(f"http://a.example/{name}")
            assert response is not None
            assert (response.url, response.status) == (f"http://a.example/{name}", 200)
            assert response.body == TEXT
            assert response.headers.get("x-own") == ("yes" if name == "by-digest" else None)
        assert "http://a.example/lost" not in recording
        assert "http://a.example/chain" not in recording
        assert "http://a.example/changed" not in recording  # the original recorded has another body


def test_the_first_capture_wins_but_a_page_wins_over_errors_and_redirects(tmp_path: Path) -> None:
    captures = [
        page("a", b"", "503 Busy"),
        page("a", b"", "302 Found"),
        page("a", b"first"),
        page("a", b"second"),
        page("a", b"", "404 Not Found"),
        page("b", b"", "302 Found"),
        page("b", b"", "404 Not Found"),
    ]
    with closing(opened(tmp_path / "w", b"".join(captures))) as recording:
        assert body_at(recording, "a") == b"first"
        other = recording.response("http://a.example/b")
        assert other is not None
        assert other.status == 302


def test_what_is_no_page_is_not_counted_as_broken(tmp_path: Path) -> None:
    others = [
        record(b"software: x\r\n", "warcinfo", "application/warc-fields"),
        record(b"GET / HTTP/1.1\r\n\r\n", "request", WARC_Target_URI="http://a.example/q"),
        record(b"1.2.3.4", "response", "text/dns", WARC_Target_URI="dns:a.example"),
        record(b"log", "resource", "text/plain", WARC_Target_URI="metadata://log"),
        record(b"x", "something-new", "text/plain", WARC_Target_URI="http://a.example/n"),
    ]
    with closing(opened(tmp_path / "w", b"".join([*others, page("a")]))) as recording:
        assert names(recording) == ["a"]
        assert recording.skipped == 0


BROKEN = {
    "no status": page("x").replace(b"HTTP/1.1", b"junk"),
    "endless headers": record(http(b"", "X: " + "y" * 50_000), WARC_Target_URI="http://a.example/x"),
    "ftp": page("x").replace(b"http://", b"ftp://"),
    "length too large": page("x").replace(b"Content-Length: ", b"Content-Length: 99"),
    "length no number": page("x").replace(b"Content-Length: ", b"Content-Length: x"),
    "no header": b"WARC/1.1\r\n" + b"\r\n" * 3,
}


@pytest.mark.parametrize("ending", [".warc", ".warc.gz"])
@pytest.mark.parametrize("broken", BROKEN)
def test_broken_records_are_skipped_and_counted(tmp_path: Path, broken: str, ending: str) -> None:
    packed = PACKINGS[ending]([page("a"), BROKEN[broken], page("b"), page("c")], tmp_path)
    with closing(opened(tmp_path / "w", packed, f"web{ending}")) as recording:
        assert names(recording) == ["a", "b", "c"]
        assert recording.skipped >= 1


def test_reading_goes_on_behind_a_damaged_record(tmp_path: Path) -> None:
    dice = random.Random(7)
    members = [gzip.compress(page(str(number), dice.randbytes(50_000))) for number in range(6)]
    members[2] = members[2][:20_000]
    members[4] = members[4][:20_000] + b"\0" * 3000 + members[4][23_000:]
    with closing(opened(tmp_path / "w", b"".join(members), "web.warc.gz")) as recording:
        assert names(recording) == ["0", "1", "3", "5"]
        assert recording.skipped >= 2


def flipped(packed: bytes, at: int) -> bytes:
    return packed[:at] + bytes([packed[at] ^ 0x55]) + packed[at + 1 :]


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "checksum": lambda member: flipped(member, len(member) - 6),
    "length": lambda member: flipped(member, len(member) - 2),
    "middle": lambda member: flipped(member, len(member) // 2),
    "start": lambda member: flipped(member, 0),
    "no checksum": lambda member: member[:-8],
    "half a checksum": lambda member: member[:-5],
}


@pytest.mark.parametrize("size", [100, 60_000, 65_000, 300_000])
@pytest.mark.parametrize(
    ("damage", "at"),
    # A file that begins with anything else is no gzip file.
    [(name, at) for name in DAMAGES for at in (0, 1, 3) if (name, at) != ("start", 0)],
)
def test_a_damaged_member_is_named_by_file_and_offset_and_never_used(
    tmp_path: Path, damage: str, size: int, at: int
) -> None:
    dice = random.Random(size)
    members = [gzip.compress(page(name, dice.randbytes(size))) for name in "abcd"]
    offset = sum(map(len, members[:at]))
    members[at] = DAMAGES[damage](members[at])
    with closing(opened(tmp_path / "w", b"".join(members), "web.warc.gz")) as recording:
        assert names(recording) == [name for name in "abcd" if name != "abcd"[at]]
        assert (tmp_path / "w" / "web.warc.gz", offset) in recording.damages
        assert recording.skipped >= 1


def test_what_stands_before_garbage_is_whole(tmp_path: Path) -> None:
    first, second = gzip.compress(page("a")), gzip.compress(page("b"))
    content = first + b"garbage" * 9 + second + b"garbage" * 9
    with closing(opened(tmp_path / "w", content, "web.warc.gz")) as recording:
        assert names(recording) == ["a", "b"]
        places = [offset for _, offset in recording.damages]
        assert places == [len(first), len(first) + 63 + len(second)]


@pytest.mark.parametrize("name", ["checksum", "no checksum", "middle"])
def test_a_stream_of_all_records_that_is_damaged_is_told(tmp_path: Path, name: str) -> None:
    dice = random.Random(7)
    packed = gzip.compress(b"".join(page(each, dice.randbytes(100_000)) for each in "abcd"))
    with closing(opened(tmp_path / "w", DAMAGES[name](packed), "web.warc.gz")) as recording:
        assert len(recording.damages) >= 1


def test_a_page_that_unpacks_to_a_thousandfold_is_whole(tmp_path: Path) -> None:
    content = gzip.compress(page("a", b"x" * 9_000_000))
    with closing(opened(tmp_path / "w", content, "web.warc.gz")) as recording:
        assert len(body_at(recording, "a")) == 9_000_000
        assert recording.damages == []


def test_a_truncated_file_gives_all_whole_pages(tmp_path: Path) -> None:
    content = b"".join(gzip.compress(page(name)) for name in "abc")
    for kept in range(len(content) - 1, 0, -37):
        if kept < len(gzip.compress(page("a"))):
            break
        with closing(opened(tmp_path / "w", content[:kept], "web.warc.gz")) as recording:
            assert names(recording) in (["a"], ["a", "b"], ["a", "b", "c"])
            assert all(body_at(recording, name) == TEXT for name in names(recording))


def test_a_file_of_nothing_but_starts_costs_a_bounded_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(warc_index, "MAX_BROKEN_PLACES", 20)
    content = gzip.compress(page("a")) + (gzip.compress(b"")[:10] + b"\xff" * 5) * 10_000
    with closing(opened(tmp_path / "w", content, "web.warc.gz")) as recording:
        assert 10 < recording.skipped <= 20


def test_arc_files_are_refused_with_a_way_out(shared: Path, tmp_path: Path) -> None:
    arc = shared / "fixtures" / "warc" / "warcio" / "example.arc.gz"
    shutil.copy(arc, tmp_path)
    for path in (arc, tmp_path):
        with pytest.raises(ImportFailed, match=r"warcio recompress example\.arc\.gz example\.warc\.gz"):
            open_recording(path)


def test_a_folder_is_all_its_warc_files(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("not one of them")
    calls: list[tuple[int, int]] = []
    for number, ending in enumerate([".warc", ".warc.gz", ".warc.zst", ".warc.gz.open"]):
        packing = PACKINGS[ending.removesuffix(".open")]
        (tmp_path / f"{number}{ending}").write_bytes(packing([page(str(number))] * 300, tmp_path))
    (tmp_path / "empty.warc").write_bytes(b"")
    with closing(open_recording(tmp_path, lambda *call: calls.append(call))) as recording:
        assert sorted(names(recording)) == ["0", "1", "2", "3"]
        assert all(body_at(recording, name) == TEXT for name in names(recording))
    assert calls == sorted(calls)
    assert calls[-1][0] == calls[-1][1]


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_damage_anywhere_never_stops_the_reading_of_what_is_whole(data: st.DataObject) -> None:
    content = bytearray(b"".join(gzip.compress(page(name)) for name in "abcd"))
    start = data.draw(st.integers(len(gzip.compress(page("a"))), len(content)))
    content[start : start + data.draw(st.integers(0, 400))] = data.draw(st.binary(max_size=400))
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setenv("HONEYGUIDE_CACHE", f"{folder}/cache")
        with closing(opened(Path(folder), bytes(content), "web.warc.gz")) as recording:
            assert body_at(recording, "a") == TEXT
            for name in names(recording):
                with suppress(FetchError):  # damaged itself: refused, or as far as its checksum lets one see
                    assert body_at(recording, name) is not None
