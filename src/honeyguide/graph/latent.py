"""Latent semantic indexing: truncated SVD, and appending columns and rows to it without starting over.

The update is that of Zha and Simon (1999), in full: also what the known factors cannot express has its say.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from honeyguide.model import Floats

if TYPE_CHECKING:
    from scipy.sparse import csr_array

DENSE_BELOW = 200
POWER_ITERATIONS = 2
OVERSAMPLING = 10
NEGLIGIBLE = 1e-7


@dataclass(frozen=True, slots=True)
class Factors:
    """`left @ diag(scales) @ right.T`: rows are terms, columns documents, scales fall."""

    left: Floats
    scales: Floats
    right: Floats


def truncated_svd(matrix: csr_array, k: int) -> Factors:
    """The best approximation of a matrix by k factors, or less where its rank is less."""
    from scipy.linalg import svd
    from scipy.sparse.linalg import svds

    if min(matrix.shape) <= max(DENSE_BELOW, k):
        left, scales, right = svd(matrix.toarray(), full_matrices=False)
    else:
        start = np.random.default_rng(0).random(min(matrix.shape))
        left, scales, right = svds(matrix.astype(np.float64), k, v0=start, solver="arpack")
    order = np.argsort(-scales, kind="stable")[:k]
    order = order[scales[order] > NEGLIGIBLE * max(1.0, float(scales.max(initial=0.0)))]
    return Factors(left[:, order], scales[order], right[order].T)


def append_columns(
    factors: Factors, columns: csr_array, k: int, *, residual_rank: int | None = None
) -> Factors:
    """Factors of `[matrix, columns]`, cut to k; rows of `columns` beyond those known are new terms.

    Exact up to the cut. With a `residual_rank` only so many directions of what the factors cannot express are kept,
    the strongest: then the cost hardly depends on how much is appended.
    """
    known, rank = len(factors.left), len(factors.scales)
    within = factors.left.T @ columns[:known]  # columns as the known factors see them
    basis = _residual_basis(factors.left, columns, within, residual_rank)
    beyond = (columns.T @ basis).T
    core = np.block([[np.diag(factors.scales), within], [np.zeros((len(beyond), rank)), beyond]])
    turn, scales = _directions(core.T)
    turn, scales = turn[:, :k], scales[:k]
    spread = core.T @ (turn / scales)
    left = basis @ turn[rank:]
    left[:known] += factors.left @ turn[:rank]
    return Factors(left, scales, np.vstack((factors.right @ spread[:rank], spread[rank:])))


def _residual_basis(left: Floats, columns: csr_array, within: Floats, rank: int | None) -> Floats:
    """Orthonormal directions of `columns - left @ within`, which is never made when only `rank` are wanted."""
    if rank is None or rank + OVERSAMPLING >= min(columns.shape):
        residual = columns.toarray()
        residual[: len(left)] -= left @ within
        return _without(left, _orthonormal(residual, np.abs(columns.data).max(initial=0.0)))

    def times(block: Floats) -> Floats:
        product: Floats = columns @ block
        product[: len(left)] -= left @ (within @ block)
        return product

    def times_transposed(block: Floats) -> Floats:
        product: Floats = columns.T @ block - within.T @ (left.T @ block[: len(left)])
        return product

    # A fixed seed: after a restart the same crawl must give the same scores.
    sample = times(np.random.default_rng(0).standard_normal((columns.shape[1], rank + OVERSAMPLING)))
    for _ in range(POWER_ITERATIONS):
        sample = times(times_transposed(_orthonormal(sample)))
    return _without(left, _orthonormal(sample)[:, :rank])


def _directions(block: Floats) -> tuple[Floats, Floats]:
    """Right singular vectors and singular values of a tall block, greatest first, without those that are rounding.

    By way of its small square, an order of magnitude cheaper than LAPACK's SVD.
    """
    from scipy.linalg import eigh

    squares, vectors = eigh(block.T @ block, check_finite=False)
    sizes = np.sqrt(np.maximum(squares[::-1], 0.0))
    kept = sizes > NEGLIGIBLE * max(float(sizes.max(initial=0.0)), np.finfo(np.float64).tiny)
    return vectors[:, ::-1][:, kept], sizes[kept]


def _orthonormal(block: Floats, at_least: float = 0.0) -> Floats:
    """Directions of a block's columns, strongest first; what is negligible beside `at_least` is left out."""
    turn, sizes = _directions(block)
    kept = sizes > NEGLIGIBLE * at_least
    turned: Floats = block @ (turn[:, kept] / sizes[kept])
    return turned


def _without(left: Floats, basis: Floats) -> Floats:
    """Take out what rounding left of the known factors, and of each direction in the others."""
    cleaned = basis.copy()
    cleaned[: len(left)] -= left @ (left.T @ basis[: len(left)])
    return _orthonormal(cleaned, 1.0)


def fold_in(factors: Factors, columns: csr_array) -> Floats:
    """Places of new documents among the factors as they are: a row each. Cheap; the factors do not learn from them."""
    placed: Floats = (columns[: len(factors.left)].T @ factors.left) / factors.scales
    return placed


def fold_in_rows(factors: Factors, documents: Floats, rows: csr_array) -> Floats:
    """Places of new terms, given as rows over documents whose places are known."""
    placed: Floats = (rows @ documents) / factors.scales
    return placed
