"""Processes that search for the server: one that dies is replaced, and all end with the server."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from honeyguide.crawls import Crawl
from honeyguide.errors import NoIndex, StoreError
from honeyguide.search.answering import question, read_results
from honeyguide.search.results import Wanted
from honeyguide.serve import searchers as module
from honeyguide.serve.searchers import Searchers, _Line
from tests.serve.conftest import wait_until

pytest.importorskip("tantivy")


def children() -> set[int]:
    """The processes that this one has started and that have not ended.

    Asked of each process, as the threads of this one come and go while they are listed.
    """
    found = set()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # it has just ended
            if int(stat.read_text().rpartition(")")[2].split()[1]) == os.getpid():
                found.add(int(stat.parent.name))
    return found


def is_gone(process: int) -> bool:
    return not Path(f"/proc/{process}").exists()


def test_the_same_is_found_as_without_them_whatever_becomes_of_one(crawled, tmp_path, monkeypatch):
    before, folder = children(), tmp_path / "bees"
    shutil.copytree(crawled / "crawls" / "bees", folder)
    Crawl.open(folder).index()
    asked = question(folder, Wanted("honey"), 0.0)
    searchers = Searchers()
    try:
        waiting, found = searchers.ask(asked)
        own = Crawl.open(folder).search("honey", fresh=False)
        assert waiting == 0
        told = read_results(found)
        assert (told.hits, told.facets) == (own.hits, own.facets)
        assert told.total == own.total > 0
        (process,) = children() - before
        with pytest.raises(NoIndex, match="has no index"):
            searchers.ask(question(tmp_path, Wanted("honey"), 0.0))
        assert children() - before == {process}, "an error ends no process"
        os.kill(process, signal.SIGKILL)
        assert read_results(searchers.ask(asked)[1]).hits == own.hits, "by another one"
        (second,) = children() - before
        assert second != process
        os.kill(second, signal.SIGSTOP)  # it hangs
        monkeypatch.setattr(module, "SECONDS", 0.2)
        with pytest.raises(StoreError, match="longer than"):
            searchers.ask(asked)
        assert is_gone(second)
    finally:
        searchers.close()
    assert children() == before


def test_they_end_with_a_server_that_is_killed(tmp_path):
    program = (
        "import sys, time\n"
        "from honeyguide.serve.searchers import _Searcher\n"
        "print(_Searcher()._process.pid, flush=True)\n"
        "time.sleep(600)\n"
    )
    server = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    process = int(server.stdout.readline())
    server.kill()
    server.wait()
    server.stdout.close()
    wait_until(lambda: is_gone(process))


def test_the_first_to_come_is_the_first_to_be_served():
    line, served = _Line(1), []
    taken = line.take()

    def wait(number):
        mine = line.take()
        served.append(number)
        line.give_back(mine)

    waiting = []
    for number in range(5):
        waiting.append(threading.Thread(target=wait, args=(number,)))
        waiting[-1].start()
        wait_until(lambda so_far=number + 1: len(line._waiting) == so_far)
    line.give_back(taken)
    assert line.take() is None, "whoever comes now has to wait, too"
    for thread in waiting:
        thread.join()
    assert served == [0, 1, 2, 3, 4]
