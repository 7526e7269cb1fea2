"""What every request needs: the workspace, who asks, and the crawl that is meant."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Annotated, cast

from fastapi import Depends, Path, Request, Security
from fastapi.security import APIKeyCookie, HTTPBearer
from starlette.concurrency import run_in_threadpool

from honeyguide.crawls import Crawl
from honeyguide.serve import security
from honeyguide.serve.cells import Grids
from honeyguide.serve.indexing import Indexing
from honeyguide.serve.jobs import Jobs
from honeyguide.serve.live import Live
from honeyguide.serve.options import ServeOptions
from honeyguide.serve.problems import Refused
from honeyguide.serve.processes import Processes
from honeyguide.serve.workspace import NAME, Workspace

MOST_HEAVY = 2
"""Requests at the same time that read a whole crawl into memory."""
HEAVY_SECONDS = 20.0


@dataclass(frozen=True, slots=True)
class Serving:
    """One server at work."""

    workspace: Workspace
    options: ServeOptions
    security: security.Security
    processes: Processes
    jobs: Jobs
    live: Live
    indexing: Indexing
    grids: Grids = field(default_factory=Grids)
    _heavy: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(MOST_HEAVY))

    @contextmanager
    def heavy(self) -> Iterator[None]:
        """While something large is in memory; others wait a little, and are then told to come again."""
        if not self._heavy.acquire(timeout=HEAVY_SECONDS):
            raise Refused(429, "the server is busy with other large questions", {"Retry-After": "5"})
        try:
            yield
        finally:
            self._heavy.release()


def serving(request: Request) -> Serving:
    """The server that was asked."""
    return cast(Serving, request.app.state.serving)


# What follows is async because it is then done on the spot: anything else is handed to another thread and back.


async def _asked(request: Request) -> Serving:
    return serving(request)


Here = Annotated[Serving, Depends(_asked)]

_bearer = HTTPBearer(auto_error=False, description="The token that `honeyguide serve` showed.")
_cookie = APIKeyCookie(name=security.COOKIE, auto_error=False, description="Set by `POST /api/v1/session`.")


def _check(request: Request, needed: security.Role) -> None:
    role: security.Role = request.scope.get("role", security.Role.NOBODY)
    if role >= needed:
        return
    if role is security.Role.NOBODY:
        raise Refused(
            401,
            "give the token that `honeyguide serve` showed: Authorization: Bearer TOKEN",
            {"WWW-Authenticate": "Bearer"},
        )
    raise Refused(403, f"this is for an operator; the token is that of a {role.word}")


async def reader(
    request: Request, bearer: object = Security(_bearer), cookie: object = Security(_cookie)
) -> None:
    """Only for those who may read."""
    _check(request, security.Role.READER)


async def operator(
    request: Request, bearer: object = Security(_bearer), cookie: object = Security(_cookie)
) -> None:
    """Only for those who may do everything."""
    _check(request, security.Role.OPERATOR)


Name = Annotated[
    str,
    Path(pattern=f"^{NAME}$", max_length=100, description="The name of a crawl.", examples=["beekeeping"]),
]


async def _crawl(crawl: Name, here: Here) -> Crawl:
    known = here.workspace.open_crawl(crawl)
    return known if known else await run_in_threadpool(here.workspace.crawl, crawl)


OpenCrawl = Annotated[Crawl, Depends(_crawl)]
