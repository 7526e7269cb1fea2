"""Runs the server until it is told to end."""

from __future__ import annotations

import asyncio
import gc
import logging
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace

import uvicorn
from fastapi import FastAPI

from honeyguide.errors import SettingsError
from honeyguide.serve.app import make_app
from honeyguide.serve.options import ServeOptions
from honeyguide.serve.workspace import Workspace

MOST_CONNECTIONS = 500
KEEP_ALIVE_SECONDS = 10
MOST_HEADER_BYTES = 32_000


class _Quiet(uvicorn.Server):
    """A second server in the same process; the first one hears the signals."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave them alone."""
        yield


def run(workspace: Workspace, options: ServeOptions, on_ready: Callable[[ServeOptions], None]) -> None:
    """Serve a workspace; `on_ready` is told the ports once both listen."""
    own = _listen(options.host, options.port)
    copies = _listen(options.host, options.copies_port or (own.getsockname()[1] + 1 if options.port else 0))
    bound = replace(options, port=own.getsockname()[1], copies_port=copies.getsockname()[1])
    app = make_app(workspace, bound)
    main = uvicorn.Server(_config(app))
    second = _copies_of(app)
    gc.freeze()  # what was made so far stays; to look through all of it again and again would delay answers
    gc.enable()
    on_ready(bound)
    with suppress(KeyboardInterrupt):  # uvicorn raises it again when it has ended well
        asyncio.run(_both(main, own, second, copies))


async def _both(
    main: uvicorn.Server, own: socket.socket, second: uvicorn.Server | None, copies: socket.socket
) -> None:
    beside = asyncio.create_task(second.serve([copies])) if second else None
    try:
        await main.serve([own])
    finally:
        if second and beside:
            second.should_exit = True
            await beside


def _copies_of(app: FastAPI) -> uvicorn.Server | None:
    """Archived copies, on an origin of their own; part of the portal."""
    try:
        from honeyguide.serve.portal.copies import (  # type: ignore[import-not-found,unused-ignore]
            make_copies_app,
        )
    except ModuleNotFoundError as error:
        if error.name and error.name.startswith("honeyguide.serve.portal"):
            return None
        raise
    return _Quiet(_config(make_copies_app(app.state.serving)))


def _config(app: FastAPI) -> uvicorn.Config:
    logging.getLogger("uvicorn.error").setLevel(logging.WARNING)
    return uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        limit_concurrency=MOST_CONNECTIONS,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=3,
        h11_max_incomplete_event_size=MOST_HEADER_BYTES,
        ws="none",
    )


def _listen(host: str, port: int) -> socket.socket:
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        # Only of a socket that is said to be TCP does asyncio know that no answer must wait for others to follow.
        listening = socket.socket(family, kind, protocol)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(128)
    except OSError as error:
        raise SettingsError(
            f"{host}:{port} cannot be listened on: {error.strerror}; choose another with --port or --host"
        ) from error
    return listening
