"""Words that subjects are named by, of each language that has a list of them: they tell the language of a phrase."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from honeyguide.topics.text import stem_words

_COMPOUNDING = frozenset({"de", "nl", "sv"})
_FEWEST_OF_PART, _FEWEST_OF_REST = 4, 3
_KNOWN, _FORM_KNOWN, _PART_KNOWN = 1.0, 0.8, 0.7
_FEWEST_OF_STEM = 4
_JOINTS = ("", "s", "n", "en", "es")


def names_subject(word: str, language: str) -> float:
    """How surely a word is one of a language: 1 if it is known or made of known ones, less if a form or a part is.

    >>> [names_subject(word, "de") for word in ("rezepte", "gartenbau", "gartenzaun", "gardening")]
    [0.8, 1.0, 0.7, 0.0]
    """
    if word in _words().get(language, ()):
        return _KNOWN
    known = _stems().get(language, frozenset())
    (stem,) = stem_words([word], language)
    if stem in known and len(stem) >= _FEWEST_OF_STEM:
        return _FORM_KNOWN
    return _of_parts(stem, known) if language in _COMPOUNDING else 0.0


def _of_parts(stem: str, known: frozenset[str]) -> float:
    found = 0.0
    for at in range(_FEWEST_OF_REST, len(stem) - _FEWEST_OF_REST + 1):
        is_end = stem[at:] in known
        is_beginning = any(stem[:at].removesuffix(joint) in known for joint in _JOINTS)
        if is_end and is_beginning:
            return _KNOWN
        longest = max(is_end * (len(stem) - at), is_beginning * at)
        found = max(found, _PART_KNOWN * (longest >= _FEWEST_OF_PART))
    return found


@cache
def _stems() -> dict[str, frozenset[str]]:
    return {code: frozenset(stem_words(words, code)) for code, words in _words().items()}


@cache
def _words() -> dict[str, list[str]]:
    text = files("honeyguide.topics").joinpath("subject_words.txt").read_text(encoding="utf-8")
    lines = (line.partition(":") for line in text.splitlines() if not line.startswith("#"))
    return {code: words.split() for code, _, words in lines}
