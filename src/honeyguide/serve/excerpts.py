"""Where in a text the words stand that decide on it: a passage to read before one says yes or no."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from honeyguide.model import Part
from honeyguide.topics.base import TopicModel
from honeyguide.topics.forms import LOOKED_AT, usual_forms
from honeyguide.topics.revised import RevisedTopic
from honeyguide.topics.text import UNSPACED, detected_language, stem_words, words_of

WINDOW = 45
LONGEST = 500
MOST_WORDS = 12
_TIMES = re.compile(r"\s+x[\d.]+$")
_TOKEN = re.compile(rf"{UNSPACED}|[^\W_]+")

# Letters that nobody sees, but that turn round the text beside them.
_TURNING = dict.fromkeys((0x200E, 0x200F, 0x061C, *range(0x202A, 0x202F), *range(0x2066, 0x206A)))

Piece = tuple[str, bool]
"""Plain text, and whether it is a word that decides."""


@dataclass(frozen=True, slots=True)
class Glance:
    """What somebody sees of a text: words that decide, and a passage with them."""

    words: Sequence[tuple[str, float]]  # with what each adds or takes away, the largest first
    pieces: Sequence[Piece]


def glance_at(model: TopicModel, text: str) -> Glance:
    """What decides on a text, and where it stands."""
    parts = model.explain(text).parts
    shown = [(label, part.number) for part in parts if part.number and (label := _word_of(part))][:MOST_WORDS]
    also = model.first.explain(text).parts if isinstance(model, RevisedTopic) else ()
    marked = [*(label for label, _ in shown), *(label for part in also if (label := _word_of(part)))]
    forms = usual_forms([text], [label for label, _ in shown])
    return Glance([(forms.get(label, label), number) for label, number in shown], passage(text, marked))


def _word_of(part: Part) -> str:
    """The word or phrase that a part of an explanation is about; empty if it is about something else."""
    label = _TIMES.sub("", part.label).strip('"')
    return "" if "(" in label or ":" in label else label


def passage(text: str, words: Iterable[str]) -> list[Piece]:
    """The part of a text that has most of these words, in pieces.

    >>> passage("All about bees. A hive has one queen.", ["hives"])
    [('All about bees. A ', False), ('hive', True), (' has one queen.', False)]
    """
    text = " ".join(text[:LOOKED_AT].translate(_TURNING).split())
    wanted = _forms(words, detected_language(text) or "en")
    tokens = [*_TOKEN.finditer(text)]
    if not tokens:
        return [(text[:LONGEST], False)] if text else []
    stems = stem_words([token[0].lower() for token in tokens], detected_language(text) or "en")
    hits = [stem in wanted or token[0].lower() in wanted for stem, token in zip(stems, tokens, strict=True)]
    first = _densest(hits, stems)
    last = min(first + WINDOW, len(tokens)) - 1
    start = tokens[first].start() if first else 0
    end = tokens[last].end() if last + 1 < len(tokens) else len(text)
    end = min(end, start + LONGEST)
    places = [token.span() for token, is_hit in zip(tokens, hits, strict=True) if is_hit]
    return [
        *([("… ", False)] if start else []),
        *_cut(text, start, end, places),
        *([(" …", False)] if end < len(text) else []),
    ]


def _forms(words: Iterable[str], language: str) -> set[str]:
    """Words as they may stand in a text, and their stems; of scripts without spaces every letter."""
    single = [one for word in words for one in words_of(word)]
    letters = (letter for word in single for letter in re.findall(UNSPACED, word))
    return {*single, *stem_words(single, language), *letters}


def _densest(hits: Sequence[bool], stems: Sequence[str]) -> int:
    """Where the window begins that has most different hits; a little before the first of them."""
    best, most = 0, 0
    for place, is_hit in enumerate(hits):
        if not is_hit:
            continue
        within = range(place, min(place + WINDOW, len(hits)))
        different = len({stems[at] for at in within if hits[at]})
        if different > most:
            best, most = place, different
        if most > MOST_WORDS:
            break
    return max(0, best - 6)


def _cut(text: str, start: int, end: int, places: Sequence[tuple[int, int]]) -> Iterable[Piece]:
    at = start
    for first, last in places:
        if first < at or last > end:
            continue
        if first > at:
            yield text[at:first], False
        yield text[first:last], True
        at = last
    if at < end:
        yield text[at:end], False
