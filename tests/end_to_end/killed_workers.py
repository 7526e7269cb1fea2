"""Work on a divided crawl by several processes that are killed, frozen, added and removed at random. Run by a test.

Each worker is a forked process, so that it dies at any moment of its work and not of Python's start-up.
"""

import os
import random
import signal
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from honeyguide.store.postgres.place import Place
from honeyguide.workers import Worker

LONGEST_SECONDS = 600.0


def start(place: Place, folder: Path) -> int:
    """A worker in a process of its own."""
    process = os.fork()
    if process:
        return process
    try:
        signal.signal(signal.SIGTERM, lambda number, frame: worker.leave())
        worker = Worker(place, folder)
        worker.run()
        os._exit(0)
    except BaseException as problem:
        os.write(2, f"worker: {problem!r}\n".encode())
        os._exit(1)


class Fleet:
    """Workers that come and go."""

    def __init__(self, places: Sequence[Place], folder: Path, seed: int, most: int = 3) -> None:
        self._places = places  # the same crawl, by one way or another
        self._folder = folder
        self._most = most
        self._dice = random.Random(seed)
        self._at_work: list[int] = []
        self._frozen: dict[int, float] = {}
        self._removed: set[int] = set()
        self._started = 0
        self.ended = False
        self.deeds = {"kill": 0, "freeze": 0, "remove": 0, "add": 0}

    def run(
        self,
        kills: int,
        freezes: int,
        between: float,
        at_random: Callable[[], None] = lambda: None,
        at_last: Callable[[], None] = lambda: None,
    ) -> None:
        """Disturb workers until so many were killed and frozen, then let the crawl come to its end."""
        until = time.monotonic() + LONGEST_SECONDS
        while not (self.ended and not self._at_work) and time.monotonic() < until:
            self._gather()
            if not self.ended and len(self._at_work) < self._most:
                self._add()
            time.sleep(self._dice.uniform(0.3, 1.0) * between)
            self._thaw()
            if self._at_work and not self.ended and self.deeds["kill"] < kills:
                self._disturb(kills, freezes)
                at_random()
            else:
                at_last()
        self._end()

    def _add(self) -> None:
        self._started += 1
        self.deeds["add"] += 1
        self._at_work.append(
            start(self._places[self._started % len(self._places)], self._folder / f"worker-{self._started}")
        )

    def _disturb(self, kills: int, freezes: int) -> None:
        victim = self._dice.choice(self._at_work)
        wanted = [
            deed
            for deed, most in (("kill", kills), ("freeze", freezes), ("remove", kills // 5))
            if self.deeds[deed] < most
        ]
        deed = self._dice.choice(wanted) if wanted else ""
        if deed == "kill":
            os.kill(victim, signal.SIGKILL)
        elif deed == "remove":
            os.kill(victim, signal.SIGTERM)
            self._removed.add(victim)
        elif deed == "freeze" and victim not in self._frozen:
            os.kill(victim, signal.SIGSTOP)
            self._frozen[victim] = time.monotonic() + self._dice.uniform(0.2, 3.0)
        if deed:
            self.deeds[deed] += 1

    def _thaw(self) -> None:
        for process, when in [*self._frozen.items()]:
            if time.monotonic() > when:
                del self._frozen[process]
                if process in self._at_work:
                    os.kill(process, signal.SIGCONT)

    def _gather(self) -> None:
        for process in [*self._at_work]:
            done, status = os.waitpid(process, os.WNOHANG)
            if done:
                # One that was not told to go has seen the end of the crawl.
                self.ended |= os.waitstatus_to_exitcode(status) == 0 and process not in self._removed
                self._at_work.remove(process)
                self._frozen.pop(process, None)

    def _end(self) -> None:
        for process in self._at_work:
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)
