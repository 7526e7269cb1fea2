"""How much each topic of a map counts, by how close it is to the topics in focus."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

import numpy as np

from honeyguide.errors import TopicError
from honeyguide.model import Floats
from honeyguide.topics.ontology.hierarchy import Hierarchy
from honeyguide.topics.ontology.topic_map import TopicMap


@dataclass(frozen=True, slots=True)
class WeightClasses:
    """The four classes of weights; a topic that belongs to several gets the highest."""

    focal: float = 1.0
    hierarchy: float = 0.8  # directly above or below a focal topic
    other: float = 0.5  # directly joined to a focal topic by any other association
    rest: float = 0.1  # with 0, relevance only compares the neighborhood of the focus

    def __post_init__(self) -> None:
        for name, weight in asdict(self).items():
            if not 0 <= weight <= 1:
                raise TopicError(f"the weight of the class {name!r} must be from 0 to 1, not {weight}")


def topic_weights(
    topic_map: TopicMap, focus: Sequence[int], hierarchy: Hierarchy, classes: WeightClasses
) -> Floats:
    """The weight of every topic."""
    weights = np.full(len(topic_map.topics), classes.rest)
    focal = set(focus)
    for association in topic_map.associations:
        players = [role.player for role in association.roles]
        if not focal.isdisjoint(players):
            weight = classes.hierarchy if hierarchy.joins(association) else classes.other
            weights[players] = np.maximum(weights[players], weight)
    weights[list(focal)] = classes.focal
    return weights
