"""Markup made to keep a parser busy for hours, made harmless; called by `parse_page` before it builds a tree.

A tree builder walks its open elements at most tags, opens unclosed formatting elements again in every
paragraph, and compares each attribute with its neighbors: a few hundred kilobytes can cost minutes or gigabytes.
"""

from __future__ import annotations

import re

# Markup of fewer tags and characters costs less than a second even at its worst, so it is not looked into.
_FEW_TAGS = 1_500
_FEW_CHARS = 65_536
_MANY_CHARS = 262_144

_MAX_WORK = 20_000_000  # steps along open elements and attributes, some 4 ns each
_STEPS_PER_REOPENED = 50
_MAX_NAMES = 40_000  # the parser's table of names that are not HTML becomes slow with more
_LONG_TAG = 400

# The tokenizer of the HTML standard: a quote opens a value only after "=", anything may be in a name.
_ATTRIBUTE = re.compile(r"""[^\s/>][^\s/>=]*+\s*+(?:=\s*+(?:"[^"]*+"|'[^']*+'|[^\s>]*+))?+""")
_TAG = re.compile(rf"<(/?[A-Za-z][^\s/>]*+)((?:[\s/]++|{_ATTRIBUTE.pattern})*+)>?")
_NAME = re.compile(r"""[^\s/<>="']+""")

_FORMATTING = frozenset("a b big code em font i nobr s small strike strong tt u".split())
# These close each other, so that they never lie deep in one another, except within svg and math.
_SHALLOW = frozenset(
    "area base br col dd dt embed frame hr img input li link meta option p param source td th tr track wbr".split()
)
_KEPT_ELEMENTS = frozenset("a area base br frame iframe img link meta script style title".split())
_KEPT_ATTRIBUTES = ("alt", "content", "href", "http-equiv", "name", "rel", "src", "title")


def harmless(html: str) -> str:
    """Return markup that takes a tree builder time linear in its length: nearly always the same markup.

    Costly markup keeps its words, title and links, and loses every other element.
    """
    is_small = len(html) <= _FEW_CHARS and html.count("<") <= _FEW_TAGS
    return html if is_small or not _is_costly(html) else _TAG.sub(_flat, html)


def _is_costly(html: str) -> bool:
    if len(html) > _MANY_CHARS and len(set(_NAME.findall(html))) > _MAX_NAMES:
        return True
    depths = _OpenElements()
    work = 0
    for tag in _TAG.finditer(html):
        work += depths.steps + _attribute_steps(tag)
        if work > _MAX_WORK:
            return True
        depths.follow(tag[1].lower())
    return False


def _attribute_steps(tag: re.Match[str]) -> int:
    if tag.end() - tag.start() < _LONG_TAG:
        return 0
    return len(_ATTRIBUTE.findall(tag[2])) ** 2


class _OpenElements:
    """A rough count of the elements open at a place in the markup, never far below the tree builder's."""

    def __init__(self) -> None:
        self.steps = 0  # what the next tag costs
        self._counts: dict[str, int] = {}
        self._shallow = _SHALLOW

    def follow(self, name: str) -> None:
        if name in self._shallow:
            return
        if name[0] != "/":
            self._counts[name] = self._counts.get(name, 0) + 1
            self.steps += _STEPS_PER_REOPENED if name in _FORMATTING else 1
            if name in ("svg", "math"):
                self._shallow = frozenset()
        elif self._counts.get(name[1:]):
            self._counts[name[1:]] -= 1
            self.steps -= _STEPS_PER_REOPENED if name[1:] in _FORMATTING else 1


def _flat(tag: re.Match[str]) -> str:
    name = tag[1].lower()
    if name.removeprefix("/") not in _KEPT_ELEMENTS:
        return " "
    kept = [
        text for text in _ATTRIBUTE.findall(tag[2]) if text.partition("=")[0].strip().lower() in _KEPT_ATTRIBUTES
    ]
    return f"<{name} {' '.join(kept)}>"
