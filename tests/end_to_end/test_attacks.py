"""Crawls of hostile hosts: each ends as it should, and healthy pages beside them are had all the same.

`make bench B=attacks` has more of them, and looks at time and memory.
"""

import socket
import threading
import time
from pathlib import Path

import pytest
from benchmarks._attack import LATER, Attack
from benchmarks._attack_server import ATTACKER, HEALTHY_PAGES, INNER, AttackServer, Request, html
from benchmarks._attack_table import make_attacks
from benchmarks._attacked_crawl import forge_dns
from benchmarks.attacks import crawl_order, recorded, served, with_control_characters

from honeyguide.assembly import start_crawl
from honeyguide.telemetry.reporter import Progress

QUICK = (
    "gzip bomb, 1 GB",
    "br bomb, 1 GB",
    "zstd bomb, 1 GB",
    "endless body",
    "slow-loris headers",
    "slow-loris body",
    "10,000 headers",
    "header without end",
    "redirect loop",
    "redirects without end",
    "redirect to file:",
    "DNS rebinding",
    "robots.txt of 1 GB",
    "robots.txt redirecting in circles",
    "robots.txt 503",
    "sitemap bomb, 1 GB",
    "HTML 1,000,000 deep",
    "entity bomb",
    "wrong charset",
    "NULs",
    "session ids",
    "infinite path",
    "endless parameters",
    "page that links to itself",
    "host dies mid-body",
    "connection resets",
    "TLS error",
)
BOUND_SECONDS = 300.0  # far more than any of them needs, far less than for ever
SITE_PAGES = 60
DOWN_SECONDS = 0.3
HURRY = {
    "fetch.workers": 0,
    "fetch.read_seconds": 20.0,  # a busy machine must not look like a slow host
    "fetch.total_seconds": 20.0,
    "politeness.max_backoff_seconds": 0.05,
}
IMPATIENT = {"fetch.read_seconds": 0.8, "fetch.total_seconds": 0.8}


@pytest.fixture(scope="module")
def attacks() -> dict[str, Attack]:
    return make_attacks()


@pytest.fixture(autouse=True)
def forged_dns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", socket.getaddrinfo)  # so that it is put back afterwards
    forge_dns()


def crawl(server: AttackServer, attack: Attack, folder: Path) -> str:
    brief = {"limits.max_seconds": 2.0} if attack.stops == LATER else {}
    hurry = HURRY | (IMPATIENT if "FetchTimeout" in attack.recorded or brief else {})
    order = crawl_order(server, attack, folder).with_overrides({**hurry, **brief})
    with start_crawl(order) as crawler:
        return crawler.run()


@pytest.mark.parametrize("name", QUICK)
def test_an_attack_has_its_outcome_and_healthy_pages_are_had(
    name: str, attacks: dict[str, Attack], tmp_path: Path
) -> None:
    attack = attacks[name]
    with served(attack) as server:
        started = time.monotonic()
        reason = crawl(server, attack, tmp_path / "crawl")
        assert time.monotonic() - started < BOUND_SECONDS
    found, healthy = recorded(tmp_path / "crawl")
    assert reason in attack.stops
    assert set(found) == set(attack.recorded.split()), found
    assert healthy == HEALTHY_PAGES
    assert server.asked[INNER] == 0


def test_no_control_characters_in_logs_commands_and_exports(
    attacks: dict[str, Attack], tmp_path: Path
) -> None:
    attack = attacks["control characters"]
    with AttackServer(attack.answer) as server:
        crawl(server, attack, tmp_path / "crawl")
    assert recorded(tmp_path / "crawl")[0]["page"] > 5
    assert list(with_control_characters(tmp_path / "crawl")) == []


def pages_of_a_site(asked: Request) -> str:
    links = "".join(f'<a href="/{number}">bees {number}</a>' for number in range(SITE_PAGES))
    return f"<p>bees and honey, page {asked.path}</p>{links if asked.path == '/' else ''}"


def test_a_crawl_goes_on_when_a_host_dies_and_comes_back(tmp_path: Path) -> None:
    answer = html(pages_of_a_site)
    first = AttackServer(answer).__enter__()
    second = AttackServer(answer, port=first.port)
    revival = threading.Timer(DOWN_SECONDS, second.__enter__)

    def kill(progress: Progress) -> None:
        if progress.pages > SITE_PAGES // 3 and not first.is_closed:
            first.__exit__()
            revival.start()

    order = crawl_order(first, Attack(answer, ""), tmp_path / "crawl")
    with start_crawl(order.with_overrides({**HURRY, "politeness.max_backoff_seconds": 1.0})) as crawler:
        assert crawler.run(kill) == "frontier_empty"
    revival.join()
    second.__exit__()
    found, healthy = recorded(tmp_path / "crawl")
    assert found["page"] == 1 + SITE_PAGES
    assert found["HostUnreachable"] > 0
    assert healthy == HEALTHY_PAGES
    assert min(first.asked[ATTACKER], second.asked[ATTACKER]) > SITE_PAGES // 4
