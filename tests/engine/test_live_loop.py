"""The loop of a live crawl, on pages that take their time: no barrier, one request a host, exact limits."""

import asyncio
import threading
import time
from contextlib import closing

import pytest

from honeyguide.assembly import assemble
from honeyguide.commands import Pause, Resume, Stop
from honeyguide.engine.running import StopReason
from honeyguide.errors import FetchTimeout, HoneyguideError, HostUnreachable, RobotsDenied
from honeyguide.fetch.base import Fetcher
from honeyguide.making import make_strategy, make_topic
from honeyguide.model import Response
from honeyguide.settings import CrawlOrder
from honeyguide.store import open_reader, open_store
from honeyguide.store.inbox import post
from honeyguide.topics.keywords import KeywordTopic

HTML = {"content-type": "text/html; charset=utf-8"}
HOSTS = 10
REST_SECONDS = 0.02
LONG = {"limits.max_seconds": 120.0}  # far more than needed, far less than for ever


class SlowWeb(Fetcher):
    """Hosts that link to each other; notes who asks what when."""

    is_live = True

    def __init__(self, slow_host=None, slow_until=0, slow_seconds=0.0):
        """A slow host answers when so many requests have been made in all, and so many seconds later."""
        self.slow_host = slow_host
        self.slow_until = slow_until
        self.slow_seconds = slow_seconds
        self.now = {}
        self.ended = {}
        self.faults = []
        self.asked = []

    async def fetch(self, url, validators=None):
        host = url.split("/")[2]
        if self.now.get(host):
            self.faults.append(f"two requests at once to {host}")
        if time.time() < self.ended.get(host, 0.0) + REST_SECONDS * 0.99:
            self.faults.append(f"{host} was not left to rest")
        self.now[host] = True
        self.asked.append(url)
        while host == self.slow_host and len(self.asked) < self.slow_until:  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.01)
        await asyncio.sleep(self.slow_seconds if host == self.slow_host else 0.002)
        self.now[host] = False
        self.ended[host] = time.time()
        number = len(self.asked)
        links = "".join(f'<a href="http://h{n}.example/{number}">bees {n}</a>' for n in range(HOSTS))
        return Response(url, 200, f"<p>bees and honey</p>{links}".encode(), HTML)

    def rest_until(self, url, now):
        return now + REST_SECONDS

    async def close(self):
        pass


def live_order(**more):
    settings = {
        "topic.text": "bees",
        "seeds.urls": ["http://h0.example/"],
        "fetch.workers": 0,
        "limits.max_pages": 40,
    }
    return CrawlOrder().with_overrides({**settings, **more})


def crawl(folder, web, **more):
    order = live_order(**more)
    with assemble(order, folder, web, make_topic(order), make_strategy(order)) as crawler:
        return crawler.run()


def visited(folder):
    reader = open_reader(folder)
    try:
        return [visit.url for visit in reader.visits()]
    finally:
        reader.close()


@pytest.mark.parametrize("workers", [0, 1])
def test_one_request_a_host_with_rests_and_an_exact_page_limit(tmp_path, workers):
    web = SlowWeb()
    assert crawl(tmp_path, web, **{"fetch.workers": workers}) == StopReason.PAGE_LIMIT
    assert web.faults == []
    assert len(visited(tmp_path)) == 40 == len(web.asked)


def test_a_slow_host_delays_nobody_else(tmp_path):
    web = SlowWeb(slow_host="h1.example", slow_until=39)
    assert crawl(tmp_path, web, **LONG) == StopReason.PAGE_LIMIT
    assert sum("h1.example" in url for url in web.asked) <= 2
    assert web.faults == []


def test_requests_under_way_are_bounded(tmp_path):
    most = []

    class Counting(SlowWeb):
        async def fetch(self, url, validators=None):
            most.append(sum(self.now.values()) + 1)
            return await super().fetch(url)

    crawl(tmp_path, Counting(), **{"fetch.in_flight": 3})
    assert max(most) == 3


def test_requests_that_wait_for_their_host_hold_up_no_others(tmp_path):
    class Waiting(SlowWeb):
        """As the live Web: the first page of a host waits, since its robots.txt was asked for just now."""

        waiting = 0
        most = 0

        @property
        def resting(self):
            return self.waiting

        async def fetch(self, url, validators=None):
            if self.ended and url.split("/")[2] not in self.ended:  # all but the seed's
                self.waiting += 1
                self.most = max(self.most, self.waiting)
                until = time.monotonic() + 20
                while self.most < HOSTS - 1 and time.monotonic() < until:  # noqa: ASYNC110 - nobody tells
                    await asyncio.sleep(0.01)
                self.waiting -= 1
            return await super().fetch(url)

    web = Waiting()
    crawl(tmp_path, web, **{"fetch.in_flight": 2})
    assert web.most == HOSTS - 1
    assert web.faults == []


def test_what_a_starved_host_has_queued_is_dropped(tmp_path):
    class Barren(SlowWeb):
        async def fetch(self, url, validators=None):
            reply = await super().fetch(url)
            links = "".join(f'<a href="http://h0.example/{n}">bees</a>' for n in range(300))
            return Response(url, 200, f"<p>nothing</p>{links}".encode(), reply.headers)

    web = Barren()
    more = {"scope.starve_host_after": 5, "limits.max_pages": 100}
    assert crawl(tmp_path, web, **more) == StopReason.FRONTIER_EMPTY
    assert 6 <= len(web.asked) < 20


def test_a_starved_host_that_led_to_a_good_page_gets_back_what_it_had_queued(tmp_path):
    class Directory(SlowWeb):
        """All that it has is off topic, but one of its links leads to a good page, which takes its time."""

        async def fetch(self, url, validators=None):
            reply = await super().fetch(url)
            if "h1.example" in url:
                return Response(url, 200, b"<p>bees and honey</p>", reply.headers)
            links = "".join(f'<a href="http://h0.example/{n}">{n}</a>' for n in range(300))
            more = '<a href="http://h1.example/">there</a>' + links if url == "http://h0.example/" else ""
            return Response(url, 200, f"<p>nothing but {url}</p>{more}".encode(), reply.headers)

    web = Directory(slow_host="h1.example", slow_until=6, slow_seconds=1.5)
    assert crawl(tmp_path, web, **{"scope.starve_host_after": 5}) == StopReason.FRONTIER_EMPTY
    late = web.asked.index("http://h1.example/")
    assert late < 10, "the good page was under way before the host was starved"
    assert 5 + 10 <= sum("h0.example" in url for url in web.asked) < 25


def test_a_crawl_goes_on_where_it_stopped_and_its_hosts_keep_resting(tmp_path):
    web = SlowWeb()
    order = live_order()
    with assemble(order, tmp_path, web, make_topic(order), make_strategy(order)) as crawler:
        reason = crawler.run(lambda progress: crawler.stop() if progress.pages >= 10 else None)
    assert reason == StopReason.STOPPED_BY_USER
    first = visited(tmp_path)
    assert 10 <= len(first) < 40
    assert crawl(tmp_path, web) == StopReason.PAGE_LIMIT
    assert visited(tmp_path)[: len(first)] == first
    assert len(set(web.asked)) == len(web.asked)
    assert web.faults == []


def test_pausing_and_stopping_from_elsewhere(tmp_path):
    web, seen = SlowWeb(), []

    def is_answered():
        with open_reader(tmp_path) as reader:
            return reader.posts()[0].receipt is not None

    def elsewhere():
        while len(web.asked) < 5:
            time.sleep(0.005)
        post(tmp_path, Pause())
        while not is_answered():
            time.sleep(0.005)
        seen.append(len(web.asked))
        time.sleep(0.3)
        seen.append(len(web.asked))
        post(tmp_path, Resume())
        while len(web.asked) < seen[-1] + 5:
            time.sleep(0.005)
        post(tmp_path, Stop())

    thread = threading.Thread(target=elsewhere)
    thread.start()
    reason = crawl(tmp_path, web, **{"limits.max_pages": 5_000, **LONG})
    thread.join()
    assert reason == StopReason.STOPPED_BY_USER
    assert seen[0] == seen[1]
    assert len(visited(tmp_path)) == len(web.asked)


def test_everything_forbidden_by_robots_is_told(tmp_path):
    class Forbidding(SlowWeb):
        async def fetch(self, url, validators=None):
            raise RobotsDenied("no")

    assert crawl(tmp_path, Forbidding()) == StopReason.ROBOTS_BLOCKED_ALL


@pytest.mark.parametrize("answers", [0, 1])
def test_where_nobody_answers_any_more_nobody_waits_for_ever(tmp_path, monkeypatch, answers):
    """As the demo's web, once its server is gone: every host would be asked again later and later."""
    monkeypatch.setattr("honeyguide.engine.running.NO_ANSWER_SECONDS", 0.3)

    class Gone(SlowWeb):
        async def fetch(self, url, validators=None):
            if len(self.asked) >= answers:
                raise HostUnreachable("connection refused")
            return await super().fetch(url)

        def rest_until(self, url, now):
            return now + 3_600

    seeds = ["http://h0.example/", "http://h1.example/"]
    reason = crawl(
        tmp_path, Gone(), **{"seeds.urls": seeds, **({"limits.max_seconds": 2.0} if answers else LONG)}
    )
    assert reason == (StopReason.TIME_LIMIT if answers else StopReason.NO_ANSWER)


def test_failures_are_tried_again_after_the_rest_of_their_host(tmp_path):
    class Failing(SlowWeb):
        async def fetch(self, url, validators=None):
            page = await super().fetch(url)
            if self.asked.count(url) < 3:
                raise FetchTimeout("slow")
            return page

    web = Failing()
    assert crawl(tmp_path, web, **{"limits.max_pages": 5}) == StopReason.PAGE_LIMIT
    assert web.faults == []


class BrokenTopic(KeywordTopic):
    def judge(self, texts):
        raise ValueError("broken on purpose")


def test_an_error_in_the_worker_is_told(tmp_path):
    order = live_order(**{"fetch.workers": 1, "strategy.name": "soft-focus"})
    crawler = assemble(order, tmp_path, SlowWeb(), BrokenTopic("bees"), make_strategy(order))
    with crawler, pytest.raises(HoneyguideError, match="broken on purpose"):
        crawler.run()


def test_a_stop_asked_for_during_start_up_is_obeyed_and_an_older_one_forgotten(tmp_path):
    order = live_order()
    with closing(open_store(tmp_path)):
        post(tmp_path, Stop())  # for a process that has ended since
    web = SlowWeb()
    with assemble(order, tmp_path, web, make_topic(order), make_strategy(order)) as opened:
        with open_reader(tmp_path) as reader:
            assert reader.posts()[0].receipt.startswith("outdated")
        post(tmp_path, Stop())
        assert opened.run() == StopReason.STOPPED_BY_USER
    with open_reader(tmp_path) as reader:
        assert reader.posts()[1].receipt == "stops"
    assert web.asked == []
    assert crawl(tmp_path, web) == StopReason.PAGE_LIMIT
