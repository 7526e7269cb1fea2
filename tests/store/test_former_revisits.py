"""A crawl begun before visits were kept apart from the queue: its pages are counted once, and it goes on.

`former_revisits.sql` is such a crawl: of five pages two were fetched twice, and one waits to be fetched again; one url
has moved, one could not be had.
"""

import sqlite3
from contextlib import closing
from pathlib import Path

import numpy as np

from honeyguide.model import Status
from honeyguide.store import open_reader
from honeyguide.store.folder import DATABASE

SQL = Path(__file__).with_name("former_revisits.sql")


def test_what_was_visited_is_told_from_what_waits(tmp_path):
    with closing(sqlite3.connect(tmp_path / DATABASE)) as db:
        db.executescript(SQL.read_text())
    with open_reader(tmp_path) as reader:
        numbers, state, visits = reader.numbers(0.0), reader.state(), list(reader.visits())
        links = [link.target[-1] for link in reader.links(1)]
        best = [visit.url for visit in reader.best()]
    assert (numbers.pages, numbers.requests, len(visits)) == (5, 9, 7)
    assert numbers.mean_relevance == np.mean([visit.relevance for visit in visits[2:]])
    assert [visit.is_revisit for visit in visits] == [False] * 5 + [True] * 2
    assert len(best) == len(set(best)) == 5
    outcomes = [Status(outcome).name for outcome in state.urls["outcome"].tolist()]
    assert outcomes == [*["FETCHED"] * 3, "MOVED", "FAILED", *["FETCHED"] * 3]
    assert np.flatnonzero(state.urls["status"] == Status.QUEUED).tolist() == [7]
    assert links == [*"bcdef"]
    assert state.links.outlinks(1).tolist() == [3, 4, 5, 6, 7]
    assert state.links.inlinks(2).tolist() == [7, 6]  # the first page links to it no more
