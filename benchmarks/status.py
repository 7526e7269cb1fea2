"""Looking at a large crawl: `Crawl.status` of a million urls, against reading all that is known of them.

Figures: seconds of a status in a process that has looked before, and how many times as long the whole state takes.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from benchmarks._figures import figure
from honeyguide.crawls import Crawl
from honeyguide.model import ROOT, Status, Visit
from honeyguide.state.state import State
from honeyguide.store import open_store
from honeyguide.store.base import Batch, PageLinks
from honeyguide.urls import fingerprints

URLS, VISITS, HOSTS, BATCHES = 1_000_000, 200_000, 20_000, 100
TIMES = 5


class Filled:
    """A crawl of as many urls and pages, committed in batches; open, so that there can be more."""

    def __init__(self, folder: Path, urls: int = URLS, visits: int = VISITS) -> None:
        self._store, self._state, self._random = open_store(folder), State(), np.random.default_rng(1)
        state = self._state
        state.host_id("")
        nobody = np.zeros(1, dtype=np.int32)
        state.add([""], np.zeros(1, dtype=np.uint64), nobody, nobody, nobody)
        state.settle(np.array([ROOT], dtype=np.int32), Status.FETCHED)
        self._visits = self._batches = 0
        for _ in range(BATCHES):
            self._commit(urls // BATCHES, visits // BATCHES)

    def more(self, visits: int) -> int:
        """A further batch of pages, of urls that were not known; gives how many there are now."""
        self._commit(visits, visits)
        return self._visits

    def _commit(self, urls: int, visits: int) -> None:
        batch = _batch(self._state, self._random, self._batches, urls, visits)
        self._store.commit(batch, self._state)
        self._visits += visits
        self._batches += 1

    def close(self) -> None:
        self._store.close()


def _batch(state: State, random: np.random.Generator, batch: int, many: int, pages: int) -> Batch:
    """Urls that are new, some of them fetched, with links to others."""
    first = len(state)
    hosts = np.array(
        [state.host_id(f"h{number}.example") for number in random.integers(0, HOSTS, many)], dtype=np.int32
    )
    urls = [
        f"http://{state.host_names[host]}/some/folder/page-{first + at}"
        for at, host in enumerate(hosts.tolist())
    ]
    nobody = np.zeros(many, dtype=np.int32)
    ids = state.add(urls, fingerprints(urls), hosts, nobody + 1, nobody)
    state.set("status", ids, Status.QUEUED)
    state.set("priority", ids, random.random(many))
    state.settle(ids[:pages], Status.FETCHED)
    relevance = random.random(pages)
    state.set("relevance", ids[:pages], relevance)
    visits = [
        Visit(
            url_id,
            url,
            1e9 + batch,
            200,
            judged,
            0.5,
            1,
            10_000,
            title=f"Page {url_id}",
            digest=f"sha1:{url_id}",
        )
        for url_id, url, judged in zip(ids[:pages].tolist(), urls, relevance.tolist(), strict=False)
    ]
    targets = [ids[random.integers(0, many, 10)] for _ in range(pages)]
    links = [
        PageLinks(url_id, found, ["a link"] * 10)
        for url_id, found in zip(ids[:pages].tolist(), targets, strict=True)
    ]
    return Batch(changes=state.take_changes(), visits=visits, links=links)


def seconds(work: Callable[[], object], times: int = TIMES) -> float:
    """The middle of several tries."""
    taken = []
    for _ in range(times):
        began = time.perf_counter()
        work()
        taken.append(time.perf_counter() - began)
    return sorted(taken)[times // 2]


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "crawl"
        settings = {"web.sample_pages": 100}
        crawl = Crawl.start(folder, "beekeeping and honey", ["http://h0.example/"], settings=settings)
        Filled(folder).close()
        status = seconds(crawl.status)
        best = seconds(lambda: crawl.top(20))
        with crawl.reader() as reader:
            whole = seconds(reader.state, times=1)
        counted = crawl.status()
    assert (counted.urls, counted.pages) == (URLS, VISITS)
    print(f"# {counted.urls:,} urls, {counted.pages:,} pages: {counted.relevant:,} relevant")
    figure("status_seconds", status, "s")
    figure("top_seconds", best, "s")
    figure("whole_state_over_status", whole / status, "times")


if __name__ == "__main__":
    main()
