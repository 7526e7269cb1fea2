"""Indexes are kept up beside whoever searches: nobody waits for it, and what fails is not tried at every search."""

import errno
import json
import threading
import time

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


@pytest.fixture
def kept(served, begun):
    made = Indexing(served.workspace, begun)
    yield made
    begun.may_begin.set()
    made.close()


def ended(kept, code, ago):
    """As a process leaves it that has ended some seconds ago."""
    place = kept._place / "bees"
    (place / PROCESS_LOCK).touch()
    (place / PROCESS_END).write_text(json.dumps({"code": code, "ended": time.time() - ago}))


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
    ("code", "rest"), [(0, indexing.AGAIN_SECONDS), (3, indexing.FAILED_SECONDS)], ids=["well", "failed"]
)
def test_one_that_has_ended_is_followed_after_a_while(kept, begun, code, rest):
    kept.search("bees", "honey")
    settled(kept)
    for ago, times in ((rest / 2, 1), (rest + 1, 2)):
        ended(kept, code, ago)
        kept.search("bees", "honey")
        settled(kept)
        assert begun.times == times


def test_a_search_has_an_answer_though_the_disk_is_full(kept, begun):
    begun.error = OSError(errno.ENOSPC, "No space left on device")
    assert kept.search("bees", "honey").waiting == PAGES
    settled(kept)
    assert kept.search("bees", "honey").waiting == PAGES, "and it is tried again"
    settled(kept)
    assert begun.times == 2
