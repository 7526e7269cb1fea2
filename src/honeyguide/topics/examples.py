"""Examples: pages somebody has said something about, as text. Topic models are trained on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from honeyguide.model import Bools
from honeyguide.topics.counting import read_counts

if TYPE_CHECKING:
    from scipy.sparse import csr_array


@dataclass(frozen=True, slots=True)
class Example:
    """A page as plain text, already extracted; where it came from, if that is known."""

    text: str
    url: str = ""
    title: str = ""

    @property
    def readable(self) -> str:
        """What a topic model reads of it: title and text, as of a page in a crawl."""
        return f"{self.title}\n{self.text}" if self.title else self.text


@dataclass(frozen=True, slots=True, eq=False)
class CountedExamples:
    """What a trained topic keeps of its examples: how often each stem is on each, a row an example."""

    counts: csr_array
    is_relevant: Bools
    stems: Sequence[str]
    language: str

    def some(self, most: int) -> Self:
        """So many relevant ones, and twice as many others, drawn evenly."""
        kept = [
            own[np.unique(np.linspace(0, len(own) - 1, min(len(own), number)).astype(np.int64))]
            for own, number in (
                (np.flatnonzero(self.is_relevant), most),
                (np.flatnonzero(~self.is_relevant), 2 * most),
            )
            if len(own)
        ]
        rows = np.sort(np.concatenate(kept)) if kept else np.empty(0, dtype=np.int64)
        return type(self)(self.counts[rows], self.is_relevant[rows], self.stems, self.language)

    def columns_of(self, stems: Sequence[str]) -> csr_array:
        """The counts of these stems, in this order; a stem that none of the examples has is a column of nothing."""
        from scipy.sparse import csr_array  # slow to import

        number = {stem: column for column, stem in enumerate(stems)}
        columns = np.array([number.get(stem, len(stems)) for stem in self.stems], dtype=np.int64)
        shape = (self.counts.shape[0], len(stems) + 1)
        placed = columns[self.counts.indices]
        found = csr_array((self.counts.data, placed, self.counts.indptr), shape=shape, copy=True)
        found.sum_duplicates()
        return found[:, : len(stems)]

    def arrays(self) -> dict[str, NDArray[Any]]:
        """All there is to them but the stems, whose numbers these are."""
        return {
            "counts": self.counts.data.astype(np.int32),
            "count_terms": self.counts.indices.astype(np.int32),
            "count_starts": self.counts.indptr.astype(np.int64),
            "relevant": self.is_relevant,
        }

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]], stems: Sequence[str], language: str) -> Self:
        """The same again. Raises KeyError, TypeError or ValueError where they make no sense."""
        relevant = arrays["relevant"]
        if relevant.ndim != 1 or relevant.dtype.kind != "b":
            raise ValueError("it is not told of each whether it is relevant")
        return cls(read_counts(arrays, len(relevant), len(stems)), relevant.astype(np.bool_), stems, language)
