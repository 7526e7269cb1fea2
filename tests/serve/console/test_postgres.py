"""The console on crawls in PostgreSQL, in one piece, divided, and with a worker at work: nothing is missing there."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

import honeyguide as hg
from honeyguide.sample_web.web import SampleWeb
from honeyguide.store.postgres.place import Place
from honeyguide.workers import Worker
from tests.postgres_server import server as database
from tests.serve.conftest import wait_until
from tests.serve.console.conftest import (
    LONG,
    SlowWeb,
    all_views,
    expect,
    open_view,
    overflow,
    started,
    tab_of,
)

pytest.importorskip("psycopg", reason="the extra `postgres` is not installed")
WEB, PAGES = SampleWeb(pages=60), 25
LARGE = SampleWeb(pages=1_000)


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    folder = tmp_path_factory.mktemp("postgres")
    with database() as address:

        def begun(name, web=WEB, **more):
            settings = {
                "web.sample_pages": WEB.pages,
                "limits.max_pages": PAGES,
                "output.store": address.address,
                **more,
            }
            crawl = folder / "crawls" / name
            return hg.Crawl.start(crawl, web.description("bees"), web.seeds("bees"), settings=settings)

        begun("piece").run()
        divided = {"crawl.shards": 3, "output.archive_at": (folder / "pages").as_uri()}
        shared = begun("shared", **divided).folder
        with ThreadPoolExecutor(1) as thread:  # the browser has an event loop in this one
            assert thread.submit(Worker(Place.read(shared), folder / "worker").run).result() == "page_limit"
        running = begun("running", LARGE, **{"crawl.shards": 3, "limits.max_pages": 0}).folder
        worker = Worker(Place.read(running), folder / "other", SlowWeb(LARGE, quick=10, seconds=0.3))
        thread = threading.Thread(target=worker.run)
        thread.start()
        try:
            with started(folder) as found:
                yield found
        finally:
            worker.leave()
            thread.join()


LONGER = [pytest.param(name, marks=pytest.mark.slow) for name in ("piece", "running")]


@pytest.mark.parametrize("crawl", ["shared", *LONGER])
def test_every_view_opens(browser, served, crawl):
    with tab_of(browser, served) as tab:
        views = all_views(tab, served, crawl)
        assert len(views) >= 15
        for view in views:
            open_view(tab, served, view)
            assert (view, tab.locator(".trouble").all_inner_texts()) == (view, [])
            assert (view, overflow(tab)) == (view, [])
        assert tab.said == []


@pytest.mark.parametrize("crawl", ["piece", "shared"])
def test_one_works_with_it_as_with_any(browser, served, crawl):
    """Numbers, queue, labels, results, search and questions."""
    opened = hg.Crawl.open(served.folder / "crawls" / crawl)
    with tab_of(browser, served) as tab:
        open_view(tab, served, "")
        expect(tab.get_by_role("article", name=crawl)).to_contain_text(str(PAGES))
        open_view(tab, served, f"crawls/{crawl}/monitor")
        expect(tab.locator(".figure dd").first).to_contain_text(str(PAGES))
        open_view(tab, served, f"crawls/{crawl}/queue")
        waiting = opened.queue(most=1).urls[0].url
        expect(tab.locator("main").get_by_text(waiting).first).to_be_visible()
        open_view(tab, served, f"crawls/{crawl}/label")
        first = tab.locator(".label-card")
        expect(first.first.locator("mark").first).to_be_visible()
        url = first.locator(".address").first.inner_text()
        tab.keyboard.press("u")
        tab.get_by_text("✓ saved: useful").wait_for()
        assert opened.labels()[url].relevant is True
        open_view(tab, served, f"crawls/{crawl}/results")
        expect(tab.locator("tbody tr").first).to_contain_text(opened.top(1)[0].title)
        open_view(tab, served, f"crawls/{crawl}/sql?q=select+count(*)+as+fetched+from+pages")
        expect(tab.locator("table").first).to_contain_text(str(PAGES))
        assert tab.said == []
        opened.index()
        tab.goto(f"{served.url}/c/{crawl}/search?q=bees")
        expect(
            tab.locator("main").get_by_role("link", name=opened.search("bees").hits[0].title).first
        ).to_be_visible()


def test_workers_are_followed_paused_and_stopped(browser, served):
    with tab_of(browser, served) as tab:
        open_view(tab, served, "crawls/running/monitor")
        state, shown = tab.locator(".state").first, tab.locator(".figure dd").first
        expect(state).to_have_text("running", use_inner_text=True)
        seen = int(shown.evaluate("one => one.firstChild.data"))
        wait_until(lambda: int(shown.evaluate("one => one.firstChild.data")) > seen, LONG / 1000)
        tab.get_by_role("button", name="Pause running").click()
        expect(state).to_have_text("paused", use_inner_text=True)
        tab.get_by_role("button", name="Go on running").click()
        expect(state).to_have_text("running", use_inner_text=True)
        tab.get_by_role("button", name="Stop running").click()
        expect(state).to_have_text("stopped", use_inner_text=True)
        tab.get_by_role("button", name="Run running").click()
        tab.get_by_text("honeyguide worker").first.wait_for()
