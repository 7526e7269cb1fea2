"""Wikispeedia: the articles of a subject of an encyclopedia, as its editors sorted them.

Pages that list a subject's articles are left out of the web, as is the line of an article that names its subjects.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from honeyguide.lab.tasks.labels import ARTICLE, INDEX, labeled, read_labels, subject_paths
from honeyguide.lab.tasks.tasks import Shape, Task, divide, seeds_at_distance

PAGES = 1_500
FEWEST_ARTICLES = 40
LARGEST_SHARE = 0.25  # of all articles; a larger subject is no topic


def make_tasks(folder: Path, shape: Shape) -> Iterator[Task]:
    """A task for each subject at the level asked for that has enough articles and not too many."""
    labels = read_labels(folder)
    articles = labeled(labels, ARTICLE)
    by_subject: dict[tuple[str, ...], list[str]] = {}
    for url in articles:
        for subject in {shape.topic_of(path) for path in subject_paths(labels[url])} - {()}:
            by_subject.setdefault(subject, []).append(url)
    web = frozenset(url for url, own in labels.items() if INDEX not in own)
    for subject in sorted(by_subject):
        if FEWEST_ARTICLES <= len(by_subject[subject]) <= LARGEST_SHARE * len(articles):
            yield _task(folder, subject, by_subject[subject], articles, web, shape)


def _task(
    folder: Path,
    subject: tuple[str, ...],
    on_topic: list[str],
    articles: list[str],
    web: frozenset[str],
    shape: Shape,
) -> Task:
    topic = ".".join(subject)
    own = set(on_topic)
    parts = divide(topic, on_topic, (url for url in articles if url not in own), shape)
    name, targets, seeds = f"wikispeedia/{topic}", parts.targets, parts.seeds
    if shape.distance:
        targets = frozenset(own.difference(parts.positives))
        seeds = seeds_at_distance(name, folder, targets, web, shape)
    return Task(
        name=name,
        corpus="wikispeedia",
        topic=topic,
        words=" ".join(subject).replace("_", " "),
        seeds=seeds,
        targets=targets,
        relevant=frozenset(own),
        positives=parts.positives,
        negatives=parts.negatives,
        budget=PAGES,
        without=INDEX,
    )
