"""Content encodings of the Web undone within a size limit: gzip, deflate, br and zstd. Used by the HTTP client."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Protocol

import brotli  # type: ignore[import-untyped]
import zstandard
from isal import isal_zlib

from honeyguide.errors import FetchError, TooLarge

ACCEPTED = "gzip, deflate, br, zstd"

# What the WHATWG's MIME sniffing calls binary data bytes.
_BINARY = re.compile(rb"[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]")
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_SNIFFED_BYTES = 1024
_NO_PACKING = frozenset(("", "identity", "none"))
# Each part costs a copy of all that follow it, so very many small ones would take for ever.
_MAX_PARTS = 64
_ZSTD_WINDOW_BYTES = 1 << 23  # the most that RFC 9659 lets a server use
_ZSTD_STEP_BYTES = 1 << 17
_ISAL_ERROR: type[Exception] = isal_zlib.error  # type: ignore[assignment]  # a class, whatever its stubs say
_FAILURES = (_ISAL_ERROR, brotli.error, zstandard.ZstdError, EOFError)


class _Stream(Protocol):
    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...

    def decompress(self, data: bytes, max_length: int, /) -> bytes: ...


def unpack(data: bytes, encoding: str, max_bytes: int) -> bytes:
    """Undo a Content-Encoding. Raises TooLarge beyond the limit, and FetchError for what cannot be undone.

    A plain text that only claims to be packed is returned as it is.

    >>> unpack(isal_zlib.compress(b"honey"), "deflate", 100)
    b'honey'
    """
    names = [name for part in encoding.lower().split(",") if (name := part.strip()) not in _NO_PACKING]
    if not names or not data:
        return data
    undo = _UNPACKERS.get(names[0])
    if undo is None or len(names) > 1:
        raise FetchError(f"the content encoding {encoding[:100]!a} is not one of: {ACCEPTED}")
    try:
        return undo(data, max_bytes)
    except _FAILURES as error:
        if _is_plain(data, names[0]):
            return data
        raise FetchError(f"the page is damaged: it cannot be unpacked as {names[0]} ({error})") from error


def is_text(data: bytes) -> bool:
    """Whether bytes begin like a text in some charset."""
    return data.startswith(_UTF16) or _BINARY.search(data, 0, _SNIFFED_BYTES) is None


def _is_plain(data: bytes, encoding: str) -> bool:
    # Short packed bytes may pass for text by chance, except those of gzip, which start with a control character.
    return is_text(data) and (data.lstrip().startswith(b"<") or encoding.endswith("gzip"))


def _gunzip(data: bytes, max_bytes: int) -> bytes:
    return _parts(data, max_bytes, lambda: isal_zlib.decompressobj(31), b"\x1f\x8b")


def _inflate(data: bytes, max_bytes: int) -> bytes:
    # The standard means zlib's format, but some servers have always sent the bare one.
    is_zlib = data[0] & 15 == 8 and int.from_bytes(data[:2], "big") % 31 == 0
    return _part(isal_zlib.decompressobj(15 if is_zlib else -15), data, max_bytes)


def _unbrotli(data: bytes, max_bytes: int) -> bytes:
    stream = brotli.Decompressor()
    unpacked = stream.process(data, output_buffer_limit=max_bytes + 1)
    if len(unpacked) > max_bytes:
        raise _too_large(max_bytes)
    if not stream.is_finished():
        raise EOFError("it ends early")
    return bytes(unpacked)


def _unzstd(data: bytes, max_bytes: int) -> bytes:
    unpacker = zstandard.ZstdDecompressor(max_window_size=_ZSTD_WINDOW_BYTES)
    # The reader has a limit but does not notice an early end; a stream notices, but has no limit.
    room = max_bytes
    with unpacker.stream_reader(data, read_across_frames=True) as reader:
        while size := len(reader.read(_ZSTD_STEP_BYTES)):
            room -= size
            if room < 0:
                raise _too_large(max_bytes)
    return _parts(data, max_bytes, lambda: _ZstdStream(unpacker), b"\x28\xb5\x2f\xfd")


class _ZstdStream:
    """A zstd frame with the interface of zlib; the caller has made sure that it is small."""

    def __init__(self, unpacker: zstandard.ZstdDecompressor) -> None:
        self._stream = unpacker.decompressobj()

    @property
    def eof(self) -> bool:
        return self._stream.eof

    @property
    def unused_data(self) -> bytes:
        return self._stream.unused_data

    def decompress(self, data: bytes, max_length: int, /) -> bytes:
        return self._stream.decompress(data)


def _parts(data: bytes, max_bytes: int, open_stream: Callable[[], _Stream], magic: bytes) -> bytes:
    """Unpack what may be several packed parts in a row; what follows the last one is ignored, as browsers do."""
    unpacked = []
    for _ in range(_MAX_PARTS):
        stream = open_stream()
        unpacked.append(_part(stream, data, max_bytes))
        max_bytes -= len(unpacked[-1])
        data = stream.unused_data
        if not data.startswith(magic):
            return b"".join(unpacked)
    raise EOFError(f"it has more than {_MAX_PARTS} parts")


def _part(stream: _Stream, data: bytes, max_bytes: int) -> bytes:
    unpacked = stream.decompress(data, max_bytes + 1)
    if len(unpacked) > max_bytes:
        raise _too_large(max_bytes)
    if not stream.eof:
        raise EOFError("it ends early")
    return unpacked


def _too_large(max_bytes: int) -> TooLarge:
    return TooLarge(f"the page unpacks to more than {max_bytes} bytes")


_UNPACKERS: dict[str, Callable[[bytes, int], bytes]] = {
    "gzip": _gunzip,
    "x-gzip": _gunzip,
    "deflate": _inflate,
    "br": _unbrotli,
    "zstd": _unzstd,
}
