"""A server in a process of its own, and clients that cost next to nothing beside it."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import numpy as np

from benchmarks._meter import family, family_seconds
from honeyguide.serve.security import Keys, Role
from honeyguide.serve.workspace import Workspace

API = "/api/v1"
COMMAND = "from honeyguide.cli.main import app; app()"


class Connection:
    """One that is kept open. Whatever a client library does would be measured as well, so there is none."""

    def __init__(self, port: int, token: str) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port))
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._head = f"HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {token}\r\n\r\n"

    def send(self, path: str) -> None:
        """Ask, and leave the answer to be read."""
        self._socket.sendall(f"GET {API}{path} {self._head}".encode())

    def get(self, path: str) -> bytes:
        """What the server answers."""
        self.send(path)
        read = b""
        while (end := read.find(b"\r\n\r\n")) < 0:
            read += self.some()
        head, body = read[:end].lower(), [read[end + 4 :]]
        assert head.startswith(b"http/1.1 200"), (path, read[:500])
        left = int(head.partition(b"content-length:")[2].split(b"\r\n")[0]) - len(body[0])
        while left > 0:
            body.append(self.some())
            left -= len(body[-1])
        return b"".join(body)

    def some(self) -> bytes:
        """What has come since."""
        if not (read := self._socket.recv(1 << 20)):
            raise ConnectionError("the server has closed the connection")
        return read

    def close(self) -> None:
        self._socket.close()


class Server:
    """A server that runs."""

    def __init__(self, process: subprocess.Popen[str], port: int, token: str) -> None:
        self.process, self.port, self.token = process, port, token
        self.url = f"http://127.0.0.1:{port}"

    def get(self, path: str) -> bytes:
        """By a connection of its own."""
        with self.connected() as connection:
            return connection.get(path)

    @contextmanager
    def connected(self) -> Iterator[Connection]:
        with closing(Connection(self.port, self.token)) as connection:
            yield connection

    def megabytes(self) -> float:
        """Memory that is not a file's: what is read of an index stays in memory as long as there is room."""
        return sum(
            next(int(line.split()[1]) / 1024 for line in lines if line.startswith("RssAnon"))
            for process in family(self.process.pid)
            if (lines := Path(f"/proc/{process}/status").read_text(encoding="ascii").splitlines())
        )

    def cpu_seconds(self) -> float:
        """Its own, and those of the processes that search for it."""
        return family_seconds(self.process.pid)


@contextmanager
def served(folder: Path) -> Iterator[Server]:
    """A server of a workspace, from its start on. Its bytecode is kept, as that of what is installed is."""
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(folder / ".bytecode")}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    token = Keys(Workspace(folder).private).make(Role.OPERATOR)
    words = [sys.executable, "-c", COMMAND, "serve", str(folder), "--port", "0"]
    process = subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment
    )
    try:
        assert process.stdout
        url = next(line for line in process.stdout if line.startswith("serving"))
        yield Server(process, int(url.strip().rstrip("/").rpartition(":")[2]), token)
    finally:
        process.terminate()
        process.wait()


def p95(taken: list[float]) -> float:
    """In milliseconds."""
    return 1000 * float(np.percentile(taken, 95))


def timed(work: Callable[[int], object], times: int) -> list[float]:
    """The seconds that each try takes."""
    taken = []
    for at in range(times):
        began = time.perf_counter()
        work(at)
        taken.append(time.perf_counter() - began)
    return taken
