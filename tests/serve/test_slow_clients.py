"""Clients that ask and do not read: they hold no memory, and are left after a while."""

import json
import socket
import time
from contextlib import closing
from pathlib import Path

import pytest

from honeyguide.serve import live, running
from tests.serve.conftest import Served, serving, wait_until

LARGE = 200 << 20
MOST_HELD = 32 << 20
JOB = "18c2a1b4f00-0a1b2c3d"

pytestmark = pytest.mark.skipif(
    not hasattr(socket, "TCP_USER_TIMEOUT"), reason="the system closes no connection that is not read from"
)


def memory() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


def asking(served: Served, path: str) -> socket.socket:
    """Somebody who asks, and does not read."""
    asked = socket.socket()
    asked.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    asked.connect(("127.0.0.1", int(served.url.rpartition(":")[2])))
    head = (f"GET /api/v1{path} HTTP/1.1", f"Host: {served.url[7:]}", f"Authorization: Bearer {served.token}")
    asked.sendall("\r\n".join((*head, "", "")).encode())
    return asked


def read_all(asked: socket.socket) -> int:
    """How many bytes come until the connection ends, however it ends."""
    number = 0
    try:
        while some := asked.recv(1 << 20):
            number += len(some)
    except ConnectionError:
        pass
    return number


@pytest.fixture
def large(crawled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Served:
    """A server with a large file in it, that soon leaves those who do not read."""
    monkeypatch.setattr(running, "UNREAD_SECONDS", 1.0)
    job = tmp_path / "workspace" / "jobs" / JOB
    (job / "files").mkdir(parents=True)
    (job / "job.json").write_text(json.dumps({"kind": "topic export", "about": "bees", "began": 0}))
    with (job / "files" / "bees.xtm").open("wb") as file:
        file.truncate(LARGE)
    (tmp_path / "workspace" / "crawls").symlink_to(crawled / "crawls")
    with serving(tmp_path / "workspace") as served:
        yield served


def test_a_large_file_that_nobody_reads_is_not_held_in_memory(large):
    with large.client() as client:
        assert client.get(f"/jobs/{JOB}").json()["file"] == "bees.xtm"
        before = memory()
        with closing(asking(large, f"/jobs/{JOB}/file")) as asked:
            time.sleep(4 * running.UNREAD_SECONDS)
            assert client.get("/session").status_code == 200, "others are answered meanwhile"
            assert memory() - before < MOST_HELD
            assert read_all(asked) < LARGE / 10, "it was left"


def test_events_that_nobody_reads_are_not_piled_up(large, monkeypatch):
    # As many events as the connection takes, instead of one a second.
    monkeypatch.setattr(live, "LOOK_SECONDS", 0.0)
    monkeypatch.setattr(live, "SILENT_SECONDS", -1.0)
    before = memory()
    with closing(asking(large, "/crawls/bees/events")):
        wait_until(lambda: large.serving.live.watchers == 1)
        wait_until(lambda: large.serving.live.watchers == 0)
        assert memory() - before < MOST_HELD
