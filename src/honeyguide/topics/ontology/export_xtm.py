"""Topic maps as XTM 2.0, written as they are read: a topic at a time."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from honeyguide.topics.ontology.found_pages import (
    ADDRESS,
    MENTIONS,
    PAGE,
    RELEVANCE,
    SUBJECT,
    FoundPage,
    printable,
    replaced_file,
)
from honeyguide.topics.ontology.identifiers import ANY_URI, DECIMAL, STRING, TOPIC_NAME
from honeyguide.topics.ontology.topic_map import (
    NONE,
    Association,
    Construct,
    Name,
    Occurrence,
    Topic,
    TopicMap,
    Variant,
)

HEAD = '<?xml version="1.0" encoding="utf-8"?>\n<topicMap xmlns="http://www.topicmaps.org/xtm/" version="2.0"'
# New ids begin with "topic-" or "honeyguide-", which therefore old ones may not.
_ID = re.compile(r"(?!topic-|honeyguide-)[A-Za-z_][\w.-]*", re.ASCII)
KINDS = (
    (PAGE, "page"),
    (ADDRESS, "address"),
    (RELEVANCE, "relevance"),
    (MENTIONS, "mentions"),
    (SUBJECT, "subject"),
)


def write_xtm(path: Path, topic_map: TopicMap, pages: Iterable[FoundPage] = ()) -> None:
    """Write a map, and the pages found for it, to a file of XTM 2.0."""
    with replaced_file(path) as file:
        file.writelines(_Writer(topic_map).lines(pages))


class _Writer:
    def __init__(self, topic_map: TopicMap) -> None:
        self._map = topic_map
        self._ids, self._replaced = _ids_of(topic_map)
        self._default_name = topic_map.number(TOPIC_NAME)

    def lines(self, pages: Iterable[FoundPage]) -> Iterator[str]:
        yield f"{HEAD}{self._reifier(self._map.reifier)}>\n"
        yield from self._identities("itemIdentity", self._map.item_identifiers)
        for number, topic in enumerate(self._map.topics):
            yield from self._topic(number, topic)
        yield from self._pages(pages)
        for association in self._map.associations:
            yield from self._association(association)
        yield "</topicMap>\n"

    def _topic(self, number: int, topic: Topic) -> Iterator[str]:
        others = (one for one in topic.item_identifiers if one not in self._replaced)
        yield f'<topic id="{self._ids[number]}">\n'
        yield from self._identities("itemIdentity", others)
        yield from self._identities("subjectIdentifier", topic.subject_identifiers)
        yield from self._identities("subjectLocator", topic.subject_locators)
        for name in topic.names:
            yield from self._name(name)
        for occurrence in topic.occurrences:
            yield from self._occurrence(occurrence)
        yield "</topic>\n"

    def _pages(self, pages: Iterable[FoundPage]) -> Iterator[str]:
        ids = {identifier: f"honeyguide-{id_}" for identifier, id_ in KINDS}
        refs = {identifier: f'<topicRef href="#{id_}"/>' for identifier, id_ in ids.items()}
        kind, address, relevance = refs[PAGE], refs[ADDRESS], refs[RELEVANCE]
        before = f"<instanceOf>{kind}</instanceOf>\n<name><value>"
        for number, page in enumerate(pages):
            if not number:
                yield from (
                    f'<topic id="{id_}"><subjectIdentifier href="{identifier}"/></topic>\n'
                    for identifier, id_ in ids.items()
                )
            url = printable(page.url)
            yield (
                f'<topic id="honeyguide-page-{number}"><subjectLocator href={quoteattr(url)}/>{before}'
                f"{escape(printable(page.title or page.url))}</value></name>\n"
                f"<occurrence><type>{address}</type><resourceRef href={quoteattr(url)}/></occurrence>\n"
                f'<occurrence><type>{relevance}</type><resourceData datatype="{DECIMAL}">{page.relevance:.6f}'
                "</resourceData></occurrence></topic>\n"
            )
            for topic in page.mentions:
                yield (
                    f"<association><type>{refs[MENTIONS]}</type><role><type>{kind}</type>"
                    f'<topicRef href="#honeyguide-page-{number}"/></role>'
                    f"<role><type>{refs[SUBJECT]}</type>{self._ref(topic)}</role></association>\n"
                )

    def _name(self, name: Name) -> Iterator[str]:
        yield f"<name{self._reifier(name.reifier)}>"
        yield from self._identities("itemIdentity", name.item_identifiers)
        if name.type != self._default_name:
            yield f"<type>{self._ref(name.type)}</type>"
        yield f"{self._scope(name.scope)}<value>{escape(printable(name.value))}</value>"
        for variant in name.variants:
            yield from self._variant(variant, name.scope)
        yield "</name>\n"

    def _variant(self, variant: Variant, outer: tuple[int, ...]) -> Iterator[str]:
        yield f"<variant{self._reifier(variant.reifier)}>"
        yield from self._identities("itemIdentity", variant.item_identifiers)
        # A variant always has the scope of its name; only what goes beyond is written, unless nothing does.
        own = tuple(theme for theme in variant.scope if theme not in outer) or variant.scope
        yield f"{self._scope(own)}{_resource(variant)}</variant>"

    def _occurrence(self, occurrence: Occurrence) -> Iterator[str]:
        yield from self._typed("occurrence", occurrence, occurrence.type)
        yield f"{self._scope(occurrence.scope)}{_resource(occurrence)}</occurrence>\n"

    def _association(self, association: Association) -> Iterator[str]:
        yield from self._typed("association", association, association.type)
        yield self._scope(association.scope)
        for role in association.roles:
            yield from self._typed("role", role, role.type)
            yield f"{self._ref(role.player)}</role>"
        yield "</association>\n"

    def _typed(self, tag: str, construct: Construct, type_: int) -> Iterator[str]:
        yield f"<{tag}{self._reifier(construct.reifier)}>"
        yield from self._identities("itemIdentity", construct.item_identifiers)
        yield f"<type>{self._ref(type_)}</type>"

    def _identities(self, tag: str, identifiers: Iterable[str]) -> Iterator[str]:
        for identifier in identifiers:
            yield f"<{tag} href={quoteattr(printable(identifier))}/>"

    def _reifier(self, topic: int) -> str:
        return "" if topic == NONE else f' reifier="#{self._ids[topic]}"'

    def _scope(self, scope: tuple[int, ...]) -> str:
        return f"<scope>{''.join(map(self._ref, scope))}</scope>" if scope else ""

    def _ref(self, topic: int) -> str:
        return f'<topicRef href="#{self._ids[topic]}"/>'


def _ids_of(topic_map: TopicMap) -> tuple[list[str], set[str]]:
    """An id for every topic: the one it had in the file it was read from, or else a new one; and what it replaces.

    An id makes an identifier of its own when the file is read, so the old one is not written.
    """
    ids: dict[str, None] = {}
    replaced: set[str] = set()
    for number, topic in enumerate(topic_map.topics):
        local = (one for one in topic.item_identifiers if one.startswith("file:"))
        own = next((one for one in local if _ID.fullmatch(one.rpartition("#")[2])), "")
        id_ = own.rpartition("#")[2]
        if not id_ or id_ in ids:
            ids[f"topic-{number}"] = None
        else:
            ids[id_] = None
            replaced.add(own)
    return list(ids), replaced


def _resource(item: Variant | Occurrence) -> str:
    if item.datatype == ANY_URI:
        return f"<resourceRef href={quoteattr(printable(item.value))}/>"
    datatype = "" if item.datatype == STRING else f" datatype={quoteattr(printable(item.datatype))}"
    return f"<resourceData{datatype}>{escape(printable(item.value))}</resourceData>"
