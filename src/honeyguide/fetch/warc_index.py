"""Finds the pages of WARC files for a recording's index; broken ones are counted. Called by replay."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import BinaryIO, NamedTuple

from fastwarc.warc import ArchiveIterator, WarcRecord, WarcRecordType

from honeyguide.errors import FetchError, ImportFailed
from honeyguide.fetch.recording_index import IndexWriter, Progress
from honeyguide.fetch.warc import parse_head, read_response

MAX_BROKEN_PLACES = 1000
"""In one file; after more its rest is left alone, so that a hostile file costs a bounded time."""

_RECORDS_PER_REPORT = 200
_BLOCK_BYTES = 1 << 20
_GZIP = b"\x1f\x8b"


def index_warcs(files: Sequence[Path], index: IndexWriter, progress: Progress) -> None:
    """Note where every page of the files stands."""
    sizes = [file.stat().st_size for file in files]
    for number, path in enumerate(files):
        index.add_file(number, path.resolve())
        try:
            with path.open("rb") as file, path.open("rb", buffering=0) as probe:
                for position in _FileIndexer(file, probe, number, index).run():
                    progress(sum(sizes[:number]) + min(position, sizes[number]), sum(sizes))
        except OSError as error:
            raise ImportFailed(f"{path} cannot be read: {error.strerror or error}.") from error
    progress(sum(sizes), sum(sizes))


class _Unproved(NamedTuple):
    """A record that was read, but whose checksum stands behind what was read of it."""

    offset: int
    note: Callable[[], None]


class _FileIndexer:
    """One pass over one file, taken up again behind each broken place."""

    def __init__(self, file: BinaryIO, probe: BinaryIO, number: int, index: IndexWriter) -> None:
        self._file = file
        self._probe = probe
        self._number = number
        self._index = index
        self._magic = probe.read(3)
        self._last_offset = -1
        self._resume = 0  # where the next record may begin if the present one is broken
        self._unproved: _Unproved | None = None
        self._is_one_stream = False

    def run(self) -> Iterator[int]:
        """Index the file; yields from time to time how far it is."""
        start = 0
        for _ in range(MAX_BROKEN_PLACES):
            try:
                yield from self._read_from(start)
                self._end()
                return
            except (OSError, EOFError):
                self._index.add_damage(self._number, self._broken_place())
            start = self._next_start()
            if start < 0:
                return

    def _read_from(self, start: int) -> Iterator[int]:
        self._file.seek(start)
        self._resume = start + 1
        for count, record in enumerate(ArchiveIterator(self._file, parse_http=False, quirks_mode=True), 1):
            self._accept()
            offset, length = record.stream_pos, record.content_length
            self._resume = offset + 1
            self._take(record)
            if self._magic == b"WAR":
                self._resume = offset + length
            if count % _RECORDS_PER_REPORT == 0:
                yield offset

    def _take(self, record: WarcRecord) -> None:
        offset = record.stream_pos
        url = _page_url(record)
        status = _status(record) if url else 0
        revisit = record.record_type == WarcRecordType.revisit
        if not url or not (status or revisit):
            self._index.skipped += url is not None or "WARC-Type" not in record.headers
            _pass_over(record)
        elif self._is_start(offset):
            _pass_over(record)
            self._unproved = _Unproved(offset, self._noting(record, url, status, offset))
        else:
            self._is_one_stream = True
            self._keep(record, url)
        self._last_offset = offset

    def _accept(self) -> None:
        """The reader went on to the next record, past the checksum of this one."""
        if self._unproved:
            self._unproved.note()
            self._unproved = None

    def _end(self) -> None:
        """The file is at its end, and nobody has looked whether its last record is whole. Raises EOFError."""
        last = self._unproved.offset if self._unproved else 0 if self._is_one_stream else -1
        if self._magic[:2] == _GZIP and last >= 0 and self._member_end(last) < 0:
            raise EOFError
        self._accept()

    def _broken_place(self) -> int:
        """Where the file is damaged: in the record that was read last, or behind it."""
        last, self._unproved = self._unproved, None
        if last is None:
            return self._resume - 1
        end = self._member_end(last.offset) if self._magic[:2] == _GZIP else self._resume
        if end < 0:
            return last.offset
        last.note()
        self._resume = max(self._resume, end)
        return end

    def _member_end(self, offset: int) -> int:
        """Where the gzip member at an offset ends; -1 if it is cut short or does not fit its own checksum."""
        unpacker = zlib.decompressobj(wbits=31)
        self._probe.seek(offset)
        try:
            while block := self._probe.read(_BLOCK_BYTES):
                offset += len(block)
                is_full = True  # what is unpacked at once: there may be more, whether bytes are left or not
                while block or is_full:
                    is_full = len(unpacker.decompress(block, _BLOCK_BYTES)) == _BLOCK_BYTES
                    block = unpacker.unconsumed_tail
                    if unpacker.eof:
                        return offset - len(unpacker.unused_data)
        except zlib.error:
            pass
        return -1

    def _is_start(self, offset: int) -> bool:
        """Whether the record can be read from there: not when the whole file is one gzip stream."""
        self._probe.seek(offset)
        return offset > self._last_offset and self._probe.read(3) == self._magic

    def _noting(self, record: WarcRecord, url: str, status: int, offset: int) -> Callable[[], None]:
        digest = record.headers.get("WARC-Payload-Digest")
        if record.record_type == WarcRecordType.revisit:
            original = record.headers.get("WARC-Refers-To-Target-URI")
            return partial(self._index.add_revisit, url, status, self._number, offset, digest, original)
        return partial(self._index.add_capture, url, status, self._number, offset, digest)

    def _keep(self, record: WarcRecord, url: str) -> None:
        try:
            page = read_response(record, url)
        except FetchError:
            page = None
        if page is None or record.record_type == WarcRecordType.revisit:
            self._index.skipped += 1
        else:
            self._index.add_page(page, digest=record.headers.get("WARC-Payload-Digest"))

    def _next_start(self) -> int:
        pattern = b"WARC/1." if self._magic == b"WAR" else self._magic
        return _find(self._file, pattern, self._resume)


def _page_url(record: WarcRecord) -> str | None:
    """Tell the url of a record that should hold a page; requests, logs and name look-ups do not."""
    # Old versions of wget put the url between angle brackets.
    url = (record.headers.get("WARC-Target-URI") or "").strip("<> ")
    match record.record_type:
        case WarcRecordType.response:
            return url if record.is_http else None
        case WarcRecordType.resource | WarcRecordType.revisit:
            return url if url.lower().startswith("http") else None
    return None


def _status(record: WarcRecord) -> int:
    try:
        return parse_head(record)
    except OSError:
        return 0


def _pass_over(record: WarcRecord) -> None:
    length = record.content_length
    if record.consume() < length:
        raise EOFError


def _find(file: BinaryIO, pattern: bytes, start: int) -> int:
    file.seek(start)
    tail = b""
    while block := file.read(_BLOCK_BYTES):
        at = (tail + block).find(pattern)
        if at >= 0:
            return start - len(tail) + at
        start += len(block)
        tail = block[1 - len(pattern) :]
    return -1
