"""A table of vectors for pieces of words, from a folder in the format of wordllama or model2vec. Nothing is downloaded.

`tokenizers` and `safetensors` are only imported when a table is read: without the extra everything else works.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from honeyguide.errors import TopicError

if TYPE_CHECKING:
    from tokenizers import Tokenizer

PACKAGE = "wordllama"
LARGEST = 1_024
"""Vectors are rounded to whole numbers up to this: then sums of float32 are exact, in whatever order they are added."""

_TABLES = ("model.safetensors", "weights/*.safetensors")
_TOKENIZERS = ("tokenizer.json", "tokenizers/*.json")
_TENSORS = ("embeddings", "embedding.weight")
_REMEDY = 'install the extra with `pip install "honeyguide[meaning]"`'

Vectors = NDArray[np.float32]


class PieceTable:
    """Vectors of the pieces that words are made of."""

    def __init__(self, tokenizer: Tokenizer, vectors: NDArray[np.float32]) -> None:
        self._tokenizer = tokenizer
        largest = float(np.abs(vectors).max(initial=0.0)) or 1.0
        self._vectors = vectors * np.float32(LARGEST / largest)
        self.width = vectors.shape[1]

    def of_words(self, words: Sequence[str]) -> Vectors:
        """The sum of the pieces of each word, in whole numbers: a row a word, zero where no piece is known."""
        pieces = [one.ids for one in self._tokenizer.encode_batch([*words], add_special_tokens=False)]
        vectors = np.zeros((len(pieces), self.width), dtype=np.float32)
        for row, own in zip(vectors, pieces, strict=True):
            known = [piece for piece in own if piece < len(self._vectors)]
            row[:] = self._vectors[known].sum(axis=0)
        return np.clip(np.rint(vectors), -LARGEST, LARGEST)


@lru_cache(maxsize=2)
def read_table(folder: str = "") -> PieceTable:
    """The table in a folder, or the one that the installed package brings."""
    place = Path(folder) if folder else _installed()
    try:
        from safetensors.numpy import load_file
        from tokenizers import Tokenizer
    except ImportError as error:
        raise TopicError(
            f"to judge by meaning takes {error.name}, which is not installed; {_REMEDY}"
        ) from error
    try:
        tensors = load_file(_only(place, _TABLES))
        tokenizer = Tokenizer.from_file(str(_only(place, _TOKENIZERS)))
    except TopicError:
        raise
    except Exception as error:  # over foreign or damaged files both packages raise classes of their own
        raise TopicError(f"{place}: the table of vectors cannot be read: {str(error)[:200]}") from error
    vectors = next((tensors[name] for name in _TENSORS if name in tensors), None)
    if vectors is None or vectors.ndim != 2 or set(tensors) - set(_TENSORS):
        raise TopicError(
            f"{place}: no table of one vector for each piece ({' or '.join(_TENSORS)}); it holds {', '.join(tensors)}"
        )
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return PieceTable(tokenizer, vectors.astype(np.float32))


def _installed() -> Path:
    spec = find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise TopicError(
            f"to judge by meaning takes the vectors of {PACKAGE}, which is not installed; {_REMEDY}"
        )
    return Path(next(iter(spec.submodule_search_locations)))


def _only(folder: Path, patterns: Sequence[str]) -> Path:
    found = [path for pattern in patterns for path in sorted(folder.glob(pattern))]
    if not found:
        raise TopicError(
            f"{folder}: there is no {patterns[0]} in it; give the folder of a table in the format of wordllama "
            "or model2vec"
        )
    return found[0]
