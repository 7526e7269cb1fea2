"""Work in processes of its own that outlive the server. Each holds a lock file, by which it is found again.

The lock is taken here and handed to the process, so there is no moment at which nobody has it; the operating system
drops it when the process dies, however it dies. How it ended is told by a file, if it could still write one.
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from honeyguide.errors import CrawlLocked, SettingsError, StoreError
from honeyguide.store.folder import PROCESS_END, PROCESS_LOCK, PROCESS_LOG

LONGEST_LOG = 64_000
RUNNER = "honeyguide.cli.detached"
LEAVING_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Work:
    """A process that was started here, or by a server before this one."""

    is_running: bool
    code: int | None  # how it ended; None if it runs, never ran, or was killed
    ended: float | None
    has_run: bool


class Processes:
    """Starts processes, and has nothing to do with them any more."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder  # what relative paths mean in them

    def start(self, place: Path, words: Sequence[str], output: str = PROCESS_LOG) -> None:
        """Give a command line to a process of its own; its files are put at `place`. CrawlLocked if one is there."""
        if any("\0" in word for word in words):
            raise SettingsError("a NUL character is in what was given; no command line can hold it")
        with (place / PROCESS_LOCK).open("a") as held:
            try:
                fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise CrawlLocked(f"{place.name}: a process is at work on it already") from None
            (place / PROCESS_END).unlink(missing_ok=True)
            names = [str(place / name) for name in (PROCESS_LOG, output, PROCESS_END)]
            self._begin([str(held.fileno()), *names, *words], held.fileno())

    def _begin(self, words: Sequence[str], lock: int) -> None:
        """Start one and wait until it has left us; then it is nobody's child, and nobody need wait for its end."""
        try:
            # -P and the variable: no file of the workspace is ever taken for a module.
            subprocess.run(
                [sys.executable, "-P", "-m", RUNNER, *words],
                cwd=self._folder,
                env={**os.environ, "PYTHONSAFEPATH": "1"},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=[lock],
                start_new_session=True,
                timeout=LEAVING_SECONDS,
                check=True,
            )
        except OSError as error:
            if error.errno == errno.E2BIG:
                raise SettingsError("this is more than one command line can hold; give fewer pages") from None
            raise StoreError(f"no process could be started: {error.strerror}") from error
        except subprocess.SubprocessError as error:
            raise StoreError(f"no process could be started: {error}") from error

    def interrupt(self, place: Path) -> None:
        """Ask the process of a place to end, as Ctrl-C would."""
        with suppress(OSError, ValueError):
            number = int((place / PROCESS_LOCK).read_text(encoding="ascii"))
            if work_at(place).is_running:  # then the number is its own, and nobody else's by now
                os.kill(number, signal.SIGTERM)


def work_at(place: Path) -> Work:
    """What became of the process of a place."""
    lock = place / PROCESS_LOCK
    if not lock.exists():
        return Work(False, None, None, False)
    with lock.open("r") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return Work(True, None, None, True)
    try:
        told = json.loads((place / PROCESS_END).read_bytes())
        return Work(False, int(told["code"]), float(told["ended"]), True)
    except (OSError, ValueError, KeyError, TypeError):
        return Work(False, None, None, True)


def log_of(place: Path, name: str = PROCESS_LOG, most: int = LONGEST_LOG) -> str:
    """The end of what a process said."""
    try:
        with (place / name).open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - most))
            return file.read(most).decode("utf-8", "replace")
    except OSError:
        return ""
