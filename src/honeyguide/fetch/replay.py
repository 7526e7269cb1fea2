"""The recorded web: the crawl loop runs on it as on the live one. Called by assembly and the lab.

A recording is a corpus folder, WARC files, or the folder of an earlier crawl. Its first use builds an index
in the cache folder; nothing is ever written beside the recording.
"""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from honeyguide.errors import HttpStatusError, ImportFailed, NotRecorded
from honeyguide.fetch.base import NEVER_SEEN, Fetcher
from honeyguide.fetch.corpus import index_corpus
from honeyguide.fetch.recording import Recording
from honeyguide.fetch.recording_index import FORMAT_VERSION, IndexWriter, Progress
from honeyguide.fetch.warc_index import index_warcs
from honeyguide.files import cache_folder, whole_file
from honeyguide.model import Response, Validators

_WARC_ENDINGS = (".warc", ".warc.gz", ".warc.zst", ".warc.gz.open", ".warc.zst.open")
_ARC_ENDINGS = (".arc", ".arc.gz")
_EXPECTED = (
    "a folder with pages.jsonl(.gz), WARC files (.warc, .warc.gz, .warc.zst), or the folder of a crawl"
)


class ReplayFetcher(Fetcher):
    """Fetches from a recording, as if the web were as it was recorded."""

    def __init__(self, recording: Recording) -> None:
        self.recording = recording

    async def fetch(self, url: str, validators: Validators = NEVER_SEEN) -> Response:
        """Give the recorded page; of what was not recorded nobody knows anything, recorded errors are raised."""
        response = self.recording.response(url)
        if response is None:
            raise NotRecorded
        if response.status >= 400:
            raise HttpStatusError(response.status)
        return response

    async def close(self) -> None:
        """Close the recording."""
        self.recording.close()


def open_recording(path: Path, progress: Progress | None = None) -> Recording:
    """Open the recording at a path. `progress` is told bytes read and bytes in all while it is indexed."""
    source = _recognize(path)
    index = cache_folder("recordings") / _index_name(path.resolve(), source.files)
    with suppress(sqlite3.DatabaseError):  # no index yet, or one that a power cut left torn
        return Recording(index)
    _build(source, index, progress or _silent)
    _remove_outdated(index)
    return Recording(index)


def check_recording(path: Path) -> None:
    """Raise ImportFailed if there is no recording at a path; nothing of it is read yet."""
    _recognize(path)


@dataclass(frozen=True)
class _Source:
    path: Path
    files: Sequence[Path]
    read: Callable[[Sequence[Path], IndexWriter, Progress], None]


def _recognize(path: Path) -> _Source:
    try:
        names = sorted(path.iterdir()) if path.is_dir() else [path]
        path.stat()
        if corpus := _corpus_files(path):
            return _Source(path, corpus, index_corpus)
        if (path / "archive").is_dir():
            names = sorted((path / "archive").iterdir())
    except OSError as error:
        raise ImportFailed(f"{path} cannot be read: {error.strerror}. Expected {_EXPECTED}.") from error
    return _Source(path, _warc_files(path, names), index_warcs)


def _corpus_files(folder: Path) -> list[Path]:
    pages, links = (_plain_or_gz(folder, name) for name in ("pages.jsonl", "links.tsv"))
    return [file for file in (pages, links) if file] if pages else []


def _plain_or_gz(folder: Path, name: str) -> Path | None:
    return next((file for file in (folder / name, folder / f"{name}.gz") if file.is_file()), None)


def _warc_files(path: Path, names: Sequence[Path]) -> list[Path]:
    for file in names:
        if file.name.endswith(_ARC_ENDINGS):
            new = file.name.replace(".arc", ".warc")
            raise ImportFailed(
                f"{file} is in the old ARC format. Convert it first: warcio recompress {file.name} {new}"
            )
    # A file the user names may be called anything; in a folder the name is all there is to go by.
    files = [file for file in names if file == path or file.name.endswith(_WARC_ENDINGS)]
    if not files:
        raise ImportFailed(f"{path} holds no recorded web. Expected {_EXPECTED}.")
    return files


def _index_name(path: Path, files: Sequence[Path]) -> str:
    state = [(str(file.resolve()), stat.st_size, stat.st_mtime_ns) for file in files if (stat := file.stat())]
    return f"{_short_hash(str(path))}-{_short_hash(repr((FORMAT_VERSION, state)))}.sqlite"


def _short_hash(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:20]


def _build(source: _Source, index: Path, progress: Progress) -> None:
    """Under a temporary name first: a build that dies, or a second one at the same time, does no harm."""
    try:
        index.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(index) as part:
            _write(source, part, progress)
    except (OSError, sqlite3.Error) as error:
        raise ImportFailed(
            f"the index of {source.path} cannot be written in {index.parent}: {_reason(error)}."
            " Set HONEYGUIDE_CACHE to a folder with room that may be written."
        ) from error


def _write(source: _Source, index: Path, progress: Progress) -> None:
    with closing(IndexWriter(index)) as writer:
        source.read(source.files, writer, progress)
        pages = writer.finish()
    if not pages:
        skipped = f"; {writer.skipped} unusable entries were skipped" if writer.skipped else ""
        raise ImportFailed(f"{source.path} holds no page{skipped}. Expected {_EXPECTED}.")


def _reason(error: OSError | sqlite3.Error) -> str:
    if isinstance(error, OSError) and error.errno:
        return f"{errno.errorcode.get(error.errno, '')} {error.strerror}".strip()
    return str(error)


def _remove_outdated(index: Path) -> None:
    """Indexes of the same path in a former state of its files will not be asked for again."""
    for old in index.parent.glob(f"{index.name.split('-')[0]}-*.sqlite"):
        if old != index:
            with suppress(OSError):
                old.unlink()


def _silent(done: int, total: int) -> None:
    """Nobody asked about progress."""
