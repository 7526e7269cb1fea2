"""Processes that search for the server: threads of one would wait for each other more than they search.

They are started when they are needed, keep indexes open, and end with the server, however it ends.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections import deque
from contextlib import suppress
from multiprocessing.connection import Connection
from queue import SimpleQueue
from threading import Lock

from honeyguide.client.problems import error_named
from honeyguide.errors import StoreError

MOST = min(4, max(2, os.cpu_count() or 2))
"""Searches at the same time. More would take the processor from each other, and each be answered later."""
SECONDS = 60.0
"""For an answer; who takes longer is ended."""
PROCESS = "honeyguide.search.answering"


class _Searcher:
    """One process."""

    def __init__(self) -> None:
        ours, theirs = socket.socketpair()
        with theirs:
            command = [sys.executable, "-P", "-m", PROCESS, str(theirs.fileno())]
            environment = {**os.environ, "PYTHONSAFEPATH": "1"}
            self._process = subprocess.Popen(
                command, pass_fds=[theirs.fileno()], env=environment, stdin=subprocess.DEVNULL
            )
        self._connection = Connection(ours.detach())

    def ask(self, question: bytes) -> bytes:
        """The answer; EOFError, ConnectionError or TimeoutError if there is none."""
        self._connection.send_bytes(question)
        if not self._connection.poll(SECONDS):
            raise TimeoutError
        return self._connection.recv_bytes()

    def end(self) -> None:
        self._connection.close()
        self._process.kill()
        self._process.wait()


class _Line:
    """Who is at rest, and those who wait for one, of whom the first to come is the first to be served.

    A queue of the standard library would serve whoever happens to ask when one is put back, and have the one who was
    told of it wait behind all others: of many clients, some would wait for very long.
    """

    def __init__(self, places: int) -> None:
        # The last who was busy is asked first: where one person searches, one process is enough.
        self._idle: list[_Searcher | None] = [None] * places
        self._waiting: deque[SimpleQueue[_Searcher | None]] = deque()
        self._lock = Lock()

    def take(self) -> _Searcher | None:
        """One that is at rest, sooner or later; None is the place for a new one."""
        with self._lock:
            if self._idle:
                return self._idle.pop()
            turn: SimpleQueue[_Searcher | None] = SimpleQueue()
            self._waiting.append(turn)
        return turn.get()

    def give_back(self, searcher: _Searcher | None) -> None:
        """It is at rest again."""
        with self._lock:
            if self._waiting:
                self._waiting.popleft().put(searcher)
            else:
                self._idle.append(searcher)

    def empty(self) -> list[_Searcher]:
        """All that are at rest; their places are there for new ones."""
        with self._lock:
            found = [searcher for searcher in self._idle if searcher]
            self._idle = [None] * len(self._idle)
        return found


class Searchers:
    """All of them; each answers one question at a time."""

    def __init__(self) -> None:
        self._line = _Line(MOST)
        self._is_closed = False

    def ask(self, question: bytes) -> tuple[int, bytes]:
        """How many visits are not in the index, and the results as JSON; or the error that the search has met."""
        searcher = self._line.take()
        try:
            searcher, said = self._answer(searcher, question)
        except BaseException as error:
            searcher = None
            if isinstance(error, TimeoutError):
                raise StoreError(f"the search took longer than {SECONDS:g} seconds; ask for less") from None
            raise
        finally:
            self._line.give_back(searcher)
            if self._is_closed:
                self.close()
        head, _, results = said.partition(b"\n")
        told = json.loads(head)
        if isinstance(told, int):
            return told, results
        raise error_named(**told) or StoreError(told["detail"])

    def _answer(self, searcher: _Searcher | None, question: bytes) -> tuple[_Searcher, bytes]:
        """One that was at rest may have died since, so there is a second try."""
        if searcher:
            with suppress(EOFError, ConnectionError):
                return searcher, _told(searcher, question)
        anew = _Searcher()
        return anew, _told(anew, question)

    def close(self) -> None:
        """End those that are at rest, and the others when they have answered."""
        self._is_closed = True
        for searcher in self._line.empty():
            searcher.end()


def _told(searcher: _Searcher, question: bytes) -> bytes:
    try:
        return searcher.ask(question)
    except BaseException:
        searcher.end()
        raise
