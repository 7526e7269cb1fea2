"""The monitor of the console on a crawl of a million visits, in a real browser, while the crawl goes on.

Figures: when the page and when the dots are first seen on a server that has just been started and knows nothing of the
crawl, and what that costs it; how busy the browser's main thread and the server are for a viewer whose crawl commits a
batch each second (of the processor, which is what to look at on a busy machine); the memory of the page.

By how much four viewers slow down a crawl is told in three ways. By the clock, crawl, server and four browsers share
this machine: the browsers, which are elsewhere when people watch, take most of it. By the crawl's own processor time it
is what the crawl does more because it is watched. By the server's it is what the server takes, as a share of what the
crawl takes: where all processors are busy, the crawl is slower by so much.

Needs chromium (scripts/machine) and playwright.
"""

from __future__ import annotations

import os
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from benchmarks._figures import cpu_seconds, figure
from benchmarks._served import Server, served
from benchmarks.status import Filled
from honeyguide.crawls import Crawl
from honeyguide.sample_web.web import SampleWeb
from honeyguide.store.folder import HARVEST_LOG
from honeyguide.telemetry.harvest import HEADER

VISITS = int(os.environ.get("HONEYGUIDE_BENCH_VISITS", "1000000"))
SECONDS, PAGES_A_SECOND = 20, 20
VIEWERS, CRAWLED = 4, int(os.environ.get("HONEYGUIDE_BENCH_PAGES", "3000"))
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking"]
WATCH = """() => {
  window.seen = {};
  new MutationObserver(() => {
    const hint = document.querySelector('.dots .hint')?.textContent || '';
    if (hint.startsWith('Point')) requestAnimationFrame(() => (window.seen.dots ||= performance.now()));
  }).observe(document, { childList: true, subtree: true, characterData: true });
}"""


class Tab:
    """A browser tab that is logged in."""

    def __init__(self, browser: Any, server: Server, url: str, token: str) -> None:
        self.context = browser.new_context(viewport={"width": 1280, "height": 900})
        given = {"data": {"token": token}, "headers": {"Origin": url}}
        assert self.context.request.post(f"{url}/api/v1/session", **given).ok
        self.page = self.context.new_page()
        self._cdp = self.context.new_cdp_session(self.page)
        self._cdp.send("Performance.enable")
        self._url = url

    def watch(self, crawl: str) -> None:
        self.page.add_init_script(f"({WATCH})()")
        self.page.goto(f"{self._url}/console/#/crawls/{crawl}/monitor")

    def metrics(self) -> dict[str, float]:
        return {one["name"]: one["value"] for one in self._cdp.send("Performance.getMetrics")["metrics"]}


def main_threads(browser: Any) -> float:
    """Processor seconds of the main threads of all pages so far."""
    told = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
    pages = [one["id"] for one in told if one["type"] == "renderer"]
    stats = [Path(f"/proc/{page}/task/{page}/stat").read_text(encoding="ascii") for page in pages]
    ticks = [int(field) for stat in stats for field in stat.rpartition(")")[2].split()[11:13]]
    return sum(ticks) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    """Print the figures."""
    with tempfile.TemporaryDirectory() as name, sync_playwright() as running:
        folder = Path(name) / "workspace"
        large = make_large(folder / "crawls" / "large")
        browser = running.chromium.launch(executable_path="/usr/bin/chromium", args=ARGUMENTS)
        with served(folder) as server:
            server.get("/jobs")  # so that all bytecode is there, as it is of what is installed
        with served(folder) as server, going_on(large):
            _monitor(browser, server)
        _viewers(browser, folder)
        browser.close()


def make_large(folder: Path) -> Filled:
    """A crawl of a million visits, with the log of its harvest."""
    settings = {"web.sample_pages": 100}
    Crawl.start(folder, "beekeeping and honey", ["http://h0.example/"], settings=settings).release()
    large = Filled(folder, urls=VISITS + VISITS // 5, visits=VISITS)
    lines = (f"2020-01-01T00:00:00+00:00\t{page}\t0.5\t0.5\t0.5\n" for page in range(50, VISITS + 1, 50))
    (folder / HARVEST_LOG).write_text(HEADER + "".join(lines), encoding="utf-8")
    return large


@contextmanager
def going_on(crawl: Filled) -> Iterator[None]:
    """Commit some pages each second, as a process at work would."""
    over = threading.Event()

    def work() -> None:
        while not over.wait(1):
            crawl.more(PAGES_A_SECOND)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
        crawl.close()


def _monitor(browser: Any, server: Server) -> None:
    tab, started = Tab(browser, server, server.url, server.token), server.cpu_seconds()
    figure("start_server_cpu", started, "s")
    tab.watch("large")
    tab.page.get_by_text("Point at a dot").wait_for(timeout=120_000)
    tab.page.wait_for_timeout(500)  # for the frame in which they are drawn
    paint = tab.page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
    figure("first_contentful_paint", paint / 1000, "s")
    figure("dots", tab.page.evaluate("window.seen.dots") / 1000, "s")
    figure("first_server_cpu", server.cpu_seconds() - started, "s")
    figure("first_main_thread_cpu", main_threads(browser), "s")
    tab.page.wait_for_timeout(3_000)
    before, spent, began, ran = tab.metrics(), server.cpu_seconds(), time.monotonic(), main_threads(browser)
    tab.page.wait_for_timeout(SECONDS * 1000)
    after, passed = tab.metrics(), time.monotonic() - began
    figure("main_thread_cpu_share", 100 * (main_threads(browser) - ran) / passed, "%")
    for name in ("Task", "Script", "Layout"):  # by the clock
        share = (after[f"{name}Duration"] - before[f"{name}Duration"]) / passed
        figure(f"main_thread_{name.lower()}_share", 100 * share, "%")
    figure("update_server_cpu", 1000 * (server.cpu_seconds() - spent) / passed, "ms")
    tab.page.evaluate("globalThis.gc?.()")
    figure("heap", after["JSHeapUsedSize"] / 1e6, "MB")
    tab.context.close()


def _viewers(browser: Any, folder: Path) -> None:
    """The same crawl alone and watched by four, both in this process, so that its processor time is known."""
    with served(folder) as server, ExitStack() as open_tabs:
        rates = {}
        server_took = crawl_took = 0.0
        for viewers in (0, VIEWERS):
            name = f"watched-by-{viewers}"
            web = SampleWeb(pages=20_000)
            crawl = Crawl.start(folder / "crawls" / name, web.description("bees"), web.seeds("bees"), web=web)
            for _ in range(viewers):
                tab = Tab(browser, server, server.url, server.token)
                open_tabs.callback(tab.context.close)
                tab.watch(name)
                tab.page.locator("h1").wait_for()
                tab.page.wait_for_timeout(1_000)  # to open a view is no part of what is measured
            began, spent, served_by = time.monotonic(), cpu_seconds(), server.cpu_seconds()
            crawl.run(pages=CRAWLED)
            crawl_took, server_took = cpu_seconds() - spent, server.cpu_seconds() - served_by
            rates[viewers] = (CRAWLED / (time.monotonic() - began), CRAWLED / crawl_took)
    figure("four_viewers_server_share", 100 * server_took / crawl_took, "%")
    for at, unit in enumerate(("clock", "cpu")):
        figure(f"four_viewers_slow_by_{unit}", 100 * (1 - rates[VIEWERS][at] / rates[0][at]), "%")


if __name__ == "__main__":
    main()
