"""Canonical XTM (ISO 13250-4): one text for every map, whatever the order its file had."""

import unicodedata
from urllib.parse import unquote
from xml.sax.saxutils import escape

from honeyguide.topics.ontology.identifiers import ANY_URI
from honeyguide.topics.ontology.topic_map import NONE, TopicMap


class Canonical:
    def __init__(self, topic_map: TopicMap, document: str) -> None:
        self.map = topic_map
        self.document = "file:///" + document
        topics = topic_map.topics
        order = sorted(range(len(topics)), key=self._topic_key)
        self.number = {topic: place for place, topic in enumerate(order, 1)} | {NONE: 0}
        self.topics = [topics[topic] for topic in order]
        self.associations = sorted(topic_map.associations, key=self._association_key)
        self.lines: list[str] = []

    def text(self) -> str:
        self._open("topicMap", reifier=self.map.reifier)
        self._locators("itemIdentifiers", self.map.item_identifiers)
        played: dict[int, list[str]] = {}
        for place, association in enumerate(self.associations, 1):
            for part, role in enumerate(self._sorted_roles(association), 1):
                played.setdefault(self.number[role.player], []).append(f"association.{place}.role.{part}")
        for number, topic in enumerate(self.topics, 1):
            self._topic(number, topic, played.get(number, []))
        for place, association in enumerate(self.associations, 1):
            self._association(place, association)
        self.lines.append("</topicMap>")
        return "\n".join(self.lines) + "\n"

    def _topic(self, number, topic, played):
        self._open("topic", number)
        self._locators("subjectIdentifiers", topic.subject_identifiers)
        self._locators("subjectLocators", topic.subject_locators)
        self._locators("itemIdentifiers", topic.item_identifiers)
        for place, name in enumerate(sorted(topic.names, key=self._name_key), 1):
            self._open("name", place, name.reifier)
            self._text("value", name.value)
            self._ref("type", name.type)
            self._scope(name.scope)
            for part, variant in enumerate(sorted(name.variants, key=self._variant_key), 1):
                self._open("variant", part, variant.reifier)
                self._value(variant)
                self._scope(variant.scope)
                self._locators("itemIdentifiers", variant.item_identifiers)
                self.lines.append("</variant>")
            self._locators("itemIdentifiers", name.item_identifiers)
            self.lines.append("</name>")
        for place, occurrence in enumerate(sorted(topic.occurrences, key=self._occurrence_key), 1):
            self._open("occurrence", place, occurrence.reifier)
            self._value(occurrence)
            self._ref("type", occurrence.type)
            self._scope(occurrence.scope)
            self._locators("itemIdentifiers", occurrence.item_identifiers)
            self.lines.append("</occurrence>")
        self.lines += [f'<rolePlayed ref="{ref}"></rolePlayed>' for ref in played]
        self.lines.append("</topic>")

    def _association(self, place, association):
        self._open("association", place, association.reifier)
        self._ref("type", association.type)
        for part, role in enumerate(self._sorted_roles(association), 1):
            self._open("role", part, role.reifier)
            self._ref("player", role.player)
            self._ref("type", role.type)
            self._locators("itemIdentifiers", role.item_identifiers)
            self.lines.append("</role>")
        self._scope(association.scope)
        self._locators("itemIdentifiers", association.item_identifiers)
        self.lines.append("</association>")

    def _open(self, tag, number=0, reifier=NONE):
        attributes = f' number="{number}"' if number else ""
        attributes += f' reifier="{self.number[reifier]}"' if reifier != NONE else ""
        self.lines.append(f"<{tag}{attributes}>")

    def _text(self, tag, text):
        text = escape(unicodedata.normalize("NFC", text)).replace("\r", "&#xD;")
        self.lines.append(f"<{tag}>{text}</{tag}>")

    def _value(self, item):
        self._text("value", self._relative(item.value) if item.datatype == ANY_URI else item.value)
        self._text("datatype", item.datatype)

    def _ref(self, tag, topic):
        self.lines.append(f'<{tag} topicref="{self.number[topic]}"></{tag}>')

    def _scope(self, scope):
        if scope:
            self.lines.append("<scope>")
            for number in sorted(self.number[theme] for theme in scope):
                self.lines.append(f'<scopingTopic topicref="{number}"></scopingTopic>')
            self.lines.append("</scope>")

    def _locators(self, tag, locators):
        if locators:
            self.lines.append(f"<{tag}>")
            for locator in sorted(map(self._relative, locators)):
                self._text("locator", locator)
            self.lines.append(f"</{tag}>")

    def _relative(self, locator):
        locator = unquote(locator)
        if locator == self.document or locator.startswith(self.document + "#"):
            return locator[len(self.document) :]
        return locator.removeprefix("file:///")

    def _sorted_roles(self, association):
        return sorted(association.roles, key=lambda role: (self.number[role.player], self.number[role.type]))

    def _set_key(self, values):
        values = sorted(values)
        return len(values), values

    def _topic_key(self, topic):
        known = self.map.topics[topic]
        groups = known.subject_identifiers, known.subject_locators, known.item_identifiers
        return [self._set_key(map(self._relative, group)) for group in groups]

    def _scope_key(self, scope):
        return self._set_key(self.number[theme] for theme in scope)

    def _name_key(self, name):
        return name.value, self.number[name.type], self._scope_key(name.scope)

    def _variant_key(self, variant):
        return variant.value, variant.datatype, self._scope_key(variant.scope)

    def _occurrence_key(self, one):
        return one.value, one.datatype, self.number[one.type], self._scope_key(one.scope)

    def _association_key(self, one):
        roles = [(self.number[role.player], self.number[role.type]) for role in self._sorted_roles(one)]
        return self.number[one.type], (len(roles), roles), self._scope_key(one.scope)
