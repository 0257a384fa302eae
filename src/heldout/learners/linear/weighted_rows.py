"""Rows ready for least squares: times the root of the weight, and less the means if there is an intercept.

A weight then is the same as so many equal rows, and the intercept follows from the means.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.arrays import Floats
from heldout.types import Matrix


@dataclass(frozen=True, eq=False)
class WeightedTargets:
    """The targets of the rows whose weight is above 0.

    kept:     the positions of those rows; None where all are kept
    roots:    the root of the weight of each; None where every weight is 1
    total:    the sum of the weights
    values:   the root times the target less its mean, times 2^-exponent, so that no square overflows
    mean:     the mean times 2^-exponent; 0 where nothing is subtracted
    exponent: see above
    """

    kept: NDArray[np.intp] | None
    roots: Floats | None
    total: float
    values: Floats
    mean: float
    exponent: int

    @property
    def n_rows(self) -> int:
        return len(self.values)

    @property
    def weights(self) -> Floats:
        return np.ones(self.n_rows) if self.roots is None else self.roots**2


def weighted_targets(targets: Floats, weights: Floats | None, is_centered: bool) -> WeightedTargets:
    """The targets in the form of least squares.

    weights:     of at least 0 and not all 0; None counts each row once
    is_centered: whether the weighted mean is subtracted, as an intercept without penalty does
    """
    kept = None
    if weights is not None and not weights.all():
        kept = np.flatnonzero(weights)
        targets, weights = targets[kept], weights[kept]
    _, exponent = math.frexp(float(np.abs(targets).max()))
    values = np.ldexp(targets, -exponent)
    total = float(len(values)) if weights is None else float(weights.sum())
    mean = 0.0
    if is_centered:
        mean = float(values.mean() if weights is None else weights @ values / total)
        values = values - mean
    roots = None if weights is None else np.sqrt(weights)
    return WeightedTargets(kept, roots, total, values if roots is None else values * roots, mean, exponent)


@dataclass(frozen=True, eq=False)
class DenseRows:
    """The matrix A of least squares, in memory.

    matrix: rows of weight above 0 × columns, weighted and centered
    means:  what was subtracted from each column; zeros where nothing was
    """

    matrix: Floats
    means: Floats

    @property
    def shape(self) -> tuple[int, int]:
        return self.matrix.shape[0], self.matrix.shape[1]

    def inner(self) -> Floats:
        """AᵀA."""
        return np.asarray(self.matrix.T @ self.matrix)

    def outer(self) -> Floats:
        """AAᵀ."""
        return np.asarray(self.matrix @ self.matrix.T)

    def times(self, right: Floats, begin: int, end: int) -> Floats:
        """The rows from begin to end of A times a matrix."""
        return np.asarray(self.matrix[begin:end] @ right)

    def transposed_times(self, left: Floats) -> Floats:
        """Aᵀ times a vector."""
        return np.asarray(self.matrix.T @ left)


def dense_rows(matrix: Floats, targets: WeightedTargets, is_centered: bool) -> DenseRows:
    """A copy of the matrix, weighted and, where asked, centered.

    The means are taken twice: what rounding left of them the first time is subtracted the second time, so
    that columns far from 0 keep their digits. A column that never changes becomes exactly 0.
    """
    if targets.kept is not None:
        matrix = matrix[targets.kept]
    means = np.zeros(matrix.shape[1])
    if is_centered:
        means = _means(matrix, targets)
        centered = matrix - means
        rest = _means(centered, targets)
        centered -= rest
        means = means + rest
        is_constant = matrix.min(axis=0) == matrix.max(axis=0)
        if is_constant.any():
            centered[:, is_constant] = 0.0
            means[is_constant] = matrix[0, is_constant]
        matrix = centered
        if targets.roots is not None:
            matrix *= targets.roots[:, np.newaxis]
    elif targets.roots is not None:
        matrix = matrix * targets.roots[:, np.newaxis]
    return DenseRows(matrix, means)


def with_ones(matrix: Matrix) -> Any:
    """The matrix with a last column of ones, whose coefficient is the intercept."""
    if isinstance(matrix, np.ndarray):
        return np.column_stack([matrix, np.ones(len(matrix))])
    from scipy.sparse import hstack  # takes 0.1 s

    return hstack([matrix, np.ones((matrix.shape[0], 1))], format="csr")


def _means(matrix: Floats, targets: WeightedTargets) -> Floats:
    if targets.roots is None:
        return np.asarray(matrix.mean(axis=0))
    return np.asarray((targets.weights / targets.total) @ matrix)
