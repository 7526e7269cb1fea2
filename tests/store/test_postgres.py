"""Crawls in a real PostgreSQL: the same as in SQLite, whatever dies, moved there and back without a loss."""

import json
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from honeyguide.checks import check_reader, check_store
from honeyguide.cli.main import app
from honeyguide.crawls import Crawl
from honeyguide.errors import CrawlLocked, StoreError
from honeyguide.sample_web.web import SampleWeb
from honeyguide.state.state import State
from honeyguide.store import open_reader, open_store
from honeyguide.store.base import Batch, PageLinks
from honeyguide.store.folder import DATABASE, PLACE
from honeyguide.store.inbox import post
from honeyguide.store.moving import TABLES, move_to_file, move_to_postgres
from honeyguide.store.postgres.place import Place
from tests.postgres_server import server

pytest.importorskip("psycopg", reason="the extra `postgres` is not installed")
KILLED_CRAWL = "tests.end_to_end.killed_crawl"
REPOSITORY = Path(__file__).parents[2]
WEB = SampleWeb(pages=1_000)


@pytest.fixture(scope="module")
def address():
    with server() as started:
        yield started


@pytest.fixture
def folder(address, tmp_path):
    place = Place.choose(address, tmp_path)
    place.write(tmp_path)
    yield tmp_path
    place.drop()


def no_progress(done, total):
    pass


def crawled(folder, pages, **settings):
    order = {"web.sample_pages": WEB.pages, "limits.max_pages": pages, **settings}
    crawl = Crawl.start(folder, topic=WEB.description("bees"), seeds=WEB.seeds("bees"), settings=order)
    crawl.run()
    return crawl


def told(crawl):
    with open_reader(crawl.folder) as reader:
        visits = [
            (visit.number, visit.url, visit.relevance, visit.priority, visit.title)
            for visit in reader.visits()
        ]
        failures = [(failure.url, failure.error, failure.message) for failure in reader.failures()]
        state = reader.state()
        columns = {name: state.urls[name].tolist() for name in ("status", "priority", "depth", "via", "host")}
        return visits, failures, [*reader.links()], columns, crawl.status().counts


def test_store(folder):
    check_store(lambda: open_store(folder))


def test_reader(folder):
    check_reader(
        lambda: open_store(folder), lambda: open_reader(folder), lambda command: post(folder, command)
    )


def test_a_crawl_is_the_same_as_in_sqlite_there_and_back(address, tmp_path):
    here = crawled(tmp_path / "here", 150)
    there = crawled(tmp_path / "there", 150, **{"output.store": address})
    assert not (there.folder / DATABASE).exists()
    expected = told(here)
    assert repr(told(there)) == repr(expected)
    assert [page.url for page in there.top(20)] == [page.url for page in here.top(20)]
    asked = [crawl.explain(here.top(1)[0].url) for crawl in (here, there)]
    assert repr(asked[0].ranking) == repr(asked[1].ranking)
    move_to_file(there.folder, no_progress)
    assert repr(told(Crawl.open(there.folder))) == repr(expected)
    move_to_postgres(here.folder, address, no_progress)
    assert repr(told(Crawl.open(here.folder))) == repr(expected)
    ends = [Crawl.open(crawl.folder) for crawl in (here, there)]
    for crawl in ends:
        crawl.run(pages=200)
    assert repr(told(ends[0])) == repr(told(ends[1])), "both go on alike"
    Place.read(here.folder).drop()


def test_the_verb_moves_a_crawl_there_and_back(address, tmp_path):
    folder = tmp_path / "crawl"
    pages = [page.url for page in crawled(folder, 20).visits()]
    told = CliRunner().invoke(app, ["move", str(folder), address])
    assert (told.exit_code, (folder / DATABASE).exists()) == (0, False), told.output
    assert "in PostgreSQL now" in told.output
    asked = CliRunner().invoke(app, ["sql", str(folder), "select count(*) from pages", "--json"])
    assert (asked.exit_code, json.loads(asked.output)["rows"]) == (0, [[20]]), asked.output
    again = CliRunner().invoke(app, ["move", str(folder), address])
    assert "in PostgreSQL already" in again.output
    assert CliRunner().invoke(app, ["move", str(folder)]).exit_code == 0
    assert [page.url for page in Crawl.open(folder).visits()] == pages
    assert "name a database to move it to" in CliRunner().invoke(app, ["move", str(folder)]).output


def test_all_tables_are_moved(tmp_path):
    open_store(tmp_path).close()
    with closing(sqlite3.connect(tmp_path / DATABASE)) as db:
        found = {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    assert found == {*TABLES}


@pytest.mark.slow
def test_killed_at_random_moments(folder, tmp_path_factory):
    whole_folder = tmp_path_factory.mktemp("whole")
    ends = {}
    for name, where, kills in (("killed", folder, 8), ("whole", whole_folder, 0)):
        command = [sys.executable, "-m", KILLED_CRAWL, str(where), "300", str(kills), "honeyguide", "1"]
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=300, check=False, cwd=REPOSITORY
        )
        assert done.returncode == 0, done.stderr
        ends[name] = json.loads(done.stdout)
    killed, whole = ends["killed"], ends["whole"]
    assert killed["kills"] >= 4
    assert (killed["lost"], killed["asked_again"]) == ([], [])
    for part in ("visits", "links", "failures", "columns", "tables", "harvest_log"):
        assert killed[part] == whole[part], part


def test_another_folder_cannot_write_into_the_same_schema(folder, tmp_path_factory):
    other = tmp_path_factory.mktemp("other")
    Place.read(folder).write(other)
    store = open_store(folder)
    with pytest.raises(CrawlLocked, match="in use by another process"):
        open_store(other)
    store.close()
    open_store(other).close()


def test_hostile_texts_are_kept_as_far_as_postgresql_can(folder):
    store, state = open_store(folder), State()
    host = np.zeros(1, dtype=np.int32)
    state.host_id("a.example")
    state.add(["http://a.example/%00?a=\\.&b=\t\\N"], np.ones(1, dtype=np.uint64), host, host, host)
    anchors = ["a\x00b", "\\N", "\t\n\\.", "\ud800", "'; DROP TABLE urls; --"]
    targets = np.zeros(len(anchors), dtype=np.int32)
    store.commit(Batch(state.take_changes(), links=[PageLinks(0, targets, anchors)]), state)
    assert store.url_texts(host) == ["http://a.example/%00?a=\\.&b=\t\\N"]
    with open_reader(folder) as reader:
        assert [links.anchors for links in reader.link_lists()] == [anchors]
    store.close()


def test_what_is_told_together_is_there_or_fails_as_one(folder):
    with closing(Place.read(folder).connect()) as database:
        database.script("CREATE SCHEMA IF NOT EXISTS " + Place.read(folder).schema)
        database.execute("CREATE TABLE things (n BIGINT PRIMARY KEY, name TEXT)")
        with database.together():
            database.execute("BEGIN")
            database.executemany("INSERT INTO things (n, name) VALUES (?, ?)", [(1, "a"), (2, "b\0")])
            assert database.ask("SELECT count(*) FROM things") == [(2,)]
            database.execute("UPDATE things SET name = ? WHERE n = ?", ("c", 1))
            database.execute("COMMIT")
        assert database.ask("SELECT name FROM things ORDER BY n") == [("c",), ("b\ufffd",)]
        database.execute("BEGIN")
        with pytest.raises(StoreError, match="duplicate key"), database.together():
            database.executemany("INSERT INTO things VALUES (?, ?)", [(3, "d"), (1, "again")])
        database.execute("ROLLBACK")
        assert not database.in_transaction
        assert database.ask("SELECT count(*) FROM things") == [(2,)]


def test_what_is_wrong_is_told_without_the_password(tmp_path):
    with pytest.raises(
        StoreError, match=r"postgresql://me@127\.0\.0\.1:1/x: .*is the database there"
    ) as error:
        crawled(tmp_path / "a", 5, **{"output.store": "postgresql://me:secret@127.0.0.1:1/x"})
    assert "secret" not in str(error.value)
    with pytest.raises(StoreError, match="it must be like postgresql://"):
        crawled(tmp_path / "b", 5, **{"output.store": "mysql://me@db/x"})
    (tmp_path / PLACE).write_text("{}")
    with pytest.raises(StoreError, match=r"crawl\.store: it must be"):
        open_store(tmp_path)
