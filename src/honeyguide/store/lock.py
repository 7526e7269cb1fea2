"""One process a crawl: an advisory lock that the operating system drops when the process dies, however it dies.

The library filelock would not do: it lets a second process in when the lock's file was removed, and the first one never
learns of it; nor does it tell who has a lock.
"""

from __future__ import annotations

import fcntl
import os
import time
from contextlib import suppress
from pathlib import Path
from typing import IO

from honeyguide.errors import CrawlLocked
from honeyguide.store.folder import LOCK

LOOK_SECONDS = 0.3
"""`process_at_work` has the lock for a moment, again and again where somebody watches a crawl."""


def lock(folder: Path) -> IO[str]:
    """Lock a crawl's folder; closing the returned file unlocks it."""
    while True:
        file = (folder / LOCK).open("a+", encoding="utf-8")
        try:
            _lock_soon(file)
        except BlockingIOError:
            owner = _owner(file) or "unknown"
            file.close()
            raise CrawlLocked(
                f"{folder} is in use by process {owner}; wait for it or stop it (`honeyguide status` works meanwhile)"
            ) from None
        if _is_in_place(file, folder):
            break
        file.close()  # whoever had it has removed it since it was opened: it keeps nobody out
    file.truncate(0)
    return file


def _lock_soon(file: IO[str]) -> None:
    """Lock a file, though others may be looking whether it is; BlockingIOError if somebody has it for longer."""
    until = time.monotonic() + LOOK_SECONDS
    while True:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            if time.monotonic() > until:
                raise
            time.sleep(0.005)


def announce(file: IO[str]) -> None:
    """Let others know which process has the lock, and that it is ready to hear them."""
    file.write(str(os.getpid()))
    file.flush()


def process_at_work(folder: Path) -> int | None:
    """Tell which process has the crawl open; None when nobody has, 0 when it is not ready to hear anybody."""
    with (
        suppress(FileNotFoundError),
        (folder / LOCK).open("r", encoding="utf-8", errors="replace") as file,
    ):
        try:
            # A shared lock is refused exactly while somebody crawls; closing the file gives it back.
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return _owner(file)
    return None


def check_lock(file: IO[str], folder: Path) -> None:
    """Raise CrawlLocked if the file of a lock was removed: a second process may be writing by now."""
    if not _is_in_place(file, folder):
        raise CrawlLocked(
            f"{folder}: its {LOCK} was removed while the crawl ran, and nothing keeps a second process out;"
            f" `honeyguide resume {folder}` goes on after the last stored batch"
        )


def _owner(file: IO[str]) -> int:
    file.seek(0)
    told = file.read(20).strip()
    return int(told) if told.isdecimal() else 0


def _is_in_place(file: IO[str], folder: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(file.fileno()), (folder / LOCK).stat())
    except FileNotFoundError:
        return False
