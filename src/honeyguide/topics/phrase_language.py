"""The language of a phrase, which is too short for a detector alone: letters, small words and seeds tell it, too."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import cache

from honeyguide.topics.rarity import english_words
from honeyguide.topics.text import detected_language, stem_words, stop_word_languages, stop_words, words_of
from honeyguide.urls import host_of

DEFAULT = "en"

# Scripts that are written in one language for the most part, the first that is found counts.
_SCRIPTS = {
    "ja": re.compile("[\u3041-\u30fa]"),
    "ko": re.compile("[\uac00-\ud7a3]"),
    "zh": re.compile("[\u3400-\u9fff]"),
    "fa": re.compile("[پچژگ]"),
    "ar": re.compile("[\u0621-\u06d3]"),
    "he": re.compile("[\u05d0-\u05ea]"),
    "el": re.compile("[\u03b1-\u03c9]"),
    "hi": re.compile("[\u0904-\u0939]"),
    "th": re.compile("[\u0e01-\u0e2e]"),
    "uk": re.compile("[іїєґ]"),
    "ru": re.compile("[\u0430-\u044f]"),
}
_LETTERS = {"de": "ß", "es": "ñ", "pt": "ãõ", "fr": "œ", "pl": "łż", "hu": "ő", "tr": "ğı", "cs": "řů"}
# fmt: off
_COUNTRIES = {
    "ae": "ar", "ar": "es", "at": "de", "br": "pt", "cl": "es", "cn": "zh", "cz": "cs", "de": "de", "dk": "da",
    "eg": "ar", "es": "es", "fi": "fi", "fr": "fr", "gr": "el", "hu": "hu", "it": "it", "jp": "ja", "mx": "es",
    "nl": "nl", "no": "no", "pe": "es", "pl": "pl", "pt": "pt", "ro": "ro", "ru": "ru", "sa": "ar", "se": "sv",
    "tr": "tr", "tw": "zh", "ua": "uk", "uk": "en", "us": "en",
}
# fmt: on

# What each sign counts. A detector that is sure outweighs a small word; that all words are common English, both.
_LETTER, _SMALL_WORD, _DETECTED, _ALL_ENGLISH, _SEEDS = 2.0, 1.0, 1.5, 3.0, 0.8


def phrase_language(phrase: str, seeds: Iterable[str] = ()) -> str:
    """Two letters; English where nothing tells.

    >>> phrase_language("las abejas"), phrase_language("Bienenzucht", ["https://imker.example.de/"])
    ('es', 'de')
    """
    lower = phrase.lower()
    if script := next((language for language, letters in _SCRIPTS.items() if letters.search(lower)), ""):
        return script
    votes = {
        language: _SMALL_WORD * sum(word in stop_words(language) for word in words_of(phrase))
        + _LETTER * any(letter in lower for letter in _LETTERS.get(language, ""))
        for language in stop_word_languages()
        if language == DEFAULT
        or not stop_words(language).issuperset(words_of(phrase))  # nothing would be left
    }
    votes[DEFAULT] += _ALL_ENGLISH * _english().issuperset(stem_words(words_of(phrase)))
    for language, vote in ((detected_language(phrase), _DETECTED), (_of_seeds(seeds), _SEEDS)):
        if language in votes:  # the detector also guesses languages that hardly anybody writes in
            votes[language] += vote
    best = max(votes, key=lambda language: votes[language])
    return best if votes[best] > 0 else DEFAULT


@cache
def _english() -> frozenset[str]:
    return frozenset(stem_words(english_words()))


def _of_seeds(seeds: Iterable[str]) -> str:
    """The language of the country that most seeds are in; none if most are in none."""
    suffixes = (host_of(url).partition(":")[0].rpartition(".")[2] for url in seeds)
    found = Counter(_COUNTRIES.get(suffix, "") for suffix in suffixes)
    return found.most_common(1)[0][0] if found else ""
