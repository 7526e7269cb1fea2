"""Fitting of features and models to counted examples, and cross-validation. Called by training."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from honeyguide.model import Bools, Floats
from honeyguide.topics.classifier.features import choose_stems, weigh
from honeyguide.topics.classifier.scorer import Scorer

if TYPE_CHECKING:
    from scipy.sparse import csr_array

FOLDS = 5


@dataclass(frozen=True)
class Fit:
    """Models, and what they look at: columns of the counts with their idf, the selected ones first."""

    columns: NDArray[np.int64]
    idf: Floats
    scorers: Sequence[Scorer]
    vectors: csr_array  # of the examples


@dataclass(frozen=True)
class Recipe:
    """How to fit."""

    scorers: Sequence[type[Scorer]]
    best_stems: int
    weighting: str
    seed: int

    def fit(self, counts: csr_array, is_positive: Bools) -> Fit:
        """Choose stems by these examples and fit each model to them."""
        columns, idf = choose_stems(counts, is_positive, self.best_stems, self.weighting)
        vectors = self._vectors(counts, columns, idf)
        return Fit(
            columns, idf, [scorer.fit(vectors, is_positive, self.seed) for scorer in self.scorers], vectors
        )

    def unseen_scores(self, counts: csr_array, is_positive: Bools) -> Floats:
        """Scores of each example by models fitted without it, stems chosen without it: a row a model."""
        folds = self._folds(is_positive)
        scores = np.zeros((len(self.scorers), len(is_positive)))
        for fold in range(folds.max() + 1):
            held_out = folds == fold
            fit = self.fit(counts[~held_out], is_positive[~held_out])
            vectors = self._vectors(counts[held_out], fit.columns, fit.idf)
            scores[:, held_out] = [scorer.scores(vectors) for scorer in fit.scorers]
        return scores

    def _vectors(self, counts: csr_array, columns: NDArray[np.int64], idf: Floats) -> csr_array:
        return weigh(counts[:, columns], idf, min(self.best_stems, len(columns)), self.weighting)

    def _folds(self, is_positive: Bools) -> NDArray[np.int64]:
        """A fold for each example; every fold has its share of both classes."""
        dice = np.random.default_rng(self.seed)
        folds = np.zeros(len(is_positive), dtype=np.int64)
        number = min(FOLDS, int(is_positive.sum()), int((~is_positive).sum()))
        for own in (is_positive, ~is_positive):
            folds[own] = dice.permutation(int(own.sum())) % number
        return folds
