"""The links of a parsed tree: one entry per target, with anchor, nofollow and, when asked for, the words around it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import accumulate

from selectolax.lexbor import LexborNode

from honeyguide.model import ParsedLinks
from honeyguide.parse.contexts import MAX_ANCHOR_CHARS, NOT_IN_TEXT, LinkPlaces
from honeyguide.urls import UrlPolicy

MARK = "\0"
"""Sets off what is put into a tree from what was there: HTML has no way to write it, not even `&#0;`."""

_UNTRUSTED = frozenset(("nofollow", "ugc", "sponsored"))
_CONTROL = re.compile(r"[\x01-\x1f\x7f-\x9f]+")
_REFRESH = re.compile(
    r"[\t\n\f\r ]*+[0-9.]++(?=[;,\t\n\f\r ])[\t\n\f\r ]*+[;,]?+[\t\n\f\r ]*+(.+)", re.DOTALL
)
_URL_EQUALS = re.compile(r"url[\t\n\f\r ]*=[\t\n\f\r ]*", re.IGNORECASE)

Attributes = Mapping[str, str | None]


def one_line(text: str) -> str:
    r"""Return the words of a text with one space between them and without control characters.

    >>> one_line(" two\n\x07words ")
    'two words'
    """
    return _clean(" ".join(text.split()))


def refresh_target(content: str) -> str | None:
    """Return the url a meta refresh leads to, as written, or None when it only reloads the page.

    >>> refresh_target("5; URL='next.html'")
    'next.html'
    """
    found = _REFRESH.match(content)
    if found is None:
        return None
    target = found[1]
    if prefix := _URL_EQUALS.match(target):
        target = target[prefix.end() :]
    if target[:1] in ("'", '"'):
        target = target[1:].partition(target[0])[0]
    return target or None


def visible_text(body: LexborNode | None) -> str:
    """Return the words of a page, with a space where an element ends."""
    return "" if body is None else body.text(separator=" ")


def _clean(line: str) -> str:
    return line if line.isprintable() else " ".join(_CONTROL.sub(" ", line).split())


def _is_untrusted(relations: str | None) -> bool:
    return relations is not None and not _UNTRUSTED.isdisjoint(relations.lower().split())


class LinkTable:
    """Collects links in document order."""

    def __init__(self, base: str, policy: UrlPolicy, max_links: int, max_anchor_chars: int) -> None:
        self.bad_links = 0
        self._base = base
        self._policy = policy
        self._max_links = max_links
        # Links can lie in links; what all of them may read bounds the work.
        self._chars_left = max_anchor_chars
        self._rows: dict[str, int] = {}
        self._anchors: list[str] = []
        self._nofollow: list[bool] = []
        self._nodes: list[LexborNode | None] = []  # None where it is in the head, and so not in the text
        self._is_in_order = True
        self._word_counts: list[int] = []

    def add(self, node: LexborNode, reference: str, attributes: Attributes, in_head: bool = False) -> None:
        """Enter a link; a target seen before only lends its anchor to an entry that has none."""
        count = len(self._anchors)
        if count >= self._max_links:
            return  # a page of a million links costs no more than its bytes
        url = self._policy.canonical(reference, self._base)
        if url is None:
            self.bad_links += 1
            return
        is_nofollow = "rel" in attributes and _is_untrusted(attributes["rel"])
        row = self._rows.setdefault(url, count)
        if row == count:
            anchor, word_count = self._anchor(node, attributes)
            self._anchors.append(anchor)
            self._word_counts.append(word_count)
            self._nofollow.append(is_nofollow)
            self._nodes.append(None if in_head else node)
            return
        self._nofollow[row] = self._nofollow[row] and is_nofollow
        if not self._anchors[row]:
            self._anchors[row], self._word_counts[row] = self._anchor(node, attributes)
            self._nodes[row] = None if in_head else node
            self._is_in_order = False

    def _anchor(self, node: LexborNode, attributes: Attributes) -> tuple[str, int]:
        """Return what stands for the link, and how many words of the page's text that is."""
        first = node.first_child
        if first is not None and self._chars_left > 0:
            # The words of most links are one text, had in half the time.
            only = first.text_content if first.next is None else None
            words = (node.text(separator=" ") if only is None else only).split()
            if words:
                anchor = " ".join(words)
                self._chars_left -= len(anchor)
                is_clean = len(anchor) <= MAX_ANCHOR_CHARS and anchor.isprintable()
                return anchor if is_clean else _clean(anchor[:MAX_ANCHOR_CHARS]), len(words)
        image = node.css_first("img[alt]") if first is not None else None
        alternative = image.attributes["alt"] if image is not None else attributes.get("alt")
        return one_line((alternative or attributes.get("title") or "")[:MAX_ANCHOR_CHARS]), 0

    def text_and_contexts(self, body: LexborNode | None, half: int) -> tuple[str, LinkPlaces]:
        """Return the text and, for every entry, its anchor between the words before and after. Changes the tree."""
        rows = [row for row, node in enumerate(self._nodes) if node is not None]
        pieces = self._marked(body, dict.fromkeys(rows, MARK)) if self._is_in_order else []
        if len(pieces) != len(rows) + 1:
            # Where their order does not tell whose marks they are, the number of its entry stands behind each.
            mark = "" if self._is_in_order else MARK
            numbered = self._marked(body, {row: f"{mark}{row}{MARK}" for row in rows})
            pieces, rows = numbered[::2], [*map(int, numbered[1::2])]
        places = [NOT_IN_TEXT] * len(self._nodes)
        for row, end in zip(rows, accumulate(map(len, pieces[:-1])), strict=True):
            places[row] = end
        text = "".join(pieces)
        return text, LinkPlaces(text, self._anchors, places, self._word_counts, half)

    def _marked(self, body: LexborNode | None, marks: Mapping[int, str]) -> list[str]:
        """Put marks before the nodes of entries, and return the parts of the text that marks set apart."""
        for row, mark in marks.items():
            node = self._nodes[row]
            assert node is not None
            node.insert_before(mark)
        return visible_text(body).split(MARK)

    def columns(self, contexts: Sequence[str]) -> ParsedLinks:
        """Return the entries as they are handed on."""
        return ParsedLinks(list(self._rows), self._anchors, self._nofollow, contexts)
