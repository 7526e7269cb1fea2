"""What a run of a crawl ends with, and how the interpreter is set meanwhile."""

from __future__ import annotations

import asyncio
import ctypes
import gc
import sys
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from enum import StrEnum
from importlib import import_module
from typing import Any, TypeVar

from honeyguide.state.columns import LARGE_BYTES

T = TypeVar("T")

_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD = -1, -3  # of glibc's malloc.h
_KEPT_BYTES = 16 << 20

LONGEST_SLEEP_SECONDS = 1.0
SHORTEST_SLEEP_SECONDS = 0.005
MOST_UNREAD = 128
MOST_UNDER_WAY = 1_000
"""With those that wait for their host, which has just been asked for its robots.txt."""

STOP_SECONDS = 5.0
"""What is under way has so long to end when the crawl is to stop; the rest is asked for again another time."""

NO_ANSWER_SECONDS = 60.0
"""Where nobody at all has answered for so long since the start, it is no host that is down."""

MOST_UNREADABLE_AT_FIRST = 20
"""Where not one page could be read or stored before, no page is to blame but a plug-in, or we are."""


class StopReason(StrEnum):
    """Why a crawl ended."""

    PAGE_LIMIT = "page_limit"
    REQUEST_LIMIT = "request_limit"
    TIME_LIMIT = "time_limit"
    FAILURE_LIMIT = "failure_limit"
    FRONTIER_EMPTY = "frontier_empty"
    ROBOTS_BLOCKED_ALL = "robots_blocked_all"
    NO_ANSWER = "no_answer"
    STOPPED_BY_USER = "stopped_by_user"
    DISK_FULL = "disk_full"


def limit_reached(*limits: tuple[StopReason, float, float]) -> StopReason | None:
    """The first reason to stop, of which there is as much as there may be; a limit of 0 is none."""
    return next((reason for reason, so_far, most in limits if most and so_far >= most), None)


@contextmanager
def rare_collections() -> Iterator[None]:
    """A crawl makes very many short-lived objects and hardly a cycle: looking for cycles less often saves 5 %."""
    usual = gc.get_threshold()
    gc.set_threshold(50_000, 20, 50)
    try:
        yield
    finally:
        gc.set_threshold(*usual)


def keep_freed_memory() -> None:
    """Have the C library keep some of what a batch has freed, for the next batch wants it again: that saves 3 %.

    Large arrays have pages of their own, and go back to the system at once.
    """
    if sys.platform == "linux" and (choose := getattr(ctypes.CDLL(None), "mallopt", None)):
        choose(_M_TRIM_THRESHOLD, _KEPT_BYTES)
        choose(_M_MMAP_THRESHOLD, LARGE_BYTES)


def run_in_loop(work: Coroutine[Any, Any, T]) -> T:
    """As `asyncio.run`, in the loop of uvloop where there is one: a page costs a tenth less processor time, or more."""
    try:
        made = import_module("uvloop").new_event_loop
    except ImportError:  # there is none for Windows
        made = None
    keep_freed_memory()
    with asyncio.Runner(loop_factory=made) as runner:
        return runner.run(work)
