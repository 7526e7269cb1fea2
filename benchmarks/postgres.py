"""What PostgreSQL costs on one machine: the same crawls of the sample web into SQLite and into PostgreSQL, in turn.

Figures: speed of a crawl into PostgreSQL as a share of that into SQLite, and the processor time of both its processes
(the crawler and the database) over that of the crawl into SQLite; medians of pairs.
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from tests.postgres_server import server

from benchmarks._figures import figure
from benchmarks._meter import family_seconds
from honeyguide.crawls import Crawl
from honeyguide.sample_web.web import SampleWeb

WEB_PAGES, PAGES, PAIRS = 20_000, 4_000, 3


def _crawl(store: str, web: SampleWeb) -> tuple[float, float]:
    """Seconds by the clock and of this process."""
    topic = web.topic_names[0]
    settings = {"web.sample_pages": web.pages, "limits.max_pages": PAGES, "output.store": store}
    with tempfile.TemporaryDirectory() as name:
        crawl = Crawl.start(
            Path(name) / "crawl", topic=web.description(topic), seeds=web.seeds(topic), settings=settings
        )
        start, used = time.perf_counter(), time.process_time()
        crawl.run()
        return time.perf_counter() - start, time.process_time() - used


def server_seconds(address: str) -> float:
    """Processor time of a server, with all its processes, also such as have ended: a connection has one of its own."""
    folder = Path(parse_qs(urlsplit(address).query)["host"][0])
    process = (folder / "data" / "postmaster.pid").read_text().split()[0]
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[13:15])) / os.sysconf("SC_CLK_TCK") + family_seconds(int(process))


def main() -> None:
    """Crawl in pairs."""
    web = SampleWeb(pages=WEB_PAGES)
    with server() as address:
        before = server_seconds(address)
        pairs = [(_crawl("", web), _crawl(address, web)) for _ in range(PAIRS)]
        of_server = (server_seconds(address) - before) / PAIRS
    speeds = [here[0] / there[0] for here, there in pairs]
    costs = [(there[1] + of_server) / here[1] for here, there in pairs]
    figure("postgres_crawl_speed", statistics.median(speeds), "of SQLite's")
    figure("postgres_crawl_cpu", statistics.median(costs), "times SQLite's, the server's with it")


if __name__ == "__main__":
    main()
