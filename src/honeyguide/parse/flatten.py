"""Markup made to keep a parser busy for hours, made harmless; called by `parse_page` before it builds a tree.

A tree builder walks its open elements at most tags, opens unclosed formatting elements again in every paragraph,
compares each attribute and each new name with others, and copies texts into one that only a tag without effect keeps
apart: a few hundred kilobytes can cost minutes or gigabytes.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from functools import cache

import numpy as np

from honeyguide.parse.open_elements import OpenElements

# Markup of fewer tags and characters costs less than a second even at its worst, so it is not looked into.
_FEW_TAGS = 1_500
_FEW_CHARS = 65_536

_MAX_WORK = 20_000_000  # steps along open elements, some 4 ns each
_MAX_WORK_PER_TAG = 150
_MAX_NAMES = 10_000  # the parser's table of names that are not HTML can be made to be one long list
_MAX_ATTRIBUTES = 200  # of one tag; those of all <html> or <body> tags go to one element
_MAX_TAGS = 2_000_000  # and as many attributes, some 200 bytes of memory each
_MAX_COPIED_BYTES = 300_000_000
_MERGED = (b"html", b"body")
_SHORTEST_ATTRIBUTE = 2  # with the space before it
_SLASH = ord("/")
_LESS_THAN = np.uint8(ord("<"))

# As the tokenizer of the HTML standard, for markup in lower case: other spaces than these belong to names, a quote
# opens a value only after "=", and anything may be in a name. All repetitions are possessive: nothing is tried twice.
_SPACE = r"\t\n\f\r "
_ENDED = rf"(?=[{_SPACE}/>])"
_NAMED = rf"([^{_SPACE}/>][^{_SPACE}/>=]*+)"
_VALUE = rf"""[{_SPACE}]*+(?:=[{_SPACE}]*+(?:"[^"]*+"|'[^']*+'|[^{_SPACE}>]*+))?+"""
_ATTRIBUTES = rf"(?:[{_SPACE}/]++|{_NAMED.replace('(', '(?:', 1)}{_VALUE})*+"
_COMMENT = r"!--(?:-?>|(?s:.*?)(?:--!?>|\Z))|(?:!(?!\[cdata\[|doctype)|\?|/[^a-z>])[^>]*+>?+"
_RAW_TEXT = ("style", "textarea", "title", "xmp", "iframe", "noembed", "noframes", "noscript")
_CONTENT_OF = {
    name: rf"{name}{_ENDED}{_ATTRIBUTES}(?:>(?s:.*?)(?=</{name}{_ENDED}|\Z))?"
    for name in (*_RAW_TEXT, "script")
}
# Within a comment within a script, an inner script ends without ending the outer one.
_INNER_SCRIPT = rf"<script{_ENDED}(?:[^<-]++|(?!-->)-|(?!</script{_ENDED})<)*+(?:</script{_ENDED})?+"
_ESCAPED = rf"<!--(?:-?>|(?:[^<-]++|(?!-->)-|(?!</?script{_ENDED})<|{_INNER_SCRIPT})*+)"
_SCRIPT = rf"script{_ENDED}{_ATTRIBUTES}(?:>(?:[^<]++|(?!</script{_ENDED}|<!--)<|{_ESCAPED})*+)?+"
# Its possessive repetitions go on from where a look ahead has failed; there scripts are read simply.
if sys.version_info < (3, 11, 4):
    _SCRIPT = _CONTENT_OF["script"]
_RAW = [_CONTENT_OF[name] for name in _RAW_TEXT]
_HIDING = rf"(?=[sntxi])(?:{'|'.join((_SCRIPT, *_RAW))})"
_TAG_NAME = rf"/?[a-z][^{_SPACE}/>]*+"
_DECLARATION = r"!(?:\[cdata\[|doctype)[^>]*+>?+"
# A tag's name, or all of an element whose content is no markup up to its end tag, and a tag's attributes.
_FOUND = rf"({_HIDING}|{_TAG_NAME}|{_DECLARATION})"
_WITH_ATTRIBUTES = rf"(?:(?<!>)(?!<){_ATTRIBUTES})?"
_NAMES = rf"<(?:{_COMMENT}|{_FOUND}{_WITH_ATTRIBUTES})".encode()
_TAGS = rf"<(?:{_COMMENT}|{_FOUND}({_WITH_ATTRIBUTES})>?+)".encode()
_compiled = cache(re.compile)  # of these, when the first is needed: it takes a start's fiftieth part
_ATTRIBUTE = re.compile(f"{_NAMED}{_VALUE}".encode())
_RAW_START = re.compile(rf"([a-z]+)({_ATTRIBUTES})>?+".encode(), re.IGNORECASE)

_KEPT_ELEMENTS = frozenset((b"a", b"area", b"base", b"frame", b"iframe", b"img", b"link", b"meta"))
_KEPT_ATTRIBUTES = frozenset((b"alt", b"content", b"href", b"http-equiv", b"name", b"rel", b"src", b"title"))
_VISIBLE_RAW_TEXT = frozenset((b"textarea", b"xmp"))
_FRAMES = frozenset((b"frame", b"iframe"))

Tags = list[tuple[bytes, bytes]]


def harmless(html: str) -> str:
    """Return markup that takes a tree builder time linear in its length: nearly always the same markup.

    Costly markup keeps its words, title and links, and loses every other element.
    """
    tags = _count_of_tags(html)
    if len(html) <= _FEW_CHARS and tags <= _FEW_TAGS:
        return html
    markup = html.encode("utf-8", "replace")
    return _flat(markup).decode() if tags > _MAX_TAGS or _is_costly(markup.lower(), tags) else html


def _count_of_tags(html: str) -> int:
    """As `html.count("<")`, of most pages in a third of the time."""
    if not html.isascii():
        return html.count("<")
    return int(np.count_nonzero(np.frombuffer(html.encode(), dtype=np.uint8) == _LESS_THAN))


def tags_of(markup: bytes) -> list[bytes]:
    """The tags of some markup in lower case, as `OpenElements` wants them."""
    return _compiled(_NAMES).findall(markup)


def _is_costly(markup: bytes, count: int) -> bool:
    if len(markup) <= _FEW_CHARS:
        return _has_costly_elements(OpenElements(), tags_of(markup))
    tags = _compiled(_TAGS).findall(markup)
    if _has_costly_attributes(tags):
        return True
    if count <= _FEW_TAGS and count * len(markup) <= _MAX_COPIED_BYTES:
        return False
    elements = OpenElements()
    return _has_costly_elements(elements, [name for name, _ in tags]) or (
        _may_have_costly_texts(markup, tags, elements) and _has_costly_texts(markup)
    )


def _has_costly_attributes(tags: Tags) -> bool:
    names = {name for name, _ in tags}
    written = {attributes for _, attributes in tags}
    written.update(raw[2] for name in names if b">" in name and (raw := _RAW_START.match(name)))
    if sum(map(len, written)) <= _SHORTEST_ATTRIBUTE * _MAX_NAMES:  # too little to be too many
        written = {one for one in written if len(one) > _SHORTEST_ATTRIBUTE * _MAX_ATTRIBUTES}
    for attributes in written:
        found = _ATTRIBUTE.findall(attributes)
        if len(found) > _MAX_ATTRIBUTES:
            return True
        names.update(found)
    return len(names) > _MAX_NAMES or _attributes_of_page(tags) > _MAX_TAGS


def _attributes_of_page(tags: Tags) -> int:
    if len(tags) * _MAX_ATTRIBUTES <= _MAX_TAGS:
        return 0  # cannot be too many, so they are not counted
    written = Counter([attributes for _, attributes in tags if attributes])
    return sum(times * len(_ATTRIBUTE.findall(attributes)) for attributes, times in written.items())


def _has_costly_elements(elements: OpenElements, names: list[bytes]) -> bool:
    limit = _MAX_WORK + _MAX_WORK_PER_TAG * len(names)
    return sum(map(names.count, _MERGED)) > _MAX_ATTRIBUTES or elements.work_exceeds(limit, names)


def _may_have_costly_texts(markup: bytes, tags: Tags, elements: OpenElements) -> bool:
    """Whether there are enough tags without effect that take some memory, so that the next text has to be moved."""
    ends = sum([name[0] == _SLASH for name, attributes in tags if attributes])
    count = ends + elements.without_effect + elements.between_cells
    return count * len(markup) > _MAX_COPIED_BYTES


def _has_costly_texts(markup: bytes) -> bool:
    """Add up the texts that have to be moved."""
    elements, end, copied = OpenElements(), 0, 0
    lengths = [0, 0]  # of the text at this place and of all that is put before tables
    for found in _compiled(_TAGS).finditer(markup):
        text = markup[end : found.start()]
        at = elements.is_between_cells and not text.isspace()
        lengths[at] += len(text)
        copied += lengths[at] if text else 0
        if copied > _MAX_COPIED_BYTES:
            return True
        if elements.is_set_apart_by(found[1] or b""):
            lengths[0] = 0
        end = found.end()
    return False


def _flat(markup: bytes) -> bytes:
    """Only text and tags of our own making: however wrongly this was read, nothing else is left to be a tag."""
    flat = bytearray()
    end = 0
    for found in _compiled(_TAGS, re.IGNORECASE).finditer(markup):
        flat += _text(markup[end : found.start()])
        flat += _flat_tag(found[1], found[2]) if found[1] else b" "
        end = found.end()
    return bytes(flat + _text(markup[end:]))


def _text(markup: bytes) -> bytes:
    return markup.replace(b"<", b"&lt;")


def _flat_tag(name: bytes, attributes: bytes) -> bytes:
    content = b""
    if b">" in name and (raw := _RAW_START.match(name)):
        content = name[raw.end() :]
        name, attributes = raw.groups()
    name = name.lower()
    if name == b"title":
        return b"<title >%b</title >" % _text(content)
    if name in _VISIBLE_RAW_TEXT:
        return _text(content)
    if name.removeprefix(b"/") not in _KEPT_ELEMENTS:
        return b" "
    kept = [found[0] for found in _ATTRIBUTE.finditer(attributes) if found[1].lower() in _KEPT_ATTRIBUTES]
    written = b"" if name[0] == _SLASH else _text(b" ".join(kept))
    # A frame outside of a set of them would have no effect.
    return b"<iframe %b></iframe >" % written if name in _FRAMES else b"<%b %b>" % (name, written)
