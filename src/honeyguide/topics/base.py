"""The interface of a topic model, which says how relevant a text is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

from numpy.typing import NDArray

from honeyguide.errors import TopicError
from honeyguide.model import Bools, Explanation, Floats
from honeyguide.topics.examples import CountedExamples


@dataclass(frozen=True, slots=True)
class Judgment:
    """What a topic model says of a batch of texts."""

    relevance: Floats
    accepted: Bools  # whether links of such a page are worth following at all
    classes: Sequence[str] = ()  # where in a taxonomy each text belongs; empty for models without classes


@dataclass(frozen=True, slots=True)
class TopicParts:
    """All there is to a topic, as plain data: what its file holds, and what another process gets to see."""

    settings: Mapping[str, Any]  # JSON: strings, numbers, booleans, lists and mappings of them
    arrays: Mapping[str, NDArray[Any]] = field(default_factory=dict)


class TopicModel(ABC):
    """Judges texts in batches: whole pages, or the words around a link. Constructor keywords are its configuration.

    A model can be pickled: in a live crawl pages are judged in a process of their own.
    """

    name: ClassVar[str]
    relevant_above: float = 0.5  # relevance from which a page counts as relevant in harvest rates

    @property
    def judges_words(self) -> bool:
        """Whether it looks at nothing but words as `StemTable` finds them: `Worded` texts get the same numbers."""
        return False

    @property
    def examples(self) -> CountedExamples | None:
        """The pages it was learned from, for revisions to learn from as well; None if there are none, or not kept."""
        return None

    @property
    def words_asked(self) -> int:
        """How many words are all it has: it gains by what the pages it is surest of have in common. 0: it has more."""
        return 0

    @property
    def least_sure_at(self) -> float:
        """The relevance of pages that would teach it most."""
        return self.relevant_above

    @abstractmethod
    def judge(self, texts: Sequence[str]) -> Floats:
        """Relevance of each text, 0 to 1. The same text always gets the same number."""

    def classify(self, texts: Sequence[str]) -> Judgment:
        """Relevance, and what is accepted: by default what counts as relevant."""
        relevance = self.judge(texts)
        return Judgment(relevance, relevance >= self.relevant_above)

    @abstractmethod
    def explain(self, text: str) -> Explanation:
        """Which words or topics made the relevance what it is."""

    def parts(self) -> TopicParts:
        """All there is to it, to be written to a topic file."""
        raise TopicError(f"a topic of the kind {self.name!r} cannot be written to a file")

    @classmethod
    def from_parts(cls, parts: TopicParts) -> Self:
        """The same topic again; parts that make no sense are refused with a `TopicError`."""
        raise TopicError(f"a topic of the kind {cls.name!r} cannot be read from a file")
