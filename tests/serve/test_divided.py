"""A crawl that workers share, in PostgreSQL: whoever reads it, by verbs or over HTTP, sees one crawl."""

import json

import pytest
from typer.testing import CliRunner

from honeyguide.cli.main import app
from honeyguide.crawls import Crawl
from honeyguide.store.database_reader import DatabaseReader
from honeyguide.store.postgres.place import Place
from honeyguide.workers import Worker
from tests.postgres_server import server
from tests.serve.conftest import WEB, serving

pytest.importorskip("psycopg", reason="the extra `postgres` is not installed")
PAGES = 30


@pytest.fixture(scope="module")
def workspace(tmp_path_factory):
    folder = tmp_path_factory.mktemp("divided")
    with server() as database:
        settings = {
            "web.sample_pages": WEB.pages,
            "limits.max_pages": PAGES,
            "crawl.shards": 3,
            "output.store": database.address,
            "output.archive_at": (folder / "pages").as_uri(),
        }
        crawl = folder / "crawls" / "bees"
        Crawl.start(crawl, WEB.description("bees"), WEB.seeds("bees"), settings=settings)
        assert Worker(Place.read(crawl), folder / "worker").run() == "page_limit"
        yield folder


def test_all_verbs_that_read(workspace):
    folder, best = workspace / "crawls" / "bees", next(iter(Crawl.open(workspace / "crawls" / "bees").top(1)))

    def said(verb, *words, code=0):
        done = CliRunner().invoke(app, [verb, str(folder), *map(str, words)], catch_exceptions=False)
        assert done.exit_code == code, done.output
        return done.output

    assert json.loads(said("status", "--json"))["pages"] == PAGES
    assert best.url in said("top")
    assert f"Relevance {best.relevance:.3f}" in said("explain", best.url)
    assert "pages" in said("explain", "--strategy")
    assert f"{PAGES} new pages" in said("index")
    assert "1. " in said("search", "bees")
    assert "urls wait" in said("queue")
    for verb in ("hubs", "sites", "changes"):
        assert "example" in said(verb), verb
    for what in ("pages", "links", "hosts", "sites", "failures", "labels"):
        said("export", workspace / f"{what}.csv", "--what", what)
    assert len((workspace / "pages.csv").read_text().splitlines()) == PAGES + 1
    said("export", workspace / "all.wacz")
    assert str(PAGES) in said("sql", "select count(*) from pages")
    for verb in ("stop", "pause", "resume"):
        assert "honeyguide worker" in said(verb, code=2)


def test_all_that_is_served(workspace):
    with serving(workspace) as served, served.client() as client:
        (listed,) = client.get("/crawls", params={"numbers": True}).json()["items"]
        assert (listed["state"], listed["status"]["pages"]) == ("stopped", PAGES)
        url = client.get("/crawls/bees/top").json()["items"][0]["url"]
        of_crawl = [
            path
            for path, operations in client.get("/openapi.json").json()["paths"].items()
            if "/crawls/{crawl}" in path and "get" in operations and not path.endswith(("/events", "/copy"))
        ]
        assert len(of_crawl) > 25
        for path in of_crawl:
            asked = path.partition("/api/v1")[2].replace("{crawl}", "bees")
            answer = client.get(asked, params=GIVEN.get(asked.rpartition("/")[2], {}) | {"url": url})
            assert answer.status_code == 200, (asked, answer.text)
        answer = client.post("/crawls/bees/sql", json={"question": "select sum(pages) from hosts"})
        assert answer.json()["rows"] == [[PAGES]]
        assert client.post("/crawls/bees/run").status_code == 409
        assert "honeyguide worker" in client.post("/crawls/bees/run").text


def test_pages_that_only_a_worker_can_read_are_left_out(workspace, monkeypatch):
    with serving(workspace) as served, served.client() as client:
        urls = [page["url"] for page in client.get("/crawls/bees/top").json()["items"]]
        asked = {"urls": urls[:3]}
        found = client.post("/crawls/bees/glances", json=asked).json()
        assert [page["url"] for page in found] == urls[:3]
        monkeypatch.setattr(DatabaseReader, "address_of", lambda reader, file: "")  # as if it were not sent
        answer = client.post("/crawls/bees/glances", json=asked)
        assert (answer.status_code, answer.json()) == (200, [])


GIVEN = {
    "search": {"query": "bees"},
    "preview": {"pattern": "example", "action": "raise"},
    "compare": {"before": 0, "after": 0},
    "site": {"site": "http://pupa-0.example/"},
}
"""What some of them cannot do without."""
