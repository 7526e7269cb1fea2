"""A latent space of words and links: pages are documents with words, and also terms of what they link to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from honeyguide.graph.latent import Factors, append_columns, fold_in, fold_in_rows
from honeyguide.model import Floats

if TYPE_CHECKING:
    from scipy.sparse import csr_array


@dataclass(frozen=True, slots=True)
class Space:
    """Where words and pages, as terms, are: a row each."""

    words: Floats
    pages: Floats


def hypertext_space(
    corpus: Factors, words: csr_array, links: csr_array, k: int, *, residual_rank: int | None
) -> Space:
    """Factors of `[[A, L, 0], [0, G, R]]`: A is the corpus, `words` is `[L, 0]`, `links` is `[G, R]`.

    Columns of `words` and `links` are documents: fetched pages, then others; rows of `links` are fetched pages.
    """
    from scipy.sparse import csr_array, vstack

    columns = csr_array(vstack((words, links)))
    factors = append_columns(corpus, columns, k, residual_rank=residual_rank)
    return Space(factors.left[: words.shape[0]], factors.left[words.shape[0] :])


def folded_space(corpus: Factors, words: csr_array, links: csr_array) -> Space:
    """The same by folding-in: the corpus' factors stay as they are, which is cheaper and coarser."""
    documents = fold_in(corpus, words)
    return Space(corpus.left, fold_in_rows(corpus, documents, links))


def similarities(space: Space, query: Floats, words: csr_array, links: csr_array) -> Floats:
    """Cosine of the query, which is over words, with documents given as columns over words and over pages."""
    wanted = space.words.T @ query
    placed = words.T @ space.words + links.T @ space.pages
    lengths = np.linalg.norm(placed, axis=1) * np.linalg.norm(query)
    cosines: Floats = np.divide(placed @ wanted, lengths, out=np.zeros(len(placed)), where=lengths > 0)
    return cosines
