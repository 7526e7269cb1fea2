"""A crawl that is kept fresh, on a sample web whose pages change by a clock: what is asked again, and what leaves."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import numpy as np
import pytest

from honeyguide import Crawl
from honeyguide.assembly import resume_crawl
from honeyguide.engine.keeping import CHANGES, DAYS, KEEPING, LOOKED, TOP
from honeyguide.model import Status
from honeyguide.sample_web.web import SampleWeb
from honeyguide.settings import CrawlOrder

PAGES, REQUESTS = 60, 140
WEB = SampleWeb(pages=PAGES, seed=1)
TOPIC = WEB.topic_names[0]


def order(folder: Path, **changed: object) -> CrawlOrder:
    return CrawlOrder().with_overrides(
        {
            "topic.text": WEB.description(TOPIC),
            "seeds.urls": WEB.seeds(TOPIC),
            "web.sample_pages": PAGES,
            "web.sample_change_days": 20.0,
            "scope.max_depth": 2,
            "crawl.keep_fresh": True,
            "crawl.batch": 8,
            "limits.max_pages": 0,
            "limits.max_requests": REQUESTS,
            "output.folder": str(folder),
        }
        | changed
    )


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Crawl:
    crawl = Crawl.start(order=order(tmp_path_factory.mktemp("kept") / "crawl"))
    assert crawl.run() == "request_limit"
    return crawl


def rows(crawl: Crawl, question: str) -> list[tuple[object, ...]]:
    with sqlite3.connect(crawl.folder / "crawl.db") as database:
        return database.execute(question).fetchall()


def test_pages_count_once_and_are_asked_for_again(kept: Crawl) -> None:
    status = kept.status()
    ((distinct, revisits),) = rows(kept, "SELECT count(DISTINCT url_id), sum(is_revisit) FROM visits")
    assert status.requests == REQUESTS
    assert revisits > REQUESTS / 4
    assert status.pages == distinct - status.urls_by_status["gone"]


def test_changes_are_told_and_counters_are_none(kept: Crawl) -> None:
    """Every page has a counter that differs at every look; only what the schedule changes is a change."""
    from honeyguide.sample_web.changing import ChangingWeb

    web = ChangingWeb(WEB, 20.0)
    looks = rows(
        kept,
        "SELECT url, v.time, b.time, v.changed FROM visits v JOIN urls u ON u.id = v.url_id JOIN visits b"
        " ON b.n = (SELECT max(n) FROM visits WHERE url_id = v.url_id AND n < v.n) WHERE v.changed IS NOT NULL",
    )
    batch_seconds = 8 * 600.0  # pages of a batch are fetched at once, and dated one after the other
    told = [
        (web.version(url, now - batch_seconds) != web.version(url, before), bool(changed))
        for url, now, before, changed in looks
        if web.version(url, now) == web.version(url, now - batch_seconds)
        and web.version(url, before) == web.version(url, before - batch_seconds)
        and WEB.number(url) is not None
    ]
    assert len(told) > 15
    assert {changed for _, changed in told} == {True, False}
    assert all(is_other == changed for is_other, changed in told)


def test_pages_that_say_so_are_not_sent_again(kept: Crawl) -> None:
    unchanged = rows(kept, "SELECT changed, archive_file FROM visits WHERE status = 304")
    assert unchanged
    assert all(changed == 0 and file for changed, file in unchanged)


def test_gone_pages_leave_after_a_second_look(kept: Crawl) -> None:
    gone = rows(kept, "SELECT url_id, url FROM gone JOIN urls ON urls.id = url_id")
    assert gone
    for url_id, url in gone:
        ((looks, first, last),) = rows(
            kept,
            f"SELECT count(*), min(time), max(time) FROM failures WHERE url_id = {url_id} AND status = 404",
        )
        assert looks >= 2
        assert last - first >= 86_400
        assert "gone" in kept.explain(url).standing
        assert kept.text(url)  # in the archive it stays
    urls = {url for _, url in gone}
    assert not urls & {page.url for page in kept.top(1_000)}
    assert kept.status().urls_by_status["gone"] == len(gone)


def test_the_same_crawl_in_pieces_ends_the_same(kept: Crawl, tmp_path: Path) -> None:
    Crawl.start(order=order(tmp_path / "crawl", **{"limits.max_requests": 56})).run()
    for requests in (57, 90, REQUESTS):
        with resume_crawl(tmp_path / "crawl", {"limits.max_requests": requests}) as engine:
            engine.run()
    crawl = Crawl.open(tmp_path / "crawl")
    question = "SELECT url_id, time, status, changed FROM visits ORDER BY n"
    assert rows(crawl, question) == rows(kept, question)
    with crawl.reader() as one, kept.reader() as other:
        for name in (LOOKED, CHANGES, DAYS):
            assert (one.state().urls[name] == other.state().urls[name]).all()
        assert (one.state().arrays[KEEPING] == other.state().arrays[KEEPING]).all()


def test_only_relevant_pages_are_asked_for_again(tmp_path: Path) -> None:
    crawl = Crawl.start(order=order(tmp_path / "crawl", **{"crawl.keep_fresh": "relevant"}))
    crawl.run()
    again = rows(crawl, "SELECT min(relevance) FROM visits WHERE is_revisit")
    assert again[0][0] is not None
    with crawl.reader() as reader:
        state = reader.state()
        looked = state.urls[DAYS] > 0
        assert np.isin(state.urls["outcome"][looked], (Status.FETCHED, Status.GONE)).all()


def test_pages_that_are_gone_make_room_for_others(kept: Crawl, tmp_path: Path) -> None:
    """The page limit, progress and exports are of what the collection has; the log keeps all visits."""
    held = kept.status().pages
    crawl = Crawl.start(order=order(tmp_path / "crawl", **{"limits.max_requests": REQUESTS}))
    crawl.run()
    assert crawl.progress().pages == crawl.status().pages == held
    assert crawl.frame("pages").num_rows == held
    assert crawl.frame("visits").num_rows > held
    gone = {url for (url,) in rows(crawl, "SELECT url FROM gone JOIN urls ON urls.id = url_id")}
    assert gone
    assert not gone & set(crawl.frame("pages")["url"].to_pylist())
    more = {"limits.max_requests": REQUESTS + 20, "limits.max_pages": held + 1}
    with resume_crawl(tmp_path / "crawl", more) as engine:
        engine.run()
        progress = engine.progress()
    assert progress.requests > REQUESTS, "there is room for one more"
    assert progress.pages <= held + 1


def test_counts_are_of_pages_not_of_looks(kept: Crawl) -> None:
    noindex = rows(kept, "SELECT count(DISTINCT url_id) FROM visits WHERE noindex")
    copies = rows(kept, "SELECT count(*) FROM visits WHERE copy_of IS NOT NULL AND NOT is_revisit")
    counts = kept.status().counts
    assert counts.get("pages_noindex", 0) == noindex[0][0]
    assert counts.get("pages_copied", 0) == copies[0][0]


def test_it_is_explained_how_often_a_page_changes_and_since_when_it_is_missing(tmp_path: Path) -> None:
    crawl = Crawl.start(order=order(tmp_path / "crawl"))
    crawl.run()
    with crawl.reader() as reader:
        urls = reader.state().urls
        asked_again = np.flatnonzero((urls["priority"] >= TOP) & (urls["outcome"] == Status.FETCHED))
        gone = np.flatnonzero(urls["outcome"] == Status.GONE)
        names = [reader.url_text(int(ids[0])) for ids in (asked_again, gone)]
    changing, missing = (str(crawl.explain(name)) for name in names)
    assert "changes about every" in changing
    assert "1000000000" not in changing + missing
    assert "missing since 2023-11-" in missing
    assert "given up" not in missing
