"""Labels given while a crawl fetches over HTTP: its topic is revised, and all pages are judged by it in the end."""

import threading
import time
from pathlib import Path

import numpy as np

import honeyguide as hg
from honeyguide.cli.demo import demo_order
from honeyguide.sample_web.server import serve
from honeyguide.sample_web.web import SampleWeb
from honeyguide.topics.classifier.quality import area_under_curve


def test_a_crawl_is_corrected_while_it_runs(tmp_path: Path) -> None:
    with serve(SampleWeb(pages=3_000), lifetime_seconds=900) as server:
        good = {server.served(url) for url in server.web.targets("bees")}
        order = demo_order(server, "bees", 0, tmp_path / "crawl").with_overrides({"topic.text": "honey"})
        crawl, seen = hg.Crawl.start(order=order), hg.Crawl.open(tmp_path / "crawl")
        run = threading.Thread(target=crawl.run)
        run.start()
        try:
            _wait(lambda: seen.status().pages >= 100)
            seen.send(hg.Pause())  # so that the web is not crawled to its end before the labels are there
            for queue in ("best", "teach"):
                for page in seen.questions(12, queue):
                    seen.label(page.url, page.url in good, asked=queue)
            seen.send(hg.Resume())
            revision = seen.learn()
            assert revision.is_used
            before = seen.status().pages
            _wait(lambda: seen.status().pages >= before + 50 or not run.is_alive())
            _wait(lambda: not run.is_alive() or all(_by(visit, 1) for visit in _visits(seen)[:before]))
        finally:
            seen.stop() if run.is_alive() else None
            run.join(60)
    seen.judge_again()  # whatever was under way when it stopped
    visits = _visits(seen)
    assert all(_by(visit, 1) for visit in visits)
    is_good = np.array([visit.url in good for visit in visits])
    first = seen.first_topic.judge([page.text() for page in seen.visits()])
    assert area_under_curve(np.array([visit.relevance for visit in visits]), is_good) > area_under_curve(
        first, is_good
    )


def _visits(crawl):
    return [page.visit for page in crawl.visits()]


def _by(visit, revision):
    return visit.revision == revision or visit.copy_of is not None


def _wait(until, seconds=300):
    end = time.monotonic() + seconds
    while not until():
        assert time.monotonic() < end
        time.sleep(0.1)
