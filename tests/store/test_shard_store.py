"""Commits of one shard in a real PostgreSQL: all of a batch is there or nothing, and letters are taken once."""

from contextlib import closing
from dataclasses import replace

import numpy as np
import pytest

from honeyguide.crawls import Crawl
from honeyguide.engine.dividing import redirected
from honeyguide.errors import CrawlLocked, StoreError
from honeyguide.sample_web.web import SampleWeb
from honeyguide.shards.owners import Owners
from honeyguide.state.state import State
from honeyguide.store.base import Batch
from honeyguide.store.postgres.place import Place
from honeyguide.store.postgres.shard_store import ShardStore
from tests.postgres_server import server

pytest.importorskip("psycopg", reason="the extra `postgres` is not installed")
WEB = SampleWeb(pages=100)
LETTER = redirected(0, "http://a.example/", "http://b.example/", 0.5, 1, {"cash": 0.25})


@pytest.fixture(scope="module")
def address():
    with server() as started:
        yield started


@pytest.fixture
def place(address, tmp_path):
    settings = {"web.sample_pages": WEB.pages, "output.store": address.address, "crawl.shards": 2}
    crawl = Crawl.start(tmp_path / "crawl", topic="bees", seeds=WEB.seeds("bees"), settings=settings)
    return Place.read(crawl.folder)


@pytest.fixture
def store(place, tmp_path):
    with closing(ShardStore(tmp_path / "shard", place, Owners(2, 0))) as opened:
        yield opened


def planted(state):
    """A batch with the root alone."""
    nobody = np.zeros(1, dtype=np.int32)
    state.host_id("")
    state.add([""], np.zeros(1, dtype=np.uint64), nobody, nobody, nobody)
    return Batch(changes=state.take_changes())


def grown(state, url):
    """A batch with one url more."""
    ids = np.array([len(state)], dtype=np.uint64)
    host = np.array([state.host_id("a.example")], dtype=np.int32)
    state.add([url], ids, host, np.ones(1), np.zeros(1, dtype=np.int32))
    return Batch(changes=state.take_changes(), counts={"links": 1})


def numbers(place):
    """How many urls, letters and links are counted in the database."""
    with closing(place.connect()) as database:
        asked = "(SELECT count(*) FROM urls), (SELECT count(*) FROM outbox)"
        ((urls, letters),) = database.ask(f"SELECT {asked}")
        links = database.ask("SELECT count FROM counts WHERE name = 'links'")
        return urls, letters, links[0][0] if links else 0


def test_what_is_told_last_is_there_with_all_that_was_copied_in_or_nothing_is(store, place):
    state = State(is_part=True)
    store.commit(planted(state), state)
    before = numbers(place)
    batch = grown(state, "http://a.example/1")
    with pytest.raises(StoreError, match="null value"):
        store.commit(replace(batch, letters={None: LETTER}), state)
    assert numbers(place) == before
    store.commit(replace(batch, letters={1: LETTER}), state)
    assert numbers(place) == (before[0] + 1, before[1] + 1, before[2] + 1)


def test_letters_are_gone_with_the_commit_that_takes_them_in_or_both_are_not(store, place):
    state = State(is_part=True)
    store.commit(planted(state), state)
    store.commit(replace(grown(state, "http://a.example/1"), letters={0: LETTER}), state)
    store.commit(replace(grown(state, "http://a.example/2"), letters={0: LETTER}), state)
    (first, _), (second, letter) = store.letters(10)
    assert [*letter.targets] == ["http://b.example/"]
    before = numbers(place)
    batch = grown(state, "http://a.example/3")
    with pytest.raises(CrawlLocked, match="another worker has taken its letters"):
        store.commit(replace(batch, received=[first, second, second + 1]), state)
    assert numbers(place) == before
    assert [number for number, _ in store.letters(10)] == [first, second]
    store.commit(replace(batch, received=[first]), state)
    assert numbers(place) == (before[0] + 1, before[1] - 1, before[2] + 1)
    store.commit(Batch(changes=state.take_changes()), state)  # which takes nothing
    assert [number for number, _ in store.letters(10)] == [second]
