"""Markup made to keep a parser busy for hours, made harmless; called by `parse_page` before it builds a tree.

A tree builder walks its open elements at most tags, opens unclosed formatting elements again in every paragraph, and
compares each attribute and each new name with others: a few hundred kilobytes can cost minutes or gigabytes.
"""

from __future__ import annotations

import re

from honeyguide.parse.open_elements import OpenElements

# Markup of fewer tags and characters costs less than a second even at its worst, so it is not looked into.
_FEW_TAGS = 1_500
_FEW_CHARS = 65_536

_MAX_WORK = 20_000_000  # steps along open elements, some 4 ns each
_MAX_WORK_PER_TAG = 150
_BYTES_PER_STEP = 50  # a tag that is ignored may have all the text before it copied, and the copy kept
_MAX_NAMES = 10_000  # the parser's table of names that are not HTML can be made to be one long list
_MAX_ATTRIBUTES = 200  # of one tag; those of all <html> or <body> tags go to one element
_MERGED = (b"html", b"body")
_SHORTEST_ATTRIBUTE = 2  # with the space before it

# As the tokenizer of the HTML standard, for markup in lower case: other spaces than these belong to names, a quote
# opens a value only after "=", and anything may be in a name. All repetitions are possessive: nothing is tried twice.
_SPACE = r"\t\n\f\r "
_ENDED = rf"(?=[{_SPACE}/>])"
_NAMED = rf"([^{_SPACE}/>][^{_SPACE}/>=]*+)"
_VALUE = rf"""[{_SPACE}]*+(?:=[{_SPACE}]*+(?:"[^"]*+"|'[^']*+'|[^{_SPACE}>]*+))?+"""
_ATTRIBUTES = rf"(?:[{_SPACE}/]++|{_NAMED.replace('(', '(?:', 1)}{_VALUE})*+"
_COMMENT = r"!--(?:-?>|[^-]*+(?:-(?!-!?>)[^-]*+)*+(?:--!?>)?+)|(?:!(?!\[cdata\[)|\?|/[^a-z>])[^>]*+>?+"
_RAW_TEXT = ("style", "textarea", "title", "xmp", "iframe", "noembed", "noframes", "noscript")
_RAW = [f"{name}{_ENDED}{_ATTRIBUTES}(?:>[^<]*+(?:<(?!/{name}{_ENDED})[^<]*+)*+)?+" for name in _RAW_TEXT]
# Within a comment within a script, an inner script ends without ending the outer one.
_INNER_SCRIPT = rf"<script{_ENDED}(?:[^<-]++|-(?!->)|<(?!/script{_ENDED}))*+(?:</script{_ENDED})?+"
_ESCAPED = rf"<!--(?:-?>|(?:[^<-]++|-(?!->)|<(?!/?script{_ENDED})|{_INNER_SCRIPT})*+)"
_SCRIPT = rf"script{_ENDED}{_ATTRIBUTES}(?:>(?:[^<]++|<(?!/script{_ENDED}|!--)|{_ESCAPED})*+)?+"
_HIDING = rf"(?=[sntxi])(?:{'|'.join((_SCRIPT, *_RAW))})"
_TAG_NAME = rf"/?[a-z][^{_SPACE}/>]*+"
_CDATA = r"!\[cdata\[[^>]*+>?+"
# A tag's name, or all of an element whose content is no markup up to its end tag, and a tag's attributes.
_FOUND = rf"{_HIDING}|{_TAG_NAME}|{_CDATA}"
_NAMES = re.compile(rf"<(?:{_COMMENT}|({_FOUND})(?:(?!<){_ATTRIBUTES})?+)".encode())
_TAGS = re.compile(rf"<(?:{_COMMENT}|({_FOUND})((?:(?!<){_ATTRIBUTES})?+)>?)".encode())
_ATTRIBUTE_NAME = re.compile(f"{_NAMED}{_VALUE}".encode())
_ANY_TAG = re.compile(_TAGS.pattern, re.IGNORECASE)
_ANY_ATTRIBUTE = re.compile(f"{_NAMED}{_VALUE}".encode())
_CONTENT = re.compile(rf"([a-z]+)({_ATTRIBUTES})>?(.*)".encode(), re.IGNORECASE | re.DOTALL)

_KEPT_ELEMENTS = frozenset((b"a", b"area", b"base", b"br", b"frame", b"iframe", b"img", b"link", b"meta"))
_KEPT_ATTRIBUTES = frozenset((b"alt", b"content", b"href", b"http-equiv", b"name", b"rel", b"src", b"title"))
_VISIBLE_RAW_TEXT = frozenset((b"textarea", b"xmp"))


def harmless(html: str) -> str:
    """Return markup that takes a tree builder time linear in its length: nearly always the same markup.

    Costly markup keeps its words, title and links, and loses every other element.
    """
    has_many_tags = html.count("<") > _FEW_TAGS
    if len(html) <= _FEW_CHARS and not has_many_tags:
        return html
    markup = html.encode("utf-8", "replace")
    return _flat(markup).decode() if _is_costly(markup.lower(), has_many_tags) else html


def tags_of(html: str) -> list[bytes]:
    """The tags of some markup as `OpenElements` wants them."""
    return _NAMES.findall(html.encode("utf-8", "replace").lower())


def _is_costly(markup: bytes, has_many_tags: bool) -> bool:
    if len(markup) <= _FEW_CHARS:
        return _has_costly_elements(_NAMES.findall(markup), len(markup))
    tags = _TAGS.findall(markup)
    return _has_costly_names(tags) or (
        has_many_tags and _has_costly_elements([name for name, _ in tags], len(markup))
    )


def _has_costly_names(tags: list[tuple[bytes, bytes]]) -> bool:
    names = {name for name, _ in tags}
    written = {attributes for _, attributes in tags}
    if sum(map(len, written)) <= _SHORTEST_ATTRIBUTE * _MAX_NAMES:
        written = {
            attributes for attributes in written if len(attributes) > _SHORTEST_ATTRIBUTE * _MAX_ATTRIBUTES
        }
    for attributes in written:
        found = _ATTRIBUTE_NAME.findall(attributes)
        if len(found) > _MAX_ATTRIBUTES:
            return True
        names.update(found)
    return len(names) > _MAX_NAMES


def _has_costly_elements(names: list[bytes], size: int) -> bool:
    limit = _MAX_WORK + _MAX_WORK_PER_TAG * len(names)
    if sum(map(names.count, _MERGED)) > _MAX_ATTRIBUTES:
        return True
    return OpenElements(size // _BYTES_PER_STEP).work_exceeds(limit, names)


def _flat(markup: bytes) -> bytes:
    """Only text and tags of our own making: however wrongly this was read, nothing else is left to be a tag."""
    pieces = []
    end = 0
    for found in _ANY_TAG.finditer(markup):
        pieces.append(_text(markup[end : found.start()]))
        pieces.append(_flat_tag(found[1], found[2]) if found[1] else b" ")
        end = found.end()
    return b"".join((*pieces, _text(markup[end:])))


def _text(markup: bytes) -> bytes:
    return markup.replace(b"<", b"&lt;")


def _flat_tag(name: bytes, attributes: bytes) -> bytes:
    content = b""
    if b">" in name and (raw := _CONTENT.fullmatch(name)):
        name, attributes, content = raw.groups()
    lower = name.lower()
    if lower == b"title":
        return b"<title >%b</title >" % _text(content)
    if lower in _VISIBLE_RAW_TEXT:
        return _text(content)
    if lower.removeprefix(b"/") not in _KEPT_ELEMENTS:
        return b" "
    kept = [found[0] for found in _ANY_ATTRIBUTE.finditer(attributes) if found[1].lower() in _KEPT_ATTRIBUTES]
    tag = b"<%b %b>" % (lower, _text(b" ".join(kept)))
    return b"%b</iframe >" % tag if lower == b"iframe" else tag
