"""The footprint of a text: the part of a map that it touches. Two texts compare by their footprints."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from honeyguide.topics.ontology.hierarchy import Hierarchy
from honeyguide.topics.ontology.topic_map import Association, TopicMap

MAX_LEVELS = 50


@dataclass(frozen=True, slots=True)
class Footprint:
    """A part of a map: the topics mentioned, the classes above them, and what joins them."""

    touched: Mapping[int, float]  # topics mentioned, with their tf-idf
    levels: Mapping[int, int]  # these and all classes above, by the fewest steps up from a mention
    associations: tuple[Association, ...]  # between topics of the footprint

    def up_to(self, level: int) -> frozenset[int]:
        """Topics at most so many steps above what was mentioned."""
        return frozenset(topic for topic, steps in self.levels.items() if steps <= level)


@dataclass(frozen=True, slots=True)
class Comparison:
    """How alike two footprints are."""

    similarity: tuple[float, ...]  # at each level: shared topics / topics of either, 0 to 1
    level: int | None  # the first level at which they share anything; None: they never do
    shared: frozenset[int]  # what they share there


def footprint_of(topic_map: TopicMap, hierarchy: Hierarchy, touched: Mapping[int, float]) -> Footprint:
    """The sub-ontology around the topics a text mentions; cycles of classes do no harm."""
    levels = dict.fromkeys(touched, 0)
    edge = set(touched)
    for level in range(1, MAX_LEVELS + 1):
        edge = {upper for topic in edge for upper in hierarchy.uppers.get(topic, ()) if upper not in levels}
        levels |= dict.fromkeys(sorted(edge), level)
    within = tuple(
        association
        for association in topic_map.associations
        if len(association.roles) > 1 and all(role.player in levels for role in association.roles)
    )
    return Footprint(touched, levels, within)


def compare(one: Footprint, other: Footprint) -> Comparison:
    """Similarity on each level of abstraction: of what was mentioned itself, then with classes one step above, ...

    Two pages on different cars share nothing at level 0, and "car" at level 1.
    """
    deepest = max((*one.levels.values(), *other.levels.values()), default=0)
    similarity, first, shared = [], None, frozenset[int]()
    for level in range(deepest + 1):
        mine, theirs = one.up_to(level), other.up_to(level)
        either = mine | theirs
        similarity.append(len(mine & theirs) / len(either) if either else 0.0)
        if first is None and mine & theirs:
            first, shared = level, mine & theirs
    return Comparison(tuple(similarity), first, shared)
