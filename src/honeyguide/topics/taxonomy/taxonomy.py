"""A taxonomy that can be changed: topics, their examples, and what was learned from them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import numpy as np

from honeyguide.errors import TopicError
from honeyguide.model import Floats, Ids
from honeyguide.topics.examples import Example
from honeyguide.topics.taxonomy.documents import Documents, replaced_rows
from honeyguide.topics.taxonomy.model import (
    Classifier,
    Learned,
    log_priors,
    own_counts,
    subtree_counts,
    subtree_sizes,
    train,
)
from honeyguide.topics.taxonomy.portrait import damped, portraits
from honeyguide.topics.taxonomy.tree import ROOT, TopicTree, clean_name
from honeyguide.topics.text import common_language

if TYPE_CHECKING:
    from scipy.sparse import csr_array

MAX_CELLS = 1_000_000
"""Probabilities computed at a time: documents times topics."""


@dataclass(frozen=True, slots=True)
class Training:
    """How topics are learned."""

    smoothing: float = 1.0  # Laplace's
    features: int = 2_000  # terms that tell the children of one topic apart
    portraits: bool = False  # learn the distinctive words of each topic alone, all topics equally likely
    words: float = 12.0  # evidence of a longer document is scaled down to that of so many words

    def __post_init__(self) -> None:
        if not (1e-6 <= self.smoothing < np.inf and self.features >= 1 and self.words > 0):
            raise TopicError(
                "smoothing (at least 0.000001), features and words of a taxonomy must be positive"
            )


class Taxonomy:
    """Topics are named by paths such as "Arts/Music", examples by their numbers.

    >>> tree = TopicTree()
    >>> places = [tree.place(["Bees"]), tree.place(["Trains"])]
    >>> taxonomy = Taxonomy.train(tree, [Example("honey hive bees"), Example("railway station steam")], places)
    >>> taxonomy.probabilities(taxonomy.counted(["a hive of honey"]))[0].round(2).tolist()
    [1.0, 0.8, 0.2]
    """

    def __init__(self, tree: TopicTree, documents: Documents, training: Training) -> None:
        self.tree = tree
        self.documents = documents
        self.training = training
        if len(documents) and not 0 <= documents.places.min() <= documents.places.max() < len(tree):
            raise TopicError("an example belongs to a topic that does not exist")
        self._train_all()

    @classmethod
    def train(
        cls,
        tree: TopicTree,
        examples: Sequence[Example],
        places: Sequence[int],
        training: Training | None = None,
        language: str = "",
    ) -> Self:
        """Learn from examples; `places` has the topic of each."""
        language = language or common_language(example.readable for example in examples) or "en"
        documents = Documents(language)
        documents.add(examples, places)
        return cls(tree, documents, training or Training())

    # --- learning

    def _train_all(self) -> None:
        from scipy.sparse import csr_array

        parents = np.array(self.tree.parents, dtype=np.int32)
        self._own = self._own_counts(np.arange(len(parents), dtype=np.int32))
        below = np.arange(1, len(parents), dtype=np.int32)
        empty = csr_array((len(parents), self._own.shape[1]))
        self._learned = Learned(empty, np.zeros(len(parents)), empty)
        self._learn(below, parents)

    def _train_again(self, changed: Iterable[int]) -> None:
        """After examples came or went: learn the topics on the way to the root, and their siblings, anew."""
        topics = np.unique(np.array(list(changed), dtype=np.int32))
        parents = np.array(self.tree.parents, dtype=np.int32)
        self._own = replaced_rows(self._own, topics, self._own_counts(topics))
        above = np.unique([above for topic in topics for above in self.tree.ancestors(topic)])
        self._learn(np.flatnonzero(np.isin(parents, above)).astype(np.int32), parents)

    def _own_counts(self, topics: Ids) -> csr_array:
        """What each of some topics has by its own examples, those of topics below it not counted."""
        if self.training.portraits:
            return portraits(self.documents, topics)
        return own_counts(self.documents.counts, self.documents.places, topics)

    def _learn(self, topics: Ids, parents: Ids) -> None:
        everyone = np.arange(len(parents), dtype=np.int32)
        counts = subtree_counts(self._own, everyone, parents, topics)
        smoothing = np.full(counts.shape[1], self.training.smoothing)
        learned = train(counts, parents[topics], smoothing, self.training.features)
        totals = self._learned.totals.copy()
        totals[topics] = learned.totals
        self._learned = Learned(
            replaced_rows(self._learned.weights, topics, learned.weights),
            totals,
            replaced_rows(self._learned.features, np.unique(parents[topics]), learned.features),
        )
        sizes = subtree_sizes(self.documents.places, parents)
        priors = log_priors(np.minimum(sizes, 1.0) if self.training.portraits else sizes, parents)
        self.classifier = Classifier(parents, self.tree.depths(), self._learned, priors)

    # --- judging

    def counted(self, texts: Sequence[str]) -> csr_array:
        """Known words of each text."""
        return self.documents.vocabulary.counts(texts)

    def probabilities(self, counts: csr_array, *, tempered: bool = True) -> Floats:
        """Pr[topic | text]: a row a text, a column a topic; those of children add up to their parent's."""
        words = self.training.words if tempered else np.inf
        if self.training.portraits:
            counts = damped(counts)
        step = max(1, MAX_CELLS // len(self.tree))
        logs = [
            self.classifier.log_probabilities(counts[start : start + step], words)
            for start in range(0, counts.shape[0], step)
        ]
        found: Floats = np.exp(np.concatenate([*logs, np.empty((0, len(self.tree)))]))
        return found

    def gains(self, counts: csr_array, topic: int) -> Floats:
        """What each term of one text adds to the logarithm of the odds of a topic, on the whole way from the root."""
        if self.training.portraits:
            counts = damped(counts)
        total = np.zeros(counts.nnz)
        for node in [topic, *self.tree.ancestors(topic)[:-1]]:
            total += self.classifier.gains(counts, node, self.training.words)
        return total

    # --- changing

    def add_topic(self, path: str) -> int:
        """Add a topic, and those above it that are missing."""
        names = [clean_name(name) for name in path.split("/")]
        if not all(names):
            raise TopicError(
                f"{path!r} is no path of a topic; write names with a slash between, as Arts/Music"
            )
        before = len(self.tree)
        node = self.tree.place(names)
        if len(self.tree) == before:
            raise TopicError(f"there is a topic {path!r} already")
        self._train_all()
        return node

    def rename_topic(self, path: str, name: str) -> None:
        """Give a topic another name."""
        self.tree.rename(self.tree.find(path), clean_name(name))

    def move_topic(self, path: str, below: str) -> None:
        """Put a topic with all it holds below another one."""
        self.tree.move(self.tree.find(path), self.tree.find(below))
        self._train_all()

    def remove_topic(self, path: str) -> None:
        """Take a topic out with all it holds: topics below it and examples."""
        numbers = self.tree.remove(self.tree.find(path))
        places = numbers[self.documents.places]
        self.documents.keep(places >= 0)
        self.documents.places = places[places >= 0]
        self._train_all()

    def mark_good(self, path: str) -> None:
        """Say that pages on this topic are wanted, with all below it."""
        self.tree.widen(self.tree.find(path))

    def unmark(self, path: str) -> None:
        """Take a good mark back."""
        self.tree.unmark(self.tree.find(path))

    def add_examples(self, path: str, examples: Sequence[Example]) -> Ids:
        """More examples of a topic; returns their numbers."""
        numbers = self.documents.add(examples, [self.tree.find(path)] * len(examples))
        self._train_all()  # the vocabulary has grown
        return numbers

    def examples_of(self, path: str) -> list[int]:
        """Numbers of the examples at or below a topic."""
        inside = np.array(sorted(self.tree.subtree(self.tree.find(path))))
        return np.flatnonzero(np.isin(self.documents.places, inside)).tolist()

    def move_examples(self, numbers: Iterable[int], path: str) -> None:
        """Put examples into another topic."""
        chosen = self._checked(numbers)
        node = self.tree.find(path)
        changed = {node, *self.documents.places[chosen].tolist()}
        self.documents.places[chosen] = node
        self._train_again(changed)

    def refine(self, path: str, parts: Mapping[str, Iterable[int]]) -> None:
        """Divide a topic: new topics below it, each with some of the examples."""
        node = self.tree.find(path)
        chosen = {name: self._checked(numbers) for name, numbers in parts.items()}
        inside = set(self.examples_of(path))
        for number in (number for numbers in chosen.values() for number in numbers.tolist()):
            if number not in inside:
                where = self.tree.path(int(self.documents.places[number]))
                raise TopicError(
                    f"example {number} belongs to {where!r}, not to {path!r}; move it there first"
                )
        for name, numbers in chosen.items():
            self.documents.places[numbers] = self.tree.add(clean_name(name), node)
        self._train_all()

    def remove_examples(self, numbers: Iterable[int]) -> None:
        """Forget some examples; those after them get new numbers."""
        is_kept = np.ones(len(self.documents), dtype=np.bool_)
        is_kept[self._checked(numbers)] = False
        self.documents.keep(is_kept)
        self._train_all()

    def _checked(self, numbers: Iterable[int]) -> Ids:
        chosen = np.array(list(numbers), dtype=np.int64)
        if len(chosen) and not 0 <= chosen.min() <= chosen.max() < len(self.documents):
            raise TopicError(f"there are examples 0 to {len(self.documents) - 1}, not {chosen.max()}")
        return chosen.astype(np.int32)


__all__ = ["ROOT", "Taxonomy", "Training"]
