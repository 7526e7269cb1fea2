"""The archive of fetched pages: WARC/1.1 files that hold exactly what the store committed.

The engine appends a batch, has the store commit the archive's `end` with it, and then calls `flush`.
Reports and the console read single pages with `read_page`, also while a crawl is writing.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path

from fastwarc.warc import ArchiveIterator, WarcRecord
from isal import isal_zlib

from honeyguide.errors import StoreError
from honeyguide.files import remove_parts
from honeyguide.model import NOT_MODIFIED, Location, Response
from honeyguide.store import archive_files as files
from honeyguide.store.cdxj import INDEX_NAME, Capture, capture_line, file_lines, write_cdxj
from honeyguide.store.disk import disk_errors
from honeyguide.store.warc_records import (
    Original,
    PageFacts,
    info_record,
    page_records,
    payload_digest,
    read_capture,
    read_original,
    referred_location,
)

MAX_FILE_BYTES = 1 << 30
"""A file that a batch has brought to this length is finished; the next batch starts a new one."""

GZIP_LEVEL = 1
"""Of isal: level 2 takes a third longer to make pages a fiftieth smaller."""

ZSTD_LEVEL = 1
"""A tenth smaller than gzip in the same time; level 3 gains nothing on single pages."""

_GZIP_WINDOW = 31  # zlib's way to ask for a gzip header


class PageArchive:
    """The writing side. Opening it forgets what was written after the committed end.

    Files change only between batches, so a finished file never holds more than was committed. `info` is what
    each file says of the crawl at its start: operator, robots, http-header-user-agent ...
    """

    def __init__(
        self,
        folder: Path,
        committed: Location | None = None,
        *,
        compression: files.Compression = "gzip",
        info: Mapping[str, str] | None = None,
        max_file_bytes: int = MAX_FILE_BYTES,
    ) -> None:
        self.folder = folder
        self._compression = compression
        self._info = info or {}
        self._max_file_bytes = max_file_bytes
        self._name = committed.file if committed else None
        self._length = self._flushed = committed.offset if committed else 0
        self._file: io.FileIO | None = None
        self._pack = _packer(files.compression_of(self._name) if self._name else compression)
        self._lines: list[tuple[int, bytes]] = []  # for the index, with the offsets of their records
        self._reread: set[str] = set()  # files whose lines in the index may be wrong
        self.lost_bytes = self._rewind(committed)
        # Behind a gap nothing may be written: the locations in it would then lead to other pages.
        self._is_full = self._length >= max_file_bytes or self.lost_bytes > 0

    def append(self, response: Response, date: datetime, facts: PageFacts) -> Location:
        """Write one page, a redirect, or an answer that it has not been modified. Raises DiskFull.

        It is safe once the store has committed an `end` behind it.
        """
        if self._is_full:
            self._finish_file()
        if self._file is None:
            self._start_file(date)
        digest = facts.digest or payload_digest(response.body)
        original = self._original(response, facts.same_as, digest)
        if original and response.status == NOT_MODIFIED:
            digest = ""  # such an answer has no payload
        packed = [self._pack(record) for record in page_records(response, date, facts, digest, original)]
        location = self._write(b"".join(packed))
        if location.file not in self._reread:
            capture = Capture.of_page(response, date, digest, is_revisit=original is not None)
            self._lines.append((location.offset, capture_line(capture, location, len(packed[0]))))
        return location

    def end(self) -> Location | None:
        """Tell the end of the archive, for the store to commit; None while it is empty."""
        return Location(self._name, self._length) if self._name else None

    def flush(self) -> Location | None:
        """The end is committed: only now may files be finished up to it."""
        self._flushed = self._length
        self._is_full = self._is_full or self._length >= self._max_file_bytes
        return self.end()

    def read(self, location: Location) -> Response:
        """Read a page back."""
        return read_page(self.folder, location)

    def close(self) -> None:
        """Finish the last file, without the pages that were never flushed, and the index."""
        if self._file is not None:
            self._finish_file()
        else:
            self._update_index({})

    def _rewind(self, committed: Location | None) -> int:
        with disk_errors(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)
            if committed is None:
                files.clear(self.folder)
                return 0
            remove_parts(self.folder)
            rewound = files.rewind(self.folder, committed)
        if rewound.changed:
            self._reread.add(committed.file)
        return rewound.lost_bytes

    def _start_file(self, date: datetime) -> None:
        if self._name and not self._is_full:
            self._reread.add(self._name)
            self._file = self._opened(self._name)
            return
        self._name = files.next_name(self._name, date, self._compression)
        self._pack = _packer(self._compression)
        self._length = self._flushed = 0
        self._is_full = False
        self._lines = []
        self._file = self._opened(self._name)
        self._write(self._pack(info_record(self._name, date, self._info)))

    def _opened(self, name: str) -> io.FileIO:
        path = self.folder / (name + files.OPEN)
        with disk_errors(path):
            with suppress(FileNotFoundError):  # a new file has no finished name yet
                (self.folder / name).rename(path)
            return io.FileIO(path, "ab")

    def _finish_file(self) -> None:
        if self._file is None or self._name is None:
            return
        path = self.folder / (self._name + files.OPEN)
        with disk_errors(path), self._file as file:
            file.truncate(self._flushed)
        self._file = None
        with disk_errors(path):
            if self._flushed:
                # The index first: killed in between, it knows too much rather than too little.
                self._update_index({self._name: [line for at, line in self._lines if at < self._flushed]})
                path.rename(self.folder / self._name)
            else:
                path.unlink()
                self._update_index({})

    def _update_index(self, written: dict[str, list[bytes]]) -> None:
        try:
            write_cdxj(self.folder, written | {name: file_lines(self.folder, name) for name in self._reread})
            self._reread.clear()
        except OSError:
            # No reason to stop a crawl: without an index the next one is made of all files again.
            with suppress(OSError):
                (self.folder / INDEX_NAME).unlink(missing_ok=True)

    def _original(self, response: Response, same_as: Location | None, digest: str) -> Original | None:
        """What a page may be archived as a revisit of; nothing where that cannot be read, or differs."""
        if same_as is None:
            return None
        with suppress(StoreError):
            original = _find_original(self.folder, same_as)
            if response.status == NOT_MODIFIED or original.digest == digest:
                return original
        return None

    def _write(self, packed: bytes) -> Location:
        assert self._file is not None
        assert self._name is not None
        location = Location(self._name, self._length)
        with disk_errors(self.folder):
            self._length += _write_all(self._file, packed, self._length)
        return location


def read_page(folder: Path, location: Location) -> Response:
    """Read the page at a location; the crawl may be writing meanwhile. Raises StoreError."""
    with _record_at(folder, location) as record:
        reference = referred_location(record)
        own = read_capture(record)
    if reference is None:
        return own
    with _record_at(folder, reference) as record:
        original = read_capture(record)
    # "Not modified" says only that the original still stands.
    return replace(original, url=own.url) if own.status == NOT_MODIFIED else replace(own, body=original.body)


def _find_original(folder: Path, location: Location) -> Original:
    with _record_at(folder, location) as record:
        reference = referred_location(record)
        if reference is None:
            return read_original(record, location)
    with _record_at(folder, reference) as record:
        return read_original(record, reference)


@contextmanager
def _record_at(folder: Path, location: Location) -> Iterator[WarcRecord]:
    path = files.readable_path(folder, location.file)
    try:
        if files.file_number(location.file) is None:
            raise ValueError("that is no file of a page archive")
        with path.open("rb") as file:
            file.seek(location.offset)
            yield next(iter(ArchiveIterator(file, parse_http=False)))
    except (OSError, EOFError, StopIteration, KeyError, ValueError) as error:
        where = f"byte {location.offset} of {path}"
        raise StoreError(f"the page at {where} cannot be read: {error or 'nothing is there'}") from error


def _packer(compression: files.Compression) -> Callable[[bytes], bytes]:
    """Each record is packed alone, so that it can be read alone."""
    if compression == "gzip":
        return partial(isal_zlib.compress, level=GZIP_LEVEL, wbits=_GZIP_WINDOW)
    from zstandard import ZstdCompressor

    return ZstdCompressor(level=ZSTD_LEVEL, write_checksum=True).compress


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
