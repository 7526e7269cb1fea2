"""The portal in a browser: no objection by axe-core, small screens, the keyboard alone, copies that do nothing."""

import socket
import threading

import pytest

from tests.serve.console.conftest import ARGUMENTS, CHROMIUM
from tests.serve.portal.test_copies import copy_of, hostile_url

if not CHROMIUM.exists():
    pytest.skip(
        "no browser: there is no /usr/bin/chromium (scripts/machine installs it)", allow_module_level=True
    )
playwright = pytest.importorskip("playwright.sync_api")
axe = pytest.importorskip("axe_core_python.base")


@pytest.fixture(scope="module")
def browser():
    with playwright.sync_playwright() as running:
        launched = running.chromium.launch(executable_path=str(CHROMIUM), args=ARGUMENTS)
        yield launched
        launched.close()


def new_context(browser, **more):
    """A small window, with patience for machines that do much else."""
    context = browser.new_context(viewport={"width": 400, "height": 800}, **more)
    context.set_default_timeout(120_000)
    return context


@pytest.fixture
def tab(browser):
    context = new_context(browser)
    yield context.new_page()
    context.close()


@pytest.fixture(scope="module")
def kinds(portal, bees):
    """One address of each kind of page."""
    leaf = next(
        found
        for found in portal.get("/c/bees/browse").text.split('"')
        if found.startswith("/c/bees/browse?at=")
    )
    return {
        "front": "/",
        "all": "/?q=hive",
        "about": "/about",
        "search": "/c/bees/search?q=hive",
        "narrowed": "/c/bees/search?q=hivve+%22&relevant=1&language=en",
        "page": portal.page_of("bees", bees.top(3)[2].url),
        "browse": "/c/bees/browse",
        "leaf": leaf.replace("&amp;", "&"),
        "newest": "/c/bees/newest",
        "hostile": "/c/hostile/search?q=bees",
        "hostile page": portal.page_of("hostile", hostile_url(portal)),
        "error": "/c/nothing/search",
    }


def objections(tab, options="{}"):
    """What axe-core objects to on a page; only that is brought back, since all it has to say is much."""
    tab.evaluate(axe.AXE_SCRIPT)
    return tab.evaluate(
        f"axe.run({{resultTypes: ['violations'], ...{options}}})"
        ".then(said => said.violations.map(one => [one.id, one.nodes.map(node => node.html).slice(0, 3)]))"
    )


def test_no_page_is_an_obstacle(tab, portal, kinds):
    said = []
    tab.on("console", lambda message: said.append(message.text))
    for kind, path in kinds.items():
        tab.goto(portal.url + path)
        if not kind.startswith("hostile"):  # they are of the same kinds as others
            assert (kind, objections(tab)) == (kind, [])
        assert tab.evaluate("document.documentElement.scrollWidth") <= 400, f"{kind} scrolls sideways"
        assert "taken over" not in tab.title().replace("document.title='taken over'", ""), kind
    assert [text for text in said if "404" not in text] == []


def test_colors_can_be_told_apart_in_the_dark(browser, portal, kinds):
    context = new_context(browser, color_scheme="dark")
    tab = context.new_page()
    for kind in ("all", "narrowed", "page"):
        tab.goto(portal.url + kinds[kind])
        assert tab.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(23, 20, 16)"
        assert (kind, objections(tab, "{runOnly: ['color-contrast']}")) == (kind, [])
    context.close()


def test_pages_are_usable_without_their_style(browser, portal, kinds):
    context = new_context(browser)
    context.route("**/portal.css", lambda route: route.abort())
    tab = context.new_page()
    tab.goto(portal.url + kinds["search"])
    assert tab.evaluate("getComputedStyle(document.body).backgroundColor") == "rgba(0, 0, 0, 0)"
    tab.get_by_label("Search bees").fill("queen")
    tab.get_by_role("button", name="Search").click()
    tab.wait_for_url("**/search?q=queen*")
    first = tab.locator("main ol li").first
    assert first.is_visible()
    tab.get_by_role("link", name="about this page").first.click()
    tab.get_by_role("heading", name="What the crawler knows").wait_for()
    context.close()


def test_a_search_takes_nothing_but_the_keyboard(tab, portal):
    tab.goto(f"{portal.url}/c/bees/search")
    tab.keyboard.press("Tab")
    assert tab.evaluate("document.activeElement.textContent") == "Skip to content"
    tab.keyboard.press("Enter")
    tab.wait_for_url("**#main")
    tab.keyboard.press("Tab")
    assert tab.evaluate("document.activeElement.id") == "q"
    tab.keyboard.type("hive")
    tab.keyboard.press("Enter")
    tab.wait_for_url("**/search?q=hive*")
    assert tab.locator("mark").first.is_visible()
    _tab_to(tab, "Next page")
    tab.keyboard.press("Enter")
    tab.wait_for_url("**page=2*")


def _tab_to(tab, text):
    for _ in range(80):
        tab.keyboard.press("Tab")
        if tab.evaluate("document.activeElement.textContent").strip() == text:
            assert tab.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"
            return
    raise AssertionError(f"{text!r} is not reached by the keyboard")


def test_a_screen_reader_finds_its_way(tab, portal):
    tab.goto(f"{portal.url}/c/bees/search?q=hive")
    assert tab.get_by_role("main").count() == 1
    assert tab.get_by_role("search").get_by_label("Search bees").count() == 1
    assert tab.get_by_role("navigation", name="Narrow down").get_by_role("link").count() > 1
    assert tab.get_by_role("heading", level=1).count() == 1
    assert tab.get_by_role("article").count() == tab.get_by_role("heading", level=3).count() - len(
        tab.get_by_role("navigation", name="Narrow down").get_by_role("heading", level=3).all()
    )


def test_an_archived_copy_runs_no_script_and_loads_nothing(tab, portal):
    outside = Listener()
    loaded = []
    tab.on("requestfinished", lambda request: loaded.append(request.url))
    link = copy_of(portal, "hostile", hostile_url(portal))
    tab.goto(link)
    tab.wait_for_timeout(300)
    assert "taken over" not in tab.title().replace("document.title='taken over'", "")
    assert "Bees make honey" in tab.locator("body").inner_text()
    assert tab.url == link  # no refresh led away
    assert [url for url in loaded if "favicon" not in url] == [link]
    assert outside.connections == []
    outside.close()


class Listener:
    """Whoever is reached at port 80 of this machine, where the names of the hostile page lead; root alone can."""

    def __init__(self):
        self.connections = []
        try:
            self._socket = socket.create_server(("127.0.0.1", 80))
        except OSError:
            self._socket = None
            return
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                connection, address = self._socket.accept()
            except OSError:
                return
            self.connections.append(address)
            connection.close()

    def close(self):
        if self._socket:
            self._socket.close()
