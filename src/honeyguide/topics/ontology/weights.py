"""How much each topic of a map counts, by how close it is to the topics in focus."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

import numpy as np

from honeyguide.errors import TopicError
from honeyguide.model import Floats
from honeyguide.topics.ontology.hierarchy import Hierarchy
from honeyguide.topics.ontology.topic_map import TopicMap

REST = 0.1
"""The published weight of all topics that nothing joins to the focus."""


@dataclass(frozen=True, slots=True)
class WeightClasses:
    """The four classes of weights; a topic that belongs to several gets the highest."""

    focal: float = 1.0
    hierarchy: float = 0.8  # directly above or below a focal topic
    other: float = 0.5  # directly joined to a focal topic by any other association
    rest: float | None = (
        None  # REST, less in a large map; with 0, only the neighborhood of the focus is compared
    )

    def __post_init__(self) -> None:
        for name, weight in asdict(self).items():
            if weight is not None and not 0 <= weight <= 1:
                raise TopicError(f"the weight of the class {name!r} must be from 0 to 1, not {weight}")


def topic_weights(
    topic_map: TopicMap, focus: Sequence[int], hierarchy: Hierarchy, classes: WeightClasses
) -> Floats:
    """The weight of every topic."""
    weights = np.zeros(len(topic_map.topics))
    above_or_below, joined = neighbors(topic_map, focus, hierarchy)
    for members, weight in ((joined, classes.other), (above_or_below, classes.hierarchy)):
        weights[list(members)] = np.maximum(weights[list(members)], weight)
    weights[list(focus)] = classes.focal
    rest = classes.rest
    if rest is None:
        near = {*focus, *above_or_below, *joined}
        others = sum(bool(topic.names) for number, topic in enumerate(topic_map.topics) if number not in near)
        # Thousands of others, a little each, would outweigh the focus and all around it.
        rest = REST * min(1.0, float(weights.sum()) / max(1, others))
    weights = np.maximum(weights, rest)
    weights[list(focus)] = classes.focal
    return weights


def neighbors(topic_map: TopicMap, focus: Sequence[int], hierarchy: Hierarchy) -> tuple[set[int], set[int]]:
    """The topics right above or below those in focus, and those joined to them in any other way."""
    focal = set(focus)
    above_or_below: set[int] = set()
    joined: set[int] = set()
    for association in topic_map.associations:
        players = {role.player for role in association.roles}
        if not focal.isdisjoint(players):
            (above_or_below if hierarchy.joins(association) else joined).update(players - focal)
    return above_or_below, joined
