"""The loop of a shard: letters come in with pages, in one commit; where that fails, each alone, and none is lost."""

import asyncio
from functools import partial

import pytest

from honeyguide.assembly import assemble
from honeyguide.engine import shard as loop
from honeyguide.engine.ingest import Ingest
from honeyguide.engine.running import StopReason
from honeyguide.engine.shard import ShardEngine
from honeyguide.making import make_fetcher, make_strategy, make_topic
from honeyguide.settings import CrawlOrder
from honeyguide.shards.owners import Owners
from tests.engine.test_dividing import SETTINGS, WEB, links_of, visits_of
from tests.shards.divided_crawl import PostingStore

SHARDS = 3


class Box(list):
    """Letters that wait, numbered as they come."""

    come = 0

    def append(self, letter):
        self.come += 1
        super().append((self.come, letter))


class Store(PostingStore):
    """Its own box is emptied by the commits that take letters in."""

    def __init__(self, folder, boxes, shard):
        super().__init__(folder, boxes)
        self.shard = 0  # of the file, which is a crawl of its own
        self.box, self.commits = boxes[shard], []

    def commit(self, batch, state):
        super().commit(batch, state)
        known = {number for number, _ in self.box}
        assert {*batch.received} <= known  # none twice
        self.box[:] = [one for one in self.box if one[0] not in batch.received]
        self.commits.append((len(batch.visits), len(batch.received)))


class Letters:
    def __init__(self, shard, box):
        self.shard, self._box = shard, box

    def letters(self, most):
        return self._box[:most]

    def scores(self):
        return None


class Peers:
    """Everybody may fetch what it has, a few pages at a time."""

    def __init__(self, boxes, engines):
        self._boxes, self._engines, self._moment = boxes, engines, 0

    def reason(self):
        is_over = not any(self._boxes) and all(engine._is_idle() for engine in self._engines)
        return StopReason.FRONTIER_EMPTY if is_over and self._moment > 50 else None

    def quota(self, shard):
        self._moment += 1
        return 8, self._moment

    def has_letters(self, shard, *, is_urgent):
        return bool(self._boxes[shard])

    def look_again(self, *, is_urgent=True):
        pass

    def budget(self, shard, needed):
        return None

    def give_back(self, shard):
        pass

    def has_posts(self):
        return False

    def learning(self, but):
        return []


class SparingPeers(Peers):
    """Who may fetch some pages gets the next only after it has asked a few times; limits grant what is needed."""

    QUOTA = 11

    def __init__(self, boxes, engines):
        super().__init__(boxes, engines)
        self._asked, self.granted = 0, 0

    def quota(self, shard):
        return self.QUOTA, self._moment

    def look_again(self, *, is_urgent=True):
        self._asked += 1
        self._moment += self._asked % 6 == 0

    def budget(self, shard, needed):
        self.granted += 1
        return needed


def crawled(folder, kind=Peers, **settings):
    """All shards side by side; gives how many pages and letters each commit took in."""
    order = CrawlOrder().with_overrides({"output.archive": False, **SETTINGS, **settings})
    boxes, engines, stores = [Box() for _ in range(SHARDS)], [], []
    peers = kind(boxes, engines)
    for shard in range(SHARDS):
        stores.append(Store(folder / str(shard), boxes, shard))
        strategy = make_strategy(order)
        own = partial(ShardEngine, peers=peers, letters=Letters(shard, boxes[shard]), strategy=strategy)
        parts = order, folder / str(shard), make_fetcher(order), make_topic(order), strategy
        engines.append(assemble(*parts, store=stores[-1], owners=Owners(SHARDS, shard), make=own))

    async def all_of_them():
        await asyncio.gather(*(engine.crawl() for engine in engines))

    asyncio.run(all_of_them())
    for engine in engines:
        engine.close()
    return [commit for store in stores for commit in store.commits]


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    folder = tmp_path_factory.mktemp("alone")
    order = CrawlOrder().with_overrides({"output.archive": False, **SETTINGS})
    with assemble(order, folder, make_fetcher(order), make_topic(order), make_strategy(order)) as engine:
        engine.run()
    return folder


def check_nothing_is_lost(folder, alone):
    folders = [folder / str(shard) for shard in range(SHARDS)]
    assert sorted(url for own in folders for url, _ in visits_of(own)) == sorted(
        url for url, _ in visits_of(alone)
    )
    assert sorted(link for own in folders for link in links_of(own)) == sorted(links_of(alone))


def test_letters_are_taken_in_with_pages(alone, tmp_path, monkeypatch):
    monkeypatch.setattr(loop, "LETTERS_EVERY_SECONDS", 0.0)
    monkeypatch.setattr(loop, "ALONE_AFTER_SECONDS", 600.0)  # however slow the machine
    monkeypatch.setattr(loop, "WAIT_SECONDS", 0.001)
    commits = crawled(tmp_path)
    check_nothing_is_lost(tmp_path, alone)
    assert len(visits_of(alone)) > WEB.pages / 2
    together = sum(letters for pages, letters in commits if pages)
    assert together > sum(letters for pages, letters in commits if not pages) > 0


def test_what_cannot_be_taken_in_together_is_taken_in_alone(alone, tmp_path, monkeypatch):
    take, failed = Ingest.take, []

    def fails(self, arrived, pages_before, letter=None):
        batch = take(self, arrived, pages_before, letter)
        if letter is not None:
            failed.append(len(arrived.pages))
            raise ValueError("not together")
        return batch

    monkeypatch.setattr(loop, "LETTERS_EVERY_SECONDS", 0.0)
    monkeypatch.setattr(loop, "WAIT_SECONDS", 0.001)
    monkeypatch.setattr(Ingest, "take", fails)
    commits = crawled(tmp_path)
    check_nothing_is_lost(tmp_path, alone)
    assert sum(failed) > 3
    assert not any(pages and letters for pages, letters in commits)


def test_quotas_are_spent_in_whole_batches(alone, tmp_path, monkeypatch):
    monkeypatch.setattr(loop, "WAIT_SECONDS", 0.001)
    commits = crawled(tmp_path, SparingPeers, **{"crawl.batch": 4})
    check_nothing_is_lost(tmp_path, alone)
    fetched = [pages for pages, _ in commits if pages]
    # Eleven are two batches and three pages; where a queue is nearly empty, a batch is what there is.
    assert fetched.count(4) > 4 * fetched.count(3)
    assert fetched.count(4) > 40


def test_what_a_quota_has_too_much_of_is_taken_off_the_next(tmp_path):
    order = CrawlOrder().with_overrides({"output.archive": False, **SETTINGS, "crawl.batch": 8})
    peers, strategy = SparingPeers([[]], []), make_strategy(order)
    own = partial(ShardEngine, peers=peers, letters=Letters(0, []), strategy=strategy)
    parts = order, tmp_path, make_fetcher(order), make_topic(order), strategy
    with assemble(*parts, store=Store(tmp_path, [[]], 0), owners=Owners(SHARDS, 0), make=own) as engine:
        given = [engine._whole_batches(11) for _ in range(80)]
        assert {*given} == {8, 16}
        assert abs(sum(given) - 80 * 11) <= 4
        assert [engine._whole_batches(quota) for quota in (7, 1, 0)] == [7, 1, 0]


def test_letters_wait_for_the_pages_of_the_next_quota(alone, tmp_path, monkeypatch):
    receive, waiting = ShardEngine._receive, []

    def received(self, letters):
        if letters:
            waiting.append(len(self._memory.frontier))
        receive(self, letters)

    monkeypatch.setattr(loop, "LETTERS_EVERY_SECONDS", 0.0)
    monkeypatch.setattr(loop, "ALONE_AFTER_SECONDS", 600.0)
    monkeypatch.setattr(loop, "WAIT_SECONDS", 0.001)
    monkeypatch.setattr(ShardEngine, "_receive", received)
    crawled(tmp_path, SparingPeers, **{"crawl.batch": 4})
    check_nothing_is_lost(tmp_path, alone)
    # Alone they are taken in by a shard that has nothing else to do, or has not asked for its first quota yet.
    assert len(waiting) > SHARDS
    assert sum(urls > 0 for urls in waiting) <= SHARDS
