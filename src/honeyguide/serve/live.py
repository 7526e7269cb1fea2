"""How crawls stand right now, for many who watch: looked up once a second for all of them.

A watcher is never sent what it has missed, only how things are when it is ready for more; so whoever reads slowly costs
no memory.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections import OrderedDict
from collections.abc import AsyncIterator
from dataclasses import asdict, dataclass

from starlette.concurrency import run_in_threadpool

from honeyguide.crawled import CrawlStatus
from honeyguide.errors import HoneyguideError
from honeyguide.serve.advice import advice
from honeyguide.serve.api.shapes import RunState, state_of
from honeyguide.serve.problems import Refused, message_of
from honeyguide.serve.workspace import Workspace

LOOK_SECONDS = 1.0
SILENT_SECONDS = 15.0
MOST_WATCHERS = 100
MOST_KEPT = 256


@dataclass(frozen=True, slots=True)
class Standing:
    """A crawl at a moment."""

    state: RunState
    status: CrawlStatus | None
    advice: list[str]
    problem: str


class Live:
    """All that are watched."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._known: OrderedDict[str, tuple[float, asyncio.Future[Standing]]] = OrderedDict()
        self.watchers = 0

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
                standing = await self._standing(name)
                now = json.dumps(asdict(standing))
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

    async def _standing(self, name: str) -> Standing:
        """Not older than a second, and looked up once for all who ask within it."""
        now = time.monotonic()
        known = self._known.get(name)
        if known is None or now - known[0] >= LOOK_SECONDS:
            looking = asyncio.ensure_future(run_in_threadpool(self._look, name))
            known = self._known[name] = (now, looking)
            self._known.move_to_end(name)
            while len(self._known) > MOST_KEPT:
                self._known.popitem(last=False)
        return await asyncio.shield(known[1])

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
