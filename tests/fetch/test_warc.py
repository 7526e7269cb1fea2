"""Single WARC records: decoding, limits, and what a recorder may have got wrong."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable
from pathlib import Path

import brotli
import pytest
import zstandard

from honeyguide.errors import FetchError, TooLarge
from honeyguide.fetch import warc
from honeyguide.fetch.warc import read_capture
from honeyguide.model import Response
from tests.fetch.warc_records import TEXT, http, record

URL = "http://a.example/"


def packed(text: bytes) -> bytes:
    """Gzip without the time, so that test names are the same in every process."""
    return gzip.compress(text, mtime=0)


def captured(tmp_path: Path, content: bytes, offset: int = 0) -> Response:
    file = tmp_path / "one.warc"
    file.write_bytes(content)
    return read_capture(file, offset, URL)


def raw_deflate(text: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(text) + packer.flush()


def chunked(text: bytes) -> bytes:
    return b"%x \r\n%b\r\n5\r\n%b\r\n0\r\n\r\n" % (len(text) - 5, text[:-5], text[-5:])


@pytest.mark.parametrize(
    ("body", "headers"),
    [
        (TEXT, []),
        (packed(TEXT), ["Content-Encoding: gzip"]),
        (packed(TEXT), ["content-encoding: X-GZIP"]),
        (zlib.compress(TEXT), ["Content-Encoding: deflate"]),
        (raw_deflate(TEXT), ["Content-Encoding: deflate"]),
        (brotli.compress(TEXT), ["Content-Encoding: br"]),
        (chunked(TEXT), ["Transfer-Encoding: chunked"]),
        (chunked(packed(TEXT)), ["Transfer-Encoding: chunked", "Content-Encoding: gzip"]),
        (chunked(packed(TEXT)), ["Transfer-Encoding: gzip, chunked"]),
        (packed(zlib.compress(TEXT)), ["Content-Encoding: deflate, gzip"]),
        # The recorder decoded the body but kept the headers, or the server made them up.
        (TEXT, ["Content-Encoding: gzip", "Transfer-Encoding: chunked"]),
        (TEXT, ["Content-Encoding: br"]),
        (zstandard.compress(TEXT), ["Content-Encoding: zstd"]),
        # What the server cut off behind the text, or sent beside it.
        (packed(TEXT)[:-4], ["Content-Encoding: gzip"]),
        (packed(TEXT) + b"more", ["Content-Encoding: gzip"]),
        (TEXT, ["Content-Encoding: deflate"]),
        (TEXT, ["Content-Encoding: rot13, identity"]),
    ],
)
def test_bodies_are_decoded(tmp_path: Path, body: bytes, headers: list[str]) -> None:
    assert captured(tmp_path, record(http(body, *headers))).body == TEXT


def test_status_and_headers(tmp_path: Path) -> None:
    head = ["Content-Type: text/html", "X-Robots-Tag: a", "x-robots-tag: b", "Location: /ü"]
    response = captured(tmp_path, record(http(b"", *head, status="302")))
    expected = {"content-type": "text/html", "x-robots-tag": "a, b", "location": "/ü"}
    assert response == Response(URL, 302, b"", expected)
    assert response.redirect == "/ü"


def test_headers_in_latin_1_can_be_stored_as_text(tmp_path: Path) -> None:
    response = captured(tmp_path, record(b"HTTP/1.1 200 OK\r\nX-Caf\xe9: caf\xe9\r\n\r\n"))
    assert response.headers == {"x-café": "café"}


def test_a_resource_has_the_type_of_its_record(tmp_path: Path) -> None:
    response = captured(tmp_path, record(TEXT, "resource", "text/plain"))
    assert response == Response(URL, 200, TEXT, {"content-type": "text/plain"})


@pytest.mark.parametrize(
    ("pack", "header"),
    [
        (lambda text: text[:100_001], "X: y"),
        (packed, "Content-Encoding: gzip"),
        (zlib.compress, "Content-Encoding: deflate"),
        (raw_deflate, "Content-Encoding: deflate"),
        (lambda text: brotli.compress(text, quality=1), "Content-Encoding: br"),
        (lambda text: packed(packed(text)), "Content-Encoding: gzip, gzip"),
    ],
    ids=["plain", "gzip", "deflate", "raw deflate", "br", "gzip twice"],
)
def test_what_is_or_unpacks_too_large_is_refused(
    tmp_path: Path, pack: Callable[[bytes], bytes], header: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(warc, "MAX_BODY_BYTES", 100_000)
    with pytest.raises(TooLarge, match="100000 bytes"):
        captured(tmp_path, record(http(pack(b"x" * 50_000_000), header)))


def test_a_body_of_the_greatest_size_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warc, "MAX_BODY_BYTES", len(TEXT))
    assert captured(tmp_path, record(http(packed(TEXT), "Content-Encoding: gzip"))).body == TEXT


def test_never_half_a_page(tmp_path: Path) -> None:
    with pytest.raises(FetchError, match="cut short"):
        captured(tmp_path, record(http(TEXT))[:-100])


def test_a_file_that_changed_under_the_crawl_is_a_failed_fetch(tmp_path: Path) -> None:
    with pytest.raises(FetchError, match="cannot be read any more"):
        read_capture(tmp_path / "gone.warc", 0, URL)
    with pytest.raises(FetchError, match="has changed"):
        captured(tmp_path, record(http(TEXT)), offset=5000)
