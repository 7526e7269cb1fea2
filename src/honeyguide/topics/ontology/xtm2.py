"""XTM 2.0 and 2.1: topic maps as XML, by ISO 13250-3."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from honeyguide.errors import ImportFailed
from honeyguide.topics.ontology.building import MapBuilder
from honeyguide.topics.ontology.identifiers import ANY_URI, STRING, TOPIC_NAME
from honeyguide.topics.ontology.topic_map import NONE, Association, Name, Occurrence, Role, Variant
from honeyguide.topics.ontology.xml_elements import Element

NAMESPACE = "http://www.topicmaps.org/xtm/"
VERSIONS = ("2.0", "2.1")
IDENTITIES = ("itemIdentity", "subjectIdentifier", "subjectLocator")
REFERENCES = ("topicRef", "subjectIdentifierRef", "subjectLocatorRef")


class Xtm2Reader:
    """Adds the contents of one file to a map."""

    def __init__(self, builder: MapBuilder, root: Element) -> None:
        version = root.attributes.get("version", "")
        if version not in VERSIONS:
            problem = f"has the version {version!r}" if version else "has no version"
            raise ImportFailed(f"line {root.line}: the topicMap {problem}; XTM is read in 1.0, 2.0 and 2.1")
        self._builder = builder
        self._strict = version == "2.0"  # which knows only topics with ids, and references to them

    def read(self, root: Element, children: Iterable[Element]) -> Iterator[Element]:
        """Read everything; what comes back are the mergeMaps to be read next."""
        self._builder.map_reifier = self._reifier(root)
        for child in children:
            if child.tag == "topic":
                self._topic(child)
            elif child.tag == "association":
                self._association(child)
            elif child.tag == "mergeMap":
                yield child
            elif child.tag == "itemIdentity":
                self._builder.map_identifiers[self._address(child)] = None
            elif child.tag == "reifier":
                if "reifier" in root.attributes:
                    raise ImportFailed(f"line {child.line}: the map has two reifiers; remove one")
                self._builder.map_reifier = self._only(child)

    def _topic(self, element: Element) -> None:
        topic = self._identified(element)
        for instance_of in element.all("instanceOf"):
            for type_ in self._references(instance_of):
                self._builder.add_instance(topic, type_)
        for name in element.all("name"):
            self._builder.add_name(topic, self._name(name))
        for occurrence in element.all("occurrence"):
            self._builder.add_occurrence(topic, self._occurrence(occurrence))

    def _identified(self, element: Element) -> int:
        """The topic an element speaks of, all its identifiers joined."""
        found: list[int] = []
        if "id" in element.attributes:
            found.append(self._builder.by_item(element.own_address()))
            self._builder.note_id(element.own_address(), element.attributes["id"], element.line)
        elif self._strict or element.first(*IDENTITIES) is None:
            raise ImportFailed(f"line {element.line}: a topic has no id; give it one")
        for identity in element.all(*IDENTITIES):
            address = self._address(identity)
            if identity.tag == "itemIdentity":
                found.append(self._builder.by_item(address))
            elif identity.tag == "subjectIdentifier":
                found.append(self._builder.by_subject(address))
            else:
                found.append(self._builder.by_locator(address))
        for other in found[1:]:
            self._builder.join(found[0], other)
        return found[0]

    def _name(self, element: Element) -> Name:
        value = element.first("value")
        if value is None:
            raise ImportFailed(f"line {element.line}: a name has no value")
        type_ = self._type(element, TOPIC_NAME)
        scope = self._scope(element)
        variants = tuple(self._variant(variant, scope) for variant in element.all("variant"))
        reifier, identifiers = self._reifier(element), self._item_identifiers(element)
        return Name(value.text, type_, scope, variants, reifier=reifier, item_identifiers=identifiers)

    def _variant(self, element: Element, outer: tuple[int, ...]) -> Variant:
        value, datatype = self._resource(element)
        scope = self._scope(element)
        if not scope:
            raise ImportFailed(f"line {element.line}: a variant has no scope; say when it is used")
        reifier, identifiers = self._reifier(element), self._item_identifiers(element)
        return Variant(value, outer + scope, datatype, reifier=reifier, item_identifiers=identifiers)

    def _occurrence(self, element: Element) -> Occurrence:
        value, datatype = self._resource(element)
        type_, scope = self._type(element), self._scope(element)
        reifier, identifiers = self._reifier(element), self._item_identifiers(element)
        return Occurrence(type_, value, datatype, scope, reifier=reifier, item_identifiers=identifiers)

    def _association(self, element: Element) -> None:
        roles = tuple(self._role(role) for role in element.all("role"))
        if not roles:
            raise ImportFailed(f"line {element.line}: an association has no roles")
        type_, scope = self._type(element), self._scope(element)
        reifier, identifiers = self._reifier(element), self._item_identifiers(element)
        made = Association(type_, roles, scope, reifier=reifier, item_identifiers=identifiers)
        self._builder.add_association(made)

    def _role(self, element: Element) -> Role:
        type_, player = self._type(element), self._only(element)
        reifier, identifiers = self._reifier(element), self._item_identifiers(element)
        return Role(type_, player, reifier=reifier, item_identifiers=identifiers)

    def _type(self, element: Element, default: str = "") -> int:
        type_ = element.first("type")
        if type_ is not None:
            return self._only(type_)
        if not default:
            raise ImportFailed(f"line {element.line}: the {element.tag} has no type")
        return self._builder.by_subject(default)

    def _scope(self, element: Element) -> tuple[int, ...]:
        scope = element.first("scope")
        return self._references(scope) if scope is not None else ()

    def _reifier(self, element: Element) -> int:
        inner = element.first("reifier")
        if "reifier" in element.attributes:
            if inner is not None:
                raise ImportFailed(f"line {inner.line}: the {element.tag} has two reifiers; remove one")
            return self._builder.by_item(element.resolve(element.attributes["reifier"]))
        return self._only(inner) if inner is not None else NONE

    def _item_identifiers(self, element: Element) -> tuple[str, ...]:
        return tuple(self._address(one) for one in element.all("itemIdentity"))

    def _only(self, element: Element) -> int:
        references = self._references(element)
        if len(references) != 1:
            raise ImportFailed(f"line {element.line}: the {element.tag} needs a reference to one topic")
        return references[0]

    def _references(self, element: Element) -> tuple[int, ...]:
        return tuple(self._reference(one) for one in element.all(*REFERENCES))

    def _reference(self, element: Element) -> int:
        address = self._address(element)
        if element.tag == "topicRef":
            return self._builder.by_item(address)
        if self._strict:
            raise ImportFailed(f"line {element.line}: XTM 2.0 has no {element.tag}; declare version 2.1")
        if element.tag == "subjectIdentifierRef":
            return self._builder.by_subject(address)
        return self._builder.by_locator(address)

    def _address(self, element: Element) -> str:
        if "href" not in element.attributes:
            raise ImportFailed(f"line {element.line}: a {element.tag} has no href")
        return element.resolve(element.attributes["href"])

    def _resource(self, element: Element) -> tuple[str, str]:
        data = element.first("resourceRef", "resourceData")
        if data is None:
            raise ImportFailed(
                f"line {element.line}: a {element.tag} has neither resourceRef nor resourceData"
            )
        if data.tag == "resourceRef":
            return self._address(data), ANY_URI
        datatype = data.attributes.get("datatype", STRING)
        return (element.resolve(data.text.strip()) if datatype == ANY_URI else data.text), datatype
