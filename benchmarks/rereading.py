"""A topic that is revised: how fast fetched pages are judged again, and how soon the queue of a large crawl feels it.

Needs the corpus wikispeedia (HONEYGUIDE_SHARED, default ../shared). Figures: pages per second of processor time, judged
again by one core, with the default strategy, which ranks their links again, and with one that does not: for the first
time, when they are read from the archive, and later on, by the words that were kept (but for pages, 8 % here, that ask
not to be kept); bytes of these words for each page, and of the archive; seconds from the command to the first pages
judged anew, in a running crawl of 100,000 pages.
"""

from __future__ import annotations

import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from benchmarks._figures import cpu_seconds, figure
from benchmarks.replay import HOME, SHARED
from honeyguide.commands import UseRevision
from honeyguide.crawls import Crawl
from honeyguide.model import Status, Visit
from honeyguide.sample_web.web import SampleWeb
from honeyguide.state.state import State
from honeyguide.store import open_store
from honeyguide.store.base import Batch
from honeyguide.store.folder import ARCHIVE, WORDS
from honeyguide.strategies.honeyguide import Honeyguide
from honeyguide.urls import fingerprints

PAGES, LABELS = 1_000, 12
LARGE_PAGES, REAL_PAGES, PAGES_AT_ONCE = 100_000, 1_000, 10_000
LONGEST_WAIT = 300.0


def revised(crawl: Crawl) -> None:
    """Label the best pages, half of them as good, and learn."""
    for number, page in enumerate(crawl.questions(LABELS)):
        crawl.label(page.url, number < LABELS // 2)
    crawl.learn()


def judged_again(strategy: str, folder: Path) -> tuple[float, float]:
    """Pages per second of processor time: for the first time, and when their words were kept."""
    crawl = Crawl.start(
        folder, "tropical diseases", [HOME], strategy=strategy, web=SHARED / "corpora" / "wikispeedia"
    )
    crawl.run(pages=PAGES)
    revised(crawl)
    (folder / WORDS).unlink(missing_ok=True)
    return turned(crawl), turned(crawl)


def turned(crawl: Crawl) -> float:
    """Turn to the other revision; pages per second."""
    crawl.send(UseRevision(revision=1 - crawl.revision))
    with crawl.take():
        began = cpu_seconds()
        number = crawl.judge_again()
        return number / (cpu_seconds() - began)


def enlarge(folder: Path) -> None:
    """Add pages to a crawl that are worth nothing, until it is large."""
    store, state = open_store(folder), State()
    state.declare(Honeyguide.values, Honeyguide.tables)
    store.load(state)
    for first in range(REAL_PAGES, LARGE_PAGES, PAGES_AT_ONCE):
        urls = [f"http://h{at % 1000}.example/page-{at}" for at in range(first, first + PAGES_AT_ONCE)]
        hosts = np.array([state.host_id(f"h{at % 1000}.example") for at in range(len(urls))], dtype=np.int32)
        nobody = np.zeros(len(urls), dtype=np.int32)
        ids = state.add(urls, fingerprints(urls), hosts, nobody + 1, nobody)
        state.settle(ids, Status.FETCHED)
        state.set("relevance", ids, 0.0)
        visits = [
            Visit(url_id, url, time.time(), 200, 0.0, 0.0, 1, 1_000, digest=f"sha1:{url_id}")
            for url_id, url in zip(ids.tolist(), urls, strict=True)
        ]
        store.commit(Batch(changes=state.take_changes(), visits=visits), state)
    store.close()


def felt(folder: Path) -> float:
    """Seconds until a page that was fetched before is judged by the new revision, and what it links to moves."""
    web = SampleWeb(pages=20_000)
    settings = {"web.sample_pages": web.pages}
    crawl = Crawl.start(folder, "beekeeping hives and honey", web.seeds("bees"), settings=settings)
    crawl.run(pages=REAL_PAGES)
    revised(crawl)
    crawl.use_revision(0)
    enlarge(folder)
    run = threading.Thread(target=lambda: Crawl.open(folder).run(pages=2 * LARGE_PAGES))
    run.start()
    pages = crawl.status().pages
    _wait_until(lambda: crawl.status().pages > pages)  # it is open, and at work
    began = time.monotonic()
    crawl.send(UseRevision(revision=1))
    _wait_until(lambda: crawl.top(1)[0].visit.revision == 1)
    seconds = time.monotonic() - began
    crawl.stop()
    run.join()
    return seconds


def _wait_until(is_so: Callable[[], bool]) -> None:
    until = time.monotonic() + LONGEST_WAIT
    while not is_so():
        if time.monotonic() > until:
            raise TimeoutError
        time.sleep(0.02)


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        for strategy in ("honeyguide", "breadth-first"):
            folder = Path(name) / strategy
            first, later = judged_again(strategy, folder)
            figure(f"judged_again_at_first_{strategy}", first, "pages/s")
            figure(f"judged_again_{strategy}", later, "pages/s")
            figure(f"kept_words_{strategy}", (folder / WORDS).stat().st_size / PAGES, "bytes/page")
            archived = sum(path.stat().st_size for path in (folder / ARCHIVE).iterdir())
            figure(f"archive_{strategy}", archived / PAGES, "bytes/page")
        figure("revision_felt", felt(Path(name) / "large"), "s")


if __name__ == "__main__":
    main()
