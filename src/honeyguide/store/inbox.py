"""Leaving a command for a crawl, from any process. The crawl takes it out between batches."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

from honeyguide.commands import TRANSIENT, Command, written
from honeyguide.errors import StoreError
from honeyguide.store import at_work, is_divided, is_elsewhere
from honeyguide.store.disk import disk_errors
from honeyguide.store.folder import DATABASE

READY_WITHIN_SECONDS = 10.0
BUSY_SECONDS = 10.0


def post(folder: Path, command: Command) -> int:
    """Leave a command; gives its number. One that only a process at work can obey is refused if there is none."""
    return post_all(folder, [command])[0]


def post_all(folder: Path, commands: Iterable[Command]) -> list[int]:
    """Leave commands in this order, all of them or, if anything fails, none; gives their numbers."""
    rows = [(written(command), isinstance(command, TRANSIENT)) for command in commands]
    if any(is_transient for _, is_transient in rows):
        _wait_for_process(folder)
    put = "INSERT INTO inbox (time, command, is_transient) VALUES (?, ?, ?) RETURNING n"
    with disk_errors(folder), closing(_connect(folder)) as db:
        db.execute("BEGIN IMMEDIATE")
        now = time.time()
        numbers = [int(db.execute(put, (now, *row)).fetchone()[0]) for row in rows]
        db.execute("COMMIT")
    return numbers


def _connect(folder: Path) -> Any:
    if is_elsewhere(folder):
        from honeyguide.store.postgres.place import Place

        return Place.read(folder).connect()
    return sqlite3.connect(folder / DATABASE, timeout=BUSY_SECONDS, isolation_level=None)


def _wait_for_process(folder: Path) -> None:
    """Wait until the process that has the crawl open can hear: what is said before that is not meant for it."""
    until = time.monotonic() + READY_WITHIN_SECONDS
    while (process := at_work(folder)) == 0 and time.monotonic() < until:
        time.sleep(0.01)
    if process is None:
        start = "honeyguide worker" if is_divided(folder) else f"honeyguide resume {folder}"
        raise StoreError(f"{folder}: no process is at work on it; `{start}` starts one")
