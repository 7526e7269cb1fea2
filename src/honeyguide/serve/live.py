"""How crawls stand right now, for many who watch: looked up once a second for all of them.

A watcher is never sent what it has missed, only how things are when it is ready for more; so whoever reads slowly costs
no memory. What watchers then ask for, all of them the same at the same moment, is made once: an answer is given again
as long as the look that it was made after is the last one. It has all that watchers were told of.
"""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Future
from dataclasses import asdict, dataclass
from typing import Any, TypeVar

from starlette.concurrency import run_in_threadpool

from honeyguide.crawled import CrawlStatus
from honeyguide.errors import HoneyguideError
from honeyguide.serve.advice import advice
from honeyguide.serve.api.shapes import RunState, state_of
from honeyguide.serve.problems import Refused, message_of
from honeyguide.serve.workspace import Workspace

LOOK_SECONDS = 1.0
SHARED_SECONDS = 2.0
"""So old an answer may be; the next look comes before, unless the last watcher has gone."""
SILENT_SECONDS = 15.0
MOST_WATCHERS = 100
MOST_KEPT = 256
MOST_SHARED = 64
"""Different answers that are kept after one look."""

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class Standing:
    """A crawl at a moment."""

    state: RunState
    status: CrawlStatus | None
    advice: list[str]
    problem: str


Told = tuple[Standing, str]
"""A crawl at a moment, and the same as it is sent."""


class _Look:
    """A look at a crawl, and what was asked since."""

    def __init__(self, looking: asyncio.Future[Told], before: _Look | None) -> None:
        self.at = time.monotonic()
        self.looking = looking
        self.before = before  # of which watchers were told, as long as this one is under way
        self._answers: dict[object, Future[Any]] = {}
        self._guard = threading.Lock()

    def is_within(self, seconds: float) -> bool:
        return time.monotonic() - self.at < seconds

    def shared(self, what: object, make: Callable[[], Answer]) -> Answer:
        """Made by the first who asks; others wait for it."""
        with self._guard:
            is_first = what not in self._answers and len(self._answers) < MOST_SHARED
            answer: Future[Answer] | None = self._answers.setdefault(what, Future()) if is_first else None
            known = self._answers.get(what)
        if answer is None:
            return known.result() if known else make()
        try:
            answer.set_result(make())
        except BaseException as error:
            answer.set_exception(error)
        return answer.result()


class Live:
    """All that are watched."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._known: OrderedDict[str, _Look] = OrderedDict()
        self.watchers = 0

    def shared(self, name: str, what: object, make: Callable[[], Answer]) -> Answer:
        """What somebody asks of a crawl: made once for all who watch it and ask the same after the same look."""
        look = self._known.get(name)
        if look and not look.looking.done():
            look = look.before
        return look.shared(what, make) if look and look.is_within(SHARED_SECONDS) else make()

    def watch(self, name: str) -> AsyncIterator[bytes]:
        """Server-sent events: `visits` with their number whenever there are more, `status` whenever it has changed."""
        if self.watchers >= MOST_WATCHERS:
            raise Refused(429, f"{MOST_WATCHERS} are watching already", {"Retry-After": "30"})
        return self._events(name)

    async def _events(self, name: str) -> AsyncIterator[bytes]:
        self.watchers += 1
        try:
            shown, pages, told_at = "", -1, 0.0
            while True:
                standing, now = await self._standing(name)
                if standing.status and standing.status.pages != pages:
                    pages = standing.status.pages
                    yield _event("visits", json.dumps({"now": pages}), str(pages))
                if now != shown:
                    shown, told_at = now, time.monotonic()
                    yield _event("status", now)
                elif time.monotonic() - told_at > SILENT_SECONDS:
                    told_at = time.monotonic()
                    yield b": still here\n\n"  # or a proxy would think nobody is
                await asyncio.sleep(LOOK_SECONDS)
        finally:
            self.watchers -= 1

    async def _standing(self, name: str) -> Told:
        """Not older than a second, and looked up once for all who ask within it."""
        known = self._known.get(name)
        if known is None or not known.is_within(LOOK_SECONDS):
            if known:
                known.before = None
            looking = asyncio.ensure_future(run_in_threadpool(self._told, name))
            known = self._known[name] = _Look(looking, known)
            self._known.move_to_end(name)
            while len(self._known) > MOST_KEPT:
                self._known.popitem(last=False)
        return await asyncio.shield(known.looking)

    def _told(self, name: str) -> Told:
        standing = self._look(name)
        return standing, json.dumps(asdict(standing))

    def _look(self, name: str) -> Standing:
        try:
            crawl = self._workspace.crawl(name)
            status = crawl.status()
            state = state_of(crawl.folder, status.paused)
            return Standing(state, status, advice(crawl.folder, state, status), "")
        except HoneyguideError as error:  # say, it was thrown away; whoever watches is told, and goes on
            return Standing("stopped", None, [], message_of(error, self._workspace))


def _event(kind: str, data: str, number: str = "") -> bytes:
    line = f"id: {number}\n" if number else ""
    return f"{line}event: {kind}\ndata: {data}\n\n".encode()
