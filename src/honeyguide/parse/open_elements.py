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
_VOID = _names("area br embed hr image img keygen param source track wbr")
# Of these some leave nothing in the tree, or leave it elsewhere, so that the texts before and after become one.
_WITHOUT_EFFECT = _names("body col frame head html")
_ELSEWHERE = _names("base basefont bgsound input link meta")
_MAYBE_WITHOUT_EFFECT = _names("form select")
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

    def __init__(self) -> None:
        self._open: list[bytes] = []
        self._tables: list[int] = []  # where among the open elements tables and templates are
        self._cells: list[int] = [0]  # where the insides of cells begin: they keep formatting to themselves
        # How many elements were open when each formatting element was opened, by name, for each of the cells.
        self._formatting: list[dict[bytes, list[int]]] = [{}]
        self._foreign = 0
        self._more_steps = 0  # beside those along open elements
        self._is_after_body = False
        self.without_effect = 0  # tags after which, perhaps, text goes on where it was
        self.between_cells = 0  # parts of tables that stand where text would be put before the table

    def work_exceeds(self, limit: int, tags: Iterable[bytes]) -> bool:
        """Whether a tree builder takes more steps than that over these tags: at each as many as elements are open."""
        elements, work = self._open, 0
        for tag in tags:
            if self._foreign:
                self._follow_in_foreign(tag)
            elif rule := _RULES.get(tag):
                rule(self, tag)
            elif tag[0] != _SLASH:
                self._start(tag)
            elif elements and elements[-1] == tag[1:]:
                elements.pop()
            else:
                self._end(tag)
            work += len(elements) + self._more_steps
            if work > limit:
                return True
        return False

    def steps_after(self, tag: bytes) -> int:
        """Follow one tag, and say how many steps the next one costs."""
        self.work_exceeds(_TOO_MANY, (tag,))
        return len(self._open) + self._more_steps

    @property
    def is_between_cells(self) -> bool:
        """Whether text at this place is put before the table."""
        return self._is_in_table() and self._part() not in _CELLS

    def is_set_apart_by(self, tag: bytes) -> bool:
        """Follow a tag; whether text before it and text after it surely stay apart."""
        before = self.without_effect
        self.steps_after(tag)
        return self.without_effect == before and tag[:1] != b"/"

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

    def _pass_without_effect(self, tag: bytes) -> None:
        self.without_effect += 1

    def _pass_elsewhere(self, tag: bytes) -> None:
        """What belongs to the head, or may stand between cells; a declaration may be nothing at all."""
        if not self._open or tag[:1] == b"!" or self.is_between_cells:
            self.without_effect += 1

    def _pass_comment(self, tag: bytes) -> None:
        if self._is_after_body or (self._tables and self.is_between_cells):
            self.without_effect += 1

    def _end_body(self, tag: bytes) -> None:
        self._is_after_body = True

    def _start_maybe(self, tag: bytes) -> None:
        """Within another one, it may be nothing."""
        self.without_effect += 1
        self._open.append(tag)

    def _start(self, tag: bytes) -> None:
        if b">" in tag:
            self._pass_elsewhere(tag)
        else:
            self._open.append(tag)

    def _end(self, tag: bytes) -> None:
        self._close(*_CLOSED_BY.get(tag) or (frozenset((tag[1:],)), _SPECIAL))

    def _start_frames(self, tag: bytes) -> None:
        """Whatever follows may be nothing; a large page has no set of frames."""
        self._more_steps += _TOO_MANY

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
        self.without_effect += tag == b"template" and self.is_between_cells
        self._tables.append(len(self._open))
        self._open.append(tag)

    def _end_template(self, tag: bytes) -> None:
        templates = [at for at in self._tables if self._open[at] == b"template"]
        if templates:
            self._truncate(templates[-1])
            del self._tables[self._tables.index(templates[-1]) :]

    def _start_part(self, tag: bytes) -> None:
        if not self._is_in_table():
            self.without_effect += 1
            if self._tables:
                self._open.append(tag)
            return
        self.between_cells += self._part() not in _CELLS
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
    b"": OpenElements._pass_comment,
    **dict.fromkeys(_VOID, OpenElements._pass),
    **{b"/" + name: OpenElements._pass for name in _VOID | _ELSEWHERE | _WITHOUT_EFFECT},
    **dict.fromkeys(_WITHOUT_EFFECT, OpenElements._pass_without_effect),
    **dict.fromkeys(_ELSEWHERE, OpenElements._pass_elsewhere),
    **dict.fromkeys(_MAYBE_WITHOUT_EFFECT, OpenElements._start_maybe),
    **dict.fromkeys((b"/body", b"/html"), OpenElements._end_body),
    **dict.fromkeys((b"p", b"li", b"dd", b"dt"), OpenElements._start_block),
    **dict.fromkeys(_FORMATTING, OpenElements._start_formatting),
    **{b"/" + name: OpenElements._end_formatting for name in _FORMATTING},
    **dict.fromkeys(_TABLE_PARTS, OpenElements._start_part),
    **{b"/" + name: OpenElements._end_part for name in _TABLE_PARTS},
    **dict.fromkeys(_FOREIGN, OpenElements._start_foreign),
    b"a": OpenElements._start_link,
    b"frameset": OpenElements._start_frames,
    b"option": OpenElements._start_option,
    b"table": OpenElements._start_table,
    b"/table": OpenElements._end_table,
    b"template": OpenElements._start_template,
    b"/template": OpenElements._end_template,
}
