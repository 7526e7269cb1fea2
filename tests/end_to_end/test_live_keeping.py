"""A live crawl that is kept fresh sleeps when nothing is worth asking for, hears commands, and asks again politely."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

import honeyguide as hg
from honeyguide.sample_web.server import serve
from tests.end_to_end.test_live_crawl import WEB, assert_polite, live_order

LATER_SECONDS = 20 * 86_400


def test_it_sleeps_hears_and_asks_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shift = [0.0]
    monkeypatch.setattr(
        "honeyguide.engine.keeping.time", SimpleNamespace(time=lambda: time.time() + shift[0])
    )
    with serve(WEB, lifetime_seconds=900) as server:
        more = {
            "crawl.keep_fresh": "relevant",
            "limits.max_pages": 0,
            "scope.max_depth": 0,
            "fetch.sitemaps": False,
        }
        crawl = hg.Crawl.start(order=live_order(server, tmp_path / "crawl", **more))
        seen = hg.Crawl.open(tmp_path / "crawl")
        run = threading.Thread(target=crawl.run)
        run.start()
        try:
            _wait(lambda: seen.status().pages >= 4 and not seen.status().urls_by_status["queued"])
            asleep = seen.status().requests
            time.sleep(2.5)
            assert run.is_alive()
            assert seen.status().requests == asleep
            assert seen.answer(seen.send(hg.AddSeeds(urls=[server.served(WEB.url(7))])), seconds=300)
            _wait(lambda: seen.status().requests > asleep)
            shift[0] = LATER_SECONDS
            _wait(lambda: any(page.visit.is_revisit for page in seen.visits()))
        finally:
            seen.stop()
            run.join(60)
        assert not run.is_alive()
        assert_polite(list(server.log), 0.02)
    visits = [page.visit for page in seen.visits()]
    again = [visit for visit in visits if visit.is_revisit]
    assert all(visit.relevance >= seen.threshold for visit in again)
    assert all(visit.changed is False for visit in again)
    assert seen.status().pages == len({visit.url for visit in visits})


def _wait(until, seconds=300):
    end = time.monotonic() + seconds
    while not until():
        assert time.monotonic() < end
        time.sleep(0.1)
