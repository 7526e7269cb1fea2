"""A corpus of everything that goes wrong, crawled to its end."""

import gzip
import json
import os
import shutil
import subprocess

import pytest

from honeyguide.assembly import read_order, resume_crawl, start_crawl
from honeyguide.commands import Stop
from honeyguide.engine.running import StopReason
from honeyguide.errors import DiskFull, SettingsError, StoreError
from honeyguide.sample_web.web import SampleWeb
from honeyguide.settings import CrawlOrder
from honeyguide.store import open_reader
from honeyguide.store.archive import read_page
from honeyguide.store.inbox import post
from honeyguide.store.lock import process_at_work

HOME = "http://odd.example/"


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("HONEYGUIDE_CACHE", str(tmp_path / "cache"))


def odd_pages():
    names = ["empty", "huge", "junk", "manylinks", "selflink", "nowhere", "deep"]
    yield "home", "".join(f'<a href="/{name}">bees {name}</a>' for name in names)
    yield "empty", ""
    yield "huge", "<p>bees and honey</p>" * 100_000
    yield "junk", "".join(chr(n % 0xD800) for n in range(0, 200_000, 7))
    yield "manylinks", "".join(f"<a href=/l{n}>{n}</a>" for n in range(30_000))
    yield "selflink", '<a href="/selflink">me</a><a href="#top">me</a>'
    yield "nowhere", '<a href="/not-there">x</a><a href="http://[">y</a><a href="javascript:z">z</a>'
    yield "deep", "<div>" * 100_000 + "bees"


@pytest.fixture(scope="module")
def odd_corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("odd") / "corpus"
    write_corpus(folder, odd_pages())
    return folder


@pytest.fixture
def small_corpus(tmp_path):
    """For tests that need no odd pages: they take long to write, to index and to read."""
    is_large = {"huge", "junk", "manylinks", "deep"}
    write_corpus(tmp_path / "corpus", ((name, html) for name, html in odd_pages() if name not in is_large))


def write_corpus(folder, pages):
    folder.mkdir()
    with gzip.open(folder / "pages.jsonl.gz", "wt", encoding="utf-8", compresslevel=1) as file:
        file.write("this is no JSON\n")
        for name, html in pages:
            url = HOME if name == "home" else HOME + name
            file.write(json.dumps({"url": url, "title": name, "labels": [], "html": html}) + "\n")
            file.write('{"url": 5}\n[]\n\n{"url": "http://odd.example/cut", "html": \n')
    with gzip.open(folder / "links.tsv.gz", "wt", encoding="utf-8") as file:
        file.write(f"{HOME}\t{HOME}empty\tx\t{HOME}alias\n")
        file.write("only one column\n\t\t\t\t\t\t\n")


def order(tmp_path, **more):
    settings = {
        "topic.text": "bees honey",
        "seeds.urls": [HOME, f"{HOME}alias"],
        "web.recording": str(tmp_path / "corpus"),
        "output.folder": str(tmp_path / "crawl"),
        "limits.max_pages": 100,
        "limits.max_failures": 2_000,
        **more,
    }
    return CrawlOrder().with_overrides(settings)


def test_odd_pages_are_handled_counted_and_never_fatal(tmp_path, odd_corpus):
    with start_crawl(order(tmp_path, **{"web.recording": str(odd_corpus)})) as crawler:
        reason = crawler.run()
    assert reason == StopReason.FAILURE_LIMIT  # the links of manylinks lead nowhere
    reader = open_reader(tmp_path / "crawl")
    visits = {visit.url.removeprefix(HOME): visit for visit in reader.visits()}
    assert set(visits) == {"", "empty", "huge", "junk", "manylinks", "selflink", "nowhere", "deep"}
    assert visits["empty"].relevance == 0.0
    assert visits["huge"].relevance > 0.5
    assert visits["manylinks"].links == 10_000
    assert visits["selflink"].links == 0
    counts = reader.numbers(0.5).counts
    assert counts["links_to_itself"] == 1
    assert counts["links_not_http"] >= 2
    assert counts["redirects"] == 1
    reader.close()


def test_a_crawl_does_not_start_over_another(tmp_path, small_corpus):
    with start_crawl(order(tmp_path, **{"limits.max_pages": 1})) as crawler:
        with pytest.raises(StoreError, match="in use by process"):
            resume_crawl(tmp_path / "crawl")
        crawler.run()
    with pytest.raises(StoreError, match="honeyguide resume"):
        start_crawl(order(tmp_path))
    with resume_crawl(tmp_path / "crawl", {"limits.max_pages": 2}) as again:
        assert again.run() == StopReason.PAGE_LIMIT


def test_a_former_crawl_is_a_web_to_crawl_again(tmp_path, odd_corpus):
    with start_crawl(order(tmp_path, **{"web.recording": str(odd_corpus), "limits.max_pages": 8})) as first:
        first.run()
    replayed = order(
        tmp_path, **{"web.recording": str(tmp_path / "crawl"), "output.folder": str(tmp_path / "again")}
    )
    with start_crawl(replayed) as second:
        second.run()
    logs = []
    for folder in ("crawl", "again"):
        reader = open_reader(tmp_path / folder)
        logs.append(
            [(visit.url, visit.relevance, visit.digest, visit.links) for visit in reader.visits()][:8]
        )
        reader.close()
    assert logs[0] == logs[1]


@pytest.mark.parametrize("archive", [True, False])
def test_a_full_disk_stops_the_crawl_and_it_goes_on_later(tmp_path, small_disk, archive):
    crawl_order = CrawlOrder().with_overrides(
        {
            "topic.text": "bees honey",
            "seeds.urls": SampleWeb(pages=3_000).seeds("bees"),
            "web.sample_pages": 3_000,
            "limits.max_pages": 2_500,
            "output.folder": str(small_disk / "crawl"),
            "output.archive": archive,
        }
    )
    with start_crawl(crawl_order) as crawler:
        assert crawler.run() == StopReason.DISK_FULL
    reader = open_reader(small_disk / "crawl")
    before = [visit.url for visit in reader.visits()]
    reader.close()
    assert len(before) > 50
    subprocess.run(["mount", "-o", "remount,size=100m", str(small_disk)], check=True)
    with resume_crawl(small_disk / "crawl") as crawler:
        assert crawler.run(limits={"limits.max_pages": len(before) + 100}) == StopReason.PAGE_LIMIT
    reader = open_reader(small_disk / "crawl")
    after = [visit.url for visit in reader.visits()]
    assert after[: len(before)] == before
    assert len(set(after)) == len(after) == len(before) + 100
    if archive:
        for visit in reader.visits():
            page = read_page(small_disk / "crawl" / "archive", visit.location)
            assert len(page.body) == visit.bytes
    reader.close()


@pytest.mark.parametrize("kilobytes", [60, 100, 140, 180, 240, 320, 500])
def test_a_disk_that_is_full_from_the_first_moments_on(tmp_path, small_disk, kilobytes):
    subprocess.run(["mount", "-o", f"remount,size={kilobytes}k", str(small_disk)], check=True)
    web = SampleWeb(pages=500)
    crawl_order = CrawlOrder().with_overrides(
        {
            "topic.text": "bees honey",
            "seeds.urls": web.seeds("bees"),
            "web.sample_pages": 500,
            "limits.max_pages": 200,
            "output.folder": str(small_disk / "crawl"),
        }
    )
    try:
        with start_crawl(crawl_order) as crawler:
            reason = crawler.run()
    except DiskFull:
        reason = StopReason.DISK_FULL
    assert reason == StopReason.DISK_FULL
    subprocess.run(["mount", "-o", "remount,size=50m", str(small_disk)], check=True)
    begun = (small_disk / "crawl" / "order.toml").exists()
    with resume_crawl(small_disk / "crawl") if begun else start_crawl(crawl_order) as crawler:
        assert crawler.run() == StopReason.PAGE_LIMIT


def test_an_order_that_is_there_already_is_not_overwritten(tmp_path, small_corpus):
    (tmp_path / "crawl").mkdir()
    (tmp_path / "crawl" / "order.toml").write_text("# my own words\n")
    with pytest.raises(StoreError, match="holds other files"):
        start_crawl(order(tmp_path))
    assert (tmp_path / "crawl" / "order.toml").read_text() == "# my own words\n"


def test_what_pages_were_judged_by_cannot_be_changed_halfway(tmp_path, small_corpus):
    with start_crawl(order(tmp_path, **{"limits.max_pages": 1})) as crawler:
        crawler.run()
    with pytest.raises(SettingsError, match=r"topic\.text: cannot be changed"):
        resume_crawl(tmp_path / "crawl", {"topic.text": "cars"})
    with resume_crawl(tmp_path / "crawl", {"limits.max_pages": 3}) as crawler:
        crawler.run()
    assert read_order(tmp_path / "crawl").limits.max_pages == 3


def test_a_crawl_is_ours_and_can_be_stopped_while_its_recording_is_indexed_again(tmp_path, small_corpus):
    with start_crawl(order(tmp_path, **{"limits.max_pages": 1})) as crawler:
        crawler.run()
    shutil.rmtree(tmp_path / "cache")
    folder, owners = tmp_path / "crawl", []

    def while_indexing(done, total):
        owners.append(process_at_work(folder))
        post(folder, Stop())

    with resume_crawl(folder, {"limits.max_pages": 50}, while_indexing) as crawler:
        assert crawler.run() == StopReason.STOPPED_BY_USER
        assert crawler.harvest.pages == 1
    assert set(owners) == {os.getpid()}
