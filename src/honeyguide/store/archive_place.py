"""Where files of the page archive are sent once they are finished: a folder that machines share, or an object store.

A file is there whole or not at all, and never changes. Whatever goes wrong is a StoreError, after a bounded time.
"""

from __future__ import annotations

import errno
import shutil
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from isal import isal_zlib
from zstandard import ZstdDecompressor

from honeyguide.errors import StoreError
from honeyguide.files import whole_file
from honeyguide.model import Location
from honeyguide.store.archive_files import compression_of

CONNECT_SECONDS = 5
READ_SECONDS = 30
TRIES = 2
FIRST_READ = 1 << 16
"""Most pages are shorter, packed; longer ones are asked for in longer and longer pieces."""
LONGEST_READ = 1 << 22
MOST_RECORD_BYTES = 1 << 28
PIECE_BYTES, PIECES_AT_ONCE = 1 << 24, 2
"""Of a long file that is sent to an object store; so many are in memory."""
LONGEST_MESSAGE = 300
INDEX = ".cdxj"
"""Each file has its own index beside it."""
GZIP_WINDOW = 31  # zlib's way to ask for a gzip header


class ArchivePlace(ABC):
    """Files by their names."""

    _patient_until = 0.0

    def patience(self, seconds: float) -> float:
        """How long somebody may wait at its end for what it sends here; many that end together share these seconds."""
        now = time.monotonic()
        if now > self._patient_until + seconds:
            self._patient_until = now + seconds
        return max(self._patient_until - now, 0.0)

    @abstractmethod
    def put(self, file: Path) -> None:
        """Have a file there, under its own name."""

    @abstractmethod
    def size(self, name: str) -> int | None:
        """How long a file is there; None if it is not."""

    @abstractmethod
    def read(self, name: str, start: int, end: int) -> bytes:
        """Some bytes of a file; fewer where it ends before."""


class SharedFolder(ArchivePlace):
    """A folder that all machines see, such as one of NFS."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def put(self, file: Path) -> None:
        """Copy it; it has its name when the disk has it."""
        with _told(self._folder):
            self._folder.mkdir(parents=True, exist_ok=True)
            with whole_file(self._folder / file.name) as part:
                shutil.copyfile(file, part)

    def size(self, name: str) -> int | None:
        """As the folder says."""
        with _told(self._folder):
            try:
                return (self._folder / name).stat().st_size
            except FileNotFoundError:
                # A folder that is not mounted must not look like one from which everything was lost.
                if self._folder.parent.is_dir():
                    return None
                raise

    def read(self, name: str, start: int, end: int) -> bytes:
        """As any file."""
        with _told(self._folder), (self._folder / name).open("rb") as file:
            file.seek(start)
            return file.read(end - start)


class ObjectStore(ArchivePlace):
    """A bucket of S3, or of what speaks as S3 does; keys and the address of the server are in the environment."""

    def __init__(self, address: str) -> None:
        try:
            import s3fs
        except ImportError as error:
            raise StoreError(
                f"an archive at {address} needs the extra `objects`: pip install 'honeyguide[objects]'"
            ) from error

        limits = {
            "connect_timeout": CONNECT_SECONDS,
            "read_timeout": READ_SECONDS,
            "retries": {"max_attempts": 0},
        }
        self._address = address
        with _told(address):
            self._files: Any = s3fs.S3FileSystem(
                config_kwargs=limits, use_listings_cache=False, skip_instance_cache=True
            )
            self._files.retries = TRIES
            self._root = self._files._strip_protocol(address)

    def put(self, file: Path) -> None:
        """Send it; an object is there when all of it has come."""
        with _told(self._address):
            there = f"{self._root}/{file.name}"
            self._files.put_file(str(file), there, chunksize=PIECE_BYTES, max_concurrency=PIECES_AT_ONCE)

    def size(self, name: str) -> int | None:
        """By one question."""
        with _told(self._address):
            try:
                return int(self._files.info(f"{self._root}/{name}")["size"])
            except FileNotFoundError:
                return None

    def read(self, name: str, start: int, end: int) -> bytes:
        """A range request."""
        with _told(self._address):
            try:
                found: bytes = self._files.cat_file(f"{self._root}/{name}", start=start, end=end)
            except OSError as error:
                if error.errno == errno.EINVAL:  # what begins at the very end cannot be had, says HTTP
                    return b""
                raise
            return found


@contextmanager
def _told(where: object) -> Iterator[None]:
    try:
        yield
    except StoreError:
        raise
    except Exception as error:  # libraries of object stores have dozens of their own
        raise StoreError(f"{where}: {str(error)[:LONGEST_MESSAGE] or type(error).__name__}") from error


def check_address(address: str) -> None:
    """Raise StoreError for an address where no archive can be."""
    parts = urlsplit(address)
    if parts.scheme == "file" and parts.netloc in ("", "localhost") and len(parts.path) > 1:
        return
    if parts.scheme == "s3" and parts.netloc and "@" not in parts.netloc and not parts.query:
        return
    raise StoreError(
        f"output.archive_at is {address[:100]!r}; it must be like s3://bucket/bees or file:///shared/bees, and keys"
        " belong into the environment"
    )


@lru_cache(32)
def place_at(address: str) -> ArchivePlace:
    """The place that an address names. Raises StoreError."""
    check_address(address)
    parts = urlsplit(address)
    if parts.scheme == "file":
        return SharedFolder(Path(unquote(parts.path)))
    return ObjectStore(address.rstrip("/"))


def pieces(place: ArchivePlace, name: str, start: int = 0, end: int | None = None) -> Iterator[bytes]:
    """The bytes of a file from one to another or to its end, of which only as much is asked for as is taken."""
    wanted = FIRST_READ
    while end is None or start < end:
        piece = place.read(name, start, start + wanted if end is None else min(start + wanted, end))
        if not piece:
            return
        yield piece
        start += len(piece)
        wanted = min(2 * wanted, LONGEST_READ)


def index_lines(place: ArchivePlace, name: str) -> Iterator[bytes]:
    """The index that was sent with a file, line by line."""
    rest = b""
    for piece in pieces(place, name + INDEX):
        *lines, rest = (rest + piece).split(b"\n")
        yield from (line + b"\n" for line in lines)


def record_at(place: ArchivePlace, location: Location) -> bytes:
    """The record at a location, unpacked; no more than it is asked for, but for the rest of a piece."""
    unpacker: Any = (
        ZstdDecompressor().decompressobj()
        if compression_of(location.file) == "zstd"
        else isal_zlib.decompressobj(wbits=GZIP_WINDOW)
    )
    found: list[bytes] = []
    for piece in pieces(place, location.file, location.offset):
        try:
            found.append(unpacker.decompress(piece))
        except Exception as error:  # both libraries have their own
            raise EOFError(str(error)) from error
        if unpacker.eof:
            return b"".join(found)
        if sum(map(len, found)) > MOST_RECORD_BYTES:
            break
    raise EOFError("it is cut short, or no record")
