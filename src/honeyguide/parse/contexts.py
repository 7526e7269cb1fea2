"""The words around links, as places in a text, so that words near to several links are not looked at several times."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain, pairwise
from typing import overload

import numpy as np
from numpy.typing import NDArray

from honeyguide.model import Passages, Places

NOT_IN_TEXT = -1
MAX_ANCHOR_CHARS = 300

_MAX_CHARS = 3_000
"""On either side of a link: words are shorter, even with all the space that markup puts between them."""
_MAX_CHARS_OF_PAGE = 2_000_000
"""On either side of all its links; thousands of them with much space between words get fewer words each."""
_WORD, _SPACE, _CONTROL = range(3)
_LAST_SPACE = 0x3000
_TAB, _SHIFT_OUT, _ESCAPE, _BLANK, _DELETE = np.array([0x09, 0x0E, 0x1B, 0x20, 0x7F], dtype=np.uint8)
_CONTROL_CHARACTER = re.compile(r"[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f]")


@dataclass(frozen=True, slots=True, eq=False)
class LinkPlaces(Sequence[str]):
    """Where the links of a page stand in its text; of each, as a sequence, the anchor with `half` words on either side.

    An anchor is so many words at a place. One of no words is that of an image, say, and put there; one that is not in
    the text stands alone. To look at a single one costs as much as all of them.
    """

    text: str
    anchors: Sequence[str]
    places: Sequence[int]
    word_counts: Sequence[int]
    half: int

    def __len__(self) -> int:
        return len(self.places)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> Passages: ...
    def __getitem__(self, index: int | slice) -> str | Passages:
        return words_around([self])[0][index]

    def __iter__(self) -> Iterator[str]:
        return iter(words_around([self])[0])


def words_around(pages: Sequence[LinkPlaces]) -> list[Passages]:
    """The same of many pages at once: one has too few links for arrays to be worth their while."""
    counts = np.array([len(page) for page in pages], dtype=np.int64)
    texts, bounds = zip(*map(_bounds, pages), strict=True) if pages else ((), ())
    starts, own_ends, ends = np.concatenate([np.empty((3, 0), dtype=np.int64), *bounds], axis=1)
    at, word_counts = (
        np.fromiter(chain.from_iterable(column), dtype=np.int64, count=len(starts))
        for column in ([page.places for page in pages], [page.word_counts for page in pages])
    )
    most = np.repeat(np.minimum(_MAX_CHARS, _MAX_CHARS_OF_PAGE // np.maximum(counts, 1)), counts)
    starts, ends = np.maximum(starts, at - most), np.minimum(ends, own_ends + most)
    page_of = np.repeat(np.arange(len(pages)), counts)
    is_long = own_ends - at > MAX_ANCHOR_CHARS
    put: dict[int, str] = {}  # those that are no part of the text
    anchors = [*chain.from_iterable([page.anchors for page in pages])]
    for row in np.flatnonzero((at == NOT_IN_TEXT) | is_long | (word_counts == 0)).tolist():
        anchor, text = anchors[row], texts[page_of[row]]
        if at[row] == NOT_IN_TEXT:
            put[row] = anchor
        elif anchor or is_long[row]:
            put[row] = f"{text[starts[row] : at[row]]} {anchor} {text[own_ends[row] : ends[row]]}"
    return _cut(texts, page_of, np.array((starts, ends)), put)


def _bounds(page: LinkPlaces) -> tuple[str, Places]:
    """The text without control characters; where words before each anchor begin, where it and those after it end."""
    text, kinds = page.text, _kinds(f" {page.text} .")
    if kinds.max() == _CONTROL:
        text, kinds = _CONTROL_CHARACTER.sub(" ", text), np.minimum(kinds, _SPACE)
    firsts = np.flatnonzero(kinds[:-1] > kinds[1:])  # where words begin, and the end of the text
    firsts[-1] = len(text)
    before = np.searchsorted(firsts, page.places)
    after = before + np.array(page.word_counts, dtype=np.int64)
    return text, firsts.take((before - page.half, after, after + page.half), mode="clip")


def _cut(texts: Sequence[str], page_of: Places, bounds: Places, put: Mapping[int, str]) -> list[Passages]:
    """Parts of texts, and strings in the place of some; of a long text only what is in a part is kept."""
    inside = np.ones(len(page_of), dtype=np.bool_)
    inside[[*put]] = False
    # As if all texts were one, but so far apart that no part touches one of the next text.
    offsets = np.cumsum([0, *[len(text) + 2 for text in texts]])
    begins, ends, piece = _merged(*(bounds + offsets[page_of])[:, inside])
    lengths = np.concatenate(([0], np.cumsum(ends - begins + 1)))  # with a space after each piece
    firsts = np.searchsorted(begins, offsets)  # pieces of each text
    lacking = begins - lengths[:-1]
    bounds[:, inside] += (offsets[:-1] - lengths[firsts[:-1]])[page_of[inside]] - lacking[piece]
    filled = (lengths[firsts[1:]] - lengths[firsts[:-1]]).tolist()
    pieces = [*zip(begins.tolist(), ends.tolist(), strict=True)]
    kept = [
        [text[begin - offset : end - offset] for begin, end in pieces[first:last]]
        for text, offset, (first, last) in zip(
            texts, offsets.tolist(), pairwise(firsts.tolist()), strict=False
        )
    ]
    for row, string in put.items():
        page = page_of[row]
        kept[page].append(string)
        bounds[:, row] = filled[page], filled[page] + len(string)
        filled[page] += len(string) + 1
    rows = pairwise(np.searchsorted(page_of, np.arange(len(texts) + 1)).tolist())
    return [
        Passages([" ".join((*own, ""))], *bounds[:, first:last])
        for own, (first, last) in zip(kept, rows, strict=True)
    ]


def _merged(starts: Places, ends: Places) -> tuple[Places, Places, Places]:
    """Parts that touch as one piece: where pieces begin and end, and to which each part belongs."""
    order = np.argsort(starts, kind="stable")
    reached = np.maximum.accumulate(ends[order])
    is_first = np.ones(len(order), dtype=np.bool_)
    is_first[1:] = starts[order[1:]] > reached[:-1]
    piece = np.empty(len(order), dtype=np.int64)
    piece[order] = np.cumsum(is_first) - 1
    is_last = np.concatenate((is_first[1:], is_first[:1]))
    return starts[order[is_first]], reached[is_last], piece


def _kinds(text: str) -> NDArray[np.uint8]:
    """What each character is."""
    if text.isascii() and _is_plain(codes := np.frombuffer(text.encode(), dtype=np.uint8)):
        is_space: NDArray[np.bool_] = codes <= _BLANK
        return is_space.view(np.uint8)
    kinds = _kind_of_character()
    try:
        return np.frombuffer(text.encode("latin-1").translate(kinds[:256]), dtype=np.uint8)
    except UnicodeEncodeError:
        codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
        return np.frombuffer(kinds, dtype=np.uint8)[np.minimum(codes, _LAST_SPACE + 1)]


def _is_plain(codes: NDArray[np.uint8]) -> bool:
    """Whether ASCII has no control characters, told in a fraction of the time that looking each up takes."""
    from_tab, from_shift_out = codes - _TAB, codes - _SHIFT_OUT  # without sign: what is below becomes large
    return bool(from_tab.max() < _DELETE - _TAB and from_shift_out.min() > _ESCAPE - _SHIFT_OUT)


@cache
def _kind_of_character() -> bytes:
    return bytes(
        _SPACE if one.isspace() else _CONTROL if _CONTROL_CHARACTER.match(one) else _WORD
        for one in map(chr, range(_LAST_SPACE + 2))
    )
