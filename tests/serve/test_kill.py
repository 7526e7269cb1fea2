"""Server and crawl are killed in any order: nothing is lost, and it is noticed."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import httpx

from tests.serve.conftest import ORDER, wait_until

NOTICED_SECONDS = 5.0
COMMAND = [sys.executable, "-c", "from honeyguide.cli.main import app; app()"]


class Server:
    """A server in a process of its own."""

    def __init__(self, folder: Path, token: str = "") -> None:
        words = [*COMMAND, "serve", str(folder), "--port", "0"]
        self.process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        said = {}
        for line in self.process.stdout:
            name, _, value = line.strip().partition(" ")
            said[name] = value
            if name == "serving":
                break
        self.token = token or said["token:"]
        headers = {"Authorization": f"Bearer {self.token}"}
        self.client = httpx.Client(base_url=f"{said['serving']}api/v1", headers=headers, timeout=60)

    def kill(self) -> None:
        self.client.close()
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()


def test_server_and_crawl_are_killed_and_found_again(tmp_path):
    settings = {"web.sample_pages": 60_000, "limits.max_pages": 0, "crawl.batch": 2}
    first = Server(tmp_path / "w")
    try:
        made = first.client.post("/crawls", json={**ORDER, "settings": settings, "run": True})
        assert made.status_code == 201, made.text
        wait_until(lambda: first.client.get("/crawls/new").json()["status"]["pages"] > 5)
    finally:
        first.kill()
    second = Server(tmp_path / "w", first.token)
    try:
        found = second.client.get("/crawls/new").json()
        assert found["state"] == "running", "the crawl has outlived its server"
        before = found["status"]["pages"]
        wait_until(lambda: second.client.get("/crawls/new").json()["status"]["pages"] > before)
        process = second.client.get("/crawls/new").json()["status"]["process"]
        os.kill(process, signal.SIGKILL)
        killed = time.monotonic()
        wait_until(lambda: second.client.get("/crawls/new").json()["state"] == "killed", NOTICED_SECONDS)
        assert time.monotonic() - killed < NOTICED_SECONDS
        pages = second.client.get("/crawls/new").json()["status"]["pages"]
        assert pages >= before, "what was stored is there"
        assert second.client.post("/crawls/new/run", json={"pages": pages + 4}).status_code == 202
        wait_until(lambda: second.client.get("/crawls/new").json()["state"] == "stopped")
        visits = second.client.get("/crawls/new/visits", params={"most": 1000}).json()["items"]
        assert [one["number"] for one in visits] == [*range(1, len(visits) + 1)]
        assert len({one["url"] for one in visits}) == len(visits) >= pages + 4
    finally:
        second.kill()
