import json
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from honeyguide.store import open_reader
from tests.cli.conftest import Cli
from tests.cli.test_crawl import pages_in, start


@pytest.fixture
def running(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """A process that crawls without end into tmp_path / "crawl"."""
    process = start(tmp_path / "crawl", 5)
    yield process
    process.kill()
    process.communicate()


def wait_until(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 300
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_pause_resume_and_stop(running: subprocess.Popen[str], cli: Cli, tmp_path: Path) -> None:
    folder = tmp_path / "crawl"
    paused = cli("pause", folder)
    assert paused.exit_code == 0
    assert paused.stdout.startswith(f"process {running.pid} will pause")
    assert f"at work now paused, process {running.pid}" in " ".join(cli("status", folder).stdout.split())
    assert json.loads(cli("status", folder, "--json").stdout)["paused"] is True
    before = [-1]

    def stands_still() -> bool:
        before.append(pages_in(folder))
        time.sleep(0.3)
        return before[-1] == pages_in(folder)

    wait_until(stands_still)
    changed = cli("resume", folder, "--pages", 10)
    assert changed.exit_code == 2
    assert f"`honeyguide stop {folder}` ends it and then give this command again" in changed.stderr
    assert cli("resume", folder).stdout == f"process {running.pid} goes on\n"
    wait_until(lambda: pages_in(folder) > before[-1])
    assert cli("resume", folder).stderr.startswith(f"error: {folder} is in use by process {running.pid}")
    assert cli("stop", folder).stdout.startswith(f"process {running.pid} will stop")
    stdout, _ = running.communicate(timeout=300)
    assert running.returncode == 130
    assert stdout.startswith("stopped_by_user: ")


@pytest.mark.parametrize("verb", ["pause", "stop"])
def test_nobody_is_asked_when_nobody_is_at_work(verb: str, cli: Cli, crawled: Path) -> None:
    result = cli(verb, crawled)
    assert result.exit_code == 2
    assert result.stderr.startswith(f"error: {crawled}: no process is at work on it")
    with open_reader(crawled) as reader:
        assert not reader.posts()
