"""Indexes are kept up beside whoever searches: nobody waits for it, and what fails is not tried at every search."""

import errno
import json
import shutil
import threading

import pytest

from honeyguide.serve import indexing
from honeyguide.serve.indexing import Indexing
from honeyguide.store.folder import PROCESS_END, PROCESS_LOCK
from tests.serve.conftest import PAGES, wait_until

pytest.importorskip("tantivy")


class Begun:
    """In place of processes: what would be begun."""

    def __init__(self):
        self.times = 0
        self.may_begin = threading.Event()
        self.may_begin.set()
        self.error = None

    def start(self, place, words):
        self.may_begin.wait(60)
        self.times += 1
        if self.error:
            raise self.error


@pytest.fixture
def begun():
    return Begun()


class Clock:
    """In place of the machine's, which goes on however slow a search is."""

    now = 1_000_000.0

    def time(self):
        return self.now


@pytest.fixture
def clock(monkeypatch):
    made = Clock()
    monkeypatch.setattr(indexing, "time", made)
    return made


@pytest.fixture
def kept(served, begun, clock):
    made = Indexing(served.workspace, begun)
    yield made
    begun.may_begin.set()
    made.close()


def ended(kept, code, when):
    """As a process leaves it that has ended; without a code it was killed."""
    place = kept._place / "bees"
    (place / PROCESS_LOCK).touch()
    if code is not None:
        (place / PROCESS_END).write_text(json.dumps({"code": code, "ended": when}))


def settled(kept):
    """All that was asked for is done."""
    wait_until(lambda: not kept._to_wake)


def test_nobody_waits_until_a_process_has_begun(kept, begun):
    begun.may_begin.clear()
    assert [kept.search("bees", "honey").waiting for _ in range(3)] == [PAGES] * 3
    begun.may_begin.set()
    settled(kept)
    assert begun.times == 1


@pytest.mark.parametrize(
    ("code", "rest"),
    [(0, indexing.AGAIN_SECONDS), (3, indexing.FAILED_SECONDS), (None, indexing.FAILED_SECONDS)],
    ids=["well", "failed", "killed"],
)
def test_one_that_has_ended_is_followed_after_a_while(kept, begun, clock, code, rest):
    kept.search("bees", "honey")
    settled(kept)
    ended(kept, code, clock.now)
    for later, times in ((rest - 1, 1), (2, 2)):
        clock.now += later
        kept.search("bees", "honey")
        settled(kept)
        assert begun.times == times


@pytest.mark.parametrize("has_ended_before", [False, True])
def test_a_search_has_an_answer_though_the_disk_is_full(kept, begun, clock, has_ended_before):
    """And it is tried again after a while, however a process before it had ended."""
    if has_ended_before:
        (kept._place / "bees").mkdir(parents=True)
        ended(kept, 0, clock.now - indexing.FAILED_SECONDS)
    begun.error = OSError(errno.ENOSPC, "No space left on device")
    for later, times in ((0, 1), (indexing.FAILED_SECONDS - 1, 1), (2, 2)):
        clock.now += later
        assert kept.search("bees", "honey").waiting == PAGES
        settled(kept)
        assert begun.times == times


def test_a_clock_that_was_set_back_delays_nothing(kept, begun, clock):
    for times in (1, 2):
        kept.search("bees", "honey")
        settled(kept)
        assert begun.times == times
        clock.now -= 3_600


def test_nothing_is_begun_for_a_crawl_that_was_thrown_away_meanwhile(kept, begun):
    crawls = kept._workspace.folder / "crawls"
    shutil.copytree(crawls / "bees", crawls / "gone")
    begun.may_begin.clear()
    kept.search("bees", "honey")  # which is waited for
    kept.search("gone", "honey")
    kept._workspace.throw_away("gone")
    begun.may_begin.set()
    settled(kept)
    assert begun.times == 1
    assert not (kept._place / "gone").exists()
