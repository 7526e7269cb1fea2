"""Long work: verbs of the command line as processes of their own, each in a folder with what it said."""

from __future__ import annotations

import json
import secrets
import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from honeyguide.errors import StoreError
from honeyguide.serve.processes import Processes, log_of, work_at
from honeyguide.serve.workspace import NotFound
from honeyguide.store.disk import disk_errors, write_atomically

MOST_KEPT = 200
MOST_AT_ONCE = 4
OUTPUT, DESCRIPTION, INPUTS, FILES = "output", "job.json", "inputs", "files"
LONGEST_OUTPUT = 1_000_000

State = Literal["running", "done", "failed", "killed"]


@dataclass(frozen=True, slots=True)
class Job:
    """Work that was asked for."""

    id: str
    kind: str  # the verb
    about: str  # the crawl, topic or experiment
    began: float
    state: State
    code: int | None  # the exit code of the verb
    ended: float | None
    log: str  # what it told on the way, the end of it
    output: str  # what it gave: JSON or text
    file: str  # the name of the file it wrote; empty if it wrote none


class Jobs:
    """All jobs of a workspace, those of servers before this one too."""

    def __init__(self, folder: Path, processes: Processes) -> None:
        self._folder = folder
        self._processes = processes

    def start(self, kind: str, about: str, words: Callable[[Path], Sequence[str]] | Sequence[str]) -> Job:
        """Begin; `words` are the command line, perhaps made when there is a folder to put inputs into."""
        if sum(job.state == "running" for job in self.all()) >= MOST_AT_ONCE:
            raise StoreError(f"{MOST_AT_ONCE} jobs are at work; wait for one to end, or stop it")
        self._forget()
        number = f"{time.time_ns() // 1_000_000:x}-{secrets.token_hex(4)}"
        place = self._folder / number
        with disk_errors(place):
            (place / INPUTS).mkdir(parents=True)
            (place / FILES).mkdir()
        try:
            given = [*(words(place / INPUTS) if callable(words) else words)]
            described = {"kind": kind, "about": about, "began": time.time(), "words": given}
            write_atomically(place / DESCRIPTION, json.dumps(described))
            self._processes.start(place, given, OUTPUT)
        except BaseException:
            shutil.rmtree(place, ignore_errors=True)
            raise
        return self.find(number)

    def ids(self) -> list[str]:
        """The jobs there are, the latest first."""
        found = (entry.name for entry in self._folder.iterdir() if (entry / DESCRIPTION).is_file())
        return sorted(found, reverse=True)

    def all(self) -> list[Job]:
        """Every job, the latest first, without what it said."""
        return [self._read(number, with_texts=False) for number in self.ids()]

    def find(self, number: str) -> Job:
        """One job."""
        self._place(number)
        return self._read(number)

    def file(self, number: str) -> Path:
        """The file that a job wrote."""
        name = _file_name(self._place(number))
        if not name:
            raise NotFound(f"the job {number} has written no file")
        return self._place(number) / FILES / name

    def stop(self, number: str) -> Job:
        """Have a job end."""
        place = self._place(number)
        if work_at(place).is_running:
            self._processes.interrupt(place)
        return self._read(number)

    def remove(self, number: str) -> None:
        """Forget a job that has ended."""
        place = self._place(number)
        if work_at(place).is_running:
            raise StoreError(f"the job {number} is at work; stop it first")
        shutil.rmtree(place, ignore_errors=True)

    def _place(self, number: str) -> Path:
        place = self._folder / number
        if not number.replace("-", "").isalnum() or not (place / DESCRIPTION).is_file():
            raise NotFound(f"there is no job {number!r}")
        return place

    def _read(self, number: str, with_texts: bool = True) -> Job:
        place = self._folder / number
        try:
            told = json.loads((place / DESCRIPTION).read_bytes())
        except (OSError, ValueError):
            told = {}
        work = work_at(place)
        return Job(
            id=number,
            kind=str(told.get("kind", "")),
            about=str(told.get("about", "")),
            began=float(told.get("began", 0.0)),
            state="running" if work.is_running else _ending(work.code),
            code=work.code,
            ended=work.ended,
            log=self._within(log_of(place)) if with_texts else "",
            output=self._within(log_of(place, OUTPUT, LONGEST_OUTPUT)) if with_texts else "",
            file="" if work.is_running else _file_name(place),
        )

    def _within(self, said: str) -> str:
        """What a process said, with paths as they are within the workspace."""
        return said.replace(f"{self._folder.parent}/", "")

    def _forget(self) -> None:
        """Keep the latest only."""
        for number in self.ids()[MOST_KEPT:]:
            if not work_at(self._folder / number).is_running:
                shutil.rmtree(self._folder / number, ignore_errors=True)


def file_for(inputs: Path, name: str) -> str:
    """Where a job with these inputs puts the file that it is to write."""
    return str(inputs.with_name(FILES) / name)


def _file_name(place: Path) -> str:
    folder = place / FILES
    names = sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []
    return next((name for name in names if not name.startswith(".")), "")


def _ending(code: int | None) -> State:
    if code is None:
        return "killed"
    return "done" if code == 0 else "failed"
