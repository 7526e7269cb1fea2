"""Topic maps as SKOS in Turtle: topics become concepts, classes above them broader ones."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from urllib.parse import quote

from honeyguide.topics.ontology.found_pages import RELEVANCE, FoundPage, printable, replaced_file
from honeyguide.topics.ontology.hierarchy import Hierarchy
from honeyguide.topics.ontology.identifiers import ANY_URI, STRING, TOPIC_NAME
from honeyguide.topics.ontology.topic_map import Occurrence, Topic, TopicMap

PREFIXES = """@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix dct: <http://purl.org/dc/terms/> .
@prefix foaf: <http://xmlns.com/foaf/0.1/> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
"""
HIDDEN = "http://www.w3.org/2004/02/skos/core#hiddenLabel"
_ESCAPES = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"})
_ABSOLUTE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_SAFE = "!#$%&'()*+,/:;=?@[]~"


def write_skos(
    path: Path,
    topic_map: TopicMap,
    pages: Iterable[FoundPage] = (),
    hierarchy: Hierarchy | None = None,
) -> None:
    """Write a map to a Turtle file, and the pages found for it as documents on the topics they mention."""
    with replaced_file(path) as file:
        file.write(PREFIXES)
        file.writelines(_Writer(topic_map, hierarchy or Hierarchy(topic_map)).lines(pages))


class _Writer:
    def __init__(self, topic_map: TopicMap, hierarchy: Hierarchy) -> None:
        self._map = topic_map
        self._hierarchy = hierarchy
        self._default_name = topic_map.number(TOPIC_NAME)
        self._hidden = topic_map.number(HIDDEN)
        self._addresses = [_address(number, topic) for number, topic in enumerate(topic_map.topics)]

    def lines(self, pages: Iterable[FoundPage]) -> Iterator[str]:
        for number, topic in enumerate(self._map.topics):
            if topic.names:
                statements = ["a skos:Concept", *self._labels(topic), *self._broader(number)]
                statements += self._notes(topic.occurrences)
                yield f"{self._addresses[number]} {' ; '.join(statements)} .\n"
        yield from self._related()
        for page in pages:
            subjects = "".join(f" ; dct:subject {self._addresses[number]}" for number in page.mentions)
            title = f" ; dct:title {_literal(page.title)}" if page.title else ""
            yield (
                f"{_iri(page.url)} a foaf:Document{title} ; "
                f'<{RELEVANCE}> "{page.relevance:.6f}"^^xsd:decimal{subjects} .\n'
            )

    def _labels(self, topic: Topic) -> Iterator[str]:
        """One preferred label a language; all other names are alternative ones."""
        preferred: set[str] = set()
        for name in topic.names:
            language = self._map.language(name.scope)
            kind = "skos:hiddenLabel" if name.type == self._hidden else "skos:altLabel"
            if name.type == self._default_name and language not in preferred:
                kind = "skos:prefLabel"
                preferred.add(language)
            yield f"{kind} {_literal(name.value, language)}"
            for variant in name.variants:
                if variant.datatype == STRING:
                    yield f"skos:hiddenLabel {_literal(variant.value, self._map.language(variant.scope))}"

    def _broader(self, number: int) -> Iterator[str]:
        for upper in sorted(self._hierarchy.uppers.get(number, ())):
            yield f"skos:broader {self._addresses[upper]}"

    def _notes(self, occurrences: Iterable[Occurrence]) -> Iterator[str]:
        for one in occurrences:
            type_ = self._addresses[one.type]
            if one.datatype == ANY_URI:
                yield f"{type_} {_iri(one.value)}"
            else:
                suffix = "" if one.datatype == STRING else f"^^{_iri(one.datatype)}"
                language = self._map.language(one.scope)
                yield f"{type_} {_literal(one.value, '' if suffix else language)}{suffix}"

    def _related(self) -> Iterator[str]:
        """Associations of two named topics: by their own type, and as related concepts."""
        for association in self._map.associations:
            players = [role.player for role in association.roles]
            named = all(self._map.topics[player].names for player in players)
            if len(players) == 2 and named and not self._hierarchy.joins(association):
                one, other = (self._addresses[player] for player in players)
                yield f"{one} skos:related {other} ; {self._addresses[association.type]} {other} .\n"


def _address(number: int, topic: Topic) -> str:
    known = (one for one in topic.identifiers() if _ABSOLUTE.match(one) and not one.startswith("file:"))
    return _iri(next(known, f"urn:honeyguide:topic:{number}"))


def _iri(address: str) -> str:
    # Turtle forbids some characters in addresses, and takes those without a scheme for relative ones.
    safe = quote(printable(address), safe=_SAFE)
    return f"<{safe}>" if _ABSOLUTE.match(safe) else f"<urn:honeyguide:{safe}>"


def _literal(text: str, language: str = "") -> str:
    return f'"{printable(text).translate(_ESCAPES)}"' + (f"@{language}" if language else "")
