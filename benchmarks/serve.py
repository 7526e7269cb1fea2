"""The server and what it searches, one figure for each goal; under ten minutes on a machine that does nothing else.

In this order: pages indexed a second on one core, up to 20,000; searches over HTTP by 8 clients at once in 50,000
pages; memory over 10,000 further ones; the start with 200 crawls; of a crawl of a million visits its numbers, all its
dots, and what an update costs that a console asks for when pages are new; by how much a crawl is slower that an indexer
follows or four consoles watch.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import threading
import time
from itertools import pairwise
from pathlib import Path

import numpy as np

from benchmarks._beside import compare
from benchmarks._figures import figure
from benchmarks._served import Connection, Server, p95, served, timed
from benchmarks._written_crawl import Writer, write_crawl
from benchmarks.search import index
from benchmarks.status import Filled
from honeyguide.crawls import Crawl
from honeyguide.sample_web.web import SampleWeb

PAGES = int(os.environ.get("HONEYGUIDE_BENCH_PAGES", "50000"))
CLIENTS, SEARCHES, WARM = 8, 150, 1_000
SOAK = int(os.environ.get("HONEYGUIDE_BENCH_SEARCHES", "10000"))
PARTS = 4
"""Of the soak: what is filled once, such as caches, is filled in the first; what leaks, leaks in all."""
CRAWLS = 200
VISITS = int(os.environ.get("HONEYGUIDE_BENCH_VISITS", "1000000"))
TIMES, UPDATES, NEW_PAGES = 200, 50, 30
WEB = SampleWeb(pages=2_000)


class Questions:
    """Queries of two words, as rare and as usual as those of the pages."""

    def __init__(self, seed: int) -> None:
        self._random = np.random.default_rng(seed)
        self._words = Writer().words[20:4_000]

    def path(self) -> str:
        return f"/crawls/written/search?q={'+'.join(self._random.choice(self._words, 2))}"


def searched(workspace: Path) -> None:
    """How soon searches are answered, and whether the server grows by them."""
    with served(workspace) as server:
        with server.connected() as connection:
            connection.get("/jobs")  # so that the parts of the server that follow its start are there
            _ask(connection, Questions(0), WARM)
        taken: list[float] = []
        began = server.cpu_seconds()
        threads = [
            threading.Thread(target=_client, args=(server, number, taken)) for number in range(CLIENTS)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        figure("search_cpu", 1000 * (server.cpu_seconds() - began) / len(taken), "ms")
        figure("search_median_8_clients", 1000 * float(np.median(taken)), "ms")
        figure("search_p95_8_clients", p95(taken), "ms")
        with server.connected() as connection:
            questions, taken, memory = Questions(99), [], [server.megabytes()]
            for _ in range(PARTS):
                taken += _ask(connection, questions, SOAK // PARTS)
                memory.append(server.megabytes())
        figure("search_p95_one_client", p95(taken), "ms")
        for part, (before, after) in enumerate(pairwise(memory), start=1):
            figure(f"search_soak_growth_{part}", after - before, f"MB in {SOAK // PARTS:,} searches")


def _client(server: Server, number: int, taken: list[float]) -> None:
    with server.connected() as connection:
        taken += _ask(connection, Questions(number + 1), SEARCHES)


def _ask(connection: Connection, questions: Questions, times: int) -> list[float]:
    paths = [questions.path() for _ in range(times)]
    return timed(lambda at: connection.get(paths[at]), times)


def started(workspace: Path) -> None:
    """How soon a server with many crawls answers, and what a large one costs it."""
    crawls = workspace / "crawls"
    crawl = Crawl.start(crawls / "crawl-0", WEB.description("bees"), WEB.seeds("bees"), web=WEB)
    crawl.run(pages=300)
    crawl.index()
    for number in range(1, CRAWLS):
        shutil.copytree(crawls / "crawl-0", crawls / f"crawl-{number}")
    with served(workspace):
        pass  # it was started before
    began = time.perf_counter()
    with served(workspace) as server:
        listed = json.loads(server.get(f"/crawls?most={CRAWLS + 1}"))["items"]
        figure("start_seconds", time.perf_counter() - began, "s")
        figure("start_cpu_seconds", server.cpu_seconds(), "s")
        assert len(listed) == CRAWLS


def large(workspace: Path) -> None:
    """A crawl of a million visits, looked at and watched."""
    folder = workspace / "crawls" / "large"
    Crawl.start(folder, "beekeeping and honey", ["http://h0.example/"], settings={"web.sample_pages": 100})
    filled = Filled(folder, urls=VISITS + VISITS // 5, visits=VISITS)
    with served(workspace) as server, server.connected() as connection:
        assert json.loads(connection.get("/crawls/large"))["status"]["pages"] == VISITS
        figure("numbers_p95", p95(timed(lambda at: connection.get("/crawls/large"), TIMES)), "ms")
        began = time.perf_counter()
        last = int.from_bytes(connection.get("/crawls/large/cells")[12:16], "little")
        figure("all_dots", time.perf_counter() - began, "s")
        assert last == VISITS
        figure("dots_p95", p95(timed(lambda at: connection.get("/crawls/large/dots"), TIMES // 4)), "ms")
        paths = [f"/crawls/large/visits?cursor={at * 997}" for at in range(TIMES)]
        figure("visits_p95", p95(timed(lambda at: connection.get(paths[at]), TIMES)), "ms")
        began = server.cpu_seconds()
        for _ in range(UPDATES):
            last = filled.more(NEW_PAGES)
            for path in ("", f"/cells?cursor={last - NEW_PAGES}", f"/visits?cursor={last - 10}&most=10"):
                connection.get(f"/crawls/large{path}")
        figure("update_cpu", 1000 * (server.cpu_seconds() - began) / UPDATES, "ms")
    filled.close()


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "crawls" / "written"
        folder.parent.mkdir()
        write_crawl(folder, PAGES)
        index(folder, PAGES)
        searched(Path(name))
    with tempfile.TemporaryDirectory() as name:
        started(Path(name))
    with tempfile.TemporaryDirectory() as name:
        large(Path(name))
    compare()


if __name__ == "__main__":
    main()
