"""The elements open at a place of some markup: never fewer than a tree builder has. Called by `harmless`.

By the HTML standard's rules of which tag closes what, as far as they are simple. A tag takes away one element that it
surely closes, where a tree builder may close more with it; where the rules are not simple, nothing is closed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

_Names = frozenset[bytes]


def _names(text: str) -> _Names:
    return frozenset(text.encode().split())


_TOO_MANY = 1 << 60
_STEPS_PER_REOPENED = 50  # an unclosed formatting element is made anew in every later paragraph
_DEEPEST_END = 7  # specials between a formatting element and its end tag; from deeper within it stays open

_FORMATTING = _names("a b big code em font i nobr s small strike strong tt u")
_NEVER_OPEN = _names(
    "area base basefont bgsound body br col embed frame head hr html image img input keygen link meta param"
    " source track wbr"
)
_IGNORED = _names("body col frame head html")  # where they stand in the text, as do parts of no table
_HEADINGS = _names("h1 h2 h3 h4 h5 h6")
_DEFINITIONS = _names("dd dt")
_FOREIGN = _names("svg math")
# HTML that ends an svg or math element it stands in, unless it stands in one of those parts that may hold HTML.
_NOT_FOREIGN = _FORMATTING | _names(
    "blockquote body br center dd div dl dt embed h1 h2 h3 h4 h5 h6 head hr img li listing menu meta ol p pre ruby"
    " span sub sup table ul var"
)
_UNKNOWN = b"?"  # an element of which nothing is known, so that no end tag may reach beyond it
_CELLS = _names("td th caption")
_TABLE_PARTS = _CELLS | _names("tr tbody thead tfoot colgroup")
_CLOSED_TO_BLOCKS = _CELLS | _names(
    "applet table marquee object template select svg math ? foreignobject desc title mi mo mn ms mtext annotation-xml"
)
_BLOCKS = _names(
    "address applet article aside blockquote button center dd details dialog dir div dl dt fieldset figcaption figure"
    " footer form header hgroup listing main marquee menu nav object ol pre search section select summary ul"
)
_SPECIAL = _BLOCKS | _HEADINGS | _TABLE_PARTS | _CLOSED_TO_BLOCKS | _names("frameset li p plaintext")
_CLOSED_TO_PARAGRAPHS = _CLOSED_TO_BLOCKS | _names("button")
_CLOSED_TO_NEW_ITEMS = _SPECIAL - _names("address div p")
# What a tag closes, and what keeps it from doing so. Other end tags close one before which no special element stands.
_CLOSED_BY: dict[bytes, tuple[_Names, _Names]] = {
    b"p": (_names("p"), _CLOSED_TO_PARAGRAPHS),
    b"li": (_names("li"), _CLOSED_TO_NEW_ITEMS),
    **dict.fromkeys(_DEFINITIONS, (_DEFINITIONS, _CLOSED_TO_NEW_ITEMS)),
    **{b"/" + name: (frozenset((name,)), _CLOSED_TO_BLOCKS) for name in _BLOCKS},
    **{b"/" + name: (_HEADINGS, _CLOSED_TO_BLOCKS) for name in _HEADINGS},
    b"/p": (_names("p"), _CLOSED_TO_PARAGRAPHS),
    b"/li": (_names("li"), _CLOSED_TO_BLOCKS | _names("ol ul")),
}
_SLASH = ord("/")
_CDATA = ord("!")
_LETTERS = re.compile(b"[a-z]+")


class OpenElements:
    """Follows markup from tag to tag.

    A tag is its name in lower case, with the slash of an end tag, or all of an element of raw text but its end tag, or
    nothing for a comment, which is a node to walk over all the same.
    """

    def __init__(self, steps_per_ignored: int = 0) -> None:
        self._steps_per_ignored = steps_per_ignored
        self._ignored_steps = 0
        self._open: list[bytes] = []
        self._tables: list[int] = []  # where among the open elements tables and templates are
        self._cells: list[int] = [0]  # where the insides of cells begin: they keep formatting to themselves
        # How many elements were open when each formatting element was opened, by name, for each of the cells.
        self._formatting: list[dict[bytes, list[int]]] = [{}]
        self._foreign = 0
        self._more_steps = 0  # beside those along open elements

    def work_exceeds(self, limit: int, tags: Iterable[bytes]) -> bool:
        """Whether a tree builder takes more steps than that over these tags: at each as many as elements are open."""
        work = 0
        for tag in tags:
            work += self.steps_after(tag)
            if work + self._ignored_steps > limit:
                return True
        return False

    def steps_after(self, tag: bytes) -> int:
        """Follow a tag, and say how many steps the next one costs."""
        elements = self._open
        if self._foreign:
            self._follow_in_foreign(tag)
        elif rule := _RULES.get(tag):
            rule(self, tag)
        elif tag[0] == _SLASH:
            if elements and elements[-1] == tag[1:]:
                elements.pop()
            else:
                self._end(tag)
        elif b">" not in tag:
            elements.append(tag)
        return len(elements) + self._more_steps

    def _close(self, names: _Names, barriers: _Names) -> bool:
        """Close one element, the last of these names, unless it is out of reach."""
        elements = self._open
        for at in range(len(elements) - 1, -1, -1):
            if elements[at] in names:
                del elements[at]
                return True
            if elements[at] in barriers:
                break
        return False

    def _truncate(self, length: int) -> None:
        """Close all but so many elements, with what was opened in cells among them."""
        del self._open[length:]
        while self._cells[-1] > length:
            self._cells.pop()
            self._more_steps -= _STEPS_PER_REOPENED * sum(map(len, self._formatting.pop().values()))

    def _pass(self, tag: bytes) -> None:
        """Nothing is opened or closed."""

    def _ignore(self, tag: bytes) -> None:
        """Nothing is opened or closed, and the text before and after is one, for which the parser copies it."""
        self._ignored_steps += self._steps_per_ignored

    def _end(self, tag: bytes) -> None:
        self._close(*_CLOSED_BY.get(tag) or (frozenset((tag[1:],)), _SPECIAL))

    def _start_block(self, tag: bytes) -> None:
        self._close(*_CLOSED_BY[tag])
        self._open.append(tag)

    def _start_option(self, tag: bytes) -> None:
        """One closes another, unless some formatting element stands between them."""
        if self._open[-1:] != [tag] or any(self._formatting[-1].values()):
            self._open.append(tag)

    def _start_formatting(self, tag: bytes) -> None:
        self._formatting[-1].setdefault(tag, []).append(len(self._open))
        self._more_steps += _STEPS_PER_REOPENED

    def _start_link(self, tag: bytes) -> None:
        if self._formatting[-1].get(tag):
            self._end_formatting(b"/a")
        self._start_formatting(tag)

    def _end_formatting(self, tag: bytes) -> None:
        opened = self._formatting[-1].get(tag[1:])
        if not opened:
            return
        inner = self._open[opened[-1] :]
        if inner:
            inner = [name for name in inner if name in _SPECIAL]
        if len(inner) <= _DEEPEST_END and _CLOSED_TO_BLOCKS.isdisjoint(inner):
            opened.pop()
            self._more_steps -= _STEPS_PER_REOPENED

    def _is_in_table(self) -> bool:
        return bool(self._tables) and self._open[self._tables[-1]] == b"table"

    def _part(self) -> bytes:
        """The cell or other part that is open in the innermost table, if one is."""
        return b"".join(self._open[self._tables[-1] + 1 : self._tables[-1] + 2])

    def _start_table(self, tag: bytes) -> None:
        if self._is_in_table() and self._part() not in _CELLS:
            self._end_table(tag)
        self._start_template(tag)

    def _end_table(self, tag: bytes) -> None:
        if self._is_in_table():
            self._truncate(self._tables.pop())

    def _start_template(self, tag: bytes) -> None:
        self._tables.append(len(self._open))
        self._open.append(tag)

    def _end_template(self, tag: bytes) -> None:
        templates = [at for at in self._tables if self._open[at] == b"template"]
        if templates:
            self._truncate(templates[-1])
            del self._tables[self._tables.index(templates[-1]) :]

    def _start_part(self, tag: bytes) -> None:
        if not self._is_in_table():
            if self._tables:
                self._open.append(tag)
            else:
                self._ignore(tag)
            return
        self._truncate(self._tables[-1] + 1)
        self._open.append(tag)
        if tag in _CELLS:
            self._cells.append(len(self._open))
            self._formatting.append({})

    def _end_part(self, tag: bytes) -> None:
        if not self._is_in_table():
            self._end(tag)
        elif self._part() in ((b"tr", b"td", b"th") if tag == b"/tr" else (tag[1:],)):
            self._truncate(self._tables[-1] + 1)

    def _start_foreign(self, tag: bytes) -> None:
        self._foreign += 1
        self._open.append(tag)

    def _follow_in_foreign(self, tag: bytes) -> None:
        """Within svg and math nothing is understood but tags in a strict order."""
        if not tag:
            return
        if tag[0] == _SLASH:
            self._end_in_foreign(tag[1:])
        elif b"<" in tag or tag[0] == _CDATA:
            self._more_steps += _TOO_MANY  # markup or not, according to what is open
        elif tag in _FOREIGN:
            self._start_foreign(tag)
        else:
            name = _LETTERS.findall(tag)[0] if b">" in tag else tag  # raw text is none here
            self._open.append(_UNKNOWN if name in _NOT_FOREIGN else name)
            self._more_steps += _STEPS_PER_REOPENED if name in _FORMATTING else 0

    def _end_in_foreign(self, name: bytes) -> None:
        is_closed = self._close(frozenset((name,)), _SPECIAL)
        if is_closed and name in _FOREIGN:
            self._foreign -= 1
        elif not is_closed:
            self._open.append(_UNKNOWN)


_Rule = Callable[[OpenElements, bytes], None]
_RULES: dict[bytes, _Rule] = {
    b"": OpenElements._pass,
    **{slash + name: OpenElements._pass for name in _NEVER_OPEN for slash in (b"", b"/")},
    **dict.fromkeys(_IGNORED, OpenElements._ignore),
    **dict.fromkeys((b"p", b"li", b"dd", b"dt"), OpenElements._start_block),
    **dict.fromkeys(_FORMATTING, OpenElements._start_formatting),
    **{b"/" + name: OpenElements._end_formatting for name in _FORMATTING},
    **dict.fromkeys(_TABLE_PARTS, OpenElements._start_part),
    **{b"/" + name: OpenElements._end_part for name in _TABLE_PARTS},
    **dict.fromkeys(_FOREIGN, OpenElements._start_foreign),
    b"a": OpenElements._start_link,
    b"option": OpenElements._start_option,
    b"table": OpenElements._start_table,
    b"/table": OpenElements._end_table,
    b"template": OpenElements._start_template,
    b"/template": OpenElements._end_template,
}
