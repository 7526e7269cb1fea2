"""A crawl in several shards within one process, without a database: letters go from one to the other at once."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack, contextmanager

from honeyguide.assembly import assemble
from honeyguide.making import make_fetcher, make_strategy, make_topic
from honeyguide.settings import CrawlOrder
from honeyguide.shards.owners import Owners
from honeyguide.store.sqlite.store import SqliteStore


class PostingStore(SqliteStore):
    """A file of its own for each shard; letters are delivered after each commit."""

    def __init__(self, folder, boxes):
        super().__init__(folder)
        self._boxes = boxes

    def commit(self, batch, state):
        super().commit(batch, state)
        for receiver, letter in batch.letters.items():
            self._boxes[receiver].append(letter.unpack(letter.pack()))


@contextmanager
def shards(folder, number, settings):
    """The engines of a crawl in so many shards, and the letters that wait for each."""
    order = CrawlOrder().with_overrides({"output.archive": False, **settings})
    boxes = [[] for _ in range(number)]
    with ExitStack() as open_engines:
        engines = []
        for shard in range(number):
            store = PostingStore(folder / str(shard), boxes)
            made = make_fetcher(order), make_topic(order), make_strategy(order)
            engine = assemble(order, folder / str(shard), *made, store=store, owners=Owners(number, shard))
            engines.append(open_engines.enter_context(engine))
        yield engines, boxes


def run_to_the_end(engines, boxes):
    """Let every shard crawl all it has, and take its letters in, until there is nothing left."""
    for engine in engines:
        engine._commit(engine._memory.ingest.plant(engine._seeds))
    while any(boxes) or any(len(engine._memory.frontier) for engine in engines):
        for shard, engine in enumerate(engines):
            waiting, boxes[shard][:] = [*boxes[shard]], []
            for letter in waiting:
                engine._commit(engine._memory.ingest.receive(letter))
            asyncio.run(engine._crawl_recorded(lambda progress: None))
