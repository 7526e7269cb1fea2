"""The archive of fetched pages: WARC/1.1 files that hold exactly what the store committed.

The crawler appends a batch, asks for the end with `flush` and has the store commit that end with the batch.
Reports and the console read single pages with `read_page`, also while a crawl is writing.
"""

from __future__ import annotations

import errno
import io
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from hashlib import sha1
from http import HTTPStatus
from pathlib import Path

from fastwarc.warc import ArchiveIterator, HeaderMap, WarcRecord, WarcRecordType
from isal import igzip

from honeyguide import __version__
from honeyguide.errors import DiskFull, StoreError
from honeyguide.model import Response
from honeyguide.store.base import Location

MAX_FILE_BYTES = 1 << 30
"""A file that a batch has brought to this length is finished; the next batch starts a new one."""

GZIP_LEVEL = 2
"""Of isal: the size of zlib's level 2 in a quarter of its time."""

_OPEN = ".open"
_NAME = re.compile(r"honeyguide-\d{17}-(\d{5,})\.warc\.gz")
_WARCINFO = f"software: honeyguide/{__version__}\r\nformat: WARC File Format 1.1\r\n".encode()
# True of the bytes the server sent, not of the unpacked body that is archived; kept under another name.
_ABOUT_SENT_BYTES = ("content-encoding", "content-length", "transfer-encoding")
_ORIGINAL = "x-archive-orig-"
_LINE_BREAKS = str.maketrans("\r\n\0", "   ")
_MAX_HEADER_BYTES = 1 << 20


class PageArchive:
    """The writing side. Opening it forgets what was written after the committed end.

    Files change only between batches, so a finished file never holds more than was committed.
    """

    def __init__(
        self, folder: Path, committed: Location | None = None, max_file_bytes: int = MAX_FILE_BYTES
    ) -> None:
        self.folder = folder
        self._max_file_bytes = max_file_bytes
        self._name = committed.file if committed else None
        self._length = self._flushed = committed.offset if committed else 0
        self._file: io.FileIO | None = None
        with _disk_errors(folder):
            folder.mkdir(parents=True, exist_ok=True)
            self.lost_bytes = _rewind(folder, committed) if committed else _clear(folder)
        # Behind a gap nothing may be written: the locations in it would then lead to other pages.
        self._is_full = self._length >= max_file_bytes or self.lost_bytes > 0

    def append(self, response: Response, date: datetime, relevance: float | None) -> Location:
        """Write one page, or a redirect, which nobody judged. Raises DiskFull.

        It is safe once the end that `flush` tells is committed.
        """
        if self._is_full:
            self._finish_file()
        if self._file is None:
            self._start_file(date)
        return self._write(_response_record(response, date, relevance), sha1(response.body).digest())

    def flush(self) -> Location | None:
        """Tell the end of the archive, to be committed; None while it is empty."""
        self._flushed = self._length
        self._is_full = self._is_full or self._length >= self._max_file_bytes
        return Location(self._name, self._length) if self._name else None

    def read(self, location: Location) -> Response:
        """Read a page back."""
        return read_page(self.folder, location)

    def close(self) -> None:
        """Finish the last file, without the pages that were never flushed."""
        self._finish_file()

    def _start_file(self, date: datetime) -> None:
        if self._name and not self._is_full:
            self._open(self._name)
            return
        self._name = _next_name(self._name, date)
        self._length = self._flushed = 0
        self._is_full = False
        self._open(self._name)
        self._write(_info_record(self._name, date), None)

    def _open(self, name: str) -> None:
        path = self.folder / (name + _OPEN)
        with _disk_errors(path):
            with suppress(FileNotFoundError):  # a new file has no finished name yet
                (self.folder / name).rename(path)
            self._file = io.FileIO(path, "ab")

    def _finish_file(self) -> None:
        if self._file is None or self._name is None:
            return
        path = self.folder / (self._name + _OPEN)
        with _disk_errors(path), self._file as file:
            file.truncate(self._flushed)
        self._file = None
        with _disk_errors(path):
            if self._flushed:
                path.rename(self.folder / self._name)
            else:
                path.unlink()

    def _write(self, record: WarcRecord, payload_digest: bytes | None) -> Location:
        assert self._file is not None
        assert self._name is not None
        written = io.BytesIO()
        record.write(written, checksum_data=True, payload_digest=payload_digest)
        packed = igzip.compress(
            written.getvalue(), GZIP_LEVEL, mtime=0
        )  # each record alone, so it can be read alone
        location = Location(self._name, self._length)
        with _disk_errors(self.folder):
            self._length += _write_all(self._file, packed, self._length)
        return location


def read_page(folder: Path, location: Location) -> Response:
    """Read the page at a location; the crawl may be writing meanwhile. Raises StoreError."""
    path = folder / location.file
    if not path.exists():
        path = folder / (location.file + _OPEN)
    try:
        with path.open("rb") as file:
            file.seek(location.offset)
            record = next(iter(ArchiveIterator(file, parse_http=False)))
            record.parse_http(max_header_len=_MAX_HEADER_BYTES)
            body = record.reader.read()
            if len(body) < record.content_length:
                raise EOFError("it is cut short")
            status = record.http_headers.status_code or 0
            return Response(record.headers["WARC-Target-URI"], status, body, _restored(record.http_headers))
    except (OSError, EOFError, StopIteration, KeyError) as error:
        where = f"byte {location.offset} of {path}"
        raise StoreError(f"the page at {where} cannot be read: {error or 'nothing is there'}") from error


def _rewind(folder: Path, committed: Location) -> int:
    """Undo what was written after the committed end; the number of committed bytes that are missing."""
    number = _number(committed.file)
    if number is None:
        raise StoreError(f"{committed.file!r} is not a file of the page archive in {folder}")
    for path in folder.iterdir():
        found = _number(path.name.removesuffix(_OPEN))
        if found is not None and found > number:
            path.unlink()
    path = folder / committed.file
    with suppress(FileNotFoundError):
        (folder / (committed.file + _OPEN)).rename(path)
    if not path.exists():
        return committed.offset
    missing = committed.offset - path.stat().st_size
    if missing < 0:
        with path.open("r+b") as file:
            file.truncate(committed.offset)
    return max(missing, 0)


def _clear(folder: Path) -> int:
    """Remove what a crawl that died before its first commit left behind, and nothing else."""
    for path in folder.iterdir():
        if _number(path.name) is not None:
            raise StoreError(f"{path} belongs to another crawl: move it away, or crawl into a new folder")
        if _number(path.name.removesuffix(_OPEN)) is not None:
            path.unlink()
    return 0


def _number(name: str) -> int | None:
    match = _NAME.fullmatch(name)
    return int(match[1]) if match else None


def _next_name(last: str | None, date: datetime) -> str:
    """Name a file as the IIPC recommends: prefix, moment, serial number."""
    number = _number(last) if last else None
    moment = date.astimezone(UTC).strftime("%Y%m%d%H%M%S%f")[:17]
    return f"honeyguide-{moment}-{0 if number is None else number + 1:05d}.warc.gz"


def _info_record(name: str, date: datetime) -> WarcRecord:
    record = WarcRecord()
    record.init_headers(WarcRecordType.warcinfo)
    record.record_date = date.astimezone(UTC)
    record.headers["WARC-Filename"] = name
    record.headers["Content-Type"] = "application/warc-fields"
    record.set_bytes_content(_WARCINFO)
    return record


def _response_record(response: Response, date: datetime, relevance: float | None) -> WarcRecord:
    record = WarcRecord()
    record.init_headers(WarcRecordType.response)
    record.record_date = date.astimezone(UTC)
    record.headers["WARC-Target-URI"] = response.url
    record.headers["Content-Type"] = "application/http; msgtype=response"
    if relevance is not None:
        record.headers["Honeyguide-Relevance"] = f"{relevance:.6g}"
    record.set_bytes_content(_http_head(response) + response.body)
    return record


def _http_head(response: Response) -> bytes:
    lines = [f"HTTP/1.1 {response.status} {_reason(response.status)}"]
    for name, value in response.headers.items():
        prefix = _ORIGINAL if name in _ABOUT_SENT_BYTES else ""
        lines.append(f"{prefix}{name}: {value}".translate(_LINE_BREAKS))
    lines.append(f"content-length: {len(response.body)}")
    return ("\r\n".join(lines) + "\r\n\r\n").encode("utf-8", "replace")


def _reason(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "Unknown"


def _restored(archived: HeaderMap) -> dict[str, str]:
    """Undo `_http_head`: our own content-length goes, the server's come back."""
    pairs = ((name.decode("utf-8"), value.decode("utf-8")) for name, value in archived.items_bytes())
    return {name.removeprefix(_ORIGINAL): value for name, value in pairs if name != "content-length"}


def _write_all(file: io.FileIO, content: bytes, length: int) -> int:
    """Append, or leave the file as long as it was."""
    rest = memoryview(content)
    try:
        while rest:
            rest = rest[file.write(rest) :]
    except OSError:
        with suppress(OSError):
            file.truncate(length)
        raise
    return len(content)


@contextmanager
def _disk_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise DiskFull(f"no room left for the page archive at {path}: make room, then resume") from error
        raise StoreError(f"the page archive at {path} cannot be written: {error.strerror}") from error
