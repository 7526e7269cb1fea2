"""Searching what was found: how fast pages are indexed, how fast they are found, and what it costs the crawl.

Figures: pages a second of one core up to 20,000 pages, with what the parts of it take; the 95th percentile of searches
by 8 clients at once in 50,000 pages, over HTTP or not the same work; and by how much a crawl is slower that an indexer
follows.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import numpy as np

from benchmarks._figures import cpu_seconds, figure, resident_bytes
from benchmarks._written_crawl import Writer, write_crawl
from honeyguide.crawls import Crawl
from honeyguide.parse.main_text import main_text
from honeyguide.sample_web.web import SampleWeb
from honeyguide.search.collection import Collection
from honeyguide.search.documents import Indexed, page_document
from honeyguide.search.indexer import Indexer
from honeyguide.search.results import Wanted
from honeyguide.search.words import stems_of, words
from honeyguide.store import open_reader

PAGES, INDEXED = 50_000, 20_000
CLIENTS, SEARCHES = 8, 100
CRAWLED, TRIES = 3_000, 3
SAMPLED = 300
Made = TypeVar("Made")
FOLLOWER = "from honeyguide.cli.main import app; app()"


def index(folder: Path) -> None:
    """Index all pages, and tell how fast the first of them were."""
    began, seconds = cpu_seconds(), [0.0]

    def look(done: int, last: int) -> None:
        if done <= INDEXED:
            seconds[0] = cpu_seconds() - began

    with Indexer(folder) as indexer:
        indexer.catch_up(look)
        assert indexer.done == PAGES
    figure("indexed_pages_per_cpu_second", INDEXED / seconds[0], "pages/s")
    figure("indexer_resident", resident_bytes() / 1e6, "MB")
    size = sum(path.stat().st_size for path in (folder / "index").rglob("*") if path.is_file())
    figure("index_bytes_per_page", size / PAGES, "bytes")


def parts(folder: Path) -> None:
    """What each part of indexing takes, a page."""
    with open_reader(folder) as reader:
        visits = reader.latest(SAMPLED)
        read = _milliseconds(
            "read", lambda: [reader.response(visit.location) for visit in visits if visit.location]
        )
        texts = _milliseconds(
            "main_text", lambda: [main_text(page.body, page.url, page.content_type) for page in read]
        )
        _milliseconds("words_and_stems", lambda: [stems_of("en").indexed(words(text)) for text in texts])
        pairs = [*zip(visits, texts, strict=True)]
        _milliseconds("document", lambda: [page_document(visit, Indexed(text)) for visit, text in pairs])


def _milliseconds(name: str, work: Callable[[], list[Made]]) -> list[Made]:
    work()
    began = cpu_seconds()
    made = work()
    figure(f"{name}_milliseconds", (cpu_seconds() - began) / SAMPLED * 1e3, "ms")
    return made


def search(folder: Path) -> None:
    """Search as several clients at once, each in a thread, as a server does."""
    collection, taken, lock = Collection(folder), [], threading.Lock()
    collection.search(Wanted("warm up"), 0.0)
    known = Writer().words
    began_memory = resident_bytes()

    def client(number: int) -> None:
        random = np.random.default_rng(number)
        for _ in range(SEARCHES):
            query = " ".join(known[random.integers(20, 4_000, 2)])
            began = time.perf_counter()
            collection.search(Wanted(query), 0.0)
            with lock:
                taken.append(time.perf_counter() - began)

    threads = [threading.Thread(target=client, args=(number,)) for number in range(CLIENTS)]
    began = cpu_seconds()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    figure("search_cpu", (cpu_seconds() - began) / len(taken) * 1e3, "ms")
    figure("search_median_8_clients", float(np.percentile(taken, 50)) * 1e3, "ms")
    figure("search_p95_8_clients", float(np.percentile(taken, 95)) * 1e3, "ms")
    figure("search_grown", (resident_bytes() - began_memory) / 1e6, "MB")


def crawl_speed(folder: Path, followed: bool) -> float:
    """Pages a second of a crawl of the sample web, with an indexer behind it or without."""
    web = SampleWeb(pages=2 * CRAWLED)
    crawl = Crawl.start(
        folder, web.description("bees"), web.seeds("bees"), settings={"web.sample_pages": 2 * CRAWLED}
    )
    crawl.run(pages=100)
    follower = None
    if followed:
        command = [sys.executable, "-c", FOLLOWER, "index", str(folder), "--follow", "--quiet"]
        follower = subprocess.Popen(command, stderr=subprocess.DEVNULL, env=dict(os.environ))
        while not Collection(folder).done():
            time.sleep(0.1)
    began = time.perf_counter()
    crawl.run(pages=CRAWLED)
    speed = (CRAWLED - 100) / (time.perf_counter() - began)
    if follower:
        follower.kill()
        follower.wait()
    return speed


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "crawl"
        write_crawl(folder, PAGES)
        parts(folder)
        index(folder)
        search(folder)
    with tempfile.TemporaryDirectory() as name:
        # In turns, the fastest of each: whatever else the machine does slows both down.
        speeds = [
            (crawl_speed(Path(name) / f"alone{at}", False), crawl_speed(Path(name) / f"followed{at}", True))
            for at in range(TRIES)
        ]
        alone, followed = (max(own) for own in zip(*speeds, strict=True))
        figure("crawl_alone", alone, "pages/s")
        figure("crawl_slowed_by_follower", 100 * (1 - followed / alone), "%")


if __name__ == "__main__":
    main()
