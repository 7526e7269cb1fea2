"""The words around links, as places in a text, so that words near to several links are not looked at several times."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from honeyguide.model import Bools, Passages, Places

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


def words_around(
    text: str, anchors: Sequence[str], places: Sequence[int], word_counts: Sequence[int], half: int
) -> Passages:
    """Each anchor, which is so many words at a place in the text, with `half` words on either side.

    An anchor of no words is that of an image, say, and put there. One that is not in the text stands alone.
    """
    kinds = _kinds(text)
    if kinds.max(initial=_WORD) == _CONTROL:
        text = _CONTROL_CHARACTER.sub(" ", text)
    starts, own_ends, ends = _bounds(_first_characters(kinds == _WORD), places, word_counts, half)
    put: dict[int, str] = {}  # those that are no part of the text
    for row, (anchor, place, count) in enumerate(zip(anchors, places, word_counts, strict=True)):
        if place == NOT_IN_TEXT:
            put[row] = anchor
        elif own_ends[row] - place > MAX_ANCHOR_CHARS or (anchor and not count):
            put[row] = f"{text[starts[row] : place]} {anchor} {text[own_ends[row] : ends[row]]}"
    return _cut(text, starts, ends, put)


def _bounds(firsts: Places, places: Sequence[int], word_counts: Sequence[int], half: int) -> list[list[int]]:
    """Where the words before each anchor begin, where it ends itself, and where the words after it end."""
    at = np.array(places, dtype=np.int64)
    before = np.searchsorted(firsts, at)
    after = before + np.array(word_counts, dtype=np.int64)
    wanted = np.maximum((before - half, after, after + half), 0)
    starts, own_ends, ends = firsts[np.minimum(wanted, len(firsts) - 1)]
    most = min(_MAX_CHARS, _MAX_CHARS_OF_PAGE // max(1, len(at)))
    bounds = (np.maximum(starts, at - most), own_ends, np.minimum(ends, own_ends + most))
    return [bound.tolist() for bound in bounds]


def _cut(text: str, starts: Sequence[int], ends: Sequence[int], put: Mapping[int, str]) -> Passages:
    """Parts of a text, and strings in the place of some; of a long text only what is in a part is kept."""
    pieces: list[str] = []
    shifts: list[int] = []
    length = begin = end = (
        0  # of the pieces, with a space after each; and where the one is that may still grow
    )
    for start, own_end in zip(starts, ends, strict=True):
        if not begin <= start <= end:
            pieces.append(text[begin:end])
            length += end - begin + 1
            begin, end = start, own_end
        elif own_end > end:
            end = own_end
        shifts.append(length - begin)
    pieces.append(text[begin:end])
    length += end - begin + 1
    places = np.array((starts, ends), dtype=np.int64) + np.array(shifts, dtype=np.int64)
    for row, string in put.items():
        pieces.append(string)
        places[:, row] = length, length + len(string)
        length += len(string) + 1
    return Passages([" ".join((*pieces, ""))], *places)


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
    least, most = codes.min(initial=_BLANK), codes.max(initial=_BLANK)
    is_control = codes - _SHIFT_OUT < _ESCAPE - _SHIFT_OUT + 1  # by a number without sign: none is below
    return bool(least >= _TAB and most < _DELETE and not is_control.any())


@cache
def _kind_of_character() -> bytes:
    return bytes(
        _SPACE if one.isspace() else _CONTROL if _CONTROL_CHARACTER.match(one) else _WORD
        for one in map(chr, range(_LAST_SPACE + 2))
    )


def _first_characters(is_word: Bools) -> Places:
    """Where words begin, and the end of the text."""
    later = np.flatnonzero(is_word[1:] > is_word[:-1]) + 1
    return np.concatenate((np.flatnonzero(is_word[:1]), later, [len(is_word)]))
