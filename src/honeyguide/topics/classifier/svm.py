"""Linear support vector machine: the distance from the plane that parts the examples with the widest margin."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from honeyguide.model import Bools, Floats
from honeyguide.topics.classifier.scorer import Arrays, Scorer, missing_scikit_learn
from honeyguide.topics.parts import array_of
from honeyguide.topics.text import MAX_STEMS

if TYPE_CHECKING:
    from scipy.sparse import csr_array

PENALTY = 0.3
"""Of examples on the wrong side; from 0.1 to 3 it makes little difference."""


@dataclass(frozen=True)
class Svm(Scorer):
    """Score = weights . vector + bias."""

    name: ClassVar[str] = "svm"
    best_stems: ClassVar[int] = MAX_STEMS  # all: a plane gives the better ones more weight by itself
    weights: Floats
    bias: float

    @classmethod
    def fit(cls, vectors: csr_array, is_positive: Bools, seed: int) -> Self:
        """Learn the plane."""
        try:
            from sklearn.svm import LinearSVC
        except ImportError as error:
            raise missing_scikit_learn() from error
        machine = LinearSVC(C=PENALTY, random_state=seed, max_iter=20_000).fit(vectors, is_positive)
        return cls(machine.coef_[0].astype(np.float64), float(machine.intercept_[0]))

    def scores(self, vectors: csr_array) -> Floats:
        """Distances, positive on the side of the topic."""
        distances: Floats = vectors @ self.weights + self.bias
        return distances

    def shares(self, vector: csr_array) -> Floats:
        """The terms of the sum."""
        terms: Floats = vector.data * self.weights[vector.indices]
        return terms

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The plane."""
        return {"weights": self.weights, "bias": np.array([self.bias])}

    @classmethod
    def from_arrays(cls, arrays: Arrays, stems: int) -> Self:
        """The plane again."""
        return cls(array_of(arrays, "weights", (stems,)), float(array_of(arrays, "bias", (1,))[0]))
