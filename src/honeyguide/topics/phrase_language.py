"""The language of a phrase, which is too short for a detector alone: letters, small words and seeds tell it, too."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache

import pycld2

from honeyguide.errors import TopicError
from honeyguide.topics.names import without_abbreviations
from honeyguide.topics.rarity import english_words
from honeyguide.topics.stop_words import stop_word_languages, stop_words
from honeyguide.topics.subject_words import names_subject
from honeyguide.topics.text import SAME_LANGUAGE, STEMMERS, guessed_language, stem_words, words_of
from honeyguide.topics.word_family import singular
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
_SAME_SCRIPT = {"zh": "ja", "ru": "uk", "ar": "fa"}
"""Languages that may be written without a letter of their own."""
_OWN_LETTERS = {"de": "ß", "es": "ñ¿", "pt": "ãõ", "fr": "œ", "pl": "łż", "hu": "ő", "tr": "ğı", "cs": "řů"}
_LETTERS = {
    "de": "äöü",
    "es": "áéíóúü",
    "fr": "àâçèéêëîïôùû",
    "it": "àèìòù",
    "pt": "àáâçéêíóôú",
    "sv": "åäö",
    "fi": "äö",
    "da": "åæø",
    "no": "åæø",
    "hu": "áéíóöúü",
    "tr": "çöü",
    "ro": "âîășț",
    "cs": "áéíóúýčšž",
    "pl": "óąćęńś",
}
# fmt: off
_COUNTRIES = {
    "ae": "ar", "ar": "es", "at": "de", "br": "pt", "cl": "es", "cn": "zh", "cz": "cs", "de": "de", "dk": "da",
    "eg": "ar", "es": "es", "fi": "fi", "fr": "fr", "gr": "el", "hu": "hu", "it": "it", "jp": "ja", "mx": "es",
    "nl": "nl", "no": "no", "pe": "es", "pl": "pl", "pt": "pt", "ro": "ro", "ru": "ru", "sa": "ar", "se": "sv",
    "tr": "tr", "tw": "zh", "ua": "uk", "uk": "en", "us": "en",
}
# fmt: on

# Sequences of letters that are usual in a language and rare in most others; what several share, seeds decide.
_SIGNS = {
    "de": "sch|cht|ung\\b|keit\\b|heit\\b|lich|pf|tz|ei",
    "en": "ing\\b|th|ck|sh|wh|ght|ow|ee|oo|ture\\b|ness\\b|y\\b",
    "es": "ci[oó]n|dad\\b|encia|ej|ll|[ao]s\\b|i?ura\\b|[ií]a\\b|(?<!g)ue[brlnv]",
    "fr": "eau|aux?\\b|eux\\b|oi|ille|que\\b|ure\\b|aire\\b|eurs?\\b|ées?\\b|[^s]ages?\\b|erie\\b|oul|ouss",
    "it": "zion|gli|cch|zz|ghi|tà\\b|enza|ura\\b|ia\\b|[dlrtn]i\\b|pi\\b",
    "nl": "ij|aa|uu|uw|oe|heid\\b|lijk",
    "pl": "sz|cz|rz|ow[aey]\\b|stw[oa]\\b|yk[ai]\\b",
    "pt": "lh|nh|ção|ções|ência|[ao]s\\b|ura\\b|ia\\b|agem\\b|eir[ao]",
}
_ENGLISH_ENDING = re.compile("(?:[^l]ing|ness|ship)$")
_ONE_LETTER = {"en": "ai", "es": "yoaeu", "fr": "àa", "it": "eèioa", "pt": "eoaàé"}
"""Words of a letter, which no list of small words has."""

# What each sign counts. A detector that is sure outweighs a small word; that all words are common English, both.
# Where seeds are says little of the phrase: it decides where nothing else does, and between languages that are alike.
_OWN_LETTER, _LETTER, _SMALL_WORD, _SIGN, _MOST_SIGNS = 2.0, 0.7, 1.0, 0.7, 2
_DETECTED, _ALL_ENGLISH, _ENGLISH, _SEEDS, _SUBJECT = 1.5, 3.0, 0.5, 0.6, 1.8
_FEWEST_COMPOUNDED, _FEWEST_SMALL = 3, 2
_FEWEST_LETTERS, _SURE_LETTERS = 9, 12
"""Of fewer the detector knows little, whatever it says."""


def phrase_language(phrase: str, seeds: Iterable[str] = ()) -> str:
    """Two letters; English where nothing tells.

    >>> phrase_language("abejas y miel"), phrase_language("beekeeping", ["https://imker.example.de/"])
    ('es', 'en')
    """
    shorter = without_abbreviations(phrase)
    phrase, seeds = shorter if words_of(shorter) else phrase, [*seeds]
    lower, of_seeds = phrase.lower(), _most_frequent(map(_of_address, seeds))
    if script := next((language for language, letters in _SCRIPTS.items() if letters.search(lower)), ""):
        return of_seeds if of_seeds == _SAME_SCRIPT.get(script) else script
    words = words_of(phrase)
    if of_small_words := _of_small_words(words):
        return of_small_words
    guessed, surely = guessed_language(phrase)
    votes = _votes(lower, words, guessed, surely, of_seeds)
    language = max(votes, key=lambda language: (votes[language], language == DEFAULT))
    if language == DEFAULT and len(words) == 1:
        named = _most_frequent(map(_named_in_address, seeds))
        return _of_name(words[0], named or (of_seeds if of_seeds == guessed else ""))
    return language


def _of_name(word: str, of_seeds: str) -> str:
    """The language of a single word that may be English, or a name: that of the seeds, unless it is common English."""
    is_theirs = names_subject(word, of_seeds) == 1.0 or not _is_common_english(word)
    return of_seeds if of_seeds and is_theirs else DEFAULT


def _of_small_words(words: Sequence[str]) -> str:
    """The language in which several words are all small ones, so that they say nothing."""
    if len(words) < _FEWEST_SMALL or all(_is_usual(word) for word in words):
        return ""
    return next((code for code in stop_word_languages() if stop_words(code).issuperset(words)), "")


def _votes(lower: str, words: Sequence[str], guessed: str, surely: float, of_seeds: str) -> dict[str, float]:
    """What speaks for each language: of the letters and words, of the detector, and of the seeds."""
    votes = {
        language: _SMALL_WORD * _small_words(words, language) + _of_letters(lower, language)
        for language in stop_word_languages()
        if language == DEFAULT or not stop_words(language).issuperset(words)  # nothing would be left
    }
    is_english = [_is_english(word) for word in words]
    is_alone = (
        len(words) == 1 or len(lower) < _FEWEST_LETTERS
    )  # often a name, which the detector takes for any word
    for language in votes:
        votes[language] += _SUBJECT * sum(
            names_subject(word, language) for word in words if word not in _english_words()
        )
    votes[DEFAULT] += _ALL_ENGLISH if all(is_english) else _ENGLISH * (1 + is_alone)
    surely *= min(1.0, len(lower) / _SURE_LETTERS) / (1 + is_alone)
    if guessed == DEFAULT:  # one word that languages share is enough for the detector
        surely *= sum(is_english) / max(1, len(words))
    for language, vote in ((guessed, _DETECTED * surely), (of_seeds, _SEEDS)):
        if language in votes:  # the detector also guesses languages that hardly anybody writes in
            votes[language] += vote
    return votes


def language_code(code: str) -> str:
    """As languages are called here: two letters, without a country, and one code of several for the same.

    >>> language_code("DE"), language_code("pt-BR"), language_code("iw")
    ('de', 'pt', 'he')
    """
    short = re.split("[-_]", code.strip().lower())[0]
    return SAME_LANGUAGE.get(short, short)


def check_language(code: str) -> None:
    """Refuse what is no language; no code stands for one that is to be guessed.

    >>> check_language("de"), check_language("pt-BR"), check_language("")
    (None, None, None)
    """
    if code and language_code(code) not in _languages():
        known = ", ".join(sorted({*STEMMERS, *stop_word_languages()}))
        raise TopicError(f"{code[:50]!r} is no language; give two letters, such as {known}")


@cache
def _languages() -> frozenset[str]:
    detected = {language_code(code) for _, code in pycld2.LANGUAGES if len(code) == 2}
    return frozenset(detected | {*STEMMERS, *stop_word_languages()})


def is_small_word(word: str, language: str) -> bool:
    """Whether a word in lower case says nothing by itself, such as "of", or "y" in Spanish."""
    return word in stop_words(language) or word in tuple(_ONE_LETTER.get(language, ""))


def _small_words(words: Sequence[str], language: str) -> int:
    if len(words) == 1:  # a letter alone is none
        return int(words[0] in stop_words(language))
    return sum(is_small_word(word, language) for word in words)


def _of_letters(lower: str, language: str) -> float:
    own, shared = (
        any(letter in lower for letter in letters.get(language, "")) for letters in (_OWN_LETTERS, _LETTERS)
    )
    signs = set(re.findall(_SIGNS[language], lower)) if language in _SIGNS else ()
    return _OWN_LETTER * own + _LETTER * shared + _SIGN * min(_MOST_SIGNS, len(signs))


def _is_english(word: str) -> bool:
    """Whether it is a common English word, or made of two."""
    return _is_usual(word) or _is_compound(word)


def _is_common_english(word: str) -> bool:
    """As it stands, or in the plural: volcan and philosophie only have the stems of English words."""
    is_known = not _english_words().isdisjoint({word, singular(word)})
    return is_known or _is_compound(word) or _ENGLISH_ENDING.search(word) is not None


def _is_compound(word: str) -> bool:
    places = range(_FEWEST_COMPOUNDED, len(word) - _FEWEST_COMPOUNDED + 1)
    return any(_stem(word[:at]) in _english() and _stem(word[at:]) in _english() for at in places)


def _is_usual(word: str) -> bool:
    return _stem(word) in _english()


def _stem(word: str) -> str:
    return stem_words([word])[0]


@cache
def _english() -> frozenset[str]:
    return frozenset(stem_words(english_words()))


@cache
def _english_words() -> frozenset[str]:
    return frozenset(english_words())


def _most_frequent(languages: Iterable[str]) -> str:
    """The language that most seeds are in; none if most are in none."""
    found = Counter(languages)
    return found.most_common(1)[0][0] if found else ""


def _of_address(url: str) -> str:
    """As in pt.wikipedia.org, example.org/pt/ or example.pt.

    >>> _of_address("https://pt.example.org/"), _of_address("https://example.org/pt-br/a"), _of_address("http://a.pt/")
    ('pt', 'pt', 'pt')
    """
    return _named_in_address(url) or _COUNTRIES.get(_host(url).rpartition(".")[2], "")


def _named_in_address(url: str) -> str:
    """The language that an address names; in what country a host is does not tell what it is written in.

    >>> _named_in_address("https://pt.example.org/"), _named_in_address("http://a.pt/")
    ('pt', '')
    """
    host = _host(url)
    first = host.partition(".")[0]
    folders = url.split("/")[3:-1]
    labels = [first] * (host.count(".") > 1) + [folder.lower() for folder in folders[:1]]
    languages = (code for label in labels if (code := language_code(label)) in stop_word_languages())
    return next(languages, "")


def _host(url: str) -> str:
    return host_of(url).partition(":")[0].removeprefix("www.")
