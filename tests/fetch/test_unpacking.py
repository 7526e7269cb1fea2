import gzip
import time
import tracemalloc
import zlib

import brotli
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from honeyguide.errors import FetchError, TooLarge
from honeyguide.fetch.unpacking import is_text, unpack


def _raw_deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(data) + packer.flush()


def _streamed_zstd(data: bytes) -> bytes:
    packer = zstandard.ZstdCompressor().compressobj()  # its frames do not say how large they are
    return packer.compress(data) + packer.flush()


PACKERS = {
    "gzip": ("gzip", gzip.compress),
    "x-gzip": ("X-GZip", gzip.compress),
    "deflate": ("deflate", zlib.compress),
    "raw deflate": ("deflate", _raw_deflate),
    "br": ("br", lambda data: brotli.compress(data, quality=4)),
    "zstd": ("zstd", zstandard.compress),
    "streamed zstd": ("zstd, identity", _streamed_zstd),
}
every_packing = pytest.mark.parametrize("name", list(PACKERS))
PAGE = b"<html>" + b"honeyguide \xe9 " * 3000


@every_packing
def test_what_was_packed_comes_back(name: str) -> None:
    encoding, pack = PACKERS[name]
    assert unpack(pack(PAGE), encoding, len(PAGE)) == PAGE


@every_packing
def test_one_byte_too_many_is_too_large(name: str) -> None:
    encoding, pack = PACKERS[name]
    with pytest.raises(TooLarge, match=str(len(PAGE) - 1)):
        unpack(pack(PAGE), encoding, len(PAGE) - 1)


@every_packing
def test_a_bomb_is_given_up_soon_and_in_little_memory(name: str) -> None:
    encoding, pack = PACKERS[name]
    bomb = pack(bytes(50_000_000))
    tracemalloc.start()
    started = time.perf_counter()
    try:
        with pytest.raises(TooLarge):
            unpack(bomb, encoding, 100_000)
        assert time.perf_counter() - started < 1.0
        assert tracemalloc.get_traced_memory()[1] < 5_000_000
    finally:
        tracemalloc.stop()


@every_packing
def test_half_a_page_is_no_page(name: str) -> None:
    encoding, pack = PACKERS[name]
    packed = pack(PAGE)
    for end in (len(packed) // 2, len(packed) - 1):
        with pytest.raises(FetchError, match="damaged"):
            unpack(packed[:end], encoding, len(PAGE))


@every_packing
def test_plain_text_that_claims_to_be_packed_is_taken(name: str) -> None:
    encoding, _ = PACKERS[name]
    assert unpack(b"<html>never packed", encoding, 100) == b"<html>never packed"


@pytest.mark.parametrize("name", ["gzip", "zstd"])
def test_parts_in_a_row_are_one_page_under_one_limit(name: str) -> None:
    encoding, pack = PACKERS[name]
    assert unpack(pack(b"honey") + pack(b"guide"), encoding, 10) == b"honeyguide"
    with pytest.raises(TooLarge):
        unpack(pack(b"honey") * 3, encoding, 14)


@pytest.mark.parametrize("name", ["gzip", "zstd"])
def test_very_many_small_parts_do_not_take_for_ever(name: str) -> None:
    encoding, pack = PACKERS[name]
    packed = pack(b"") * 100_000
    started = time.perf_counter()
    with pytest.raises(FetchError, match="parts"):
        unpack(packed, encoding, 10_000_000)
    assert time.perf_counter() - started < 2.0


def test_what_follows_gzip_is_ignored() -> None:
    assert unpack(gzip.compress(PAGE) + b"\0\0\0", "gzip", len(PAGE)) == PAGE


def test_a_zstd_window_beyond_the_standard_is_refused() -> None:
    parameters = zstandard.ZstdCompressionParameters(window_log=27)
    packer = zstandard.ZstdCompressor(compression_params=parameters).compressobj()
    packed = packer.compress(PAGE) + packer.flush()
    with pytest.raises(FetchError, match="damaged"):
        unpack(packed, "zstd", len(PAGE))


@pytest.mark.parametrize("encoding", ["gzip, gzip", "br, gzip", "compress", "exi", "\x1b[31m"])
def test_other_encodings_are_named(encoding: str) -> None:
    with pytest.raises(FetchError, match="content encoding") as caught:
        unpack(gzip.compress(gzip.compress(PAGE)), encoding, len(PAGE))
    assert str(caught.value).isprintable()


@pytest.mark.parametrize("encoding", ["", "identity", "none", "identity, identity", ","])
def test_what_is_not_packed_stays(encoding: str) -> None:
    assert unpack(b"\x00\x01", encoding, 0) == b"\x00\x01"


@given(st.sampled_from(["gzip", "deflate", "br", "zstd"]), st.binary(max_size=200), st.integers(0, 1000))
def test_any_bytes_are_unpacked_within_the_limit_or_refused(encoding: str, data: bytes, limit: int) -> None:
    try:
        unpacked = unpack(data, encoding, limit)
    except FetchError:
        return
    assert unpacked == data or len(unpacked) <= limit


@given(st.sampled_from(sorted(PACKERS)), st.data())
def test_damaged_bytes_are_unpacked_within_the_limit_or_refused(name: str, data: st.DataObject) -> None:
    encoding, pack = PACKERS[name]
    packed = bytearray(pack(PAGE))
    for place in data.draw(st.lists(st.integers(0, len(packed) - 1), min_size=1, max_size=5)):
        packed[place] = data.draw(st.integers(0, 255))
    try:
        unpacked = unpack(bytes(packed), encoding, len(PAGE))
    except FetchError:
        return
    assert len(unpacked) <= len(PAGE)


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"", True),
        (b"<html>\t\r\n\x0c\x1b(B", True),
        ("größe".encode("latin-1"), True),
        ("größe".encode("utf-16"), True),
        (b"\x89PNG\r\n\x1a\n\x00", False),
        (b"%PDF-1.4\n\x00\x01", False),
        (b"a" * 5000 + b"\x00", True),
    ],
)
def test_text_is_told_from_its_first_bytes(data: bytes, text: bool) -> None:
    assert is_text(data) is text
