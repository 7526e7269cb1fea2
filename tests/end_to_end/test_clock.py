"""Clocks that are set back, and hosts that were asked a moment before the crawl died: live crawls on loopback."""

import sqlite3
import time
from contextlib import closing

import pytest
from benchmarks._attack_server import ATTACKER, AttackServer, html, page, plays

from honeyguide.assembly import resume_crawl, start_crawl
from honeyguide.engine.running import StopReason
from honeyguide.sample_web.server import serve
from honeyguide.sample_web.web import SampleWeb
from honeyguide.settings import CrawlOrder

WEB = SampleWeb(pages=300)
HOUR = 3600.0
PATIENCE = {"limits.max_seconds": 120.0}  # far more than needed, far less than an hour


@pytest.fixture(scope="module")
def server():
    with serve(WEB) as running:
        yield running


def live_order(folder, **more):
    return CrawlOrder().with_overrides(
        {
            "topic.text": WEB.description("bees"),
            "fetch.allow_networks": ["127.0.0.0/8"],
            "fetch.workers": 0,
            "politeness.delay_seconds": 0.02,
            "politeness.slowdown": 0.0,
            "output.folder": str(folder),
            **PATIENCE,
            **more,
        }
    )


def sample_order(server, folder, pages):
    seeds = [server.served(url) for url in WEB.seeds("bees")]
    return live_order(folder, **{"seeds.urls": seeds, "limits.max_pages": pages})


def test_a_clock_set_back_holds_nothing_up(server, tmp_path, monkeypatch):
    wall = time.time

    def set_back(progress):
        if progress.pages >= 20:
            monkeypatch.setattr(time, "time", lambda: wall() - HOUR)

    with start_crawl(sample_order(server, tmp_path / "crawl", 60)) as crawler:
        assert crawler.run(set_back) == StopReason.PAGE_LIMIT


def test_a_crawl_whose_clock_was_set_back_goes_on_and_says_so_once(server, tmp_path, monkeypatch):
    with start_crawl(sample_order(server, tmp_path / "crawl", 20)) as crawler:
        crawler.run()
    monkeypatch.setattr("honeyguide.clock._OFFSET", time.time() - time.monotonic() - HOUR)
    told = []
    for pages in (40, 60):
        with resume_crawl(tmp_path / "crawl", {"limits.max_pages": pages}) as crawler:
            assert crawler.run(lambda progress: told.extend(progress.alarms)) == StopReason.PAGE_LIMIT
    assert [line for line in told if "set back by 60 minutes" in line] == told
    assert len(told) == 1


def test_a_clock_that_is_right_is_nothing_to_tell(server, tmp_path):
    told = []
    with start_crawl(sample_order(server, tmp_path / "crawl", 5)) as crawler:
        crawler.run()
    with resume_crawl(tmp_path / "crawl", {"limits.max_pages": 10}) as crawler:
        crawler.run(lambda progress: told.extend(progress.alarms))
    assert told == []


@pytest.mark.parametrize("one_request_per", ["host", "site", "address"])
def test_after_a_kill_a_host_rests_its_own_delay(tmp_path, one_request_per):
    """As if the last commit had been long ago, and requests had gone out since."""
    delay, asked = 0.7, []

    def write(request):
        asked.append(time.monotonic())
        return f'<p>bees {request.path}</p><a href="/{len(asked)}">bees</a>'

    robots = plays(page(f"User-agent: *\nCrawl-delay: {delay}".encode()))
    with AttackServer(html(write), robots=robots) as server:
        home = f"http://{ATTACKER}:{server.port}/"
        more = {"politeness.one_request_per": one_request_per, "limits.max_pages": 2, "seeds.urls": [home]}
        with start_crawl(live_order(tmp_path / "crawl", **more)) as crawler:
            crawler.run()
        with closing(sqlite3.connect(tmp_path / "crawl" / "crawl.db")) as store, store:
            long_ago = "UPDATE host_records SET record = json_set(record, '$.ended', 1.0)"
            store.execute(f"{long_ago} WHERE name NOT LIKE '%://%'")
        opened = time.monotonic()
        with resume_crawl(tmp_path / "crawl", {"limits.max_pages": 3}) as crawler:
            crawler.run()
        assert len(asked) == 3
        assert asked[-1] >= opened + delay
