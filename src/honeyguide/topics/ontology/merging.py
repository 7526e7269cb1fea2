"""Merging statements that say the same, by the equality rules of ISO 13250-2."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from honeyguide.errors import ImportFailed
from honeyguide.topics.ontology.topic_map import NONE, Association, Construct, Name, Place, TopicMap

Statement = TypeVar("Statement", bound=Construct)
Join = Callable[[int, int], int]
"""Makes two topics one."""


def merge_equal(statements: Sequence[Statement], place: Place, join: Join) -> list[Statement]:
    """Each statement once, with the identifiers, reifiers and parts of all its equals; reifiers become one topic."""
    groups: dict[Hashable, list[Statement]] = {}
    for statement in statements:
        moved = statement.placed(place)
        groups.setdefault(moved.content(), []).append(moved)
    return [_as_one(group, join) for group in groups.values()]


def _as_one(group: list[Statement], join: Join) -> Statement:
    first = group[0]
    if isinstance(first, Name) and (first.variants or len(group) > 1):
        variants = [variant for name in group for variant in name.variants]  # type: ignore[attr-defined]
        first = replace(first, variants=tuple(merge_equal(variants, _stay, join)))
    elif isinstance(first, Association):
        roles = [role for association in group for role in association.roles]  # type: ignore[attr-defined]
        first = replace(first, roles=tuple(merge_equal(roles, _stay, join)))
    if len(group) > 1:
        identifiers = dict.fromkeys(one for member in group for one in member.item_identifiers)
        reifier = one_reifier((member.reifier for member in group), join)
        first = replace(first, item_identifiers=tuple(identifiers), reifier=reifier)
    return first


def _stay(topic: int) -> int:
    return topic


def one_reifier(reifiers: Iterable[int], join: Join) -> int:
    """The topic that stands for what all these topics stand for."""
    joined = NONE
    for reifier in reifiers:
        if reifier != NONE:
            joined = reifier if joined == NONE else join(joined, reifier)
    return joined


def refuse_shared_identities(topic_map: TopicMap) -> None:
    """An item identifier names one thing, and a topic stands for one statement."""
    taken = {one for topic in topic_map.topics for one in topic.item_identifiers}
    reified: set[int] = set()
    for identifiers, reifier in _identities(topic_map):
        for identifier in identifiers:
            if identifier in taken:
                raise ImportFailed(f"the item identifier {identifier} names two different things; change one")
            taken.add(identifier)
        if reifier in reified:
            label = topic_map.topics[reifier].label
            raise ImportFailed(f"the topic {label!r} is the reifier of two different statements; change one")
        if reifier != NONE:
            reified.add(reifier)


def _identities(topic_map: TopicMap) -> Iterator[tuple[tuple[str, ...], int]]:
    yield topic_map.item_identifiers, topic_map.reifier
    for construct in _constructs(topic_map):
        yield construct.item_identifiers, construct.reifier


def _constructs(topic_map: TopicMap) -> Iterator[Construct]:
    for topic in topic_map.topics:
        for name in topic.names:
            yield name
            yield from name.variants
        yield from topic.occurrences
    for association in topic_map.associations:
        yield association
        yield from association.roles
