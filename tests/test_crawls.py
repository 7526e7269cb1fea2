"""The Python API, on the sample web and on sites made up here; the live one is in end_to_end."""

import asyncio
import json
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing
from itertools import pairwise

import numpy as np
import pytest

import honeyguide as hg
from honeyguide.errors import CrawlLocked, SettingsError, StoreError, TopicError
from honeyguide.model import Explanation, Response
from honeyguide.sample_web.web import SampleWeb
from honeyguide.strategies.link_context import LinkContext
from honeyguide.topics.keywords import KeywordTopic

WEB = SampleWeb(pages=600)
TOPIC = WEB.topic_names[0]
SAMPLE = {"web.sample_pages": 600}
LONG_SECONDS = 60.0  # for what takes a moment on a machine that is not busy


def start(folder, **more):
    settings = {**SAMPLE, **more.pop("settings", {})}
    return hg.Crawl.start(folder, WEB.description(TOPIC), WEB.seeds(TOPIC), settings=settings, **more)


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    crawl = start(tmp_path_factory.mktemp("api") / "crawl")
    assert crawl.run(pages=80) == hg.StopReason.PAGE_LIMIT
    return crawl


class Site(hg.Fetcher):
    """Pages that link to each other, from a dictionary."""

    def __init__(self, pages):
        self.pages = pages

    async def fetch(self, url, validators=None):
        return Response(url, 200, self.pages[url].encode(), {"content-type": "text/html"})

    async def close(self):
        pass


class Endless(hg.Fetcher):
    """Every page links to the next."""

    async def fetch(self, url, validators=None):
        number = int(url.rpartition("/")[2])
        return Response(
            url, 200, f'bees <a href="/{number + 1}">bees</a>'.encode(), {"content-type": "text/html"}
        )

    async def close(self):
        pass


def test_the_promise_is_what_it_is():
    assert set(hg.__all__) == {
        *(
            "AddSeeds",
            "Crawl",
            "CrawlOrder",
            "CrawlStatus",
            "CrawledPage",
            "Fetcher",
            "HoneyguideError",
            "Label",
        ),
        *(
            "MarkHub",
            "Pause",
            "Resume",
            "SetLimits",
            "SetPriorities",
            "Steer",
            "Stop",
            "StopReason",
            "Strategy",
        ),
        *("TopicModel", "Unsteer", "UseRevision"),
        *("__version__", "crawl"),
    }
    assert all(hasattr(hg, name) for name in hg.__all__)
    with pytest.raises(AttributeError, match="no attribute 'craw'"):
        hg.craw  # noqa: B018
    public = {name for name in dir(hg.Crawl) if not name.startswith("_")}
    assert public == {
        *(
            "start",
            "open",
            "order",
            "topic",
            "threshold",
            "url_policy",
            "process",
            "take",
            "run",
            "arun",
            "stop",
        ),
        *(
            "release",
            "progress",
            "reader",
            "status",
            "visits",
            "top",
            "hosts",
            "page",
            "text",
            "html",
            "links",
        ),
        *("find", "frame", "explain", "learned", "send", "answer", "inbox", "labels"),
        *("label", "questions", "learn", "use_revision", "revisions", "revision", "estimate"),
        *("judge_again", "first_topic", "compare", "of_revision", "learn_itself", "strike"),
        *("label_all", "mark_hub", "hub_marks", "take_labels", "fetched_labels"),
        *("queue", "preview_steer", "steer", "unsteer", "rules"),
        *("check_revision", "index", "indexer", "search", "sql", "sites", "explain_site", "changes"),
    }


def test_nothing_heavy_is_imported_with_the_package():
    code = (
        "import sys, honeyguide; print(sorted({'numpy', 'pydantic', 'aiohttp', 'scipy'} & set(sys.modules)))"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "[]\n"


def test_a_crawl_is_run_and_read(done):
    status = done.status()
    assert (status.pages, status.process, status.strategy) == (80, None, "honeyguide")
    assert status.relevant == sum(page.is_relevant for page in done.visits())
    pages = list(done.visits(since=70))
    assert [page.number for page in pages] == list(range(71, 81))
    assert all(page.relevance >= done.threshold for page in done.visits(relevant=True))
    best = done.top(5)
    assert len(best) == 5
    assert best[0].relevance == max(page.relevance for page in done.visits())
    assert best[0].title in best[0].html()
    assert best[0].text() == done.text(best[0].url)
    assert done.hosts(1)[0].relevant > 0
    assert best[0].links() == done.links(best[0].url.replace("http:", "HTTP:"))
    assert done.page("http://nowhere.example/") is None
    assert done.text("http://nowhere.example/") == ""
    with pytest.raises(SettingsError, match="is no url"):
        done.page("mailto:bees")


def test_it_goes_on_where_it_was(tmp_path):
    crawl = start(tmp_path / "crawl")
    assert crawl.run(pages=10) == crawl.run(pages=10) == hg.StopReason.PAGE_LIMIT
    again = hg.Crawl.open(tmp_path / "crawl")
    assert again.run(pages=25) == hg.StopReason.PAGE_LIMIT
    assert again.order.limits.max_pages == 25
    assert again.progress().pages == hg.Crawl.open(tmp_path / "crawl").progress().pages == 25


def test_it_runs_inside_an_event_loop_and_beside_others(tmp_path):
    async def notebook():
        crawl = start(tmp_path / "crawl")
        assert crawl.run(pages=10) == hg.StopReason.PAGE_LIMIT
        ticks = []
        other = asyncio.create_task(ticking(ticks))
        assert await crawl.arun(pages=200) == hg.StopReason.PAGE_LIMIT
        other.cancel()
        return len(ticks)

    async def ticking(ticks):
        while True:
            ticks.append(1)
            await asyncio.sleep(0.001)

    assert asyncio.run(notebook()) > 3


def test_a_cancelled_run_stops_gracefully(tmp_path):
    async def cancelled():
        crawl = hg.Crawl.start(tmp_path / "crawl", "bees", ["http://a.example/0"], web=Endless())
        run = asyncio.create_task(crawl.arun(pages=0))
        while not any(crawl.visits()):  # noqa: ASYNC110
            await asyncio.sleep(0.02)
        run.cancel()
        with pytest.raises(asyncio.CancelledError):
            await run
        return crawl

    crawl = asyncio.run(cancelled())
    pages = crawl.status().pages
    assert pages > 0
    assert crawl.process is None
    assert crawl.run(pages=pages + 1) == hg.StopReason.PAGE_LIMIT


def test_pages_are_given_as_they_come(tmp_path):
    pages = hg.crawl(
        WEB.description(TOPIC), WEB.seeds(TOPIC), pages=200, folder=tmp_path / "crawl", settings=SAMPLE
    )
    numbers = [page.number for page in pages]
    assert numbers == list(range(1, 201))


def test_leaving_the_loop_ends_the_crawl(tmp_path):
    folder, before = tmp_path / "crawl", {*threading.enumerate()}
    for page in hg.crawl(WEB.description(TOPIC), WEB.seeds(TOPIC), pages=0, folder=folder, settings=SAMPLE):
        if page.number >= 5:
            break
    assert hg.Crawl.open(folder).process is None
    assert len({*threading.enumerate()} - before) < 3
    assert 5 <= hg.Crawl.open(folder).status().pages < 600


def test_errors_of_the_crawl_reach_the_loop(tmp_path):
    class Broken(KeywordTopic):
        def judge(self, texts):
            raise ValueError("broken on purpose")

    url = "http://a.example/"
    with pytest.raises(ValueError, match="broken on purpose"):
        list(hg.crawl(Broken("bees"), [url], 5, tmp_path / "x", web=Site({url: "bees"})))


def test_parts_may_be_objects(tmp_path):
    urls = [f"http://a.example/{number}" for number in range(20)]
    web = Site(
        {url: f'<a href="{after}">bees</a> bees and honey' for url, after in pairwise([*urls, urls[0]])}
    )
    folder = tmp_path / "crawl"
    crawl = hg.Crawl.start(
        folder, KeywordTopic("bees honey"), urls[:1], strategy=LinkContext(beta=0.75), web=web
    )
    assert crawl.run(pages=5) == hg.StopReason.PAGE_LIMIT
    assert crawl.order.strategy.keywords == {"beta": 0.75, "combine": "max"}
    with pytest.raises(SettingsError, match=r"web was given by a program, as an object of the class Site"):
        hg.Crawl.open(folder).run(pages=10)
    again = hg.Crawl.open(folder, web=web)
    assert again.run(pages=10) == hg.StopReason.PAGE_LIMIT
    assert again.topic.text == "bees honey"  # from its own copy
    assert [page.url for page in again.visits()] == urls[:10]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "no topic"),
        ({"topic": "bees"}, "no seeds"),
        ({"topic": "bees", "seeds": "http://a.example/"}, "a list of urls"),
        ({"topic": "bees", "seeds": ["http://a.example/"]}, "contact"),
        ({"topic": KeywordTopic("bees"), "seeds": ["http://a.example/"]}, "give a folder"),
        ({"topic": "bees", "seeds": ["http://a.example/"], "strategy": "x"}, "no strategy"),
        ({"topic": "bees", "seeds": ["http://a.example/"], "settings": {"scope.x": 1}}, "scope.x"),
    ],
)
def test_what_is_wrong_is_told_before_anything_is_made(given, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SettingsError, match=message):
        hg.Crawl.start(**given)
    assert not list(tmp_path.iterdir())


def test_words_that_nobody_would_begin_with_now_are_still_a_crawls_topic(tmp_path):
    start(tmp_path / "crawl").run(pages=10)
    order = tmp_path / "crawl" / "order.toml"
    text = hg.Crawl.open(tmp_path / "crawl").order.topic.text
    order.write_text(order.read_text().replace(f'"{text}"', f'"booking.com {text}"'))
    assert hg.Crawl.open(tmp_path / "crawl").run(pages=20) == hg.StopReason.PAGE_LIMIT
    with pytest.raises(TopicError, match=r"'booking.com' is a url"):
        hg.Crawl.start(tmp_path / "new", "booking.com bees", ["http://a.example/"])
    assert not (tmp_path / "new").exists()


def test_a_crawl_that_nobody_began_cannot_be_opened(tmp_path):
    with pytest.raises(StoreError, match="holds no crawl"):
        hg.Crawl.open(tmp_path)


def test_only_one_process_runs_it_and_others_read(tmp_path):
    with start(tmp_path / "crawl").take() as crawl:
        other = hg.Crawl.open(tmp_path / "crawl")
        assert other.status().process == crawl.process
        with pytest.raises(CrawlLocked):
            other.run(pages=3)
    assert other.run(pages=3) == hg.StopReason.PAGE_LIMIT


def test_a_table_of_columns(done):
    table = done.frame("visits")
    assert table.num_rows == 80
    assert table.column("url").to_pylist() == [page.url for page in done.visits()]
    assert done.frame("links").num_rows > 80
    with pytest.raises(SettingsError, match="no table 'x'"):
        done.frame("x")


def test_a_notebook_shows_numbers_and_a_curve(tmp_path):
    crawl = start(tmp_path / "crawl", settings={"output.harvest_every": 10, "topic.text": "bees <b>"})
    assert "<svg" not in crawl._repr_html_()
    crawl.run(pages=60)
    shown = crawl._repr_html_()
    assert "<polyline" in shown
    assert "bees &lt;b&gt;" in shown
    assert repr(crawl) == f"Crawl('{tmp_path / 'crawl'}')"


def test_every_url_is_counted_once_and_the_list_of_seeds_is_none(tmp_path):
    crawl = start(tmp_path / "crawl")
    crawl.run(pages=20)
    status = crawl.status()
    assert sum(status.urls_by_status.values()) == status.urls
    assert status.urls_by_status["fetched"] == status.pages == 20


def test_status_takes_no_longer_in_a_large_crawl(tmp_path):
    """No table is read whole: what SQLite has to look at is the same with many more urls."""
    crawl = start(tmp_path / "crawl")
    crawl.run(pages=300)
    with closing(sqlite3.connect(tmp_path / "crawl" / "crawl.db")) as db:
        plans = [
            row[3]
            for query in (
                "SELECT max(n) FROM visits",
                "SELECT max(id) FROM urls",
                "SELECT max(n) FROM failures",
            )
            for row in db.execute(f"EXPLAIN QUERY PLAN {query}")
        ]
        plan = db.execute(
            "EXPLAIN QUERY PLAN SELECT count(*) FROM visits WHERE copy_of IS NULL AND relevance >= .5"
        ).fetchall()[0][3]
    assert all(plan.startswith("SEARCH") for plan in plans)
    assert "COVERING INDEX visits_by_relevance" in plan


class TestCommands:
    def test_each_is_obeyed_once_and_answered(self, tmp_path):
        crawl = start(tmp_path / "crawl")
        crawl.run(pages=20)
        unknown = next(url for url in map(WEB.url, range(600)) if crawl.page(url) is None)
        best = crawl.top(1)[0].url
        numbers = [
            crawl.send(hg.AddSeeds(urls=(unknown, "not a url"))),
            crawl.send(hg.SetLimits(max_pages=30)),
            crawl.send(hg.Label(url=best, relevant=False, note="an advertisement")),
            crawl.send(hg.SetPriorities(priorities={unknown: 1e9, "http://nowhere.example/": 1.0})),
        ]
        assert [post.receipt for post in crawl.inbox()] == [None] * 4
        crawl.run()
        answers = [crawl.answer(number) for number in numbers]
        assert answers[0].startswith("1 of 2 urls are seeds now")
        assert answers[1] == "limits.max_pages is 30"
        assert answers[2] == "noted"
        assert answers[3] == "1 of 2 urls wait with their new priority; 1 are not in this crawl"
        assert crawl.status().pages == 30
        assert hg.Crawl.open(tmp_path / "crawl").order.limits.max_pages == 30
        assert crawl.labels()[best].relevant is False
        visited = [page.url for page in crawl.visits()]
        assert visited[20] == unknown  # the first page after the commands
        crawl.run(pages=31)
        assert [post.receipt for post in crawl.inbox()] == answers  # nothing is done twice

    def test_a_running_crawl_hears_them(self, tmp_path):
        crawl = hg.Crawl.start(tmp_path / "crawl", "bees", ["http://a.example/0"], web=Endless())
        other = hg.Crawl.open(tmp_path / "crawl")
        thread = threading.Thread(target=crawl.run, kwargs={"pages": 0})
        thread.start()
        while not other.process or not any(other.visits()):
            time.sleep(0.02)
        assert other.answer(other.send(hg.Pause()), LONG_SECONDS) == "paused"
        assert other.status().paused
        pages = other.status().pages
        time.sleep(0.3)
        assert other.status().pages == pages
        assert other.answer(other.send(hg.Resume()), LONG_SECONDS) == "goes on"
        while other.status().pages == pages:
            time.sleep(0.02)
        limits = other.send(hg.SetLimits(max_failures=7))
        assert other.answer(limits, LONG_SECONDS) == "limits.max_failures is 7"
        other.stop()
        thread.join()
        assert other.inbox()[-1].receipt == "stops"
        with pytest.raises(StoreError, match="no process is at work"):
            other.send(hg.Stop())

    def test_a_limit_given_to_a_run_is_newer_than_one_in_the_inbox(self, tmp_path):
        crawl = start(tmp_path / "crawl")
        crawl.send(hg.SetLimits(max_pages=60))
        crawl.run(pages=20)
        assert crawl.status().pages == crawl.order.limits.max_pages == 20
        crawl.send(hg.SetLimits(max_pages=25))
        crawl.run()
        assert crawl.status().pages == 25

    def test_one_that_cannot_be_obeyed_harms_nothing(self, tmp_path):
        crawl = start(tmp_path / "crawl")
        with closing(sqlite3.connect(tmp_path / "crawl" / "crawl.db")) as db:
            for text in ("nonsense", json.dumps({"kind": "format_disk"}), json.dumps({"kind": "add_seeds"})):
                db.execute("INSERT INTO inbox (time, command, is_transient) VALUES (0, ?, 0)", (text,))
            db.commit()
        crawl.send(hg.Label(url="mailto:me", relevant=True))
        assert crawl.run(pages=10) == hg.StopReason.PAGE_LIMIT
        assert all(post.receipt.startswith("refused: ") for post in crawl.inbox())

    def test_one_that_breaks_a_part_is_answered_and_undone(self, tmp_path):
        class Picky(LinkContext):
            def prioritize(self, pages, crawl):
                if any(url.endswith("/poison") for page in pages for url in page.urls):
                    raise ValueError("poisoned")
                return super().prioritize(pages, crawl)

        crawl = start(tmp_path / "crawl", strategy=Picky())
        crawl.send(hg.AddSeeds(urls=("http://a.example/poison",)))
        assert crawl.run(pages=10) == hg.StopReason.PAGE_LIMIT
        assert crawl.inbox()[0].receipt.startswith("failed: ValueError: poisoned")
        with crawl.reader() as reader:
            assert reader.find_url("http://a.example/poison") is None

    def test_killed_between_effect_and_receipt_nothing_is_done_twice_or_lost(self, tmp_path):
        """The receipt is stored with the effect: whatever commit is refused, both are there or none."""
        crawl = start(tmp_path / "crawl")
        crawl.run(pages=5)
        number = crawl.send(hg.AddSeeds(urls=("http://a.example/new",)))
        database = tmp_path / "crawl" / "crawl.db"
        with closing(sqlite3.connect(database)) as db:
            db.execute("CREATE TRIGGER crash BEFORE UPDATE ON inbox BEGIN SELECT RAISE(ABORT, 'crash'); END")
        with pytest.raises(StoreError, match="crash"):
            crawl.run(pages=6)
        with crawl.reader() as reader:
            assert reader.find_url("http://a.example/new") is None
        with closing(sqlite3.connect(database)) as db:
            db.execute("DROP TRIGGER crash")
        crawl.run(pages=6)
        assert crawl.answer(number) == "1 of 1 urls are seeds now"
        with crawl.reader() as reader:
            assert reader.find_url("http://a.example/new") is not None


def test_pages_that_show_nothing_new_are_left_out_of_the_best(tmp_path):
    urls = [f"http://a.example/?session={number}" for number in range(8)]
    pages = dict.fromkeys(urls, "<title>Bees</title><p>bees and honey</p>")
    pages["http://a.example/"] = "".join(f'<a href="{url}">bees</a>' for url in urls)
    pages["http://a.example/?session=7"] = "<title>Hives</title><p>bees and honey</p>"
    crawl = hg.Crawl.start(tmp_path / "crawl", "bees honey", ["http://a.example/"], web=Site(pages))
    crawl.run()
    assert [page.title for page in crawl.top(5)] == ["Bees", "Hives", ""]


def test_a_page_that_asks_not_to_be_kept_is_explained(tmp_path):
    url = "http://a.example/"
    web = Site({url: '<meta name="robots" content="noindex"><title>Bees</title> bees'})
    crawl = hg.Crawl.start(tmp_path / "crawl", "bees", [url], web=web)
    crawl.run()
    (page,) = crawl.visits()
    assert not page.is_kept
    assert page.visit.noindex
    assert page.text() == page.html() == ""
    assert "it asks not to be kept (noindex)" in str(crawl.explain(url))


def test_a_recorded_crawl_writes_its_log_too(done):
    lines = (done.folder / "crawl.log").read_text().splitlines()
    visits = list(done.visits())
    pages = [line for line in lines if "relevance:" in line]
    assert [line.split()[3] for line in pages] == [page.url for page in visits]
    assert all(
        (line.split()[5] == "-") == (not page.visit.via) for line, page in zip(pages, visits, strict=True)
    )


class Minimal(hg.TopicModel):
    """No more than a topic model has to have."""

    name = "minimal"

    def judge(self, texts):
        return np.array([float("bees" in text) for text in texts])

    def explain(self, text):
        return Explanation("bees or no bees")


def test_a_topic_model_that_cannot_be_written_is_given_again(tmp_path):
    url, folder = "http://a.example/", tmp_path / "crawl"
    web = Site({url: '<a href="/b">bees</a>', f"{url}b": "bees"})
    crawl = hg.Crawl.start(folder, Minimal(), [url], web=web)
    assert crawl.run(pages=1) == hg.StopReason.PAGE_LIMIT
    assert crawl.run(pages=2) == hg.StopReason.PAGE_LIMIT  # with the same web
    with pytest.raises(SettingsError, match=r"give it again: Crawl\.open\(folder, topic="):
        hg.Crawl.open(folder).status()
    assert hg.Crawl.open(folder, topic=Minimal()).status().relevant == 2


class TestOneRunAtATime:
    def test_a_second_run_of_the_object_is_refused_and_the_first_goes_on(self, tmp_path):
        crawl = hg.Crawl.start(tmp_path / "crawl", "bees", ["http://a.example/0"], web=Endless())
        reasons = []
        thread = threading.Thread(target=lambda: reasons.append(crawl.run(pages=0)))
        thread.start()
        while not crawl.process:
            time.sleep(0.01)
        with pytest.raises(CrawlLocked, match="this very object"):
            crawl.run(pages=10)
        with pytest.raises(CrawlLocked):
            crawl.take()
        other = hg.Crawl.open(tmp_path / "crawl", web=Endless())
        with pytest.raises(CrawlLocked):
            asyncio.run(in_a_loop(other))  # which asks nobody else to stop
        before = other.status().pages
        while other.status().pages < before + 3:
            time.sleep(0.01)
        with crawl:
            pass  # leaving it ends the run, gracefully
        thread.join()
        assert reasons == [hg.StopReason.STOPPED_BY_USER]

    def test_cancelled_before_it_has_begun(self, tmp_path):
        crawl = start(tmp_path / "crawl")

        async def cancelled():
            run = asyncio.create_task(crawl.arun(pages=0))
            await asyncio.sleep(0)
            run.cancel()
            with pytest.raises(asyncio.CancelledError):
                await run

        asyncio.run(cancelled())
        assert crawl.process is None
        assert crawl.status().pages < 600

    def test_limits_hold_for_a_crawl_that_is_taken(self, tmp_path):
        with start(tmp_path / "crawl").take() as crawl:
            assert asyncio.run(in_a_loop(crawl, pages=7)) == hg.StopReason.PAGE_LIMIT
        assert crawl.status().pages == 7

    def test_settings_reach_a_fetcher_that_was_made_before(self, tmp_path):
        crawl = hg.Crawl.start(
            tmp_path / "crawl",
            "bees",
            ["http://127.0.0.1:9/"],
            settings={"fetch.allow_networks": ["127.0.0.0/8"]},
        )
        with crawl.take({"politeness.delay_seconds": 33.0}):
            assert crawl._engine._fetcher.rest_until("http://127.0.0.1:9/", 0.0) >= 0
            assert crawl._engine._fetcher._politeness._settings.delay_seconds == 33.0


async def in_a_loop(crawl, pages=10):
    return crawl.run(pages=pages)


def test_labels_are_of_the_page_that_the_crawl_knows(done, tmp_path):
    crawl = start(tmp_path / "crawl")
    crawl.run(pages=5)
    url = crawl.top(1)[0].url
    crawl.send(hg.Label(url=url.replace("http://", "https://"), relevant=False))
    crawl.send(hg.SetPriorities(priorities={url.removeprefix("http://"): 1.0}))
    crawl.run(pages=6)
    assert list(crawl.labels()) == [url]
    assert crawl.inbox()[1].receipt == "0 of 1 urls wait with their new priority"  # fetched, but known


@pytest.mark.parametrize(
    "given", [{"topic": ["bees"]}, {"topic": "bees", "strategy": LinkContext}, {"topic": "bees", "web": 7}]
)
def test_parts_of_a_wrong_kind_are_told(given, tmp_path):
    with pytest.raises(SettingsError, match="not "):
        hg.Crawl.start(tmp_path / "crawl", seeds=["http://a.example/"], **given)


def test_looking_at_a_crawl_does_not_keep_it_from_starting(tmp_path):
    crawl = start(tmp_path / "crawl")
    is_over = threading.Event()

    def look():
        while not is_over.is_set():
            hg.Crawl.open(tmp_path / "crawl").process  # noqa: B018

    threads = [threading.Thread(target=look) for _ in range(3)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(30):
            crawl.take().release()
    finally:
        is_over.set()
        for thread in threads:
            thread.join()


def test_lists_of_pages_are_ranked_apart_and_variants_of_a_page_are_one(tmp_path):
    root, teasers = (
        "http://bees.example",
        "".join(f"<a href=/none/{n}>honey bees {n}</a> " for n in range(25)),
    )
    links = "".join(
        f'<a href="{path}">bees</a>' for path in ("/honey", "/honey?from=home", "/tag/bees", "/all")
    )
    pages = {
        f"{root}/": f"<title>Home</title>Bees {links}",
        f"{root}/honey": "<title>Honey</title>Honey bees and their hive, told at length. "
        + "Bees fly. " * 20,
        f"{root}/honey?from=home": "<title>Honey</title>Honey bees: you came from the home page. Bees fly.",
        f"{root}/tag/bees": "<title>Tag</title>honey bees, honey bees",
        f"{root}/all": f"<title>All</title>{teasers}",
    }
    crawl = hg.Crawl.start(tmp_path / "a", "honey bees", [f"{root}/"], web=Site(pages))
    crawl.run(pages=5)
    assert {page.title for page in crawl.top(5)} == {"Honey", "Home"}
    assert len(crawl.top(5)) == 2
    assert {page.title for page in crawl.top(5, lists=True)} == {"Tag", "All"}


@pytest.mark.parametrize(
    ("words", "settings", "language"),
    [("apicultura", {}, "pt"), ("apicultura", {"topic.language": "es"}, "es"), ("beekeeping", {}, None)],
)
def test_the_language_of_words_is_guessed_from_the_seeds(tmp_path, words, settings, language):
    given = {"web.sample_pages": 100, **settings}
    crawl = hg.Crawl.start(tmp_path / "a", words, ["http://mel.example.br/"], settings=given)
    assert crawl.order.topic.keywords.get("language") == language
    assert crawl.topic.language == (language or "en")
