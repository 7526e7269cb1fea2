"""What it costs to share a crawl among workers: the same pages by one process and by four, in one PostgreSQL.

Figures: processor time a page (of workers and database) of four workers over that of one process, where many and where
few links lead into other shards, of pages as large as those of the Web, which are archived, and of small ones, which
are not: what sharing costs is the same for both, and weighs more where a page costs little; pages told to other shards
a second, through the database and back; how soon a worker that joins has its shards, and another those of one that
leaves; how long a crawl takes to open.
`python -m benchmarks workers opening 10` opens one of ten million urls, which takes some minutes to be written.
"""

from __future__ import annotations

import os
import resource
import signal
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from tests.postgres_server import server

from benchmarks._crossing_web import SITES, CrossingWeb
from benchmarks._figures import figure
from benchmarks._meter import family_seconds
from benchmarks.postgres import server_seconds
from honeyguide.crawls import Crawl
from honeyguide.shards.letters import Letter
from honeyguide.shards.owners import Owners
from honeyguide.state.state import State
from honeyguide.store.postgres.council import Council
from honeyguide.store.postgres.place import Place
from honeyguide.store.postgres.shard_store import ShardStore
from honeyguide.workers import Worker

PAGES = int(os.environ.get("HONEYGUIDE_BENCH_PAGES", "3000"))
WARM = PAGES // 3
"""From there on it is measured: what it costs to start is no cost of a page."""
SHARDS = 4
LARGE = 30_000
"""Characters of a page beside its links: as many as the smaller ones of `crawl_speed`."""
TOPIC = "bee hive honey comb queen swarm"


def _begun(folder: Path, address: str, web: CrossingWeb, shards: int, archive: bool = False) -> Crawl:
    settings = {
        "output.store": address,
        "crawl.shards": shards,
        "limits.max_pages": PAGES,
        "output.archive": archive,
    }
    seeds = [web.url(number) for number in range(40)]
    return Crawl.start(folder, topic=TOPIC, seeds=seeds, web=web, settings=settings)


def _in_a_process(work: Callable[[], Any]) -> int:
    process = os.fork()
    if process:
        return process
    try:
        work()
    finally:
        os._exit(0)


def _worker(place: Place, folder: Path, web: CrossingWeb) -> int:
    def work() -> None:
        worker = Worker(place, folder, web)
        signal.signal(signal.SIGTERM, lambda number, frame: worker.leave())
        worker.run()

    return _in_a_process(work)


def _cpu_a_page(address: str, place: Place, work: Callable[[], list[int]]) -> float:
    """Seconds of processes and of the database a page, from the moment when all are at work to the last page."""
    samples = []
    with closing(place.connect()) as database:
        processes = work()
        for wanted in (WARM, PAGES):
            while (pages := _pages(database)) < wanted:
                time.sleep(0.1)
            samples.append((pages, server_seconds(address) + sum(map(family_seconds, processes))))
    for process in processes:
        os.waitpid(process, 0)
    (pages_before, before), (pages_then, then) = samples
    return (then - before) / (pages_then - pages_before)


def _pages(database: Any) -> float:
    row = database.execute("SELECT number FROM totals WHERE name = 'pages'").fetchone()
    return float(row[0]) if row else 0.0


def _pair(address: str, web: CrossingWeb, archive: bool) -> tuple[float, float]:
    """Processor time a page of one process and of four workers."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        alone = _begun(folder / "alone", address, web, 0, archive)
        one = _cpu_a_page(address, Place.read(alone.folder), lambda: [_in_a_process(alone.run)])
        place = Place.read(_begun(folder / "divided", address, web, SHARDS, archive).folder)
        workers = [folder / f"worker-{number}" for number in range(SHARDS)]
        four = _cpu_a_page(address, place, lambda: [_worker(place, own, web) for own in workers])
        for crawl in (Place.read(alone.folder), place):
            crawl.drop()  # or the server goes on tidying up behind it, at the expense of the next
    return one, four


def _shared(address: str, name: str, web: CrossingWeb, archive: bool) -> None:
    pairs = [_pair(address, web, archive) for _ in range(3)]
    share = f"{web.crossing(SHARDS):.0%} of links lead into other shards"
    figure(
        f"workers_cpu_{name}",
        statistics.median(four / one for one, four in pairs),
        f"times one process's, {share}",
    )
    for own, side in zip(("one_process", "four_workers"), zip(*pairs, strict=True), strict=True):
        figure(f"{own}_cpu_{name}", 1000 * statistics.median(side), "ms a page, the database's with it")


def _told(address: str, web: CrossingWeb) -> float:
    """Pages a second, each with twenty links, written to the outbox, read and unpacked again."""
    links, pages, letters = 20, 48, 200
    count = pages * links
    letter = Letter(
        ids=np.arange(pages, dtype=np.int64),
        urls=[web.url(number) for number in range(pages)],
        relevance=np.full(pages, 0.5),
        priority=np.zeros(pages),
        depth=np.ones(pages, dtype=np.int32),
        accepted=np.ones(pages, dtype=np.bool_),
        is_listing=np.zeros(pages, dtype=np.bool_),
        is_redirect=np.zeros(pages, dtype=np.bool_),
        links=np.full(pages, links, dtype=np.int32),
        targets=[web.url(number) for number in range(count)],
        anchors=["some words of a link"] * count,
        around=np.full(count, 0.5, dtype=np.float32),
        handed_on={"cash": np.full(pages, 0.1)},
    )
    with tempfile.TemporaryDirectory() as name:
        place = Place.read(_begun(Path(name) / "crawl", address, web, 2).folder)
        with closing(place.connect()) as database:
            start = time.perf_counter()
            for _ in range(letters):
                database.executemany(
                    "INSERT INTO outbox (receiver, sender, letter) VALUES (?, ?, ?)", [(0, 1, letter.pack())]
                )
            with closing(ShardStore(Path(name) / "shard", place, Owners(2, 0))) as store:
                while waiting := store.letters(32):
                    database.execute("DELETE FROM outbox WHERE n <= ?", (waiting[-1][0],))
            return letters * pages / (time.perf_counter() - start)


def _until(council: Council, is_so: Callable[[Any], bool]) -> float:
    start = time.perf_counter()
    while not is_so(council.look()) and time.perf_counter() < start + 60:
        time.sleep(0.02)
    return time.perf_counter() - start


def _joining(address: str, web: CrossingWeb) -> tuple[float, float]:
    """Seconds until a second worker has its half of eight shards, and until the first has all again."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        crawl = _begun(folder / "crawl", address, web, 8)
        place = Place.read(crawl.folder)
        with closing(Council(place)) as council:
            # The council itself counts as one that works, so shares are those of three workers.
            first = _worker(place, folder / "first", web)
            _until(council, lambda look: sum(row.is_owned for row in look.shards) >= 4)
            second = _worker(place, folder / "second", web)
            joined = _until(council, lambda look: sum(row.is_owned for row in look.shards) >= 6)
            os.kill(second, signal.SIGKILL)
            os.waitpid(second, 0)
            left = _until(council, lambda look: look.workers == 2)
            left += _until(council, lambda look: sum(row.is_owned for row in look.shards) >= 4)
            os.kill(first, signal.SIGTERM)
            os.waitpid(first, 0)
    return joined, left


def _fill(place: Place, urls: int) -> None:
    """Urls that wait, a link to each and a priority, shared evenly among the shards."""
    with closing(place.connect()) as database:
        database.execute(
            "INSERT INTO hosts (id, name) SELECT n + 1, 'site' || n || '.example' FROM generate_series(0, ?) AS n",
            (SITES - 1,),
        )
        database.execute(
            "INSERT INTO urls (id, url, fingerprint, host, depth, via, shard) SELECT n, 'http://site' || n % ?1"
            " || '.example/page/' || n, n, n % ?1 + 1, 1, 0, n % ?2 FROM generate_series(1, ?3) AS n",
            (SITES, SHARDS, urls),
        )
        for shard in range(SHARDS):
            ids = np.arange(shard or SHARDS, urls + 1, SHARDS, dtype=np.int32)
            database.executemany(
                "INSERT INTO links (page, targets, anchors, shard) VALUES (?, ?, ?, ?)",
                ((int(some[0]), some.tobytes(), "[]", shard) for some in np.array_split(ids, len(ids) // 50)),
            )
            columns = (
                ("status", np.ones(len(ids), dtype=np.uint8)),
                ("priority", np.linspace(0, 1, len(ids))),
            )
            database.executemany(
                "INSERT INTO changes (rows_of, name, ids, numbers, kind, shard) VALUES (?, ?, ?, ?, ?, ?)",
                (
                    ("urls", column, ids.tobytes(), own.tobytes(), own.dtype.str, shard)
                    for column, own in columns
                ),
            )
        database.execute("UPDATE shards SET is_planted = TRUE")
        database.execute("ANALYZE")


def _opening(address: str, web: CrossingWeb, urls: int) -> tuple[float, float]:
    """Seconds until four workers, all at once, have opened a shard each; and their processor time, the server's too."""
    with tempfile.TemporaryDirectory() as name:
        place = Place.read(_begun(Path(name) / "crawl", address, web, SHARDS).folder)
        _fill(place, urls)

        def opened(shard: int) -> None:
            with closing(ShardStore(Path(name) / f"shard-{shard}", place, Owners(SHARDS, shard))) as store:
                store.load(State())

        used, start = server_seconds(address) + _ended_seconds(), time.perf_counter()
        for process in [_in_a_process(partial(opened, shard)) for shard in range(SHARDS)]:
            os.waitpid(process, 0)
        taken = time.perf_counter() - start
        used = server_seconds(address) + _ended_seconds() - used
        place.drop()
    return taken, used


def _ended_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _measure_opening(address: str, urls: int) -> None:
    taken, used = _opening(address, CrossingWeb(40 * PAGES, 0.48), urls)
    figure("crawl_opening", taken, f"s until four shards with {urls:,} urls in all are open, all at once")
    figure("crawl_opening_cpu", used, "s of processor for it, the server's with it")


def main() -> None:
    """Measure all of it; with `opening` and a number, only how long a crawl of so many million urls takes to open."""
    with server() as address:
        if sys.argv[2:3] == ["opening"]:
            _measure_opening(address, int(float(sys.argv[3]) * 1e6))
            return
        for name, to_others in (("many", 0.48), ("few", 0.107)):
            large = CrossingWeb(40 * PAGES, to_others, length=LARGE)
            _shared(address, f"{name}_crossing", large, archive=True)
            _shared(address, f"{name}_crossing_small", CrossingWeb(40 * PAGES, to_others), archive=False)
        web = CrossingWeb(40 * PAGES, 0.48)
        figure("letters_told", _told(address, web), "pages/s to the database and back")
        joined, left = _joining(address, web)
        figure("worker_joins", joined, "s until it has its share of eight shards")
        figure("worker_leaves", left, "s until a killed one's shards are shared anew")
        _measure_opening(address, 1_000_000)


if __name__ == "__main__":
    main()
