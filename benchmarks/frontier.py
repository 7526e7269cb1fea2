"""Frontier and state at 10 million urls in 100,000 hosts: memory, link updates and acquisitions per second, growth.

An update is a link as the crawl meets it: fingerprint looked up, entered when new, priority set or changed. Texts of
urls are not held, as in a crawl, where they go to the store with each batch.
"""

from __future__ import annotations

import gc
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np

from benchmarks._figures import cpu_seconds, figure, resident_bytes
from honeyguide.frontier.frontier import Frontier
from honeyguide.model import Page, Pages, Priorities, Status
from honeyguide.state.state import State
from honeyguide.state.view import CrawlView
from honeyguide.strategies.honeyguide import Honeyguide
from honeyguide.topics.keywords import KeywordTopic

HOSTS = 100_000
LINKS_A_BATCH = 2_500  # 32 pages with 79 links
KNOWN_SHARE = 0.6
HOST_SKEW = 1.2


class Web:
    """A stream of links: 40 % new urls, 60 % known ones, Zipf-skewed hosts, any priority."""

    def __init__(self) -> None:
        self._random = np.random.default_rng(7)
        self.state = State()
        for number in range(HOSTS):
            self.state.host_id(f"host-{number}.example")
        self.frontier = Frontier(self.state, one_per_host=True)

    def links(self, count: int, known_share: float = KNOWN_SHARE) -> None:
        """Meet so many links."""
        known = int(count * known_share)
        old = self._random.integers(0, max(1, len(self.state)), known)
        new = np.arange(len(self.state), len(self.state) + count - known)
        prints = _mix(np.concatenate((old, new)))
        prints = np.unique(prints[self._random.permutation(len(prints))])
        ids = self.state.find(prints)
        fresh = ids < 0
        hosts = (self._random.zipf(HOST_SKEW, int(fresh.sum())) % HOSTS).astype(np.int32)
        nobody = np.zeros(len(hosts), dtype=np.int32)
        ids[fresh] = self.state.add((), prints[fresh], hosts, nobody, nobody)
        self.frontier.push(Priorities(ids, self._random.random(len(ids))))
        self.state.take_changes()

    def grow_to(self, urls: int) -> None:
        """By doubling, which is sooner than link by link; the queues are those of any other way."""
        while len(self.state) < urls:
            self.links(min(max(len(self.state), 100_000), urls - len(self.state)), known_share=0.0)

    def updates_per_second(self, links: int = 500_000) -> float:
        start = cpu_seconds()
        for _ in range(links // LINKS_A_BATCH):
            self.links(LINKS_A_BATCH)
        return links / (cpu_seconds() - start)

    def acquires_per_second(self, rounds: int = 3_000, batch: int = 32) -> float:
        now, taken, start = 0.0, 0, cpu_seconds()
        for _ in range(rounds):
            now += 1.0
            ids = self.frontier.acquire(batch, now)
            taken += len(ids)
            for url_id in ids.tolist():
                self.frontier.release(url_id, now + 10.0)
        return taken / (cpu_seconds() - start)


def _mix(numbers: np.ndarray) -> np.ndarray:
    """Stand-ins for fingerprints: distinct and evenly spread."""
    mixed = numbers.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    return mixed ^ (mixed >> np.uint64(29))


def ranked_bytes_per_url(urls: int = 1_000_000, links: int = 10_000) -> float:
    """With all that the default strategy knows of each url, every one in a folder of its own, and the link to it."""
    topic = KeywordTopic("bees")
    topic.judge(["what is loaded at the first use is none of a url's"])
    gc.collect()
    before = resident_bytes()
    web, strategy = Web(), Honeyguide()
    web.state.declare(strategy.values, strategy.tables)
    view = CrawlView(web.state, topic)
    web.grow_to(urls)
    for first in range(0, urls, links):
        targets = np.arange(first, first + links, dtype=np.int32)
        named = [f"http://x.example/{number}/page" for number in targets.tolist()]
        page = Page(first, "", 0.5, 1, targets, urls=named, contexts=["words"] * links)
        web.state.settle(targets[:1], Status.FETCHED)
        web.state.links.append(targets[:1], [links], targets)
        web.frontier.push(strategy.prioritize(Pages([page]), view))
        web.state.take_changes()
    gc.collect()
    return (resident_bytes() - before) / urls


def main() -> None:
    with ProcessPoolExecutor(
        1, get_context("spawn")
    ) as alone:  # memory that another measurement freed would not count
        ranked = alone.submit(ranked_bytes_per_url).result()
    figure(
        "ranked_bytes_per_url",
        ranked,
        "bytes (default strategy, 1 M urls in as many folders, with a link each)",
    )
    millions = int(sys.argv[2]) if len(sys.argv) > 2 else 10
    gc.collect()
    before = resident_bytes()
    web = Web()
    web.grow_to(1_000_000)
    small_updates, small_acquires = web.updates_per_second(), web.acquires_per_second()
    web.grow_to(millions * 1_000_000)
    gc.collect()
    figure("frontier_bytes_per_url", (resident_bytes() - before) / len(web.frontier), "bytes")
    large_updates, large_acquires = web.updates_per_second(), web.acquires_per_second()
    figure("frontier_updates_per_s", large_updates, "links/s")
    figure("frontier_acquires_per_s", large_acquires, "urls/s")
    growth = max(small_updates / large_updates, small_acquires / large_acquires)
    figure("frontier_growth", growth, "x (cost per operation at 10 M over that at 1 M)")
    figure("frontier_update_growth", small_updates / large_updates, "x")
    figure("frontier_acquire_growth", small_acquires / large_acquires, "x")


if __name__ == "__main__":
    main()
