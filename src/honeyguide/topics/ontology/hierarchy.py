"""Which associations put one class below another, and which of their players is above."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cached_property

from honeyguide.errors import TopicError
from honeyguide.topics.ontology.identifiers import HIERARCHY, LOWER_ROLES, UPPER_ROLES
from honeyguide.topics.ontology.topic_map import NONE, Association, TopicMap

MAX_PAIRS = 2_000_000


class Hierarchy:
    """Superclass and subclass by their published identifiers, and by association types of the map's own.

    `own_types` names such a type and the role of the one above: `{"part-whole": "whole"}`. The role may be empty: then
    the topics count as joined, but neither as above the other.
    """

    def __init__(self, topic_map: TopicMap, own_types: Mapping[str, str] | None = None) -> None:
        self._map = topic_map
        self._types = {topic_map.number(one) for one in HIERARCHY} - {NONE}
        self._upper = {topic_map.number(one) for one in UPPER_ROLES} - {NONE}
        self._lower = {topic_map.number(one) for one in LOWER_ROLES} - {NONE}
        for type_, upper_role in (own_types or {}).items():
            self._add_own(type_, upper_role)

    def _add_own(self, type_: str, upper_role: str) -> None:
        number = self._map.find(type_)
        roles = {role.type for one in self._map.associations if one.type == number for role in one.roles}
        if not roles:
            raise TopicError(f"no association of the map has the type {type_!r}")
        self._types.add(number)
        if upper_role:
            upper = self._map.find(upper_role)
            if upper not in roles:
                raise TopicError(f"no association of the type {type_!r} has the role {upper_role!r}")
            self._upper.add(upper)
            self._lower |= roles - {upper}

    def joins(self, association: Association) -> bool:
        """Whether an association puts classes above each other."""
        return association.type in self._types

    def pairs(self) -> Iterator[tuple[int, int]]:
        """Every (class, class directly above it)."""
        left = MAX_PAIRS
        for association in filter(self.joins, self._map.associations):
            uppers = [role.player for role in association.roles if role.type in self._upper]
            lowers = [role.player for role in association.roles if role.type in self._lower]
            left -= len(lowers) * len(uppers)
            if left < 0:
                raise TopicError(f"the map puts classes below others in more than {MAX_PAIRS:,} pairs")
            yield from ((lower, upper) for lower in lowers for upper in uppers if lower != upper)

    @cached_property
    def uppers(self) -> Mapping[int, set[int]]:
        """For each class those directly above it."""
        uppers: dict[int, set[int]] = defaultdict(set)
        for lower, upper in self.pairs():
            uppers[lower].add(upper)
        return uppers
