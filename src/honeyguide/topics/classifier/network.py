"""A network of three layers: the stems, four hidden nodes, one output; trained by gradient descent."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from honeyguide.model import Bools, Floats
from honeyguide.topics.classifier.calibration import sigmoid
from honeyguide.topics.classifier.scorer import Arrays, Scorer, missing_scikit_learn
from honeyguide.topics.parts import array_of

if TYPE_CHECKING:
    from scipy.sparse import csr_array

HIDDEN = 4
LEARNING_RATE = 0.3
MAX_EPOCHS = 500
PATIENCE = 20
LEAST_GAIN = 1e-3
"""Training ends after PATIENCE epochs in which the error on the examples fell by less."""
BATCH = 8


@dataclass(frozen=True)
class Network(Scorer):
    """Score = the output before its sigmoid: the log odds of the topic.

    As published it stopped by the accuracy on 30 % of the examples set aside. With the few examples of a topic that
    accuracy does not move in the first epochs, while every page still gets the same score, and training ended there:
    in some folds of cross-validation, or in the model that was kept, and the figures of one said nothing of the other.
    """

    name: ClassVar[str] = "network"
    hidden_weights: Floats
    hidden_bias: Floats
    weights: Floats
    bias: float

    @classmethod
    def fit(cls, vectors: csr_array, is_positive: Bools, seed: int) -> Self:
        """Descend until the error falls no more."""
        try:
            from sklearn.exceptions import ConvergenceWarning
            from sklearn.neural_network import MLPClassifier
        except ImportError as error:
            raise missing_scikit_learn() from error
        network = MLPClassifier(
            (HIDDEN,),
            activation="logistic",
            solver="sgd",
            learning_rate_init=LEARNING_RATE,
            max_iter=MAX_EPOCHS,
            n_iter_no_change=PATIENCE,
            tol=LEAST_GAIN,
            batch_size=min(BATCH, vectors.shape[0]),
            random_state=seed,
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)  # the number of epochs is the limit we set
            network.fit(vectors, is_positive)
        (hidden_weights, weights), (hidden_bias, bias) = network.coefs_, network.intercepts_
        return cls(hidden_weights, hidden_bias, weights[:, 0], float(bias[0]))

    def scores(self, vectors: csr_array) -> Floats:
        """Log odds of the topic."""
        return self._output(vectors @ self.hidden_weights)

    def _output(self, hidden: Floats) -> Floats:
        active = sigmoid(hidden + self.hidden_bias)
        # Not by BLAS, whose rounding depends on how many rows there are.
        output: Floats = (active * self.weights).sum(axis=1) + self.bias
        return output

    def shares(self, vector: csr_array) -> Floats:
        """What the score would lose without the stem; the network is not linear, so they need not add up."""
        hidden = vector @ self.hidden_weights
        without = hidden - vector.data[:, None] * self.hidden_weights[vector.indices]
        return self._output(hidden) - self._output(without)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Weights and biases of both layers."""
        return {
            "hidden_weights": self.hidden_weights,
            "hidden_bias": self.hidden_bias,
            "weights": self.weights,
            "bias": np.array([self.bias]),
        }

    @classmethod
    def from_arrays(cls, arrays: Arrays, stems: int) -> Self:
        """The network again."""
        return cls(
            array_of(arrays, "hidden_weights", (stems, HIDDEN)),
            array_of(arrays, "hidden_bias", (HIDDEN,)),
            array_of(arrays, "weights", (HIDDEN,)),
            float(array_of(arrays, "bias", (1,))[0]),
        )
