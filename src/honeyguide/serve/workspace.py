"""A workspace: a folder of crawls and topics. Nothing outside it is ever read or written for somebody who asks."""

from __future__ import annotations

import os
import re
import threading
import time
from collections import OrderedDict
from pathlib import Path

from honeyguide.crawls import Crawl
from honeyguide.errors import SettingsError, StoreError
from honeyguide.store.folder import ARCHIVED, ORDER
from honeyguide.store.lock import lock

CRAWLS, TOPICS, JOBS, RESULTS, TRASH, PRIVATE = "crawls", "topics", "jobs", "results", "trash", ".serve"
TOPIC_ENDING = ".topic"
MOST_OPEN = 64
"""Crawls whose order and topic are kept in memory; to read them takes longer than to count the crawl."""

NAME = r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}"
_NAME = re.compile(NAME)
_TRASHED = re.compile(rf"({NAME})~(\d{{1,20}})")


class NotFound(StoreError):
    """There is nothing of this name."""


class Workspace:
    """The folder, and what is in it."""

    def __init__(self, folder: Path) -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self.folder = folder.resolve(strict=True)
            for part in (CRAWLS, TOPICS, JOBS, RESULTS, TRASH):
                (self.folder / part).mkdir(exist_ok=True)
            self.private.mkdir(mode=0o700, exist_ok=True)
        except OSError as error:
            raise StoreError(
                f"{folder}: {error.strerror}; choose another folder for the workspace"
            ) from error
        self._open: OrderedDict[str, tuple[tuple[int, int], Crawl]] = OrderedDict()
        self._guard = threading.Lock()

    @property
    def private(self) -> Path:
        """Where the server keeps what nobody else is to see."""
        return self.folder / PRIVATE

    # Crawls

    def crawl_names(self) -> list[str]:
        """The crawls there are, in the order of their names."""
        return sorted(
            entry.name
            for entry in os.scandir(self.folder / CRAWLS)
            if _NAME.fullmatch(entry.name)
            and entry.is_dir(follow_symlinks=False)
            and os.path.exists(f"{entry.path}/{ORDER}")  # noqa: PTH110 - two hundred of them, at every look
        )

    def crawl_folder(self, name: str) -> Path:
        """Where a crawl of this name is or would be."""
        return self.folder / CRAWLS / check_name(name)

    def crawl(self, name: str) -> Crawl:
        """A crawl; NotFound if there is none of this name."""
        if known := self.open_crawl(name):
            return known
        folder = self.crawl_folder(name)
        mark, crawl = self._mark(name), Crawl.open(folder)
        with self._guard:
            self._open[name] = (mark, crawl)
            while len(self._open) > MOST_OPEN:
                self._open.popitem(last=False)
        return crawl

    def open_crawl(self, name: str) -> Crawl | None:
        """A crawl that is in memory, and still that of its folder: to look takes no time."""
        mark = self._mark(name)
        with self._guard:
            known = self._open.get(name)
            if known and known[0] == mark:
                self._open.move_to_end(name)
                return known[1]
        return None

    def _mark(self, name: str) -> tuple[int, int]:
        """By which a crawl is told from another one of its name."""
        folder = self.crawl_folder(name)
        try:
            found = (folder / ORDER).stat()
        except OSError:
            raise NotFound(f"there is no crawl {name!r}; there are {_some(self.crawl_names())}") from None
        if folder.is_symlink():
            raise NotFound(f"the crawl {name!r} lies outside the workspace; move its folder here")
        return found.st_ino, found.st_mtime_ns

    def is_archived(self, name: str) -> bool:
        """Whether a crawl was put aside."""
        return (self.crawl_folder(name) / ARCHIVED).exists()

    def archive(self, name: str) -> None:
        """Put a crawl aside. CrawlLocked if it runs."""
        folder = self.crawl(name).folder
        with lock(folder):
            (folder / ARCHIVED).touch()

    def unarchive(self, name: str) -> None:
        """Take a crawl up again."""
        (self.crawl(name).folder / ARCHIVED).unlink(missing_ok=True)

    # Topics

    def topic_names(self) -> list[str]:
        """The topics there are."""
        return sorted(
            entry.name.removesuffix(TOPIC_ENDING)
            for entry in os.scandir(self.folder / TOPICS)
            if entry.name.endswith(TOPIC_ENDING)
            and _NAME.fullmatch(entry.name.removesuffix(TOPIC_ENDING))
            and entry.is_file(follow_symlinks=False)
        )

    def new_topic_file(self, name: str) -> Path:
        """Where a topic of this name is or would be."""
        return self.folder / TOPICS / f"{check_name(name)}{TOPIC_ENDING}"

    def topic_file(self, name: str) -> Path:
        """The file of a topic; NotFound if there is none of this name."""
        path = self.new_topic_file(name)
        if path.is_symlink() or not path.is_file():
            raise NotFound(f"there is no topic {name!r}; there are {_some(self.topic_names())}")
        return path

    # Anything else

    def inside(self, path: str) -> Path:
        """A file or folder of the workspace by its relative path; refused if it lies elsewhere or is private."""
        if "\0" in path or len(path) > 1_000:
            raise SettingsError("a path has at most 1,000 characters, and no NUL among them")
        parts = Path(path).parts
        is_hidden = any(part.startswith(".") for part in parts)
        if not parts or Path(path).is_absolute() or is_hidden:
            raise SettingsError(f"{path!r}: give a path within the workspace, such as recordings/web.warc.gz")
        nothing = NotFound(f"{path!r}: there is no such file or folder in the workspace")
        try:
            found = (self.folder / path).resolve()
            is_there = found.exists()
        except (OSError, RuntimeError):  # a name is longer than any file's, or a link leads to itself
            raise nothing from None
        if not found.is_relative_to(self.folder) or found.is_relative_to(self.private):
            raise SettingsError(f"{path!r} leads out of the workspace; put a copy of it there")
        if not is_there:
            raise nothing
        return found

    # What was thrown away

    def throw_away(self, name: str) -> str:
        """Put a crawl into the trash; gives its name there. CrawlLocked if it runs."""
        crawl = self.crawl(name)
        trashed = f"{name}~{time.time_ns() // 1_000_000}"
        with lock(crawl.folder):
            crawl.folder.rename(self.folder / TRASH / trashed)
        with self._guard:
            self._open.pop(name, None)
        return trashed

    def thrown_away(self) -> list[str]:
        """What is in the trash, the latest first."""
        found = [entry.name for entry in os.scandir(self.folder / TRASH) if _TRASHED.fullmatch(entry.name)]
        return sorted(found, key=lambda name: int(name.rpartition("~")[2]), reverse=True)

    def trashed(self, trashed: str) -> tuple[Path, str]:
        """The folder of something in the trash, and the name it had."""
        known = _TRASHED.fullmatch(trashed)
        folder = self.folder / TRASH / trashed
        if not known or not folder.is_dir() or folder.is_symlink():
            raise NotFound(f"there is no {trashed!r} in the trash")
        return folder, known[1]

    def put_back(self, trashed: str) -> str:
        """Take a crawl out of the trash; gives its name."""
        folder, name = self.trashed(trashed)
        target = self.crawl_folder(name)
        if target.exists():
            raise StoreError(f"there is a crawl {name!r} again; throw that away first, or leave this one")
        folder.rename(target)
        return name


def check_name(name: str) -> str:
    """The same name, if a crawl or topic may have it."""
    if not _NAME.fullmatch(name):
        raise SettingsError(
            f"{name[:100]!r} is no name: give letters, digits, dots, dashes and underscores, 100 at most,"
            " a letter or digit first"
        )
    return name


def _some(names: list[str]) -> str:
    return ", ".join(names[:5]) + (f" and {len(names) - 5:,} more" if len(names) > 5 else "") or "none yet"
