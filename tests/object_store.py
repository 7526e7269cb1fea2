"""A real object store for tests: moto's server, a process of its own on loopback that speaks as S3 does."""

from __future__ import annotations

import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.free_port import free_port

START_SECONDS = 180
KEYS = {"AWS_ACCESS_KEY_ID": "bees", "AWS_SECRET_ACCESS_KEY": "honey", "AWS_DEFAULT_REGION": "us-east-1"}


class ObjectServer:
    """The process; it can be killed, and started again at the same address with nothing in it."""

    def __init__(self) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        command = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(self.port)]
        quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self._process = subprocess.Popen(command, **quiet)
        until = time.monotonic() + START_SECONDS
        while True:
            try:
                self._ask("PUT", "/pages")
                return
            except (urllib.error.URLError, ConnectionError):
                if time.monotonic() > until or self._process.poll() is not None:
                    raise
                time.sleep(0.05)

    def stop(self) -> None:
        self._process.kill()
        self._process.wait()

    def _ask(self, method: str, path: str) -> None:
        asked = urllib.request.Request(self.url + path, method=method)
        urllib.request.urlopen(asked, timeout=60).close()


@contextmanager
def object_server() -> Iterator[ObjectServer]:
    """Start one with a bucket `pages`."""
    pytest.importorskip("moto", reason="moto's server is not installed")
    pytest.importorskip("s3fs", reason="the extra `objects` is not installed")
    server = ObjectServer()
    server.start()
    before = {name: os.environ.get(name) for name in (*KEYS, "AWS_ENDPOINT_URL")}
    os.environ.update(KEYS, AWS_ENDPOINT_URL=server.url)
    try:
        yield server
    finally:
        for name, value in before.items():
            os.environ.pop(name) if value is None else os.environ.update({name: value})
        server.stop()
