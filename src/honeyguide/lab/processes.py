"""Work on all cores: each piece in some process, results as they come. What a process remembers helps its next one."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import AbstractContextManager, nullcontext
from itertools import groupby
from multiprocessing import get_context
from pathlib import Path
from typing import Generic, TypeVar, cast

from honeyguide.errors import HoneyguideError

Piece = TypeVar("Piece")


def in_processes(
    work: Callable[[Piece, Path], None],
    pieces: Sequence[Piece],
    folder: Path,
    processes: int,
    kind: Callable[[Piece], object] = lambda piece: None,
) -> Iterator[tuple[Piece, str]]:
    """Do every piece; give each, when it is done, with what went wrong or an empty text.

    Pieces of one kind that follow each other are done by one process, as long as others have enough to do: it
    remembers what they share.
    """
    if processes <= 1 or len(pieces) <= 1:
        yield from ((piece, _problem(work, piece, folder)) for piece in pieces)
        return
    pools = [
        # Fresh processes: a fork would take over locks of threads that show progress.
        ProcessPoolExecutor(1, get_context("spawn"), initializer=_start, initargs=(os.getpid(),))
        for _ in range(min(processes, len(pieces)))
    ]
    shares = _Shares(pieces, kind, len(pools))
    running: dict[Future[str], tuple[int, Piece]] = {}
    try:
        free = list(range(len(pools)))
        while True:
            for place in free:
                if piece := shares.next_of(place):
                    running[pools[place].submit(_problem, work, piece[0], folder)] = place, piece[0]
            if not running:
                return
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            free = []
            for future in done:
                place, finished = running.pop(future)
                free.append(place)
                yield finished, future.result()
    finally:
        for pool in pools:
            pool.shutdown(wait=False, cancel_futures=True)
        for pool in pools:
            pool.shutdown(wait=True)


class _Shares(Generic[Piece]):
    """What is left to do: kinds that nobody has begun, and what is left of those each process is at."""

    def __init__(self, pieces: Sequence[Piece], kind: Callable[[Piece], object], processes: int) -> None:
        self._kinds = deque(deque(group) for _, group in groupby(pieces, kind))
        self._own: list[deque[Piece]] = [deque() for _ in range(processes)]

    def next_of(self, place: int) -> tuple[Piece] | None:
        """What a process is to do next; when all kinds are begun, the last of whoever has most left."""
        if not self._own[place] and self._kinds:
            self._own[place] = self._kinds.popleft()
        if self._own[place]:
            return (self._own[place].popleft(),)
        longest = max(self._own, key=len)
        return (longest.pop(),) if longest else None


def _problem(work: Callable[[Piece, Path], None], piece: Piece, folder: Path) -> str:
    try:
        with _one_thread():
            work(piece, folder)
    except HoneyguideError as error:
        return str(error)
    except Exception as error:  # a plug-in's fault must not end the other runs
        return f"{type(error).__name__}: {error}"
    return ""


def _one_thread() -> AbstractContextManager[object]:
    """Several threads in each process would only wait for each other, and sums would depend on their number."""
    try:
        from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]
    except ImportError:
        return nullcontext()
    return cast(AbstractContextManager[object], threadpool_limits(1))


def _start(parent: int) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which ends us in its own time
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: int) -> None:
    """End when the parent was killed: it can no longer tell us to."""
    while os.getppid() == parent:
        time.sleep(1.0)
    os._exit(1)
