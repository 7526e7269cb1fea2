"""Naive Bayes with kernel densities: how likely each stem's weight is on the topic and off it, told from the examples.

The density of a stem's weight in a class is the mean of Gaussians around the weights it has in the examples of that
class, `1 / sqrt(examples)` of the stem's range wide. It is tabulated once; scoring looks it up.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from honeyguide.model import Bools, Floats
from honeyguide.topics.classifier.features import rows_of
from honeyguide.topics.classifier.scorer import Arrays, Scorer
from honeyguide.topics.parts import array_of

if TYPE_CHECKING:
    from scipy.sparse import csr_array

STEPS = 32
"""Of the table, from weight 0 to the greatest of the examples; linear in between."""
LEAST_DENSITY = 1e-3
"""A weight that no example comes near is no proof."""
FEW_STEMS = 10.0


@dataclass(frozen=True)
class NaiveBayes(Scorer):
    """Score = sum of log odds of the stems that occur, over the root of their number.

    Stems are not independent as the method assumes; undivided, the odds of a long page are always extreme.
    """

    name: ClassVar[str] = "naive-bayes"
    greatest: Floats  # weight of each stem in the examples
    log_odds: Floats  # a row a stem, a column a step, less those of its absence

    @classmethod
    def fit(cls, vectors: csr_array, is_positive: Bools, seed: int) -> Self:
        """Tabulate the densities."""
        greatest = vectors.max(axis=0).toarray().ravel()
        greatest[greatest <= 0] = 1.0
        on_topic, off_topic = (
            _log_densities(vectors[rows], greatest) for rows in (is_positive, ~is_positive)
        )
        log_odds = on_topic - off_topic
        return cls(greatest, log_odds - log_odds[:, :1])

    def scores(self, vectors: csr_array) -> Floats:
        """Tempered log odds of the topic."""
        stems_in_text = np.diff(vectors.indptr)
        sums = np.bincount(rows_of(vectors), self._odds(vectors), minlength=vectors.shape[0])
        tempered: Floats = sums / np.sqrt(stems_in_text + FEW_STEMS)
        return tempered

    def shares(self, vector: csr_array) -> Floats:
        """The terms of the sum."""
        terms: Floats = self._odds(vector) / np.sqrt(vector.nnz + FEW_STEMS)
        return terms

    def _odds(self, vectors: csr_array) -> Floats:
        stems = vectors.indices
        places = np.minimum(vectors.data / self.greatest[stems], 1.0) * STEPS
        steps = np.minimum(places.astype(np.int64), STEPS - 1)
        beyond = places - steps
        odds: Floats = self.log_odds[stems, steps] * (1.0 - beyond) + self.log_odds[stems, steps + 1] * beyond
        return odds

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The table."""
        return {"greatest": self.greatest, "log_odds": self.log_odds}

    @classmethod
    def from_arrays(cls, arrays: Arrays, stems: int) -> Self:
        """The table again."""
        greatest = array_of(arrays, "greatest", (stems,))
        return cls(np.where(greatest > 0, greatest, 1.0), array_of(arrays, "log_odds", (stems, STEPS + 1)))


def _log_densities(vectors: csr_array, greatest: Floats) -> Floats:
    """Of each stem at each step; most weights are 0, so only the others are gone through."""
    examples, stems = vectors.shape
    width = 1.0 / np.sqrt(examples)
    steps = np.linspace(0.0, 1.0, STEPS + 1)
    without = examples - np.bincount(vectors.indices, minlength=stems)
    sums = without[:, None] * np.exp(-0.5 * (steps / width) ** 2)
    places = vectors.data / greatest[vectors.indices]
    for number, step in enumerate(steps):
        near = np.exp(-0.5 * ((step - places) / width) ** 2)
        sums[:, number] += np.bincount(vectors.indices, near, minlength=stems)
    densities: Floats = np.log(sums / (examples * width) + LEAST_DENSITY)
    return densities
