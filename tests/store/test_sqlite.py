"""The SQLite store's own promises: locks, versions, a full disk, a log that does not grow for ever."""

import sqlite3
import subprocess
import sys

import numpy as np
import pytest

from honeyguide.commands import Label, Pause, Steer, Unsteer, read_command
from honeyguide.errors import CrawlLocked, DiskFull, StoreError
from honeyguide.patterns import Rule
from honeyguide.state.state import State
from honeyguide.store import open_reader
from honeyguide.store.base import Batch, LabelRow, PageLinks
from honeyguide.store.folder import DATABASE
from honeyguide.store.inbox import post, post_all
from honeyguide.store.schema import MIGRATIONS, VERSION
from honeyguide.store.sqlite.reader import SqliteReader
from honeyguide.store.sqlite.store import SqliteStore


def grow(state: State, count: int, text: str = "x") -> None:
    start = len(state)
    host = np.zeros(count, dtype=np.int32)
    state.host_id("a.example")
    prints = np.arange(start, start + count, dtype=np.uint64)
    state.add([f"http://a.example/{text}{n}" for n in prints], prints, host, host, host)


def test_a_second_process_is_refused_with_the_owner_named(tmp_path):
    store = SqliteStore(tmp_path)
    script = (
        "import sys; from pathlib import Path; from honeyguide.store.sqlite.store import SqliteStore\n"
        "try: SqliteStore(Path(sys.argv[1]))\n"
        "except Exception as error: print(type(error).__name__, error)"
    )
    command = [sys.executable, "-W", "ignore", "-c", script, str(tmp_path)]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert told.startswith("CrawlLocked")
    assert f"in use by process {__import__('os').getpid()}" in told
    store.close()
    SqliteStore(tmp_path).close()


def test_the_lock_is_free_again_after_closing(tmp_path):
    SqliteStore(tmp_path).close()
    store = SqliteStore(tmp_path)
    with pytest.raises(CrawlLocked):
        SqliteStore(tmp_path)
    store.close()


def test_a_crawl_from_the_future_is_refused(tmp_path):
    SqliteStore(tmp_path).close()
    db = sqlite3.connect(tmp_path / DATABASE)
    db.execute(f"PRAGMA user_version = {VERSION + 1}")
    db.close()
    with pytest.raises(StoreError, match="newer honeyguide"):
        SqliteStore(tmp_path)
    with pytest.raises(StoreError, match="newer honeyguide"):
        open_reader(tmp_path)


def test_a_crawl_of_any_earlier_version_opens(tmp_path):
    for version in range(1, VERSION):
        folder = tmp_path / str(version)
        folder.mkdir()
        db = sqlite3.connect(folder / DATABASE)
        for script in MIGRATIONS[:version]:
            db.executescript(script)
        db.executescript(
            f"PRAGMA user_version = {version};"
            "INSERT INTO hosts (id, name, ready_at) VALUES (0, '', 0), (1, 'a.example', 7.5);"
            "INSERT INTO urls (id, url, fingerprint, host, depth, via) VALUES (0, '', 0, 0, 0, 0),"
            " (1, 'http://a.example/', 1, 1, 0, 0);"
        )
        db.close()
        store, state = SqliteStore(folder), State()
        store.load(state)
        assert state.host_names == ["", "a.example"]
        assert state.hosts["barren"].tolist() == state.hosts["given"].tolist() == [0, 0]
        store.commit(Batch(state.take_changes(), yields={1: (3, 4)}), state)
        store.close()
        with open_reader(folder) as reader:
            loaded = reader.state()
        assert (loaded.hosts["barren"].tolist(), loaded.hosts["given"].tolist()) == ([0, 3], [0, 4])


@pytest.mark.parametrize("content", [b"", b"not a database at all" * 100])
def test_a_file_that_is_no_database(tmp_path, content):
    (tmp_path / DATABASE).write_bytes(content)
    if content:
        with pytest.raises(StoreError, match=r"is it a crawl's folder"):
            SqliteStore(tmp_path)
    else:
        SqliteStore(tmp_path).close()


@pytest.mark.parametrize("odd", ["蜂 → bée", '"\\\x00\x7f\u2028', "a surrogate \ud800 alone"])
def test_anchors_are_kept_whatever_is_in_them(tmp_path, odd):
    store, state = SqliteStore(tmp_path), State()
    grow(state, 3)
    targets = np.array([1, 2], dtype=np.int32)
    store.commit(Batch(state.take_changes(), links=[PageLinks(0, targets, ["", odd])]), state)
    store.close()
    assert [link.anchor for link in open_reader(tmp_path).links()] == ["", odd]


def test_a_full_disk_is_told_and_loses_nothing_committed(tmp_path):
    store, state = SqliteStore(tmp_path), State()
    grow(state, 100)
    store.commit(Batch(state.take_changes()), state)
    pages = store._db.execute("PRAGMA page_count").fetchone()[0]
    store._db.execute(f"PRAGMA max_page_count = {pages + 2}")
    grow(state, 5_000, "y" * 500)
    with pytest.raises(DiskFull, match="nothing committed is lost"):
        store.commit(Batch(state.take_changes()), state)
    store.close()
    reopened, after = SqliteStore(tmp_path), State()
    reopened.load(after)
    assert len(after) == 100
    grow(after, 10)
    reopened.commit(Batch(after.take_changes()), after)
    reopened.close()


def test_the_log_of_changes_is_replaced_when_it_outgrows_the_column(tmp_path, monkeypatch):
    monkeypatch.setattr("honeyguide.store.database.LOG_SPARE_BYTES", 0)
    store, state, random = SqliteStore(tmp_path), State(), np.random.default_rng(1)
    grow(state, 200)
    rows = []
    for _ in range(60):
        ids = random.integers(0, 200, 50).astype(np.int32)
        state.set("priority", ids, random.random(50))
        store.commit(Batch(state.take_changes()), state)
        rows.append(store._db.execute("SELECT count(*) FROM changes WHERE name = 'priority'").fetchone()[0])
    assert max(rows) < 30
    store.close()
    reopened, after = SqliteStore(tmp_path), State()
    reopened.load(after)
    assert np.array_equal(after.urls["priority"], state.urls["priority"])
    reopened.close()


def test_so_is_that_of_a_table_s_column(tmp_path, monkeypatch):
    monkeypatch.setattr("honeyguide.store.database.LOG_SPARE_BYTES", 0)
    store, state, random = SqliteStore(tmp_path), State(), np.random.default_rng(1)
    state.declare({"good": 0.0}, {"folders": {"good": 0.5}})
    grow(state, 10)
    folders, counts = state.tables["folders"], []
    for number in range(60):
        folders.rows(np.arange(number, number + 30, dtype=np.uint64))
        rows = random.integers(0, len(folders), 50).astype(np.int32)
        folders.set_value("good", rows, random.random(50))
        state.set("good", rows[:1] % 10, 1.0)
        store.commit(Batch(state.take_changes()), state)
        logged = "SELECT count(*) FROM changes WHERE rows_of = 'folders' AND name = 'good'"
        counts.append(store._db.execute(logged).fetchone()[0])
    assert counts != sorted(counts)
    store.close()
    for _ in range(2):  # and what was begun anew goes on
        reopened, after = SqliteStore(tmp_path), State()
        after.declare({"good": 0.0}, {"folders": {"good": 0.5}})
        reopened.load(after)
        assert np.array_equal(after.tables["folders"].value("good"), folders.value("good"))
        assert np.array_equal(after.tables["folders"].columns["key"], folders.columns["key"])
        assert np.array_equal(after.urls["good"], state.urls["good"])
        folders = after.tables["folders"]
        folders.set_value("good", folders.rows(np.array([3, 2**63], dtype=np.uint64)), 7.0)
        reopened.commit(Batch(after.take_changes()), after)
        reopened.close()


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE changes SET ids = NULL, numbers = x'00' WHERE name = 'key'",
        "UPDATE changes SET ids = x'05000000' WHERE name = 'key'",
        "UPDATE changes SET ids = x'05000000' WHERE name = 'good'",
        "UPDATE changes SET rows_of = 'hosts' WHERE name = 'key'",
        "UPDATE changes SET rows_of = 'hosts', name = 'trust' WHERE name = 'good'",
        "DELETE FROM changes WHERE name = 'key'",
    ],
)
def test_rows_of_a_table_that_cannot_be_are_told(tmp_path, damage):
    store, state = SqliteStore(tmp_path), State()
    state.declare({}, {"folders": {"good": 0.0}})
    rows = state.tables["folders"].rows(np.array([9], dtype=np.uint64))
    state.tables["folders"].set_value("good", rows, 1.0)
    store.commit(Batch(state.take_changes()), state)
    store._db.execute(damage)
    with pytest.raises(StoreError, match="damaged"):
        store.load(State())
    store.close()


def test_reports_read_while_the_crawl_writes(tmp_path):
    store, state = SqliteStore(tmp_path), State()
    grow(state, 10)
    store.commit(Batch(state.take_changes()), state)
    reader = open_reader(tmp_path)
    assert reader.numbers(0.5).urls == 9  # the first is taken for the root
    grow(state, 10)
    store.commit(Batch(state.take_changes()), state)
    assert reader.numbers(0.5).urls == 19
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        reader._db.execute("DELETE FROM urls")
    reader.close()
    store.close()


def test_no_crawl_in_a_folder_is_told(tmp_path):
    with pytest.raises(StoreError, match="holds no crawl"):
        open_reader(tmp_path)


def test_a_folder_that_cannot_be_made(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="choose another folder"):
        SqliteStore(tmp_path / "file" / "crawl")


class ReadMeanwhile(SqliteReader):
    """A reader in whose midst the crawl takes up what was said: after the first rows that are asked for."""

    def __init__(self, folder, take_up):
        super().__init__(folder)
        self._take_up = take_up

    def _rows(self, query, *parameters):
        rows = [*super()._rows(query, *parameters)]
        self._take_up()
        return iter(rows)

    def _all(self, query, *parameters):
        return [*self._rows(query, *parameters)]


@pytest.mark.parametrize(
    "read", [SqliteReader.labels, lambda reader: reader.labels_of(["http://a.example/"])]
)
def test_a_label_is_there_also_while_the_crawl_takes_it_up(tmp_path, read):
    store, state = SqliteStore(tmp_path), State()
    number = post(tmp_path, Label(url="http://a.example/", relevant=True))
    said = LabelRow("http://a.example/", store.posts()[0].time, True, "")

    def take_up():
        if store.posts():
            store.commit(Batch(state.take_changes(), labels=[said], receipts={number: "noted"}), state)

    with ReadMeanwhile(tmp_path, take_up) as reader:
        assert "http://a.example/" in read(reader)
        assert not store.posts()
    store.close()


def test_many_commands_are_left_in_order_all_or_none(tmp_path):
    store = SqliteStore(tmp_path)
    said = [Label(url=f"http://a.example/{number}", relevant=True) for number in range(3)]
    assert post_all(tmp_path, [*said, Unsteer(rule=1)]) == [1, 2, 3, 4]
    assert [read_command(one.command) for one in store.posts()] == [*said, Unsteer(rule=1)]
    store.close()
    with pytest.raises(StoreError, match="no process is at work"):
        post_all(tmp_path, [said[0], Pause()])
    with open_reader(tmp_path) as reader:
        assert len(reader.posts()) == 4


def test_the_last_word_counts_though_the_crawl_takes_it_up_meanwhile(tmp_path):
    store, state = SqliteStore(tmp_path), State()
    numbers = [post(tmp_path, Label(url="http://a.example/", relevant=True))]

    def take_up():
        if len(numbers) == 1:
            numbers.append(post(tmp_path, Label(url="http://a.example/", relevant=False)))
            labels = [
                LabelRow("http://a.example/", one.time, not at, "") for at, one in enumerate(store.posts())
            ]
            receipts = dict.fromkeys(numbers, "noted")
            store.commit(Batch(state.take_changes(), labels=labels, receipts=receipts), state)

    with ReadMeanwhile(tmp_path, take_up) as reader:
        assert reader.labels()["http://a.example/"].relevant is False
    store.close()


def test_a_rule_is_there_also_while_it_begins(tmp_path):
    store, state = SqliteStore(tmp_path), State()
    number = post(tmp_path, Steer(action="exclude", pattern="b.example"))

    def take_up():
        if store.posts():
            rule = Rule(number, "exclude", "b.example", 1.0)
            store.commit(Batch(state.take_changes(), rule=rule, receipts={number: "excluded"}), state)

    with ReadMeanwhile(tmp_path, take_up) as reader:
        assert [(rule.number, rule.is_waiting) for rule in reader.rules()] == [(number, False)]
    store.close()
