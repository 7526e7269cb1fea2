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

_MAX_WORK = 20_000_000  # steps along open elements, some 4 ns each
_STEPS_PER_REOPENED = 50
_MAX_NAMES = 40_000  # the parser's table of names that are not HTML becomes slow with more
_MAX_ATTRIBUTES = 200

# As the tokenizer of the HTML standard: a quote opens a value only after "=", and anything may be in a name.
_ATTRIBUTE = r"""[^\s/>][^\s/>=]*+\s*+(?:=\s*+(?:"[^"]*+"|'[^']*+'|[^\s>]*+))?+"""
_ATTRIBUTES = re.compile(_ATTRIBUTE)
_TAG = re.compile(rf"<(/?[A-Za-z][^\s/>]*+)((?:[\s/]++|{_ATTRIBUTE})*+)>?")
_RAW_TEXT = ("script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes", "noscript")
_TAG_NAME = re.compile(
    "|".join(
        (
            r"<!--(?:-?>|.*?(?:--!?>|\Z))",
            *(rf"<{name}\b.*?(?:</{name}\b|\Z)" for name in _RAW_TEXT),
            rf"<(/?[a-z][^\s/>]*+)(?:[\s/]++|{_ATTRIBUTE})*+",
        )
    ),
    re.DOTALL,
)
_CROWDED_TAG = re.compile(rf"<[A-Za-z][^\s/>]*+(?:[\s/]*+{_ATTRIBUTE}){{{_MAX_ATTRIBUTES}}}")
_NAME = re.compile(r"""[^\s/<>="']+""")

_FORMATTING = frozenset(
    ("a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u")
)
# These close each other, so that they never lie deep in one another, except within svg and math.
_SHALLOW = frozenset(
    (
        *(
            "area",
            "base",
            "br",
            "col",
            "embed",
            "frame",
            "hr",
            "img",
            "input",
            "link",
            "meta",
            "param",
            "source",
        ),
        *("track", "wbr", "dd", "dt", "li", "option", "p", "td", "th", "tr"),
    )
)
_NOTHING: frozenset[str] = frozenset()
_CELLS = frozenset(("td", "th", "caption"))
_ENDS_CELL = _CELLS | {"/td", "/th", "/caption", "tr", "/tr", "tbody", "/tbody", "/table"}
_CLOSED_TO_END_TAGS = frozenset(("applet", "marquee", "math", "object", "select", "svg", "table", "template"))
_KEPT_ELEMENTS = frozenset(
    ("a", "area", "base", "br", "frame", "iframe", "img", "link", "meta", "script", "style", "title")
)
_KEPT_ATTRIBUTES = frozenset(("alt", "content", "href", "http-equiv", "name", "rel", "src", "title"))


def harmless(html: str) -> str:
    """Return markup that takes a tree builder time linear in its length: nearly always the same markup.

    Costly markup keeps its words, title and links, and loses every other element.
    """
    return _TAG.sub(_flat, html) if _is_costly(html) else html


def _is_costly(html: str) -> bool:
    if html.count("<") > _FEW_TAGS and _has_costly_elements(_TAG_NAME.findall(html.lower())):
        return True
    if len(html) > _FEW_CHARS and _CROWDED_TAG.search(html):
        return True
    return len(html) > _MANY_CHARS and len(set(_NAME.findall(html))) > _MAX_NAMES


def _has_costly_elements(names: list[str]) -> bool:
    """Add up the open elements that a tree builder meets at each tag."""
    open_elements = _OpenElements(_NOTHING if "svg" in names or "math" in names else _SHALLOW)
    work = 0
    for name in names:
        if name:
            open_elements.follow(name)
            work += open_elements.steps
            if work > _MAX_WORK:
                return True
    return False


class _OpenElements:
    """The elements open at a place of the markup, roughly: a tree builder may have closed more, not fewer.

    A level is what lies in one table, cell or other element that no end tag reaches out of.
    """

    def __init__(self, shallow: frozenset[str]) -> None:
        self.steps = 0  # what the next tag costs
        self._shallow = shallow
        self._levels: list[tuple[str, dict[str, int]]] = [("", {})]

    def follow(self, name: str) -> None:
        if name in _ENDS_CELL and self._levels[-1][0] == "td":
            self._leave_cell()
        if name in _CELLS and self._levels[-1][0] == "table":
            self._levels.append(("td", {}))
        elif name in self._shallow:
            return
        elif name[0] == "/":
            self._close(name[1:])
        else:
            self._open(name)

    def _open(self, name: str) -> None:
        counts = self._levels[-1][1]
        counts[name] = counts.get(name, 0) + 1
        self.steps += _STEPS_PER_REOPENED if name in _FORMATTING else 1
        if name in _CLOSED_TO_END_TAGS:
            self._levels.append((name, {}))

    def _close(self, name: str) -> None:
        if name == self._levels[-1][0]:
            left_open = self._levels.pop()[1]
            counts = self._levels[-1][1]
            counts.update({other: counts.get(other, 0) + count for other, count in left_open.items()})
        counts = self._levels[-1][1]
        if counts.get(name, 0) > 0:
            counts[name] -= 1
            self.steps -= _STEPS_PER_REOPENED if name in _FORMATTING else 1

    def _leave_cell(self) -> None:
        for name, count in self._levels.pop()[1].items():
            self.steps -= count * (_STEPS_PER_REOPENED if name in _FORMATTING else 1)


def _flat(tag: re.Match[str]) -> str:
    name = tag[1].lower()
    if name.removeprefix("/") not in _KEPT_ELEMENTS:
        return " "
    attributes = _ATTRIBUTES.findall(tag[2])
    kept = [text for text in attributes if text.partition("=")[0].strip().lower() in _KEPT_ATTRIBUTES]
    return f"<{name} {' '.join(kept)}>"
