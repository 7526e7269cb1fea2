"""Workers on a divided crawl: whatever dies, every page is fetched and every link kept, exactly once."""

import asyncio
import os
import threading
import time
from collections import Counter
from contextlib import closing
from dataclasses import asdict

import numpy as np
import pytest

from honeyguide.commands import AddSeeds, Label, SetLimits
from honeyguide.crawls import Crawl
from honeyguide.engine import shard
from honeyguide.engine.shard import unpacked
from honeyguide.errors import CrawlLocked
from honeyguide.fetch.base import Fetcher
from honeyguide.sample_web.server import serve
from honeyguide.sample_web.web import SampleWeb
from honeyguide.settings import CrawlOrder
from honeyguide.store import open_reader
from honeyguide.store.postgres import shard_tables
from honeyguide.store.postgres.council import Council
from honeyguide.store.postgres.place import Place
from honeyguide.urls import host_of
from honeyguide.workers import Worker
from tests.end_to_end.killed_workers import Fleet, start
from tests.postgres_server import server
from tests.stalling_proxy import proxy

pytest.importorskip("psycopg", reason="the extra `postgres` is not installed")
WEB = SampleWeb(pages=500)
TRAPS = sorted({host_of(url) for number in range(WEB.pages) for url in WEB.trap_entrances(number)})
SETTINGS = {
    "web.sample_pages": WEB.pages,
    "limits.max_pages": 0,
    "output.archive": False,
    "scope.deny_hosts": TRAPS,  # which would be most of the work
}


def begun(folder, settings):
    return Crawl.start(
        folder, topic=WEB.description("bees"), seeds=WEB.seeds("bees"), settings={**SETTINGS, **settings}
    )


def divided(folder, address, shards=6, **settings):
    begun(folder, {"output.store": address, "crawl.shards": shards, **settings})
    return Place.read(folder)


@pytest.fixture(scope="module")
def database():
    with server() as started:
        yield started


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    crawl = begun(tmp_path_factory.mktemp("alone") / "crawl", {})
    crawl.run()
    return crawl.folder


def found(folder):
    with open_reader(folder) as reader:
        links = Counter((link.source, link.target, link.anchor) for link in reader.links())
        visits = Counter(visit.url for visit in reader.visits())
        return visits, links, reader.numbers(0.5)


def check_nothing_lost(folder, alone):
    visits, links, numbers = found(folder)
    visits_alone, links_alone, numbers_alone = found(alone)
    assert visits == visits_alone  # 0 lost, 0 twice
    assert links == links_alone
    assert numbers.pages == numbers_alone.pages == numbers.visits
    assert numbers.urls == numbers_alone.urls
    assert numbers.hosts == numbers_alone.hosts
    counted, counted_alone = (asdict(each)["urls_by_status"] for each in (numbers, numbers_alone))
    assert counted == counted_alone


def test_one_worker_does_it_all(database, alone, tmp_path):
    place = divided(tmp_path / "crawl", database.address)
    assert Worker(place, tmp_path / "worker").run() == "frontier_empty"
    check_nothing_lost(tmp_path / "crawl", alone)
    check_learning_is_told(place, sum(found(alone)[0].values()))


def check_learning_is_told(place, pages):
    """What all shards say they have learned is what all pages have taught, each once, to the last bit."""
    with closing(Council(place)) as council:
        told = [*map(unpacked, council.learning().values())]
    assert sum(own["moments"][3, 0] for own in told) == pages
    precisions = [own["information"][1:] for own in told]
    assert all(np.array_equal(own, own.T) for own in precisions)
    assert np.linalg.eigvalsh(sum(precisions)).min() > -1e-9  # of what never told anything nothing is known
    assert all(abs(own["lead"][0]) <= pages for own in told)


def test_a_page_limit_holds_for_the_whole_crawl(database, tmp_path):
    place = divided(tmp_path / "crawl", database.address, **{"limits.max_pages": 57})
    fleet = Fleet([place], tmp_path, seed=1, most=2)
    fleet.run(kills=0, freezes=0, between=0.5)
    with open_reader(tmp_path / "crawl") as reader:
        assert reader.numbers(0.5).pages == 57


class Slow(Fetcher):
    """The sample web, so long a page."""

    def __init__(self, seconds=1.0):
        self._seconds = seconds

    async def fetch(self, url, validators=None):
        await asyncio.sleep(self._seconds)
        return WEB.fetch(url)

    async def close(self):
        pass


def test_a_time_limit_holds_for_the_whole_crawl(database, tmp_path):
    settings = {"limits.max_seconds": 600.0, "crawl.batch": 1}
    place = divided(tmp_path / "crawl", database.address, shards=3, **settings)

    def pages_now():
        with open_reader(tmp_path / "crawl") as reader:
            return reader.numbers(0.5).pages

    def leave_soon(worker):
        while not pages_now():
            time.sleep(0.1)
        worker.leave()

    def run(name, leaves=False):
        worker = Worker(place, tmp_path / name, Slow(0.4))
        if leaves:
            threading.Thread(target=leave_soon, args=(worker,), daemon=True).start()
        began = time.monotonic()
        reason = worker.run()
        return reason, pages_now(), time.monotonic() - began

    def clock():
        with closing(place.connect()) as connection:
            return float(connection.ask("SELECT seconds FROM clock")[0][0])

    reason, pages, _ = run("first", leaves=True)
    assert (str(reason), pages > 0) == ("stopped_by_user", True)
    with closing(place.connect()) as connection:  # nobody was there for an hour, which is no work
        connection.execute("UPDATE clock SET seconds = 595, counted = counted - INTERVAL '1 hour'")
    reason, more, seconds = run("second")
    assert (str(reason), more > pages) == ("time_limit", True)
    assert seconds > 4.9
    assert run("third")[:2] == ("time_limit", more)  # whoever comes later finds that the time is up
    assert clock() < 660
    Crawl.open(tmp_path / "crawl").send(SetLimits(max_seconds=3_600, max_pages=more + 2))
    assert run("fourth")[:2] == ("page_limit", more + 2)


def test_a_limit_that_is_not_granted_page_by_page_stops_all_shards_soon(database, tmp_path):
    place = divided(tmp_path / "crawl", database.address, shards=3, **{"limits.max_requests": 20})
    assert Worker(place, tmp_path / "worker").run() == "request_limit"
    with open_reader(tmp_path / "crawl") as reader:
        assert 20 <= reader.numbers(0.5).requests < 60


@pytest.mark.parametrize("died", range(3))
def test_what_a_dead_worker_was_granted_others_can_use(database, tmp_path, died):
    place = divided(tmp_path / "crawl", database.address, shards=3, **{"limits.max_pages": 60})
    with closing(place.connect()) as connection:
        connection.execute("UPDATE shards SET granted = 60 WHERE shard = ?", (died,))
    worker = Worker(place, tmp_path / "worker")
    late = threading.Timer(60, worker.leave)
    late.start()
    assert worker.run() == "page_limit"
    late.cancel()


def test_shards_are_granted_what_is_left_in_parts(database, tmp_path):
    place = divided(tmp_path / "crawl", database.address, shards=3)
    with closing(Council(place)) as council:
        assert council.grant(0, 10, limit=1_000) == 41  # a third of what is left in eight parts
        assert council.grant(1, 100, limit=1_000) == 100  # or what it needs
        assert council.grant(1, 60, limit=1_000) > 100
        council.give_back(1)
        assert council.grant(1, 0, limit=41) == 0
        assert council.grant(1, 50, limit=60) == 19  # never more than there is
        assert council.grant(2, 50, limit=60) == 0
        council.give_back(0)
        assert council.grant(2, 50, limit=60) == 41


def test_a_shard_that_has_nothing_to_do_is_not_taken_for_dead(database, tmp_path, monkeypatch):
    monkeypatch.setattr(shard_tables, "SILENT_SECONDS", 4)
    monkeypatch.setattr(shard, "SILENT_AT_MOST_SECONDS", 0.3)
    host = next(host for host in map(host_of, WEB.seeds("bees")) if host not in TRAPS)
    settings = {"limits.max_pages": 7, "crawl.batch": 1, "scope.allow_hosts": [host]}
    place = divided(tmp_path / "crawl", database.address, shards=6, **settings)
    worker = Worker(place, tmp_path / "worker", Slow())
    assert worker.run() == "page_limit"
    assert worker.last_problem == ""


def disturbed(database, tmp_path, *, kills, freezes, restarts, between):
    """A crawl by workers of which a third reach their database through a network that stalls now and then."""
    place = divided(tmp_path / "crawl", database.address)
    folder = database.address.partition("host=")[2]
    with proxy(folder) as network:
        behind = Place(f"postgresql://crawler@127.0.0.1:{network.port}/postgres", place.schema)
        fleet = Fleet([place, place, behind], tmp_path, seed=2)
        turns = iter(range(1, 1_000_000))
        done = Counter()

        def at_random():
            turn = next(turns)
            (network.stall if turn % 5 == 2 else network.go_on)()
            if turn % 7 == 3 and done["restarts"] < restarts:
                database.restart()
                done["restarts"] += 1

        fleet.run(kills, freezes, between, at_random, network.go_on)
    return Counter(fleet.deeds) + done


def test_nothing_is_lost_in_fifty_kills(database, alone, tmp_path):
    deeds = Counter()
    while deeds["kill"] < 50:  # a crawl on a fast machine is over before that
        folder = tmp_path / f"after-{deeds['kill']}"
        left = {
            "kills": 50 - deeds["kill"],
            "freezes": 8 - deeds["freeze"],
            "restarts": 5 - deeds["restarts"],
        }
        deeds += disturbed(database, folder, between=0.2, **left)
        check_nothing_lost(folder / "crawl", alone)


def test_commands_are_for_all_shards_and_readers_see_one_crawl(database, tmp_path):
    folder = tmp_path / "crawl"
    place = divided(folder, database.address, shards=3)
    crawl = Crawl.open(folder)
    assert crawl.process is None
    new = next(url for url in map(WEB.url, range(WEB.pages)) if host_of(url) not in TRAPS)
    number = crawl.send(AddSeeds(urls=(new,)))
    label = crawl.send(Label(url=new, relevant=True))
    limits = crawl.send(SetLimits(max_pages=40))
    process = start(place, tmp_path / "worker")
    assert crawl.answer(number, 300) == "1 of 1 urls are seeds now"
    assert crawl.answer(label, 300) == "noted"
    assert crawl.answer(limits, 300) == "limits.max_pages is 40"
    assert os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == 0
    status = crawl.status()
    assert status.pages == 40
    assert crawl.labels()[new].relevant is True
    best = next(iter(crawl.top(1)))
    told = crawl.explain(best.url)
    assert told.path[0].target in (*WEB.seeds("bees"), new)
    assert "log-odds" in told.ranking.summary
    assert len(crawl.learned().rows) > 0
    with pytest.raises(CrawlLocked, match="honeyguide worker"):
        crawl.run()


def test_a_worker_ends_when_it_is_told_to(database, tmp_path):
    place = divided(tmp_path / "crawl", database.address, shards=3)
    process = start(place, tmp_path / "worker")
    crawl = Crawl.open(tmp_path / "crawl")
    while crawl.process is None:
        time.sleep(0.05)
    assert crawl.process == process
    crawl.stop()
    assert os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == 0
    assert crawl.process is None


def test_workers_are_polite_together(database, tmp_path):
    """Live, by three workers of which some die: every host is asked by one at a time, and rests, whoever asks it."""
    web = SampleWeb(pages=300, crawl_delay_seconds=0.05)
    with serve(web) as hosts:
        order = live_order(hosts, tmp_path / "crawl") | {"output.store": database.address, "crawl.shards": 6}
        Crawl.start(order=CrawlOrder().with_overrides(order))
        fleet = Fleet([Place.read(tmp_path / "crawl")], tmp_path, seed=3)
        fleet.run(kills=3, freezes=1, between=0.8)
        requests = [*hosts.log]
    with open_reader(tmp_path / "crawl") as reader:
        visits = [visit.url for visit in reader.visits()]
    assert len(visits) == len({*visits}) == 80
    last, hurried = {}, []
    for request in sorted(requests, key=lambda request: request.started):
        if request.started - last.get(request.host, 0.0) < 0.02:
            hurried.append(request)
        last[request.host] = request.ended
    # A busy server may answer the last request of a worker that is dead by then while another asks already.
    assert len(hurried) <= 4, hurried


def live_order(hosts, folder):
    return {
        "topic.text": hosts.web.description("bees"),
        "seeds.urls": [hosts.served(url) for url in hosts.web.seeds("bees")],
        "fetch.allow_networks": ["127.0.0.0/8"],
        "fetch.workers": 0,
        "politeness.delay_seconds": 0.02,
        "politeness.slowdown": 0.0,
        "limits.max_pages": 80,
        "output.folder": str(folder),
    }


def test_an_address_is_asked_by_turns(database, tmp_path):
    place = divided(tmp_path / "crawl", database.address, shards=2)
    with closing(Council(place)) as one, closing(Council(place)) as other:
        assert one.claim("10.0.0.1", now=100.0) == 100.0
        assert other.claim("10.0.0.1", now=101.0) > 101.0
        one.leave("10.0.0.1", until=105.0)
        assert other.claim("10.0.0.1", now=104.0) == 105.0
        assert other.claim("10.0.0.1", now=105.0) == 105.0
        assert one.claim("10.0.0.1", now=106.0) > 106.0
        assert one.claim("10.0.0.1", now=1_000.0) == 1_000.0, "whoever died in its turn is not waited for"
        assert one.claim("10.0.0.2", now=106.0) == 106.0
