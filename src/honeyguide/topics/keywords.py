"""Keyword topic: how much of what a phrase asks for a text has."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Container, Iterator, Sequence
from typing import ClassVar

import numpy as np

from honeyguide.model import Explanation, Floats, Ids, Part, Passages, Places
from honeyguide.topics.described import DescribedTopic
from honeyguide.topics.names import QUOTES, Names
from honeyguide.topics.phrase import Asked, read_phrase
from honeyguide.topics.phrase_language import language_code, phrase_language
from honeyguide.topics.rarity import RARITY_OF_DIGIT, rarity_of_stem
from honeyguide.topics.text import StemTable, stem_words, words_of
from honeyguide.topics.word_family import family, singular, with_irregular_plurals

# How often a word must occur to count half: more often in a long text, and in one too short to be about anything.
HALF, LONG_SHARE, USUAL_WORDS, SHORT_WORDS = 1.5, 0.75, 500, 5
EARLY, EARLY_TIMES = 20, 3.0
"""The title and the first words of a text say best what it is about: each counts as three."""
RELATED = 0.4
"""What another form of a word counts: to cook, or a cook, is not quite cooking."""
MOST_RELATED = 3.0
"""What other forms count together, beyond what the word itself does: without it they may be a name, such as Cook."""
RARITY_OF_LETTER = 2.3
"""Of a name such as C, which also is an initial: as if every tenth page had it."""
ALL_OF = 4
"""A phrase means all of its words; of more words, as a paragraph has them, a text need not have them all."""
FEW, ABOVE_OF_SEVERAL = 2, 0.4
"""Of more than a few words, but still a phrase, any text is soon to have some: only from here on it is relevant."""


class KeywordTopic(DescribedTopic):
    """Relevance = 1 - (sum over words of w * (1 - s)^1.5)^(2/3): a text with all words beats one full of a single word.

    Of a word that occurs n times in a text of L words, s = n / (n + 1.5 * (1/4 + 3/4 * L/500 + 5/L)); its weight w
    grows with its rarity in a frozen background. With more than four words relevance r is raised to
    1 - (1 - r)^(words/4); relevant is what has 0.3, of three or four words 0.4. Phrases in quotes are found word by
    word, -word is for what is not meant. The language is detected unless given, and English when nobody can tell.

    >>> topic = KeywordTopic("beekeeping, honey bees")
    >>> near, far = topic.judge(["Bees make honey; a keeper of bees tends hives.", "The railway opened in 1850."])
    >>> bool(near > 0.3), float(far)
    (True, 0.0)
    """

    name: ClassVar[str] = "keywords"
    relevant_above = 0.3  # unless it has several words

    def __init__(self, text: str, language: str = "") -> None:
        self.text = text
        self.language = language_code(language) or phrase_language(text)
        self._names = Names(text, self.language)
        asked = Counter(read_phrase(text, self.language, self._names))
        self._meant = [one for one in asked if one.is_meant]
        self._asked = [*self._meant, *(one for one in asked if not one.is_meant)]
        self._table = _FormTable([word for one in self._asked for word in one.words], self.language)
        rarity = [self._rarity(one) * (1.0 + math.log(asked[one])) for one in self._meant]
        self._weights = np.sqrt(rarity)
        if not self._weights.sum() > 0:
            raise self._says_nothing(_in_quotes(text))
        self._weights /= self._weights.sum()
        if FEW < len(self._meant) <= ALL_OF:
            self.relevant_above = ABOVE_OF_SEVERAL

    def _rarity(self, asked: Asked) -> float:
        if self._names.short.keys() >= {*asked.words}:
            is_digit = self._names.short[asked.words[0]].isdigit()
            return RARITY_OF_DIGIT if is_digit else RARITY_OF_LETTER
        rarity = max(
            rarity_of_stem(stem, self.language) for stem in stem_words([*asked.words], self.language)
        )
        return rarity or RARITY_OF_LETTER  # small words in quotes

    @property
    def weights(self) -> dict[str, float]:
        """What each word or phrase counts, together 1; what is not meant is left out."""
        return dict(zip(map(self._label, self._meant), self._weights.tolist(), strict=True))

    @property
    def words_asked(self) -> int:
        """Things asked for: what is in quotes is one."""
        return len(self._meant)

    @property
    def judges_words(self) -> bool:
        """Unless names such as C++ are asked for."""
        return not self._names

    def judge(self, texts: Sequence[str]) -> Floats:
        """How much of the phrase each text has."""
        numbers, firsts, lasts = self._table.sequences(self._spelled(texts))
        # Most words around links have nothing to do with the topic; then nothing need be weighed.
        of_topic = np.concatenate(([0], np.cumsum(numbers >= 0)))
        near = np.flatnonzero(of_topic[lasts] > of_topic[firsts])
        relevance = np.zeros(len(texts))
        if len(near):
            satisfied = self._satisfied(numbers, firsts[near], lasts[near])
            relevance[near] = self._relevance(satisfied) * self._allowed(satisfied)
        return relevance

    def _spelled(self, texts: Sequence[str]) -> Sequence[str]:
        if not self._names:
            return texts
        if isinstance(texts, Passages):
            return Passages([self._names.spelled(text) for text in texts.texts], texts.starts, texts.ends)
        return [self._names.spelled(text) for text in texts]

    def _satisfied(self, numbers: Ids, firsts: Places, lasts: Places) -> Floats:
        """How much each text, a column, has of each thing asked for, a row: 0 to 1."""
        lengths = lasts - firsts
        half = HALF * (1 - LONG_SHARE + LONG_SHARE * lengths / USUAL_WORDS + SHORT_WORDS / lengths)
        times = np.array([self._times(one, numbers, firsts, lasts)[0] for one in self._asked])
        return times / (times + half)

    def _times(self, asked: Asked, numbers: Ids, firsts: Places, lasts: Places) -> tuple[Floats, Places]:
        """How often something asked for occurs in each text, by what each place counts; and simply counted."""
        weighed, counted = np.zeros(len(firsts)), np.zeros(len(firsts), dtype=np.int64)
        ends = np.maximum(lasts - len(asked.words) + 1, firsts)
        for is_own, places in self._table.places(asked.words, numbers):
            before = np.searchsorted(places, firsts)
            found = np.searchsorted(places, ends) - before
            early = np.searchsorted(places, np.minimum(firsts + EARLY, ends)) - before
            times = found + (EARLY_TIMES - 1) * early
            weighed += times if is_own else np.minimum(RELATED * times, MOST_RELATED + weighed)
            counted += found
        return weighed, counted

    def _relevance(self, satisfied: Floats) -> Floats:
        """Of each text, whatever else it has that is not meant."""
        lacking = 1.0 - satisfied[: len(self._meant)]
        # Added one after the other, lest a number depend on how many texts there are.
        sums = np.cumsum(self._weights[:, None] * lacking * np.sqrt(lacking), axis=0)[-1]
        lack = np.cbrt(np.minimum(sums, 1.0) ** 2)
        if len(self._meant) > ALL_OF:
            lack = np.array([one ** (len(self._meant) / ALL_OF) for one in lack.tolist()])
        relevance: Floats = 1.0 - lack
        return relevance

    def _allowed(self, satisfied: Floats) -> Floats:
        """The share of its relevance that each text keeps for what it has of words that are not meant."""
        allowed: Floats = np.multiply.reduce(1.0 - satisfied[len(self._meant) :], axis=0)
        return allowed

    def explain(self, text: str) -> Explanation:
        """The words found in the text, by their share of the relevance, and what words that are not meant take away."""
        numbers = self._table.sequence(self._names.spelled(text))
        firsts, lasts = np.array([0]), np.array([max(1, len(numbers))])
        satisfied = self._satisfied(numbers, firsts, lasts)
        counts = [int(self._times(one, numbers, firsts, lasts)[1][0]) for one in self._asked]
        labels = [f"{self._label(one)} x{count}" for one, count in zip(self._asked, counts, strict=True)]
        full, allowed = self._relevance(satisfied)[0], self._allowed(satisfied)[0]
        shares = self._weights * satisfied[: len(self._meant), 0]
        shares *= full / (shares.sum() or 1.0)
        parts = [Part(label, share) for label, share in zip(labels, shares.tolist(), strict=False) if share]
        parts.sort(key=lambda part: -part.number)
        found = f"{len(parts)} of its {len(self._meant)} words or phrases occur"
        if allowed < 1:
            unwanted = [
                label for label, count in list(zip(labels, counts, strict=True))[len(shares) :] if count
            ]
            parts.append(Part(f"not meant: {', '.join(unwanted)}", float(full * (allowed - 1.0))))
        return Explanation(f"keywords: {full * allowed:.3f}; {found}", parts)

    def _label(self, asked: Asked) -> str:
        words = [self._names.written(word) for word in asked.words]
        return words[0] if len(words) == 1 else f'"{" ".join(words)}"'


def _in_quotes(text: str) -> str:
    """How to have small words and letters looked for all the same; nothing if that would not help."""
    return f'"{text[:200]}"' if words_of(text) and '"' not in text.translate(QUOTES) else ""


class _FormTable(StemTable):
    """From word to twice the number of a word of the topic, and one more if it is another form of the topic's word."""

    def __init__(self, words: Sequence[str], language: str) -> None:
        self._number_of_form: dict[str, int] = {}
        keys = self._learn_forms(words) if language == "en" else stem_words([*words], language)
        super().__init__(dict.fromkeys(keys), language, grows=False, skipped=frozenset())
        self._number_of_word = {
            word: self._number_of_stem[key] for word, key in zip(words, keys, strict=True)
        }
        self._stems_of_forms = frozenset(stem_words(with_irregular_plurals(self._number_of_form)))

    def _learn_forms(self, words: Sequence[str]) -> list[str]:
        """What each English word counts as, a singular: the stem of universe is that of university, too."""
        key_of_form: dict[str, str] = {}
        for one in map(singular, words):
            key = key_of_form.setdefault(one, one)
            for form in family(one):
                key_of_form.setdefault(form, key)
        keys = [key_of_form[singular(word)] for word in words]
        numbers = {key: number for number, key in enumerate(dict.fromkeys(keys))}
        own = {singular(word) for word in words}
        self._number_of_form = {
            form: 2 * numbers[key] + (form not in own) for form, key in key_of_form.items()
        }
        return keys

    def _number(self, word: str, stem: str) -> int:
        if self._number_of_form:
            return self._number_of_form.get(singular(word), -1)
        number = self._number_of_stem.get(stem, -1)
        return 2 * number if number >= 0 else -1

    def _countable(self) -> Container[str]:
        return self._stems_of_forms if self._number_of_form else self._number_of_stem

    def places(self, words: Sequence[str], numbers: Ids) -> Iterator[tuple[bool, Places]]:
        """Where a word stands in a text, or several side by side, and then where other forms of a word do."""
        first, *others = (self._number_of_word[word] for word in words)
        if not others:
            yield True, np.flatnonzero(numbers == 2 * first)
            yield False, np.flatnonzero(numbers == 2 * first + 1)
            return
        starts = np.flatnonzero(numbers[: len(numbers) - len(others)] >> 1 == first)
        for offset, other in enumerate(others, start=1):
            starts = starts[numbers[starts + offset] >> 1 == other]
        yield True, starts
