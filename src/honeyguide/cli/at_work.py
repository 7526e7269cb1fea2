"""A crawl that a process has open: which one, and what may be asked of it. Used by status, pause, stop, resume."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from honeyguide.errors import StoreError
from honeyguide.store.lock import process_at_work

if TYPE_CHECKING:
    from honeyguide.engine.control import Wish

__all__ = ["ask", "is_paused", "named", "process_at_work"]


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
