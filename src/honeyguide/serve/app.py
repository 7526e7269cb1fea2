"""Puts the server together: the door, the API, the portal."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from functools import partial
from importlib import import_module
from typing import Any

import anyio.to_thread
from fastapi import APIRouter, Depends, FastAPI

from honeyguide.serve.api import FIRST, PARTS
from honeyguide.serve.console import Console
from honeyguide.serve.description import PROBLEMS, described
from honeyguide.serve.guard import Guard
from honeyguide.serve.indexing import Indexing
from honeyguide.serve.jobs import Jobs
from honeyguide.serve.later import Later, PutBefore
from honeyguide.serve.live import Live
from honeyguide.serve.options import ServeOptions
from honeyguide.serve.problems import PlainJson, tell_problems
from honeyguide.serve.processes import Processes
from honeyguide.serve.security import Security
from honeyguide.serve.serving import Serving, operator, reader
from honeyguide.serve.workspace import JOBS, Workspace
from honeyguide.version import __version__

PREFIX = "/api/v1"
THREADS = 16
"""Requests that read a disk at the same time; others wait."""

_DESCRIPTION = """Crawls and topics of a workspace. All that the command line can do can be done here.

Give the token that `honeyguide serve` showed: `Authorization: Bearer TOKEN`. Bodies are JSON. Errors are problem
details (RFC 9457) in the words of the command line. Lists are given in parts: `next` of one part is the `cursor` of the
next, and null at the end. Times are seconds since 1970."""


def make_app(workspace: Workspace, options: ServeOptions) -> FastAPI:
    """The server of a workspace."""
    app = FastAPI(
        title="honeyguide",
        version=__version__,
        description=_DESCRIPTION,
        openapi_url=None if options.portal_only else f"{PREFIX}/openapi.json",
        docs_url=None,
        redoc_url=None,
        default_response_class=PlainJson,
        lifespan=_bounded,
        separate_input_output_schemas=False,
        generate_unique_id_function=lambda route: route.name,
    )
    security = Security(workspace.private)
    processes = Processes(workspace.folder)
    jobs = Jobs(workspace.folder / JOBS, processes)
    indexing = Indexing(workspace, processes)
    app.state.serving = Serving(workspace, options, security, processes, jobs, Live(workspace), indexing)
    tell_problems(app)
    if not options.portal_only:
        app.mount("/console", Console())
    _include(app, options, FIRST)
    app.state.later = later = Later(partial(_put_rest, app, options))
    app.openapi = partial(_described, app)  # type: ignore[method-assign]
    app.add_middleware(PutBefore, later=later, routes=app)
    app.add_middleware(Guard, security=security, options=options)
    return app


def _include(app: FastAPI, options: ServeOptions, names: Iterable[str]) -> None:
    for name in names:
        needed = PARTS[name]
        if needed == "operator" and options.portal_only:
            continue
        rule = {"operator": [Depends(operator)], "reader": [Depends(reader)], "anybody": []}[needed]
        part = import_module(f"honeyguide.serve.api.{name}")
        app.include_router(part.router, prefix=PREFIX, dependencies=rule, responses=PROBLEMS)


def _put_rest(app: FastAPI, options: ServeOptions) -> None:
    """All that a first answer does not need."""
    _include(app, options, [name for name in PARTS if name not in FIRST])
    if portal := _portal():
        app.include_router(portal)


def _described(app: FastAPI) -> dict[str, Any]:
    app.state.later.put()
    return described(app)


@asynccontextmanager
async def _bounded(app: FastAPI) -> AsyncIterator[None]:
    anyio.to_thread.current_default_thread_limiter().total_tokens = THREADS
    tasks = [asyncio.create_task(app.state.serving.indexing.keep_up())]
    tasks.append(asyncio.create_task(app.state.later.put_soon()))
    yield
    for task in tasks:
        task.cancel()
    app.state.serving.indexing.close()


def _portal() -> APIRouter | None:
    try:
        from honeyguide.serve.portal.routes import router  # type: ignore[import-not-found,unused-ignore]
    except ModuleNotFoundError as error:
        if error.name and error.name.startswith("honeyguide.serve.portal"):
            return None
        raise
    found: APIRouter = router
    return found
