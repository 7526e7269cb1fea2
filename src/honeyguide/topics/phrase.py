"""What a phrase asks for: its words, phrases in quotes, names such as C++, and what is not meant. Used by keywords."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from honeyguide.errors import TopicError
from honeyguide.topics.names import QUOTES, Names
from honeyguide.topics.particles import without_particles
from honeyguide.topics.phrase_language import check_language, is_small_word, language_code, phrase_language
from honeyguide.topics.phrase_url import absolute_url_in, url_in
from honeyguide.topics.stop_words import stop_words
from honeyguide.topics.text import stem_words, words_of
from honeyguide.topics.word_family import family, singular

_OPERATOR = r"(?<!\S)(?:(?P<without>(?:(?:AND|OR)\s+)?NOT)|AND|OR)\s+(?=\S)"
_MINUS = "-\u2010\u2011\u2012\u2013\u2212\ufe63\uff0d"  # with dashes that editors make of it
_TOKEN = re.compile(
    rf"(?:(?P<minus>(?<!\S)[{_MINUS}])|{_OPERATOR})?"
    r'(?:"(?P<quoted>[^"]*)"|(?<!\w)"(?P<unclosed>[^"]+)$|(?P<plain>[^\s"]+))'
)
_ARTICLE = re.compile("an?|the|der?|die|das|l[aeo]s?|el|il|gli|[oa]s?|het", re.IGNORECASE)
"""Nobody misses one, in any language."""
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
    _refuse_contradiction(phrase, language_code(language) or phrase_language(phrase))


def _refuse_url(url: str) -> None:
    if url:
        raise TopicError(
            f"{url[:200]!r} is a url, and a topic is made of words; to begin a crawl there give it with --seed; "
            "for pages like it make a topic with `honeyguide topic new FILE --name NAME --example URL`; "
            "if it is a name that pages use, put it in quotes"
        )


def _refuse_contradiction(phrase: str, language: str) -> None:
    names = Names(phrase, language)
    asked = list(_parts(phrase, language, names))
    for unwanted in (one for one in asked if not one.is_meant):
        forms = [_forms(word, language) for word in unwanted.words]
        for one in asked:
            if one.is_meant and _has(one.words, forms, language):
                raise TopicError(
                    f"the topic {phrase[:200]!r} asks for {_written(one, names)!r} and against "
                    f"{_written(unwanted, names)!r}, so that no page can be on it; leave one of them out"
                )


def _written(asked: Asked, names: Names) -> str:
    return " ".join(map(names.written, asked.words))


def _forms(word: str, language: str) -> frozenset[str]:
    """What counts as a word, as the keyword topic has it."""
    if language == "en":
        return family(word) | {singular(word)}
    return frozenset(stem_words([word], language))


def _has(words: Sequence[str], forms: Sequence[frozenset[str]], language: str) -> bool:
    """Whether words of these forms stand among these, side by side."""
    own = [singular(word) for word in words] if language == "en" else stem_words([*words], language)
    starts = range(len(own) - len(forms) + 1)
    return any(all(word in any_of for word, any_of in zip(own[at:], forms, strict=False)) for at in starts)


def read_phrase(phrase: str, language: str, names: Names) -> list[Asked]:
    """Take a phrase apart; a word that says nothing is only kept within quotes.

    >>> [(asked.words, asked.is_meant) for asked in read_phrase('the "art of war" -film', "en", Names(""))]
    [(('art', 'of', 'war'), True), (('film',), False)]
    """
    _refuse_url(absolute_url_in(phrase.translate(QUOTES)))
    asked = list(_parts(phrase, language, names))
    if asked and not any(one.is_meant for one in asked):
        raise TopicError(f"the topic {phrase[:200]!r} only says what is not meant; add words for what is")
    return asked


def _parts(phrase: str, language: str, names: Names) -> Iterator[Asked]:
    phrase = phrase.translate(QUOTES)
    is_shouted = re.sub(_OPERATOR, "", phrase).isupper()
    for token in _TOKEN.finditer(names.spelled(phrase)):
        is_meant = not token["minus"] and (not token["without"] or is_shouted)
        yield from _asked(token, is_meant, names, language)


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


def left_out(phrase: str, language: str) -> list[str]:
    """What of a phrase is not looked for though it may be meant: not small words between others, nor articles.

    >>> left_out("the us history of bees", "en"), left_out("vitamin c and bees", "en")
    (['us'], ['c'])
    """
    phrase, names = phrase.translate(QUOTES), Names(phrase, language)
    tokens = [*_TOKEN.finditer(names.spelled(phrase))]
    kept = [place for place, token in enumerate(tokens) if any(_asked(token, True, names, language))]
    others = sorted({*range(len(tokens))}.difference(kept))
    typed = [(place, phrase[slice(*tokens[place].span("plain"))].strip(",;:()!?")) for place in others]
    return [
        word
        for place, word in typed
        if re.search(r"\w", word)
        and not _ARTICLE.fullmatch(word)
        and not (kept and kept[0] < place < kept[-1] and is_small_word(word.lower(), language))
    ]
