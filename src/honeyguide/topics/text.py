"""From text to stems: the one place where topic models get words, counts and languages from.

`Vocabulary` counts a fixed list of stems, `count_stems` learns one, `stem_phrase` takes a name apart. One language a
model; a language without a stemmer is left unstemmed, scripts without spaces are read as pairs of characters.
"""

from __future__ import annotations

import codecs
import re
import unicodedata
from collections.abc import Container, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from itertools import chain, islice, pairwise
from operator import add
from typing import TYPE_CHECKING

import numpy as np
import pycld2
import Stemmer
from numpy.typing import NDArray

from honeyguide.model import Ids, Passages, Places
from honeyguide.topics.counting import counted
from honeyguide.topics.stop_words import stop_words
from honeyguide.topics.word_numbers import WordNumbers
from honeyguide.topics.worded import Lexicon, Worded

if TYPE_CHECKING:
    from scipy.sparse import csr_array

MAX_CHARS = 6_500
"""Only the beginning of a text is read: about 1,000 words settle what a page is about, and bound the cost."""
LONGEST_WORD = 40
"""Longer words are cut; no language has them, hostile pages do."""
MAX_WORDS = 500_000
"""Words of which the stem is remembered."""
MAX_STEMS = 200_000
"""Stems a collection is reduced to, the most frequent."""

# fmt: off
STEMMERS = {
    "ar": "arabic", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german", "el": "greek",
    "en": "english", "eo": "esperanto", "es": "spanish", "et": "estonian", "eu": "basque", "fa": "persian",
    "fi": "finnish", "fr": "french", "ga": "irish", "hi": "hindi", "hu": "hungarian", "hy": "armenian",
    "id": "indonesian", "it": "italian", "lt": "lithuanian", "ne": "nepali", "nl": "dutch", "no": "norwegian",
    "pl": "polish", "pt": "portuguese", "ro": "romanian", "ru": "russian", "sr": "serbian", "st": "sesotho",
    "sv": "swedish", "ta": "tamil", "tr": "turkish", "yi": "yiddish",
}
# fmt: on
"""Stemming algorithm of each language that has one."""

SAME_LANGUAGE = {"iw": "he", "jw": "jv", "nb": "no", "nn": "no", "mo": "ro"}
_SAMPLED_TEXTS = 100
_SAMPLE_CHARS = 500
_MIN_SAMPLE_BYTES = 60
_SURE_SCORE = 1000.0  # of the detector for a kilobyte; usual texts have about so much

# Thai, Lao, Burmese, Khmer, kana and Han, which put no space between words.
UNSPACED = (
    "[\u0e01-\u0e4e\u0e81-\u0ecd\u1000-\u103f\u1780-\u17d3\u3041-\u3096\u30a1-\u30fa\u30fc"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
)
_UNSPACED_RUN = re.compile(f"{UNSPACED}{{2,}}+")
_LETTER = r"[^\W\d_¹²³¼½¾]"


def words_of(text: str) -> list[str]:
    """Lower-case words of the first MAX_CHARS characters, in order; numbers are no words.

    >>> words_of("The Queen's 12 bees."), words_of("蜂蜜です")
    (['the', 'queen', 's', 'bees'], ['蜂蜜', '蜜で', 'です'])
    """
    return [word[:LONGEST_WORD] for word in _words(text)]


def _words(text: str) -> list[str]:
    """As `words_of`, of any length."""
    text = text[:MAX_CHARS]
    if western := _western_letters(text):
        return western.decode(WESTERN).split()
    text = unicodedata.normalize("NFC", text).lower()
    return _word().findall(_UNSPACED_RUN.sub(_in_pairs, text))


def _western_letters(text: str) -> bytes | None:
    """A text in Windows-1252, in lower case, spaces for all that is no letter; None if that has not all its letters."""
    # One table look-up a character: three times as fast as the regular expression, for most Western pages. Python is
    # faster at Latin-1, which has the same letters but for a few.
    for charset, errors in (("latin-1", "strict"), (WESTERN, _SYMBOLS_AS_SPACES)):
        with suppress(UnicodeEncodeError):
            return text.encode(charset, errors).translate(_lower_letters(charset))
    return None


WESTERN = "cp1252"
_SYMBOLS_AS_SPACES = "honeyguide.symbols_as_spaces"


def _symbols_as_spaces(error: UnicodeError) -> tuple[str, int]:
    """Arrows and the like, which no charset of a byte a letter has, are between words anyway."""
    assert isinstance(error, UnicodeEncodeError)
    if _word_part().search(error.object, error.start, error.end):
        raise error
    return " " * (error.end - error.start), error.end


codecs.register_error(_SYMBOLS_AS_SPACES, _symbols_as_spaces)


def _in_pairs(run: re.Match[str]) -> str:
    return f" {' '.join(map(add, run[0], run[0][1:]))} "


@cache
def _lower_letters(charset: str) -> bytes:
    """For each byte of a charset its lower-case letter, or a space."""
    characters = bytes(range(256)).decode(charset, "replace")
    letters = (found.lower() if re.match(_LETTER, found) else " " for found in characters)
    return "".join(letters).encode(charset)


@cache
def _word() -> re.Pattern[str]:
    """A run of letters with the marks that many scripts write vowels with, or a pair."""
    return re.compile(f"{UNSPACED}++|{_LETTER}++(?:[{_marks()}]++{_LETTER}*+)*+")


@cache
def _word_part() -> re.Pattern[str]:
    """A letter, or a mark that may belong to one."""
    return re.compile(f"{UNSPACED}|{_LETTER}|[{_marks()}]")


@cache
def _marks() -> str:
    return "".join(mark for mark in map(chr, range(0x300, 0x1CFA)) if unicodedata.category(mark)[0] == "M")


def language_of(text: str) -> str:
    """Two letters, or an empty string for a text that is too short or that nobody can tell.

    >>> language_of("Die Biene sammelt Nektar und Pollen von den Blüten der Wiese und des Waldes.")
    'de'
    """
    sample = text[: _SAMPLED_TEXTS * _SAMPLE_CHARS]
    return detected_language(sample) if len(sample.encode("utf-8", "replace")) >= _MIN_SAMPLE_BYTES else ""


def detected_language(text: str) -> str:
    """Of a text of any length, which for a short one is often wrong; an empty string when the detector is not sure."""
    sample = text.encode("utf-8", "replace")
    try:
        is_reliable, _, ranked = pycld2.detect(sample, isPlainText=True)
    except pycld2.error:  # characters it does not take for text
        return ""
    code = ranked[0][1].partition("-")[0]
    return SAME_LANGUAGE.get(code, code) if is_reliable and len(code) == 2 else ""


def guessed_language(text: str) -> tuple[str, float]:
    """Of a short text, what the detector thinks of it, and how surely: 0 to 1."""
    try:
        *_, ranked = pycld2.detect(text.encode("utf-8", "replace"), isPlainText=True, bestEffort=True)
    except pycld2.error:
        return "", 0.0
    code, score = ranked[0][1].partition("-")[0], ranked[0][3]
    return (SAME_LANGUAGE.get(code, code), min(1.0, score / _SURE_SCORE)) if len(code) == 2 else ("", 0.0)


def common_language(texts: Iterable[str]) -> str:
    """The language most of a collection is in, told from its first texts; an empty string when nobody can tell."""
    return language_of("\n".join(text[:_SAMPLE_CHARS] for text in islice(texts, _SAMPLED_TEXTS)))


def stem_phrase(text: str, language: str = "en") -> list[str]:
    """Stems of a name or phrase in order, stop words kept, as `Vocabulary.sequence` finds them in a text.

    >>> stem_phrase("The University of Beekeeping")
    ['the', 'universiti', 'of', 'beekeep']
    """
    return stem_words(words_of(text), language)


def stem_words(words: list[str], language: str = "en") -> list[str]:
    """The stem of each word."""
    stem = _stemmer(language)
    return words if stem is None else list(stem.stemWords(words))


def _stemmer(language: str) -> Stemmer.Stemmer | None:
    return Stemmer.Stemmer(STEMMERS[language], 0) if language in STEMMERS else None


class StemTable(dict[str, int]):
    """From word to the number of its stem, -1 for words that do not count; a growing one numbers stems it meets."""

    def __init__(self, stems: Iterable[str], language: str, *, grows: bool, skipped: frozenset[str]) -> None:
        super().__init__()
        self.stems = list(stems)
        self._number_of_stem = {stem: number for number, stem in enumerate(self.stems)}
        self._grows = grows
        self._skipped = skipped
        self._language = language
        self._stem = _stemmer(language)
        self._known_words = WordNumbers(LONGEST_WORD)
        self._lexicon: tuple[Lexicon, Ids] = (Lexicon(), np.empty(0, dtype=np.int32))

    def __missing__(self, word: str) -> int:
        known = word[:LONGEST_WORD]
        number = self._counted(known, known if self._stem is None else self._stem.stemWord(known))
        if len(self) >= MAX_WORDS:  # endless new words, as hostile pages have them
            self.clear()
        if len(word) <= LONGEST_WORD:
            self[word] = number
        return number

    def _counted(self, word: str, stem: str) -> int:
        return -1 if word in self._skipped else self._number(word, stem)

    def _number(self, word: str, stem: str) -> int:
        number = self._number_of_stem.get(stem, -1)
        if number < 0 and self._grows:
            number = self._number_of_stem[stem] = len(self.stems)
            self.stems.append(stem)
        return number

    def sequence(self, text: str) -> Ids:
        """Number of the stem of each word of a text."""
        return self.sequences([text])[0]

    def sequences(self, texts: Sequence[str]) -> tuple[Ids, Places, Places]:
        """As `sequence`, of all texts one after the other, and where the words of each begin and end."""
        if isinstance(texts, Worded):
            return self._of_lexicon(texts.words)[texts.numbers], texts.starts, texts.ends
        passages = _beginnings(texts)
        numbers, places = self._placed(passages)
        return numbers, *_ranges(passages, places)

    def _of_lexicon(self, words: Lexicon) -> Ids:
        """The number of each of its words; of a lexicon that has grown, only new ones are looked up."""
        before = self._lexicon[1] if self._lexicon[0] is words else np.empty(0, dtype=np.int32)
        if new := words[len(before) :]:
            stems = words.stems(self._language, self._stems_of)[len(before) :]
            numbers = np.full(len(new), -1, dtype=np.int32)
            countable = self._countable()
            counting = [at for at, stem in enumerate(stems) if self._grows or stem in countable]
            numbers[counting] = [self._counted(new[at], stems[at]) for at in counting]
            self._lexicon = words, np.concatenate((before, numbers))
        return self._lexicon[1]

    def _stems_of(self, words: list[str]) -> list[str]:
        return words if self._stem is None else list(self._stem.stemWords(words))

    def _countable(self) -> Container[str]:
        """Stems whose words may have a number: most words of a web have none, which is told at once."""
        return self._number_of_stem

    def counts(self, texts: Sequence[str]) -> csr_array:
        """How often each stem occurs in each text: a row a text, sorted by stem."""
        numbers, lengths = self._known(texts)
        return counted(numbers, lengths, len(self.stems))

    def _known(self, texts: Sequence[str]) -> tuple[Ids, Places]:
        """All words that count, and how many of them each text has."""
        numbers, firsts, lasts = self.sequences(texts)
        is_known = numbers >= 0
        known_before: Places = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(is_known)))
        firsts, lasts = known_before.take(firsts), known_before.take(lasts)
        lengths = lasts - firsts
        shift = np.repeat(firsts - np.cumsum(lengths) + lengths, lengths)
        shift += np.arange(len(shift))
        return numbers.compress(is_known).take(shift), lengths

    def _placed(self, passages: Passages) -> tuple[Ids, Places]:
        """The sequence of all words, and the place of each in the passages' texts.

        The place of a word at least tells which of the passages it belongs to.
        """
        letters = [self._letters(text) for text in passages.texts]
        # All of a byte a letter at once: of one page there are too few for arrays to be worth their while.
        whole = b"".join(own or b" " * len(text) for own, text in zip(letters, passages.texts, strict=True))
        found = [self._known_words.find(whole, WESTERN, self.__getitem__)]
        if None in letters:
            found += self._placed_others(passages, letters)
        numbers, places = (np.concatenate(parts) for parts in zip(*found, strict=True))
        order = np.argsort(places, kind="stable") if len(found) > 1 else slice(None)
        return numbers[order], places[order]

    def _letters(self, text: str) -> bytes | None:
        """A text that can be looked up by the bytes of its words, or None."""
        return _western_letters(text)

    def _placed_others(
        self, passages: Passages, letters: Sequence[bytes | None]
    ) -> Iterator[tuple[Ids, Places]]:
        """The same of the texts without a byte a letter, one by one."""
        ordered = np.argsort(passages.starts)
        starts, ends = passages.starts[ordered], passages.ends[ordered]
        offset = 0
        for text, own in zip(passages.texts, letters, strict=True):
            if own is None:
                within = slice(*np.searchsorted(starts, (offset, offset + len(text) + 1)))
                numbers, places = self._placed_words(text, starts[within] - offset, ends[within] - offset)
                yield numbers, places + offset
            offset += len(text)

    def _placed_words(self, text: str, starts: Places, ends: Places) -> tuple[Ids, Places]:
        """Of a text of any length."""
        cuts = np.unique(np.concatenate((starts, ends)))
        cuts = cuts[(cuts >= 0) & (cuts <= len(text))]
        parts = [_words(text[start:end]) for start, end in pairwise(cuts.tolist())]
        return self._numbers_of(*parts), np.repeat(cuts[:-1], [len(words) for words in parts])

    def _numbers_of(self, *parts: Sequence[str]) -> Ids:
        return np.fromiter(map(self.__getitem__, chain.from_iterable(parts)), dtype=np.int32)


class _UsedOnce(StemTable):
    """Most words are new to it, so that it does not pay to know them by their hashes."""

    def _letters(self, text: str) -> None:
        return None


def _beginnings(texts: Sequence[str]) -> Passages:
    """What is read of texts."""
    if isinstance(texts, Passages):
        return texts
    beginnings = [f"{text[:MAX_CHARS]} " for text in texts]
    ends = np.cumsum([0, *map(len, beginnings)])
    return Passages(beginnings, ends[:-1], ends[1:])


def _ranges(passages: Passages, places: Places) -> tuple[Places, Places]:
    """Of words at these places, the first of each passage and the one after the last."""
    ends = np.minimum(passages.ends, passages.starts + MAX_CHARS)
    return np.searchsorted(places, passages.starts), np.searchsorted(places, ends)


class Vocabulary:
    """A fixed list of stems, to count in texts or to find in them.

    >>> vocabulary = Vocabulary(["honey", "of", "bee"])
    >>> vocabulary.sequence("Honey of the bees"), vocabulary.counts(["Bees, bees!", ""]).toarray().tolist()
    (array([ 0,  1, -1,  2], dtype=int32), [[0.0, 0.0, 2.0], [0.0, 0.0, 0.0]])
    """

    def __init__(self, stems: Sequence[str], language: str = "en") -> None:
        self.language = language
        self._all = StemTable(stems, language, grows=False, skipped=frozenset())
        self._content = StemTable(stems, language, grows=False, skipped=stop_words(language))

    @property
    def stems(self) -> list[str]:
        """The list, in order."""
        return self._all.stems

    def __len__(self) -> int:
        return len(self.stems)

    def sequence(self, text: str) -> Ids:
        """Places in `stems` of the words of a text in order, -1 for words whose stem is not among them."""
        return self._all.sequence(text)

    def sequences(self, texts: Sequence[str]) -> list[Ids]:
        """As `sequence`, of each text."""
        numbers, firsts, lasts = self._all.sequences(texts)
        ends = zip(firsts.tolist(), lasts.tolist(), strict=True)
        return [numbers[first:last] for first, last in ends]

    def counts(self, texts: Sequence[str]) -> csr_array:
        """How often each stem occurs in each text, stop words not counted: float64, a row a text."""
        return self._content.counts(texts)


def count_stems(
    texts: Sequence[str], language: str = "en", max_stems: int = MAX_STEMS
) -> tuple[list[str], csr_array]:
    """All stems of a collection, sorted, without stop words and single letters, and their counts: a row a text.

    Of more than `max_stems` those that occur in most texts are kept.
    """
    table = _UsedOnce((), language, grows=True, skipped=stop_words(language))
    counts = table.counts(texts)
    stems = np.array(table.stems, dtype=object)
    frequency = np.bincount(counts.indices, minlength=len(stems))
    wanted = np.flatnonzero(np.array([len(stem) > 1 for stem in stems], dtype=bool))
    wanted = wanted[np.argsort(-frequency[wanted], kind="stable")][:max_stems]
    kept: NDArray[np.int64] = wanted[np.argsort(stems[wanted])] if len(wanted) else wanted
    return stems[kept].tolist(), counts[:, kept]
