"""Questions in SQL of crawls in PostgreSQL: the same answers as from a file, and PostgreSQL hears nothing of them."""

import re
import shutil
import time
from collections import Counter
from functools import partial

import psycopg
import pytest

from honeyguide.crawls import Crawl
from honeyguide.errors import SettingsError, StoreError
from honeyguide.sample_web.web import SampleWeb
from honeyguide.store import open_reader, sql_process
from honeyguide.store.folder import PLACE
from honeyguide.store.moving import move_to_postgres
from honeyguide.store.postgres.asked_rows import COPIED
from honeyguide.store.postgres.dialect import quoted
from honeyguide.store.postgres.place import Place
from honeyguide.store.sql_question import START_SECONDS
from honeyguide.store.sql_views import CHANGING, STATUSES, VIEWS
from honeyguide.topics.examples import Example
from honeyguide.topics.taxonomy import Taxonomy, TaxonomyTopic, TopicTree
from honeyguide.workers import Worker
from tests.postgres_server import server
from tests.store.test_sql_views import ENDLESS, REFUSED

WEB = SampleWeb(pages=400)
MANY = 100_000


@pytest.fixture(scope="module")
def address():
    with server() as started:
        yield started


@pytest.fixture(scope="module")
def in_file(tmp_path_factory):
    tree = TopicTree()
    examples = [Example(WEB.description(name)) for name in WEB.topic_names]
    taxonomy = Taxonomy.train(tree, examples, [tree.place(["All", name]) for name in WEB.topic_names])
    taxonomy.mark_good("All/bees")
    seeds = [*WEB.seeds("bees"), "http://nowhere.example/"]  # where there is nothing
    crawl = Crawl.start(tmp_path_factory.mktemp("file") / "bees", TaxonomyTopic(taxonomy), seeds, web=WEB)
    crawl.run(pages=60)
    crawl.label(crawl.top(1)[0].url, True, note="on queens")
    crawl.label("http://elsewhere.example/", None, unsure=True)
    return Crawl.open(crawl.folder)


@pytest.fixture(scope="module")
def moved(in_file, address, tmp_path_factory):
    folder = shutil.copytree(in_file.folder, tmp_path_factory.mktemp("moved") / "bees")
    move_to_postgres(folder, address.address, lambda done, total: None)
    return Crawl.open(folder)


@pytest.fixture(scope="module")
def divided(address, tmp_path_factory):
    folder = tmp_path_factory.mktemp("divided")
    settings = {
        "web.sample_pages": 1_000,
        "limits.max_pages": 60,
        "crawl.shards": 3,
        "output.store": address.address,
    }
    crawl = folder / "bees"
    web = SampleWeb(pages=1_000)
    Crawl.start(crawl, web.description("bees"), web.seeds("bees"), settings=settings)
    assert Worker(Place.read(crawl), folder / "worker").run() == "page_limit"
    return Crawl.open(crawl)


def asked_here(crawl, question):
    """Answered by this process: as quickly as many questions need it."""
    limits = {"most_rows": MANY, "seconds": 30.0, "memory": 512 << 20}
    told = {
        "folder": str(crawl.folder),
        "question": question,
        "threshold": crawl.threshold,
        "values": {"cash": 0.0},
    }
    return [tuple(row) for row in sql_process.answer(told | limits)["rows"]]


def everything(crawl, view):
    answer = crawl.sql(f"select * from {view}", most_rows=MANY)
    assert answer.columns == tuple(VIEWS[view].columns)
    return answer.rows


@pytest.mark.parametrize("view", VIEWS)
def test_every_view_has_the_rows_of_a_file(in_file, moved, view):
    rows = everything(moved, view)
    assert rows
    order = {"labels": lambda row: row[0]}.get(view)
    expected = everything(in_file, view)
    if order:
        rows, expected = sorted(rows, key=order), sorted(expected, key=order)
    assert [*rows] == [*map(pytest.approx, expected)]
    assert moved.sql(f"select count(*) from {view.upper()}").rows == ((len(rows),),)


@pytest.mark.parametrize("view", VIEWS)
def test_each_column_alone_is_what_it_is_among_all(moved, view):
    among_all = asked_here(moved, f"select * from {view}")
    for place, column in enumerate(VIEWS[view].columns):
        alone = asked_here(moved, f"select {column} from {view}")
        assert rounded(alone) == rounded((row[place],) for row in among_all), column


def rounded(rows):
    """PostgreSQL adds up in whatever order is quickest."""
    return Counter(round(value, 9) if isinstance(value, float) else value for (value,) in rows)


def test_copies_have_the_columns_of_the_views():
    assert {view: [*copied.columns] for view, copied in COPIED.items()} == {
        view: [*VIEWS[view].columns] for view in COPIED
    }


def test_a_divided_crawl_is_one(divided):
    with open_reader(divided.folder) as reader:
        visits, links = [*reader.visits()], [*reader.links()]
        urls = reader.state({"cash": 0.0}).urls
    assert len(visits) == 60
    pages = divided.sql("select number, id, url, relevance, via from pages").rows
    assert pages == tuple((v.number, v.url_id, v.url, v.relevance, v.via) for v in visits)
    answer = divided.sql("select source, target, anchor from links", most_rows=MANY)
    assert Counter(answer.rows) == Counter((link.source, link.target, link.anchor) for link in links)
    rows = divided.sql(f"select id, {', '.join(CHANGING)} from urls", most_rows=MANY).rows
    assert [row[0] for row in rows] == [*range(1, len(urls))]
    assert [row[1] for row in rows] == [STATUSES[status] for status in urls["status"][1:]]
    assert [-float("inf") if row[4] is None else row[4] for row in rows] == urls["priority"][1:].tolist()
    cash = divided.sql("select value from url_values where name = 'cash' order by id", most_rows=MANY).rows
    assert [value for (value,) in cash] == urls["cash"][1:].tolist()
    hosts = divided.sql("select host, pages, relevant from hosts where pages order by 1").rows
    assert hosts == tuple(sorted((host.host, host.pages, host.relevant) for host in divided.hosts(1000)))


@pytest.mark.parametrize(("question", "words"), REFUSED)
def test_what_a_question_may_not_do(moved, question, words):
    ask = moved.sql if "text" in words or "characters" in words else partial(asked_here, moved)
    with pytest.raises(SettingsError) as told:
        ask(question.format(folder=moved.folder))
    # Most tables of the store are not there where the question is answered.
    assert words in str(told.value) or ("no such table" in str(told.value) and "from" in question)


@pytest.mark.parametrize(
    "question",
    [
        "select pg_read_file('/etc/passwd')",
        "select pg_sleep(10)",
        "select lo_import('/etc/passwd')",
        "select set_config('transaction_read_only', 'off', false)",
        "select current_setting('data_directory')",
        "select pg_terminate_backend(1)",
        "select pg_advisory_lock(7, 1)",
        "select nextval('visits_n_seq')",
        "select * from dblink('', 'select 1') as t(x int)",
        "select query_to_xml('select * from pg_authid', true, true, '')",
        "copy visits to program 'true'",
        "select * from pg_authid",
        "select * from pg_stat_activity",
        "select * from information_schema.tables",
        "select * from {other}.visits",
        "set role crawler",
        "do $$ begin perform 1; end $$",
        "prepare q as select 1",
        "select 1; drop table visits",
        "select url from pages where url = $$x$$; rollback; delete from visits",
    ],
)  # fmt: skip
def test_what_postgresql_could_do_cannot_be_asked_for(moved, divided, question):
    other = quoted(Place.read(divided.folder).schema)
    with pytest.raises(SettingsError):
        asked_here(moved, question.format(other=other))


def test_only_our_own_statements_reach_postgresql(moved, address):
    with psycopg.connect(address.address, autocommit=True) as db:
        db.execute("ALTER DATABASE postgres SET log_statement TO 'all'")
        before = address.log.stat().st_size
        moved.sql(
            "select title as zebra, 'quagga' from pages join links on id = target_id where anchor != 'okapi'"
        )
        db.execute("ALTER DATABASE postgres RESET log_statement")
    heard = re.findall(r"LOG: +(?:statement|execute \S+): (\w+)", address.log.read_text()[before:])
    assert {"BEGIN", "DECLARE", "FETCH", "ROLLBACK"} <= {*heard}
    assert {*heard} <= {"SET", "SELECT", "BEGIN", "DECLARE", "FETCH", "CLOSE", "ROLLBACK", "ALTER"}
    assert "READ ONLY" in address.log.read_text()
    assert not {"zebra", "quagga", "okapi"} & {*re.findall(r"\w+", address.log.read_text())}


def test_what_would_take_too_long_is_stopped(moved):
    with pytest.raises(SettingsError, match=r"takes longer than the 0.5 s"):
        moved.sql(f"{ENDLESS} select count(*) from n", seconds=0.5)


def test_postgresql_is_not_waited_for_longer(moved, address):
    """Somebody has locked what the question needs."""
    schema = quoted(Place.read(moved.folder).schema)
    with psycopg.connect(address.address) as db:
        db.execute(f"LOCK TABLE {schema}.failures IN ACCESS EXCLUSIVE MODE")
        began = time.monotonic()
        with pytest.raises(SettingsError, match=r"takes longer than the 1 s"):
            moved.sql("select url from failures", seconds=1)
        assert time.monotonic() - began < 1 + START_SECONDS + 5


def test_what_needs_too_much_memory_is_stopped(moved):
    with pytest.raises(SettingsError, match="needs more than the 16 MB of memory it may have"):
        moved.sql(f"{ENDLESS} select x, printf('%90000d', x) from n order by 2", memory_mb=16)


def test_a_copy_counts_as_memory(moved, address):
    """A title as long as a book: the crawl does not fit into what the question may have."""
    schema = quoted(Place.read(moved.folder).schema)
    with psycopg.connect(address.address) as db:
        titles = db.execute(f"SELECT title, n FROM {schema}.visits WHERE n <= 40").fetchall()
        db.execute(f"UPDATE {schema}.visits SET title = repeat('bees', 250000) WHERE n <= 40")
        db.commit()
        try:
            with pytest.raises(SettingsError, match="needs more than the 16 MB"):
                moved.sql("select max(title) from pages", memory_mb=16)
            assert moved.sql("select count(*) from pages", memory_mb=16).rows == ((60,),)
        finally:
            db.cursor().executemany(f"UPDATE {schema}.visits SET title = %s WHERE n = %s", titles)
            db.commit()


def test_a_database_that_is_gone_is_named_without_its_password(moved, tmp_path):
    folder = shutil.copytree(moved.folder, tmp_path / "bees")
    place = Place.read(folder)
    Place("postgresql://me:secret@127.0.0.1:1/none", place.schema).write(folder)
    assert "secret" in (folder / PLACE).read_text()
    with pytest.raises(StoreError) as told:
        Crawl.open(folder).sql("select count(*) from pages")
    assert "secret" not in str(told.value)
