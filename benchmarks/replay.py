"""A replayed crawl of wikispeedia with soft-focus, everything on: parse, judge, rank, store, archive. One core.

Needs the corpus folder (HONEYGUIDE_SHARED, default ../shared). Figures: pages per second of processor time, cost per
page in the last tenth over that in the first tenth, the share of commits, and opening a large crawl.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import numpy as np

from benchmarks._figures import cpu_seconds, figure
from honeyguide.assembly import start_crawl
from honeyguide.crawl.crawler import Crawler
from honeyguide.crawl.frontier import Frontier
from honeyguide.crawl.state import State
from honeyguide.settings import CrawlOrder
from honeyguide.store.base import Batch, PageLinks, Store
from honeyguide.store.sqlite import SqliteStore

SHARED = Path(os.environ.get("HONEYGUIDE_SHARED", Path(__file__).parents[2] / "shared"))
HOME = "http://www.cs.mcgill.ca/~rwest/wikispeedia/wpcd/wp/index/subject.htm"
TENTHS = 10
LARGE_URLS = 1_000_000
LARGE_LINKS = 10_000_000
LINKS_A_PAGE = 80


class TimedStore:
    """Adds up the processor time spent in commits."""

    def __init__(self, store: Store) -> None:
        self._commit = store.commit
        self.seconds = 0.0
        store.commit = self  # type: ignore[method-assign]

    def __call__(self, batch: Batch, state: State) -> None:
        start = cpu_seconds()
        self._commit(batch, state)
        self.seconds += cpu_seconds() - start


def crawl(folder: Path) -> None:
    order = CrawlOrder().with_overrides(
        {
            "topic.text": "birds: species, feathers, wings, nests, eggs, migration",
            "seeds.urls": [HOME],
            "web.recording": str(SHARED / "corpora" / "wikispeedia"),
            "limits.max_pages": 0,
            "output.folder": str(folder),
        }
    )
    with start_crawl(order) as crawler:
        timed = TimedStore(crawler._store)
        marks = [(0, start := cpu_seconds())]
        crawler.run(lambda progress: marks.append((progress.pages, cpu_seconds())))
        total = cpu_seconds() - start
    report(crawler, marks, total, timed.seconds)


def report(crawler: Crawler, marks: list[tuple[int, float]], total: float, committing: float) -> None:
    pages = np.array([page for page, _ in marks])
    seconds = np.array([at for _, at in marks])
    tenth = crawler.harvest.pages / TENTHS
    cost = np.diff(np.interp(np.arange(TENTHS + 1) * tenth, pages, seconds)) / tenth
    figure("replay_pages", crawler.harvest.pages, "pages")
    figure("replay_pages_per_s", crawler.harvest.pages / total, "pages/s of one core")
    figure("replay_growth", cost[-1] / cost[0], "x (cost per page, last tenth over first)")
    figure("commit_share", 100 * committing / total, "%")


def open_large(folder: Path) -> None:
    store, state, random = SqliteStore(folder), State(), np.random.default_rng(3)
    for number in range(1_000):
        state.host_id(f"host-{number}.example")
    pages = LARGE_LINKS // LINKS_A_PAGE
    for part in np.array_split(np.arange(LARGE_URLS), 100):
        hosts = random.integers(0, 1_000, len(part)).astype(np.int32)
        prints = random.integers(0, 2**63, len(part)).astype(np.uint64)
        texts = [f"http://host-{host}.example/page-{n}" for n, host in zip(part, hosts, strict=True)]
        ids = state.add(texts, prints, hosts, hosts, hosts)
        state.set("status", ids, 1)
        state.set("priority", ids, random.random(len(ids)))
        links = []
        for page in ids[: pages // 100]:
            targets = random.integers(0, len(state), LINKS_A_PAGE).astype(np.int32)
            links.append(PageLinks(int(page), targets, ["some anchor text"] * LINKS_A_PAGE))
        store.commit(Batch(state.take_changes(), links), state)
    store.close()
    start = cpu_seconds()
    store, state = SqliteStore(folder), State()
    store.load(state)
    frontier = Frontier(state, one_per_host=True)
    seconds = cpu_seconds() - start
    figure("open_seconds", seconds, f"s ({len(frontier):,} urls queued, {len(state.links):,} links)")
    store.close()


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        if (SHARED / "corpora" / "wikispeedia").is_dir():
            crawl(Path(folder) / "replay")
        else:
            print(f"# no corpus at {SHARED}: set HONEYGUIDE_SHARED")
        open_large(Path(folder) / "large")


if __name__ == "__main__":
    main()
