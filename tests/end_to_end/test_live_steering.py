"""A crawl over HTTP is steered by another process's hand while it runs: a host that is a trap is asked no more."""

import threading
import time
from pathlib import Path

import honeyguide as hg
from honeyguide.cli.demo import demo_order
from honeyguide.sample_web.server import serve
from honeyguide.sample_web.web import SampleWeb
from honeyguide.urls import host_of

TRAP = "calendar"


def test_a_trap_is_excluded_while_it_crawls(tmp_path: Path) -> None:
    with serve(SampleWeb(pages=3_000), lifetime_seconds=900) as server:
        crawl = hg.Crawl.start(order=demo_order(server, "bees", 0, tmp_path / "crawl"))
        seen = hg.Crawl.open(tmp_path / "crawl")
        run = threading.Thread(target=crawl.run)
        run.start()
        try:
            _wait(lambda: seen.status().pages >= 50 and seen.queue(TRAP).hits)
            assert seen.answer(seen.send(hg.Pause()), seconds=300) == "paused"
            trap = seen.queue(TRAP).by_host[0].host
            # What was under way still comes in, and changes the queue.
            _wait(lambda: seen.preview_steer(trap).urls == seen.queue(host=trap).hits > 0)
            number = seen.steer("exclude", trap)
            assert seen.answer(number, seconds=300).endswith("of 1 host are excluded")
            before = seen.status().pages
            assert seen.queue(host=trap).hits == 0
            seen.send(hg.Resume())
            _wait(lambda: seen.status().pages >= before + 150 or not run.is_alive())
        finally:
            seen.stop() if run.is_alive() else None
            run.join(60)
    later = [host_of(page.url) for page in seen.visits(since=before)]
    assert len(later) >= 150
    assert later.count(trap) < 10, "what was under way, or had arrived and was still to be read"
    assert trap not in later[100:]
    assert seen.queue(host=trap).hits == 0


def _wait(until, seconds=300):
    end = time.monotonic() + seconds
    while not until():
        assert time.monotonic() < end
        time.sleep(0.1)
