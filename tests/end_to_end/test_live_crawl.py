"""Live crawls over HTTP on loopback: the sample web as hosts of their own, seen from the server's side too."""

import gzip
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from benchmarks._attack_server import ATTACKER, AttackServer, makes, page
from benchmarks._attack_table import Attack
from benchmarks._attacks_robots import sitemaps_of
from benchmarks.attacks import crawl_order
from typer.testing import CliRunner

from honeyguide.assembly import resume_crawl, start_crawl
from honeyguide.cli.main import app
from honeyguide.engine.running import StopReason
from honeyguide.errors import SettingsError
from honeyguide.model import Status
from honeyguide.sample_web.server import serve
from honeyguide.sample_web.web import SampleWeb
from honeyguide.settings import CrawlOrder
from honeyguide.store import open_reader

WEB = SampleWeb(pages=800, crawl_delay_seconds=0.05)


@pytest.fixture(scope="module")
def server():
    with serve(WEB) as running:
        yield running


def live_order(server, folder, **more):
    return CrawlOrder().with_overrides(
        {
            "topic.text": WEB.description("bees"),
            "seeds.urls": [server.served(url) for url in WEB.seeds("bees")],
            "fetch.allow_networks": ["127.0.0.0/8"],
            "politeness.delay_seconds": 0.02,
            "politeness.slowdown": 0.0,
            "limits.max_pages": 150,
            "output.folder": str(folder),
            **more,
        }
    )


def test_a_live_crawl_is_polite_kept_and_valid(server, tmp_path):
    before = len(server.log)
    with start_crawl(live_order(server, tmp_path / "crawl")) as crawler:
        assert crawler.run() == StopReason.PAGE_LIMIT
    requests = list(server.log)[before:]
    assert_polite(requests, 0.02)
    reader = open_reader(tmp_path / "crawl")
    visits = list(reader.visits())
    assert len(visits) == 150
    assert len({visit.url for visit in visits}) == 150
    assert max(visit.relevance for visit in visits) > 0.1
    assert sum(request.path != "/robots.txt" and request.status == 200 for request in requests) >= 150
    reader.close()
    (archive,) = (tmp_path / "crawl" / "archive").glob("*.warc.gz")
    assert (
        subprocess.run(
            [Path(sys.executable).with_name("warcio"), "check", str(archive)], check=False
        ).returncode
        == 0
    )
    assert (
        subprocess.run(
            [Path(sys.executable).with_name("fastwarc"), "check", str(archive)],
            check=False,
            capture_output=True,
        ).returncode
        == 0
    )
    log = (tmp_path / "crawl" / "crawl.log").read_text().splitlines()
    assert sum(line.split()[1] == "200" for line in log) == 150


def assert_polite(requests, delay):
    last = {}
    for request in sorted(requests, key=lambda request: request.started):
        assert not request.path.startswith("/private/"), "robots.txt forbids it"
        if request.host in last:
            assert request.started - last[request.host] >= delay, f"{request.host} was not left to rest"
        last[request.host] = request.ended
    assert any(request.path == "/robots.txt" for request in requests)


def test_a_live_crawl_goes_on_and_does_not_ask_for_robots_again(server, tmp_path):
    with start_crawl(live_order(server, tmp_path / "crawl", **{"limits.max_pages": 60})) as crawler:
        crawler.run()
    asked = {request.host for request in server.log if request.path == "/robots.txt"}
    before = len(server.log)
    with resume_crawl(tmp_path / "crawl", {"limits.max_pages": 120}) as crawler:
        assert crawler.run() == StopReason.PAGE_LIMIT
    again = [request for request in list(server.log)[before:] if request.path == "/robots.txt"]
    reader = open_reader(tmp_path / "crawl")
    urls = [visit.url for visit in reader.visits()]
    known = {host for host in asked if any(f"//{host}/" in url for url in urls[:60])}
    assert not known & {request.host for request in again}
    assert len(set(urls)) == len(urls) == 120
    reader.close()


def test_a_live_crawl_is_a_recording_to_crawl_again(server, tmp_path, monkeypatch):
    monkeypatch.setenv("HONEYGUIDE_CACHE", str(tmp_path / "cache"))
    order = live_order(server, tmp_path / "live", **{"limits.max_pages": 80, "fetch.sitemaps": False})
    with start_crawl(order) as crawler:
        crawler.run()
    replayed = order.with_overrides(
        {
            "web.recording": str(tmp_path / "live"),
            "output.folder": str(tmp_path / "again"),
            "limits.max_pages": 0,
        }
    )
    with start_crawl(replayed) as crawler:
        assert crawler.run() == StopReason.FRONTIER_EMPTY
    crawls = []
    for name in ("live", "again"):
        reader = open_reader(tmp_path / name)
        crawls.append({visit.url: (visit.relevance, visit.digest) for visit in reader.visits()})
        reader.close()
    assert crawls[0] == crawls[1]


def test_a_sitemap_given_as_a_seed_is_a_list_of_seeds_and_no_page(server, tmp_path):
    home = server.served(WEB.seeds("bees")[0])
    sitemap = home[: home.index("/", 8)] + "/sitemap.xml"
    settings = {"seeds.urls": [sitemap], "limits.max_pages": 5, "strategy.name": "soft-focus"}
    with start_crawl(live_order(server, tmp_path / "crawl", **settings)) as crawler:
        assert crawler.run() == StopReason.PAGE_LIMIT
        assert crawler.harvest.pages == 5
    reader = open_reader(tmp_path / "crawl")
    visits, state, listed_by = list(reader.visits()), reader.state(), reader.find_url(sitemap)
    assert sitemap not in [visit.url for visit in visits]
    assert visits[0].priority == 1.0
    assert state.urls["status"][listed_by] == Status.LISTING
    assert np.isnan(state.urls["relevance"][listed_by])
    assert reader.numbers(0.5).counts["sitemaps"] == 1
    assert sitemap in {link.source for link in reader.links()}
    reader.close()
    (archive,) = (tmp_path / "crawl" / "archive").glob("*.warc.gz")
    assert f"WARC-Target-URI: {sitemap}".encode() in gzip.decompress(archive.read_bytes())
    said = CliRunner().invoke(app, ["explain", str(tmp_path / "crawl"), sitemap]).stdout
    assert "no page: a sitemap or feed, which was read for its" in said


def listed_only(asked):
    if asked.path != "/sitemap.xml":
        return page(f"<p>bees and honey at {asked.path}</p>".encode())
    entries = "".join(f"<url><loc>http://{ATTACKER}:{asked.port}/{n}</loc></url>" for n in range(3))
    return page(f"<urlset>{entries}</urlset>".encode(), content_type="application/xml")


@pytest.mark.parametrize("is_seed", [False, True])
def test_a_sitemap_of_robots_txt_is_no_seed_unless_it_was_given_as_one(tmp_path, is_seed):
    with AttackServer(makes(listed_only), robots=sitemaps_of("sitemap.xml")) as listing:
        home, sitemap = (f"http://{ATTACKER}:{listing.port}/{path}" for path in ("", "sitemap.xml"))
        seeds = {"seeds.file": "", "seeds.urls": [home, sitemap] if is_seed else [home]}
        order = crawl_order(listing, Attack(makes(listed_only), ""), tmp_path / "crawl")
        with start_crawl(order.with_overrides({**seeds, "strategy.name": "soft-focus"})) as crawler:
            assert crawler.run() == StopReason.FRONTIER_EMPTY
    reader = open_reader(tmp_path / "crawl")
    path, depth = reader.path_from_seed(reader.find_url(sitemap)), reader.state().urls["depth"]
    visits = {visit.url.rpartition("/")[2]: (visit.priority, visit.depth) for visit in reader.visits()}
    reader.close()
    assert [depth[at] for at in path] == ([0] if is_seed else [0, 1])
    expected = (1.0, 1) if is_seed else (0.0, 2)
    assert visits == {"": (1.0, 0), "0": expected, "1": expected, "2": expected}


def test_copies_are_not_counted_twice(server, tmp_path):
    first = server.url(0)
    order = live_order(
        server, tmp_path / "crawl", **{"seeds.urls": [first, f"{first}?print=1"], "limits.max_pages": 2}
    )
    with start_crawl(order) as crawler:
        crawler.run()
        assert crawler.harvest.pages == 2
    reader = open_reader(tmp_path / "crawl")
    copies = [visit.copy_of for visit in reader.visits()]
    reader.close()
    assert sorted(copy is None for copy in copies) == [False, True]


def test_nobody_else_is_crawled_without_a_contact(tmp_path):
    order = CrawlOrder().with_overrides(
        {
            "topic.text": "bees",
            "seeds.urls": ["https://example.org/"],
            "output.folder": str(tmp_path / "crawl"),
        }
    )
    with pytest.raises(SettingsError, match=r"politeness\.contact is not set"):
        start_crawl(order)
    assert not (tmp_path / "crawl").exists()
