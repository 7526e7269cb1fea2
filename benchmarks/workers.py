"""What it costs to share a crawl among workers: the same pages by one process and by four, in one PostgreSQL.

Figures: processor time a page (of workers and database) of four workers over that of one process, where many and where
few links lead into other shards, of pages as large as those of the Web, which are archived, and of small ones, which
are not: what sharing costs is the same for both, and weighs more where a page costs little; the same of four crawls
that share nothing, each of a quarter of the pages, since four processes at once cost more than one whatever they do;
pages told to other shards a second, through the database and back; how soon a worker that joins has its shards, and
another those of one that leaves; how long a crawl takes to open.
`python -m benchmarks workers cost few_clustered` measures only what sharing costs, on one of `WEBS`.
`python -m benchmarks workers told` measures on recorded webs to how many shards a page is told.
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
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from tests.postgres_server import server

from benchmarks import _told
from benchmarks._crossing_web import AS_MULTISITE, AS_UCI_ICS, SITES, CrossingWeb
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
WEBS = {
    "many_crossing": (0.48, ()),
    "few_crossing": (0.107, ()),
    "few_clustered": (0.112, AS_UCI_ICS),
    "some_clustered": (0.265, AS_MULTISITE),
}
"""The share of links into other sites, and how many of these a page leads into; without, each link leads anywhere."""


def _begun(
    folder: Path, address: str, web: CrossingWeb, shards: int, archive: bool = False, pages: int = PAGES
) -> Crawl:
    settings = {
        "output.store": address,
        "crawl.shards": shards,
        "limits.max_pages": pages,
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


def _cpu_a_page(address: str, places: Sequence[Place], work: Callable[[], list[int]]) -> float:
    """Seconds of processes and of the database a page, from the moment when all are at work to the last page."""
    samples = []
    with ExitStack() as open_ones:
        databases = [open_ones.enter_context(closing(place.connect())) for place in places]
        processes = work()
        for wanted in (WARM, PAGES):
            while (pages := sum(map(_pages, databases))) < wanted:
                time.sleep(0.1)
            samples.append((pages, server_seconds(address) + sum(map(family_seconds, processes))))
    for process in processes:
        os.waitpid(process, 0)
    for place in places:
        place.drop()  # or the server goes on tidying up behind it, at the expense of the next
    (pages_before, before), (pages_then, then) = samples
    return (then - before) / (pages_then - pages_before)


def _pages(database: Any) -> float:
    row = database.execute("SELECT number FROM totals WHERE name = 'pages'").fetchone()
    return float(row[0]) if row else 0.0


def _round(address: str, web: CrossingWeb, archive: bool) -> tuple[float, float, float]:
    """Processor time a page of one process, of four that share nothing, and of four workers."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)

        def alone(crawls: int) -> float:
            begun = [
                _begun(folder / f"{crawls}-{number}", address, web, 0, archive, PAGES // crawls)
                for number in range(crawls)
            ]
            places = [Place.read(crawl.folder) for crawl in begun]
            return _cpu_a_page(address, places, lambda: [_in_a_process(crawl.run) for crawl in begun])

        one, apart = alone(1), alone(SHARDS)
        place = Place.read(_begun(folder / "divided", address, web, SHARDS, archive).folder)
        workers = [folder / f"worker-{number}" for number in range(SHARDS)]
        return (
            one,
            apart,
            _cpu_a_page(address, [place], lambda: [_worker(place, own, web) for own in workers]),
        )


def _shared(address: str, name: str, web: CrossingWeb, archive: bool) -> None:
    rounds = [_round(address, web, archive) for _ in range(3)]
    share, told = web.crossing(SHARDS)
    what = f"{share:.0%} of links lead into other shards, a page into {told:.2f} of {SHARDS - 1}"
    one, apart, four = (statistics.median(side) for side in zip(*rounds, strict=True))
    figure(
        f"workers_cpu_{name}",
        statistics.median(four / one for one, _, four in rounds),
        f"times one process's, {what}",
    )
    figure(
        f"apart_cpu_{name}",
        statistics.median(apart / one for one, apart, _ in rounds),
        "of four that share nothing",
    )
    for own, side in (("one_process", one), ("four_apart", apart), ("four_workers", four)):
        figure(f"{own}_cpu_{name}", 1000 * side, "ms a page, the database's with it")


def _measure_sharing(address: str, name: str) -> None:
    to_others, other_sites = WEBS[name]
    large = CrossingWeb(40 * PAGES, to_others, LARGE, other_sites)
    _shared(address, name, large, archive=True)
    small = CrossingWeb(40 * PAGES, to_others, other_sites=other_sites)
    _shared(address, f"{name}_small", small, archive=False)


def _letters_told(address: str, web: CrossingWeb) -> float:
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
    """Measure all of it, or only what is asked for."""
    what = sys.argv[2:3]
    if what == ["told"]:
        _told.measure(SHARDS)
        return
    with server() as address:
        if what == ["opening"]:
            _measure_opening(address, int(float(sys.argv[3]) * 1e6))
            return
        for name in sys.argv[3:] if what == ["cost"] else WEBS:
            _measure_sharing(address, name)
        if what == ["cost"]:
            return
        web = CrossingWeb(40 * PAGES, 0.48)
        figure("letters_told", _letters_told(address, web), "pages/s to the database and back")
        joined, left = _joining(address, web)
        figure("worker_joins", joined, "s until it has its share of eight shards")
        figure("worker_leaves", left, "s until a killed one's shards are shared anew")
        _measure_opening(address, 1_000_000)


if __name__ == "__main__":
    main()
