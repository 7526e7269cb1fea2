"""The topic map: topics with identifiers, names and occurrences, and typed associations between them.

Follows ISO 13250-2. A reference to a topic is its number in `TopicMap.topics`; maps are made by `MapBuilder`.
"""

from __future__ import annotations

import difflib
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from typing import Self

from honeyguide.errors import TopicError
from honeyguide.topics.ontology.identifiers import STRING, language_of_identifier

NONE = -1
"""In place of a topic's number: there is none."""
MAX_COMPARED = 200_000
"""Names, and ends of identifiers, looked through for one that is nearly right."""

Place = Callable[[int], int]
"""From a topic's old number to its new one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Construct:
    """What names, variants, occurrences, associations and roles have in common."""

    reifier: int = NONE  # the topic that stands for this statement
    item_identifiers: tuple[str, ...] = ()

    def content(self) -> Hashable:
        """What makes two of a kind the same."""
        raise NotImplementedError

    def placed(self, place: Place) -> Self:
        """The same, its topics numbered anew."""
        return self if self.reifier == NONE else replace(self, reifier=place(self.reifier))


@dataclass(frozen=True, slots=True)
class Variant(Construct):
    """Another form of a name: a plural, a sort key, a nickname."""

    value: str
    scope: tuple[int, ...] = ()
    datatype: str = STRING

    def content(self) -> Hashable:
        """Value, datatype and scope."""
        return self.value, self.datatype, frozenset(self.scope)

    def placed(self, place: Place) -> Self:
        """The same, its topics numbered anew."""
        return replace(Construct.placed(self, place), scope=_scope(self.scope, place))


@dataclass(frozen=True, slots=True)
class Name(Construct):
    """A name of a topic, perhaps only within a scope such as a language."""

    value: str
    type: int
    scope: tuple[int, ...] = ()
    variants: tuple[Variant, ...] = ()

    def content(self) -> Hashable:
        """Value, type and scope; variants do not count."""
        return self.value, self.type, frozenset(self.scope)

    def placed(self, place: Place) -> Self:
        """The same, its topics numbered anew."""
        variants = tuple(variant.placed(place) for variant in self.variants)
        moved = Construct.placed(self, place)
        return replace(moved, type=place(self.type), scope=_scope(self.scope, place), variants=variants)


@dataclass(frozen=True, slots=True)
class Occurrence(Construct):
    """Something that is said about a topic: an address or a text."""

    type: int
    value: str
    datatype: str = STRING
    scope: tuple[int, ...] = ()

    def content(self) -> Hashable:
        """Value, datatype, type and scope."""
        return self.value, self.datatype, self.type, frozenset(self.scope)

    def placed(self, place: Place) -> Self:
        """The same, its topics numbered anew."""
        moved = Construct.placed(self, place)
        return replace(moved, type=place(self.type), scope=_scope(self.scope, place))


@dataclass(frozen=True, slots=True)
class Role(Construct):
    """The part a topic plays in an association."""

    type: int
    player: int

    def content(self) -> Hashable:
        """Type and player."""
        return self.type, self.player

    def placed(self, place: Place) -> Self:
        """The same, its topics numbered anew."""
        return replace(Construct.placed(self, place), type=place(self.type), player=place(self.player))


@dataclass(frozen=True, slots=True)
class Association(Construct):
    """A typed relation between topics."""

    type: int
    roles: tuple[Role, ...]
    scope: tuple[int, ...] = ()

    def content(self) -> Hashable:
        """Type, scope and who plays what."""
        return self.type, frozenset(self.scope), frozenset(role.content() for role in self.roles)

    def placed(self, place: Place) -> Self:
        """The same, its topics numbered anew."""
        roles = tuple(role.placed(place) for role in self.roles)
        moved = Construct.placed(self, place)
        return replace(moved, type=place(self.type), scope=_scope(self.scope, place), roles=roles)


@dataclass(frozen=True, slots=True)
class Topic:
    """A subject."""

    item_identifiers: tuple[str, ...] = ()
    subject_identifiers: tuple[str, ...] = ()
    subject_locators: tuple[str, ...] = ()
    names: tuple[Name, ...] = ()
    occurrences: tuple[Occurrence, ...] = ()

    @property
    def label(self) -> str:
        """What to call it: its first name, else an identifier."""
        for name in self.names:
            return name.value
        for identifier in (*self.subject_identifiers, *self.item_identifiers, *self.subject_locators):
            return identifier
        return "(nameless)"

    def identifiers(self) -> tuple[str, ...]:
        """All addresses it is known by."""
        return *self.subject_identifiers, *self.item_identifiers, *self.subject_locators


@dataclass(frozen=True)
class TopicMap:
    """Topics and the associations between them."""

    topics: Sequence[Topic]
    associations: Sequence[Association] = ()
    reifier: int = NONE
    item_identifiers: tuple[str, ...] = ()
    notes: Sequence[str] = field(default=(), compare=False)  # what was left out while reading, and why

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {one: number for number, topic in enumerate(self.topics) for one in topic.identifiers()}

    @cached_property
    def _ends(self) -> dict[str, set[int]]:
        """The last part of each identifier, such as an id."""
        ends: dict[str, set[int]] = defaultdict(set)
        for identifier, number in self._numbers.items():
            ends[local_name(identifier)].add(number)
        return ends

    @cached_property
    def _names(self) -> dict[str, set[int]]:
        names: dict[str, set[int]] = defaultdict(set)
        for number, topic in enumerate(self.topics):
            for name in topic.names:
                names[_folded(name.value)].add(number)
        return names

    def number(self, identifier: str) -> int:
        """The topic known by this identifier, or `NONE`."""
        return self._numbers.get(identifier, NONE)

    def find(self, text: str) -> int:
        """The one topic a user means by an identifier, the end of one ("toyota" for "cars.xtm#toyota"), or a name."""
        if text in self._numbers:
            return self._numbers[text]
        found = self._ends.get(text.removeprefix("#")) or self._names.get(_folded(text)) or set()
        if len(found) == 1:
            return next(iter(found))
        if found:
            some = ", ".join(next(iter(self.topics[one].identifiers()), "?") for one in sorted(found)[:5])
            raise TopicError(f"{len(found)} topics are called {text!r}; give the identifier of one: {some}")
        known = dict.fromkeys([*islice(self._names, MAX_COMPARED), *islice(self._ends, MAX_COMPARED)])
        near = difflib.get_close_matches(_folded(text), known, n=3)
        hint = f"did you mean {', '.join(near)}?" if near else "give a topic's identifier or name"
        raise TopicError(f"the topic map has no topic {text!r}; {hint}")

    def language(self, scope: tuple[int, ...]) -> str:
        """The language a scope restricts a name to, as two letters, or empty."""
        for theme in scope:
            for identifier in self.topics[theme].subject_identifiers:
                if language := language_of_identifier(identifier):
                    return language
        return ""

    def languages_called(self, number: int, text: str) -> set[str]:
        """The languages in which a topic has this name."""
        return {
            language for name, language in self.named(number) if language and _folded(name) == _folded(text)
        }

    def named(self, number: int) -> Iterator[tuple[str, str]]:
        """All names and textual variants of a topic, each with its language."""
        for name in self.topics[number].names:
            yield name.value, self.language(name.scope)
            for variant in name.variants:
                if variant.datatype == STRING:
                    yield variant.value, self.language(variant.scope)


def local_name(identifier: str) -> str:
    """The end of an identifier: its fragment, or the last part of its path.

    >>> local_name("http://example.org/cars#toyota"), local_name("http://example.org/concept/c42/")
    ('toyota', 'c42')
    """
    fragment = identifier.rpartition("#")[2]
    return fragment if "#" in identifier and fragment else identifier.rstrip("/#").rpartition("/")[2]


def _folded(name: str) -> str:
    return " ".join(name.casefold().split())


def _scope(scope: tuple[int, ...], place: Place) -> tuple[int, ...]:
    return tuple(sorted({place(theme) for theme in scope})) if scope else scope
