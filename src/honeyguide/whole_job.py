"""Jobs over the whole graph of a divided crawl: one worker at a time has one done, in a process beside it.

Nobody waits for a job: shards fetch by the places that urls have, and take in what it says when it is done. It dies
with its worker; then another worker has it done.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from honeyguide.assembly import read_order
from honeyguide.engine.whole_graph import is_due, scored
from honeyguide.engine.worker import leave_with
from honeyguide.errors import HoneyguideError, SettingsError, in_one_line
from honeyguide.making import make_strategy, make_topic
from honeyguide.store.postgres.council import Look
from honeyguide.store.postgres.place import Place
from honeyguide.store.postgres.whole_graph import JobSeat, LastJob, read_whole, write_scores
from honeyguide.strategies.base import Strategy

LONGEST_SECONDS = 3600.0
MOST_TRIES = 3
"""Of a job that fails; then the crawl goes on without it until it has grown again."""
_FAILED, _REFUSED = 1, 3


class WholeJobs:
    """A worker's part in these jobs."""

    def __init__(self, place: Place, folder: Path, strategy: Strategy) -> None:
        self._place = place
        self._folder = folder
        self._strategy = strategy
        self._seat = JobSeat(place)
        self._process: subprocess.Popen[bytes] | None = None
        self._number, self._started, self._tries = 0, 0.0, 0

    def last(self) -> LastJob:
        """The last job that was done. To be asked before a look at the shards, for `is_settled`."""
        return self._seat.last()

    def is_settled(self, last: LastJob, look: Look) -> bool:
        """Whether there is nothing that another job could say: all has been looked at, and all shards were told."""
        return not last.is_waiting and last.requests == _requests(look)

    def look_after(self, last: LastJob, look: Look) -> Iterator[str]:
        """Begin a job if one is due and nobody does it, or see to the one that was begun; tells what went wrong."""
        if self._process is not None:
            yield from self._look_after_process(look)
        elif self._is_due(last, look) and self._seat.take():
            last = self._seat.last()  # another may have done it a moment ago
            if self._is_due(last, look):
                self._begin(last.number)
            else:
                self._seat.leave()

    def _is_due(self, last: LastJob, look: Look) -> bool:
        if last.is_waiting:
            return False
        is_last = look.is_over and last.requests != _requests(look)
        return is_last or is_due(self._strategy, look.pages, last.pages)

    def _begin(self, number: int) -> None:
        self._number, self._started = number, time.monotonic()
        # Over its input, not as arguments: these are seen by all, and an address may have a password.
        told = {"address": self._place.address, "schema": self._place.schema, "folder": str(self._folder)}
        command = [sys.executable, "-m", __name__, str(os.getpid())]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, process_group=0)
        assert self._process.stdin is not None
        with self._process.stdin as pipe:
            pipe.write(json.dumps({**told, "number": number}).encode())

    def _look_after_process(self, look: Look) -> Iterator[str]:
        assert self._process is not None
        code = self._process.poll()
        if code is None and time.monotonic() < self._started + LONGEST_SECONDS:
            return
        self._end_process()
        self._tries = 0 if code == 0 else self._tries + 1
        if code == _REFUSED or self._tries >= MOST_TRIES:
            note = f"a job over the whole graph could not be done (it ended with {code})"
            self._seat.give_up(self._number, look.pages, _requests(look), note)
            self._tries = 0
            yield f"{note}; the crawl goes on with the places that urls have"
        self._seat.leave()

    def _end_process(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def close(self) -> None:
        """End what is under way; somebody else begins it again."""
        self._end_process()
        self._seat.close()


def _requests(look: Look) -> int:
    return sum(row.requests for row in look.shards)


def do_job(place: Place, folder: Path, number: int) -> bool:
    """Look at the whole crawl and write what the strategy says of it; false if another has done this one."""
    order = read_order(folder)
    strategy, topic = make_strategy(order), make_topic(order)
    with closing(place.connect()) as database:
        whole = read_whole(database, strategy.values, strategy.tables)
        scores, kept = scored(strategy, whole.state, topic, whole.arrays)
        return write_scores(database, number, whole, scores, kept)


def main() -> int:
    """The process of one job."""
    leave_with(parent=int(sys.argv[1]))
    os.nice(10)
    told = json.loads(sys.stdin.buffer.read())
    try:
        do_job(Place(told["address"], told["schema"]), Path(told["folder"]), told["number"])
    except SettingsError as refusal:
        sys.stderr.write(f"{in_one_line(refusal)}\n")
        return _REFUSED
    except (HoneyguideError, MemoryError) as problem:
        sys.stderr.write(f"a job over the whole graph failed: {in_one_line(problem)}\n")
        return _FAILED
    return 0


if __name__ == "__main__":
    sys.exit(main())
