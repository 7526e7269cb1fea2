"""One page never ends a crawl: whatever part of it fails on a page, that page is given up and named."""

import asyncio
import sqlite3
from contextlib import closing

import numpy as np
import pytest

from honeyguide.assembly import assemble
from honeyguide.engine.running import MOST_UNREADABLE_AT_FIRST, StopReason
from honeyguide.errors import HoneyguideError
from honeyguide.fetch.base import Fetcher
from honeyguide.making import make_strategy, make_topic
from honeyguide.model import Priorities, Response, Status, Validators
from honeyguide.settings import CrawlOrder
from honeyguide.store import open_reader
from honeyguide.store.archive import read_page
from honeyguide.strategies.soft_focus import SoftFocus
from honeyguide.topics.keywords import KeywordTopic

START = "http://h0.example/"
HTML = {"content-type": "text/html; charset=utf-8"}
HOSTS = 5
PAGES_A_HOST = 12
BAD = "http://h3.example/7"


def all_urls():
    return sorted(
        f"http://h{host}.example/{number}" for host in range(HOSTS) for number in range(PAGES_A_HOST)
    )


class Web(Fetcher):
    """Every page links to the next one of every host."""

    def __init__(self):
        self.asked = []

    async def fetch(self, url, validators=None):
        self.asked.append(url)
        await asyncio.sleep(0)
        number = int(url.rpartition("/")[2])
        links = (
            "".join(f'<a href="http://h{host}.example/{number + 1}">bees</a>' for host in range(HOSTS))
            if number + 1 < PAGES_A_HOST
            else ""
        )
        return Response(url, 200, f"<title>{url}</title><p>bees of {url}</p>{links}".encode(), HTML)

    async def close(self):
        pass


class BadPriority(SoftFocus):
    """Ranks all pages but one; when it fails, the state has been changed already."""

    def prioritize(self, pages, crawl):
        wanted = super().prioritize(pages, crawl)
        if any(page.url == BAD for page in pages):
            return Priorities(wanted.ids, np.full(len(wanted), np.nan))
        return wanted


class BadTopic(KeywordTopic):
    """Judges all pages but one."""

    def judge(self, texts):
        return np.where([BAD in text.split() for text in texts], np.nan, super().judge(texts))


class RaisingTopic(KeywordTopic):
    def judge(self, texts):
        if any(BAD in text.split() for text in texts):
            raise ZeroDivisionError("judged by zero")
        return super().judge(texts)


class BrokenTopic(KeywordTopic):
    def judge(self, texts):
        raise ValueError("broken on purpose")


def order(**more):
    settings = {
        "topic.text": "bees",
        "seeds.urls": [f"http://h{host}.example/0" for host in range(HOSTS)],
        "strategy.name": "soft-focus",
        "fetch.workers": 0,
        "politeness.delay_seconds": 0.0,
    }
    return CrawlOrder().with_overrides({**settings, **more})


LIVE, RECORDED = True, False


def crawl(folder, web, topic=None, strategy=None, is_live=LIVE, **more):
    own = order(**more)
    web.is_live = is_live
    with assemble(own, folder, web, topic or make_topic(own), strategy or make_strategy(own)) as crawler:
        return crawler.run()


def check_that_only_one_is_missing(folder, web, reason, part_of_message):
    reader = open_reader(folder)
    visits = list(reader.visits())
    assert sorted(visit.url for visit in visits) == [url for url in all_urls() if url != BAD]
    (failure,) = reader.failures()
    url = failure.url
    assert (url, failure.error, failure.final) == (BAD, "Unreadable", True)
    assert part_of_message in failure.message
    assert sorted(web.asked) == all_urls()  # nobody was asked twice for it
    status = reader.state().urls["status"]
    assert set(status.tolist()) == {Status.FETCHED, Status.FAILED}
    assert all(
        read_page(folder / "archive", visit.location).body.count(visit.url.encode()) == 2 for visit in visits
    )
    assert reason == StopReason.FRONTIER_EMPTY
    reader.close()


@pytest.mark.parametrize("web_kind", [LIVE, RECORDED])
@pytest.mark.parametrize(
    ("topic", "strategy", "message"),
    [
        (None, BadPriority(), "the strategy 'soft-focus' gave a priority that is no finite number"),
        (BadTopic("bees"), None, "gave a relevance that is not from 0 to 1"),
        (RaisingTopic("bees"), None, "ZeroDivisionError: judged by zero (test_unreadable.py:"),
    ],
)
def test_a_page_on_which_a_part_fails_is_given_up_alone(tmp_path, web_kind, topic, strategy, message):
    web = Web()
    reason = crawl(tmp_path, web, topic, strategy, is_live=web_kind)
    check_that_only_one_is_missing(tmp_path, web, reason, message)


@pytest.mark.parametrize("web_kind", [LIVE, RECORDED])
def test_a_batch_that_cannot_be_stored_loses_its_culprit_alone(tmp_path, web_kind):
    web = Web()
    assert crawl(tmp_path, web, is_live=web_kind, **{"limits.max_pages": 1}) == StopReason.PAGE_LIMIT
    with closing(sqlite3.connect(tmp_path / "crawl.db")) as database:
        database.execute(
            f"CREATE TRIGGER refusal BEFORE INSERT ON visits WHEN NEW.title = '{BAD}'"
            " BEGIN SELECT RAISE(ABORT, 'refused on purpose'); END"
        )
    reason = crawl(tmp_path, web, is_live=web_kind)
    check_that_only_one_is_missing(tmp_path, web, reason, "refused on purpose")


@pytest.mark.parametrize("web_kind", [LIVE, RECORDED])
def test_a_part_that_fails_on_every_page_ends_the_crawl_and_is_told(tmp_path, web_kind):
    web = Web()
    with pytest.raises(HoneyguideError, match=r"no page could be read.*broken on purpose"):
        crawl(tmp_path, web, BrokenTopic("bees"), is_live=web_kind)
    assert len(web.asked) <= MOST_UNREADABLE_AT_FIRST + HOSTS


class Unmodified(Web):
    """One page says that it has not been modified, whoever asks."""

    def __init__(self, bad=BAD):
        super().__init__()
        self.bad = bad
        self.validators = []

    async def fetch(self, url, validators=None):
        page = await super().fetch(url)
        if url == self.bad:
            self.validators.append(validators)
            return Response(url, 304, b"", {**HTML, "etag": '"1"', "location": "/elsewhere"})
        return page


@pytest.mark.parametrize("web_kind", [LIVE, RECORDED])
def test_a_304_that_nobody_asked_for_is_a_failure(tmp_path, web_kind):
    web = Unmodified()
    assert crawl(tmp_path, web, is_live=web_kind) == StopReason.FRONTIER_EMPTY
    assert web.validators == [Validators()]
    reader = open_reader(tmp_path)
    assert sorted(visit.url for visit in reader.visits()) == [url for url in all_urls() if url != BAD]
    (failure,) = reader.failures()
    url = failure.url
    assert (url, failure.final) == (BAD, True)
    assert "304" in failure.message
    reader.close()
    assert (
        crawl(tmp_path, web, is_live=web_kind) == StopReason.FRONTIER_EMPTY
    )  # and resuming it is no trouble


def test_a_seed_that_answers_304_does_not_end_a_crawl(tmp_path):
    web = Unmodified(bad="http://h0.example/0")
    assert crawl(tmp_path, web) == StopReason.FRONTIER_EMPTY
    assert len(web.asked) == HOSTS * PAGES_A_HOST


def test_a_fetcher_that_stumbles_costs_one_page(tmp_path):
    class Stumbling(Web):
        async def fetch(self, url, validators=None):
            if url == BAD:
                self.asked.append(url)
                raise RuntimeError("stumbled")
            return await super().fetch(url)

    web = Stumbling()
    reason = crawl(tmp_path, web)
    check_that_only_one_is_missing(tmp_path, web, reason, "RuntimeError: stumbled")
