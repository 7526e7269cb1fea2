"""An indexer beside a running crawl: the last whom the system lets work, and mostly at rest."""

import os
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest

from honeyguide.search import giving_way
from honeyguide.search.collection import Collection
from honeyguide.store.lock import lock

from .conftest import sample_crawl

FOLLOW = "from honeyguide.cli.main import app; app()"


def test_it_rests_as_long_as_somebody_crawls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    crawl = sample_crawl(tmp_path / "crawl", 150)
    rests: list[float] = []
    with closing(lock(crawl.folder)) as crawling, crawl.indexer(gives_way=True) as indexer:

        def rest(seconds: float) -> None:
            rests.append(seconds)
            if len(rests) == 3:
                crawling.close()  # the crawl has ended

        monkeypatch.setattr(giving_way.time, "sleep", rest)
        assert indexer.catch_up() == 150
    assert len(rests) == 3
    assert all(0 < seconds <= giving_way.LOOK_SECONDS for seconds in rests)


def test_it_catches_up_while_the_crawl_is_paused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    crawl = sample_crawl(tmp_path / "crawl", 60)
    monkeypatch.setattr(giving_way, "RESTS", 1e9)

    def told(paused: bool) -> None:
        with closing(sqlite3.connect(crawl.folder / "crawl.db")) as db:
            db.execute("REPLACE INTO totals VALUES ('paused', ?)", [paused])
            db.commit()

    def look(seconds: float) -> None:
        looks.append(seconds)
        told(paused=True)

    looks: list[float] = []
    monkeypatch.setattr(giving_way, "time", SimpleNamespace(**{**vars(time), "sleep": look}))
    with closing(lock(crawl.folder)), crawl.indexer(gives_way=True) as indexer:
        told(paused=False)
        assert indexer.catch_up() == 60
    assert len(looks) == 1, "until it saw that the crawl is paused"


def test_beside_a_crawl_what_was_taken_in_is_found_before_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("honeyguide.search.indexer.COMMIT_SECONDS", 0.0)
    crawl = sample_crawl(tmp_path / "crawl", 100)
    seen: list[int | None] = []
    with crawl.indexer(gives_way=True) as indexer:
        indexer.catch_up(lambda done, last: seen.append(Collection(crawl.folder).done()))
    assert seen == [40, 80, 100]


def test_a_follower_is_the_last_to_work(tmp_path: Path) -> None:
    crawl = sample_crawl(tmp_path / "crawl", 20)
    words = [sys.executable, "-c", FOLLOW, "index", str(crawl.folder), "--follow", "--quiet"]
    follower = subprocess.Popen(words, start_new_session=True)
    try:
        until = time.monotonic() + 60
        while not Collection(crawl.folder).done() and time.monotonic() < until:
            time.sleep(0.1)
        assert os.sched_getscheduler(follower.pid) == os.SCHED_IDLE
        assert os.getpriority(os.PRIO_PROCESS, follower.pid) == 19
        autogroup = Path(f"/proc/{follower.pid}/autogroup")
        if autogroup.exists():
            assert autogroup.read_text(encoding="ascii").endswith("nice 19\n")
    finally:
        follower.kill()
        follower.wait()
