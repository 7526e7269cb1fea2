"""English words that are forms of one another, or made of one another, as far as endings and a list of others tell."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import cache
from importlib.resources import files

# Endings of words that are made of one another, each line with the same root before all of them; "" is none.
# An ending counts with those of its line alone: police, policy and polity share a root, and nothing else.
# fmt: off
_VERB = ("ed", "er", "ery", "ing")
_ENDINGS: tuple[tuple[str, ...], ...] = (
    ("", "ly", *_VERB), ("e", "ely", *_VERB), ("y", "ied", "ier", "ying", "ily"),
    ("ate", "ated", "ating", "ation", "ative", "ator", "ant"), ("", "ation", "ed", "ing"),
    ("e", "ation", "ed", "er", "ing"), ("ify", "ification", "ified", "ifying"),
    ("", "ion", "or", "ive", "ed", "ing"), ("e", "ion", "or", "ive", "ed", "ing"), ("", "ment", "ed", "er", "ing"),
    ("ement", "e", "ed", "er", "ing"), ("", "ance", "ant", "ed", "ing"), ("", "ence", "ent", "ed", "ing"),
    ("e", "ence", "ent", "ential", "ency"), ("e", "al", "ed", "ing"), ("", "able", "ed", "ing"),
    ("e", "able", "ed", "ing"), ("able", "ability", "ably"), ("ible", "ibility", "ibly"),
    ("", "ful", "fully", "less", "ness"),
    ("", "al", "ally", "ality"), ("e", "al", "ally"), ("y", "ial", "ially"), ("us", "al"), ("is", "al"),
    ("ion", "ious"),
    ("", "ic", "ics", "ical", "ically"), ("y", "ic", "ical", "ically", "ist"), ("o", "ic"), ("ics", "icist", "ical"),
    ("", "ism", "ist", "istic", "ize", "ise", "ization", "isation"), ("e", "ism", "ist", "istic"),
    ("ize", "ized", "izing", "izer", "ization"), ("ise", "ised", "ising", "iser", "isation"),
    ("istry", "ist", "ical"), ("phy", "pher", "phic", "phical"),
    ("nomy", "nomer", "nomic", "nomics", "nomical", "nomist"), ("cy", "t", "tic"), ("cy", "te"), ("", "ity"),
    ("e", "ity"), ("", "ous"), ("e", "ous"), ("y", "ious"), ("", "ry"), ("", "ian"), ("y", "ian"), ("ia", "ian"),
    ("a", "an"), ("o", "an"), ("e", "ean"), ("", "ese"),
)
# fmt: on
_FEWEST_LETTERS, _FEWEST_OF_VERB, _FEWEST_BEFORE_Y = 4, 3, 2  # of a root: nation, act, try
_DOUBLED = re.compile(r"([bdgklmnprt])\1$")
_DOUBLES = re.compile(r"[^aeiou][aeiou][bdgklmnprt]$")  # before an ending: plan, planning; travel, travelled
_SHORT = re.compile(r"[^aeiou]*[aeiou][^aeiouwxy]$")  # always doubles: mating is of no mat


def family(word: str) -> frozenset[str]:
    """Singulars of the English words made as this one is, and those it is made of, without its own.

    >>> "volcanic" in family("volcanoes"), "greek" in family("greece"), "university" in family("universe")
    (True, True, False)
    """
    own = singular(word)
    made = set().union(*(_made(own, endings) for endings in _ENDINGS), *_listed("family").get(own, ()))
    return frozenset(made.difference({own, ""}, *_listed("unlike").get(own, ())))


def _made(word: str, endings: tuple[str, ...]) -> Iterator[str]:
    for ending in endings:
        if word.endswith(ending):
            yield from _with(word[: len(word) - len(ending)], ending, endings)


def _with(root: str, ending: str, endings: tuple[str, ...]) -> Iterator[str]:
    """What other endings make of a root."""
    is_verb = "ing" in endings
    if "" in endings and is_verb:
        if ending in _VERB and _DOUBLED.search(root):
            yield from _doubling(root[:-1])
        elif _DOUBLES.search(root) and (not ending or not _SHORT.match(root)):
            yield from _doubling(root)
        if _SHORT.match(root):
            return
    fewest = _FEWEST_OF_VERB if is_verb else _FEWEST_BEFORE_Y if "ied" in endings else _FEWEST_LETTERS
    if len(root) >= fewest:
        yield from (root + other for other in endings)


def _doubling(word: str) -> Iterator[str]:
    yield word
    yield from (word + word[-1] + ending for ending in _VERB)
    if not _SHORT.match(word):
        yield from (word + ending for ending in _VERB)


def singular(word: str) -> str:
    """An English word without the ending of a plural.

    >>> [singular(word) for word in ("bees", "cities", "volcanoes", "glass", "boxes", "mice")]
    ['bee', 'city', 'volcano', 'glass', 'box', 'mouse']
    """
    if word in _singulars():
        return _singulars()[word]
    if word.endswith("ies") and len(word) > len("ties"):
        return f"{word[:-3]}y"
    if word.endswith(("oes", "ches", "shes", "sses", "xes")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


def with_irregular_plurals(singulars: Collection[str]) -> list[str]:
    """The same words, and of some the plurals that no ending tells."""
    return [*singulars, *(plural for plural, one in _singulars().items() if one in singulars)]


@cache
def _singulars() -> dict[str, str]:
    return {form: one for one, *plurals in _lines("plural") for form in (one, *plurals)}


@cache
def _listed(kind: str) -> dict[str, list[list[str]]]:
    """The lines each word is in."""
    found: dict[str, list[list[str]]] = {}
    for line in _lines(kind):
        words = [singular(word) for word in line]
        for word in words:
            found.setdefault(word, []).append(words)
    return found


def _lines(kind: str) -> list[list[str]]:
    text = files("honeyguide.topics").joinpath("english_forms.txt").read_text(encoding="utf-8")
    lines = (line.partition(":") for line in text.splitlines() if not line.startswith("#"))
    return [words.split() for own, _, words in lines if own == kind]
