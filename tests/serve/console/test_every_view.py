"""Every view, in every state a crawl can be in, at both widths, light and dark, and by keyboard alone.

HONEYGUIDE_SCREENSHOTS names a folder in which the slow test of pictures leaves one of each, of larger crawls.
"""

import json
import os
import re
import threading
import time
from pathlib import Path

import pytest

import honeyguide as hg
from honeyguide.sample_web.web import SampleWeb
from honeyguide.serve.workspace import Workspace
from honeyguide.store.folder import PROCESS_END, PROCESS_LOCK, PROCESS_LOG
from honeyguide.topics.ontology import OntologyTopic, read_topic_map
from honeyguide.topics.taxonomy.backbone import topic_from_examples
from honeyguide.topics.topic_file import write_topic
from tests.serve.conftest import wait_until
from tests.serve.console.conftest import (
    NARROW,
    WIDE,
    Served,
    SlowWeb,
    all_views,
    expect,
    looked,
    objections,
    open_view,
    overflow,
    started,
    tab_of,
)
from tests.serve.test_sketches import BEES, MAP

VIEWS = ("monitor", "queue", "label", "results")
STATES = ("running", "failed", "died", "not-started")
NOTHING_YET = ("", "new-topic", "new-topic?step=examples", "new-topic?step=test", "new-crawl", "reports")
"""Views of a workspace in which there is nothing."""
PAIRS = [(width, theme) for width in (WIDE, NARROW) for theme in ("light", "dark")]
COLOURS = ("color-contrast", "link-in-text-block")
"""What axe-core says of colours; all else depends on the width alone."""
PICTURES = os.environ.get("HONEYGUIDE_SCREENSHOTS", "")
WEB, PAGES = (
    (SampleWeb(2_000), 400) if PICTURES else (SampleWeb(60), 25)
)  # axe-core takes long for long tables
QUICK, SLOW_SECONDS = 1 + PAGES, 3.0
DRAWN = """name => {
  const colour = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const wanted = colour.match(/[0-9a-f]{2}/gi).map(pair => parseInt(pair, 16));
  return [...document.querySelectorAll('.graph canvas')].some(canvas => {
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    for (let at = 0; at < data.length; at += 4) if (wanted.every((part, of) => data[at + of] === part)) return true;
    return false;
  });
}"""
"""Whether the map is drawn with a colour of the theme."""


def made(folder, name, pages=0, topic="bees"):
    settings = {"web.sample_pages": WEB.pages}
    crawl = hg.Crawl.start(
        folder / "crawls" / name, WEB.description(topic), WEB.seeds(topic), settings=settings
    )
    if pages:
        crawl.run(pages=pages)
    crawl.release()
    return crawl


def leave(crawl, log="", **end):
    """What a process leaves that was started by the server, ended or killed."""
    (crawl.folder / PROCESS_LOCK).touch()
    (crawl.folder / PROCESS_LOG).write_text(log)
    if end:
        (crawl.folder / PROCESS_END).write_text(json.dumps(end))


@pytest.fixture(scope="module")
def states(tmp_path_factory):
    """A server of a workspace with a crawl in each state, one of them at work in this process."""
    folder = tmp_path_factory.mktemp("states")
    made(folder, "finished", pages=PAGES)
    made(folder, "not-started")
    leave(made(folder, "failed", pages=3), "error: too many pages failed\n", code=4, ended=time.time())
    leave(made(folder, "robots"), "error: no host lets it in\n", code=5, ended=time.time())
    leave(made(folder, "died", pages=5))
    write_topic(Workspace(folder).new_topic_file("tree"), topic_from_examples("Beekeeping", [], words=BEES))
    (folder / "map.ttl").write_text(MAP)
    topic_map = OntologyTopic.of_map(read_topic_map(folder / "map.ttl"), ["Honey bee"])
    write_topic(Workspace(folder).new_topic_file("garden"), topic_map)
    running = hg.Crawl.start(
        folder / "crawls" / "running",
        WEB.description("coffee"),
        WEB.seeds("coffee"),
        web=SlowWeb(WEB, QUICK, SLOW_SECONDS),
    )
    thread = threading.Thread(target=running.run)
    thread.start()
    with started(folder) as served:
        yield served
    if thread.is_alive():  # pictures take longer than it has pages
        running.stop()
    thread.join()


@pytest.fixture(scope="module")
def empty(tmp_path_factory):
    with started(tmp_path_factory.mktemp("empty")) as served:
        yield served


def ways(tab, served: Served, view: str, name: str, pairs=PAIRS):
    """Open a view once, and look at it in each of the ways: no text is cut, and the browser complains of nothing."""
    tab.set_viewport_size({"width": WIDE, "height": 900})
    open_view(tab, served, view)
    for width, theme in pairs:
        tab.set_viewport_size({"width": width, "height": 900})
        tab.emulate_media(color_scheme=theme, reduced_motion="reduce")
        about = f"{name}, {width}, {theme}"
        assert (about, overflow(tab)) == (about, [])
        yield about, theme
    assert (name, tab.said) == (name, [])


def look_at(tab, served: Served, view: str, name: str, all_rules: bool = False, pairs=PAIRS) -> None:
    """Ask axe-core about each of the ways."""
    for about, theme in ways(tab, served, view, name, pairs):
        rules = () if all_rules or theme == "light" else COLOURS
        assert (about, objections(tab, rules)) == (about, [])


def take_picture(tab, folder: Path, name: str) -> Path:
    tab.evaluate("scrollTo(0, 0)")
    tab.wait_for_timeout(100)  # for what is drawn anew at another width
    file = folder / f"{re.sub(r'[^A-Za-z0-9]+', '-', name).strip('-')}.png"
    tab.screenshot(path=str(file), full_page=not tab.locator("dialog").count())
    return file


def test_every_view_of_a_finished_crawl(browser, states):
    """In two of the four ways, wide and dark, narrow and light; in all of them below."""
    with tab_of(browser, states) as tab:
        views = all_views(tab, states, "finished")
        page = next(hg.Crawl.open(states.folder / "crawls" / "finished").visits()).url
        assert len(views) >= 15
        for view in [*views, f"crawls/finished/monitor?page={page}", "nothing-is-here"]:
            look_at(tab, states, view, f"finished {view}", pairs=PAIRS[1:3])


@pytest.mark.parametrize("state", STATES)
def test_every_state_of_a_crawl(browser, states, state):
    """The monitor tells the state, and is looked at in all ways; the others, where they are short, in two."""
    with tab_of(browser, states) as tab:
        look_at(tab, states, f"crawls/{state}/monitor", f"{state} monitor")
        for view in VIEWS[1:]:
            look_at(tab, states, f"crawls/{state}/{view}", f"{state} {view}", pairs=[PAIRS[0], PAIRS[3]])


def test_an_empty_workspace_says_the_next_step(browser, empty):
    with tab_of(browser, empty) as tab:
        for view in NOTHING_YET:
            look_at(tab, empty, view, f"empty {view}")
        open_view(tab, empty, "")
        assert re.sub(r"\s+", " ", tab.inner_text("main")).endswith(
            "Make the first crawl Try it on the sample web Trash"
        )
        tab.get_by_role("link", name="Make the first crawl").click()
        tab.get_by_role("heading", name="New crawl").wait_for()
        open_view(tab, empty, "")
        tab.get_by_role("link", name="Try it on the sample web").click()
        tab.get_by_label("Try a topic of the sample web").select_option("coffee")
        tab.get_by_text("All is there.").wait_for()


@pytest.mark.slow
def test_every_rule_in_every_way(browser, states):
    """With all rules of axe-core in all four ways; elsewhere only colours are looked at in the dark."""
    with tab_of(browser, states) as tab:
        for view in all_views(tab, states, "finished"):
            look_at(tab, states, view, f"finished {view}", all_rules=True)
        for state in STATES:
            for view in all_views(tab, states, state):
                if view.startswith("crawls/"):
                    look_at(tab, states, view, f"{state} {view}", all_rules=True)


@pytest.mark.slow
def test_pictures_of_every_view_in_every_state(browser, states, empty, tmp_path):
    folder = Path(PICTURES or tmp_path / "pictures")
    folder.mkdir(parents=True, exist_ok=True)
    page = next(hg.Crawl.open(states.folder / "crawls" / "finished").visits()).url
    made = set()
    with tab_of(browser, states) as tab:
        views = {view: view for view in all_views(tab, states, "finished")}
        views |= {f"crawls/finished/monitor?page={page}": "page", "nothing-is-here": "nowhere"}
        views |= {f"crawls/{state}/{view}": f"{state} {view}" for state in STATES for view in VIEWS}
        for view, name in views.items():
            made |= {take_picture(tab, folder, about) for about, _ in ways(tab, states, view, name or "home")}
    with tab_of(browser, empty) as tab:
        for view in NOTHING_YET:
            about = f"empty {view or 'home'}"
            made |= {take_picture(tab, folder, about) for about, _ in ways(tab, empty, view, about)}
    assert len(made) >= 4 * 40
    assert all(picture.stat().st_size > 5_000 for picture in made), "nothing is blank"


def test_the_map_takes_on_the_colours_of_the_theme(browser, states):
    """What is drawn knows nothing of the style sheet: it is dressed again when the theme changes."""
    with tab_of(browser, states) as tab:
        open_view(tab, states, "new-topic?step=map&topic=garden")
        tab.locator(".graph canvas").first.wait_for()
        for theme in ("light", "dark"):
            tab.emulate_media(color_scheme=theme)
            wait_until(lambda: tab.evaluate(DRAWN, "--accent"))


def test_what_failed_is_told_from_what_was_stopped(browser, states):
    with tab_of(browser, states) as tab:
        open_view(tab, states, "")
        for name, told in {
            "failed": "too many pages failed",
            "robots": "No host lets a crawler in",
            "died": "Its process died",
            "not-started": "No page yet",
        }.items():
            tab.get_by_role("article", name=name).get_by_text(told).first.wait_for()
        states_shown = {
            name: tab.get_by_role("article", name=name).locator(".state").inner_text()
            for name in ("running", "failed", "died", "finished")
        }
        assert states_shown == {
            "running": "running",
            "failed": "failed",
            "died": "died",
            "finished": "stopped",
        }


@pytest.mark.parametrize("width", [pytest.param(WIDE, marks=pytest.mark.slow), NARROW])
def test_everything_is_reached_by_keyboard_and_seen_where_it_is(browser, states, width):
    with tab_of(browser, states, width) as tab:
        for view in all_views(tab, states, "died"):
            open_view(tab, states, view)
            many = looked(tab, "reachable")
            reached = set()
            for _ in range(many + 5):  # from wherever the focus was, and once around
                tab.keyboard.press("Tab")
                focused = looked(tab, "focused")
                if focused is None:
                    continue
                if focused["at"] in reached:
                    break
                assert focused["isMarked"], (view, focused)
                assert focused["isSeen"], (view, focused)
                reached.add(focused["at"])
            missing = [at for at in map(str, range(many)) if at not in reached]
            names = [
                tab.locator(f"[data-at='{at}']").evaluate("one => one.outerHTML.slice(0, 150)")
                for at in missing
            ]
            assert (view, names) == (view, [])


def test_escape_closes_whatever_is_open_and_gives_the_focus_back(browser, states):
    with tab_of(browser, states) as tab:
        open_view(tab, states, "crawls/died/monitor")
        term = tab.get_by_role("button", name="What is relevant?")
        term.focus()
        tab.keyboard.press("Enter")
        tab.locator(".term-help").wait_for()
        tab.keyboard.press("Escape")
        expect(tab.locator(".term-help")).to_have_count(0)
        why = tab.get_by_role("button", name="Page 1: why")
        why.focus()
        tab.keyboard.press("Enter")
        tab.get_by_role("heading", name="The path from the seed").wait_for()
        expect(tab.locator("dialog:focus-within")).to_have_count(1)
        tab.keyboard.press("Escape")
        tab.locator("dialog").wait_for(state="detached")
        expect(why).to_be_focused()
        open_view(tab, states, "")
        clone = tab.get_by_role("article", name="died").get_by_role("button", name="Clone")
        clone.focus()
        tab.keyboard.press("Enter")
        tab.get_by_label("Its name").wait_for()
        tab.keyboard.press("Escape")
        tab.locator("dialog").wait_for(state="detached")
        expect(clone).to_be_focused()
