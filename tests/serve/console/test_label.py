"""Labels in a real browser: single keys, each label saved, learned from, taken back; copies that can do nothing."""

import socket
import threading
from collections.abc import Iterator
from dataclasses import replace
from urllib.parse import urlsplit

import pytest
import uvicorn

import honeyguide as hg
from honeyguide.serve.portal.copies import make_copies_app
from tests.free_port import free_port
from tests.serve.console.conftest import Served, expect, objections, open_view, settle, tab_of

LONG = 90_000  # milliseconds; a job is a process of its own, and machines are busy


def said_of(served: Served, crawl: str) -> dict:
    return {
        url: row.relevant for url, row in hg.Crawl.open(served.folder / "crawls" / crawl).labels().items()
    }


@pytest.fixture
def with_copies(served: Served) -> Iterator[Served]:
    """The same workspace once more, with archived copies on a port of their own."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        own = replace(served, port=free_port(), copies_port=other.getsockname()[1])
        own.server = own.thread = None
        own.start()
        copies = uvicorn.Server(uvicorn.Config(make_copies_app(own.app.state.serving), log_level="critical"))
        thread = threading.Thread(target=copies.run, kwargs={"sockets": [other]})
        thread.start()
        yield own
        copies.should_exit = True
        thread.join()
        own.stop()


def test_pages_are_labelled_by_single_keys_and_each_is_saved(tab, served):
    before = said_of(served, "bees")
    open_view(tab, served, "crawls/bees/label")
    cards = tab.locator(".label-card")
    urls = cards.locator(".address").all_inner_texts()
    expect(cards.first.locator("mark").first).to_be_visible()
    for key in "uns":
        tab.keyboard.press(key)
    tab.get_by_text("✓ saved: not useful").wait_for()
    expect(tab.get_by_text("✓ saved: useful")).to_have_count(1)
    new = {url: said for url, said in said_of(served, "bees").items() if url not in before}
    assert new == {urls[0]: True, urls[1]: False}
    expect(cards).to_have_count(len(urls) - 1)  # the third was skipped
    tab.keyboard.press("z")
    tab.get_by_text("The last label is taken back.").wait_for()
    assert urls[1] not in said_of(served, "bees")
    tab.get_by_role("button", name="useful", exact=True).click()
    tab.get_by_text("All pages shown are labelled.").wait_for()
    tab.get_by_text("saving").first.wait_for(state="hidden")
    assert sum(map(bool, said_of(served, "bees").values())) >= len(urls) - 1
    tab.get_by_role("button", name="Undo").click()
    tab.get_by_text("labels are taken back.").wait_for()
    assert set(said_of(served, "bees")) == {*before, urls[0]}


def test_a_label_that_the_server_missed_is_saved_when_it_is_back(tab, served):
    open_view(tab, served, "crawls/bees/label?queue=teach")
    url = tab.locator(".label-card .address").first.inner_text()
    served.stop()
    tab.keyboard.press("n")
    tab.get_by_text("not saved: The server does not answer").wait_for()
    served.start()
    tab.get_by_text("The label that waited for the server is saved").wait_for()
    assert said_of(served, "bees")[url] is False


def test_the_topic_learns_is_compared_and_rolled_back(tab, served):
    crawl = hg.Crawl.open(served.folder / "crawls" / "bees")
    pages = sorted((page for page in crawl.visits() if page.is_kept), key=lambda page: page.relevance)
    for page in pages[:6] + pages[-6:]:
        crawl.label(page.url, page.is_relevant)
    open_view(tab, served, "crawls/bees/label")
    tab.get_by_role("button", name="Learn from").click()
    tab.get_by_text("Revision 1 guides the crawl.").wait_for(timeout=LONG)
    tab.get_by_role("heading", name="Pages that moved").wait_for()
    expect(tab.get_by_role("heading", name="Words that gained or lost")).to_be_visible()
    assert hg.Crawl.open(served.folder / "crawls" / "bees").revision == 1
    tab.get_by_role("button", name="Use it revision 0").click()
    tab.get_by_text("Revision 0 guides the crawl.").wait_for(timeout=LONG)
    assert hg.Crawl.open(served.folder / "crawls" / "bees").revision == 0
    tab.get_by_role("link", name="Check what I missed").first.click()
    tab.get_by_text("Pages chosen by the dice alone").wait_for()
    settle(tab)
    estimate = tab.get_by_text("(95 % sure)").first
    for _ in range(20):  # a key that is pressed before the queue is there labels nothing
        tab.keyboard.press("u")
        tab.wait_for_timeout(1_000)
        if estimate.is_visible():
            break
    estimate.wait_for(timeout=1_000)
    assert objections(tab) == []


def test_a_hostile_page_is_looked_at_in_a_frame_that_does_nothing(browser, with_copies):
    with tab_of(browser, with_copies) as tab:
        answered = []
        tab.on("response", lambda response: answered.append(response.url))
        open_view(tab, with_copies, "crawls/hostile/label")
        expect(
            tab.get_by_role("link", name="<script>document.title='taken over'</script>").first
        ).to_be_visible()
        tab.get_by_role("article", name="<script>").first.get_by_role("button", name="Show page").click()
        frame = tab.frame_locator("iframe.copy")
        frame.get_by_text("Bees make honey").wait_for()
        assert tab.locator("iframe.copy").get_attribute("sandbox") == ""
        assert tab.title() == "Label · hostile · honeyguide"
        assert [url for url in answered if "/copy/hostile/" in url]
        assert "outside.example" not in {urlsplit(url).hostname for url in answered}, "the page loads nothing"
        tab.keyboard.press("Escape")
        expect(tab.locator("dialog")).to_have_count(0)


def test_no_page_of_one_queue_is_labelled_as_of_another(tab, served):
    """While the next queue is read there is nothing to label: what is chosen by the dice tells how much was missed."""
    open_view(tab, served, "crawls/bees/label")
    tab.locator(".label-card").first.wait_for()
    tab.route("**/questions?queue=random*", lambda route: None)
    tab.get_by_role("link", name="Check what I missed").first.click()
    tab.get_by_text("Reading pages to ask about …").wait_for()
    expect(tab.locator(".label-card")).to_have_count(0)
    before = said_of(served, "bees")
    tab.keyboard.press("u")
    assert said_of(served, "bees") == before
    tab.unroute_all(behavior="ignoreErrors")
