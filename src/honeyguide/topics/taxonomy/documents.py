"""The example documents of a taxonomy as arrays: term counts, topic, title and url of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from honeyguide.errors import TopicError
from honeyguide.model import Bools, Ids
from honeyguide.topics.counting import read_counts
from honeyguide.topics.examples import Example
from honeyguide.topics.text import MAX_STEMS, Vocabulary, count_stems

if TYPE_CHECKING:
    from scipy.sparse import csr_array

MAX_DOCUMENTS = 2_000_000
_BATCH = 2_000
_MAX_LINE = 4_000


class Documents:
    """Counts are kept instead of texts: enough to train again after any change."""

    def __init__(self, language: str = "en") -> None:
        from scipy.sparse import csr_array

        self.language = language
        self.stems: list[str] = []
        self.counts = csr_array((0, 0), dtype=np.float64)
        self.places: Ids = np.empty(0, dtype=np.int32)
        self.titles: list[str] = []
        self.urls: list[str] = []
        self._vocabulary: Vocabulary | None = None

    def __len__(self) -> int:
        return len(self.places)

    @property
    def vocabulary(self) -> Vocabulary:
        """The stems of all documents."""
        if self._vocabulary is None:
            self._vocabulary = Vocabulary(self.stems, self.language)
        return self._vocabulary

    def add(self, examples: Sequence[Example], places: Sequence[int]) -> Ids:
        """Take in examples with the topic of each; returns their numbers."""
        if len(self) + len(examples) > MAX_DOCUMENTS:
            raise TopicError(f"a taxonomy has at most {MAX_DOCUMENTS:,} examples; take fewer of each topic")
        first = len(self)
        for start in range(0, len(examples), _BATCH):
            self._add_counts(examples[start : start + _BATCH])
        self.places = np.concatenate([self.places, np.array(places, dtype=np.int32)])
        self.titles += [_one_line(example.title) for example in examples]
        self.urls += [_one_line(example.url) for example in examples]
        return np.arange(first, len(self), dtype=np.int32)

    def keep(self, is_kept: Bools) -> None:
        """Leave all other documents out, and the stems that they alone have."""
        counts = self.counts[np.flatnonzero(is_kept)]
        stems = np.unique(counts.indices)
        self.counts = counts[:, stems]
        self.stems, self._vocabulary = [self.stems[stem] for stem in stems], None
        self.places = self.places[is_kept]
        self.titles = [title for title, kept in zip(self.titles, is_kept, strict=True) if kept]
        self.urls = [url for url, kept in zip(self.urls, is_kept, strict=True) if kept]

    def _add_counts(self, examples: Sequence[Example]) -> None:
        from scipy.sparse import vstack

        self.counts = vstack([self.counts, self._counted(examples)], format="csr")
        if len(self.stems) > MAX_STEMS:
            frequency = np.bincount(self.counts.indices, minlength=len(self.stems))
            kept = np.sort(np.argsort(-frequency, kind="stable")[:MAX_STEMS])
            self.counts = self.counts[:, kept]
            self.stems = [self.stems[stem] for stem in kept]

    def _counted(self, examples: Sequence[Example]) -> csr_array:
        """Counts of some texts; stems that are new become further columns of all counts."""
        from scipy.sparse import csr_array

        stems, counts = count_stems([example.readable for example in examples], self.language)
        numbers = {stem: number for number, stem in enumerate(self.stems)}
        columns = np.array([numbers.setdefault(stem, len(numbers)) for stem in stems], dtype=np.int32)
        self.stems, self._vocabulary = list(numbers), None
        self.counts.resize((self.counts.shape[0], len(self.stems)))
        found = csr_array(
            (counts.data, columns[counts.indices], counts.indptr), shape=(len(examples), len(self.stems))
        )
        found.sort_indices()
        return found

    def arrays(self) -> dict[str, NDArray[Any]]:
        """All there is to the documents."""
        return {
            "places": self.places,
            "titles": packed(self.titles),
            "urls": packed(self.urls),
            "stems": packed(self.stems),
            "counts": self.counts.data.astype(np.int32),
            "count_terms": self.counts.indices.astype(np.int32),
            "count_starts": self.counts.indptr.astype(np.int64),
        }

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]], language: str) -> Self:
        """The same documents again."""
        documents = cls(language)
        documents.stems = unpacked(arrays["stems"])
        documents.titles = unpacked(arrays["titles"])
        documents.urls = unpacked(arrays["urls"])
        documents.places = arrays["places"].astype(np.int32)
        documents.counts = read_counts(arrays, len(documents), len(documents.stems))
        if not len(documents) == len(documents.titles) == len(documents.urls):
            raise ValueError("documents, titles and urls do not belong together")
        return documents


def replaced_rows(matrix: csr_array, rows: Ids, new: csr_array) -> csr_array:
    """The matrix with some rows exchanged; the new ones may be wider."""
    from scipy.sparse import vstack

    matrix.resize((matrix.shape[0], new.shape[1]))
    order = np.arange(matrix.shape[0])
    order[rows] = matrix.shape[0] + np.arange(len(rows))
    exchanged: csr_array = vstack([matrix, new], format="csr")[order]
    return exchanged


def packed(lines: Sequence[str]) -> NDArray[np.uint8]:
    """Strings without line breaks as bytes."""
    return np.frombuffer(
        "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogatepass"), dtype=np.uint8
    )


def unpacked(data: NDArray[Any]) -> list[str]:
    """The strings again."""
    return data.astype(np.uint8).tobytes().decode("utf-8", "surrogatepass").split("\n")[:-1]


def _one_line(text: str) -> str:
    return " ".join(text[:_MAX_LINE].split())
