"""By how much a crawl is slower that somebody follows or watches.

The crawl is one of the sample web, which waits for nobody: it keeps a core busy, so whatever is taken from it is felt.
Runs alternate, and each is compared with the one before it; the median of the rounds is told.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from statistics import median

from benchmarks._figures import figure
from benchmarks._served import COMMAND, Server, served
from honeyguide.crawls import Crawl
from honeyguide.sample_web.web import SampleWeb
from honeyguide.search.shelf import Shelf

FIRST, PAGES, ROUNDS = 100, 2_000, 5
VIEWERS = 4
LONGEST_WAIT = 120.0
WEB = SampleWeb(pages=2 * PAGES)

Beside = Callable[[Path], AbstractContextManager[None]]


def crawl_speed(folder: Path, beside: Beside) -> float:
    """Pages a second of a crawl, with something beside it."""
    settings = {"web.sample_pages": WEB.pages}
    crawl = Crawl.start(folder, WEB.description("bees"), WEB.seeds("bees"), settings=settings)
    crawl.run(pages=FIRST)
    with beside(folder):
        began = time.perf_counter()
        crawl.run(pages=PAGES)
        return (PAGES - FIRST) / (time.perf_counter() - began)


@contextmanager
def follower(folder: Path) -> Iterator[None]:
    """An indexer that has caught up."""
    Crawl.open(folder).index()
    words = [sys.executable, "-c", COMMAND, "index", str(folder), "--follow", "--quiet"]
    with _process(words):
        until = time.monotonic() + LONGEST_WAIT
        while Shelf(folder).writer() is None:
            if time.monotonic() > until:
                raise TimeoutError("the indexer does not begin")
            time.sleep(0.1)
        yield


def viewers_of(server: Server) -> Beside:
    """Consoles that watch a crawl."""

    @contextmanager
    def watching(folder: Path) -> Iterator[None]:
        own = [str(server.port), server.token, folder.name, str(VIEWERS)]
        with _process([sys.executable, "-m", "benchmarks._viewers", *own]):
            time.sleep(2.0)  # until they have seen what there was before
            yield

    return watching


@contextmanager
def _process(words: list[str]) -> Iterator[None]:
    # A session of its own, as what a server starts has: the system may share its time among sessions first.
    process = subprocess.Popen(words, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        yield
    finally:
        process.kill()
        process.wait()


def compare() -> None:
    """All of it."""
    with tempfile.TemporaryDirectory() as name, served(Path(name)) as server:
        crawls = Path(name) / "crawls"
        beside: dict[str, Beside] = {"follower": follower, "four_viewers": viewers_of(server)}
        alone: list[float] = []
        slowed: dict[str, list[float]] = {kind: [] for kind in beside}
        for number in range(ROUNDS):
            for kind, others in beside.items():
                alone.append(crawl_speed(crawls / f"alone-{kind}-{number}", lambda folder: nullcontext()))
                speed = crawl_speed(crawls / f"{kind}-{number}", others)
                slowed[kind].append(100 * (1 - speed / alone[-1]))
    figure("crawl_alone", median(alone), "pages/s")
    for kind, shares in slowed.items():
        figure(f"crawl_slowed_by_{kind}", median(shares), f"% (median of {ROUNDS} pairs)")
