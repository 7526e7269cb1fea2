"""Steering: the queue looked at, rules that raise, lower and exclude, and what is left of them when they are undone."""

import numpy as np
import pytest

import honeyguide as hg
from honeyguide.errors import SettingsError
from honeyguide.model import Status
from honeyguide.patterns import Rule
from honeyguide.sample_web.web import SampleWeb
from honeyguide.urls import host_of

WEB = SampleWeb(pages=600)
TOPIC = WEB.topic_names[0]


def start(folder, **settings):
    order = {"web.sample_pages": WEB.pages, "crawl.batch": 4, **settings}
    return hg.Crawl.start(folder, WEB.description(TOPIC), WEB.seeds(TOPIC), settings=order)


@pytest.fixture
def crawl(tmp_path):
    crawl = start(tmp_path / "crawl")
    crawl.run(pages=60)
    return crawl


def go_on(crawl, pages=0):
    """Run so many pages, and give them."""
    before = crawl.status().pages
    crawl.run(pages=before + pages)
    return [page.url for page in crawl.visits(since=before)]


def ordered(crawl):
    return [(url.url, url.priority) for url in crawl.queue(most=10_000).urls]


class TestQueue:
    def test_it_is_in_the_order_in_which_urls_are_fetched(self, crawl):
        first = [url.url for url in crawl.queue(most=4).urls]
        assert go_on(crawl, 4) == first

    def test_all_is_counted(self, crawl):
        queue = crawl.queue(most=10_000)
        assert queue.waiting == queue.hits == len(queue.urls) == crawl.status().urls_by_status["queued"]
        assert queue.hosts == len({url.host for url in queue.urls})
        assert queue.by_host[0].urls == sum(url.host == queue.by_host[0].host for url in queue.urls)
        assert sum(step.urls for step in queue.by_priority) == queue.hits
        assert all(url.via for url in queue.urls if url.depth)
        assert queue.urls[0].host == host_of(queue.urls[0].url)

    def test_it_is_searched_by_text_pattern_and_host(self, crawl):
        every = [url.url for url in crawl.queue(most=10_000).urls]
        host = crawl.queue().by_host[0].host
        own = [url for url in every if host_of(url) == host]
        for found in (
            crawl.queue(f"//{host.upper()}/"),
            crawl.queue(f"http://{host}/*"),
            crawl.queue(host=host),
        ):
            assert [url.url for url in found.urls] == own
            assert (found.hits, found.waiting) == (len(own), len(every))
        assert [url.url for url in crawl.queue("*.html", most=3).urls] == [
            url for url in every if url.endswith(".html")
        ][:3]
        assert crawl.queue("*nothing like this*").hits == 0
        assert crawl.queue("nothing like this").by_priority == []

    def test_what_was_seen_before_is_read_on(self, crawl):
        crawl.queue()
        go_on(crawl, 20)
        assert crawl.queue(most=10_000) == hg.Crawl.open(crawl.folder).queue(most=10_000)

    def test_what_is_no_pattern_is_refused(self, crawl):
        for wrong in ("*" * 30, "a b"):
            with pytest.raises(SettingsError):
                crawl.preview_steer(wrong)
            with pytest.raises(SettingsError):
                crawl.steer("exclude", wrong)


class TestRules:
    def test_what_is_raised_comes_first_and_what_is_lowered_last_each_in_the_strategys_order(self, crawl):
        before = ordered(crawl)
        first, last = (share.host for share in crawl.queue().by_host[:2])
        seen = crawl.preview_steer(first)
        assert (seen.urls, seen.hosts) == (crawl.queue(host=first).hits, 1)
        number = crawl.steer("raise", first)
        crawl.steer("lower", f"http://{last}/*")
        go_on(crawl)
        assert crawl.answer(number) == f"rule {number}: {seen.urls} waiting urls of 1 host come first"

        def place(row):
            return {first: 0, last: 2}.get(host_of(row[0]), 1)

        assert ordered(crawl) == sorted(before, key=place)
        queue = crawl.queue(most=1)
        assert (queue.raised, queue.urls[0].action, queue.urls[0].rule) == (seen.urls, "raise", number)
        assert {host_of(url) for url in go_on(crawl, 4)} == {first}

    def test_undone_it_is_as_if_it_had_never_been(self, crawl):
        before = ordered(crawl)
        for action, share in zip(("raise", "lower", "exclude"), crawl.queue().by_host, strict=False):
            crawl.steer(action, share.host)
        go_on(crawl)
        assert ordered(crawl) != before
        assert crawl.queue().excluded
        for rule in crawl.rules():
            crawl.unsteer(rule.number)
        go_on(crawl)
        assert ordered(crawl) == before
        assert crawl.rules() == []
        assert "urls that it excluded wait again" in crawl.inbox()[-1].receipt
        undisturbed = start(crawl.folder.parent / "undisturbed")
        undisturbed.run(pages=60)
        undisturbed.run(pages=90)
        go_on(crawl, 30)
        assert [page.url for page in crawl.visits()] == [page.url for page in undisturbed.visits()]

    def test_what_is_excluded_is_never_fetched_nor_let_in_and_counted_by_its_rule(self, crawl):
        host = crawl.queue().by_host[0].host
        number = crawl.steer("exclude", host)
        fetched = go_on(crawl, 100)
        assert len(fetched) == 100
        assert host not in map(host_of, fetched)
        assert crawl.status().counts[f"refused_excluded_by_rule_{number}"] > 0
        unknown = f"http://{host}/never/linked/to"
        assert f"rule {number} of `honeyguide steer` excludes it" in str(crawl.explain(unknown))
        crawl.unsteer(number)
        crawl.steer("raise", host)
        assert host in map(host_of, go_on(crawl, 4))

    def test_the_newest_decides_and_the_older_one_when_it_is_gone(self, crawl):
        host = crawl.queue().by_host[0].host
        url = crawl.queue(host=host).urls[-1].url
        crawl.steer("exclude", host)
        newer = crawl.steer("raise", url)
        go_on(crawl)
        assert [found.url for found in crawl.queue(host=host).urls] == [url]
        assert f"raised before all others by rule {newer}: {url}" in str(crawl.explain(url))
        assert ordered(crawl)[0][0] == url
        crawl.unsteer(newer)
        go_on(crawl)
        assert crawl.queue(host=host).hits == 0

    def test_excluded_urls_come_back_with_the_priority_they_have_by_then(self, crawl):
        url = crawl.queue().urls[-1].url
        number = crawl.steer("exclude", url)
        crawl.send(hg.SetPriorities(priorities={url: 1e9}))
        go_on(crawl)
        assert crawl.queue(url).hits == 0
        crawl.unsteer(number)
        go_on(crawl)
        assert ordered(crawl)[0] == (url, 1e9)

    def test_rules_hit_urls_that_are_found_later(self, tmp_path):
        crawl = start(tmp_path / "crawl")
        crawl.steer("lower", "*.html")
        crawl.run(pages=100)
        with crawl.reader() as reader:
            queued = reader.queued()
            rows = reader.url_rows(np.flatnonzero(queued.status == Status.QUEUED).tolist())
        assert {row.url.endswith(".html") for row in rows} == {True, False}
        assert all(bool(queued.rule[row.id]) == row.url.endswith(".html") for row in rows)

    def test_one_that_waits_is_told_and_one_that_is_unknown_refused(self, crawl):
        number = crawl.steer("raise", "a.example")
        assert [(rule.number, rule.is_waiting) for rule in crawl.rules()] == [(number, True)]
        crawl.unsteer(number)
        assert crawl.rules() == []
        crawl.unsteer(999)
        go_on(crawl)
        assert crawl.inbox()[-1].receipt.startswith("refused: there is no rule 999 in force")


class TestManyUrls:
    """A pattern is looked for in some urls at a time, and the crawl goes on between."""

    @pytest.fixture
    def few_at_once(self, monkeypatch):
        monkeypatch.setattr("honeyguide.engine.steering.URLS_AT_ONCE", 30)
        monkeypatch.setattr("honeyguide.engine.inbox.LOOK_EVERY_SECONDS", 0.0)

    def test_a_pattern_that_hits_much_is_looked_for_in_slices(self, crawl, few_at_once):
        with crawl.take() as taken:
            ingest = taken._engine._memory.ingest
            known = len(taken._engine._memory.state)
            for pattern, slices in (
                ("*a*", -(-(known - 1) // 30)),
                ("h77.example", 1),
                ("http://a.example/", 1),
            ):
                steps = ingest.steering.begin(Rule(1, "lower", pattern, 0.0))
                assert sum(1 for _ in steps) == slices - 1, pattern
            assert known > 200, "there are several"

    def test_the_crawl_goes_on_between_and_then_the_rule_holds_for_all(self, crawl, few_at_once):
        first, second = crawl.steer("raise", "*a*"), crawl.steer("exclude", "*html*")
        crawl.run(pages=crawl.status().pages + 1)
        assert [crawl.answer(number, 0) for number in (first, second)] == [None, None], (
            "not all was looked at"
        )
        assert [rule.is_waiting for rule in crawl.rules()] == [True, True]
        go_on(crawl, 120)
        assert "come first" in crawl.answer(first, 0)
        assert "are excluded" in crawl.answer(second, 0)
        queue = crawl.queue(most=10_000)
        assert not [url for url in queue.urls if "html" in url.url], "nor what was found meanwhile"
        assert queue.raised == queue.hits > 0
        assert queue.excluded > 0
        crawl.unsteer(first)
        crawl.unsteer(second)
        go_on(crawl, 120)
        assert (crawl.rules(), crawl.queue().excluded, crawl.queue().raised) == ([], 0, 0)
