"""A replayed crawl of wikispeedia with soft-focus, everything on: parse, judge, rank, store, archive. One core.

Needs the corpus folder (HONEYGUIDE_SHARED, default ../shared). Figures: pages per second of processor time, cost per
page in the last tenth over that in the first tenth, the share of commits, and opening a large crawl.
"""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks._figures import cpu_seconds, figure
from honeyguide.assembly import start_crawl
from honeyguide.frontier.frontier import Frontier
from honeyguide.settings import CrawlOrder
from honeyguide.state.state import State
from honeyguide.store.base import Batch, PageLinks, Store
from honeyguide.store.sqlite.store import SqliteStore

SHARED = Path(os.environ.get("HONEYGUIDE_SHARED", Path(__file__).parents[2] / "shared"))
HOME = "http://www.cs.mcgill.ca/~rwest/wikispeedia/wpcd/wp/index/subject.htm"
TENTHS = 10
RUNS = 3
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


@dataclass(frozen=True)
class Run:
    """One crawl, in processor seconds."""

    total: float
    committing: float
    marks: list[tuple[int, float]]

    @property
    def pages(self) -> int:
        return self.marks[-1][0]


def crawl(folder: Path) -> Run:
    order = CrawlOrder().with_overrides(
        {
            "topic.text": "birds: species, feathers, wings, nests, eggs, migration",
            "seeds.urls": [HOME],
            "strategy.name": "soft-focus",
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
    return Run(total, timed.seconds, marks)


def report(runs: list[Run]) -> None:
    """The run that was disturbed least: what else the machine does only ever adds."""
    run = min(runs, key=lambda run: run.total)
    pages = np.array([page for page, _ in run.marks])
    seconds = np.array([at for _, at in run.marks])
    tenth = run.pages / TENTHS
    cost = np.diff(np.interp(np.arange(TENTHS + 1) * tenth, pages, seconds)) / tenth
    print("# pages/s of each run:", *(f"{run.pages / run.total:.0f}" for run in runs))
    figure("replay_pages", run.pages, "pages")
    figure("replay_pages_per_s", run.pages / run.total, f"pages/s of one core (best of {len(runs)})")
    figure("replay_growth", cost[-1] / cost[0], "x (cost per page, last tenth over first)")
    figure("commit_share", 100 * run.committing / run.total, "%")


def open_large(folder: Path) -> None:
    store, state, random = SqliteStore(folder), State(), np.random.default_rng(3)
    for number in range(1_000):
        state.host_id(f"host-{number}.example")
    pages = LARGE_LINKS // LINKS_A_PAGE
    for part in np.array_split(np.arange(LARGE_URLS), 100):
        hosts = random.integers(0, 1_000, len(part)).astype(np.int32)
        prints = random.integers(0, 2**63, len(part)).astype(np.uint64)
        texts = [f"http://host-{host}.example/page-{n}" for n, host in zip(part, hosts, strict=True)]
        ids = state.add(texts, prints, hosts, hosts, np.zeros_like(hosts))
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
            report([crawl(Path(folder) / f"replay-{number}") for number in range(RUNS)])
        else:
            print(f"# no corpus at {SHARED}: set HONEYGUIDE_SHARED")
        open_large(Path(folder) / "large")


if __name__ == "__main__":
    main()
