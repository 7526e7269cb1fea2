"""XTM 1.0: topic maps as XML with XLink references."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from honeyguide.errors import ImportFailed
from honeyguide.topics.ontology.building import MapBuilder
from honeyguide.topics.ontology.identifiers import (
    ANY_URI,
    STRING,
    TODAYS_NAME,
    TOPIC_NAME,
    XTM1_ASSOCIATION,
    XTM1_OCCURRENCE,
    XTM1_ROLE,
)
from honeyguide.topics.ontology.topic_map import NONE, Association, Name, Occurrence, Role, Variant
from honeyguide.topics.ontology.xml_elements import Element

NAMESPACE = "http://www.topicmaps.org/xtm/1.0/"
HREF = "http://www.w3.org/1999/xlink href"
REFERENCES = ("topicRef", "subjectIndicatorRef", "resourceRef")
STATEMENTS = ("topicMap", "baseName", "variant", "occurrence", "association", "member")


class Xtm1Reader:
    """Adds the contents of one file to a map. `themes` of a mergeMap extend the scope of every statement."""

    def __init__(self, builder: MapBuilder, reified: set[str], themes: tuple[int, ...] = ()) -> None:
        self._builder = builder
        self._reified = reified
        self._reifiers: dict[str, int] = {}
        self._themes = themes

    def read(self, root: Element, children: Iterable[Element]) -> Iterator[tuple[Element, tuple[int, ...]]]:
        """Read everything; what comes back are the mergeMaps to be read next, with their added themes."""
        self._builder.map_reifier, identifiers = self._identity(root)
        self._builder.map_identifiers.update(dict.fromkeys(identifiers))
        yield from self._contents(children)

    def _contents(self, children: Iterable[Element]) -> Iterator[tuple[Element, tuple[int, ...]]]:
        for child in children:
            if child.tag == "topic":
                self._topic(child)
            elif child.tag == "association":
                self._association(child)
            elif child.tag == "mergeMap":
                yield child, self._themes + self._references(child)
            elif child.tag == "topicMap":  # a map within a map: what it says is part of the whole
                yield from self._contents(child.children)

    def _topic(self, element: Element) -> None:
        if "id" in element.attributes:
            topic = self._builder.by_item(element.own_address())
            self._builder.note_id(element.own_address(), element.attributes["id"], element.line)
        else:
            topic = self._builder.topic()  # known by its subject, or by nothing: then nobody refers to it
        for identity in element.all("subjectIdentity"):
            for reference in identity.all(*REFERENCES):
                address = _address(reference)
                joined = self._reifier(address) if address in self._reified else self._reference(reference)
                self._builder.join(topic, joined)
        for type_ in self._types(element):
            self._builder.add_instance(topic, type_, self._themes)
        for name in element.all("baseName"):
            self._builder.add_name(topic, self._name(name))
        for occurrence in element.all("occurrence"):
            self._builder.add_occurrence(topic, self._occurrence(occurrence))

    def _name(self, element: Element) -> Name:
        value = element.first("baseNameString")
        if value is None:
            raise ImportFailed(f"line {element.line}: a baseName has no baseNameString")
        reifier, identifiers = self._identity(element)
        scope = self._scope(element)
        variants = tuple(self._variants(element, scope))
        type_ = self._type(element, TOPIC_NAME)
        return Name(value.text, type_, scope, variants, reifier=reifier, item_identifiers=identifiers)

    def _variants(self, element: Element, scope: tuple[int, ...]) -> Iterator[Variant]:
        for variant in element.all("variant"):
            parameters = variant.first("parameters")
            if parameters is None:
                raise ImportFailed(f"line {variant.line}: a variant has no parameters; say when it is used")
            inner = scope + self._references(parameters)
            form = variant.first("variantName")
            if form is not None:
                value, datatype = _resource(form)
                reifier, identifiers = self._identity(variant)
                yield Variant(value, inner, datatype, reifier=reifier, item_identifiers=identifiers)
            yield from self._variants(variant, inner)

    def _occurrence(self, element: Element) -> Occurrence:
        value, datatype = _resource(element)
        reifier, identifiers = self._identity(element)
        type_ = self._type(element, XTM1_OCCURRENCE)
        scope = self._scope(element)
        return Occurrence(type_, value, datatype, scope, reifier=reifier, item_identifiers=identifiers)

    def _association(self, element: Element) -> None:
        reifier, identifiers = self._identity(element)
        roles = tuple(role for member in element.all("member") for role in self._roles(member))
        if not roles:
            raise ImportFailed(f"line {element.line}: an association has no members")
        type_, scope = self._type(element, XTM1_ASSOCIATION), self._scope(element)
        made = Association(type_, roles, scope, reifier=reifier, item_identifiers=identifiers)
        self._builder.add_association(made)

    def _roles(self, member: Element) -> Iterator[Role]:
        spec = member.first("roleSpec")
        types = self._references(spec) if spec is not None else ()
        type_ = types[0] if types else self._builder.by_subject(XTM1_ROLE)
        reifier, identifiers = self._identity(member)
        for player in self._references(member):
            yield Role(type_, player, reifier=reifier, item_identifiers=identifiers)
            reifier, identifiers = NONE, ()  # a member with several players becomes several roles

    def _type(self, element: Element, default: str) -> int:
        types = self._types(element)
        return types[0] if types else self._builder.by_subject(default)

    def _types(self, element: Element) -> tuple[int, ...]:
        return tuple(type_ for one in element.all("instanceOf") for type_ in self._references(one))

    def _scope(self, element: Element) -> tuple[int, ...]:
        scope = element.first("scope")
        return self._themes + (self._references(scope) if scope is not None else ())

    def _references(self, element: Element) -> tuple[int, ...]:
        return tuple(self._reference(one) for one in element.all(*REFERENCES))

    def _reference(self, element: Element) -> int:
        address = _address(element)
        if element.tag == "topicRef":
            return self._builder.by_item(address)
        if element.tag == "subjectIndicatorRef":
            return self._builder.by_subject(TODAYS_NAME.get(address, address))
        return self._builder.by_locator(address)

    def _identity(self, element: Element) -> tuple[int, tuple[str, ...]]:
        """The topic that reifies a statement, and the statement's item identifiers."""
        if "id" not in element.attributes:
            return NONE, ()
        address = element.own_address()
        return (self._reifier(address), ()) if address in self._reified else (NONE, (address,))

    def _reifier(self, address: str) -> int:
        if address not in self._reifiers:
            self._reifiers[address] = self._builder.topic()
        return self._reifiers[address]


def maps_in(element: Element) -> Iterator[Element]:
    """The topic maps an element of another kind holds."""
    if (element.namespace, element.tag) == (NAMESPACE, "topicMap"):
        yield element
    else:
        for child in element.children:
            yield from maps_in(child)


def reified_addresses(root: Element, children: Iterable[Element]) -> set[str]:
    """Statements that a topic stands for: XTM 1.0 says so by a topic whose subject indicator is the statement's id."""
    ids, indicated = set[str](), set[str]()
    todo = [root]
    for child in children:
        todo.append(child)
        while todo:
            element = todo.pop()
            todo += element.children
            if element.tag in STATEMENTS and "id" in element.attributes:
                ids.add(element.own_address())
            elif element.tag == "subjectIdentity":
                indicated.update(_address(one) for one in element.all("subjectIndicatorRef"))
    return ids & indicated


def _address(element: Element) -> str:
    if HREF not in element.attributes:
        raise ImportFailed(f"line {element.line}: a {element.tag} has no xlink:href")
    return element.resolve(element.attributes[HREF])


def _resource(element: Element) -> tuple[str, str]:
    data = element.first("resourceRef", "resourceData")
    if data is None:
        raise ImportFailed(f"line {element.line}: a {element.tag} has neither resourceRef nor resourceData")
    return (data.text, STRING) if data.tag == "resourceData" else (_address(data), ANY_URI)
