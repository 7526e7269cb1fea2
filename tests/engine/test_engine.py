"""The loop on small webs: limits, redirects, retries, odd pages."""

import pytest

from honeyguide.assembly import assemble
from honeyguide.engine.running import StopReason
from honeyguide.errors import FetchTimeout, HoneyguideError, HttpStatusError
from honeyguide.fetch.base import Fetcher
from honeyguide.making import make_strategy, make_topic
from honeyguide.model import MOST_REDIRECTS, Response, Status
from honeyguide.settings import CrawlOrder
from honeyguide.store import open_reader
from honeyguide.strategies.breadth_first import BreadthFirst
from honeyguide.strategies.link_analysis import LinkAnalysis
from honeyguide.topics.keywords import KeywordTopic

HTML = {"content-type": "text/html; charset=utf-8"}
START = "http://a.example/"


class Site(Fetcher):
    """Pages by url: bytes or text, a Response, an error, or a list of these, one for each time it is asked."""

    def __init__(self, pages):
        self.pages = pages
        self.asked = []

    async def fetch(self, url, validators=None):
        self.asked.append(url)
        answer = self.pages.get(url, HttpStatusError(404))
        if isinstance(answer, list):
            answer = answer.pop(0) if len(answer) > 1 else answer[0]
        if isinstance(answer, Exception):
            raise answer
        if isinstance(answer, Response):
            return answer
        return Response(url, 200, answer.encode() if isinstance(answer, str) else answer, HTML)

    async def close(self):
        pass


def links(*targets):
    return " ".join(f'<a href="{target}">bees</a>' for target in targets)


@pytest.fixture
def crawl(tmp_path):
    """Crawl a site to its end; gives the stop reason and a reader of the result."""
    opened = []

    def run(pages, strategy=None, **overrides):
        settings = {"topic.text": "bees", "seeds.urls": [START], "web.sample_pages": 1, "limits.max_pages": 0}
        order = CrawlOrder().with_overrides({**settings, **overrides})
        site = pages if isinstance(pages, Fetcher) else Site(pages)
        with assemble(order, tmp_path, site, make_topic(order), strategy or make_strategy(order)) as crawler:
            reason = crawler.run()
        opened.append(open_reader(tmp_path))
        return reason, opened[-1]

    yield run
    for reader in opened:
        reader.close()


def visited(reader):
    return [visit.url for visit in reader.visits()]


def status(reader, url):
    return Status(int(reader.state().urls["status"][reader.find_url(url)]))


def test_ends_when_nothing_is_left(crawl):
    reason, reader = crawl({START: links("/b", "/c"), f"{START}b": links("/"), f"{START}c": "bees"})
    assert reason == StopReason.FRONTIER_EMPTY
    assert visited(reader) == [START, f"{START}b", f"{START}c"]


def test_stops_at_the_page_limit_exactly(crawl):
    pages = {START: links(*range(50)), **{f"{START}{n}": "bees" for n in range(50)}}
    reason, reader = crawl(pages, **{"limits.max_pages": 17, "crawl.batch": 10})
    assert reason == StopReason.PAGE_LIMIT
    assert len(visited(reader)) == 17


def test_stops_at_the_failure_limit(crawl):
    reason, _ = crawl({START: links(*range(50))}, **{"limits.max_failures": 5, "crawl.batch": 5})
    assert reason == StopReason.FAILURE_LIMIT


def test_stops_at_the_time_limit(crawl):
    class Endless(Site):
        async def fetch(self, url, validators=None):
            self.asked.append(url)
            assert len(self.asked) < 100_000
            return Response(url, 200, links(2 * len(self.asked), 2 * len(self.asked) + 1).encode(), HTML)

    reason, _ = crawl(Endless({}), **{"limits.max_seconds": 0.05})
    assert reason == StopReason.TIME_LIMIT


def test_a_redirect_is_a_link_not_followed_blindly(crawl):
    moved = Response(START, 301, b"", {"location": "/new"})
    reason, reader = crawl({START: moved, f"{START}new": "bees"})
    assert reason == StopReason.FRONTIER_EMPTY
    assert visited(reader) == [f"{START}new"]
    assert status(reader, START) == Status.MOVED
    assert [(link.source, link.target) for link in reader.links()] == [("", START), (START, f"{START}new")]
    assert [visit.depth for visit in reader.visits()] == [0]


@pytest.mark.parametrize("location", ["", "/", "mailto:a@b.c", "ftp://a.example/", "http://["])
def test_a_redirect_to_nowhere_is_a_failure(crawl, location):
    reason, reader = crawl({START: Response(START, 302, b"", {"location": location})})
    assert reason == StopReason.FRONTIER_EMPTY
    assert status(reader, START) == Status.FAILED


def test_redirects_in_a_circle_end(crawl):
    pages = {
        START: Response(START, 302, b"", {"location": "/b"}),
        f"{START}b": Response(f"{START}b", 302, b"", {"location": "/"}),
    }
    reason, reader = crawl(pages)
    assert reason == StopReason.FRONTIER_EMPTY
    assert visited(reader) == []


def test_failures_are_tried_again_as_their_class_says(crawl):
    site = Site(
        {START: links("/slow", "/gone"), f"{START}slow": [FetchTimeout("slow"), FetchTimeout("slow"), "bees"]}
    )
    _, reader = crawl(site)
    assert site.asked.count(f"{START}slow") == 3
    assert site.asked.count(f"{START}gone") == 1
    assert visited(reader) == [START, f"{START}slow"]
    failures = [(failure.url, failure.error, failure.tries, failure.final) for failure in reader.failures()]
    assert sorted(failures) == [
        (f"{START}gone", "HttpStatusError", 1, True),
        (f"{START}slow", "FetchTimeout", 1, False),
        (f"{START}slow", "FetchTimeout", 2, False),
    ]


def test_a_page_that_always_fails_is_given_up(crawl):
    site = Site({START: FetchTimeout("never")})
    reason, reader = crawl(site)
    assert reason == StopReason.FRONTIER_EMPTY
    assert len(site.asked) == 1 + FetchTimeout.max_retries
    assert status(reader, START) == Status.FAILED


def test_error_pages_and_large_pages_are_failures_even_if_a_fetcher_brings_them(crawl):
    pages = {START: links("/large", "/error"), f"{START}large": "x" * 2_000}
    pages[f"{START}error"] = Response(f"{START}error", 410, b"gone", HTML)
    _, reader = crawl(pages, **{"limits.max_page_bytes": 1_000})
    assert {failure.error for failure in reader.failures()} == {"TooLarge", "HttpStatusError"}


def test_nofollow_is_obeyed(crawl):
    pages = {
        START: '<a href="/b" rel=nofollow>b</a> <a href="/c">c</a>',
        f"{START}c": f'<meta name=robots content="none">{links("/d")}',
    }
    _, reader = crawl(pages)
    assert visited(reader) == [START, f"{START}c"]
    assert reader.numbers(0.5).counts["links_nofollow"] == 2


def test_nofollow_is_ignored_when_told_so(crawl):
    _, reader = crawl(
        {START: '<a href="/b" rel=nofollow>b</a>', f"{START}b": "bees"}, **{"scope.follow_nofollow": True}
    )
    assert visited(reader) == [START, f"{START}b"]


def test_links_of_all_sorts_are_counted(crawl):
    pages = {START: links("/", "mailto:a@b.c", "http://bad.example/", "/ok"), f"{START}ok": ""}
    _, reader = crawl(pages, **{"scope.deny_hosts": ["bad.example"]})
    counts = reader.numbers(0.5).counts
    assert counts["links_to_itself"] == 1
    assert counts["links_not_http"] == 1
    assert counts["refused_host_denied"] == 1


def test_scope_limits_depth(crawl):
    pages = {START: links("/1"), f"{START}1": links("/2"), f"{START}2": links("/3"), f"{START}3": "end"}
    _, reader = crawl(pages, **{"scope.max_depth": 2})
    assert visited(reader) == [START, f"{START}1", f"{START}2"]


def test_a_bounded_queue_drops_the_worst_and_the_crawl_goes_on(crawl):
    pages = {START: links(*range(30)), **{f"{START}{n}": "bees" for n in range(30)}}
    _, reader = crawl(pages, **{"limits.max_queue": 5})
    assert len(visited(reader)) == 6


def test_seeds_that_do_not_exist_end_the_crawl(crawl):
    reason, reader = crawl({})
    assert reason == StopReason.FRONTIER_EMPTY
    assert status(reader, START) == Status.FAILED


def test_a_strategy_that_gives_no_number_is_named(crawl):
    class Broken(BreadthFirst):
        name = "broken"

        def prioritize(self, pages, crawl):
            wanted = super().prioritize(pages, crawl)
            wanted.priorities[:] = float("nan")
            return wanted

    with pytest.raises(HoneyguideError, match="'broken' gave a priority that is no finite number"):
        crawl({START: "bees"}, strategy=Broken())


def test_refresh_is_called_every_so_many_pages(crawl):
    calls = []

    class Refreshing(BreadthFirst):
        refresh_every = 10

        def refresh(self, view):
            calls.append(len(view))
            return super().refresh(view)

    pages = {START: links(*range(40)), **{f"{START}{n}": "bees" for n in range(40)}}
    crawl(pages, strategy=Refreshing(), **{"crawl.batch": 5})
    assert len(calls) == 4 + 1  # and once more when the queue is empty


def test_an_endless_chain_of_redirects_ends(crawl):
    class Chain(Site):
        async def fetch(self, url, validators=None):
            self.asked.append(url)
            return Response(url, 302, b"", {"location": f"/{len(self.asked)}"})

    site = Chain({})
    reason, _ = crawl(site)
    assert reason == StopReason.FRONTIER_EMPTY
    assert len(site.asked) == MOST_REDIRECTS + 1


@pytest.mark.parametrize("status", [100, 300, 301, 0, -5, 404, 500])
def test_what_is_neither_a_page_nor_a_redirect_is_a_failure(crawl, status):
    _, reader = crawl({START: Response(START, status, b"bees", HTML)})
    assert visited(reader) == []
    assert reader.numbers(0.5).failures >= 1


def test_a_relevance_out_of_range_names_the_model(tmp_path):
    class Wild(KeywordTopic):
        name = "wild"

        def judge(self, texts):
            return super().judge(texts) + 2

    order = CrawlOrder().with_overrides({"topic.text": "bees", "seeds.urls": [START], "web.sample_pages": 1})
    crawler = assemble(order, tmp_path, Site({START: "bees"}), Wild("bees"), BreadthFirst())
    with crawler, pytest.raises(HoneyguideError, match="'wild' gave a relevance"):
        crawler.run()


def test_a_crawler_runs_once(tmp_path):
    order = CrawlOrder().with_overrides({"topic.text": "bees", "seeds.urls": [START], "web.sample_pages": 1})
    with assemble(order, tmp_path, Site({START: "bees"}), make_topic(order), BreadthFirst()) as crawler:
        crawler.run()
        with pytest.raises(HoneyguideError, match="runs once"):
            crawler.run()


def test_headers_of_any_sort_do_not_reach_the_store_raw(crawl):
    odd = {"content-type": "text/html\x00\ud800\x1b[31m" + "x" * 500, "etag": "\r\n" * 400}
    _, reader = crawl({START: Response(START, 200, b"bees", odd)})
    (visit,) = reader.visits()
    assert len(visit.content_type) <= 100
    assert visit.content_type.isprintable()
    assert visit.etag.strip() == ""


def test_limits_count_what_was_before_a_restart(tmp_path):
    settings = {"topic.text": "bees", "seeds.urls": [START], "web.sample_pages": 1, "crawl.batch": 2}
    order = CrawlOrder().with_overrides(
        {**settings, "limits.max_failures": 6, "limits.max_urls_per_host": 12}
    )
    pages = {START: links(*range(10)), "http://b.example/": links(*(f"{START}{n}" for n in range(20, 40)))}
    site = Site({**pages, f"{START}9": links("http://b.example/")})
    asked = 0
    for _ in range(30):
        with assemble(order, tmp_path, site, make_topic(order), BreadthFirst()) as crawler:
            reason = crawler.run(lambda progress, stop=crawler.stop: stop())
        if reason != StopReason.STOPPED_BY_USER:
            break
        asked = len(site.asked)
    assert reason == StopReason.FAILURE_LIMIT
    assert len(site.asked) == asked


def test_x_robots_tag_counts_like_the_page_s_own_word(crawl, tmp_path):
    tagged = Response(START, 200, links("/b").encode(), {**HTML, "x-robots-tag": "noindex, nofollow"})
    _, reader = crawl({START: tagged, f"{START}b": "bees"})
    assert visited(reader) == [START]
    assert reader.last_visit(reader.find_url(START)).location is None
    assert reader.numbers(0.5).counts["pages_noindex"] == 1


def test_an_empty_queue_is_filled_again_before_the_crawl_ends(crawl):
    """Link analysis keeps links outside the queue: when all it let in are dead, others must have their turn."""
    dead = [f"{START}dead{n}" for n in range(3)]
    good = [f"{START}good{n}" for n in range(5)]
    pages = {START: "bees " + links(*dead, *good), **dict.fromkeys(good, "bees")}
    _, reader = crawl(pages, LinkAnalysis(top_size=3))
    assert reader.numbers(0.5).pages == 6
