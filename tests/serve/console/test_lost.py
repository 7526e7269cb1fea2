"""Whatever is away is said at once, and what comes back is seen by itself: the server, a crawl, an answer."""

import os
import signal

import pytest

from honeyguide.sample_web.server import serve
from tests.serve.conftest import wait_until
from tests.serve.console.conftest import LONG, LOST, WEB, all_views, expect, open_view, tab_of

DIED = "Its process died"
SLOWLY = {"politeness.delay_seconds": 1.0, "fetch.allow_networks": ["127.0.0.0/8"], "fetch.workers": 0}


@pytest.fixture
def slow_web():
    """Live hosts that are asked once a second each: a crawl of them costs little, and lasts."""
    with serve(WEB) as web:
        yield web


def test_the_server_and_a_crawl_are_killed(browser, server, slow_web):
    with tab_of(browser, server) as tab:
        order = {
            "name": "slow",
            "topic": WEB.description("bees"),
            "seeds": [*map(slow_web.served, WEB.seeds("bees"))],
            "settings": SLOWLY,
            "run": True,
        }
        headers = {"Origin": server.url}
        assert tab.context.request.post(f"{server.url}/api/v1/crawls", data=order, headers=headers).ok
        open_view(tab, server, "crawls/slow/monitor")
        running = tab.locator(".state", has_text="running")
        running.wait_for(timeout=LONG)
        tab.evaluate("window.isTheSame = true")

        server.kill()
        tab.get_by_text(LOST).first.wait_for()
        seen = server.pages("slow")
        wait_until(lambda: server.pages("slow") > seen, LONG / 1000)  # it needs no server
        server.start()
        tab.get_by_text(LOST).first.wait_for(state="hidden", timeout=LONG)
        shown = tab.locator(".figure dd").first
        wait_until(lambda: int(shown.evaluate("one => one.firstChild.data")) > seen, LONG / 1000)

        os.kill(server.crawl("slow").process, signal.SIGKILL)
        tab.get_by_text(DIED).wait_for(timeout=LONG)
        expect(tab.locator(".state")).to_have_text("died", use_inner_text=True)
        tab.get_by_role("button", name="Run slow").click()
        running.wait_for(timeout=LONG)
        tab.get_by_text(DIED).wait_for(state="hidden")
        assert tab.evaluate("window.isTheSame"), "the page was never loaded again"


def test_what_was_read_stays_while_the_server_is_away(tab, served):
    """A form that is half filled in, and a list that is read again and again."""
    open_view(tab, served, "new-crawl?words=bees")
    tab.get_by_label("Name of the crawl").fill("half")
    served.stop()
    tab.get_by_label("Name of the crawl").fill("half-done")
    tab.get_by_text(LOST).first.wait_for()
    served.start()
    tab.get_by_text(LOST).first.wait_for(state="hidden")
    expect(tab.get_by_label("Name of the crawl")).to_have_value("half-done")
    open_view(tab, served, "")
    card = tab.get_by_role("article", name="bees")
    served.stop()
    tab.get_by_text(LOST).first.wait_for()
    expect(card).to_be_visible()
    expect(tab.get_by_text(LOST)).to_have_count(1)
    served.start()
    tab.get_by_text(LOST).first.wait_for(state="hidden")


def test_whoever_waits_is_told_for_what(tab, served):
    """All answers but who one is are held back: each view says in words what it waits for."""
    views = all_views(tab, served, "bees")
    tab.route("**/api/v1/**", lambda route: route.continue_() if "/session" in route.request.url else None)
    for view in views:
        asking = "?q=select+1" if view.endswith("/sql") else ""  # or it would wait for nothing
        tab.goto(f"{served.url}/console/#/{view}{asking}")
        tab.locator("main").get_by_text("…").locator("visible=true").first.wait_for()
    tab.unroute_all(behavior="ignoreErrors")


def test_a_crawl_that_is_thrown_away_elsewhere_is_told(tab, served):
    headers = {"Origin": served.url}
    crawls = f"{served.url}/api/v1/crawls"
    assert tab.context.request.post(crawls, data={"name": "gone", "like": "fresh"}, headers=headers).ok
    open_view(tab, served, "crawls/gone/monitor")
    assert tab.context.request.delete(f"{crawls}/gone", headers=headers).ok
    tab.get_by_role("alert").get_by_text("there is no crawl 'gone'").wait_for()
