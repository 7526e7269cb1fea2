"""A proxy before a real PostgreSQL that stalls when it is told to: a network in which nothing arrives, nor fails."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress


class Proxy:
    """Passes bytes on in both directions, while it is not stalled."""

    def __init__(self, listening: socket.socket, target: str) -> None:
        self._listening = listening
        self._target = target
        self._flows = threading.Event()
        self._flows.set()
        self._ends: list[socket.socket] = []
        self.port = listening.getsockname()[1]

    def stall(self) -> None:
        """Nothing arrives from here on."""
        self._flows.clear()

    def go_on(self) -> None:
        """All that was held back arrives."""
        self._flows.set()

    def serve(self) -> None:
        """Take connections until the socket is closed."""
        with suppress(OSError):
            while True:
                here, _ = self._listening.accept()
                there = socket.socket(socket.AF_UNIX)
                self._ends += (here, there)
                with suppress(OSError):  # the server may be down just now
                    there.connect(self._target)
                for one, other in ((here, there), (there, here)):
                    threading.Thread(target=self._pass_on, args=(one, other), daemon=True).start()

    def _pass_on(self, one: socket.socket, other: socket.socket) -> None:
        with suppress(OSError):
            while data := one.recv(1 << 16):
                self._flows.wait()
                other.sendall(data)
        for end in (one, other):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """End all connections."""
        self.go_on()
        for end in self._ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()


@contextmanager
def proxy(folder: str) -> Iterator[Proxy]:
    """Start one before the server whose socket is in a folder."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        started = Proxy(listening, f"{folder}/.s.PGSQL.5432")
        threading.Thread(target=started.serve, daemon=True).start()
        try:
            yield started
        finally:
            listening.shutdown(socket.SHUT_RDWR)
            started.close()
