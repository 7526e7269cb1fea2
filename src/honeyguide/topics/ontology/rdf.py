"""SKOS, OWL and RDFS as topic maps: concepts and classes become topics, labels names, properties associations.

broader, narrower and subClassOf (and what the file declares as a kind of them) become supertype-subtype.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from honeyguide.errors import ImportFailed, TopicError
from honeyguide.topics.ontology.building import MapBuilder
from honeyguide.topics.ontology.identifiers import ANY_URI, STRING, TOPIC_NAME, language_topic
from honeyguide.topics.ontology.topic_map import Association, Name, Occurrence, Role, local_name

if TYPE_CHECKING:
    from rdflib.term import Node

    from honeyguide.topics.ontology.rdf_triples import Pairs

MAX_TRIPLES = 1_000_000
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
OWL = "http://www.w3.org/2002/07/owl#"
SKOS = "http://www.w3.org/2004/02/skos/core#"
SKOSXL = "http://www.w3.org/2008/05/skos-xl#"
ISO_THES = "http://purl.org/iso25964/skos-thes#"
SYNTAX = (RDF, RDFS, OWL, SKOS, SKOSXL, "http://www.w3.org/2001/XMLSchema#")

NAMES = (
    SKOS + "prefLabel",
    RDFS + "label",
    "http://schema.org/name",
    "https://schema.org/name",
    "http://xmlns.com/foaf/0.1/name",
)
OTHER_NAMES = (
    SKOS + "altLabel",
    SKOS + "hiddenLabel",
    "http://www.geneontology.org/formats/oboInOwl#hasExactSynonym",
    "http://schema.org/alternateName",
    "https://schema.org/alternateName",
)
LABEL_NODES = {SKOSXL + kind: SKOS + kind for kind in ("prefLabel", "altLabel", "hiddenLabel")}
UPWARD = {SKOS + "broader", RDFS + "subClassOf"} | {
    ISO_THES + f"broader{kind}" for kind in ("Generic", "Partitive", "Instantial")
}
DOWNWARD = {SKOS + "narrower"} | {
    ISO_THES + f"narrower{kind}" for kind in ("Generic", "Partitive", "Instantial")
}
CLASSES = {SKOS + "Concept", SKOS + "Collection", OWL + "Class", RDFS + "Class", OWL + "NamedIndividual"}
NO_SUBJECTS = {SKOS + "ConceptScheme", OWL + "Ontology", SKOSXL + "Label", OWL + "Restriction"}
SAME = (OWL + "sameAs", OWL + "equivalentClass")
PART_OF_THE_FILE = {SKOS + "inScheme", SKOS + "topConceptOf", SKOS + "hasTopConcept", OWL + "imports"}
FILLERS = (OWL + "someValuesFrom", OWL + "allValuesFrom", OWL + "hasValue", OWL + "onClass")
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_A-Za-z]+")


def add_rdf(builder: MapBuilder, data: bytes, base: str, syntax: str, max_triples: int = MAX_TRIPLES) -> None:
    """Add the contents of an RDF file to a map."""
    try:
        from honeyguide.topics.ontology.rdf_triples import read_triples
    except ImportError:
        raise TopicError('reading RDF needs another package: pip install "honeyguide[topics]"') from None
    triples = read_triples(data, base, syntax, max_triples)
    if not any(triples.values()):
        raise ImportFailed("the file holds no RDF statement")
    _RdfReader(builder, triples).read()


class _RdfReader:
    def __init__(self, builder: MapBuilder, triples: dict[str, Pairs]) -> None:
        self._builder = builder
        self._triples = triples
        self._topics: dict[Node, int] = {}
        self._named: set[Node] = set()

    def read(self) -> None:
        self._find_topics()
        self._read_names()
        self._name_the_nameless()
        self._read_hierarchy()
        self._read_class_expressions()
        self._read_domains()
        self._read_statements()

    def _pairs(self, *predicates: str) -> Iterator[tuple[Node, Node]]:
        for predicate in predicates:
            yield from self._triples.get(predicate, ())

    def _find_topics(self) -> None:
        types = list(self._pairs(RDF + "type"))
        skipped = {subject for subject, type_ in types if str(type_) in NO_SUBJECTS}
        self._upward = self._with_subproperties(UPWARD)
        self._downward = self._with_subproperties(DOWNWARD)
        found: dict[Node, None] = dict.fromkeys(subject for subject, type_ in types if str(type_) in CLASSES)
        for one, other in self._pairs(*sorted(self._upward | self._downward)):
            found |= {one: None, other: None}
        self._classes = {node for node in found if self._usable(node, skipped)}
        labelled = self._pairs(*NAMES, *OTHER_NAMES, *LABEL_NODES)
        for node in (*found, *(subject for subject, _ in labelled)):
            if node not in self._topics and self._usable(node, skipped):
                self._topics[node] = self._builder.by_subject(str(node))
        for one, other in self._pairs(*SAME):
            if one in self._topics and other in self._topics:
                self._builder.join(self._topics[one], self._topics[other])

    def _with_subproperties(self, predicates: set[str]) -> set[str]:
        known, size = set(predicates), 0
        declared = [(str(one), str(other)) for one, other in self._pairs(RDFS + "subPropertyOf")]
        while len(known) > size:
            size = len(known)
            known |= {one for one, other in declared if other in known}
        return known

    def _usable(self, node: Node, skipped: set[Node]) -> bool:
        return _is_iri(node) and node not in skipped and not str(node).startswith(SYNTAX)

    def _read_names(self) -> None:
        forms = dict(self._pairs(SKOSXL + "literalForm"))
        for predicate in NAMES + OTHER_NAMES:
            for subject, label in self._pairs(predicate):
                self._add_name(subject, label, predicate)
        for predicate, plain in LABEL_NODES.items():
            for subject, node in self._pairs(predicate):
                if node in forms:
                    self._add_name(subject, forms[node], plain)

    def _add_name(self, subject: Node, label: Node, predicate: str) -> None:
        if subject in self._topics and not _is_iri(label) and str(label).strip():
            type_ = self._builder.by_subject(TOPIC_NAME if predicate in NAMES else predicate)
            scope = self._scope(label)
            self._builder.add_name(self._topics[subject], Name(str(label), type_, scope))
            self._named.add(subject)

    def _name_the_nameless(self) -> None:
        """Many ontologies label nothing, and name their classes in the address: .../vocabulary#OperatingSystem."""
        type_ = self._builder.by_subject(TOPIC_NAME)
        nameless = self._classes - self._named
        for node in (node for node in self._topics if node in nameless):
            words = _WORDS.findall(local_name(str(node)))
            if any(len(word) > 2 for word in words):
                self._builder.add_name(self._topics[node], Name(" ".join(words), type_))

    def _scope(self, literal: Node) -> tuple[int, ...]:
        language = getattr(literal, "language", None)
        return (self._builder.by_subject(language_topic(language)),) if language else ()

    def _read_hierarchy(self) -> None:
        for lower, upper in self._pairs(*sorted(self._upward)):
            self._add_subclass(lower, upper)
        for upper, lower in self._pairs(*sorted(self._downward)):
            self._add_subclass(lower, upper)

    def _add_subclass(self, lower: Node, upper: Node) -> None:
        if lower in self._topics and upper in self._topics:
            self._builder.add_subclass(self._topics[lower], self._topics[upper])

    def _read_class_expressions(self) -> None:
        """What a class is said to be by way of nameless ones: part of an intersection, or joined by a property."""
        self._of: dict[str, dict[Node, list[Node]]] = {}
        for predicate in (RDF + "first", RDF + "rest", OWL + "intersectionOf", OWL + "onProperty", *FILLERS):
            column = self._of[predicate] = {}
            for subject, object_ in self._pairs(predicate):
                column.setdefault(subject, []).append(object_)
        for lower, expression in self._pairs(RDFS + "subClassOf", OWL + "equivalentClass"):
            if lower in self._topics and not _is_iri(expression):
                for property_, other in self._expressed(expression):
                    self._relate(lower, property_, other)

    def _expressed(self, expression: Node) -> Iterator[tuple[Node | None, Node]]:
        """Classes an expression names, each with the property that leads there or None for a class above."""
        todo, seen = [expression], {expression}
        while todo:
            node = todo.pop()
            for property_ in self._of[OWL + "onProperty"].get(node, ()):
                yield from (
                    (property_, filler) for column in FILLERS for filler in self._of[column].get(node, ())
                )
            for first in self._of[RDF + "first"].get(node, ()):
                if _is_iri(first):
                    yield None, first
                elif first not in seen:
                    todo.append(first)
            for column in (OWL + "intersectionOf", RDF + "rest"):
                todo += [one for one in self._of[column].get(node, ()) if one not in seen]
            seen.update(todo)

    def _relate(self, one: Node, property_: Node | None, other: Node) -> None:
        if property_ is None:
            self._add_subclass(one, other)
        elif one in self._topics and other in self._topics and _is_iri(property_):
            self._add_association(str(property_), one, other)

    def _read_domains(self) -> None:
        """A property joins the classes it leads from and to."""
        ranges: dict[Node, list[Node]] = {}
        for property_, class_ in self._pairs(RDFS + "range"):
            ranges.setdefault(property_, []).append(class_)
        for property_, class_ in self._pairs(RDFS + "domain"):
            for other in ranges.get(property_, ()):
                self._relate(class_, property_, other)

    def _read_statements(self) -> None:
        read = {*NAMES, *OTHER_NAMES, *LABEL_NODES, *SAME, *self._upward, *self._downward, *PART_OF_THE_FILE}
        for predicate in self._triples:
            if predicate not in read:
                for subject, object_ in self._triples[predicate]:
                    if subject in self._topics:
                        self._add_statement(subject, predicate, object_)

    def _add_statement(self, subject: Node, predicate: str, object_: Node) -> None:
        topic = self._topics[subject]
        if predicate == RDF + "type":
            if object_ in self._topics:
                self._builder.add_instance(topic, self._topics[object_])
        elif object_ in self._topics:
            self._add_association(predicate, subject, object_)
        elif _is_iri(object_) or _is_literal(object_):
            datatype = ANY_URI if _is_iri(object_) else str(getattr(object_, "datatype", None) or STRING)
            type_ = self._builder.by_subject(predicate)
            occurrence = Occurrence(type_, str(object_), datatype, self._scope(object_))
            self._builder.add_occurrence(topic, occurrence)

    def _add_association(self, predicate: str, subject: Node, object_: Node) -> None:
        by_subject = self._builder.by_subject
        roles = (
            Role(by_subject(RDF + "subject"), self._topics[subject]),
            Role(by_subject(RDF + "object"), self._topics[object_]),
        )
        self._builder.add_association(Association(by_subject(predicate), roles))


def _is_iri(node: Node) -> bool:
    return type(node).__name__ == "URIRef"


def _is_literal(node: Node) -> bool:
    return type(node).__name__ == "Literal"
