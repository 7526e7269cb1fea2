"""A process that reads and judges pages beside the one that fetches, on another core. Started by the crawler.

A message is a file in memory whose descriptor is handed over: to send or to queue one never waits for the other end.
The process may die or hang, whatever a page is made of: it is started anew, and only that page is given up.
"""

from __future__ import annotations

import asyncio
import ctypes
import os
import pickle
import resource
import signal
import socket
import subprocess
import sys
import tempfile
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, cast

from honeyguide.engine.prepare import Around, Prepared, Preparer
from honeyguide.engine.running import keep_freed_memory
from honeyguide.errors import HoneyguideError, Unreadable
from honeyguide.model import Response

START_SECONDS = 60.0
MOST_STARTS = 3
"""In a row without one that succeeds: somebody may have ended a process that was just about to start."""

MOST_BYTES = 2 << 30
"""A batch and its largest tree take less: some thirty times the largest page that is allowed by default."""

_PR_SET_PDEATHSIG = 1

Read = Sequence[Prepared | Unreadable]


@dataclass(slots=True)
class _Batch:
    """Pages to be read, and the process they were sent to."""

    responses: Sequence[Response]
    around: Around
    sent_to: subprocess.Popen[bytes] | None = None


class Worker:
    """The crawler's end. The process ends with this one, however this one ends."""

    def __init__(self, preparer: Preparer, page_seconds: float) -> None:
        self._preparer = preparer
        self._page_seconds = page_seconds
        self._turn = asyncio.Lock()  # answers come in the order of the questions
        self._batches: deque[_Batch] = deque()  # that wait for their turn, in the order of their turns
        self._is_recovering = False
        self._start()

    async def prepare(self, responses: Sequence[Response], around: Around = Around.WORDS) -> Read:
        """Read and judge a batch over there. Batches may be sent ahead, so that it never waits for work."""
        self._batches.append(_Batch(responses, around))
        self._send_ahead()
        async with self._turn:
            await self._until_started()
            self._send_ahead()  # the process may have been replaced since
            self._batches.popleft()
            try:
                return await self._answer()
            except (EOFError, OSError):  # which a time-out is, too
                self._is_recovering = True
            await self._restart()
            read = [await self._alone(response, around) for response in responses]
            self._is_recovering = False
            return read

    def turn_to(self, preparer: Preparer) -> None:
        """Have later batches read by another preparer."""
        self._preparer = preparer
        with suppress(OSError):  # a dead process is noticed when its answer is waited for
            _send(self._socket, preparer)

    async def _alone(self, response: Response, around: Around) -> Prepared | Unreadable:
        """Read one page of a batch that was not survived: it alone is to blame if that happens again."""
        self._ask([response], around)
        try:
            return (await self._answer())[0]
        except TimeoutError:
            problem = f"parsing it took longer than limits.max_parse_seconds, {self._page_seconds:g}"
        except (EOFError, OSError):
            problem = "the process that parsed it died"
        await self._restart()
        return Unreadable(problem)

    def _start(self) -> None:
        self._socket, theirs = socket.socketpair()
        # A fresh interpreter, not a fork and not multiprocessing: it inherits no sockets, locks or database of
        # ours, and does not run the user's own script a second time. In a group of its own, as signals to ours
        # are for us to answer: we end it in our own time.
        command = [sys.executable, "-m", __name__, str(theirs.fileno()), str(os.getpid())]
        self._process = subprocess.Popen(command, pass_fds=[theirs.fileno()], process_group=0)
        theirs.close()
        self._is_started = False
        with suppress(OSError):  # it may be dead already, which is noticed when it is waited for
            _send(self._socket, self._preparer)

    async def _until_started(self) -> None:
        """What a process does before it has said that it is ready is no page's fault."""
        starts = 1
        while not self._is_started:
            try:
                self._is_started = await self._received(START_SECONDS) == _READY
            except (EOFError, OSError) as error:
                if starts >= MOST_STARTS:
                    raise HoneyguideError(
                        f"the process that parses pages does not start ({error}); is there enough memory? "
                        "`--set fetch.workers=0` does without one"
                    ) from error
                starts += 1
                self._end()
                self._start()

    async def _restart(self) -> None:
        self._end()
        self._start()
        await self._until_started()

    def _send_ahead(self) -> None:
        """Send all that waits and was not sent to this process, in order: its answers are told apart by nothing else.

        Nothing is sent while a batch is read page by page, as it would stand between its pages.
        """
        for batch in self._batches if not self._is_recovering else ():
            if batch.sent_to is not self._process:
                self._ask(batch.responses, batch.around)
                batch.sent_to = self._process

    def _ask(self, responses: Sequence[Response], around: Around) -> None:
        with suppress(OSError):  # a dead process is noticed when its answer is waited for
            _send(self._socket, (responses, around))

    async def _answer(self) -> Read:
        answer: Read = await self._received(self._page_seconds)
        return answer

    async def _received(self, seconds: float) -> Any:
        async with asyncio.timeout(seconds):
            await _until_readable(self._socket)
        return _receive(self._socket)

    def _end(self) -> None:
        self._socket.close()
        self._process.kill()
        self._process.wait()

    def close(self) -> None:
        """End the process. It has nothing to lose."""
        self._end()


_READY = "ready"


def serve(pipe: socket.socket) -> None:
    """The other end of a `Worker`: answer batches until the socket is closed."""
    with suppress(EOFError, ConnectionError):
        preparer: Preparer = _receive(pipe)
        _bound_memory()
        keep_freed_memory()
        _send(pipe, _READY)
        while True:
            asked = _receive(pipe)
            if isinstance(asked, Preparer):
                preparer = asked
            else:
                _send(pipe, preparer.prepare(*asked))


def leave_with(parent: int) -> None:
    """Die when the parent does, also in the middle of a page that takes for ever."""
    for each in (signal.SIGINT, signal.SIGTERM):  # may be sent to all processes of a service or terminal
        signal.signal(each, signal.SIG_IGN)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it was faster
        sys.exit()


def _bound_memory() -> None:
    """Let a page that is made to fill all memory fail here; the topic, however large, is loaded already."""
    if sys.platform == "linux":
        lines = Path("/proc/self/status").read_text().splitlines()
        used = next(int(line.split()[1]) << 10 for line in lines if line.startswith("VmData:"))
        _, most = resource.getrlimit(resource.RLIMIT_DATA)
        resource.setrlimit(resource.RLIMIT_DATA, (used + MOST_BYTES, most))


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
    leave_with(parent=int(sys.argv[2]))
    # By its full name, so that classes are the same on both ends.
    from honeyguide.engine import worker

    worker.serve(socket.socket(fileno=int(sys.argv[1])))
