"""Hosts without end over real sockets: each is left alone by itself, and whatever leads to good pages is not."""

import json
import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from benchmarks._attack import Attack
from benchmarks._attack_server import (
    ATTACKER,
    HEALTHY,
    HEALTHY_PAGES,
    Answer,
    AttackServer,
    Request,
    html,
)
from benchmarks._attacked_crawl import forge_dns
from benchmarks._attacks_farms import farms
from benchmarks._attacks_traps import new_words
from benchmarks.attacks import crawl_order, recorded
from typer.testing import CliRunner

from honeyguide.assembly import resume_crawl, start_crawl
from honeyguide.cli.main import app
from honeyguide.engine.engine import Engine
from honeyguide.engine.running import StopReason
from honeyguide.model import Status
from honeyguide.store import open_reader
from honeyguide.urls import host_of

SOME_MORE = 10
"""robots.txt, and requests that were under way when the fiftieth had been read."""
QUICK = (
    "endless paging",
    "random links",
    "page that links to itself, new words",
    "farm of 404",
    "farm of redirects",
    "farm of sitemaps",
)
PATIENT = {
    "fetch.workers": 0,
    "fetch.read_seconds": 20.0,
    "fetch.total_seconds": 20.0,
    "limits.max_pages": 3000,
    "limits.max_seconds": 120.0,
}


@pytest.fixture(autouse=True)
def forged_dns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", socket.getaddrinfo)  # so that it is put back afterwards
    forge_dns()


@contextmanager
def crawler_of(server: AttackServer, attack: Attack, folder: Path, **more: object) -> Iterator[Engine]:
    order = crawl_order(server, attack, folder).with_overrides({**PATIENT, **more})
    with start_crawl(order) as crawler:
        yield crawler


@pytest.mark.parametrize("name", QUICK)
def test_a_farm_is_left_alone_and_healthy_pages_are_had(name: str, tmp_path: Path) -> None:
    attack = farms()[name]
    server = AttackServer(attack.answer, robots=attack.robots)
    with server, crawler_of(server, attack, tmp_path / "crawl") as crawler:
        assert crawler.run() == StopReason.FRONTIER_EMPTY
    assert 50 <= server.asked[ATTACKER] <= 50 + SOME_MORE
    found, healthy = recorded(tmp_path / "crawl")
    assert healthy == HEALTHY_PAGES
    assert attack.is_as_recorded(found), found


def test_a_site_of_endless_hosts_is_left_alone(tmp_path: Path) -> None:
    attack = farms()["hosts by wildcard"]
    server = AttackServer(attack.answer, start=attack.start)
    with server, crawler_of(server, attack, tmp_path / "crawl") as crawler:
        assert crawler.run() == StopReason.FRONTIER_EMPTY
    found, healthy = recorded(tmp_path / "crawl")
    assert healthy == HEALTHY_PAGES
    assert 200 <= found["page"] <= 600  # requests to many hosts may be under way
    url = f"{attack.start.replace('h0', 'new').format(port=server.port)}unknown"
    told = said("explain", tmp_path / "crawl", url)
    assert (
        f"its site example.org is starved: {found['page']} fruitless requests to hosts that gave nothing"
        in told
    )


def said(*arguments: object) -> str:
    result = CliRunner().invoke(app, [str(argument) for argument in arguments], catch_exceptions=False)
    return " ".join(result.stdout.split())


def test_a_starved_host_is_told(tmp_path: Path) -> None:
    folder, attack = tmp_path / "crawl", farms()["random links"]
    with AttackServer(attack.answer) as server, crawler_of(server, attack, folder) as crawler:
        crawler.run()
    assert "hosts 3, 1 starved" in said("status", folder)
    assert json.loads(said("status", folder, "--json"))["hosts_starved"] == 1
    why = r"its host is starved: 5\d fruitless requests in a row, relevant pages given: 0"
    with open_reader(folder) as reader:
        waiting = reader.url_text(int(np.flatnonzero(reader.state().urls["status"] == Status.KNOWN)[0]))
    assert re.search(
        f"dropped, as the worst or with its host left alone: {why} ", said("explain", folder, waiting)
    )
    unknown = said("explain", folder, f"http://{ATTACKER}:{server.port}/unknown")
    assert re.search(f"not in this crawl: {why}; links to it are refused", unknown)
    assert "starved" not in said("explain", folder, f"http://{HEALTHY}:{server.port}/1")
    assert "starved" not in said("explain", folder, f"http://{HEALTHY}:{server.port}/unknown")


def number_in(asked: Request) -> int:
    return int((re.findall(r"\d+", asked.path) or ["0"])[-1])


def pages_had(folder: Path, host: str) -> int:
    with open_reader(folder) as reader:
        return sum(host_of(visit.url).startswith(host) for visit in reader.visits())


def directory(asked: Request) -> str:
    """Off topic itself, but each twentieth page is the first to link to a good one."""
    number = number_in(asked)
    good = f'<a href="http://{HEALTHY}:{asked.port}/{1000 + number}">bees</a>' if number % 20 == 0 else ""
    more = f'<a href="/{number + 1}">more</a>' if number < 300 else ""
    return f"<p>{new_words(number)}</p>{good}{more}"


def stretches(asked: Request) -> str:
    """Good pages with ever longer stretches without any between them."""
    number = number_in(asked)
    words = f"bees and honey {number}" if number in (1, 40, 120, 250) else new_words(number)
    return f"<p>{words}</p>" + (f'<a href="/{number + 1}">more</a>' if number < 300 else "")


@pytest.mark.parametrize("answer", [html(directory), html(stretches)])
def test_what_gives_good_pages_now_and_then_is_not_starved(answer: Answer, tmp_path: Path) -> None:
    server = AttackServer(answer)
    with server, crawler_of(server, Attack(answer, ""), tmp_path / "crawl") as crawler:
        assert crawler.run() == StopReason.FRONTIER_EMPTY
    assert pages_had(tmp_path / "crawl", ATTACKER) == 301


def test_the_count_goes_on_after_a_restart(tmp_path: Path) -> None:
    attack = farms()["endless paging"]
    with AttackServer(attack.answer) as server:
        with crawler_of(server, attack, tmp_path / "crawl", **{"limits.max_pages": 36}) as crawler:
            assert crawler.run() == StopReason.PAGE_LIMIT
        with resume_crawl(tmp_path / "crawl", {"limits.max_pages": 3000}) as crawler:
            assert crawler.run() == StopReason.FRONTIER_EMPTY
        asked = server.asked[ATTACKER]
        with resume_crawl(tmp_path / "crawl") as crawler:
            assert crawler.run() == StopReason.FRONTIER_EMPTY
    assert 50 <= asked <= 50 + SOME_MORE
    assert server.asked[ATTACKER] == asked
