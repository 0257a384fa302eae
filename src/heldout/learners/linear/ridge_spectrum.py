"""One decomposition of X, from which ridge has its solution for every penalty.

With A = USVᵀ the coefficients at the penalty α are V (S² + α)⁻¹ Vᵀ Aᵀy. S² and one of V and U come from
the products of the smaller side of A where these keep enough digits, and else from A itself. Which way
is taken depends on X alone, so that each α gives the same bits whatever else is asked for.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from heldout.arrays import Floats
from heldout.errors import DataError, RequestError
from heldout.learners.linear.least_squares import singular_values
from heldout.learners.linear.weighted_rows import (
    DenseRows,
    WeightedTargets,
    dense_rows,
    weighted_targets,
    with_ones,
)
from heldout.text.words import plural
from heldout.types import Matrix, SparseMatrix

# Products square the condition number: up to this ratio of S² they cost four of the sixteen digits.
LEAST_RATIO = 1e-4
# Of a sparse matrix only the products are known; below this ratio fewer than eight digits are left.
ROUGH_RATIO = 1e-8
# The squares of larger and of smaller numbers leave the range of a float.
LARGEST, SMALLEST = 1e100, 1e-100
EPS = float(np.finfo(np.float64).eps)


@dataclass(frozen=True, eq=False)
class RidgeSpectrum:
    """What is known of X and y once A is decomposed; r is the rank of A.

    rows:         A
    targets:      y in the same form
    squares:      S², r numbers
    right:        V, columns × r; None where A is wide and the products gave U
    left:         U, rows × r; None where A is tall and the products gave V
    scores:       SUᵀy, r numbers
    is_centered:  whether an intercept without penalty is fitted
    has_ones:     whether the last column of A is one of ones, whose coefficient is a penalized intercept
    """

    rows: DenseRows | SparseRows
    targets: WeightedTargets
    squares: Floats
    right: Floats | None
    left: Floats | None
    scores: Floats
    is_centered: bool
    has_ones: bool

    @property
    def rank(self) -> int:
        return len(self.squares)

    @property
    def n_columns(self) -> int:
        """The columns of A, which a penalized intercept is one of."""
        return self.rows.shape[1]

    def solve(self, alpha: float) -> tuple[Floats, float]:
        """The coefficients and the intercept at a penalty."""
        filtered = self.scores / (self.squares + alpha)
        if self.right is not None:
            coef = self.right @ filtered
        else:
            assert self.left is not None
            coef = self.rows.transposed_times(self.left @ (filtered / np.sqrt(self.squares)))
        with np.errstate(over="ignore", under="ignore"):
            coef = np.ldexp(coef, self.targets.exponent)
        if self.has_ones:
            return coef[:-1].copy(), float(coef[-1])
        if not self.is_centered:
            return coef, 0.0
        return coef, math.ldexp(self.targets.mean, self.targets.exponent) - float(self.rows.means @ coef)

    def df(self, alpha: float) -> float:
        """The effective degrees of freedom at a penalty: the trace of what turns y into its fit.

        An intercept without penalty is not counted.
        """
        return float((self.squares / (self.squares + alpha)).sum())

    def is_rough(self, alpha: float) -> bool:
        """Whether a sparse matrix, of which only products are known, leaves fewer than half of the digits."""
        if isinstance(self.rows, DenseRows) or self.rank == 0:
            return False
        n_rows, n_columns = self.rows.shape
        is_full = self.rank == min(n_rows - self.is_centered, n_columns)
        smallest = float(self.squares[-1]) if is_full else 0.0
        return smallest + alpha < ROUGH_RATIO * float(self.squares[0])

    def alpha_of(self, df: float) -> float:
        """The penalty at which there are so many effective degrees of freedom."""
        if not 0 < df <= self.rank:
            raise RequestError(
                f"df must be above 0 and at most {self.rank}",
                where=f"df={df:g}; X has {plural(self.rank, 'independent column')} in"
                f" {plural(self.targets.n_rows, 'sample')}",
                fix="ask for fewer degrees of freedom, or give alpha",
            )
        if df == self.rank:
            return 0.0
        from scipy.optimize import brentq  # takes 0.1 s

        # With one value of S² for all directions this is the prediction; so it lies between the extremes.
        ratio = self.rank / df - 1
        low, high = (math.log(float(end) * ratio) for end in (self.squares.min(), self.squares.max()))
        if high - low < 1e-15:
            return math.exp(low)
        return math.exp(brentq(lambda at: self.df(math.exp(at)) - df, low - 1e-9, high + 1e-9, xtol=1e-15))


def ridge_spectrum(
    matrix: Matrix, targets: Floats, weights: Floats | None, fit_intercept: bool, penalize_intercept: bool
) -> RidgeSpectrum:
    """Decompose the matrix, dense or sparse."""
    has_ones, is_centered = fit_intercept and penalize_intercept, fit_intercept and not penalize_intercept
    _check_range(matrix)
    weighted = weighted_targets(targets, weights, is_centered)
    if has_ones:
        matrix = with_ones(matrix)
    rows: DenseRows | SparseRows
    if isinstance(matrix, np.ndarray):
        rows = dense_rows(matrix, weighted, is_centered)
    elif matrix.shape[0] * matrix.shape[1] <= DENSE_CELLS:
        rows = dense_rows(matrix.toarray(), weighted, is_centered)
    else:
        rows = sparse_rows(matrix, weighted, is_centered)
    squares, right, left = _decomposed(rows, is_centered)
    if left is not None:
        scores = np.sqrt(squares) * (left.T @ weighted.values)
    else:
        assert right is not None
        scores = right.T @ rows.transposed_times(weighted.values)
    return RidgeSpectrum(rows, weighted, squares, right, left, scores, is_centered, has_ones)


def _decomposed(
    rows: DenseRows | SparseRows, is_centered: bool
) -> tuple[Floats, Floats | None, Floats | None]:
    """S², and V or U or both, largest first, without directions that are only rounding."""
    n_rows, n_columns = rows.shape
    is_wide = n_rows < n_columns
    # Centered rows sum to 0, so there is one direction less than rows.
    n_directions = min(n_rows - is_centered, n_columns)
    if n_directions == 0:
        return np.zeros(0), np.zeros((n_columns, 0)), np.zeros((n_rows, 0))
    squares, vectors = np.linalg.eigh(rows.outer() if is_wide else rows.inner())
    squares, vectors = squares[::-1][:n_directions], vectors[:, ::-1][:, :n_directions]
    is_exact = squares[-1] >= LEAST_RATIO * squares[0] > 0
    if not is_exact and isinstance(rows, DenseRows):
        left, values, right = singular_values(rows.matrix)
        rank = int(np.count_nonzero(values[:n_directions] > max(rows.shape) * EPS * values[0]))
        return values[:rank] ** 2, np.ascontiguousarray(right[:rank].T), left[:, :rank]
    rank = int(np.count_nonzero(squares > 4 * max(rows.shape) * EPS * max(squares[0], 0.0)))
    vectors = np.ascontiguousarray(vectors[:, :rank])
    return squares[:rank].copy(), None if is_wide else vectors, vectors if is_wide else None


def _check_range(matrix: Matrix) -> None:
    values = matrix if isinstance(matrix, np.ndarray) else matrix.data
    largest = max(float(values.max()), -float(values.min())) if values.size else 0.0
    if largest > LARGEST or 0 < largest < SMALLEST:
        raise DataError(
            "the numbers of X are too large or too small to be squared",
            where=f"the largest is {largest:.3g}",
            fix="multiply X so that its numbers are nearer to 1, for instance with scikit-learn's"
            " StandardScaler; ridge depends on the units of the columns",
        )


# Up to so many cells, 128 MB, a sparse matrix is made dense, which is faster and more exact.
DENSE_CELLS = 16_000_000
# The products of the smaller side are a square of so many numbers at most, 288 MB, of which four are needed.
LARGEST_SIDE = 6_000


@dataclass(frozen=True, eq=False)
class SparseRows:
    """A = weighted X less (roots of the weights) × (means), of which only X is stored.

    matrix: the weighted X, a csr_array
    roots:  the root of each row's weight
    means:  of the columns; zeros where nothing is subtracted
    """

    matrix: Any
    roots: Floats
    means: Floats

    @property
    def shape(self) -> tuple[int, int]:
        return self.matrix.shape[0], self.matrix.shape[1]

    def inner(self) -> Floats:
        """AᵀA."""
        total = float(self.roots @ self.roots)
        return np.asarray((self.matrix.T @ self.matrix).toarray() - total * np.outer(self.means, self.means))

    def outer(self) -> Floats:
        """AAᵀ."""
        shift = self.matrix @ self.means - 0.5 * float(self.means @ self.means) * self.roots
        cross = np.outer(shift, self.roots)
        return np.asarray((self.matrix @ self.matrix.T).toarray() - cross - cross.T)

    def times(self, right: Floats, begin: int, end: int) -> Floats:
        """The rows from begin to end of A times a matrix."""
        return np.asarray(
            self.matrix[begin:end] @ right - np.outer(self.roots[begin:end], self.means @ right)
        )

    def transposed_times(self, left: Floats) -> Floats:
        """Aᵀ times a vector."""
        return np.asarray(self.matrix.T @ left - self.means * float(self.roots @ left))


def sparse_rows(matrix: SparseMatrix, targets: WeightedTargets, is_centered: bool) -> SparseRows:
    """The matrix weighted and, where asked, with the means that its products subtract."""
    if targets.kept is not None:
        matrix = matrix[targets.kept]
    if min(matrix.shape) > LARGEST_SIDE:
        n_rows, n_columns = matrix.shape
        raise DataError(
            f"X is too large for ridge: its smaller side has {min(n_rows, n_columns):,} rows or columns",
            where=f"a sparse matrix of {n_rows:,} rows and {n_columns:,} columns, where {LARGEST_SIDE:,} on"
            " the smaller side are the most",
            fix="use fewer rows, or leave out columns that are rarely different from zero",
        )
    means = np.zeros(matrix.shape[1])
    if is_centered:
        means = np.asarray(matrix.T @ (targets.weights / targets.total))
    if targets.roots is None:
        return SparseRows(matrix, np.ones(matrix.shape[0]), means)
    weighted = matrix.multiply(targets.roots[:, np.newaxis]).tocsr()
    return SparseRows(weighted, targets.roots, means)
