"""From text to the words that are indexed and asked for: lower case, stems of the page's language, no stop words.

What a full-text library does word by word is done here once for each distinct word: the index is given words with
spaces between them. Scripts that put no space between words are read as pairs of characters, Korean among them, since
its words carry their endings.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import cache, lru_cache
from operator import add

import Stemmer

from honeyguide.topics.stop_words import stop_words
from honeyguide.topics.text import LONGEST_WORD, STEMMERS, UNSPACED

MOST_CHARS = 100_000
"""Of a page's text; a book on one page is found by its beginning."""
MOST_STEMS = 100_000
"""That are remembered for each language: hostile pages have endless new words."""
_LANGUAGES_IN_MEMORY = 16

_PAIRED = f"[{UNSPACED[1:-1]}\u1100-\u11ff\u3130-\u318f\uac00-\ud7af]"
_PAIRED_RUN = re.compile(f"{_PAIRED}{{2,}}+")
_HAS_PAIRED = re.compile(_PAIRED)
_MARKS = "".join(mark for mark in map(chr, range(0x300, 0x1CFA)) if unicodedata.category(mark)[0] == "M")
_WORD = re.compile(f"{_PAIRED}++|[^\\W_]++(?:[{_MARKS}]++[^\\W_]*+)*+")
_LATIN_END = "\u0250"


def words(text: str) -> list[str]:
    """Lower-case words in order, numbers among them.

    >>> words("Queen's cell No. 12"), words("蜂蜜です"), words("꿀벌은 ½")
    (['queen', 's', 'cell', 'no', '12'], ['蜂蜜', '蜜で', 'です'], ['꿀벌', '벌은', '1', '2'])
    """
    text = text[:MOST_CHARS]
    try:  # a look-up a byte: a third of the time, for most Western pages
        return text.encode("latin-1").translate(_latin_table()).decode("latin-1").split()
    except UnicodeEncodeError:
        text = unicodedata.normalize("NFKC", text).lower()
    if _HAS_PAIRED.search(text):
        text = _PAIRED_RUN.sub(_in_pairs, text)
    return _WORD.findall(text)


def _in_pairs(run: re.Match[str]) -> str:
    return f" {' '.join(map(add, run[0], run[0][1:]))} "


@cache
def _latin_table() -> bytes:
    characters = (chr(byte) for byte in range(256))
    kept = (c.lower() if re.fullmatch(r"[^\W_]", c) and c not in "¹²³¼½¾" else " " for c in characters)
    return "".join(kept).encode("latin-1")


class Stems(dict[str, str]):
    """From word to stem in one language, accents taken off; stop words have an empty one."""

    def __init__(self, language: str) -> None:
        super().__init__()
        self._stop_words = stop_words(language)
        self._stemmer = Stemmer.Stemmer(STEMMERS[language], 0) if language in STEMMERS else None

    def __missing__(self, word: str) -> str:
        known = word[:LONGEST_WORD]
        stem = ""
        if known not in self._stop_words:
            stem = plain(self._stemmer.stemWord(known) if self._stemmer else known)
        if len(self) >= MOST_STEMS:
            self.clear()
        if len(word) <= LONGEST_WORD:
            self[word] = stem
        return stem

    def indexed(self, found: Iterable[str]) -> str:
        """The same as the index is given them; it does not mind the blanks that stop words leave."""
        return " ".join(map(self.__getitem__, found))

    def of(self, found: Iterable[str]) -> list[str]:
        """The stems of words in order, without stop words."""
        return [*filter(None, map(self.__getitem__, found))]


@lru_cache(_LANGUAGES_IN_MEMORY)
def stems_of(language: str) -> Stems:
    """The stems of a language; of one that is not known, its words."""
    return Stems(language)


def plain(word: str) -> str:
    """A word of Latin letters without accents, as many people type it; any other as it is.

    >>> plain("größe"), plain("nähe"), plain("мёд")
    ('große', 'nahe', 'мёд')
    """
    if word.isascii() or word[:1] >= _LATIN_END:
        return word
    apart = unicodedata.normalize("NFD", word)
    return "".join(c for c in apart if not unicodedata.combining(c))


def is_paired(word: str) -> bool:
    """Whether a word is of a script that is read in pairs of characters."""
    return bool(_HAS_PAIRED.match(word))
