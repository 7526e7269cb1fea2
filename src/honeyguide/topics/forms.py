"""Stems as people read them: the words that stand for each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from honeyguide.topics.text import detected_language, stem_words, words_of

LOOKED_AT = 100_000
"""Characters of a text that are looked at."""


def usual_forms(texts: Iterable[str], stems: Iterable[str]) -> dict[str, str]:
    """Stems as the words that stand for them most often: people read words.

    >>> usual_forms(["Foundations of wax, foundation of a hive, foundation"], ["foundat", "hive"])
    {'foundat': 'foundation', 'hive': 'hive'}
    """
    wanted = dict.fromkeys(stems)
    found: dict[str, Counter[str]] = {}
    for text in texts:
        words = words_of(text[:LOOKED_AT])
        for word, stem in zip(words, stem_words(words, detected_language(text) or "en"), strict=True):
            if stem in wanted:
                found.setdefault(stem, Counter())[word] += 1
    return {stem: found[stem].most_common(1)[0][0] for stem in wanted if stem in found}
