"""What a phrase asks for: its words, phrases in quotes, names such as C++, and what is not meant. Used by keywords."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from string import ascii_uppercase

from honeyguide.errors import TopicError
from honeyguide.topics.particles import without_particles
from honeyguide.topics.phrase_language import check_language
from honeyguide.topics.phrase_url import absolute_url_in, url_in
from honeyguide.topics.stop_words import stop_words
from honeyguide.topics.text import words_of

_OPERATOR = r"(?<!\S)(?:(?P<without>(?:(?:AND|OR)\s+)?NOT)|AND|OR)\s+(?=\S)"
_MINUS = "-\u2010\u2011\u2012\u2013\u2212\ufe63\uff0d"  # with dashes that editors make of it
_TOKEN = re.compile(
    rf"(?:(?P<minus>(?<!\S)[{_MINUS}])|{_OPERATOR})?"
    r'(?:"(?P<quoted>[^"]*)"|(?<!\w)"(?P<unclosed>[^"]+)$|(?P<plain>[^\s"]+))'
)
_QUOTES = str.maketrans("“”„«»‟", '""""""')

# What a name has that words have not: signs after a letter, a dot before one, digits, or an & between few letters.
_NAME = re.compile(
    r"(?<![\w.+#&])(?:\w+(?:\+\+|#)|\.[^\W\d]\w+|\w*\d\w+|\w+\d\w*|[^\W\d_]{1,3}(?:&[^\W\d_]{1,3})+)(?![\w+#&])"
)
_FEWEST_SIGNS = 2
_SPELLED = str.maketrans("+#.0123456789_&", "þðÿþðÿýûúùøõöñæ")
"""A letter a sign, lest places in a text change."""

# One letter in upper case beside other words, as C or R; vowels may be words and are names only at the end: vitamin A.
_BEFORE_LETTER, _AFTER_LETTER = "(?<![\\w.+#&°'\u2019-])", "(?![\\w+#&'\u2019-]|\\.\\w)"
_INITIAL = r"\.\s*\w"
_LETTER = re.compile(rf"{_BEFORE_LETTER}(?:[B-DF-HJ-NP-TV-XZ]|[AEIOUY](?=\W*$))(?!{_INITIAL}){_AFTER_LETTER}")
_WIDE = {ord(letter): ord(letter) + 0xFEE0 for letter in ascii_uppercase}
"""Letters that hardly any text has, to spell a letter by."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A part of a phrase: one word, or several that must stand side by side."""

    words: tuple[str, ...]
    is_meant: bool = True


class Names:
    """Names that no reader of words would see, such as C++, .NET or 1984: each is spelled as a word of letters.

    >>> Names("C++ or plain C").spelled("c, C and c++")
    'c, Ｃ and cþþ'
    """

    def __init__(self, phrase: str) -> None:
        found = {name.lower() for name in _NAME.findall(phrase) if len(name) >= _FEWEST_SIGNS}
        letters = set(_LETTER.findall(phrase)) if any(len(word) > 1 for word in words_of(phrase)) else set()
        any_of = "|".join(re.escape(name) for name in sorted(found, key=len, reverse=True))
        patterns = [rf"(?<![\w.+#&])(?i:{any_of})(?![\w+#&])"] if found else []
        patterns += [rf"{_BEFORE_LETTER}[{''.join(sorted(letters))}]{_AFTER_LETTER}"] if letters else []
        self._pattern = re.compile("|".join(patterns)) if patterns else None
        self.by_spelling = {_spelled(name): name for name in found}
        self.letters = {letter.translate(_WIDE).lower(): letter for letter in letters}

    def __bool__(self) -> bool:
        return self._pattern is not None

    def spelled(self, text: str) -> str:
        """A text with such names as words, every other letter where it was."""
        return self._pattern.sub(lambda found: _spelled(found[0]), text) if self._pattern else text


def _spelled(name: str) -> str:
    if len(name) == 1:
        return name.translate(_WIDE)
    lower = name.lower()
    return (lower if len(lower) == len(name) else name).translate(_SPELLED)


def check_phrase(phrase: str, language: str = "") -> None:
    """Refuse what somebody who begins a topic cannot mean; topics that are there already are read all the same."""
    _refuse_url(url_in(phrase.translate(_QUOTES)))
    check_language(language)


def _refuse_url(url: str) -> None:
    if url:
        raise TopicError(
            f"{url[:200]!r} is a url, and a topic is made of words; to begin a crawl there give it with --seed; "
            "for pages like it make a topic with `honeyguide topic new FILE --name NAME --example URL`; "
            "if it is a name that pages use, put it in quotes"
        )


def read_phrase(phrase: str, language: str, names: Names) -> list[Asked]:
    """Take a phrase apart; a word that says nothing is only kept within quotes.

    >>> [(asked.words, asked.is_meant) for asked in read_phrase('the "art of war" -film', "en", Names(""))]
    [(('art', 'of', 'war'), True), (('film',), False)]
    """
    phrase = phrase.translate(_QUOTES)
    _refuse_url(absolute_url_in(phrase))
    is_shouted = re.sub(_OPERATOR, "", phrase).isupper()
    asked: list[Asked] = []
    for token in _TOKEN.finditer(names.spelled(phrase)):
        is_meant = not token["minus"] and (not token["without"] or is_shouted)
        asked += _asked(token, is_meant, names, language)
    if asked and not any(one.is_meant for one in asked):
        raise TopicError(f"the topic {phrase[:200]!r} only says what is not meant; add words for what is")
    return asked


def _asked(token: re.Match[str], is_meant: bool, names: Names, language: str) -> Iterator[Asked]:
    side_by_side = token["quoted"] or token["unclosed"] or ""
    words = words_of(side_by_side or without_particles(token["plain"] or "", language))
    if side_by_side and len(words) > 1:
        yield Asked(tuple(words), is_meant)
        return
    ignored = stop_words(language)
    for word in words:
        if word in names.letters or (len(word) > 1 and word not in ignored):
            yield Asked((word,), is_meant)
