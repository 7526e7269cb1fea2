"""A crawl as a WACZ 1.1.1: its page archive with index and lists of pages in one zip, as replay tools open it.

It comes as chunks, so that nobody needs the room for a second archive: whoever asks writes them to a file, or sends
them on. Only what the store has committed goes in, also while the crawl runs.
"""

from __future__ import annotations

import gzip
import hashlib
import heapq
import json
import re
import tempfile
import weakref
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import IO, Any

from honeyguide.errors import SettingsError, StoreError
from honeyguide.model import Location, Visit
from honeyguide.store.archive_files import compression_of, finished_files, readable_path
from honeyguide.store.archive_place import index_lines, pieces, place_at
from honeyguide.store.archived_files import ArchivedFile
from honeyguide.store.cdxj import lines_of_files
from honeyguide.store.folder import ARCHIVE
from honeyguide.store.reader import Reader
from honeyguide.version import __version__

VERSION = "1.1.1"
CHUNK = 1 << 18
LINES_AT_ONCE = 1_000
"""Of the index, in one member of gzip: what a replay tool reads to find one page."""

_PAGES, _EXTRA_PAGES = "pages/pages.jsonl", "pages/extraPages.jsonl"
_INDEX, _INDEX_OF_INDEX = "indexes/index.cdx.gz", "indexes/index.idx"
_NOT_IN_A_NAME = re.compile(r"[^a-z0-9._-]+")


class Wacz:
    """What goes into one, as of the moment it is made; `chunks` are its bytes, once."""

    def __init__(self, reader: Reader, title: str, relevant_above: float) -> None:
        self._folder = reader.folder / ARCHIVE
        self._title = title
        end = reader.archive_end()
        self._elsewhere = {name: file for name, file in reader.archive_files().items() if file.address}
        if not self._elsewhere and (end is None or not self._folder.is_dir()):
            raise StoreError(
                "no page of this crawl is kept (output.archive): there is nothing to put into a WACZ"
            )
        self._sizes = _sizes(self._folder, end, self._elsewhere)
        here = [name for name in self._sizes if name not in self._elsewhere]
        sent = [index_lines(place_at(file.address), file.name) for file in self._elsewhere.values()]
        own = lines_of_files(self._folder, here, end) if end else iter(())
        self._index = heapq.merge(own, *sent)
        # Read at once: whoever takes the chunks slowly does not hold the crawl's log.
        self._lists = {
            _PAGES: _listed(_relevant(reader, relevant_above), "pages", "Relevant pages"),
            _EXTRA_PAGES: _listed(_others(reader, relevant_above), "extra-pages", "All other pages"),
        }

        # Whoever goes away before the first chunk leaves nothing open, either.
        weakref.finalize(self, _close, [*self._lists.values()])

    def chunks(
        self, on_bytes: Callable[[int, int | None], None] = lambda done, total: None
    ) -> Iterator[bytes]:
        """The zip, a chunk at a time."""
        done, total = 0, sum(self._sizes.values())
        made = _Package()
        try:
            for path, file in self._lists.items():
                yield from made.member(path, _read(file))
            blocks = _Blocks(self._index)
            yield from made.member(_INDEX, blocks.packed(), is_packed=True)
            yield from made.member(_INDEX_OF_INDEX, blocks.places())
            for name, size in self._sizes.items():
                for chunk in made.member(f"archive/{name}", self._content(name, size), is_packed=True):
                    yield chunk
                    done += len(chunk)
                    on_bytes(done, total)
            yield from made.end(self._title)
        finally:
            _close(self._lists.values())

    def _content(self, name: str, size: int) -> Iterator[bytes]:
        if file := self._elsewhere.get(name):
            return pieces(place_at(file.address), name, end=size)
        return _prefix(self._folder, name, size)


def _close(files: Iterable[IO[bytes]]) -> None:
    for file in files:
        file.close()


def _sizes(folder: Path, end: Location | None, elsewhere: Mapping[str, ArchivedFile]) -> dict[str, int]:
    """The files of the archive, and how much of each is committed; a crawl in shards has several ends, all sent."""
    found = {file.name: file.bytes for file in elsewhere.values()}
    if end is not None and folder.is_dir():
        found |= {name: (folder / name).stat().st_size for name in finished_files(folder) if name < end.file}
        found[end.file] = end.offset
    if any(compression_of(name) != "gzip" for name in found):
        raise SettingsError("its archive is packed with zstd, and WACZ knows gzip alone (output.compression)")
    return dict(sorted(found.items()))


def _relevant(reader: Reader, above: float) -> Iterator[Visit]:
    return reader.visits(relevant_above=above, last_only=True)


def _others(reader: Reader, above: float) -> Iterator[Visit]:
    held = reader.visits(last_only=True)
    return (visit for visit in held if visit.copy_of is not None or visit.relevance < above)


def _listed(visits: Iterable[Visit], name: str, title: str) -> IO[bytes]:
    """A list of pages in a file that has no name, as it will be in the zip."""
    file = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the package
    file.write(_line({"format": "json-pages-1.0", "id": name, "title": title}))
    for visit in visits:
        if visit.location is not None:
            told = {"id": f"page-{visit.number}", "url": visit.url, "ts": _moment(visit.time)}
            file.write(_line({**told, "title": visit.title or visit.url, "relevance": visit.relevance}))
    file.seek(0)
    return file


def _moment(time: float) -> str:
    return datetime.fromtimestamp(time, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _line(told: dict[str, Any]) -> bytes:
    return json.dumps(told).encode() + b"\n"


def _read(file: IO[bytes]) -> Iterator[bytes]:
    while chunk := file.read(CHUNK):
        yield chunk


def _prefix(folder: Path, name: str, size: int) -> Iterator[bytes]:
    """As much of a file as was committed when the package was begun; it may have got its final name since."""
    try:
        file = readable_path(folder, name).open("rb")
    except FileNotFoundError:
        file = (folder / name).open("rb")
    with file:
        while size and (chunk := file.read(min(CHUNK, size))):
            size -= len(chunk)
            yield chunk
    if size:
        raise StoreError(f"{name} is {size:,} bytes shorter than the crawl remembers; put back a copy of it")


class _Blocks:
    """The index in blocks that are packed one by one, and the first line of each with its place."""

    def __init__(self, lines: Iterator[bytes]) -> None:
        self._lines = lines
        self._places: list[bytes] = []

    def packed(self) -> Iterator[bytes]:
        offset = 0
        while block := [*islice(self._lines, LINES_AT_ONCE)]:
            packed = gzip.compress(b"".join(block), mtime=0)
            key, moment, _ = block[0].split(b" ", 2)
            told = {
                "offset": offset,
                "length": len(packed),
                "digest": f"sha256:{hashlib.sha256(packed).hexdigest()}",
                "filename": Path(_INDEX).name,
            }
            self._places.append(b"%s %s %s" % (key, moment, _line(told)))
            offset += len(packed)
            yield packed

    def places(self) -> Iterator[bytes]:
        yield b"!meta 0 " + _line({"format": "cdxj-gzip-1.0", "filename": Path(_INDEX).name})
        yield from self._places


@dataclass
class _Package:
    """A zip that is taken away while it is written, and the hashes of what is in it."""

    resources: list[dict[str, Any]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._pieces = _Pieces()
        self._zip = zipfile.ZipFile(self._pieces, "w")  # type: ignore[call-overload]
        self._now = datetime.now(UTC)

    def member(self, path: str, content: Iterable[bytes], *, is_packed: bool = False) -> Iterator[bytes]:
        """A file of the package; what is packed already is stored as it is, so that tools can seek in it."""
        info = zipfile.ZipInfo(path, self._now.timetuple()[:6])
        info.compress_type = zipfile.ZIP_STORED if is_packed else zipfile.ZIP_DEFLATED
        digest, size = hashlib.sha256(), 0
        with self._zip.open(info, "w", force_zip64=True) as file:
            for chunk in content:
                file.write(chunk)
                digest.update(chunk)
                size += len(chunk)
                yield self._pieces.taken()
        name = _NOT_IN_A_NAME.sub("-", Path(path).name.lower())
        self.resources.append(
            {"name": name, "path": path, "hash": f"sha256:{digest.hexdigest()}", "bytes": size}
        )

    def end(self, title: str) -> Iterator[bytes]:
        """What describes the package, and its end."""
        told = {
            "profile": "data-package",
            "wacz_version": VERSION,
            "title": title,
            "software": f"honeyguide {__version__}",
            "created": self._now.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "resources": [*self.resources],
        }
        described = json.dumps(told, indent=2).encode()
        yield from self.member("datapackage.json", [described])
        digest = {"path": "datapackage.json", "hash": self.resources[-1]["hash"]}
        yield from self.member("datapackage-digest.json", [json.dumps(digest, indent=2).encode()])
        self._zip.close()
        yield self._pieces.taken()


class _Pieces:
    """Where a zip is written to: it has no end to go back to, so what was written can be taken away."""

    def __init__(self) -> None:
        self._written: list[bytes] = []

    def write(self, piece: bytes) -> int:
        self._written.append(bytes(piece))
        return len(piece)

    def flush(self) -> None:
        """Nothing waits."""

    def taken(self) -> bytes:
        found = b"".join(self._written)
        self._written.clear()
        return found
