"""What a phrase asks for: its words, phrases in quotes, names such as C++, and what is not meant. Used by keywords."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from honeyguide.errors import TopicError
from honeyguide.topics.names import QUOTES, Names
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
_DOTTED = re.compile(r"([^\W_]{2,}(?:\.[^\W_]{2,})+)")


@dataclass(frozen=True, slots=True)
class Asked:
    """A part of a phrase: one word, or several that must stand side by side."""

    words: tuple[str, ...]
    is_meant: bool = True


def check_phrase(phrase: str, language: str = "") -> None:
    """Refuse what somebody who begins a topic cannot mean; topics that are there already are read all the same."""
    _refuse_url(url_in(phrase.translate(QUOTES)))
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
    phrase = phrase.translate(QUOTES)
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
    if quoted := words_of(token["quoted"] or token["unclosed"] or ""):
        yield Asked(tuple(quoted), is_meant)
    ignored = stop_words(language)
    for place, part in enumerate(_DOTTED.split(without_particles(token["plain"] or "", language))):
        words = words_of(part)
        if (
            place % 2 and len(words) > 1 and ignored.isdisjoint(words)
        ):  # ASP.NET, but not a sentence.and the next
            yield Asked(tuple(words), is_meant)
            continue
        for word in words:
            if word in names.short or (len(word) > 1 and word not in ignored):
                yield Asked((word,), is_meant)
