"""The topic map that is made of Wikispeedia's subjects, and a short crawl with it."""

from pathlib import Path

import pytest

from honeyguide.lab.reproduce.base import Workshop
from honeyguide.lab.reproduce.ontology_crawls import FOCUSED, planned
from honeyguide.lab.tasks.subject_map import MOST_RELATED, subject_map
from honeyguide.lab.tasks.tasks import Task, find_tasks
from honeyguide.topics.ontology.topic import OntologyTopic

FOCUS = "urn:honeyguide:lab:Science/Biology"


@pytest.fixture(scope="module")
def task(shared: Path) -> Task:
    return find_tasks(["wikispeedia/Science.Biology"], shared / "corpora")[0]


def test_the_map_has_the_subject_its_neighbors_and_examples(shared, task):
    made = subject_map(task, shared / "corpora" / "wikispeedia")
    topic = OntologyTopic.of_map(made, [FOCUS])
    weights = {made.topics[number].label: weight for number, weight in enumerate(topic.weights)}
    assert weights["Biology"] == 1.0
    assert weights["Birds"] == weights["Science"] == 0.8
    assert weights["Physics"] == 0.1
    assert "Africa" not in weights
    assert list(weights.values()).count(0.5) == MOST_RELATED


def test_nothing_that_is_looked_for_is_in_the_map(shared, task):
    made = subject_map(task, shared / "corpora" / "wikispeedia")
    known = {identifier for topic in made.topics for identifier in topic.subject_identifiers}
    assert not known & task.targets


def test_every_crawl_has_a_file_of_its_own(shared, tmp_path):
    crawls = list(planned(Workshop(tmp_path, shared / "corpora", most_tasks=2, pages=20)))
    assert len({crawl.name for crawl in crawls}) == len(crawls) == 24
    again = planned(Workshop(tmp_path / "other", shared / "corpora", most_tasks=2, pages=20))
    assert [crawl.name for crawl in again] == [crawl.name for crawl in crawls]
    in_order = [crawl for crawl in crawls if crawl.strategy == FOCUSED and not crawl.best_first]
    assert {crawl.settings["order"] for crawl in in_order} == {"discovery"}
    assert len([crawl for crawl in crawls if crawl.best_first and not crawl.settings]) == 2
    away = [crawl for crawl in crawls if crawl.elsewhere]
    assert len(away) == 2
    for crawl in away:
        assert not crawl.task.relevant.intersection(crawl.task.seeds)
