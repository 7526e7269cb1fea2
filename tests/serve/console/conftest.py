"""The console of a workspace in a real browser: one of each for all tests, since both take long to start."""

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import uvicorn

import honeyguide as hg
from honeyguide.fetch.base import NEVER_SEEN
from honeyguide.model import Response, Validators
from honeyguide.sample_web.web import SampleWeb
from honeyguide.serve.app import make_app
from honeyguide.serve.options import ServeOptions
from honeyguide.serve.security import Keys, Role
from honeyguide.serve.workspace import Workspace
from honeyguide.store import open_reader
from honeyguide.topics.keywords import KeywordTopic
from tests.free_port import free_port
from tests.serve.portal.conftest import EVIL, HostileSite

CHROMIUM = Path("/usr/bin/chromium")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--host-resolver-rules=MAP outside.example 127.0.0.1, MAP evil.example 127.0.0.1",
]
WIDE, NARROW = 1280, 400
WEB = SampleWeb(pages=300, seed=1)
COMMAND = [sys.executable, "-c", "from honeyguide.cli.main import app; app()", "serve"]
LONG = 90_000  # milliseconds; jobs are processes of their own, and machines are busy
LOST = "The server does not answer"
LOOKING = Path(__file__).with_name("looking.js").read_text(encoding="utf-8")


@dataclass
class Served:
    """A server that can be killed and started again at the same place."""

    folder: Path
    port: int
    token: str
    copies_port: int = 1
    app: Any = None
    server: uvicorn.Server | None = None
    thread: threading.Thread | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        app = make_app(Workspace(self.folder), ServeOptions(port=self.port, copies_port=self.copies_port))
        app.state.later.put()  # elsewhere a thread does it later, and warnings are those of the whole process
        self.app = app
        config = uvicorn.Config(app, port=self.port, log_level="critical", timeout_graceful_shutdown=1)
        self.server = uvicorn.Server(config)
        self.thread = threading.Thread(target=self.server.run)
        self.thread.start()
        while not self.server.started:
            assert self.thread.is_alive(), f"nobody serves at port {self.port}"
            time.sleep(0.01)

    def stop(self) -> None:
        if self.server and self.thread:
            self.server.should_exit = True
            self.thread.join()


class SlowWeb(hg.Fetcher):
    """A web that soon takes its time: a crawl of it is at work for as long as anybody looks, and costs nothing."""

    def __init__(self, web: SampleWeb, quick: int, seconds: float) -> None:
        self._web = web
        self._quick = quick
        self._seconds = seconds

    async def fetch(self, url: str, validators: Validators = NEVER_SEEN) -> Response:
        self._quick -= 1
        await asyncio.sleep(0 if self._quick > 0 else self._seconds)
        return self._web.fetch(url)

    async def close(self) -> None:
        pass


def make_workspace(folder: Path) -> Path:
    """A crawl that can go on, one that means harm, and one that has not begun."""
    settings = {"web.sample_pages": 300, "limits.max_pages": 60}
    for name in ("bees", "fresh"):
        topic, seeds = WEB.description("bees"), WEB.seeds("bees")
        crawl = hg.Crawl.start(folder / "crawls" / name, topic, seeds, settings=settings)
        if name == "bees":
            crawl.run()
        else:
            crawl.release()
    hostile = hg.Crawl.start(
        folder / "crawls" / "hostile", KeywordTopic("bees honey hive"), [f"{EVIL}/"], web=HostileSite()
    )
    hostile.run(pages=20)
    return folder


@contextlib.contextmanager
def started(folder: Path) -> Iterator[Served]:
    """A server of a workspace, in this process."""
    found = Served(folder, free_port(), Keys(Workspace(folder).private).make(Role.OPERATOR))
    found.start()
    yield found
    found.stop()


@pytest.fixture(scope="package")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with started(make_workspace(tmp_path_factory.mktemp("console"))) as found:
        yield found


@dataclass
class ServerProcess:
    """A server in a process of its own, which is killed as hard as can be."""

    folder: Path
    port: int
    token: str
    process: Any = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        words = [*COMMAND, str(self.folder), "--port", str(self.port), "--allow-network", "127.0.0.0/8"]
        self.process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        if not any(line.startswith("serving ") for line in self.process.stdout):
            raise AssertionError(f"the server ended with {self.process.wait()}")

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def crawl(self, name: str) -> hg.Crawl:
        return hg.Crawl.open(self.folder / "crawls" / name)

    def pages(self, name: str) -> int:
        with open_reader(self.folder / "crawls" / name) as reader:
            return reader.last_number()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServerProcess]:
    """One that lets crawls ask this machine. Its crawls end with the test."""
    folder = tmp_path / "workspace"
    found = ServerProcess(folder, free_port(), Keys(Workspace(folder).private).make(Role.OPERATOR))
    found.start()
    yield found
    for name in Workspace(folder).crawl_names():
        if process := found.crawl(name).process:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
    found.kill()


@pytest.fixture(scope="package")
def browser() -> Iterator[Any]:
    if not CHROMIUM.exists():
        pytest.skip("no browser: there is no /usr/bin/chromium (scripts/machine installs it)")
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as running:
        launched = running.chromium.launch(executable_path=str(CHROMIUM), args=ARGUMENTS)
        yield launched
        launched.close()


@contextlib.contextmanager
def tab_of(
    browser: Any, served: Served | ServerProcess, width: int = WIDE, theme: str = "light"
) -> Iterator[Any]:
    """A tab that is logged in; whatever the browser complains of is kept in `tab.said`."""
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=theme)
    logged_in = context.request.post(
        f"{served.url}/api/v1/session", data={"token": served.token}, headers={"Origin": served.url}
    )
    assert logged_in.ok
    tab = context.new_page()
    tab.said = []
    tab.on("console", lambda message: tab.said.append(message.text))
    tab.on("pageerror", lambda error: tab.said.append(str(error)))
    tab.set_default_timeout(60_000)
    yield tab
    context.close()


@pytest.fixture
def tab(browser: Any, served: Served) -> Iterator[Any]:
    with tab_of(browser, served) as opened:
        yield opened


def open_view(tab: Any, served: Served | ServerProcess, view: str) -> None:
    """Open a view, look at all of it, and wait until it has read what it shows."""
    tab.goto(f"{served.url}/console/#/{view}")
    tab.locator("main h1").first.wait_for()
    settle(tab)


def all_views(tab: Any, served: Served, crawl: str) -> list[str]:
    """The address of every view of the workspace and a crawl, and of each tab of theirs, as the console has them."""
    tab.goto(f"{served.url}/console/#/nowhere")
    ways: list[str] = tab.evaluate(
        """crawl => import('/console/views.js').then(({ WORKSPACE_VIEWS, CRAWL_VIEWS }) => [
          ...Object.keys(WORKSPACE_VIEWS), ...Object.keys(CRAWL_VIEWS).map((key) => `crawls/${crawl}/${key}`)])""",
        crawl,
    )
    found: dict[str, None] = {}
    for way in ways:
        open_view(tab, served, way)
        links = tab.locator("nav.tabs a").evaluate_all("links => links.map((link) => link.hash.slice(2))")
        found |= dict.fromkeys(links or [way])
    return [*found]


def looked(tab: Any, at: str) -> Any:
    """One of the things that looking.js looks for."""
    return tab.evaluate(f"{LOOKING.strip().rstrip(';')}.{at}()")


def overflow(tab: Any) -> list[str]:
    """Texts that are cut, or stand where nobody sees them: charts are drawn anew a moment after their width changes."""
    until = time.monotonic() + 10
    found: list[str] = looked(tab, "overflow")
    while found and time.monotonic() < until:
        tab.wait_for_timeout(50)
        found = looked(tab, "overflow")
    return found


LOOK = """turn => {
  const parts = document.querySelectorAll('main section');
  parts[turn % parts.length]?.scrollIntoView();
  return /(Reading|Opening|Asking)[^.]* …/.test(document.body.innerText);
}"""


def settle(tab: Any) -> None:
    """Look at one part after the other, since some are read when they are first seen, until all is there."""
    until, turn = time.monotonic() + 120, 0
    while tab.evaluate(LOOK, turn):
        assert time.monotonic() < until, tab.inner_text("main")
        tab.wait_for_timeout(30)
        turn += 1


def expect(what: Any) -> Any:
    """Claims about a tab, or a part of it, that wait until they hold: right after a key or a click they may not yet."""
    claims = pytest.importorskip("playwright.sync_api").expect
    claims.set_options(timeout=60_000)
    return claims(what)


def objections(tab: Any, rules: tuple[str, ...] = ()) -> list[Any]:
    """What axe-core objects to, by all rules or some; only that is brought back, since all it has to say is much."""
    axe = pytest.importorskip("axe_core_python.base")
    if not tab.evaluate("'axe' in window"):
        tab.evaluate(axe.AXE_SCRIPT)
    found: list[Any] = tab.evaluate(
        "rules => axe.run({resultTypes: ['violations'], ...(rules.length ? {runOnly: rules} : {})})"
        ".then(said => said.violations.map(one => [one.id, one.nodes.map(node => node.html).slice(0, 3)]))",
        [*rules],
    )
    return found
