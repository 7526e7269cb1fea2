"""A topic map as JSON, for topic files: lists in a fixed order, references as numbers; checked when read back."""

from __future__ import annotations

import json
from typing import Any

from honeyguide.errors import TopicError
from honeyguide.topics.ontology.topic_map import (
    NONE,
    Association,
    Name,
    Occurrence,
    Role,
    Topic,
    TopicMap,
    Variant,
)

Lists = list[Any]


def map_to_json(topic_map: TopicMap) -> bytes:
    """All of a map but the notes on how it was read."""
    document = {
        "topics": [_topic_lists(topic) for topic in topic_map.topics],
        "associations": [_association_lists(one) for one in topic_map.associations],
        "reifier": topic_map.reifier,
        "item_identifiers": topic_map.item_identifiers,
    }
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def _topic_lists(topic: Topic) -> Lists:
    names = [
        [
            one.value,
            one.type,
            one.scope,
            [_variant_lists(variant) for variant in one.variants],
            *_identity(one),
        ]
        for one in topic.names
    ]
    occurrences = [
        [one.type, one.value, one.datatype, one.scope, *_identity(one)] for one in topic.occurrences
    ]
    return [topic.item_identifiers, topic.subject_identifiers, topic.subject_locators, names, occurrences]


def _variant_lists(variant: Variant) -> Lists:
    return [variant.value, variant.scope, variant.datatype, *_identity(variant)]


def _association_lists(association: Association) -> Lists:
    roles = [[role.type, role.player, *_identity(role)] for role in association.roles]
    return [association.type, roles, association.scope, *_identity(association)]


def _identity(one: Name | Variant | Occurrence | Association | Role) -> tuple[int, tuple[str, ...]]:
    return one.reifier, one.item_identifiers


def map_from_json(data: bytes) -> TopicMap:
    """The same map again; what makes no sense is refused."""
    try:
        document = json.loads(data)
        reader = _Reader(len(document["topics"]))
        return TopicMap(
            [reader.topic(lists) for lists in document["topics"]],
            [reader.association(lists) for lists in document["associations"]],
            reader.reference(document["reifier"], NONE),
            reader.texts(document["item_identifiers"]),
        )
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise TopicError(
            f"the topic map in the topic file is damaged ({error}); make the topic anew"
        ) from None


class _Reader:
    def __init__(self, topics: int) -> None:
        self._topics = topics

    def topic(self, lists: Lists) -> Topic:
        items, subjects, locators, names, occurrences = lists
        return Topic(
            self.texts(items),
            self.texts(subjects),
            self.texts(locators),
            tuple(self._name(one) for one in names),
            tuple(self._occurrence(one) for one in occurrences),
        )

    def _name(self, lists: Lists) -> Name:
        value, type_, scope, variants, reifier, identifiers = lists
        return Name(
            self._text(value),
            self.reference(type_),
            self._scope(scope),
            tuple(self._variant(one) for one in variants),
            reifier=self.reference(reifier, NONE),
            item_identifiers=self.texts(identifiers),
        )

    def _variant(self, lists: Lists) -> Variant:
        value, scope, datatype, reifier, identifiers = lists
        return Variant(
            self._text(value),
            self._scope(scope),
            self._text(datatype),
            reifier=self.reference(reifier, NONE),
            item_identifiers=self.texts(identifiers),
        )

    def _occurrence(self, lists: Lists) -> Occurrence:
        type_, value, datatype, scope, reifier, identifiers = lists
        return Occurrence(
            self.reference(type_),
            self._text(value),
            self._text(datatype),
            self._scope(scope),
            reifier=self.reference(reifier, NONE),
            item_identifiers=self.texts(identifiers),
        )

    def association(self, lists: Lists) -> Association:
        type_, roles, scope, reifier, identifiers = lists
        return Association(
            self.reference(type_),
            tuple(self._role(one) for one in roles),
            self._scope(scope),
            reifier=self.reference(reifier, NONE),
            item_identifiers=self.texts(identifiers),
        )

    def _role(self, lists: Lists) -> Role:
        type_, player, reifier, identifiers = lists
        return Role(
            self.reference(type_),
            self.reference(player),
            reifier=self.reference(reifier, NONE),
            item_identifiers=self.texts(identifiers),
        )

    def reference(self, number: Any, least: int = 0) -> int:
        if type(number) is not int or not least <= number < self._topics:
            raise ValueError(f"there is no topic {number!r:.50}")
        return number

    def _scope(self, scope: Lists) -> tuple[int, ...]:
        return tuple(self.reference(theme) for theme in scope)

    def texts(self, values: Lists) -> tuple[str, ...]:
        return tuple(self._text(value) for value in values)

    def _text(self, value: Any) -> str:
        if not isinstance(value, str):
            raise TypeError(f"{value!r:.50} is no text")
        return value
