"""The index of the page archive for replay tools such as pywb: one sorted line a capture, in `index.cdxj`.

It only repeats what the finished WARC files say, and is made from them again where it is missing.
Written by the archive whenever a file is finished, from what it knows of its pages; cdxj-indexer would read every file
again, and does not read zstd.
"""

from __future__ import annotations

import heapq
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from fastwarc.warc import ArchiveIterator, WarcRecord, WarcRecordType

from honeyguide.files import whole_file
from honeyguide.model import Location, Response
from honeyguide.store.archive_files import finished_files, readable_path
from honeyguide.store.warc_records import MAX_HEADER_BYTES
from honeyguide.surt import archive_key

INDEX_NAME = "index.cdxj"

_FILE_OF_LINE = re.compile(rb'"filename": "([^"]+)"\}\n\Z')
_MEDIA_TYPE = re.compile(r"[a-z0-9.+-]+/[a-z0-9.+-]+")
_NO_DIGITS = re.compile(r"[^0-9]+")
_REVISIT = "warc/revisit"
_CAPTURES = (WarcRecordType.response, WarcRecordType.revisit)


class Capture(NamedTuple):
    """What a line says of one capture, besides where it stands."""

    url: str
    timestamp: str  # 14 digits
    status: int
    content_type: str
    digest: str
    is_revisit: bool

    @classmethod
    def of_page(cls, page: Response, date: datetime, digest: str, is_revisit: bool) -> Capture:
        """The capture a page is archived as."""
        timestamp = date.astimezone(UTC).strftime("%Y%m%d%H%M%S")
        return cls(page.url, timestamp, page.status, page.content_type, digest, is_revisit)


def write_cdxj(folder: Path, fresh: Mapping[str, Iterable[bytes]] | None = None) -> None:
    """Bring the index up to date with the finished files. Raises OSError, and then the old index stays.

    `fresh` gives the lines of files that have changed, or are about to be finished; of any other file that
    the index does not know the lines are read from the file itself.
    """
    new = dict(fresh or {})
    old = folder / INDEX_NAME
    finished = set(finished_files(folder)) - set(new)
    known = set(_files_of(old))
    new |= {name: file_lines(folder, name) for name in sorted(finished - known)}
    if new or not known <= finished:
        _replace(old, heapq.merge(_lines_of(old, finished), sorted(_flattened(new))))


def lines_of_files(folder: Path, names: Iterable[str], end: Location) -> Iterator[bytes]:
    """The lines of some files, sorted; of the last one, which may be written to, up to the committed end."""
    index, known = folder / INDEX_NAME, set(_files_of(folder / INDEX_NAME)) - {end.file}
    new = {name: file_lines(folder, name) for name in names if name not in known and name != end.file}
    new[end.file] = file_lines(folder, end.file, end.offset)
    return heapq.merge(_lines_of(index, known & set(names)), sorted(_flattened(new)))


def file_lines(folder: Path, name: str, end: int | None = None) -> list[bytes]:
    """Read the lines of one WARC file from its records, up to the first damage, or to an end."""
    path = readable_path(folder, name)
    lines: list[bytes] = []
    with suppress(OSError, EOFError), path.open("rb") as file:
        size = path.stat().st_size if end is None else end
        last: tuple[Capture, int] | None = None  # its length is known when the next record begins
        for record in ArchiveIterator(file, parse_http=False):
            if last:
                lines.append(capture_line(last[0], Location(name, last[1]), record.stream_pos - last[1]))
                last = None
            if record.stream_pos >= size:
                break
            last = _capture(record)
        if last:
            lines.append(capture_line(last[0], Location(name, last[1]), size - last[1]))
    return lines


def capture_line(capture: Capture, location: Location, length: int) -> bytes:
    """One line of the index."""
    fields = {
        "url": capture.url,
        "mime": _REVISIT if capture.is_revisit else _media_type(capture.content_type),
        "status": "" if capture.is_revisit else str(capture.status),
        "digest": capture.digest.removeprefix("sha1:"),
        "length": str(length),
        "offset": str(location.offset),
        "filename": location.file,
    }
    told = json.dumps({key: value for key, value in fields.items() if value})
    return f"{archive_key(capture.url)} {capture.timestamp} {told}\n".encode("utf-8", "replace")


def _capture(record: WarcRecord) -> tuple[Capture, int] | None:
    """The capture in a record, with its offset; None in a record that holds none. Raises EOFError."""
    offset, headers = record.stream_pos, record.headers
    url = headers.get("WARC-Target-URI") or ""
    if record.record_type not in _CAPTURES or not url.startswith(("http://", "https://")):
        return None
    record.parse_http(max_header_len=MAX_HEADER_BYTES)
    http, length = record.http_headers, record.content_length
    if record.consume() < length:
        raise EOFError
    capture = Capture(
        url=url,
        timestamp=_NO_DIGITS.sub("", headers.get("WARC-Date") or "")[:14],
        status=(http.status_code if http else 0) or 0,
        content_type=(http.get("content-type") if http else "") or "",
        digest=headers.get("WARC-Payload-Digest") or "",
        is_revisit=record.record_type == WarcRecordType.revisit,
    )
    return capture, offset


def _media_type(content_type: str) -> str:
    bare = content_type.partition(";")[0].strip().lower()
    return bare if _MEDIA_TYPE.fullmatch(bare) else "unk"


def _files_of(index: Path) -> Iterator[str]:
    for line in _read(index):
        if match := _FILE_OF_LINE.search(line):
            yield match[1].decode("utf-8", "replace")


def _lines_of(index: Path, names: set[str]) -> Iterator[bytes]:
    wanted = {name.encode() for name in names}
    for line in _read(index):
        match = _FILE_OF_LINE.search(line)
        if match and match[1] in wanted:
            yield line


def _read(index: Path) -> Iterator[bytes]:
    with suppress(FileNotFoundError), index.open("rb") as file:
        yield from file


def _flattened(lines: Mapping[str, Iterable[bytes]]) -> list[bytes]:
    return [line for some in lines.values() for line in some]


def _replace(index: Path, lines: Iterable[bytes]) -> None:
    with whole_file(index) as part, part.open("wb") as file:
        file.writelines(lines)
