"""The part of a page that shows best why it was found, in pieces: which of them are words of the query."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from honeyguide.search.words import Stems, is_paired, plain, words

LENGTH = 240
_LOOKED_AT = 20_000
_FEWEST = 3
_MOST_PLACES = 200
_ACCENTED = {
    letter: f"[{letter}{others}]"
    for letter, others in {
        "a": "àáâãäåāăą", "c": "çćč", "d": "ďđ", "e": "èéêëēėęě", "g": "ğ", "i": "ìíîïīįı", "l": "ł", "n": "ñńň",
        "o": "òóôõöøōő", "r": "ř", "s": "śşšș", "t": "ťțţ", "u": "ùúûüūůű", "y": "ýÿ", "z": "źżž",
    }.items()
}  # fmt: skip

Pieces = tuple[tuple[str, bool], ...]


class Highlighter:
    """Finds the words of a query in texts of one language."""

    def __init__(self, wanted: Collection[str], spelled: Collection[str], stems: Stems) -> None:
        """`wanted` are stems, `spelled` the words as they were asked for."""
        self._wanted = frozenset(wanted)
        self._stems = stems
        beginnings = sorted({_beginning(word) for word in (*wanted, *map(plain, spelled)) if word}, key=len)
        paired = [re.escape(word) for word in beginnings if is_paired(word)]
        spaced = [_pattern(word) for word in beginnings if not is_paired(word)]
        patterns = paired + ([rf"(?<![^\W_])(?:{'|'.join(spaced)})[^\W_]*"] if spaced else [])
        self._pattern = re.compile("|".join(patterns), re.IGNORECASE) if patterns else None

    def places(self, text: str) -> list[tuple[int, int, str]]:
        """Where words of the query stand, with the stem that they have."""
        if self._pattern is None:
            return []
        found = []
        for match in self._pattern.finditer(text):
            stem = self._stem(match[0])
            if stem in self._wanted:
                found.append((match.start(), match.end(), stem))
                if len(found) == _MOST_PLACES:
                    break
        return found

    def _stem(self, written: str) -> str:
        if is_paired(written):
            return written
        found = words(written)
        return self._stems[found[0]] if found else ""

    def snippet(self, text: str, length: int = LENGTH) -> Pieces:
        """The passage with most different words of the query, and most of them; else how the text begins."""
        places = self.places(text[:_LOOKED_AT])
        start, end = _passage(text, _best(places, length), length)
        return _pieces(text, places, start, end)


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


def _beginning(word: str) -> str:
    """What all words begin with that may have the stem of a word."""
    return word if is_paired(word) or len(word) <= _FEWEST else word[: max(_FEWEST, len(word) - 2)]


def _pattern(word: str) -> str:
    return "".join(_ACCENTED.get(letter, re.escape(letter)) for letter in word)
