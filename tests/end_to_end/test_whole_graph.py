"""Strategies that need all links, on crawls that workers have divided: jobs score the whole graph, shards read back."""

import os
import signal
import time
from contextlib import closing

import numpy as np
import pytest

from honeyguide.assembly import read_order
from honeyguide.making import make_fetcher, make_strategy, make_topic
from honeyguide.model import ROOT, Status
from honeyguide.state.state import State
from honeyguide.state.view import CrawlView
from honeyguide.store import open_reader
from honeyguide.store.postgres import whole_graph
from honeyguide.store.postgres.council import Council
from honeyguide.store.postgres.whole_graph import JobSeat
from honeyguide.urls import fingerprint, host_of
from honeyguide.whole_job import WholeJobs, do_job
from honeyguide.workers import Table, Worker
from tests.end_to_end.test_workers import divided
from tests.postgres_server import server

pytest.importorskip("psycopg", reason="the extra `postgres` is not installed")
FIRST = 40
ENOUGH = {"link-analysis": 8, "distilled": 120}
"""Pages after which there is something to score: of 40 it may be that no page leads to another relevant one."""
SETTINGS = {
    "distilled": {"every": 120, "hubs": 10, "top_share": 1.0, "between_sites": False},
    "link-analysis": {"top_size": 8, "minimum_frontier": 200},
    "cc-bfs": {},
    "hcla": {"every": 40},
}


@pytest.fixture(scope="module")
def database():
    with server() as started:
        yield started


def begun(folder, database, name, pages=0, relevant_above=0.01, **changed):
    settings = {f"strategy.{key}": value for key, value in {**SETTINGS[name], **changed}.items()}
    return divided(
        folder,
        database.address,
        shards=3,
        **settings,
        **{"strategy.name": name, "limits.max_pages": pages, "topic.relevant_above": relevant_above},
    )


def in_one_piece(folder, strategy):
    """The crawl as one process would have it, put together from what readers are told of it."""
    state = State()
    state.declare(strategy.values, strategy.tables)
    with open_reader(folder) as reader:
        told = reader.state(strategy.values, strategy.tables)
        urls = [reader.url_text(number) for number in range(len(told))]
        links = [(link.source, link.target) for link in reader.links()]
    hosts = np.array([state.host_id(host_of(url) if url else "") for url in urls], dtype=np.int32)
    nobody = np.zeros(len(urls), dtype=np.int32)
    keys = np.array([0, *map(fingerprint, urls[1:])], dtype=np.uint64)
    state.add(urls, keys, hosts, nobody, nobody)
    for name in state.mutable_columns:
        state.urls[name][:] = told.urls[name]
    place = {url: number for number, url in enumerate(urls)}
    for page in range(len(urls)):
        targets = [place[target] for source, target in links if place[source] == page]
        if targets:
            state.links.append(
                np.array([page], dtype=np.int32), [len(targets)], np.array(targets, dtype=np.int32)
            )
    assert len(state.links) == len(links) == len(told.links)
    return state


def words_of_shards(place, state):
    """What hcla has kept of pages in all shards, by their numbers in the whole crawl."""
    with closing(place.connect()) as db:
        rows = db.ask("SELECT name, numbers FROM arrays WHERE name LIKE '%/hcla %' ORDER BY name")
    kept = {name: np.frombuffer(numbers, dtype=np.int64) for name, numbers in rows}
    pages = np.concatenate([array.reshape(2, -1)[0] for name, array in kept.items() if "pages" in name])
    words = np.hstack([array.reshape(3, -1) for name, array in kept.items() if "words" in name])
    numbers = dict(zip(state.urls["fingerprint"].view(np.int64).tolist(), range(len(state)), strict=True))
    ids = np.array([numbers[key] for key in pages.tolist()], dtype=np.int32)
    documents = [numbers[key] for key in words[0].tolist()]
    return {
        "hcla pages": np.stack((ids, np.zeros_like(ids))),
        "hcla words 0": np.stack((documents, words[1], words[2])).astype(np.int32),
    }


def read_back(place, folder):
    """Have every shard take in what was said of its urls, as it does between two batches."""
    order, worker = read_order(folder), Worker(place, folder)
    worker._parts = make_topic(order), make_fetcher(order)
    with closing(Council(place)) as council:
        for shard in range(council.number):
            with worker._opened(council, Table(council, order), shard) as engine:
                engine._take_scores()


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=() if name == "distilled" else pytest.mark.slow) for name in SETTINGS],
)
def test_scores_read_back_are_those_of_one_process(name, database, tmp_path):
    folder, worker = tmp_path / "crawl", tmp_path / "worker"
    first = ENOUGH.get(name, FIRST)
    place = begun(folder, database, name, first)
    assert Worker(place, worker).run() == "page_limit"
    read_back(place, worker)  # a job may have been done while the crawl ended
    order = read_order(worker)
    strategy = make_strategy(order)
    assert strategy.in_shards == "by job"
    state = in_one_piece(folder, strategy)
    if name == "hcla":
        state.arrays.update(words_of_shards(place, state))
    wanted = strategy.refresh_whole(CrawlView(state, make_topic(order)))
    assert len(wanted)  # how many depends on where a short crawl went

    with closing(JobSeat(place)) as seat:
        before = seat.last()
        assert do_job(place, worker, before.number)
        assert not do_job(place, worker, before.number), "it is done"
        assert not do_job(place, worker, before.number + 1), "nobody has read yet what the last one said"
        after = seat.last()
        assert (after.number, after.pages, after.is_waiting) == (before.number + 1, first, True)
        read_back(place, worker)
        assert not seat.last().is_waiting
    with open_reader(folder) as reader:
        now = reader.state(strategy.values, strategy.tables)
    for value in strategy.values:
        own, alone = now.urls[value][1:], state.urls[value][1:]
        np.testing.assert_allclose(own, alone, rtol=1e-6, atol=1e-12, err_msg=value)
    waits = np.isin(state.urls["status"][wanted.ids], (Status.KNOWN, Status.QUEUED))
    ids, priorities = wanted.ids[waits], wanted.priorities[waits]
    np.testing.assert_allclose(now.urls["priority"][ids], priorities, rtol=1e-6, atol=1e-12)
    assert (now.urls["status"][ids] == Status.QUEUED).all()


def test_a_crawl_ends_when_no_job_has_anything_more_to_say(database, tmp_path):
    """Link-analysis queues nothing but seeds by itself: all else is let in by jobs, in processes of their own."""
    place = begun(tmp_path / "crawl", database, "link-analysis", relevant_above=0.5, top_size=500)
    assert Worker(place, tmp_path / "worker").run() == "frontier_empty"
    with closing(JobSeat(place)) as seat, open_reader(tmp_path / "crawl") as reader:
        last, numbers = seat.last(), reader.numbers(0.5)
        assert (last.pages, last.is_waiting, last.note) == (numbers.pages, False, "")
        assert last.number >= 2
        seeds = reader.links(ROOT)
        assert numbers.pages > 2 * len([*seeds])


def until(is_so):
    for _ in range(600):
        if is_so():
            return
        time.sleep(0.05)
    raise AssertionError("it was waited for in vain")


def test_another_takes_over_when_the_holder_of_a_job_is_killed(database, tmp_path):
    folder, worker = tmp_path / "crawl", tmp_path / "worker"
    place = begun(folder, database, "cc-bfs", FIRST)
    assert Worker(place, worker).run() == "page_limit"
    strategy = make_strategy(read_order(worker))
    strategy.whole_every = 1
    with closing(Council(place)) as council:
        look = council.look()
    holder, told = os.pipe()
    if not (process := os.fork()):
        try:
            jobs = WholeJobs(place, worker, strategy)
            [*jobs.look_after(jobs.last(), look)]
            os.write(told, str(jobs._process.pid).encode())
            time.sleep(60)
        finally:
            os._exit(1)  # whatever happens: this process must not go on with the tests
    os.close(told)
    job = int(os.read(holder, 20))
    with closing(WholeJobs(place, worker, strategy)) as jobs:
        first = jobs.last()
        [*jobs.look_after(first, look)]
        assert jobs._process is None, "somebody else does it"
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
        until(lambda: not os.path.exists(f"/proc/{job}") or jobs.last().number > first.number)  # noqa: PTH110
        until(lambda: [*jobs.look_after(jobs.last(), look)] or jobs.last().number > first.number)
        assert jobs.last().number == first.number + 1
        assert jobs.last().pages == FIRST


def test_what_cannot_be_done_is_given_up_with_a_word(database, tmp_path, monkeypatch):
    place = begun(tmp_path / "crawl", database, "cc-bfs", FIRST)
    worker = tmp_path / "worker"
    assert Worker(place, worker).run() == "page_limit"
    monkeypatch.setattr(whole_graph, "MOST_LINKS", 10)
    with pytest.raises(
        whole_graph.SettingsError, match="links, and a job over its whole graph takes at most"
    ):
        do_job(place, worker, 0)
    monkeypatch.setattr("honeyguide.whole_job.MOST_TRIES", 1)
    strategy = make_strategy(read_order(worker))
    strategy.whole_every = 1
    with closing(Council(place)) as council, closing(WholeJobs(place, tmp_path / "gone", strategy)) as jobs:
        look, first, notices = council.look(), jobs.last(), []
        until(lambda: notices.extend(jobs.look_after(jobs.last(), look)) or notices)
        assert "could not be done" in notices[0]
        assert jobs.last().number == first.number + 1
        assert jobs.is_settled(jobs.last(), look)
