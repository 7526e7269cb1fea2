"""What every store must do: give back exactly what was committed, all of a batch or nothing of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from honeyguide.errors import CrawlLocked
from honeyguide.model import Failure, Location, Status, Validators, Visit
from honeyguide.patterns import Rule
from honeyguide.state.state import State
from honeyguide.store.archived_files import ArchivedFile
from honeyguide.store.base import Batch, PageLinks, Store

BATCHES = 20
URLS_A_BATCH = 50
VALUES = {"cash": 0.25}
TABLES = {"hosts": {"good": 0.5}, "folders": {"good": 0.75}}


def check_store(open_store: Callable[[], Store]) -> None:
    """Commit batches, fail one, reopen and compare. `open_store` opens the same, at first empty, crawl every time."""
    store, state, random = open_store(), State(), np.random.default_rng(5)
    state.declare(VALUES, TABLES)
    for number in range(BATCHES):
        store.commit(make_batch(state, random, number), state)
    texts = store.url_texts(np.array([3, 1, 2], dtype=np.int32))
    assert texts == ["http://a.example/3", "http://a.example/1", "http://a.example/2"], (
        "texts in the order asked"
    )
    with_nine = [f"http://a.example/{n}" for n in (9, 19, 29, 39, 49)]
    assert [url for _, url in store.urls_with("a.example/", 0, 10**6)][:1] == ["http://a.example/1"], (
        "not the root"
    )
    assert [url for _, url in store.urls_with("9", 1, 10**6) if url in with_nine] == with_nine, (
        "urls by their text"
    )
    assert not [*store.urls_with("A.example", 1, 10**6)], "letters count as they are written"
    rules = [Rule(2, "raise", "a.example", 1.0), Rule(5, "exclude", "*9", 2.0)]
    for rule in rules:
        store.commit(Batch(state.take_changes(), rule=rule), state)
    assert store.rules() == rules, "rules in the order of their numbers"
    store.commit(Batch(state.take_changes(), ended_rule=2), state)
    _check_lock(open_store)
    _check_rollback(store, state, random)
    store.close()
    reopened = open_store()
    _check_reopened(reopened, state)
    _check_files(reopened)
    reopened.close()


def make_batch(state: State, random: np.random.Generator, number: int) -> Batch:
    """New urls on a new host, links between them, and changes to old ones."""
    first = len(state)
    host = state.host_id(f"{'abcdefghijklmnopqrst'[number]}.example")
    prints = np.arange(first, first + URLS_A_BATCH, dtype=np.uint64) + np.uint64(2**63)
    hosts = np.full(URLS_A_BATCH, host, dtype=np.int32)
    texts = [f"http://{state.host_names[host]}/{n}" for n in range(first, first + URLS_A_BATCH)]
    state.add(texts, prints, hosts, hosts, hosts)
    changed = random.integers(0, len(state), 2_000).astype(np.int32)  # enough to outgrow a short log
    for name in ("priority", "relevance", "cash"):
        state.set(name, changed, random.random(len(changed)))
    folders = state.tables["folders"]
    rows = folders.rows(
        prints[::2] // np.uint64(3) * np.uint64(3)
    )  # the last of a batch may go on in the next
    folders.set_value("good", rows[::2], random.random(len(rows[::2])))
    state.tables["hosts"].set_value("good", hosts[:1], float(number))
    state.set("status", changed[:9], Status.IN_FLIGHT)
    state.set_array("kept", random.random((2, number + 1)))
    state.set_array(f"kept in batch {number}", np.arange(3, dtype=np.int32))
    state.set_array(f"kept in batch {number - 1}", np.empty(0))
    targets = random.integers(0, len(state), 30).astype(np.int32)
    state.links.append(np.array([first], dtype=np.int32), np.array([30]), targets)
    visit = Visit(
        first, texts[0], 1.5 + number, 200, 0.5, 0.25, 1, 10, "title", "en", "text/html", "00", 30, '"e"',
        via=f"http://a.example/{host}", location=Location("file", number),
    )  # fmt: skip
    return Batch(
        changes=state.take_changes(),
        links=[PageLinks(first, targets, ["an anchor \u2192"] * 30)],
        visits=[visit],
        failures=[Failure(first, texts[0], 2.5, "FetchTimeout", "too slow", 1, final=False)],
        yields={host: (number, 2)},
        trust={host: 2},
        host_records={"a.example": f"record {number}"},
        counts={"links": 30},
        archive_end=Location("file", number + 1),
    )


def _check_lock(open_store: Callable[[], Store]) -> None:
    try:
        open_store()
    except CrawlLocked:
        return
    raise AssertionError("a second opener must be refused with CrawlLocked")


def _check_rollback(store: Store, state: State, random: np.random.Generator) -> None:
    """A batch that cannot be written whole must leave nothing behind."""
    copy = State()
    store.load(copy)
    broken = replace(make_batch(copy, random, BATCHES - 1), trust={1: 1, object(): 0})  # type: ignore[dict-item]
    try:
        store.commit(broken, copy)
    except Exception:
        after = State()
        store.load(after)
        assert len(after) == len(state), "urls of a failed batch must not be there"
        assert len(after.links) == len(state.links), "links of a failed batch must not be there"
        assert len(after.tables["folders"]) == len(state.tables["folders"]), "nor rows of a table"
        return
    raise AssertionError("a batch with impossible content must be refused")


def _check_reopened(store: Store, state: State) -> None:
    loaded = State()
    loaded.declare(VALUES, TABLES)
    store.load(loaded)
    assert len(loaded) == len(state), "every url is there"
    assert loaded.host_names == state.host_names, "every host is there"
    for name in state.urls.names():
        expected = state.saved_values(name, slice(None))
        same = np.array_equal(loaded.urls[name], expected, equal_nan=expected.dtype.kind == "f")
        assert same, f"column {name} differs after reopening"
    for table in TABLES:
        expected_table, loaded_table = state.tables[table], loaded.tables[table]
        assert len(loaded_table) == len(expected_table), f"every row of the table {table} is there"
        assert np.array_equal(loaded_table.value("good"), expected_table.value("good")), f"{table} differ"
    every = np.arange(len(state.tables["folders"]))
    assert np.array_equal(loaded.tables["folders"].find(state.tables["folders"].columns["key"]), every), (
        "rows are found by their keys"
    )
    assert set(loaded.arrays) == set(state.arrays), "arrays that were forgotten are gone, the others there"
    for name, array in state.arrays.items():
        assert loaded.arrays[name].dtype == array.dtype, f"array {name} has another type after reopening"
        assert np.array_equal(loaded.arrays[name], array), f"array {name} differs after reopening"
    for url_id in range(len(state)):
        assert np.array_equal(loaded.links.outlinks(url_id), state.links.outlinks(url_id)), "links out differ"
        assert np.array_equal(loaded.links.inlinks(url_id), state.links.inlinks(url_id)), "links in differ"
    assert loaded.hosts["barren"].tolist() == list(range(BATCHES)), "fruitless requests survive"
    assert (loaded.hosts["given"] == 2).all(), "what hosts gave survives"
    assert (loaded.hosts["trust"] == 2).all(), "whether hosts answer survives"
    assert [relevance for _, relevance in store.harvested()] == [0.5] * BATCHES, "every visit is there"
    assert store.host_records() == {"a.example": f"record {BATCHES - 1}"}, (
        "the latest record of a host counts"
    )
    seen = store.validators(np.arange(URLS_A_BATCH, dtype=np.int32))
    assert seen == {0: Validators('"e"')}, "validators are those of the last visit"
    assert store.rules() == [Rule(5, "exclude", "*9", 2.0)], "rules in force survive, those that ended do not"
    assert store.failures() == BATCHES, "every failure is there"
    assert store.archive_end() == Location("file", BATCHES), "the archive's end is that of the last commit"


def _check_files(store: Store) -> None:
    """An archive that is kept elsewhere; all pages stand in a file that gets lost."""
    files = store.archived_files()
    files.begin(["file", "other"])
    files.sent([ArchivedFile("other", 9, "file:///shared")])
    files.begin(["other"])
    assert files.unsent() == ["file"], "what has arrived is not begun again"
    assert [files.address_of(name) for name in ("file", "other", "none")] == ["", "file:///shared", ""], (
        "addresses of what has arrived"
    )
    pages = files.pages_in(["file", "none"])
    assert len(pages) == BATCHES, "all pages that stand in a file"
    files.lost(["file"])
    assert not files.unsent(), "what is lost is forgotten"
    last = store.last_visit(int(pages[0]))
    assert last is not None, "visits outlive their pages"
    assert (last.location, store.validators(pages)) == (None, {}), "of what is lost, the whole is asked for"
