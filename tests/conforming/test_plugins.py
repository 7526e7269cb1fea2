"""Every registered plug-in passes the conformance checks."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from honeyguide.checks import check_store, check_strategy, check_topic_model
from honeyguide.store.sqlite import SqliteStore
from honeyguide.strategies import STRATEGIES
from honeyguide.strategies.best_first import BestFirst
from honeyguide.topics import TOPIC_MODELS
from honeyguide.topics.keywords import KeywordTopic

VARIANTS = [*STRATEGIES, lambda: BestFirst(n=4, queue=4)]


@pytest.mark.parametrize("make", VARIANTS, ids=lambda make: getattr(make, "name", "bfs4"))
def test_strategy(make):
    check_strategy(make)


@st.composite
def graphs(draw):
    size = draw(st.integers(1, 9))
    pages = st.lists(st.integers(0, size), unique=True, max_size=6)  # page `size` does not exist
    links = {page: draw(pages) for page in range(size)}
    return links, draw(st.frozensets(st.integers(0, size - 1)))


@pytest.mark.parametrize("make", VARIANTS, ids=lambda make: getattr(make, "name", "bfs4"))
@settings(max_examples=5, deadline=None)
@given(graph=graphs(), batch=st.integers(1, 3))
def test_strategy_on_any_graph(make, graph, batch):
    links, relevant = graph
    check_strategy(make, links, relevant, batch)


def test_topic_models():
    assert set(TOPIC_MODELS) == {KeywordTopic}, "a new topic model needs its line below"
    check_topic_model(
        KeywordTopic("bees and honey"), "Honey bees make honey in a hive.", "The timetable of the railway."
    )


def test_sqlite_store(tmp_path):
    check_store(lambda: SqliteStore(tmp_path))
