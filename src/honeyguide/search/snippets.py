"""The part of a page that shows best why it was found, in pieces: which of them are words of the query."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from functools import cache
from itertools import islice

from honeyguide.search.words import Stems, is_paired, plain, words

LENGTH = 240
_LOOKED_AT = 20_000
_FEWEST = 3
_MOST_PLACES = 200
_LATIN = range(0xC0, 0x250)
_LETTERS = r"[^\W_]*+"

Pieces = tuple[tuple[str, bool], ...]


class Highlighter:
    """Finds the words of a query in texts of one language."""

    def __init__(self, wanted: Collection[str], spelled: Collection[str], stems: Stems) -> None:
        """`wanted` are stems, `spelled` the words as they were asked for."""
        self._wanted = frozenset(wanted)
        self._stems = stems
        self._known: dict[str, str] = {}  # from a word as it is written to its stem
        beginnings = {_beginning(word) for word in (*wanted, *map(plain, spelled)) if word}
        self._pairs = sorted(filter(is_paired, beginnings))
        self._words_beginning = [
            re.compile(f"{re.escape(beginning)}{_LETTERS}")
            for beginning in _shortest(beginnings.difference(self._pairs))
        ]

    def places(self, text: str) -> list[tuple[int, int, str]]:
        """Where words of the query stand, with the stem that they have, in order."""
        folded = _folded(text)
        found: set[tuple[int, int, str]] = set()
        for pair in self._pairs:
            found.update(
                (start, start + len(pair), pair) for start in islice(_all(pair, folded), _MOST_PLACES)
            )
        for beginning in self._words_beginning:
            found.update(islice(self._having_stem(beginning.finditer(folded), folded, text), _MOST_PLACES))
        return sorted(found)

    def _having_stem(
        self, beginning: Iterator[re.Match[str]], folded: str, text: str
    ) -> Iterator[tuple[int, int, str]]:
        for match in beginning:
            start, end = match.span()
            is_whole = not (start and folded[start - 1].isalnum())
            if is_whole and (stem := self._stem(text[start:end])) in self._wanted:
                yield start, end, stem

    def _stem(self, written: str) -> str:
        stem = self._known.get(written)
        if stem is None:
            found = words(written)
            stem = self._known[written] = self._stems[found[0]] if found else ""
        return stem

    def snippet(self, text: str, length: int = LENGTH) -> Pieces:
        """The passage with most different words of the query, and most of them; else how the text begins."""
        places = self.places(text[:_LOOKED_AT])
        start, end = _passage(text, _best(places, length), length)
        return _pieces(text, places, start, end)


def _all(part: str, text: str) -> Iterator[int]:
    """Where a part of a text stands, wherever it does."""
    start = text.find(part)
    while start >= 0:
        yield start
        start = text.find(part, start + len(part))


def _best(places: Sequence[tuple[int, int, str]], length: int) -> int:
    """Where the best passage begins."""
    best, best_score = 0, (0, 0)
    for at, (start, _, _) in enumerate(places):
        within = [stem for begin, end, stem in places[at : at + 20] if end <= start + length - length // 4]
        score = (len(set(within)), len(within))
        if score > best_score:
            best, best_score = max(0, start - length // 6), score
    return best


def _passage(text: str, start: int, length: int) -> tuple[int, int]:
    """From the beginning of a word to the end of one."""
    if start:
        blank = text.find(" ", start, start + length // 6)
        start = blank + 1 if blank >= 0 else start
    end = min(len(text), start + length)
    if end < len(text):
        blank = text.rfind(" ", end - length // 6, end)
        end = blank if blank > start else end
    return start, end


def _pieces(text: str, places: Sequence[tuple[int, int, str]], start: int, end: int) -> Pieces:
    pieces: list[tuple[str, bool]] = [("… ", False)] if start else []
    at = start
    for begin, stop, _ in places:
        if begin < at or stop > end:
            continue
        pieces += [(text[at:begin], False), (text[begin:stop], True)]
        at = stop
    pieces += [(text[at:end], False), (" …" if end < len(text) else "", False)]
    return tuple(piece for piece in pieces if piece[0])


def _shortest(beginnings: Collection[str]) -> list[str]:
    """Those that begin with no other: what begins with the other is found anyway."""
    return [
        one
        for one in sorted(beginnings)
        if not any(one != other and one.startswith(other) for other in beginnings)
    ]


def _beginning(word: str) -> str:
    """What all words begin with that may have the stem of a word."""
    return word if is_paired(word) or len(word) <= _FEWEST else word[: max(_FEWEST, len(word) - 2)]


def _folded(text: str) -> str:
    """A text in lower case and without accents, every character where it was."""
    lower = text.lower()
    if len(lower) != len(text):
        lower = "".join(c.lower() if len(c.lower()) == 1 else c for c in text)
    return lower if lower.isascii() else lower.translate(_plain_letters())


@cache
def _plain_letters() -> dict[int, str]:
    return {number: folded for number in _LATIN if len(folded := plain(chr(number))) == 1}
