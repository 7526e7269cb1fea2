"""Workers whose archive is kept elsewhere: a machine that is lost takes no visit with it."""

import os
import shutil
import signal
import time
from collections import Counter

import pytest

from honeyguide.crawls import Crawl
from honeyguide.store import open_reader
from honeyguide.store.wacz import Wacz
from honeyguide.workers import Worker
from tests.end_to_end.killed_workers import start
from tests.end_to_end.test_workers import divided
from tests.postgres_server import server

pytest.importorskip("psycopg", reason="the extra `postgres` is not installed")
PAGES = 90


def test_a_machine_is_lost_and_another_goes_on(tmp_path):
    with server() as database:
        shared = tmp_path / "shared"
        settings = {"output.archive": True, "output.archive_at": shared.as_uri(), "limits.max_pages": PAGES}
        place = divided(tmp_path / "crawl", database.address, shards=3, **settings)
        crawl = Crawl.open(tmp_path / "crawl")
        process = start(place, tmp_path / "first")
        while crawl.status().pages < PAGES // 3:
            time.sleep(0.02)
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
        had = {visit.url for visit in crawl.visits()}
        shutil.rmtree(tmp_path / "first")
        Worker(place, tmp_path / "second").run()
        with open_reader(tmp_path / "crawl") as reader:
            visits = [*reader.visits()]
            bodies = {visit.url: reader.response(visit.location).body for visit in visits if visit.location}
            pages = reader.numbers(0.5).pages
            unsent = [file for file in reader.archive_files().values() if not file.address]
            chunks = sum(len(chunk) for chunk in Wacz(reader, "bees", 0.5).chunks())
        last = {visit.url: visit for visit in visits}
        waits = [url for url, visit in last.items() if visit.location is None]
        assert pages == PAGES
        assert had <= set(last)
        assert set(waits) <= had, "only pages that were lost, and wait for their turn behind the limit"
        assert Counter(len(bodies[url]) == last[url].bytes for url in last if url not in waits)[False] == 0
        assert unsent == []
        assert chunks > sum(path.stat().st_size for path in shared.glob("*.gz"))
        crawl_again = Crawl.open(tmp_path / "crawl")
        assert crawl_again.status().urls_by_status["queued"] >= len(waits)
