"""Building a topic map from statements in any order; topics that share an identifier become one.

While building, topics are numbered as they are met and joined in a union-find; `finish` renumbers them.
"""

from __future__ import annotations

from honeyguide.errors import ImportFailed
from honeyguide.topics.ontology.identifiers import (
    INSTANCE,
    SUBTYPE,
    SUPERTYPE,
    SUPERTYPE_SUBTYPE,
    TYPE,
    TYPE_INSTANCE,
)
from honeyguide.topics.ontology.merging import merge_equal, refuse_shared_identities
from honeyguide.topics.ontology.topic_map import NONE, Association, Name, Occurrence, Role, Topic, TopicMap

MAX_ITEMS = 1_000_000
"""Topics and statements of one map; a larger one would not fit in memory beside a crawl."""
MAX_NOTES = 100
MAX_ROUNDS = 10
"""Joining two statements may join two topics, which may join more statements; honest maps need one round."""


class MapBuilder:
    """Takes statements in any order. Topics are addressed by identifiers and come into being when first mentioned."""

    def __init__(self, max_items: int = MAX_ITEMS) -> None:
        self.notes: list[str] = []
        self._lines: dict[str, int] = {}
        self._items_left = max_items
        self._parents: list[int] = []
        self._identifiers: dict[str, int] = {}  # item and subject identifiers share one space
        self._locators: dict[str, int] = {}
        self._items: list[dict[str, None]] = []
        self._subjects: list[dict[str, None]] = []
        self._resources: list[dict[str, None]] = []
        self._names: list[list[Name]] = []
        self._occurrences: list[list[Occurrence]] = []
        self._associations: list[Association] = []
        self.map_reifier = NONE
        self.map_identifiers: dict[str, None] = {}

    def topic(self) -> int:
        """A new topic without identity."""
        self._count()
        self._parents.append(len(self._parents))
        for identities in (self._items, self._subjects, self._resources):
            identities.append({})
        self._names.append([])
        self._occurrences.append([])
        return len(self._parents) - 1

    def by_item(self, identifier: str) -> int:
        """The topic with this item identifier."""
        topic = self._topic_at(self._identifiers, identifier)
        self._items[topic][identifier] = None
        return topic

    def by_subject(self, identifier: str) -> int:
        """The topic with this subject identifier."""
        topic = self._topic_at(self._identifiers, identifier)
        self._subjects[topic][identifier] = None
        return topic

    def by_locator(self, locator: str) -> int:
        """The topic that is this resource."""
        topic = self._topic_at(self._locators, locator)
        self._resources[topic][locator] = None
        return topic

    def _topic_at(self, table: dict[str, int], identifier: str) -> int:
        topic = table.get(identifier, NONE)
        if topic == NONE:
            topic = table[identifier] = self.topic()
        return topic

    def join(self, one: int, other: int) -> int:
        """Make two topics one."""
        one, other = self._find(one), self._find(other)
        if one != other:
            one, other = min(one, other), max(one, other)
            self._parents[other] = one
        return one

    def _find(self, topic: int) -> int:
        while self._parents[topic] != topic:
            self._parents[topic] = self._parents[self._parents[topic]]
            topic = self._parents[topic]
        return topic

    def add_name(self, topic: int, name: Name) -> None:
        """Give a topic a name."""
        self._count(1 + len(name.variants))
        self._names[topic].append(name)

    def add_occurrence(self, topic: int, occurrence: Occurrence) -> None:
        """Say something about a topic."""
        self._count()
        self._occurrences[topic].append(occurrence)

    def add_association(self, association: Association) -> None:
        """Relate topics."""
        self._count(1 + len(association.roles))
        self._associations.append(association)

    def add_instance(self, instance: int, type_: int, scope: tuple[int, ...] = ()) -> None:
        """Say of what type a topic is."""
        roles = Role(self.by_subject(TYPE), type_), Role(self.by_subject(INSTANCE), instance)
        self.add_association(Association(self.by_subject(TYPE_INSTANCE), roles, scope))

    def add_subclass(self, lower: int, upper: int) -> None:
        """Put a class below another."""
        roles = Role(self.by_subject(SUPERTYPE), upper), Role(self.by_subject(SUBTYPE), lower)
        self.add_association(Association(self.by_subject(SUPERTYPE_SUBTYPE), roles))

    def note_id(self, address: str, id_: str, line: int) -> None:
        """Remember where a topic's id stands; one that is used twice joins two topics, perhaps by mistake."""
        first = self._lines.setdefault(address, line)
        if first != line and len(self.notes) < MAX_NOTES:
            self.notes.append(
                f"line {line}: the id {id_!r} was already used on line {first}; both are now one topic"
            )

    def _count(self, items: int = 1) -> None:
        self._items_left -= items
        if self._items_left < 0:
            raise ImportFailed(
                "the map has too many topics, names and associations; keep the part on your topic"
            )

    def finish(self) -> TopicMap:
        """The map, every topic and statement once; contradictory identities are refused."""
        for _ in range(MAX_ROUNDS):
            roots = [self._find(topic) for topic in range(len(self._parents))]
            self._merge_statements(roots)
            if all(self._parents[root] == root for root in roots):
                return self._numbered(roots)
        raise ImportFailed(
            "topics of the map stand for one another in an endless chain; remove their reifiers"
        )

    def _merge_statements(self, roots: list[int]) -> None:
        place = roots.__getitem__
        for topic, root in enumerate(roots):
            if topic != root:
                self._names[root] += self._names[topic]
                self._occurrences[root] += self._occurrences[topic]
                self._names[topic], self._occurrences[topic] = [], []
        self._names = [merge_equal(names, place, self.join) for names in self._names]
        self._occurrences = [merge_equal(some, place, self.join) for some in self._occurrences]
        self._associations = merge_equal(self._associations, place, self.join)

    def _numbered(self, roots: list[int]) -> TopicMap:
        kept = sorted(set(roots))
        numbers = {root: number for number, root in enumerate(kept)}
        places = [numbers[root] for root in roots]
        place = places.__getitem__
        items, subjects, resources = (
            _gathered(one, places, len(kept)) for one in (self._items, self._subjects, self._resources)
        )
        topics = [
            Topic(
                tuple(items[number]),
                tuple(subjects[number]),
                tuple(resources[number]),
                names=tuple(name.placed(place) for name in self._names[root]),
                occurrences=tuple(one.placed(place) for one in self._occurrences[root]),
            )
            for number, root in enumerate(kept)
        ]
        associations = [association.placed(place) for association in self._associations]
        reifier = NONE if self.map_reifier == NONE else place(self.map_reifier)
        made = TopicMap(topics, associations, reifier, tuple(self.map_identifiers), tuple(self.notes))
        refuse_shared_identities(made)
        return made


def _gathered(columns: list[dict[str, None]], places: list[int], count: int) -> list[dict[str, None]]:
    gathered: list[dict[str, None]] = [{} for _ in range(count)]
    for identifiers, place in zip(columns, places, strict=True):
        gathered[place].update(identifiers)
    return gathered
