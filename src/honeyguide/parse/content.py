"""What a page says, as a number: the same as long as only dates, counters and advertisements change.

Menus, banners and advertisements are left out by `main_text`, where the markup shows them; dates, times and all other
numbers here. So a new price is no change either: a page has to say something else in words.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from hashlib import blake2b

from honeyguide.parse.main_text import main_text

NOTHING_SAID = 0
LONGEST_DIFF = 300
"""Characters of a difference that is shown."""

_MOST_CHARS = 200_000
_MOST_PARTS = 400
_WORD = re.compile(r"[^\W_]+")
_SENTENCE_END = re.compile(r"(?<=[.!?:;])\s+|\s{2,}|\n")
_LONGEST_PART = 200
# English, German, French, Spanish, Italian, Dutch, Portuguese: months, weekdays, and how long ago something was.
_TIME_WORDS = """
    january february march april may june july august september october november december
    jan feb mar apr jun jul aug sep sept oct nov dec am pm st nd rd th utc gmt est edt cet cest
    monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat sun
    januar februar märz mai juni juli oktober dezember mär okt dez uhr
    montag dienstag mittwoch donnerstag freitag samstag sonntag
    janvier février mars avril mai juin juillet août septembre octobre novembre décembre
    lundi mardi mercredi jeudi vendredi samedi dimanche
    enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
    lunes martes miércoles jueves viernes sábado domingo
    gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre
    januari februari maart mei augustus janeiro fevereiro março maio junho julho setembro outubro
    ago today yesterday tomorrow now just second seconds minute minutes hour hours day days
    week weeks month months year years vor gestern heute hier il ya hace ayer hoy
    sekunden minuten stunden stunde tagen wochen monaten jours heures minutes días horas
"""
_OF_TIME = frozenset(_TIME_WORDS.split())


def content_signature(body: bytes, url: str, content_type: str) -> int:
    """Of what a page says, as a signed 64-bit number; the same on every machine. NOTHING_SAID if it has no words.

    >>> page = b"<main><p>Bees make honey. Read %d times. Updated %s.</p></main>"
    >>> first, second = (page % own for own in ((17, b"3 May 2024"), (1800, b"12 hours ago")))
    >>> content_signature(first, "", "") == content_signature(second, "", "")
    True
    >>> content_signature(first, "", "") == content_signature(first.replace(b"honey", b"wax"), "", "")
    False
    """
    return signature_of(main_text(body, url, content_type))


def signature_of(text: str) -> int:
    """The same of a text."""
    words = " ".join(said_words(text[:_MOST_CHARS]))
    if not words:
        return NOTHING_SAID
    return int.from_bytes(blake2b(words.encode(), digest_size=8).digest(), "little", signed=True) or 1


def said_words(text: str) -> list[str]:
    """The words of a text that say something: without numbers, and what belongs to dates."""
    return [word for word in _WORD.findall(text.casefold()) if word.isalpha() and word not in _OF_TIME]


def short_diff(before: str, after: str, longest: int = LONGEST_DIFF) -> str:
    """What was said before and is no more, and what is said now, in a line; parts that only tell times are passed over.

    >>> short_diff("Bees make honey. Seen 12 times.", "Bees make honey and wax. Seen 13 times.")
    '- Bees make honey. + Bees make honey and wax.'
    """
    parts = [_parts(text) for text in (before, after)]
    keys = [[" ".join(said_words(part)) for part in own] for own in parts]
    matcher = difflib.SequenceMatcher(None, keys[0], keys[1], autojunk=False)
    gone, come = [], []
    for kind, first, first_end, second, second_end in matcher.get_opcodes():
        if kind != "equal":
            gone += [part for part, key in _both(parts[0], keys[0], first, first_end) if key]
            come += [part for part, key in _both(parts[1], keys[1], second, second_end) if key]
    half = longest // 2 if gone and come else longest
    shown = [f"{sign} {_cut(' '.join(own), half - 2)}" for sign, own in (("-", gone), ("+", come)) if own]
    return " ".join(shown)


def _both(parts: Sequence[str], keys: Sequence[str], start: int, end: int) -> list[tuple[str, str]]:
    return list(zip(parts[start:end], keys[start:end], strict=True))


def _parts(text: str) -> list[str]:
    """Sentences, long ones cut, so many at most: comparing takes the square of their number."""
    sentences = (part.strip() for part in _SENTENCE_END.split(text[:_MOST_CHARS]))
    pieces = (
        sentence[at : at + _LONGEST_PART]
        for sentence in sentences
        for at in range(0, len(sentence), _LONGEST_PART)
    )
    return [piece for piece, _ in zip(pieces, range(_MOST_PARTS), strict=False)]


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[: longest - 3]}..."
