"""A crawl begun before strategies had tables goes on; what its strategy knew is kept, though it knows more today.

`former_crawl.sql` is such a crawl of the tiny web after 9 pages: numbers of hosts and folders stand in columns of urls,
some of which had been written whole.
"""

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from honeyguide.checks.strategy import DRAWN, RELEVANT, _crawl
from honeyguide.checks.tiny_web import TinyWeb
from honeyguide.model import Status
from honeyguide.state.state import State
from honeyguide.state.view import CrawlView
from honeyguide.store import open_reader
from honeyguide.store.folder import DATABASE
from honeyguide.store.sqlite.store import SqliteStore
from honeyguide.strategies.evidence import _folder_keys
from honeyguide.strategies.honeyguide import WEIGHTS, Honeyguide
from honeyguide.topics.keywords import KeywordTopic


def former_crawl(folder: Path) -> Path:
    folder.mkdir()
    with closing(sqlite3.connect(folder / DATABASE)) as db:
        db.executescript(Path(__file__).with_name("former_crawl.sql").read_text())
    return folder


def test_it_goes_on_to_the_same_end(tmp_path):
    rest = _crawl(Honeyguide, TinyWeb(DRAWN, RELEVANT), former_crawl(tmp_path / "former"), batch=1)
    new = _crawl(Honeyguide, TinyWeb(DRAWN, RELEVANT), tmp_path / "new", batch=1)
    assert [url for url, _ in rest[:9]] == [url for url, _ in new[:9]]
    assert sorted(url for url, _ in rest) == sorted(url for url, _ in new)


def test_what_its_strategy_had_learned_is_still_known(tmp_path):
    folder = former_crawl(tmp_path / "former")
    with closing(sqlite3.connect(folder / DATABASE)) as db:
        stored = dict(db.execute("SELECT name, numbers FROM arrays"))
    with open_reader(folder) as reader:
        state = reader.state(Honeyguide.values, Honeyguide.tables)
    view = CrawlView(state, KeywordTopic("bees"))
    model = Honeyguide()._model(view)
    assert np.array_equal(model.to_array().ravel(), np.frombuffer(stored["link model"]))
    assert not np.array_equal(model.weights, list(WEIGHTS.values()))
    # Nobody has compared the experts yet: both are trusted alike.
    assert np.allclose(Honeyguide()._used(view), (model.weights + list(WEIGHTS.values())) / 2)


def test_it_is_read_without_being_run(tmp_path):
    folder = former_crawl(tmp_path / "former")
    with open_reader(folder) as reader:
        numbers = reader.numbers(0.05)
        statuses = reader.state().urls["status"]
        visits = list(reader.visits())
    assert numbers.pages == len(visits) == 9
    assert numbers.mean_relevance == pytest.approx(np.mean([visit.relevance for visit in visits]))
    assert sum(numbers.urls_by_status.values()) == numbers.urls == len(statuses) - 1
    assert numbers.urls_by_status[Status.QUEUED] == np.count_nonzero(statuses == Status.QUEUED) > 0


def test_what_was_known_of_hosts_and_folders_is_in_their_tables(tmp_path):
    store, state = SqliteStore(former_crawl(tmp_path / "former")), State()
    state.declare(Honeyguide.values, Honeyguide.tables)
    store.load(state)
    store.close()
    assert not {name for name in state.urls.names() if name.startswith(("host ", "folder "))}
    fetched = np.flatnonzero(state.urls["relevance"] > -1)[1:]  # without the root
    hosts, folders = state.tables["hosts"], state.tables["folders"]
    for column, amounts in (("pages", np.ones(len(fetched))), ("good", state.urls["relevance"][fetched])):
        expected = np.bincount(state.urls["host"][fetched], amounts, minlength=len(state.hosts))
        assert np.allclose(hosts.value(column), expected)
        rows = state.urls["folder"][fetched].astype(int)
        assert np.allclose(folders.value(column), np.bincount(rows, amounts, minlength=len(folders)))
    known = folders.find(_folder_keys([TinyWeb.url(number) for number in range(3)]))
    assert len(set(known.tolist()) - {-1}) == 3


def test_many_may_read_it_at_once(tmp_path):
    """Whoever comes first brings it up to date; the others wait, and all see the same."""
    folder = former_crawl(tmp_path / "former")

    def numbers(_: int) -> tuple[int, float]:
        with open_reader(folder) as reader:
            found = reader.numbers(0.05)
        return found.urls_by_status[Status.QUEUED], found.mean_relevance

    with ThreadPoolExecutor(6) as threads:
        assert len(set(threads.map(numbers, range(12)))) == 1
