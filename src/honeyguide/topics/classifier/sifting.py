"""What is wrong with a set of examples: too few, too many, empty, repeated, in both classes. Called by training."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from honeyguide.errors import TopicError
from honeyguide.model import Bools
from honeyguide.topics.examples import Example
from honeyguide.topics.text import words_of

if TYPE_CHECKING:
    from scipy.sparse import csr_array

FEWEST = 2
ENOUGH = 20
MAX_POSITIVES = 2_500
MAX_NEGATIVES = 5_000
NEARLY_THE_SAME = 0.95
_SHOWN = 3
_SHOWN_CHARS = 60
_ROWS_AT_ONCE = 500


@dataclass(frozen=True)
class Sifted:
    """Examples to learn from, and what there is to say about the others."""

    positives: list[Example]
    negatives: list[Example]
    warnings: list[str]


def sift(
    positives: Sequence[Example], negatives: Sequence[Example], negatives_per_positive: float, seed: int
) -> Sifted:
    """Leave out examples without words, repeated ones and those in both classes; draw where there are too many."""
    warnings: list[str] = []
    dice = np.random.default_rng(seed)
    on_topic = _distinct(_drawn(positives, MAX_POSITIVES, "positive", dice, warnings), "positive", warnings)
    off_topic = _distinct(_drawn(negatives, MAX_NEGATIVES, "negative", dice, warnings), "negative", warnings)
    if both := on_topic.keys() & off_topic.keys():
        warnings.append(
            f"{len(both)} examples are both positive and negative, and were left out: "
            f"{_named([on_topic[text] for text in sorted(both)])}"
        )
    kept, others = ([own[text] for text in own if text not in both] for own in (on_topic, off_topic))
    _check_number(kept, "positive", warnings)
    if negatives:
        _check_number(others, "negative", warnings)
        others = _sample(others, max(FEWEST, round(negatives_per_positive * len(kept))), dice)
    return Sifted(kept, others, warnings)


def _drawn(
    examples: Sequence[Example], most: int, kind: str, dice: np.random.Generator, warnings: list[str]
) -> Sequence[Example]:
    if len(examples) > most:
        warnings.append(
            f"of {len(examples):,} {kind} examples {most:,} were drawn; more do not make it better"
        )
    return _sample(examples, most, dice)


def _sample(examples: Sequence[Example], most: int, dice: np.random.Generator) -> list[Example]:
    if len(examples) <= most:
        return list(examples)
    return [examples[place] for place in np.sort(dice.choice(len(examples), most, replace=False))]


def _distinct(examples: Sequence[Example], kind: str, warnings: list[str]) -> Mapping[str, Example]:
    """Examples by their words."""
    worded = [(" ".join(words_of(example.readable)), example) for example in examples]
    if empty := [example for text, example in worded if not text]:
        warnings.append(f"{len(empty)} {kind} examples have no words: {_named(empty)}")
    distinct: dict[str, Example] = {}
    for text, example in worded:
        if text:
            distinct.setdefault(text, example)
    if repeated := len(worded) - len(empty) - len(distinct):
        warnings.append(f"{repeated} {kind} examples have the same words as another, and were left out")
    return distinct


def _check_number(examples: Sequence[Example], kind: str, warnings: list[str]) -> None:
    if len(examples) < FEWEST:
        raise TopicError(
            f"there are {len(examples)} usable {kind} examples; training takes at least {FEWEST} and is good from "
            f"{ENOUGH} on. {' '.join(warnings)}".strip()
        )
    if len(examples) < ENOUGH:
        warnings.append(f"only {len(examples)} {kind} examples: the figures are rough; give {ENOUGH} or more")


def nearly_contradictory(vectors: csr_array, is_positive: Bools, examples: Sequence[Example]) -> list[str]:
    """A warning when positive examples are nearly the same as negative ones; vectors have unit length."""
    negatives = vectors[~is_positive].T
    nearest = [
        (vectors[rows] @ negatives).max(axis=1).toarray().ravel()
        for rows in np.array_split(np.flatnonzero(is_positive), 1 + int(is_positive.sum()) // _ROWS_AT_ONCE)
    ]
    places = np.flatnonzero(is_positive)[np.concatenate(nearest) > NEARLY_THE_SAME]
    named = _named([examples[place] for place in places.tolist()])
    return (
        [f"{len(places)} positive examples are nearly the same as negative ones: {named}"]
        if len(places)
        else []
    )


def _named(examples: Sequence[Example]) -> str:
    names = [example.url or example.title or example.text.strip() for example in examples[:_SHOWN]]
    more = " ..." if len(examples) > _SHOWN else ""
    return ", ".join(repr(name[:_SHOWN_CHARS]) for name in names) + more
