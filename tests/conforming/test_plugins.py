"""Every registered plug-in passes the conformance checks."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from honeyguide.checks import check_reader, check_store, check_strategy, check_topic_model
from honeyguide.store.inbox import post
from honeyguide.store.sqlite.reader import SqliteReader
from honeyguide.store.sqlite.store import SqliteStore
from honeyguide.strategies import STRATEGIES
from honeyguide.strategies.best_first import BestFirst
from honeyguide.topics import TOPIC_MODELS
from honeyguide.topics.classifier import train_classifier
from honeyguide.topics.combined import CombinedTopic
from honeyguide.topics.cosine import CosineTopic
from honeyguide.topics.examples import Example
from honeyguide.topics.keywords import KeywordTopic
from honeyguide.topics.meaning.topic import MeaningTopic
from honeyguide.topics.ontology import OntologyTopic
from honeyguide.topics.revised import Labelled, revise
from honeyguide.topics.taxonomy.backbone import topic_from_examples
from tests.topics.meaning.tiny_table import write_table

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


def check_on_any_graph(make, examples):
    @settings(max_examples=examples)
    @given(graph=graphs(), batch=st.integers(1, 3))
    def check(graph, batch):
        check_strategy(make, *graph, batch)

    check()


@pytest.mark.parametrize("make", VARIANTS, ids=lambda make: getattr(make, "name", "bfs4"))
def test_strategy_on_some_graphs(make):
    check_on_any_graph(make, 3)


@pytest.mark.slow
@pytest.mark.parametrize("make", VARIANTS, ids=lambda make: getattr(make, "name", "bfs4"))
def test_strategy_on_any_graph(make):
    check_on_any_graph(make, 20)


NUMBERS = ("one", "two", "three", "four", "five", "six")
BEES = "Honey bees make honey in a hive; the beekeeper harvests honey from the hive."
RAILWAY = "The timetable of the railway: trains leave the station every hour."
XTM = """<topicMap xmlns="http://www.topicmaps.org/xtm/" version="2.0">
<topic id="bee"><name><value>honey bee</value></name></topic>
<topic id="hive"><name><value>hive</value></name></topic></topicMap>"""


def keywords(folder):
    return KeywordTopic("bees and honey")


def cosine(folder):
    return CosineTopic("bees, honey and hives")


def classifier(folder):
    positives = [Example(f"{BEES} {number}", title="Bees") for number in NUMBERS]
    negatives = [Example(f"{RAILWAY} {number}") for number in NUMBERS]
    return train_classifier(positives, negatives, model="majority").topic


def taxonomy(folder):
    return topic_from_examples("Beekeeping", [Example(BEES)])


def ontology(folder):
    (folder / "bees.xtm").write_text(XTM)
    return OntologyTopic(folder / "bees.xtm", ["honey bee"])


def meaning(folder):
    write_table(folder)
    return MeaningTopic("bees and honey", folder=str(folder))


def combined(folder):
    return CombinedTopic([keywords(folder), taxonomy(folder), ontology(folder)])


def revised(folder):
    labels = [Labelled(f"{BEES} {number}", True) for number in NUMBERS]
    others = [f"{RAILWAY} {number}" for number in NUMBERS]
    return revise(keywords(folder), labels, others).topic


MODELS = (keywords, cosine, meaning, classifier, taxonomy, ontology, combined, revised)
TOPICS = {make.__name__: make for make in MODELS}


def test_every_topic_model_is_checked():
    assert {model.name for model in TOPIC_MODELS} == set(TOPICS), "a new topic model needs its line above"


@pytest.mark.parametrize("name", TOPICS)
@pytest.mark.filterwarnings("default")  # six examples are few
def test_topic_model(name, tmp_path):
    check_topic_model(TOPICS[name](tmp_path), BEES, RAILWAY)


def test_sqlite_store(tmp_path):
    check_store(lambda: SqliteStore(tmp_path))


def test_readers(tmp_path):
    check_reader(
        lambda: SqliteStore(tmp_path), lambda: SqliteReader(tmp_path), lambda command: post(tmp_path, command)
    )
