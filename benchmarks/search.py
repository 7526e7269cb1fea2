"""Searching what was found, without a server: how fast pages are indexed, and how fast they are found.

Figures: pages a second on one core up to 20,000 pages, with what the parts of it take; and the 95th percentile of
searches by 8 threads at once in 50,000 pages. What is reached over HTTP, and what indexing costs a crawl, is told by
the benchmark `serve`.
"""

from __future__ import annotations

import os
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import numpy as np

from benchmarks._figures import cpu_seconds, figure, resident_bytes
from benchmarks._written_crawl import Writer, write_crawl
from honeyguide.parse.main_text import main_text
from honeyguide.search.collection import Collection
from honeyguide.search.documents import Indexed, page_document
from honeyguide.search.indexer import Indexer
from honeyguide.search.results import Wanted
from honeyguide.search.words import stems_of, words
from honeyguide.store import open_reader

PAGES, INDEXED = 50_000, 20_000
CLIENTS, SEARCHES = 8, 100
SAMPLED = 300
Made = TypeVar("Made")


def index(folder: Path, pages: int) -> None:
    """Index all pages, and tell how fast the first of them were on one core, by the clock and by its time."""
    first = min(INDEXED, pages)
    began, clocks = (time.perf_counter(), cpu_seconds()), [0.0, 0.0]

    def look(done: int, last: int) -> None:
        if done <= first:
            clocks[:] = time.perf_counter() - began[0], cpu_seconds() - began[1]

    with _one_core(), Indexer(folder) as indexer:
        indexer.catch_up(look)
        assert indexer.done == pages
    figure("indexed_pages_per_second", first / clocks[0], "pages/s on one core")
    figure("indexed_pages_per_cpu_second", first / clocks[1], "pages/s")
    figure("indexer_resident", resident_bytes() / 1e6, "MB")
    size = sum(path.stat().st_size for path in (folder / "index").rglob("*") if path.is_file())
    figure("index_bytes_per_page", size / pages, "bytes")


@contextmanager
def _one_core() -> Iterator[None]:
    """All threads that are started within have one core together."""
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(cores)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)


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
    known = Writer().words
    for word in known[20:220]:
        collection.search(Wanted(str(word)), 0.0)  # to warm up
    began_memory = _own_bytes()

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
    figure("search_grown", (_own_bytes() - began_memory) / 1e6, "MB")


def _own_bytes() -> int:
    """Memory that is not a file's: what is read of the index stays in memory as long as there is room."""
    status = Path("/proc/self/status").read_text()
    return 1024 * int(next(line.split()[1] for line in status.splitlines() if line.startswith("RssAnon")))


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "crawl"
        write_crawl(folder, PAGES)
        parts(folder)
        index(folder, PAGES)
        search(folder)


if __name__ == "__main__":
    main()
