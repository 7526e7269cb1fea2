"""A topic map of the subjects of Wikispeedia, as people would draw it, and the topic that it makes of a task.

Nothing that is looked for is in it: its articles are the task's examples.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from urllib.parse import unquote

from honeyguide.lab.tasks.labels import read_labels, subject_paths
from honeyguide.lab.tasks.tasks import Task
from honeyguide.topics.ontology.building import MapBuilder
from honeyguide.topics.ontology.identifiers import TOPIC_NAME
from honeyguide.topics.ontology.topic import LIMIT, OntologySettings, OntologyTopic
from honeyguide.topics.ontology.topic_map import Association, Name, Role, TopicMap
from honeyguide.topics.ontology.weights import REST, WeightClasses

CORPUS = "wikispeedia"
MOST_RELATED = 20
RELATED, MEMBER = "urn:honeyguide:lab:related", "urn:honeyguide:lab:member"


def has_subjects(task: Task) -> bool:
    """Whether the topics of its corpus are a tree, of which a map can be made."""
    return task.corpus == CORPUS


def ontology_topic(task: Task, folder: Path, settings: OntologySettings) -> OntologyTopic:
    """The subject of a task, by its map, with weights and limit as published."""
    focus = _address(tuple(task.topic.split(".")))
    limit = LIMIT if settings.limit is None else settings.limit
    published = replace(settings, limit=limit, weights=WeightClasses(rest=REST))
    return OntologyTopic.of_map(subject_map(task, folder), [focus], published)


def subject_map(task: Task, folder: Path) -> TopicMap:
    """A topic map as people would draw it: the subject among its neighbors, and some example articles related to it."""
    builder = MapBuilder()
    kind = builder.by_subject(TOPIC_NAME)
    focus = tuple(task.topic.split("."))
    ends = {path for own in read_labels(folder).values() for path in subject_paths(own)}
    for path in sorted({end[:depth] for end in ends for depth in range(1, len(end) + 1)}):
        if path[0] == focus[0]:
            number = builder.by_subject(_address(path))
            builder.add_name(number, Name(path[-1].replace("_", " "), kind))
            if len(path) > 1:
                builder.add_subclass(number, builder.by_subject(_address(path[:-1])))
    for url in task.positives[:MOST_RELATED]:
        article = builder.by_subject(url)
        builder.add_name(article, Name(_title(url), kind))
        players = (builder.by_subject(_address(focus)), article)
        roles = tuple(Role(builder.by_subject(MEMBER), player) for player in players)
        builder.add_association(Association(builder.by_subject(RELATED), roles))
    return builder.finish()


def _address(path: tuple[str, ...]) -> str:
    return f"urn:honeyguide:lab:{'/'.join(path)}"


def _title(url: str) -> str:
    return unquote(url.rpartition("/")[2].removesuffix(".htm")).replace("_", " ")
