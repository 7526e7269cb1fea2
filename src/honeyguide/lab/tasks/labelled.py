"""Tasks from any labelled web, by its rules: the pages of a topic, found from home pages or from a distance.

Pages without a topic are neither looked for nor learned from: that nobody labelled them says nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from honeyguide.errors import SettingsError
from honeyguide.lab.tasks.labels import Labels, shuffled
from honeyguide.lab.tasks.rules import RULES_NAME, Rules, home_pages, rules_of, web_labels
from honeyguide.lab.tasks.tasks import Shape, Task, divide, seeds_at_distance
from honeyguide.urls import host_of

DISTANCE = 2
_AS_SPACES = str.maketrans("-_.", "   ")


def make_tasks(folder: Path, shape: Shape) -> Iterator[Task]:
    """A task for each topic that has enough pages on enough hosts."""
    rules = rules_of(folder)
    if rules is None:
        raise SettingsError(
            f"{folder}: nobody says which of its labels are topics; write {RULES_NAME} beside its pages"
            " (docs/recordings.md shows how)"
        )
    labels = web_labels(folder, rules)
    by_topic: dict[str, list[str]] = {}
    for url, own in labels.items():
        if own.issuperset(rules.requires):
            for topic in _topics(rules, own, shape):
                by_topic.setdefault(topic, []).append(url)
    labelled = {url for pages in by_topic.values() for url in pages}
    for topic in sorted(by_topic):
        pages = by_topic[topic]
        is_large = len(pages) > rules.largest_share * len(labels)
        is_narrow = len({host_of(url) for url in pages}) < rules.fewest_hosts
        if len(pages) >= rules.fewest_pages and not is_large and not is_narrow:
            yield _task(folder, rules, topic, pages, sorted(labelled.difference(pages)), labels, shape)


def _topics(rules: Rules, own: Iterable[str], shape: Shape) -> set[str]:
    """What a page is on: its topics, or in a tree those at the level asked for."""
    found = rules.topics_of(own)
    if not rules.separator:
        return set(found)
    paths = {shape.topic_of(topic.split(rules.separator)) for topic in found} - {()}
    return {".".join(path) for path in paths}


def _task(
    folder: Path,
    rules: Rules,
    topic: str,
    on_topic: Sequence[str],
    off_topic: Sequence[str],
    web: Labels,
    shape: Shape,
) -> Task:
    name = f"{folder.name}/{topic}"
    parts = divide(name, on_topic, off_topic, shape)
    own = frozenset(on_topic)
    targets = own.difference(parts.positives)
    if rules.seeds == "at a distance":
        shape = replace(shape, distance=DISTANCE) if shape.distance is None else shape
        seeds = seeds_at_distance(name, folder, own, web, shape) if shape.distance else parts.seeds
    else:
        homes = sorted(home_pages(web).values())
        is_half = shape.halves or rules.seeds == "half of the homes"
        seeds = tuple((_half if is_half else _reordered)(homes, name, shape.draw))
    return Task(
        name=name,
        corpus=folder.name,
        topic=topic,
        words=rules.words.get(topic, topic.translate(_AS_SPACES)),
        seeds=seeds,
        targets=targets.difference(seeds),
        relevant=own,
        positives=parts.positives,
        negatives=parts.negatives,
        budget=max(1, round(rules.budget_share * len(web))),
    )


def _reordered(homes: Sequence[str], name: str, draw: int) -> Sequence[str]:
    """All home pages: by their urls, and in another order in each further draw.

    What comes first of so many that look alike is chance, and decides much of what a crawl of some hundred pages finds.
    """
    return homes if draw == 1 else shuffled(homes, f"order of homes of {name}, draw {draw}")


def _half(homes: Sequence[str], name: str, draw: int) -> list[str]:
    """Half of the home pages: draws 1 and 2 have one each, 3 and 4 those of another shuffle, and so on."""
    first = draw - (draw + 1) % 2
    order, middle = shuffled(homes, f"homes of {name}, draw {first}"), (len(homes) + 1) // 2
    return sorted(order[:middle] if draw == first else order[middle:])
