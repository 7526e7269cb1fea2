"""How a server starts: with the parts that first answers need, and so that no answer waits for another."""

import asyncio
import socket
import time
from contextlib import closing

import pytest
from starlette.testclient import TestClient

from honeyguide.serve import later, running
from honeyguide.serve.app import make_app
from honeyguide.serve.options import ServeOptions
from honeyguide.serve.security import Keys, Role
from honeyguide.serve.workspace import Workspace


@pytest.fixture
def client(tmp_path) -> TestClient:
    workspace = Workspace(tmp_path)
    token = Keys(workspace.private).make(Role.OPERATOR)
    app = make_app(workspace, ServeOptions())
    return TestClient(app, "http://127.0.0.1", headers={"Authorization": f"Bearer {token}"})


@pytest.mark.parametrize("path", ["/api/v1/crawls", "/api/v1/collections", "/api/v1/trash", "/console/"])
def test_first_answers_need_few_parts(client: TestClient, path: str) -> None:
    assert client.get(path).status_code == 200
    assert not client.app.state.later.is_there


def test_dots_wait_for_no_other_part(client: TestClient) -> None:
    assert client.get("/api/v1/crawls/none/cells").json()["detail"].startswith("there is no crawl")
    assert not client.app.state.later.is_there


@pytest.mark.parametrize(
    ("path", "status"), [("/api/v1/jobs", 200), ("/", 200), ("/api/v1/nothing", 404), ("/sitemap.xml", 200)]
)
def test_the_others_are_there_when_they_are_asked_for(client: TestClient, path: str, status: int) -> None:
    assert client.get(path).status_code == status
    assert client.app.state.later.is_there


def test_the_others_come_when_nobody_asks_for_a_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(later, "QUIET_SECONDS", 0.05)
    monkeypatch.setattr(later, "MOST_LOOKS", 10_000)
    put: list[float] = []
    waiting = later.Later(lambda: put.append(time.monotonic()))

    async def ask_and_wait() -> float:
        soon = asyncio.create_task(waiting.put_soon())
        for _ in range(6):
            waiting.asked_at = time.monotonic()
            await asyncio.sleep(0.02)
        await soon
        return waiting.asked_at

    last = asyncio.run(ask_and_wait())
    assert len(put) == 1
    assert put[0] - last >= later.QUIET_SECONDS


def test_the_description_has_all_parts(client: TestClient) -> None:
    described = client.get("/api/v1/openapi.json").json()["paths"]
    assert described.keys() >= {"/api/v1/crawls", "/api/v1/jobs", "/api/v1/crawls/{crawl}/search"}


def test_no_answer_waits_for_the_one_before_it_to_be_acknowledged() -> None:
    # Of other sockets asyncio does not know that they are TCP, and each answer takes 40 ms more.
    with closing(running.listen("127.0.0.1", 0)) as listening:
        assert listening.proto == socket.IPPROTO_TCP
