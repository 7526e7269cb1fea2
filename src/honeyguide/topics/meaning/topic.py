"""A phrase by its words and by their meaning: pages are found that speak of it in words of their own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Self

import numpy as np

from honeyguide.errors import TopicError
from honeyguide.model import Explanation, Floats, Part
from honeyguide.topics.base import TopicModel, TopicParts
from honeyguide.topics.described import MAX_TEXT_CHARS
from honeyguide.topics.keywords import KeywordTopic
from honeyguide.topics.meaning.similarity import Similarity
from honeyguide.topics.parts import text_of

WORDS_SHARE = 0.35
"""Of relevance; the rest is meaning. Settled on the tuning phrases of the lab."""
MOST_SHOWN = 12
MAX_PATH_CHARS = 4_096


class MeaningTopic(TopicModel):
    """Relevance = .35 * that of the keyword topic + .65 * cosine of the text's mean vector with the phrase's.

    `folder` holds the table of vectors; without one it is that of the installed package.
    """

    name: ClassVar[str] = "meaning"
    relevant_above = 0.25

    def __init__(self, text: str, language: str = "", folder: str = "") -> None:
        self._keywords = KeywordTopic(text, language)
        self._folder = folder
        self._similarity = Similarity(text, self._keywords.language, folder)

    def __reduce__(self) -> tuple[type[MeaningTopic], tuple[str, str, str]]:
        return type(self), (self._keywords.text, self._keywords.language, self._folder)

    @property
    def words_asked(self) -> int:
        """As many as are looked for."""
        return self._keywords.words_asked

    def parts(self) -> TopicParts:
        """Its words, where its table is, and its vector, by which another table is told."""
        settings = {**self._keywords.parts().settings, "folder": self._folder}
        return TopicParts(settings, {"query": self._similarity.query})

    @classmethod
    def from_parts(cls, parts: TopicParts) -> Self:
        """Made again from its words, if the table is still the same."""
        text = text_of(parts.settings, "text", MAX_TEXT_CHARS)
        folder = text_of(parts.settings, "folder", MAX_PATH_CHARS)
        topic = cls(text, text_of(parts.settings, "language", 10), folder)
        query = topic._similarity.query
        if not np.array_equal(parts.arrays.get("query", ()), query):
            raise TopicError(
                f"the vectors {f'in {folder}' if folder else 'installed here'} are not those the topic was made with; "
                "put them back, or make the topic again with `honeyguide topic new FILE --words ... --meaning`"
            )
        return topic

    def judge(self, texts: Sequence[str]) -> Floats:
        """Words and meaning, by their shares."""
        meaning = np.clip(self._similarity.of(texts), 0.0, 1.0)
        return WORDS_SHARE * self._keywords.judge(texts) + (1.0 - WORDS_SHARE) * meaning

    def explain(self, text: str) -> Explanation:
        """The words asked for, and the words of the text that are nearest to them in meaning."""
        asked = self._keywords.explain(text)
        parts = [Part(f"word {part.label}", WORDS_SHARE * part.number) for part in asked.parts]
        meaning = float(self._similarity.of([text])[0])
        if meaning > 0:
            shares = self._similarity.shares(text)
            shown = [Part(f"near in meaning: {part.label}", part.number) for part in shares[:MOST_SHOWN]]
            rest = meaning - sum(part.number for part in shown)
            shown.append(Part(f"near in meaning: {max(0, len(shares) - MOST_SHOWN)} other words", rest))
            parts += [Part(part.label, (1.0 - WORDS_SHARE) * part.number) for part in shown]
        parts.sort(key=lambda part: -part.number)
        total = float(self.judge([text])[0])
        return Explanation(
            f"meaning: {total:.3f}; words: {asked.summary}; cosine of meaning {meaning:.3f}", parts
        )
