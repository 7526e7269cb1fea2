"""The crawl log for people and other tools: Heritrix's `crawl.log` lines, and the same as JSON lines.

Written after each commit, so it never tells of pages that were lost; the store remains the truth.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from honeyguide.model import Failure, Visit
from honeyguide.store.disk import disk_errors
from honeyguide.store.folder import CRAWL_LOGS

_UNPRINTABLE = re.compile(r"[^\x21-\x7e]+")
LONGEST_PATH = 50
# Heritrix's codes for what went wrong before any HTTP status.
HERITRIX_CODES = {
    "HostUnreachable": -2,
    "FetchTimeout": -4,
    "TooLarge": -6,
    "NotText": -5000,
    "AddressForbidden": -5001,
    "RobotsDenied": -9998,
}
RUNTIME_EXCEPTION = -5


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One attempt to fetch a url."""

    time: float
    status: int
    bytes: int
    url: str
    depth: int
    via: str
    content_type: str
    seconds: float
    digest: str
    relevance: float | None
    note: str

    @classmethod
    def of_visit(cls, visit: Visit) -> LogEntry:
        """A page that was had."""
        return cls(
            visit.time,
            visit.status,
            visit.bytes,
            visit.url,
            visit.depth,
            visit.via,
            visit.content_type,
            visit.seconds,
            visit.digest,
            visit.relevance,
            "",
        )

    @classmethod
    def of_failure(cls, failure: Failure) -> LogEntry:
        """A page that was not."""
        code = failure.status or HERITRIX_CODES.get(failure.error, RUNTIME_EXCEPTION)
        note = f"{failure.error}:try{failure.tries}"
        return cls(failure.time, code, 0, failure.url, failure.depth, failure.via, "", 0.0, "", None, note)

    def line(self) -> str:
        """As Heritrix writes it: twelve columns, a dash where there is nothing."""
        moment = datetime.fromtimestamp(self.time, UTC)
        began = datetime.fromtimestamp(self.time - self.seconds, UTC)
        stamp = moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
        took = f"{began:%Y%m%d%H%M%S}{began.microsecond // 1000:03d}+{round(self.seconds * 1000)}"
        note = self.note or (f"relevance:{self.relevance:.4f}" if self.relevance is not None else "")
        columns = [
            *(stamp, f"{self.status:5d}", f"{self.bytes or '-':>10}", _cell(self.url)),
            *("L" * min(self.depth, LONGEST_PATH) or "-", _cell(self.via)),
            *(_cell(self.content_type.partition(";")[0]), "#000", took, _cell(self.digest), "-", _cell(note)),
        ]
        return " ".join(columns)

    def as_json(self) -> str:
        """The same as one JSON object."""
        columns = {name: getattr(self, name) for name in self.__slots__}
        return json.dumps(columns, ensure_ascii=True)


def _cell(text: str) -> str:
    if text.isascii() and text.isprintable() and " " not in text:  # as nearly all are
        return text or "-"
    return _UNPRINTABLE.sub("_", text.strip()) or "-"


class CrawlLog:
    """Appends to `crawl.log` and `crawl.jsonl` in the crawl's folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lines, self._objects = ((folder / name).open("a", encoding="utf-8") for name in CRAWL_LOGS)

    def add(self, entries: Iterable[LogEntry]) -> None:
        """Append entries."""
        written = [(entry.line(), entry.as_json()) for entry in entries]
        if not written:
            return
        with disk_errors(self._folder):
            for file, lines in zip((self._lines, self._objects), zip(*written, strict=True), strict=True):
                file.write("\n".join((*lines, "")))
            self._lines.flush()
            self._objects.flush()

    def close(self) -> None:
        """Close both files; where the disk is full, what they had yet to say is lost with the batch."""
        for file in (self._lines, self._objects):
            with suppress(OSError):
                file.close()
