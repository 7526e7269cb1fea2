"""Change traces: when each page of a site changed, and nothing else. Made of a repository's history, or made up.

A trace is a JSON file. `honeyguide lab trace` makes one; those in `traces/` are shipped.
"""

from __future__ import annotations

import gzip
import json
import math
import re
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np

from honeyguide.errors import HoneyguideError, SettingsError
from honeyguide.model import Floats, Ids
from honeyguide.store.disk import write_atomically

SHIPPED = Path(__file__).parent / "traces"
MOST_PAGES = 20_000
MOST_CHANGES = 2_000_000
MOST_BYTES = 200_000_000
MOST_SECONDS = 120
DAY_SECONDS = 86_400
PAGE_ENDINGS = (".md", ".rst", ".txt", ".html", ".htm", ".adoc", ".mdx")
_STAMP = re.compile(r"^\x01(\d{1,12})$")
_SIGNED = re.compile(rb"^ -- .*?>  ?(.{10,60})$", re.MULTILINE)
_MOST_CHANGELOG_BYTES = 5_000_000


class Window(NamedTuple):
    """Which part of a history is wanted: so many years, up to a moment in seconds since 1970."""

    years: float = 3.0
    until: float = math.inf


@dataclass(frozen=True)
class Trace:
    """When pages changed, in days from its beginning; a page that was there before is born on day 0."""

    name: str
    about: str  # where it is from; says so where it is made up
    days: float
    sites: Ids  # of each page
    born: Floats
    changes: tuple[Floats, ...]  # of each page, in order, all after its birth

    def __len__(self) -> int:
        return len(self.changes)

    @property
    def yearly(self) -> float:
        """Changes of a page a year."""
        lived = float((self.days - self.born).sum())
        return 365.0 * sum(map(len, self.changes)) / lived if lived else 0.0

    @property
    def rates(self) -> Floats:
        """What nobody knows beforehand: each page's changes a day over all its life."""
        lived = np.maximum(self.days - self.born, 1e-9)
        return np.array([len(own) for own in self.changes]) / lived

    @classmethod
    def of_times(
        cls, name: str, about: str, times: Mapping[str, Iterable[float]], window: Window, of: str = ""
    ) -> Self:
        """A trace of the last years of what has these times (in seconds), the first of each its birth."""
        known = {page: sorted({one for one in own if one <= window.until}) for page, own in times.items()}
        known = {page: own for page, own in known.items() if own}
        if not known:
            raise SettingsError(f"{name}: there is no page with a history {of}".strip())
        if len(known) > MOST_PAGES:
            raise SettingsError(f"{name}: more than {MOST_PAGES:,} pages")
        end = max(own[-1] for own in known.values())
        start = max(end - window.years * 365 * DAY_SECONDS, min(own[0] for own in known.values()))
        sites: dict[str, int] = {}
        places = [sites.setdefault(page.rpartition("/")[0], len(sites)) for page in known]
        first = np.array([own[0] for own in known.values()])
        return cls(
            name,
            about,
            (end - start) / DAY_SECONDS,
            np.array(places, dtype=np.int32),
            np.maximum(first - start, 0.0) / DAY_SECONDS,
            tuple(
                (np.array([time for time in own[1:] if time > start]) - start) / DAY_SECONDS
                for own in known.values()
            ),
        )

    def stretched(self, days: float) -> Self:
        """The same over another time: a young history tells the pattern of changes, if not their pace."""
        times = days / self.days
        changes = tuple(own * times for own in self.changes)
        return type(self)(self.name, self.about, days, self.sites, self.born * times, changes)

    def write(self, path: Path) -> None:
        """Write it, times to some two minutes."""
        stored = {
            "name": self.name,
            "about": self.about,
            "days": round(self.days, 3),
            "sites": self.sites.tolist(),
            "born": [round(day, 3) for day in self.born.tolist()],
            "changes": [[round(day, 3) for day in own.tolist()] for own in self.changes],
        }
        write_atomically(path, json.dumps(stored, separators=(",", ":")) + "\n")

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read one. Raises SettingsError."""
        try:
            if path.stat().st_size > MOST_BYTES:
                raise ValueError(f"more than {MOST_BYTES:,} bytes")
            return cls._of_json(json.loads(path.read_text(encoding="utf-8")))
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise SettingsError(f"{path}: no change trace ({error})") from error

    @classmethod
    def _of_json(cls, stored: Mapping[str, Any]) -> Self:
        changes = tuple(np.array(own, dtype=np.float64) for own in stored["changes"])
        sites, born = np.array(stored["sites"], dtype=np.int32), np.array(stored["born"], dtype=np.float64)
        if not len(changes) == len(sites) == len(born):
            raise ValueError("pages differ in number")
        return cls(str(stored["name"]), str(stored["about"]), float(stored["days"]), sites, born, changes)


def shipped() -> list[Trace]:
    """The traces that come with honeyguide."""
    return [Trace.read(path) for path in sorted(SHIPPED.glob("*.json"))]


def trace_of(folder: Path, name: str, window: Window, under: str = "") -> Trace:
    """Of a git repository's pages, or of a folder of Debian changelogs."""
    if (folder / ".git").exists():
        return _of_repository(folder, name, window, under)
    return _of_changelogs(folder, name, window)


def _of_repository(folder: Path, name: str, window: Window, under: str) -> Trace:
    """Every commit to a file that is a page is a change of it; moved files are new ones."""
    # A list, no shell; what a repository's own settings could run (pagers, monitors, hooks) is off.
    command = [
        *("git", "--no-pager", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"),
        *("-c", "core.quotePath=false", "-C", str(folder), "log", "--no-renames", "--no-merges"),
        *("--no-ext-diff", "--no-textconv", "--name-only", "--format=%x01%ct", "--", under or "."),
    ]
    try:
        done = subprocess.run(command, capture_output=True, timeout=MOST_SECONDS, check=True)
    except (OSError, subprocess.SubprocessError) as error:
        raise HoneyguideError(f"{folder}: its history cannot be read ({error})") from error
    times: dict[str, list[float]] = {}
    time = 0.0
    for line in done.stdout[:MOST_BYTES].decode("utf-8", "replace").split("\n"):
        if stamp := _STAMP.match(line):
            time = float(stamp[1])
        elif line.lower().endswith(PAGE_ENDINGS):
            times.setdefault(line, []).append(time)
    about = "commits to the pages of a git repository"
    return Trace.of_times(name, about, times, window, f"in {folder}")


def _of_changelogs(folder: Path, name: str, window: Window) -> Trace:
    """Every release of a package is a change of the page about it; packages with one name up to a hyphen are a site."""
    times: dict[str, list[float]] = {}
    seen: set[bytes] = set()
    for path in sorted(folder.glob("*/changelog*.gz"))[:MOST_PAGES]:
        text = _unpacked(path)
        mark = blake2b(text, digest_size=16).digest()
        if mark not in seen:  # packages made of one source have one history
            seen.add(mark)
            package = path.parent.name
            own = [date for found in _SIGNED.findall(text) if (date := _date(found))]
            times[f"{package[:3]}/{package}"] = own
    about = "releases of Debian packages, as their changelogs date them"
    return Trace.of_times(name, about, times, window, f"in {folder}")


def _unpacked(path: Path) -> bytes:
    try:
        with gzip.open(path) as file:
            return file.read(_MOST_CHANGELOG_BYTES)
    except (OSError, EOFError):
        return b""


def _date(text: bytes) -> float:
    try:
        return parsedate_to_datetime(text.decode("ascii", "replace")).timestamp()
    except (ValueError, TypeError, OverflowError, IndexError):
        return 0.0
