"""A crawl that a process has open: which one, and what may be asked of it. Used by status, pause, stop, resume."""

from __future__ import annotations

import fcntl
from pathlib import Path
from typing import TYPE_CHECKING

from honeyguide.errors import StoreError

if TYPE_CHECKING:
    from honeyguide.engine.control import Wish


def process_at_work(folder: Path) -> int | None:
    """Tell which process has the crawl open; None when nobody has, 0 when it did not say."""
    from honeyguide.store.lock import LOCK_NAME

    try:
        with (folder / LOCK_NAME).open("r", encoding="utf-8", errors="replace") as file:
            try:
                # A shared lock is refused exactly while somebody crawls; closing the file gives it back.
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                owner = file.read(20).strip()
                return int(owner) if owner.isdecimal() else 0
    except FileNotFoundError:
        pass
    return None


def named(process: int) -> str:
    """Write a process as found by `process_at_work`."""
    return f"process {process or 'unknown'}"


def is_paused(folder: Path) -> bool:
    """Tell whether the crawl waits for `resume`; of a crawl that nobody has open it means nothing."""
    from honeyguide.engine.control import Control, Wish

    return Control(folder).is_asked(Wish.PAUSE)


def ask(folder: Path, wish: Wish) -> int:
    """Leave a wish for the process that has the crawl open; StoreError when there is none."""
    from honeyguide.assembly import read_order
    from honeyguide.engine.control import Control

    read_order(folder)
    process = process_at_work(folder)
    if process is None:
        raise StoreError(f"{folder}: no process is at work on it; `honeyguide resume {folder}` starts one")
    Control(folder).ask(wish)
    return process
