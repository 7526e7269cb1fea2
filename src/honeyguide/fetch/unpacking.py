"""Content encodings of the Web undone while a page arrives: gzip, deflate, br and zstd. Used wherever pages come from.

Packed bytes are undone block by block and then gone, and no more than is allowed is ever made of them.
"""

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
_HEAD_BYTES = 4  # as many as it takes to tell what is packed how
# Each part costs a copy of the rest of its block, so very many small ones would take for ever.
_MAX_PARTS = 64
_ZSTD_WINDOW_BYTES = 1 << 23  # the most that RFC 9659 lets a server use
_ISAL_ERROR: type[Exception] = isal_zlib.error  # type: ignore[assignment]  # a class, whatever its stubs say
_FAILURES = (_ISAL_ERROR, brotli.error, zstandard.ZstdError, EOFError)


class Unpacker:
    """Collects a page as it arrives, unpacked.

    A page that turns out to be larger than `small_bytes` stops there with `is_full`, until it is let `grow` up to
    `max_bytes`. Raises TooLarge beyond those, and FetchError for what cannot be undone. A plain text that only claims
    to be packed is taken as it is.

    >>> page = Unpacker("deflate", max_bytes=100, small_bytes=50)
    >>> page.feed(isal_zlib.compress(b"honey"))
    >>> page.finish()
    b'honey'
    """

    def __init__(self, encoding: str, max_bytes: int, small_bytes: int) -> None:
        self._encoding = _packing(encoding)
        self._max_bytes = max_bytes
        self._allowed_bytes = min(small_bytes, max_bytes)
        self._blocks: list[bytes] = []
        self._size = 0
        self._head = b""
        self._stream: _Stream | None = None
        self._claimed: list[bytes] | None = None  # all that came, while it may be a plain text
        self._failure: Exception | None = None
        self._sent: list[bytes] | None = [] if encoding.strip().lower() == "gzip" else None
        self._sent_bytes = 0
        self.is_packed = bool(self._encoding)
        self.is_full = False

    def feed(self, block: bytes) -> None:
        """Take the next block; not while it is full."""
        if self._sent is not None:
            self._keep_sent(block)
        if not self.is_packed:
            self._add(block)
        elif self._stream is not None:
            if self._claimed is not None:
                self._claimed.append(block)
            self._undo(block)
        else:
            self._head += block
            if len(self._head) >= _HEAD_BYTES:
                self._open()

    def _keep_sent(self, block: bytes) -> None:
        assert self._sent is not None
        self._sent.append(block)
        self._sent_bytes += len(block)
        if (
            self._sent_bytes > self._allowed_bytes
        ):  # a page may be as small as it likes, and take no more than that
            self._sent = None

    @property
    def sent(self) -> bytes:
        """Of a small page, when it is finished: its packed bytes, if they are gzip's, and nothing but the page."""
        is_one = isinstance(self._stream, _Parts) and self._stream.is_finished and not self._stream.has_more
        return b"".join(self._sent) if self._sent and is_one and self._sent_bytes < self._size else b""

    def grow(self) -> None:
        """Go on beyond the small size."""
        self._sent = None
        self._allowed_bytes = self._max_bytes
        self.is_full = False
        if self.is_packed:
            self._undo(b"")
        else:
            self._add(b"")

    def finish(self) -> bytes:
        """The page, when all of it has come."""
        if self._head:
            self._open()
        if self._stream is not None and not self._stream.is_finished:
            self._fall_back(EOFError("it ends early"))
        body = self._blocks[0] if len(self._blocks) == 1 else b"".join(self._blocks)
        if self._failure is not None and not _is_plain(body, self._encoding):
            raise self._damaged(self._failure)
        return body

    def _open(self) -> None:
        head, self._head = self._head, b""
        open_stream = _STREAMS.get(self._encoding)
        if open_stream is None:
            raise FetchError(f"the content encoding {self._encoding[:100]!a} is not one of: {ACCEPTED}")
        self._stream = open_stream(head, self._max_bytes)
        self._claimed = [head] if _is_plain(head, self._encoding) else None
        self._undo(head)

    def _undo(self, data: bytes) -> None:
        assert self._stream is not None
        try:
            block, is_more = self._stream.undo(data, self._allowed_bytes - self._size + 1)
        except _FAILURES as error:
            self._fall_back(error)
            return
        if block:
            self._add(block)
        if is_more:
            self._is_over()

    def _add(self, block: bytes) -> None:
        self._blocks.append(block)
        self._size += len(block)
        if self._size > self._allowed_bytes:
            self._is_over()

    def _is_over(self) -> None:
        if self._allowed_bytes == self._max_bytes:
            raise _too_large(self._max_bytes)
        self.is_full = True

    def _fall_back(self, error: Exception) -> None:
        if self._claimed is None:
            raise self._damaged(error) from error
        self._blocks, self._size = [], 0
        self._stream, self.is_packed, self._failure = None, False, error
        self._add(b"".join(self._claimed))

    def _damaged(self, error: Exception) -> FetchError:
        return FetchError(f"the page is damaged: it cannot be unpacked as {self._encoding} ({error})")


def unpacked(body: bytes, encoding: str, max_bytes: int) -> bytes:
    """As much as can be had of a page that is here already and cannot be asked for again.

    Raises TooLarge, and FetchError where nothing can be had, or it only claims to be packed.
    """
    open_stream = _STREAMS.get(_packing(encoding))
    if open_stream is None or not body:
        raise FetchError(f"the page is not packed as {encoding[:100]!a}")
    stream = open_stream(body[:_HEAD_BYTES], max_bytes)
    try:
        page, is_more = stream.undo(body, max_bytes + 1)
    except _FAILURES as error:
        raise FetchError(f"the page cannot be unpacked as {encoding} ({error})") from error
    if is_more:
        raise _too_large(max_bytes)
    if not stream.is_finished and (not page or is_text(body)):
        raise FetchError(f"the page is not packed as {encoding}")
    return page


def is_text(data: bytes) -> bool:
    """Whether bytes begin like a text in some charset."""
    return data.startswith(_UTF16) or _BINARY.search(data, 0, _SNIFFED_BYTES) is None


def _packing(encoding: str) -> str:
    names = [name for part in encoding.lower().split(",") if (name := part.strip()) not in _NO_PACKING]
    return ", ".join(names)


def _is_plain(data: bytes, encoding: str) -> bool:
    # Short packed bytes may pass for text by chance, except those of gzip, which start with a control character.
    start = data[:_SNIFFED_BYTES]
    return is_text(start) and (start.lstrip()[:1] in (b"<", b"") or encoding.endswith("gzip"))


def _too_large(max_bytes: int) -> TooLarge:
    return TooLarge(f"the page unpacks to more than {max_bytes} bytes")


class _Stream(Protocol):
    """One packed text, undone as it comes."""

    @property
    def is_finished(self) -> bool: ...

    def undo(self, data: bytes, most: int, /) -> tuple[bytes, bool]:
        """About `most` bytes more of the text, and whether there are more of them in the data given so far."""


class _Part(Protocol):
    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    @property
    def unconsumed_tail(self) -> bytes: ...

    def decompress(self, data: bytes, max_length: int, /) -> bytes: ...


class _Parts:
    """What may be several packed parts in a row; what follows the last one is ignored, as browsers do."""

    def __init__(self, open_part: Callable[[], _Part], magic: bytes) -> None:
        self._open_part = open_part
        self._magic = magic  # with which another part would begin; empty if there is only one
        self._part = open_part()
        self._count = 1
        self._kept = b""
        self.has_more = False  # than one part, or something that is none

    @property
    def is_finished(self) -> bool:
        return self._part.eof

    def undo(self, data: bytes, most: int, /) -> tuple[bytes, bool]:
        block = self._undo_part(self._kept + data if self._kept else data, most)
        if not self._part.eof or not self._kept:
            return block, len(block) >= most
        blocks = [block]
        while len(block) < most and self._begins_part():
            most -= len(block)
            block = self._undo_part(self._kept, most)
            blocks.append(block)
        return b"".join(blocks), len(block) >= most

    def _undo_part(self, data: bytes, most: int) -> bytes:
        part = self._part
        if part.eof:
            self._kept = data
            self.has_more |= bool(data)
            return b""
        block = part.decompress(data, most)
        self._kept = part.unused_data if part.eof else part.unconsumed_tail
        self.has_more |= bool(part.unused_data)
        return block

    def _begins_part(self) -> bool:
        if not self._part.eof or not self._kept:
            return False
        if not self._magic or not self._kept.startswith(self._magic):
            if not self._magic.startswith(self._kept):
                self._magic = self._kept = b""
            return False
        self._count += 1
        if self._count > _MAX_PARTS:
            raise EOFError(f"it has more than {_MAX_PARTS} parts")
        self._part = self._open_part()
        return True


class _Brotli:
    def __init__(self) -> None:
        self._stream = brotli.Decompressor()

    @property
    def is_finished(self) -> bool:
        return bool(self._stream.is_finished())

    def undo(self, data: bytes, most: int, /) -> tuple[bytes, bool]:
        blocks: list[bytes] = []
        while most > 0 and (data or self._may_have_more(blocks)):
            blocks.append(self._stream.process(data, output_buffer_limit=most))
            most -= len(blocks[-1])
            data = b""
        return b"".join(blocks), most <= 0

    def _may_have_more(self, blocks: list[bytes]) -> bool:
        return not self.is_finished and (not blocks or blocks[-1] != b"")


class _Zstd(_Parts):
    """zstd undoes all or nothing of a block, however much that is: so each is measured before it is undone."""

    def __init__(self, max_bytes: int) -> None:
        unpacker = zstandard.ZstdDecompressor(max_window_size=_ZSTD_WINDOW_BYTES)
        super().__init__(lambda: _ZstdPart(unpacker), b"\x28\xb5\x2f\xfd")
        self._counter = _Counter(max_bytes)
        measuring = zstandard.ZstdDecompressor(max_window_size=_ZSTD_WINDOW_BYTES)
        self._measure = measuring.stream_writer(self._counter, closefd=False)  # type: ignore[arg-type]
        self._undone = 0
        self._delayed = b""

    def undo(self, data: bytes, most: int, /) -> tuple[bytes, bool]:
        if data:
            self._measure.write(data)
        if self._counter.count - self._undone >= most:
            self._delayed += data
            return b"", True
        block, is_more = super().undo(self._delayed + data, most)
        self._delayed = b""
        self._undone += len(block)
        return block, is_more


class _ZstdPart:
    """A zstd frame with the interface of zlib; the caller has made sure that it is small."""

    unconsumed_tail = b""

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


class _Counter:
    """A file that only counts what is written to it."""

    def __init__(self, max_bytes: int) -> None:
        self.count = 0
        self._max_bytes = max_bytes

    def write(self, data: bytes) -> int:
        self.count += len(data)
        if self.count > self._max_bytes:
            raise _too_large(self._max_bytes)
        return len(data)


def _gzip(head: bytes, max_bytes: int) -> _Stream:
    return _Parts(lambda: isal_zlib.decompressobj(31), b"\x1f\x8b")


def _deflate(head: bytes, max_bytes: int) -> _Stream:
    # The standard means zlib's format, but some servers have always sent the bare one.
    is_zlib = head[0] & 15 == 8 and int.from_bytes(head[:2], "big") % 31 == 0
    return _Parts(lambda: isal_zlib.decompressobj(15 if is_zlib else -15), b"")


_STREAMS: dict[str, Callable[[bytes, int], _Stream]] = {
    "gzip": _gzip,
    "x-gzip": _gzip,
    "deflate": _deflate,
    "br": lambda head, max_bytes: _Brotli(),
    "zstd": lambda head, max_bytes: _Zstd(max_bytes),
}
