"""Server, indexer and crawl are killed in any order: nothing is lost, and it is noticed."""

import os
import signal
import subprocess
import sys
from itertools import permutations
from pathlib import Path
from typing import Any

import httpx
import pytest

from honeyguide.crawls import Crawl
from honeyguide.errors import CrawlLocked
from honeyguide.search.shelf import Shelf
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
        assert ("token:" in said) == (not token), "shown once"
        self.token = token or said["token:"]
        headers = {"Authorization": f"Bearer {self.token}"}
        self.client = httpx.Client(base_url=f"{said['serving']}api/v1", headers=headers, timeout=60)

    def kill(self) -> None:
        self.client.close()
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()


def indexing(folder: Path) -> subprocess.Popen[bytes]:
    """A process that follows the crawl, once it has an index."""
    process = subprocess.Popen(
        [*COMMAND, "index", str(folder), "--follow", "--quiet"], stderr=subprocess.DEVNULL
    )
    wait_until(lambda: Shelf(folder).in_use() is not None, seconds=300)  # it gives way to everybody
    return process


class Victims:
    """A server, a crawl that it has begun and that waits, and an indexer that follows it."""

    def __init__(self, workspace: Path) -> None:
        self.workspace = workspace
        self.folder = workspace / "crawls" / "new"
        self.server = Server(workspace)
        settings = {"web.sample_pages": 1_000, "limits.max_pages": 0, "crawl.batch": 1}
        made = self.server.client.post("/crawls", json={**ORDER, "settings": settings, "run": True})
        assert made.status_code == 201, made.text
        wait_until(lambda: self.standing["status"]["pages"] > 5)
        assert self.server.client.post("/crawls/new/pause").status_code == 202
        self.is_crawling = True
        self.indexer = indexing(self.folder)

    @property
    def standing(self) -> dict[str, Any]:
        return self.server.client.get("/crawls/new").json()

    def kill_server(self) -> None:
        """The crawl goes on, and the next server finds it as it is."""
        self.server.kill()
        self.server = Server(self.workspace, self.server.token)
        assert self.standing["state"] == ("paused" if self.is_crawling else "killed")

    def kill_crawl(self) -> None:
        """In the middle of its work; it is noticed."""
        before = self.standing["status"]
        assert self.server.client.post("/crawls/new/resume").status_code == 202
        wait_until(lambda: self.standing["status"]["pages"] > before["pages"])
        os.kill(before["process"], signal.SIGKILL)
        self.is_crawling = False
        wait_until(lambda: self.standing["state"] == "killed", NOTICED_SECONDS)

    def kill_indexer(self) -> None:
        """Whoever indexes next is not kept out by one that is dead."""
        self.indexer.kill()
        self.indexer.wait()
        wait_until(self._can_be_indexed, NOTICED_SECONDS)

    def _can_be_indexed(self) -> bool:
        try:
            with Crawl.open(self.folder).indexer():
                return True
        except CrawlLocked:
            return False

    def end(self) -> None:
        self.server.kill()
        self.indexer.kill()
        self.indexer.wait()


def killed_in(order: tuple[str, ...], workspace: Path) -> None:
    """Kill all three in this order, and look whether anything is lost."""
    victims = Victims(workspace)
    try:
        pages = 0
        for victim in order:
            pages = max(pages, victims.standing["status"]["pages"])
            getattr(victims, f"kill_{victim}")()
        _nothing_is_lost(victims.server, pages)
    finally:
        victims.end()


def _is_indexed(server: Server) -> bool:
    """Whether all pages could be indexed."""
    job = server.client.post("/crawls/new/index").json()
    return bool(
        wait_until(lambda: _state(server, job["id"]) != "running") and _state(server, job["id"]) == "done"
    )


def _state(server: Server, job: str) -> str:
    return str(server.client.get(f"/jobs/{job}").json()["state"])


def _nothing_is_lost(server: Server, pages: int) -> None:
    kept = server.client.get("/crawls/new").json()["status"]["pages"]
    assert kept >= pages, "what was stored is there"
    assert server.client.post("/crawls/new/run", json={"pages": kept + 4}).status_code == 202
    wait_until(lambda: server.client.get("/crawls/new").json()["state"] == "stopped")
    visits = server.client.get("/crawls/new/visits", params={"most": 1000}).json()["items"]
    assert [one["number"] for one in visits] == [*range(1, len(visits) + 1)]
    assert len({one["url"] for one in visits}) == len(visits) >= min(kept + 4, 1000)
    assert _is_indexed(server)
    found = server.client.get("/crawls/new/search", params={"most": 1}).json()
    status = server.client.get("/crawls/new").json()["status"]
    assert (found["indexed"], found["waiting"]) == (status["pages"], 0), "the index has caught up"


@pytest.mark.slow
def test_the_indexer_the_server_and_the_crawl_are_killed(tmp_path):
    pytest.importorskip("tantivy")
    killed_in(("indexer", "server", "crawl"), tmp_path / "w")


@pytest.mark.slow
@pytest.mark.parametrize("order", [*permutations(("server", "indexer", "crawl"))], ids=" ".join)
def test_they_are_killed_in_any_order(order, tmp_path):
    pytest.importorskip("tantivy")
    killed_in(order, tmp_path / "w")
