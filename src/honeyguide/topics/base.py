"""The interface of a topic model, which says how relevant a text is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from honeyguide.model import Explanation, Floats


class TopicModel(ABC):
    """Judges texts in batches: whole pages, or the words around a link. Constructor keywords are its configuration.

    A model can be pickled: in a live crawl pages are judged in a process of their own.
    """

    name: ClassVar[str]
    relevant_above: ClassVar[float] = 0.5  # relevance from which a page counts as relevant in harvest rates

    @abstractmethod
    def judge(self, texts: Sequence[str]) -> Floats:
        """Relevance of each text, 0 to 1. The same text always gets the same number."""

    @abstractmethod
    def explain(self, text: str) -> Explanation:
        """Which words or topics made the relevance what it is."""
