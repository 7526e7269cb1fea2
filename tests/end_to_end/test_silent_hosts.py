"""Hosts that accept connections and never say a word, beside one that answers: live crawls on loopback."""

import asyncio
import socket
import threading
from contextlib import contextmanager

import pytest
from benchmarks._attack_server import ATTACKER, AttackServer, html

from honeyguide.assembly import start_crawl
from honeyguide.engine.running import StopReason
from honeyguide.frontier.ready import MOST_OF_A_SITE, MOST_TRUST
from honeyguide.settings import CrawlOrder
from honeyguide.state.state import State
from honeyguide.store.sqlite.store import SqliteStore

IN_FLIGHT = 12
PAGES = 40
SILENT_ADDRESS = "127.77.0.1"


class SilentHosts:
    """Counts who is connected at the same time, over all of its addresses."""

    def __init__(self, addresses):
        self.most = self.now = self.asked = 0
        self._addresses = addresses
        self._ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run()), daemon=True)

    async def _run(self):
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        first = await asyncio.start_server(self._keep_silent, self._addresses[0], 0)
        self.port = first.sockets[0].getsockname()[1]
        others = [await asyncio.start_server(self._keep_silent, to, self.port) for to in self._addresses[1:]]
        self._ready.set()
        await self._stop.wait()
        for server in (first, *others):
            server.close()

    async def _keep_silent(self, reader, writer):
        self.now += 1
        self.asked += 1
        self.most = max(self.most, self.now)
        try:
            while await reader.read(1000):
                pass
        finally:
            self.now -= 1
            writer.close()

    def __enter__(self):
        self._thread.start()
        assert self._ready.wait(60)
        return self

    def __exit__(self, *error):
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()


def live_order(folder, server, silent_urls, **more):
    """All but the first page of the host that answers come after the silent ones, each of which is waited for long."""
    return CrawlOrder().with_overrides(
        {
            "topic.text": "bees and honey",
            "strategy.name": "breadth-first",
            "seeds.urls": [f"http://{ATTACKER}:{server.port}/0", *silent_urls],
            "politeness.contact": "https://example.org/silent",
            "politeness.delay_seconds": 0.02,
            "politeness.slowdown": 0.0,
            "fetch.allow_networks": ["127.66.0.0/16", "127.77.0.0/16"],
            "fetch.in_flight": IN_FLIGHT,
            "fetch.workers": 0,
            "limits.max_pages": 0,
            "limits.max_seconds": 120.0,
            "output.folder": str(folder),
            **more,
        }
    )


def chain(asked):
    number = int(asked.path.strip("/"))
    return f'<p>bees and honey {number}</p><a href="/{number + 1}">more</a>'


def pages_had(order):
    """Crawl until there are enough pages, or the time is over."""
    with start_crawl(order) as crawler:
        crawler.run(lambda progress: crawler.stop() if progress.pages >= PAGES else None)
        return crawler.harvest.pages


@contextmanager
def healthy():
    with AttackServer(html(chain)) as server:
        yield server


@pytest.fixture
def wildcard_dns(monkeypatch):
    look_up = socket.getaddrinfo

    def forged(host, *options, **more):
        is_forged = str(host).endswith((".wildcard.org", ".forged"))
        return look_up(SILENT_ADDRESS if is_forged else host, *options, **more)

    monkeypatch.setattr(socket, "getaddrinfo", forged)


def test_silent_hosts_leave_half_of_the_places_to_others(tmp_path):
    addresses = [f"127.77.0.{n}" for n in range(1, 101)]
    with healthy() as server, SilentHosts(addresses) as silent:
        urls = [f"http://{address}:{silent.port}/" for address in addresses]
        assert pages_had(live_order(tmp_path / "crawl", server, urls)) >= PAGES
        assert silent.most == IN_FLIGHT // 2


def test_silent_hosts_of_one_site_have_a_few_places(tmp_path, wildcard_dns):
    with healthy() as server, SilentHosts([SILENT_ADDRESS]) as silent:
        urls = [f"http://{n}.wildcard.org:{silent.port}/" for n in range(100)]
        assert pages_had(live_order(tmp_path / "crawl", server, urls)) >= PAGES
        assert silent.most == MOST_OF_A_SITE


def test_a_silent_address_is_not_tried_for_all_of_its_sites(tmp_path, wildcard_dns):
    """However many names lead there: they are given up for the time being without a request."""
    waits = {"fetch.read_seconds": 0.3, "fetch.total_seconds": 0.5, "limits.max_seconds": 0.0}
    with healthy() as server, SilentHosts([SILENT_ADDRESS]) as silent:
        urls = [f"http://site{n}.forged:{silent.port}/" for n in range(100)]
        order = live_order(tmp_path / "crawl", server, urls, **waits, **{"limits.max_failures": len(urls)})
        with start_crawl(order) as crawler:
            assert crawler.run() == StopReason.FAILURE_LIMIT
        assert silent.asked <= 2 * IN_FLIGHT


def test_a_list_of_dead_hosts_is_worked_through(tmp_path):
    """Each is asked for its robots.txt, though they are many times more than may be asked at once."""
    addresses = [f"127.77.0.{n}" for n in range(1, 41)]
    # Long enough that a busy machine has come to listen before they are given up.
    waits = {"fetch.read_seconds": 0.3, "fetch.total_seconds": 1.0, "limits.max_seconds": 0.0}
    with healthy() as server, SilentHosts(addresses) as silent:
        urls = [f"http://{address}:{silent.port}/" for address in addresses]
        order = live_order(tmp_path / "crawl", server, urls, **waits, **{"limits.max_failures": len(urls)})
        with start_crawl(order) as crawler:
            assert crawler.run() == StopReason.FAILURE_LIMIT
        assert silent.asked >= len(urls)


def test_who_has_answered_is_known_after_a_restart(tmp_path):
    with healthy() as server:
        order = live_order(tmp_path / "crawl", server, [], **{"limits.max_pages": 3})
        with start_crawl(order) as crawler:
            crawler.run()
        state, store = State(), SqliteStore(tmp_path / "crawl")
        store.load(state)
        store.close()
        assert state.hosts["trust"][state.find_host(f"{ATTACKER}:{server.port}")] == MOST_TRUST
