"""UCI-ICS: the pages of one research group, course or person of a faculty with 70 hosts, found from elsewhere in it.

Nobody said what these pages are about: they belong together because they are kept together. That is told by their
urls, so a strategy that reads urls has an advantage here that it would not have on the Web.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from honeyguide.lab.tasks.labels import Labels, read_labels
from honeyguide.lab.tasks.tasks import Shape, Task, divide, seeds_at_distance

PAGES = 2_200  # a tenth of the web
FEWEST_PAGES, MOST_PAGES = 60, 1_000
DISTANCE = 2
NOT_ONE_GROUP = ("www.ics.uci.edu", "www.cs.uci.edu", "www.informatics.uci.edu", "ngs.ics.uci.edu")
"""Hosts that many share; of these only what is kept below one person's or group's ~name is a topic."""


def make_tasks(folder: Path, shape: Shape) -> Iterator[Task]:
    """A task for each host or personal site that is neither very small nor very large."""
    labels = read_labels(folder)
    by_group: dict[str, list[str]] = {}
    for url, own in labels.items():
        for group in _groups(own):
            by_group.setdefault(group, []).append(url)
    if shape.distance is None:
        shape = replace(shape, distance=DISTANCE)
    for group in sorted(by_group):
        if FEWEST_PAGES <= len(by_group[group]) <= MOST_PAGES:
            task = _task(folder, group, by_group[group], labels, shape)
            if task.seeds:  # else nothing outside the group links to it
                yield task


def _groups(own: frozenset[str]) -> Iterator[str]:
    for label in own:
        kind, _, name = label.partition(":")
        if kind == "host" and name not in NOT_ONE_GROUP:
            yield name
        if kind == "site" and name.startswith(NOT_ONE_GROUP) and "/~" in name:
            yield name


def _task(folder: Path, group: str, on_topic: list[str], labels: Labels, shape: Shape) -> Task:
    own = set(on_topic)
    parts = divide(group, on_topic, (url for url in labels if url not in own), shape)
    name, targets, seeds = f"uci-ics/{group}", parts.targets, parts.seeds
    if shape.distance:
        targets = frozenset(own.difference(parts.positives))
        seeds = seeds_at_distance(name, folder, own, labels, shape)
    return Task(
        name=name,
        corpus="uci-ics",
        topic=group,
        words=group.partition("/~")[2] or group.partition(".")[0],
        seeds=seeds,
        targets=targets,
        relevant=frozenset(own),
        positives=parts.positives,
        negatives=parts.negatives,
        budget=PAGES,
    )
