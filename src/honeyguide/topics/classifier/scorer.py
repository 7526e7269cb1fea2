"""The interface of the models a classifier topic is made of: a score for each text, and what it owes to each stem."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Self

from numpy.typing import NDArray

from honeyguide.errors import TopicError
from honeyguide.model import Bools, Floats

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Arrays = Mapping[str, NDArray[Any]]


class Scorer(ABC):
    """Trained once, with scikit-learn where it serves; scores with numpy alone. Greater is more relevant."""

    name: ClassVar[str]
    best_stems: ClassVar[int] = 2_000  # that it looks at, unless told otherwise

    @classmethod
    @abstractmethod
    def fit(cls, vectors: csr_array, is_positive: Bools, seed: int) -> Self:
        """Learn from examples."""

    @abstractmethod
    def scores(self, vectors: csr_array) -> Floats:
        """A number for each row."""

    @abstractmethod
    def shares(self, vector: csr_array) -> Floats:
        """What the score of a single row owes to each of its entries."""

    @abstractmethod
    def arrays(self) -> dict[str, NDArray[Any]]:
        """All there is to it."""

    @classmethod
    @abstractmethod
    def from_arrays(cls, arrays: Arrays, stems: int) -> Self:
        """The same again; arrays of another shape than `stems` demands are refused with a `TopicError`."""


def missing_scikit_learn() -> TopicError:
    """What to say when training is asked for without the package it takes."""
    return TopicError('training takes scikit-learn; install it with `pip install "honeyguide[topics]"`')
