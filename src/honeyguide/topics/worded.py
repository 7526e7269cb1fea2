"""Texts whose words were found before: to judge them by another topic takes no look at a letter."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import overload

import numpy as np

from honeyguide.model import Ids, Passages, Places


class Lexicon(list[str]):
    """Words by their numbers, in the order in which they were met. It only grows, so that a number stays what it is."""

    def __init__(self) -> None:
        super().__init__()
        self._numbers = _Numbers(self)
        self._stems: dict[str, list[str]] = {}

    def numbers(self, words: Sequence[str]) -> Ids:
        """The number of each word."""
        return np.fromiter(map(self._numbers.__getitem__, words), dtype=np.int32, count=len(words))

    def stems(self, language: str, stems_of: Callable[[list[str]], list[str]]) -> list[str]:
        """The stem of each word in a language; several topics ask for the same, and words are stemmed once for all."""
        known = self._stems.setdefault(language, [])
        known += stems_of(self[len(known) :])
        return known


class _Numbers(dict[str, int]):
    """The way from word to number; a word that is new is added to the lexicon."""

    def __init__(self, words: list[str]) -> None:
        super().__init__()
        self._words = words

    def __missing__(self, word: str) -> int:
        self[word] = number = len(self._words)
        self._words.append(word)
        return number


@dataclass(frozen=True, slots=True, eq=False)
class Worded(Passages):
    """Passages as places among words. As strings they are words alone, in lower case; what judges them needs no more.

    >>> words = Lexicon()
    >>> numbers = words.numbers(["bees", "and", "bees", "honey"])
    >>> list(Worded.among(words, numbers, np.array([0, 2]), np.array([4, 3])))
    ['bees and bees honey', 'bees']
    """

    words: Lexicon
    numbers: Ids  # which of them stands at each place

    @classmethod
    def among(cls, words: Lexicon, numbers: Ids, starts: Places, ends: Places) -> Worded:
        """Passages that begin and end at these places."""
        return cls((), starts, ends, words, numbers)

    @classmethod
    def together(cls, some: Sequence[Worded]) -> Worded:
        """All passages one after the other."""
        words = some[0].words if some else Lexicon()
        own = [one if one.words is words else one.written_with(words) for one in some]
        shifts = np.cumsum([0, *(len(one.numbers) for one in own)])[:-1].tolist()
        nothing = np.empty(0, dtype=np.int64)
        return cls.among(
            words,
            np.concatenate([np.empty(0, dtype=np.int32), *(one.numbers for one in own)]),
            np.concatenate([nothing, *(one.starts + by for one, by in zip(own, shifts, strict=True))]),
            np.concatenate([nothing, *(one.ends + by for one, by in zip(own, shifts, strict=True))]),
        )

    def written_with(self, words: Lexicon) -> Worded:
        """The same with the numbers of another lexicon."""
        return replace(
            self, words=words, numbers=words.numbers([self.words[at] for at in self.numbers.tolist()])
        )

    def take(self, places: Places | Sequence[int]) -> Worded:
        """Some of them."""
        chosen = np.asarray(places, dtype=np.int64)
        return replace(self, starts=self.starts[chosen], ends=self.ends[chosen])

    def __iter__(self) -> Iterator[str]:
        return map(self.__getitem__, range(len(self)))

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> Worded: ...
    def __getitem__(self, index: int | slice) -> str | Worded:
        if isinstance(index, slice):
            return replace(self, starts=self.starts[index], ends=self.ends[index])
        own = self.numbers[self.starts[index] : self.ends[index]]
        return " ".join(self.words[number] for number in own.tolist())
