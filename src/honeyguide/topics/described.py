"""Topics that are words and their language, and nothing else: all that is learned is learned from these again."""

from __future__ import annotations

from abc import abstractmethod
from typing import Self

from honeyguide.errors import TopicError
from honeyguide.topics.base import TopicModel, TopicParts
from honeyguide.topics.parts import text_of

MAX_TEXT_CHARS = 1_000_000


class DescribedTopic(TopicModel):
    """Made of a phrase or a paragraph in a language; kept, and sent to other processes, as these two."""

    text: str
    language: str

    @abstractmethod
    def __init__(self, text: str, language: str = "") -> None: ...

    def __reduce__(self) -> tuple[type[Self], tuple[str, str]]:
        return type(self), (self.text, self.language)

    def parts(self) -> TopicParts:
        """Its words and their language."""
        return TopicParts({"text": self.text, "language": self.language})

    @classmethod
    def from_parts(cls, parts: TopicParts) -> Self:
        """Made again from its words."""
        return cls(text_of(parts.settings, "text", MAX_TEXT_CHARS), text_of(parts.settings, "language", 10))

    def _says_nothing(self, in_quotes: str = "") -> TopicError:
        remedy = f", or put it in quotes to have it looked for as it is: {in_quotes!r}" if in_quotes else ""
        return TopicError(
            f"the topic {self.text[:200]!r} has no distinctive word; give some words that pages on it use{remedy}"
        )
