"""Numbers of words without making strings of them: those met before are known by a hash of their letters.

All words of a text are hashed and looked up at once. Used by `StemTable` for texts that have a byte a letter.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from functools import cache

import numpy as np
from numpy.typing import NDArray

from honeyguide.model import Ids, Places

BLOCK = 1 << 15
"""Letters that are hashed at once."""
_SLOT_BITS = 18
_Hashes = NDArray[np.uint64]
NumberOf = Callable[[str], int]


class WordNumbers:
    """A cache in front of a slower way from word to number; of two words that share a slot the later one stays."""

    def __init__(self, longest_word: int) -> None:
        self._longest_word = longest_word
        self._hashes: _Hashes = np.zeros(1 << _SLOT_BITS, dtype=np.uint64)
        self._numbers: Ids = np.zeros(1 << _SLOT_BITS, dtype=np.int32)

    def find(self, letters: bytes, charset: str, number_of: NumberOf) -> tuple[Ids, Places]:
        """The number of each word, of long ones by their beginning, and where it begins. Between words are spaces."""
        found = [
            (start, *self._find(letters[start:end], charset, number_of)) for start, end in _blocks(letters)
        ]
        return (
            np.concatenate([numbers for _, numbers, _ in found]),
            np.concatenate([places + start for start, _, places in found]),
        )

    def _find(self, letters: bytes, charset: str, number_of: NumberOf) -> tuple[Ids, Places]:
        codes = np.frombuffer(b" %b " % letters, dtype=np.uint8)
        is_letter = codes != ord(" ")
        edges = np.flatnonzero(is_letter[1:] != is_letter[:-1])
        starts, ends = edges[::2], np.minimum(edges[1::2], edges[::2] + self._longest_word)
        hashes = _hashed(codes[1:], starts, ends)
        slots = (hashes >> np.uint64(64 - _SLOT_BITS)).astype(np.int64)
        numbers = self._numbers.take(slots)
        new = np.flatnonzero(self._hashes.take(slots) != hashes)
        if len(new):
            bounds = zip(starts[new].tolist(), ends[new].tolist(), strict=True)
            words = b" ".join([letters[start:end] for start, end in bounds]).decode(charset)
            numbers[new] = list(map(number_of, words.split(" ")))
            self._hashes[slots[new]] = hashes[new]
            self._numbers[slots[new]] = numbers[new]
        return numbers, starts


def _blocks(letters: bytes) -> Iterator[tuple[int, int]]:
    """Starts and ends that cut no word, unless it is longer than a block: then only its beginning is given."""
    start = 0
    while len(letters) - start > BLOCK:
        end = letters.rfind(b" ", start, start + BLOCK)
        if end > start:
            yield start, end
        else:
            yield start, start + BLOCK
            end = letters.find(b" ", start + BLOCK)
        start = end if end > start else len(letters)
    yield start, len(letters)


def _hashed(codes: NDArray[np.uint8], starts: Places, ends: Places) -> _Hashes:
    """The sum of code times power of a secret number, lest a page be written so that words collide."""
    powers, inverses = _powers()
    sums = np.empty(len(codes) + 1, dtype=np.uint64)
    sums[0], own = 0, sums[1:]
    own[:] = codes  # before they are multiplied: numpy takes twice as long for numbers of two kinds
    own *= powers[: len(codes)]
    own.cumsum(out=own)
    hashes: _Hashes = (sums.take(ends) - sums.take(starts)) * inverses.take(starts)
    return hashes


@cache
def _powers() -> tuple[_Hashes, _Hashes]:
    """The first and further powers of a secret odd number; the zeroth and further of its inverse."""
    base = secrets.randbits(64) | 1
    inverse = pow(base, -1, 1 << 64)
    powers = np.array([[base, *[base] * BLOCK], [1, *[inverse] * BLOCK]], dtype=np.uint64)
    first, second = np.multiply.accumulate(powers, axis=1)
    return first, second
