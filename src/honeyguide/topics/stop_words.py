"""Words that say nothing about what a text is about, of each language that has a list of them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib.resources import files


def stop_words(language: str) -> frozenset[str]:
    """Words that say nothing about what a text is about; none for languages without a list."""
    return _all_stop_words().get(language, frozenset())


def stop_word_languages() -> Iterable[str]:
    """Languages with a list of such words."""
    return _all_stop_words().keys()


@cache
def _all_stop_words() -> dict[str, frozenset[str]]:
    text = files("honeyguide.topics").joinpath("stop_words.txt").read_text(encoding="utf-8")
    lines = (line.partition(":") for line in text.splitlines() if not line.startswith("#"))
    return {code: frozenset(words.split()) for code, _, words in lines}
