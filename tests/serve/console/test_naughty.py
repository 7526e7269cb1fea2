"""Strings that mean harm, wherever a string can come from, on every view: shown, never run, nothing asked elsewhere."""

from urllib.parse import quote

import httpx
import pytest

import honeyguide as hg
from honeyguide.serve.workspace import Workspace
from honeyguide.topics.keywords import KeywordTopic
from honeyguide.topics.topic_file import write_topic
from tests.serve.console.conftest import NARROW, WIDE, all_views, expect, open_view, overflow, settle
from tests.serve.console.naughty import SITE, STRINGS, NaughtySite

NAME = "naughty"
CHANGES = f"crawls/{NAME}/results?show=changes&since=1970-01-01"
QUESTION = "select title, url, '<svg onload=window.hit=1>' as \"<b onclick=hit()>\" from pages"
SQL = f"crawls/{NAME}/sql?q={quote(QUESTION)}"
MAP = """@prefix s: <http://www.w3.org/2004/02/skos/core#> .
<http://naughty.example/a> a s:Concept ; s:prefLabel "<img src=x onerror=window.hit=1>" .
<http://naughty.example/b> a s:Concept ; s:prefLabel "\\u202ebees {{7*7}}" ; s:broader <http://naughty.example/a> .
"""


@pytest.fixture(scope="module")
def naughty(served):
    """A crawl of the site, labelled, with failures, in the workspace of all."""
    topic = KeywordTopic(f"bees honey hive {STRINGS[2]}")
    made = hg.Crawl.start(
        served.folder / "crawls" / NAME,
        topic,
        [f"{SITE}/"],
        web=NaughtySite(),
        settings={
            "fetch.content_types": ["text/html", "image/svg+xml"],
            "scope.skip_extensions": [],
            "crawl.keep_fresh": True,
            "limits.max_requests": 210,
        },
    )
    made.run()
    assert {change.kind for change in made.changes(0.0)} == {"new", "changed", "gone"}
    for page in made.top(12):
        made.label(page.url, page.relevance > 0.5)
    made.index()
    write_topic(Workspace(served.folder).new_topic_file("naughty-words"), topic)
    return made


@pytest.fixture
def watched(tab, served, naughty):
    """A tab, and all that it must not do."""
    tab.asked, tab.dialogs = [], []
    tab.on("request", lambda request: tab.asked.append(request.url))
    tab.on("dialog", lambda dialog: (tab.dialogs.append(dialog.message), dialog.dismiss()))
    tab.add_init_script(
        "addEventListener('securitypolicyviolation', (event) => console.error(`policy: ${event.blockedURI}`))"
    )
    return tab


def check_nothing_ran(tab, served, about):
    assert tab.evaluate("[window.hit ?? null, document.scripts.length]") == [None, 1], about
    assert (about, tab.dialogs, tab.said) == (about, [], [])
    elsewhere = [url for url in tab.asked if not url.startswith((served.url, "data:", "blob:"))]
    assert (about, elsewhere) == (about, [])


def test_no_view_runs_what_was_crawled_and_all_hold_together(watched, served, naughty):
    tab = watched
    seen = all_views(tab, served, NAME)
    assert len(seen) > 12
    assert f"crawls/{NAME}/results?show=changes" in seen
    for view in [*seen, CHANGES, SQL, f"crawls/{NAME}/monitor?page={SITE}/bees/1"]:
        tab.set_viewport_size({"width": WIDE, "height": 900})
        open_view(tab, served, view)
        check_nothing_ran(tab, served, view)
        assert (view, overflow(tab)) == (view, [])
        tab.set_viewport_size({"width": NARROW, "height": 900})
        assert (view, overflow(tab)) == (view, [])


def test_strings_are_shown_as_they_are(watched, served, naughty):
    tab = watched
    open_view(tab, served, f"crawls/{NAME}/results")
    text = tab.inner_text("main")
    for shown in ("<script>window.hit=1</script> bees 0", "{{constructor.constructor(", "🐝🍯", "蜜蜂和蜂蜜"):
        assert shown in text
    links = tab.locator("main a[target=_blank]").evaluate_all(
        "links => links.map(link => link.protocol + link.rel)"
    )
    assert set(links) == {"http:noopener noreferrer nofollow"}
    check_nothing_ran(tab, served, "results")


def test_what_changed_is_shown_as_it_is(watched, served, naughty):
    tab = watched
    open_view(tab, served, CHANGES)
    while (more := tab.get_by_role("button", name="Show more rows")).count():
        more.click()
    text = tab.inner_text("main")
    for shown in (
        "+ News of bees and honey: <script>window.hit=1</script> was said",
        "🐝🍯",
        "<svg onload=window",
    ):
        assert shown in text
    assert tab.locator(".change-gone").count() > 3
    check_nothing_ran(tab, served, CHANGES)


def test_labels_rules_words_and_maps_that_mean_harm(watched, served, naughty):
    tab = watched
    open_view(tab, served, f"crawls/{NAME}/label")
    tab.keyboard.press("u")
    tab.get_by_text("✓ saved: useful").first.wait_for()
    open_view(tab, served, f"crawls/{NAME}/queue")
    tab.get_by_label("Host, url, or url with *").fill(f"{STRINGS[2]}*")
    tab.get_by_text("It would hit").wait_for()
    tab.get_by_role("button", name="Exclude <img").click()
    tab.get_by_text("Excluded <img src=x onerror").first.wait_for()
    check_nothing_ran(tab, served, "queue")
    open_view(tab, served, "new-topic")
    for text in STRINGS[:20]:
        tab.get_by_label("What are good pages about?").fill(f"bees {text}")
    tab.get_by_label("Try it on").select_option(NAME)
    tab.get_by_text("would count as relevant").wait_for()
    check_nothing_ran(tab, served, "words")
    open_view(tab, served, "new-topic?step=map")
    if not tab.get_by_label("Name of the topic").is_visible():
        tab.get_by_text("A new topic from a map").click()
    tab.get_by_label("Name of the topic").fill("naughty-map")
    tab.locator("#map-file").set_input_files(
        {"name": "<img src=x onerror=hit=1>.ttl", "mimeType": "text/turtle", "buffer": MAP.encode()}
    )
    tab.get_by_role("heading", name="As a tree").wait_for()
    settle(tab)
    expect(tab.get_by_text("<img src=x onerror=window.hit=1>").first).to_be_visible()
    check_nothing_ran(tab, served, "map")


def test_files_that_are_saved_are_files(watched, served, naughty):
    headers = {"Authorization": f"Bearer {served.token}"}
    for kind in ("csv", "jsonl"):
        query = {"what": "pages", "kind": kind}
        answer = httpx.get(
            f"{served.url}/api/v1/crawls/{NAME}/export", params=query, headers=headers, timeout=60
        )
        assert answer.headers["content-disposition"].startswith("attachment")
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "html" not in answer.headers["content-type"]
        assert "window.hit" in answer.text
    open_view(watched, served, f"crawls/{NAME}/results")
    with watched.expect_download() as saved:
        watched.get_by_role("button", name="Save Best pages as CSV").click()
    rows = saved.value.path().read_text(encoding="utf-8")
    assert "'=HYPERLINK" in rows
    check_nothing_ran(watched, served, "saved")
