import gzip
import time
import tracemalloc
import zlib
from contextlib import suppress

import brotli
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from honeyguide.errors import FetchError, TooLarge
from honeyguide.fetch.unpacking import Unpacker, is_text, unpacked

SMALL_BYTES = 1000


def unpack(data: bytes, encoding: str, max_bytes: int, block_bytes: int = 1 << 20) -> bytes:
    """Unpack what comes in blocks of one size, and never more than is allowed at the time."""
    page = Unpacker(encoding, max_bytes, SMALL_BYTES)
    for start in range(0, len(data), block_bytes):
        page.feed(data[start : start + block_bytes])
        if page.is_full:
            page.grow()
            assert not page.is_full
    return page.finish()


def sent(data: bytes, encoding: str, block_bytes: int = 1 << 20) -> bytes:
    """What is kept of the packed bytes."""
    page = Unpacker(encoding, len(PAGE), SMALL_BYTES)
    for start in range(0, len(data), block_bytes):
        page.feed(data[start : start + block_bytes])
        if page.is_full:
            page.grow()
    page.finish()
    return page.sent


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


SHORT = b"honey " * 100


@pytest.mark.parametrize("block_bytes", [1, 7, 1 << 20])
@pytest.mark.parametrize("encoding", ["gzip", " GZip "])
def test_what_gzip_has_packed_is_kept_as_it_came(encoding: str, block_bytes: int) -> None:
    packed = gzip.compress(SHORT)
    assert sent(packed, encoding, block_bytes) == packed


@pytest.mark.parametrize("block_bytes", [1, 7, 1 << 20])
@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        (gzip.compress(SHORT) + gzip.compress(SHORT), "gzip"),
        (gzip.compress(SHORT) + b"\0", "gzip"),
        (gzip.compress(PAGE), "gzip"),  # no small page
        (gzip.compress(b"honey"), "gzip"),  # larger than the page
        (b"<p>" + SHORT, "gzip"),
        (SHORT, ""),
        (gzip.compress(SHORT), "x-gzip"),
        (gzip.compress(SHORT), "gzip, identity"),
        (zlib.compress(SHORT), "deflate"),
        (brotli.compress(SHORT), "br"),
        # Its header names a long file: a page may be small, and take much to be sent.
        (
            b"\x1f\x8b\x08\x08" + bytes(6) + b"x" * SMALL_BYTES + b"\0" + gzip.compress(SHORT, mtime=0)[10:],
            "gzip",
        ),
    ],
    ids=["two", "rest", "large", "tiny", "plain", "none", "x-gzip", "list", "deflate", "br", "padded"],
)
def test_nothing_else_is_kept_as_it_came(data: bytes, encoding: str, block_bytes: int) -> None:
    assert sent(data, encoding, block_bytes) == b""


@every_packing
@pytest.mark.parametrize("block_bytes", [1, 2, 3, 7, 64, 1 << 20])
@pytest.mark.parametrize("page", [b"", b"a", PAGE], ids=["empty", "short", "long"])
def test_what_was_packed_comes_back(name: str, block_bytes: int, page: bytes) -> None:
    encoding, pack = PACKERS[name]
    assert unpack(pack(page), encoding, len(PAGE), block_bytes) == page


@every_packing
def test_nothing_much_is_unpacked_before_a_large_page_may_grow(name: str) -> None:
    encoding, pack = PACKERS[name]
    packed = pack(bytes(50_000_000))
    tracemalloc.start()
    try:
        page = Unpacker(encoding, 60_000_000, SMALL_BYTES)
        blocks = iter([packed[start : start + 10_000] for start in range(0, len(packed), 10_000)])
        while not page.is_full:
            page.feed(next(blocks))
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()
    page.grow()
    for block in blocks:
        page.feed(block)
    assert page.finish() == bytes(50_000_000)


@every_packing
@pytest.mark.parametrize("block_bytes", [7, 1 << 20])
@pytest.mark.parametrize("size", [len(PAGE), SMALL_BYTES, SMALL_BYTES + 1])
def test_one_byte_too_many_is_too_large(name: str, block_bytes: int, size: int) -> None:
    encoding, pack = PACKERS[name]
    with pytest.raises(TooLarge, match=str(size - 1)):
        unpack(pack(PAGE[:size]), encoding, size - 1, block_bytes)


@every_packing
def test_a_small_page_is_never_full_and_one_byte_more_is(name: str) -> None:
    encoding, pack = PACKERS[name]
    for size in (SMALL_BYTES, SMALL_BYTES + 1):
        page = Unpacker(encoding, len(PAGE), SMALL_BYTES)
        page.feed(pack(PAGE[:size]))
        assert page.is_full is (size > SMALL_BYTES)


@every_packing
def test_a_bomb_is_given_up_soon_and_in_little_memory(name: str) -> None:
    encoding, pack = PACKERS[name]
    bomb = pack(bytes(50_000_000))
    tracemalloc.start()
    started = time.process_time()
    try:
        with pytest.raises(TooLarge):
            unpack(bomb, encoding, 100_000)
        assert time.process_time() - started < 1.0
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
@pytest.mark.parametrize("block_bytes", [1, 5, 1 << 20])
@pytest.mark.parametrize("text", [b"<html>never packed", b"\n\n <p>", b"<p>" * 5000])
def test_plain_text_that_claims_to_be_packed_is_taken(name: str, block_bytes: int, text: bytes) -> None:
    encoding, _ = PACKERS[name]
    assert unpack(text, encoding, len(text), block_bytes) == text
    with pytest.raises(TooLarge):
        unpack(text, encoding, len(text) - 1, block_bytes)


@every_packing
def test_what_only_begins_like_text_is_damaged(name: str) -> None:
    encoding, _ = PACKERS[name]
    with pytest.raises(FetchError, match="damaged"):
        unpack(b"<html>" + bytes(100), encoding, 1000, 6)


@pytest.mark.parametrize("name", ["gzip", "zstd"])
@pytest.mark.parametrize("block_bytes", [1, 3, 27, 1 << 20])
def test_parts_in_a_row_are_one_page_under_one_limit(name: str, block_bytes: int) -> None:
    encoding, pack = PACKERS[name]
    assert unpack(pack(b"honey") + pack(b"guide"), encoding, 10, block_bytes) == b"honeyguide"
    assert unpack(pack(PAGE) * 3, encoding, 3 * len(PAGE), block_bytes) == PAGE * 3
    with pytest.raises(TooLarge):
        unpack(pack(b"honey") * 3, encoding, 14, block_bytes)


@pytest.mark.parametrize("name", ["gzip", "zstd"])
def test_very_many_small_parts_do_not_take_for_ever(name: str) -> None:
    encoding, pack = PACKERS[name]
    packed = pack(b"") * 100_000
    started = time.process_time()
    with pytest.raises(FetchError, match="parts"):
        unpack(packed, encoding, 10_000_000)
    assert time.process_time() - started < 2.0


@pytest.mark.parametrize("block_bytes", [1, 10, 1 << 20])
@pytest.mark.parametrize("junk", [b"\0\0\0", b"\x1f", b"\x1fno", b"\0" + gzip.compress(b"more", mtime=0)])
def test_what_follows_gzip_is_ignored(junk: bytes, block_bytes: int) -> None:
    assert unpack(gzip.compress(PAGE) + junk, "gzip", len(PAGE), block_bytes) == PAGE


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
    assert unpack(b"\x00\x01", encoding, 2) == b"\x00\x01"


@given(st.sampled_from(["gzip", "deflate", "br", "zstd"]), st.binary(max_size=200), st.integers(0, 1000))
def test_any_bytes_are_unpacked_within_the_limit_or_refused(encoding: str, data: bytes, limit: int) -> None:
    try:
        found = unpack(data, encoding, limit)
    except FetchError:
        return
    assert found == data or len(found) <= limit


@given(
    st.sampled_from(["gzip", "deflate", "br", "zstd", "rot13"]), st.binary(max_size=200), st.integers(0, 1000)
)
def test_of_any_bytes_that_are_here_no_more_than_the_limit_is_had(encoding, data, limit):
    try:
        assert len(unpacked(data, encoding, limit)) <= limit
    except FetchError:
        return


@pytest.mark.parametrize("name", sorted(PACKERS))
def test_of_what_is_here_and_was_cut_off_the_beginning_is_had(name):
    encoding, pack = PACKERS[name]
    packed = pack(PAGE)
    assert unpacked(packed, encoding, len(PAGE)) == PAGE
    with pytest.raises(TooLarge):
        unpacked(packed, encoding, len(PAGE) - 1)
    with suppress(FetchError):  # nothing may be had of a single block
        assert PAGE.startswith(unpacked(packed[:-10], encoding, len(PAGE)))


@given(st.sampled_from(sorted(PACKERS)), st.data())
def test_damaged_bytes_are_unpacked_within_the_limit_or_refused(name: str, data: st.DataObject) -> None:
    encoding, pack = PACKERS[name]
    packed = bytearray(pack(PAGE))
    for place in data.draw(st.lists(st.integers(0, len(packed) - 1), min_size=1, max_size=5)):
        packed[place] = data.draw(st.integers(0, 255))
    try:
        found = unpack(bytes(packed), encoding, len(PAGE))
    except FetchError:
        return
    assert len(found) <= len(PAGE)


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
