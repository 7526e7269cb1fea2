"""Work on all cores: each piece in some process, results as they come. What a process remembers helps its next one."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import AbstractContextManager, nullcontext
from multiprocessing import get_context
from pathlib import Path
from typing import TypeVar, cast

from honeyguide.errors import HoneyguideError

Piece = TypeVar("Piece")


def in_processes(
    work: Callable[[Piece, Path], None], pieces: Sequence[Piece], folder: Path, processes: int
) -> Iterator[tuple[Piece, str]]:
    """Do every piece; give each, when it is done, with what went wrong or an empty text."""
    if processes <= 1 or len(pieces) <= 1:
        yield from ((piece, _problem(work, piece, folder)) for piece in pieces)
        return
    # Fresh processes: a fork would take over locks of threads that show progress.
    pool = ProcessPoolExecutor(
        min(processes, len(pieces)), get_context("spawn"), initializer=_start, initargs=(os.getpid(),)
    )
    try:
        futures = {pool.submit(_problem, work, piece, folder): piece for piece in pieces}
        for future in as_completed(futures):
            yield futures[future], future.result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


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
