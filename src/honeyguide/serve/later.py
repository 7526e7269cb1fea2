"""Parts of the server that are put in place after its start, or as soon as somebody asks for one of them.

To import them all and describe their requests takes as long as the rest of the start; the first answers need few.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable

from fastapi import FastAPI
from starlette.concurrency import run_in_threadpool
from starlette.routing import Match
from starlette.types import ASGIApp, Receive, Scope, Send

QUIET_SECONDS = 1.0
"""Without a request, before the others are put in place: whoever opens the console has the processor for himself."""
MOST_LOOKS = 10
"""So often it is put off, however many ask."""


class Later:
    """What is put in place later, once."""

    def __init__(self, put: Callable[[], None]) -> None:
        self._put = put
        self._guard = threading.Lock()
        self.is_there = False
        self.asked_at = 0.0

    def put(self) -> None:
        """Put it in place, unless it is there; whoever comes meanwhile waits."""
        with self._guard:
            if not self.is_there:
                self._put()
                self.is_there = True

    async def put_soon(self) -> None:
        """The same when the start is over, and those who came at once have their answers."""
        for _ in range(MOST_LOOKS):
            await asyncio.sleep(QUIET_SECONDS)
            if time.monotonic() - self.asked_at >= QUIET_SECONDS:
                break
        await run_in_threadpool(self.put)


class PutBefore:
    """Around the routes of an app: puts the later ones in place for a request that the first ones do not know."""

    def __init__(self, app: ASGIApp, later: Later, routes: FastAPI) -> None:
        self._app = app
        self._later = later
        self._routes = routes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on."""
        if scope["type"] == "http" and not self._later.is_there:
            self._later.asked_at = time.monotonic()
            if not self._is_known(scope):
                await run_in_threadpool(self._later.put)
        await self._app(scope, receive, send)

    def _is_known(self, scope: Scope) -> bool:
        return any(route.matches(scope)[0] is Match.FULL for route in self._routes.router.routes)
