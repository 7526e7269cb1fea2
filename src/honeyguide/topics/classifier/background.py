"""The background collection: stand-ins for pages on anything, for topics that come without negative examples.

Each is a bag of words: common English in its usual frequencies, and words of one topic of the backbone taxonomy.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.resources import files

import numpy as np

from honeyguide.errors import TopicError
from honeyguide.model import Ids
from honeyguide.topics.rarity import english_words
from honeyguide.topics.stop_words import stop_words
from honeyguide.topics.text import Vocabulary, stem_words, words_of

LANGUAGE = "en"
TOPICAL_SHARE = 0.7
NEAREST_SHARE = 0.1
"""Of the backbone's topics, those most like the examples are not used: they may be the topic itself."""


def background_texts(examples: Sequence[str], count: int, language: str, seed: int) -> list[str]:
    """So many texts about as long as the examples, on topics that they are not about."""
    if language != LANGUAGE:
        raise TopicError(
            f"the examples are in the language {language!r}, and there is a background collection for English alone; "
            f"give pages that are not on the topic as negative examples"
        )
    dice = np.random.default_rng(seed)
    topics = _other_topics(examples)
    words, shares = _common_words()
    lengths = dice.choice(_lengths(examples), count)
    texts = []
    for length in lengths.tolist():
        topical = round(length * TOPICAL_SHARE)
        topic = topics[dice.integers(len(topics))]
        texts.append(
            " ".join([*dice.choice(topic, topical), *dice.choice(words, length - topical, p=shares)])
        )
    return texts


def _lengths(examples: Sequence[str]) -> Ids:
    skipped = stop_words(LANGUAGE)
    lengths = [sum(word not in skipped for word in words_of(text)) for text in examples]
    return np.maximum(np.array(lengths, dtype=np.int32), 1)


def _other_topics(examples: Sequence[str]) -> list[list[str]]:
    topics = backbone_words()
    stems = [sorted(set(stem_words(words))) for words in topics]
    vocabulary = Vocabulary(sorted({stem for own in stems for stem in own}))
    places = {stem: place for place, stem in enumerate(vocabulary.stems)}
    occurring = np.bincount(vocabulary.counts(examples).indices, minlength=len(vocabulary))
    likeness = [float(np.mean([occurring[places[stem]] for stem in own])) for own in stems]
    kept = np.argsort(likeness, kind="stable")[: round(len(topics) * (1.0 - NEAREST_SHARE))]
    return [topics[place] for place in kept.tolist()]


@cache
def backbone_words() -> list[list[str]]:
    """Words of each topic of the backbone taxonomy."""
    text = files("honeyguide.topics").joinpath("taxonomy/backbone.txt").read_text(encoding="utf-8")
    lines = (line.partition(":") for line in text.splitlines() if not line.startswith("#"))
    return [words_of(words) for _, _, words in lines if words.strip()]


@cache
def _common_words() -> tuple[list[str], np.ndarray[tuple[int], np.dtype[np.float64]]]:
    """Words of English without stop words, and their shares by Zipf's law."""
    skipped = stop_words(LANGUAGE)
    ranked = [(word, 1.0 / rank) for rank, word in enumerate(english_words(), 1) if word not in skipped]
    shares = np.array([share for _, share in ranked])
    return [word for word, _ in ranked], shares / shares.sum()
