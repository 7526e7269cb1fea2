"""Reads a corpus folder (pages.jsonl, links.tsv, plain or gzip) into a recording's index. Called by replay.

What is broken is skipped and counted; nothing in the files can stop the reading.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from fastwarc.stream_io import GzipReader

from honeyguide.errors import ImportFailed
from honeyguide.fetch.recording_index import IndexWriter, Progress
from honeyguide.model import Response

if TYPE_CHECKING:
    from typing_extensions import Buffer

MAX_LINE_BYTES = 32 << 20
"""A longer line is skipped, piece by piece."""

_LINES_PER_REPORT = 200
_BUFFER_BYTES = 1 << 18
# A corpus holds decoded text, so what the server said about its bytes is no longer true.
_STALE_HEADERS = frozenset({"content-type", "content-encoding", "content-length", "transfer-encoding"})


class CorpusPage(NamedTuple):
    """One line of pages.jsonl."""

    url: str
    html: str
    labels: list[str]
    headers: Mapping[str, str]


def index_corpus(files: Sequence[Path], index: IndexWriter, progress: Progress) -> None:
    """Put the pages of the first file into the index, and the redirects of the second if there is one."""
    reader = _LineReader(files, index, progress)
    for line in reader.lines(files[0]):
        page = parse_page(line)
        if page is None:
            index.skipped += 1
        else:
            body = page.html.encode("utf-8", "replace")
            index.add_page(Response(page.url, 200, body, _served_headers(page.headers)), page.labels)
    for path in files[1:]:
        for line in reader.lines(path):
            _add_redirect(line, index)


def parse_page(line: bytes) -> CorpusPage | None:
    """Read a line of pages.jsonl; None when it is broken."""
    try:
        page = json.loads(line)
        url, html, labels = page["url"], page["html"], page.get("labels") or []
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    if not (isinstance(url, str) and isinstance(html, str) and isinstance(labels, list)):
        return None
    return CorpusPage(url, html, [_printable(label) for label in labels], _headers(page.get("headers")))


def _printable(label: object) -> str:
    return str(label).encode("utf-8", "replace").decode()


def _headers(recorded: object) -> dict[str, str]:
    """Headers are recorded as a mapping or as the text the server sent."""
    if isinstance(recorded, dict):
        return {str(name).strip().lower(): str(value) for name, value in recorded.items()}
    pairs = (line.partition(":") for line in str(recorded or "").splitlines())
    return {name.strip().lower(): value.strip() for name, colon, value in pairs if colon}


def _served_headers(recorded: Mapping[str, str]) -> dict[str, str]:
    media_type = recorded.get("content-type", "").partition(";")[0].strip() or "text/html"
    kept = {name: value for name, value in recorded.items() if name not in _STALE_HEADERS}
    return {"content-type": f"{media_type}; charset=utf-8", **kept}


def _add_redirect(line: bytes, index: IndexWriter) -> None:
    """Take a link that is written otherwise than its target is recorded: it was as good as a redirect."""
    columns = line.rstrip(b"\r\n").split(b"\t")
    if len(columns) < 3:
        index.skipped += 1
    elif len(columns) > 3 and columns[3]:
        target, written = (columns[at].decode("utf-8", "replace") for at in (1, 3))
        index.add_redirect(written, target)


class _LineReader:
    """Lines of bounded length from files that may be cut short."""

    def __init__(self, files: Sequence[Path], index: IndexWriter, progress: Progress) -> None:
        self._index = index
        self._progress = progress
        self._done = 0
        self._total = sum(file.stat().st_size for file in files)

    def lines(self, path: Path) -> Iterator[bytes]:
        try:
            with path.open("rb") as file:
                stream = io.BufferedReader(_Unpacked(file), _BUFFER_BYTES) if path.suffix == ".gz" else file
                for count, line in enumerate(self._bounded(stream), 1):
                    if count % _LINES_PER_REPORT == 0:
                        self._progress(self._done + file.tell(), self._total)
                    yield line
        except OSError as error:
            if error.errno:
                raise ImportFailed(f"{path} cannot be read: {error.strerror}.") from error
            self._index.skipped += 1  # no fault of the disk: this is no gzip from here on
        self._done += path.stat().st_size
        self._progress(self._done, self._total)

    def _bounded(self, stream: io.BufferedIOBase | BinaryIO) -> Iterator[bytes]:
        while line := stream.readline(MAX_LINE_BYTES):
            if len(line) < MAX_LINE_BYTES or line.endswith(b"\n"):
                yield line
                continue
            self._index.skipped += 1
            while (rest := stream.readline(_BUFFER_BYTES)) and not rest.endswith(b"\n"):
                pass


class _Unpacked(io.RawIOBase):
    """A gzip file that ends where it is cut short; the line cut in two there is counted as broken."""

    def __init__(self, file: BinaryIO) -> None:
        self._gzip = GzipReader(file)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Buffer) -> int:
        view = memoryview(buffer)
        content = self._gzip.read(len(view))
        view[: len(content)] = content
        return len(content)
