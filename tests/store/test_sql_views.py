"""Questions in SQL: the views say what the reader says, and a question can do nothing but ask, within its limits."""

import hashlib
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from honeyguide.crawls import Crawl
from honeyguide.errors import SettingsError, StoreError
from honeyguide.model import Status
from honeyguide.sample_web.web import SampleWeb
from honeyguide.store import open_store, sql_question
from honeyguide.store.folder import DATABASE
from honeyguide.store.sql_views import CHANGING, STATUSES, VIEWS
from honeyguide.topics.examples import Example
from honeyguide.topics.taxonomy import Taxonomy, TaxonomyTopic, TopicTree
from honeyguide.urls import site_of


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> Crawl:
    web, tree = SampleWeb(pages=400), TopicTree()
    examples = [Example(web.description(name)) for name in web.topic_names]
    taxonomy = Taxonomy.train(tree, examples, [tree.place(["All", name]) for name in web.topic_names])
    taxonomy.mark_good("All/bees")
    folder = tmp_path_factory.mktemp("crawls") / "bees"
    crawl = Crawl.start(folder, TaxonomyTopic(taxonomy), web.seeds("bees"), web=web)
    crawl.run(pages=60)
    return Crawl.open(folder)


@pytest.fixture
def copied(crawl: Crawl, tmp_path: Path) -> Crawl:
    return Crawl.open(shutil.copytree(crawl.folder, tmp_path / "copy"))


def change(crawl: Crawl, statement: str, *given: object) -> None:
    with closing(sqlite3.connect(crawl.folder / DATABASE)) as db, db:
        db.execute(statement, given)


@pytest.mark.parametrize("name", VIEWS)
def test_every_view_has_the_columns_it_is_said_to_have(crawl: Crawl, name: str) -> None:
    assert crawl.sql(f"select * from {name} limit 0").columns == tuple(VIEWS[name].columns)


@pytest.mark.parametrize("name", VIEWS)
def test_a_view_may_be_named_in_any_case_and_counted_anywhere(crawl: Crawl, name: str) -> None:
    rows = len(crawl.sql(f"select * from {name.upper()}", most_rows=10_000).rows)
    question = (
        f"select (select count(*) from {name.upper()}) union all select count(*) from {name}, (select 1)"
    )
    assert crawl.sql(question).rows == ((rows,), (rows,))


def test_pages_are_the_visits(crawl: Crawl) -> None:
    columns = ("number", "id", "url", "time", "relevance", "title", "digest", "via", "topic_class")
    for view in ("pages", "visits"):
        asked = crawl.sql(f"select {', '.join(columns)}, host, relevant from {view} order by number")
        with crawl.reader() as reader:
            visits = list(reader.visits())
        assert [row[:9] for row in asked.rows] == [
            (v.number, v.url_id, v.url, v.time, v.relevance, v.title, v.digest, v.via, v.topic_class)
            for v in visits
        ]
        pages = list(crawl.visits())
        assert [row[9:] for row in asked.rows] == [(page.host, int(page.is_relevant)) for page in pages]
        assert 0 < sum(page.is_relevant for page in pages) < len(pages)


def test_classes_are_those_the_topic_gives(crawl: Crawl) -> None:
    topic, pages = crawl.topic, list(crawl.visits())
    given = topic.classify([page.text() for page in pages]).classes
    asked = crawl.sql("select topic_class, pages from classes order by topic_class")
    assert asked.rows == tuple((name, given.count(name)) for name in sorted({*given}))
    assert len(asked.rows) > 1


def test_links_are_one_row_each(crawl: Crawl) -> None:
    asked = crawl.sql("select source, target, anchor from links", most_rows=100_000)
    with crawl.reader() as reader:
        assert asked.rows == tuple((link.source, link.target, link.anchor) for link in reader.links())
    assert crawl.sql("select count(*) from links").rows == ((len(asked.rows),),)
    # Joined from either end, by numbers as by urls.
    page = crawl.top(1)[0].url
    into = f"select count(*) from links join pages on pages.id = links.{{}} where url = '{page}'"
    for end, texts in (
        ("source_id", [row[0] for row in asked.rows]), ("target_id", [row[1] for row in asked.rows])
    ):  # fmt: skip
        assert crawl.sql(into.format(end)).rows == ((texts.count(page),),)


def test_of_a_page_that_was_fetched_again_the_last_visit_counts(copied: Crawl) -> None:
    url_id = crawl_first(copied)
    for table, column in (("links", "page"), ("visits", "url_id")):
        change(copied, f"UPDATE {table} SET former = 1 WHERE {column} = ?", url_id)
    again = "INSERT INTO links (page, targets, anchors) VALUES (?, x'01000000', '[\"again\"]')"
    change(copied, again, url_id)
    change(
        copied,
        "INSERT INTO visits (url_id, time, status, relevance, depth, bytes, title, language, content_type, digest,"
        " links) VALUES (?, 1, 200, 0, 0, 0, 'again', '', '', '', 1)",
        url_id,
    )
    assert copied.sql(f"select title from pages where id = {url_id}").rows == (("again",),)
    assert copied.sql("select count(*) from visits").rows == ((61,),)
    links = copied.sql(f"select target_id, anchor from links where source_id = {url_id}")
    assert links.rows == ((1, "again"),)


def crawl_first(crawl: Crawl) -> int:
    return next(iter(crawl.visits())).visit.url_id


def test_urls_have_their_state_as_it_is_replayed(crawl: Crawl) -> None:
    rows = crawl.sql(f"select id, {', '.join(CHANGING)} from urls", most_rows=100_000).rows
    with crawl.reader() as reader:
        urls = reader.state().urls
    assert [row[0] for row in rows] == list(range(1, len(urls)))
    assert [row[1] for row in rows] == [STATUSES[status] for status in urls["status"][1:]]
    assert [row[2] for row in rows] == [STATUSES[outcome] for outcome in urls["outcome"][1:]]
    assert [-float("inf") if row[4] is None else row[4] for row in rows] == urls["priority"][1:].tolist()
    relevance = {row[0]: row[5] for row in rows if row[5] is not None}
    assert relevance == {page.visit.url_id: page.relevance for page in crawl.visits()}
    assert crawl.sql("select count(*) from urls").rows == ((len(rows),),)


def test_the_names_of_statuses_are_those_of_the_state() -> None:
    assert tuple(status.name.lower() for status in Status) == STATUSES


def test_values_of_the_strategy(crawl: Crawl) -> None:
    rows = crawl.sql("select id, value from url_values where name = 'cash'", most_rows=100_000).rows
    with crawl.reader() as reader:
        cash = reader.state({"cash": 0.0}).urls["cash"]
    assert [value for _, value in rows] == cash[1:].tolist()
    assert any(value for _, value in rows)


def test_hosts_and_failures(crawl: Crawl) -> None:
    asked = (
        "select host, pages, relevant, mean_relevance, site from hosts where pages order by 3 desc, 4 desc, 1"
    )
    known = crawl.hosts(1000)
    assert crawl.sql(asked).rows == tuple(
        (host.host, host.pages, host.relevant, host.mean_relevance, site_of(host.host)) for host in known
    )
    status = crawl.status()
    assert crawl.sql("select count(*), sum(urls), sum(failures) from hosts").rows == (
        (status.hosts, status.urls, status.failures),
    )
    with crawl.reader() as reader:
        failures = [(failure.url, failure.error, failure.status) for failure in reader.failures()]
    assert crawl.sql("select url, error, status from failures").rows == tuple(failures)


def test_labels_are_known_before_the_crawl_has_read_them(copied: Crawl) -> None:
    page = copied.top(1)[0]
    copied.label(page.url, True, note="on queens", by="ann", asked="best")
    copied.label("http://elsewhere.example/", None, unsure=True)
    rows = copied.sql("select id, url, relevant, unsure, note, said_by, asked from labels order by id").rows
    assert rows == (
        (None, "http://elsewhere.example/", None, 1, "", "", ""),
        (page.visit.url_id, page.url, 1, 0, "on queens", "ann", "best"),
    )


def test_a_crawl_is_asked_while_it_runs(copied: Crawl) -> None:
    with closing(open_store(copied.folder)):
        assert copied.sql("select count(*) from pages").rows == ((60,),)


def test_rows_are_plain_and_columns_have_names_of_their_own(crawl: Crawl) -> None:
    answer = crawl.sql("select 1 as a, 2 as a, x'00ff' as b, 9e999 as c, null as d, 'ä' as e")
    assert answer.columns == ("a", "a 2", "b", "c", "d", "e")
    assert answer.rows == ((1, 2, "00ff", None, None, "ä"),)


def test_an_answer_is_cut(crawl: Crawl) -> None:
    answer = crawl.sql("select id from pages", most_rows=3)
    assert (len(answer.rows), answer.truncated) == (3, True)
    answer = crawl.sql("select printf('%900000d', id) from pages")
    assert (len(answer.rows) < 30, answer.truncated) == (True, True)
    assert not crawl.sql("select id from pages limit 3", most_rows=3).truncated


REFUSED = [
    ("attach '{folder}/new.db' as other", "only be a SELECT"),
    ("pragma writable_schema = on", "only be a SELECT"),
    ("select * from pragma_table_info('visits')", "only be a SELECT"),
    ("delete from main.visits", "only be a SELECT"),
    ("insert into temp.link_rows values (1, 1)", "only be a SELECT"),
    ("create temp table mine (id)", "only be a SELECT"),
    ("drop view pages", "only be a SELECT"),
    ("commit", "only be a SELECT"),
    ("vacuum into '{folder}/new.db'", "cannot VACUUM"),
    ("select load_extension('x.so')", "the function load_extension"),
    ("select randomblob(1000000000)", "the function randomblob"),
    ("select zeroblob(1000000000)", "the function zeroblob"),
    ("select * from inbox", "it may not read inbox"),
    ("select count(*) from inbox", "it may not read inbox"),
    ("select * from main.visits", "it may not read visits"),
    ("select count(*) from main.visits", "it may not read visits"),
    ("select count(*) from main.urls", "it may not read urls"),
    ("select (select count(*) from main.hosts), count(*) from urls", "it may not read hosts"),
    ("select exists (select 1 from main.urls) from pages", "it may not read urls"),
    ("select count(*) from temp.link_rows", "it may not read link_rows"),
    ("select count(*) from temp.anchor_rows, links", "it may not read anchor_rows"),
    ("select * from sqlite_master", "it may not read sqlite_master"),
    ("select count(*) from sqlite_temp_master", "it may not read sqlite_temp_master"),
    ("with pages as (select command from main.inbox) select * from pages", "it may not read inbox"),
    ("select 1; select 2", "one statement"),
    ("explain select 1", "syntax error"),
    ("selec 1", "syntax error"),
    ("-- nothing", "incomplete input"),
    ("select nope from links", "no such column: nope; links has source_id, source"),
    ("select * from nope", "no such table: nope; there are pages, visits"),
    ("select ?", "bindings"),
    ("select '" + 20_000 * "x" + "'", "at most 20,000 characters"),
    ("select '\0'", "a question is text"),
    ("select '\ud800'", "a question is text"),
    ("select " + 200 * "(" + "1" + 200 * ")", "parser stack overflow"),
    ("select count(*) from " + ", ".join(f"pages p{n}" for n in range(1000)), "too many FROM clause terms"),
    ("select replace(hex(printf('%400000d', 1)), '2', '12345678')", "more than 1,000,000 characters"),
    ("select group_concat(printf('%90000d', id)) from pages", "more than 1,000,000 characters"),
    ("select 1 like printf('%200d', 1)", "LIKE or GLOB pattern too complex"),
]  # fmt: skip
"""Questions, and what is said of them."""


@pytest.mark.parametrize(("question", "words"), REFUSED)
def test_what_a_question_may_not_do(crawl: Crawl, question: str, words: str) -> None:
    before = {path.name: _digest(path) for path in crawl.folder.iterdir() if path.suffix == ".db"}
    with pytest.raises(SettingsError) as told:
        crawl.sql(question.format(folder=crawl.folder))
    assert words in str(told.value)
    assert {path.name: _digest(path) for path in crawl.folder.iterdir() if path.suffix == ".db"} == before


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


ENDLESS = "with recursive n(x) as (select 1 union all select x + 1 from n)"
SLOW_LIKE = "select printf('%900000d', 1) like '" + "% " * 45 + "%x'"
DOUBLED = "with a0 as (select 1 as x)" + "".join(
    f", a{n} as (select * from a{n - 1} union all select * from a{n - 1})" for n in range(1, 40)
)


@pytest.mark.parametrize(
    "question",
    [
        f"{ENDLESS} select count(*) from n",
        "select count(*) from links a, links b, links c where a.anchor < b.anchor and b.anchor < c.anchor",
        f"{DOUBLED} select count(*) from a39",  # not even compiled
    ],
)
def test_what_would_take_too_long_is_stopped(
    crawl: Crawl, question: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sql_question, "START_SECONDS", 0.5)
    with pytest.raises(SettingsError, match=r"takes longer than the 0.5 s .*--seconds|needs more than"):
        crawl.sql(question, seconds=0.5)


def test_a_pattern_of_many_wildcards_is_answered(crawl: Crawl) -> None:
    assert crawl.sql(SLOW_LIKE).rows == ((0,),)


def test_what_needs_too_much_memory_is_stopped(crawl: Crawl) -> None:
    with pytest.raises(SettingsError, match="needs more than the 16 MB of memory it may have"):
        crawl.sql(f"{ENDLESS} select x, printf('%90000d', x) from n order by 2", memory_mb=16)


@pytest.mark.parametrize("limits", [{"most_rows": -1}, {"seconds": 0}, {"memory_mb": 1}])
def test_limits_have_limits(crawl: Crawl, limits: dict[str, int]) -> None:
    with pytest.raises(SettingsError, match="of a question is"):
        crawl.sql("select 1", **limits)


def test_a_damaged_store_is_named(copied: Crawl) -> None:
    change(copied, "UPDATE links SET anchors = '[]' WHERE n = 3")
    with pytest.raises(StoreError, match=r"crawl.db is damaged: .* links have"):
        copied.sql("select anchor from links")
    change(copied, "UPDATE links SET targets = x'0102' WHERE n = 3")
    with pytest.raises(StoreError, match=r"damaged"):
        copied.sql("select * from links")
