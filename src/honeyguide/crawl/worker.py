"""A process that reads and judges pages beside the one that fetches, on another core. Started by the crawler.

A message is a file in memory whose descriptor is handed over: to send or to queue one never waits for the other end.
"""

from __future__ import annotations

import asyncio
import os
import pickle
import signal
import socket
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, BinaryIO, cast

from honeyguide.crawl.prepare import Prepared, Preparer
from honeyguide.errors import HoneyguideError
from honeyguide.model import Response


class Worker:
    """The crawler's end. The process ends with this one, however this one ends: then its socket is closed."""

    def __init__(self, preparer: Preparer) -> None:
        self._socket, theirs = socket.socketpair()
        # A fresh interpreter, not a fork and not multiprocessing: it inherits no sockets, locks or database of
        # ours, and does not run the user's own script a second time.
        command = [sys.executable, "-m", __name__, str(theirs.fileno())]
        self._process = subprocess.Popen(command, pass_fds=[theirs.fileno()])
        theirs.close()
        self._turn = asyncio.Lock()  # answers come in the order of the questions
        _send(self._socket, preparer)

    async def prepare(self, responses: Sequence[Response]) -> list[Prepared]:
        """Read and judge a batch over there. Batches may be sent ahead, so that it never waits for work."""
        try:
            _send(self._socket, responses)
            async with self._turn:
                await _until_readable(self._socket)
                answer: list[Prepared] | str = _receive(self._socket)
        except (EOFError, OSError) as error:
            raise HoneyguideError(
                f"the process that parses pages died ({error}); go on with `honeyguide resume`"
            ) from error
        if isinstance(answer, str):
            raise HoneyguideError(f"parsing or judging failed:\n{answer}")
        return answer

    def close(self) -> None:
        """End the process."""
        self._socket.close()
        try:
            self._process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def serve(pipe: socket.socket) -> None:
    """The other end of a `Worker`: answer batches until the socket is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the crawler, which ends us in its own time
    with suppress(EOFError, ConnectionError):
        preparer: Preparer = _receive(pipe)
        while True:
            responses = _receive(pipe)
            try:
                _send(pipe, preparer.prepare(responses))
            except Exception:
                _send(pipe, traceback.format_exc())


def _send(pipe: socket.socket, message: object) -> None:
    with _file_in_memory() as file:
        pickle.dump(message, file, protocol=pickle.HIGHEST_PROTOCOL)
        file.seek(0)  # the other end shares our place in it
        socket.send_fds(pipe, [b"\0"], [file.fileno()])


def _receive(pipe: socket.socket) -> Any:
    sent, descriptors, _, _ = socket.recv_fds(pipe, 1, 1)
    if not sent:
        raise EOFError("its socket is closed")
    if not descriptors:
        raise OSError("its message was lost; are there too many open files?")
    with open(descriptors[0], "rb") as file:  # noqa: PTH123 - there is no path
        return pickle.load(file)


def _file_in_memory() -> BinaryIO:
    if hasattr(os, "memfd_create"):
        return open(os.memfd_create("honeyguide"), "w+b")  # noqa: PTH123
    return cast(BinaryIO, tempfile.TemporaryFile())


async def _until_readable(pipe: socket.socket) -> None:
    loop = asyncio.get_running_loop()
    ready: asyncio.Future[None] = loop.create_future()
    loop.add_reader(pipe, lambda: None if ready.done() else ready.set_result(None))
    try:
        await ready
    finally:
        loop.remove_reader(pipe)


if __name__ == "__main__":
    # By its full name, so that classes are the same on both ends.
    from honeyguide.crawl import worker

    worker.serve(socket.socket(fileno=int(sys.argv[1])))
