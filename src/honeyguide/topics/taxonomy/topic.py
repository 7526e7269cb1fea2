"""The taxonomy as a topic: pages are relevant as far as they belong to the topics marked good."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from honeyguide.errors import TopicError
from honeyguide.model import Explanation, Floats, Part
from honeyguide.topics.base import Judgment, TopicModel, TopicParts
from honeyguide.topics.taxonomy.documents import Documents, packed, unpacked
from honeyguide.topics.taxonomy.taxonomy import Taxonomy, Training
from honeyguide.topics.taxonomy.tree import TopicTree

if TYPE_CHECKING:
    from scipy.sparse import csr_array

_SHOWN_WORDS = 12


class TaxonomyTopic(TopicModel):
    """Relevance = the sum of Pr[c|d] over good topics; accepted where the likeliest topic is good or below a good one.

    A text without a single known word is not relevant. `taxonomy` may be changed; the next text is judged by what it
    has become.
    """

    name: ClassVar[str] = "taxonomy"

    def __init__(self, taxonomy: Taxonomy) -> None:
        if not taxonomy.tree.good:
            raise TopicError("no topic of the taxonomy is marked good; mark those you want pages on")
        self.taxonomy = taxonomy

    def __reduce__(self) -> tuple[object, tuple[TopicParts]]:
        return type(self).from_parts, (self.parts(),)

    @property
    def judges_words(self) -> bool:
        """It counts them."""
        return True

    def judge(self, texts: Sequence[str]) -> Floats:
        """Relevance of each text."""
        return self.classify(texts).relevance

    def classify(self, texts: Sequence[str]) -> Judgment:
        """Relevance, whether it is accepted, and the path of the best leaf."""
        tree = self.taxonomy.tree
        counts = self.taxonomy.counted(texts)
        probabilities = self.taxonomy.probabilities(counts)
        relevance = self._relevance(counts, probabilities)
        leaves = self._best_leaves(probabilities)
        accepted = [tree.is_below_good(leaf) for leaf in leaves]
        return Judgment(
            relevance, np.array(accepted, dtype=np.bool_) & (relevance > 0), list(map(tree.path, leaves))
        )

    def _relevance(self, counts: csr_array, probabilities: Floats) -> Floats:
        good = probabilities[:, sorted(self.taxonomy.tree.good)].sum(axis=1)
        has_known_word = np.diff(counts.indptr) > 0
        relevance: Floats = np.where(has_known_word, np.minimum(good, 1.0), 0.0)
        return relevance

    def _best_leaves(self, probabilities: Floats) -> list[int]:
        parents = self.taxonomy.tree.parents
        leaves = np.setdiff1d(np.arange(len(parents)), parents)
        chosen: list[int] = leaves[probabilities[:, leaves].argmax(axis=1)].tolist()
        return chosen

    def explain(self, text: str) -> Explanation:
        """The best leaf, relevance with and without tempering, and the words for and against the nearest good topic."""
        tree = self.taxonomy.tree
        counts = self.taxonomy.counted([text])
        probabilities = self.taxonomy.probabilities(counts)
        relevance = self._relevance(counts, probabilities)[0]
        plain = self._relevance(counts, self.taxonomy.probabilities(counts, tempered=False))[0]
        leaf = self._best_leaves(probabilities)[0]
        nearest = max(sorted(tree.good), key=lambda node: probabilities[0, node])
        summary = (
            f"taxonomy: relevance {relevance:.3f} ({plain:.3f} if every word counted in full); best leaf "
            f"{tree.path(leaf)} with {probabilities[0, leaf]:.3f}; words for and against {tree.path(nearest)}"
        )
        return Explanation(summary, self._words(counts, nearest))

    def _words(self, counts: csr_array, topic: int) -> list[Part]:
        """What each word adds to the logarithm of the odds of a topic and those above it against their siblings."""
        stems, gains = self.taxonomy.documents.stems, self.taxonomy.gains(counts, topic)
        named = [
            Part(f"{stems[term]} x{count:.0f}", float(gain))
            for term, count, gain in zip(counts.indices, counts.data, gains, strict=True)
            if gain
        ]
        return sorted(named, key=lambda part: -abs(part.number))[:_SHOWN_WORDS]

    def parts(self) -> TopicParts:
        """The tree, the documents' counts, titles and urls, the good marks and the vocabulary."""
        tree, training = self.taxonomy.tree, self.taxonomy.training
        settings = {
            "language": self.taxonomy.documents.language,
            "smoothing": training.smoothing,
            "features": training.features,
            "portraits": training.portraits,
            "words": training.words,
        }
        arrays: dict[str, NDArray[Any]] = {
            "names": packed(tree.names),
            "parents": np.array(tree.parents, dtype=np.int32),
            "good": np.array(sorted(tree.good), dtype=np.int32),
            **self.taxonomy.documents.arrays(),
        }
        return TopicParts(settings, arrays)

    @classmethod
    def from_parts(cls, parts: TopicParts) -> Self:
        """The same taxonomy again; it can be changed and trained as before."""
        try:
            arrays, settings = parts.arrays, dict(parts.settings)
            if any(array.ndim != 1 or array.dtype.kind not in "iu" for array in arrays.values()):
                raise ValueError("an array does not consist of whole numbers")
            tree = TopicTree(unpacked(arrays["names"]), arrays["parents"].tolist(), arrays["good"].tolist())
            documents = Documents.from_arrays(arrays, str(settings.pop("language")))
            return cls(Taxonomy(tree, documents, Training(**settings)))
        except (KeyError, ValueError, TypeError, IndexError) as error:
            raise TopicError(f"the taxonomy is damaged: {error}; train it again") from None
