"""The archive of fetched pages: WARC/1.1 files that hold exactly what the store committed.

The engine appends a batch, has the store commit the archive's `end` with it, and then calls `flush`.
Reports and the console read single pages with `read_page`, also while a crawl is writing.
"""

from __future__ import annotations

import io
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import IO

from fastwarc.warc import ArchiveIterator, WarcRecord

from honeyguide.errors import StoreError
from honeyguide.files import remove_parts
from honeyguide.model import NOT_MODIFIED, Location, Response
from honeyguide.store import archive_files as files
from honeyguide.store.archive_place import place_at, record_at
from honeyguide.store.cdxj import INDEX_NAME, Capture, capture_line, file_lines, write_cdxj
from honeyguide.store.disk import disk_errors
from honeyguide.store.gzip_member import gzip_member
from honeyguide.store.sending import SEND_SECONDS, Sender
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

ZSTD_LEVEL = 1
"""A tenth smaller than gzip in the same time; level 3 gains nothing on single pages."""


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
        sender: Sender | None = None,
    ) -> None:
        self.folder = folder
        self._sender = sender
        self._begun = 0.0  # when the file was started that is being written
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
        # Behind a gap nothing may be written: the locations in it would then lead to other pages. Nor to what was sent.
        self._is_full = self._length >= max_file_bytes or self.lost_bytes > 0 or sender is not None

    def append(self, response: Response, date: datetime, facts: PageFacts) -> Location:
        """Write one page, a redirect, or an answer that it has not been modified. Raises DiskFull.

        It is safe once the store has committed an `end` behind it.
        """
        if self._is_full:
            self._finish_file()
        if self._file is None:
            self._start_file(date)
        if self._sender:
            # A later revisit could not tell how its original is packed without asking for it over the network.
            response = replace(response, packed=b"")
        body_digest = facts.digest or payload_digest(response.body)
        original = self._original(response, facts.same_as, body_digest)
        digest = _digest_of_payload(response, body_digest, original)
        packed = [self._pack(*record) for record in page_records(response, date, facts, digest, original)]
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
        if self._sender:
            self._is_full = self._is_full or time.monotonic() - self._begun >= SEND_SECONDS
            self._sender.note()
        return self.end()

    def read(self, location: Location) -> Response:
        """Read a page back."""
        return read_page(self.folder, location)

    def close(self) -> None:
        """Finish the last file, and send it where files are sent."""
        self.finish()
        if self._sender:
            self._sender.close()

    def finish(self) -> None:
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
            if self._sender:
                files.remove_open(self.folder)  # another machine has gone on since, and asked for them again
                if rewound.lost_bytes:
                    (self.folder / committed.file).unlink(
                        missing_ok=True
                    )  # cut short: all of it is asked for again
                return 0
        if rewound.changed:
            self._reread.add(committed.file)
        return rewound.lost_bytes

    def _start_file(self, date: datetime) -> None:
        if self._name and not self._is_full:
            self._reread.add(self._name)
            self._file = self._opened(self._name)
            return
        shard = self._sender.shard if self._sender else 0
        self._name = files.next_name(self._name, date, self._compression, shard)
        if self._sender:
            self._sender.begin(self._name)
        self._begun = time.monotonic()
        self._pack = _packer(self._compression)
        self._length = self._flushed = 0
        self._is_full = False
        self._lines = []
        self._file = self._opened(self._name)
        self._write(self._pack(*info_record(self._name, date, self._info)))

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
                lines = [line for at, line in self._lines if at < self._flushed]
                # The index first: killed in between, it knows too much rather than too little.
                self._update_index({self._name: lines})
                path.rename(self.folder / self._name)
                if self._sender:
                    self._sender.offer(self._name, lines)
            else:
                path.unlink()
                self._update_index({})
                if self._sender:
                    self._sender.forget(self._name)

    def _update_index(self, written: dict[str, list[bytes]]) -> None:
        if self._sender:  # with each file goes its own
            return
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
            original = self._find_original(same_as, digest, len(response.body))
            if response.status == NOT_MODIFIED or original.body_digest == digest:
                return original
        return None

    def _find_original(self, location: Location, digest: str, body_bytes: int) -> Original:
        is_here = files.readable_path(self.folder, location.file).exists()
        if is_here or not (self._sender and self._sender.is_readable(location.file)):
            return _find_original(self.folder, location)
        # Nobody is asked over the network for each page that was seen before: where it stands is enough to find it.
        return Original(location, "", "", "", digest, digest, body_bytes)

    def _write(self, packed: bytes) -> Location:
        assert self._file is not None
        assert self._name is not None
        location = Location(self._name, self._length)
        with disk_errors(self.folder):
            self._length += _write_all(self._file, packed, self._length)
        return location


def _digest_of_payload(response: Response, body_digest: str, original: Original | None) -> str:
    """Of what is archived for a page; a revisit has that of its original, and one that says "not modified" none."""
    if original:
        return "" if response.status == NOT_MODIFIED else original.digest
    return payload_digest(response.packed) if response.packed else body_digest


def nowhere(file: str) -> str:
    """The address of files that were never sent away."""
    return ""


def read_page(folder: Path, location: Location, address_of: Callable[[str], str] = nowhere) -> Response:
    """Read the page at a location, from the folder or from where `address_of` says that its file was sent.

    The crawl may be writing meanwhile. Raises StoreError.
    """
    with _record_at(folder, location, address_of) as record:
        reference = referred_location(record)
        own = read_capture(record)
    if reference is None:
        return own
    with _record_at(folder, reference, address_of) as record:
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
def _record_at(
    folder: Path, location: Location, address_of: Callable[[str], str] = nowhere
) -> Iterator[WarcRecord]:
    path = files.readable_path(folder, location.file)
    try:
        if files.file_number(location.file) is None:
            raise ValueError("that is no file of a page archive")
        with _opened_at(path, location, address_of) as file:
            yield next(iter(ArchiveIterator(file, parse_http=False)))
    except (OSError, EOFError, StopIteration, KeyError, ValueError) as error:
        where = f"byte {location.offset} of {path}"
        raise StoreError(f"the page at {where} cannot be read: {error or 'nothing is there'}") from error


def _opened_at(path: Path, location: Location, address_of: Callable[[str], str]) -> IO[bytes]:
    try:
        file = path.open("rb")
        file.seek(location.offset)
        return file
    except FileNotFoundError:
        # Asked only now: whoever removes a file has said before where it was sent.
        if not (address := address_of(location.file)):
            raise
        # fastwarc would seek, and takes errors of a network for its own.
        return io.BytesIO(record_at(place_at(address), location))


def _packer(compression: files.Compression) -> Callable[..., bytes]:
    """Each record is packed alone, so that it can be read alone."""
    if compression == "gzip":
        return gzip_member
    from zstandard import ZstdCompressor

    packer = ZstdCompressor(level=ZSTD_LEVEL, write_checksum=True)
    return lambda *parts: packer.compress(b"".join(parts))


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
