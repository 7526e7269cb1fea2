"""A taxonomy of the subjects of Wikispeedia, learned from some articles of each; a task's subject is the good one.

Nothing that is looked for is learned from: of the articles of the task's subject its examples alone are. Of every other
subject it is a few: a guide that had learned most of a small web by heart would have nothing to judge.
"""

from __future__ import annotations

from collections.abc import Iterator

from honeyguide.lab.tasks.closed_web import ClosedWeb
from honeyguide.lab.tasks.labels import ARTICLE, shuffled, subject_paths
from honeyguide.lab.tasks.tasks import Task
from honeyguide.topics.taxonomy import Taxonomy, TaxonomyTopic, TopicTree

MOST_EXAMPLES, MOST_OF_OTHERS = 36, 4
"""Of the task's subjects, theirs was "up to a few dozen"; and of each other one."""


def taxonomy_topic(task: Task, everything: ClosedWeb, *, is_broad: bool = False) -> TaxonomyTopic:
    """The subject of a task among all others; the broad one is the subject right above it."""
    focus = task.topic.split(".")
    tree, urls, places = TopicTree(), [], []
    by_subject: dict[tuple[str, ...], list[str]] = {}
    for url, path in _learned_from(task, everything):
        by_subject.setdefault(path, []).append(url)
    for path in sorted(by_subject):
        most = MOST_EXAMPLES if list(path[: len(focus)]) == focus else MOST_OF_OTHERS
        chosen = shuffled(by_subject[path], f"examples of {'.'.join(path)}")[:most]
        urls += chosen
        places += [tree.place(path)] * len(chosen)
    tree.mark_good(tree.place(focus[:-1] if is_broad and len(focus) > 1 else focus))
    return TaxonomyTopic(Taxonomy.train(tree, everything.examples(urls), places, language="en"))


def _learned_from(task: Task, everything: ClosedWeb) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Articles with the subject each is an example of; of several subjects an article is one of the first."""
    focus, learned = tuple(task.topic.split(".")), frozenset(task.positives)
    for url, labels in everything.labels.items():
        paths = sorted(subject_paths(labels))
        if url in learned:
            yield url, next(path for path in paths if path[: len(focus)] == focus)
        elif ARTICLE in labels and paths and url not in task.relevant and url not in task.seeds:
            yield url, paths[0]
