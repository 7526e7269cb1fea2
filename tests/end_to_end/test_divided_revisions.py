"""People's labels revise the topic of a divided crawl: every shard follows, whatever dies meanwhile."""

import itertools
import os
import signal
from contextlib import closing

import numpy as np
import pytest

from honeyguide.crawls import Crawl
from honeyguide.engine import rereading
from honeyguide.model import Status
from honeyguide.sample_web.web import SampleWeb
from honeyguide.state.state import State
from honeyguide.store.archived_page import archived_text
from honeyguide.store.postgres.place import Place
from honeyguide.store.postgres.shard_loading import load_shard
from honeyguide.store.postgres.shard_store import ShardStore
from honeyguide.strategies import STRATEGIES
from honeyguide.urls import host_of
from honeyguide.workers import Worker
from tests.postgres_server import server

pytest.importorskip("psycopg", reason="the extra `postgres` is not installed")
WEB = SampleWeb(pages=300)
TRAPS = sorted({host_of(url) for number in range(WEB.pages) for url in WEB.trap_entrances(number)})
SHARDS, PAGES = 3, 60


@pytest.fixture(scope="module")
def database():
    with server() as started:
        yield started


def begun(database, tmp_path, strategy):
    """A crawl that has reached its limit, and is told what people think of its best and worst pages."""
    settings = {
        "web.sample_pages": WEB.pages,
        "limits.max_pages": PAGES,
        "scope.deny_hosts": TRAPS,
        "strategy.name": strategy,
        "output.store": database.address,
        "output.archive_at": (tmp_path / "pages").as_uri(),
        "crawl.shards": SHARDS,
    }
    crawl = Crawl.start(
        tmp_path / "crawl", topic=WEB.description("bees"), seeds=WEB.seeds("bees"), settings=settings
    )
    assert work(tmp_path) == "page_limit"
    visits = sorted(crawl.visits(), key=lambda page: page.relevance)
    for page in visits[:8]:
        crawl.label(page.url, False)
    for page in visits[-8:]:
        crawl.label(page.url, True)
    assert work(tmp_path) == "page_limit", "a crawl at its limit obeys all the same"
    assert len(crawl.labels()) == 16
    return crawl


def work(tmp_path, folder="worker"):
    return Worker(Place.read(tmp_path / "crawl"), tmp_path / folder).run()


def shards(crawl, strategy):
    """What each shard knows."""
    place, made = Place.read(crawl.folder), next(one() for one in STRATEGIES if one.name == strategy)
    with closing(place.connect()) as connection:
        for shard in range(SHARDS):
            state = State()
            state.declare(made.values, made.tables)
            urls, _ = load_shard(connection, shard, state)
            yield state, urls


def check_all_follow(crawl, strategy):
    """All pages are judged by the revision, and all urls ranked by what links to them says now, wherever it is."""
    with crawl.reader() as reader:
        visits = [*reader.visits()]
        read = [archived_text(reader, visit.location) for visit in visits]
        texts = dict(reader._rows("SELECT id, url FROM urls"))
        assert [*reader._rows("SELECT count(*) FROM outbox")] == [(0,)]
    relevance = {visit.url: visit.relevance for visit in visits}
    assert {visit.revision for visit in visits} == {1}
    assert [*relevance.values()] == pytest.approx(crawl.of_revision(1).judge(read).tolist())
    crossing = 0
    for state, urls in shards(crawl, strategy):
        sources, targets = state.links.pairs()
        waits = (state.urls["status"][targets] == Status.QUEUED) & (state.urls["tries"][targets] == 0)
        foreign = state.urls["status"][sources] == Status.FOREIGN
        crossing += np.count_nonzero(foreign & waits)
        for target in np.unique(targets[waits]).tolist():
            linking = sources[targets == target]
            told = [relevance.get(texts[number], 1.0) for number in urls.of(linking).tolist()]
            if (state.urls["outcome"][linking] == Status.MOVED).any():
                continue
            if strategy == "soft-focus":
                assert state.urls["priority"][target] == pytest.approx(max(told))
            else:
                assert state.urls["parents"][target] == pytest.approx(sum(told), abs=1e-4)
    assert crossing > 5, "pages of other shards link to what waits"


@pytest.mark.parametrize("strategy", [pytest.param("soft-focus", marks=pytest.mark.slow), "honeyguide"])
def test_labels_reach_all_shards(database, tmp_path, strategy):
    crawl = begun(database, tmp_path, strategy)
    before = {page.url: page.relevance for page in crawl.visits()}
    revision = crawl.learn()
    assert revision.number == 1
    if not revision.is_used:
        crawl.use_revision(1)
    assert work(tmp_path, "another") == "page_limit"
    assert crawl.revision == 1
    check_all_follow(crawl, strategy)
    now = {page.url: page.relevance for page in crawl.visits()}
    assert sum(abs(now[url] - before[url]) > 0.01 for url in before) > PAGES / 2


def test_a_worker_that_is_killed_at_any_commit_loses_no_judgment(database, tmp_path, monkeypatch):
    crawl = begun(database, tmp_path, "soft-focus")
    monkeypatch.setattr(rereading, "AT_ONCE", 4)
    crawl.learn()
    if not crawl.inbox()[-1].command.startswith('{"kind":"use_revision"'):
        crawl.use_revision(1)
    killed = 0
    for commits in range(1, 40):
        if ended(tmp_path, commits):
            break
        killed += 1
    assert killed > 5
    check_all_follow(crawl, "soft-focus")
    with crawl.reader() as reader:
        assert [number for number, _ in reader.revisions()] == [1], "it is written down once"


def ended(tmp_path, commits):
    """Whether a worker came to the end before it had made so many commits; it dies just before or after the last."""
    process = os.fork()
    if process:
        return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == 0
    made, commit = itertools.count(1), ShardStore.commit

    def fatal(store, batch, state):
        is_last = next(made) == commits
        if is_last and commits % 2:
            os.kill(os.getpid(), signal.SIGKILL)
        commit(store, batch, state)
        if is_last:
            os.kill(os.getpid(), signal.SIGKILL)

    try:
        ShardStore.commit = fatal
        os._exit(0 if work(tmp_path) == "page_limit" else 1)
    finally:
        os._exit(2)
