import fcntl
import json
import os
from pathlib import Path

from honeyguide.store.lock import process_at_work
from tests.cli.conftest import Cli


def test_numbers_of_a_crawl(cli: Cli, crawled: Path) -> None:
    numbers = json.loads(cli("status", crawled, "--json").stdout)
    assert (numbers["pages"], numbers["relevant"], numbers["failures"]) == (4, 2, 0)
    assert numbers["not_recorded"] == 2  # links that lead out of the recording are nobody's failure
    assert numbers["harvest_all"] == numbers["harvest_last_50"] == 0.5
    assert numbers["urls_by_status"] == {
        "known": 0, "queued": 0, "in_flight": 0, "fetched": 4, "failed": 2, "moved": 1, "listing": 0, "gone": 0,
        "foreign": 0,
    }  # fmt: skip
    assert numbers["process"] is None
    assert numbers["paused"] is False
    assert numbers["counts"]["redirects"] == 1


def test_the_table_says_the_same(cli: Cli, crawled: Path) -> None:
    output = " ".join(cli("status", crawled).stdout.split())
    assert "pages 4" in output
    assert "harvest rate 50.0 % of the last 50, 50.0 % of the last 500, 50.0 % of all" in output
    assert "urls 7: 4 fetched, 2 failed, 1 moved" in output
    assert "at work now no" in output


def test_a_running_crawl_is_noticed_and_not_disturbed(crawled: Path, tmp_path: Path) -> None:
    assert process_at_work(tmp_path) is None
    lock = tmp_path / "crawl.lock"
    with lock.open("a+") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        assert process_at_work(tmp_path) == 0
        file.write(str(os.getpid()))
        file.flush()
        assert process_at_work(tmp_path) == os.getpid()
        fcntl.flock(file, fcntl.LOCK_SH)  # as another `status` does for a moment
        assert process_at_work(tmp_path) is None
    assert process_at_work(tmp_path) is None
