"""Names in phrases and texts that no reader of words would see: C++, .NET, 1984, U.S., the IT department."""

from __future__ import annotations

import re
from string import ascii_uppercase

from honeyguide.topics.stop_words import stop_word_languages, stop_words
from honeyguide.topics.text import words_of

QUOTES = str.maketrans("“”„«»‟", '""""""')

# What a name has that words have not: signs after a letter, a dot before one, digits, or an & between few letters.
_BEFORE, _AFTER = r"(?<![\w.+#&])", r"(?![\w+#&])"
_NAME = re.compile(
    rf"{_BEFORE}(?:\w+(?:\+\+|#)|\.[^\W\d]\w+|\d+(?:\.\d+)+|\w*\d\w+|\w+\d\w*|[^\W\d_]{{1,3}}(?:&[^\W\d_]{{1,3}})+){_AFTER}"
)
_FEWEST_SIGNS = 2
_SPELLED = str.maketrans("+#.0123456789_&", "þðÿþðÿýûúùøõöñæ")
"""A letter a sign, lest places in a text change."""

# One letter in upper case beside other words, as C or R; vowels may be words and are names only at the end: vitamin A.
_BEFORE_LETTER, _AFTER_LETTER = "(?<![\\w.+#&°'\u2019-])", "(?![\\w+#&'\u2019-]|\\.\\w)"
_INITIAL = r"\.\s*\w"
_LETTER = re.compile(rf"{_BEFORE_LETTER}(?:[B-DF-HJ-NP-TV-XZ]|[AEIOUY](?=\W*$))(?!{_INITIAL}){_AFTER_LETTER}")
_QUOTED_LETTER = re.compile(r'"[A-Z]"')

# A digit beside words, as in World War 2; in a phrase not one that only counts what is listed.
_BEFORE_DIGIT, _AFTER_DIGIT = "(?<![\\w.,:+#&°$€£'\u2019-])", "(?![\\w+#&°%'\u2019-]|[.,:]\\w)"
_DIGIT = re.compile(rf"{_BEFORE_DIGIT}[0-9](?![.)]\s){_AFTER_DIGIT}")

# Several letters in upper case, whether with dots (U.S.) or, where they would be a small word, without (US, IT, WHO).
_AFTER_CAPITALS = r"(?![\w+#&]|\.\w)"
_CAPITALS = re.compile(rf"{_BEFORE}[A-Z]{{2,}}{_AFTER_CAPITALS}")
_WITH_DOTS = re.compile(rf"{_BEFORE}(?:[A-Z]\.){{1,9}}[A-Z](?:\.|\b){_AFTER_CAPITALS}")
_QUOTED_CAPITALS = re.compile(r'"([A-Z]{2,})"')
_OPERATORS = frozenset({"AND", "OR", "NOT"})

_WIDE = {ord(letter): ord(letter) + 0xFEE0 for letter in ascii_uppercase} | {ord("."): None}
"""Letters that hardly any text has, to spell upper case by."""


class Names:
    """Names that no reader of words would see, such as C++, .NET or 1984: each is spelled as a word of letters.

    What is a small word in lower case, or one letter, is a name in upper case alone.

    >>> Names("C++ or plain C").spelled("c, C and c++")
    'c, Ｃ and cþþ'
    >>> Names("US history", "en").spelled("It tells us of the US, or U.S.")
    'It tells us of the ＵＳ, or ＵＳ  '
    """

    def __init__(self, phrase: str, language: str = "") -> None:
        phrase = phrase.translate(QUOTES)
        found = {name.lower() for name in _NAME.findall(phrase) if len(name) >= _FEWEST_SIGNS}
        has_words = any(len(word) > 1 for word in words_of(phrase))
        letters = set(_LETTER.findall(phrase)) if has_words or _QUOTED_LETTER.search(phrase) else set()
        digits = set(_DIGIT.findall(phrase)) if has_words else set()
        capitals = _capitals(phrase, language)
        self._pattern = _pattern(found, letters | capitals.keys(), digits)
        self.by_spelling: dict[str, str] = {_spelled(name): name for name in found}
        self.short: dict[str, str] = {digit.translate(_SPELLED): digit for digit in digits}
        self.short |= {_wide(name).lower(): typed for name, typed in capitals.items()}
        self.short |= {_wide(letter).lower(): letter for letter in letters}

    def __bool__(self) -> bool:
        return self._pattern is not None

    def written(self, word: str) -> str:
        """A word as people write it."""
        return self.by_spelling.get(word) or self.short.get(word, word)

    def spelled(self, text: str) -> str:
        """A text with such names as words, every other letter where it was."""
        return self._pattern.sub(_spelling, text) if self._pattern else text


def _capitals(phrase: str, language: str) -> dict[str, str]:
    """Names of several letters in upper case, without dots, and as they were typed."""
    found = {typed.replace(".", ""): typed for typed in _WITH_DOTS.findall(phrase)}
    in_capitals = _QUOTED_CAPITALS.findall(phrase) if phrase.isupper() else _CAPITALS.findall(phrase)
    small = stop_words(language)
    return {name: name for name in in_capitals if name.lower() in small and name not in _OPERATORS} | found


def _pattern(names: set[str], capitals: set[str], digits: set[str]) -> re.Pattern[str] | None:
    any_name = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    letters = "".join(sorted(name for name in capitals if len(name) == 1))
    several = (r"\.?".join(name) for name in sorted(capitals, key=len, reverse=True) if len(name) > 1)
    any_capitals = "|".join(several)
    patterns = [rf"{_BEFORE}(?i:{any_name}){_AFTER}"] if names else []
    patterns += [rf"{_BEFORE_DIGIT}[{''.join(sorted(digits))}]{_AFTER_DIGIT}"] if digits else []
    patterns += [rf"(?P<letter>{_BEFORE_LETTER}[{letters}]{_AFTER_LETTER})"] if letters else []
    patterns += [rf"(?P<capitals>{_BEFORE}(?:{any_capitals})\.?{_AFTER_CAPITALS})"] if any_capitals else []
    return re.compile("|".join(patterns)) if patterns else None


def _spelling(found: re.Match[str]) -> str:
    return _wide(found[0]).ljust(len(found[0])) if found.lastgroup else _spelled(found[0])


def _wide(name: str) -> str:
    return name.translate(_WIDE)


def _spelled(name: str) -> str:
    lower = name.lower()
    return (lower if len(lower) == len(name) else name).translate(_SPELLED)


_ABBREVIATION = re.compile(r"\b[^\W\d_]{1,2}\.(?=\s*\w)")


def without_abbreviations(phrase: str) -> str:
    """A phrase without what only looks like small words of some language: initials, St., and US beside lower case.

    >>> [without_abbreviations(phrase) for phrase in ("E. coli", "IT security", "all in it", "NASA missions")]
    [' coli', ' security', 'all in it', 'NASA missions']
    """
    shorter = _ABBREVIATION.sub("", _WITH_DOTS.sub("", phrase))
    return shorter if phrase.isupper() else _CAPITALS.sub(_unless_word, shorter)


def _unless_word(found: re.Match[str]) -> str:
    lower = found[0].lower()
    return "" if any(lower in stop_words(language) for language in stop_word_languages()) else found[0]
