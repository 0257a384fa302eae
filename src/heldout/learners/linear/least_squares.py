"""Least squares by an orthogonal decomposition that knows how many columns are independent.

Every column is divided by its length before the columns are compared, so the answer to "does this column
depend on the others" does not change with its unit. Where some do, the solution of least norm is taken.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from heldout.arrays import Floats

# A column depends on others if they leave less of its length than this times the root of the larger side.
RANK_TOLERANCE = 32 * float(np.finfo(np.float64).eps)
# Entries of unit vectors that are no larger are rounding.
NOTHING = 1e-8
# A coefficient has one value if no more than this of its direction is unseen.
UNSEEN = 1e-6
# With more dependent columns than this nobody asks of what each is made.
MOST_UNSEEN = 100


@dataclass(frozen=True, eq=False)
class LeastSquares:
    """The solution, in the units of the columns.

    coef:         the coefficients; of all that fit equally well those of the least sum of squares
    inverse_root: a matrix B so that BBᵀ is a generalized inverse of AᵀA; columns × rank
    lengths:      the length of each column before anything was subtracted; 1 where it is 0
    seen:         unit vectors that span what the fit depends on, for columns that are divided by `lengths`;
                  columns × rank; None where all columns are independent
    unseen:       unit vectors that span the rest; None where there are none, or very many
    """

    coef: Floats
    inverse_root: Floats
    lengths: Floats
    seen: Floats | None = None
    unseen: Floats | None = None

    @property
    def rank(self) -> int:
        return int(self.inverse_root.shape[1])

    @property
    def is_determined(self) -> NDArray[np.bool_]:
        """Whether each coefficient has one value only."""
        if self.seen is None:
            return np.ones(len(self.coef), dtype=np.bool_)
        return np.asarray(1.0 - (self.seen**2).sum(axis=1) <= UNSEEN**2 + RANK_TOLERANCE)

    def determines(self, combination: Floats) -> bool:
        """Whether a combination of coefficients has one value only."""
        if self.seen is None:
            return True
        scaled = combination / self.lengths
        rest = scaled - self.seen @ (self.seen.T @ scaled)
        return bool(np.linalg.norm(rest) <= UNSEEN * np.linalg.norm(scaled))


@dataclass(frozen=True, eq=False)
class _Scaled:
    """As LeastSquares, for columns that are divided by their lengths; coef is any of the solutions."""

    coef: Floats
    inverse_root: Floats
    seen: Floats | None
    unseen: Floats | None


def least_squares(matrix: Floats, targets: Floats, lengths: Floats, solver: str) -> LeastSquares:
    """The coefficients that bring the matrix nearest to the targets.

    matrix:  rows × columns, weighted and centered
    lengths: the length of each column before centering, which says how exact its numbers are
    solver:  "qr" (with column pivoting), "svd", or "auto": "qr", and "svd" where that cannot tell the rank
    """
    lengths = np.where(lengths > 0, lengths, 1.0)
    tolerance = RANK_TOLERANCE * float(np.sqrt(max(matrix.shape)))
    # One triangle holds all that matters of the columns and the targets.
    triangle = np.asarray(np.linalg.qr(np.column_stack([matrix / lengths, targets]), mode="r"))
    columns, targets = triangle[:, :-1], triangle[:, -1]
    scaled = None if solver == "svd" else _by_pivoted_qr(columns, targets, tolerance, solver == "auto")
    if scaled is None:
        scaled = _by_svd(columns, targets, tolerance)
    coef = scaled.coef / lengths
    if scaled.seen is not None:
        directions = scaled.seen * lengths[:, np.newaxis]
        basis, _ = np.linalg.qr(directions)
        coef = basis @ (basis.T @ coef)
    return LeastSquares(
        coef, scaled.inverse_root / lengths[:, np.newaxis], lengths, scaled.seen, scaled.unseen
    )


def _by_pivoted_qr(columns: Floats, targets: Floats, tolerance: float, is_checked: bool) -> _Scaled | None:
    """The solution by QR; None if its rank is doubtful and that is checked."""
    from scipy.linalg import lapack, qr  # takes 0.1 s

    rotation, triangle, order = qr(columns, mode="economic", pivoting=True, check_finite=False)
    rank = int(np.count_nonzero(np.abs(np.diag(triangle)) > tolerance))
    head, n_dependent = np.asfortranarray(triangle[:rank, :rank]), columns.shape[1] - rank
    if is_checked and rank and lapack.dtrcon(head)[0] < tolerance:
        return None
    index = np.argsort(order)
    # LAPACK's own name: SciPy's solve_triangular takes longer than a small fit.
    inverse = lapack.dtrtrs(head, np.eye(rank))[0] if rank else np.zeros((0, 0))
    coef, root = np.zeros(columns.shape[1]), np.zeros((columns.shape[1], rank))
    if rank:
        coef[:rank] = lapack.dtrtrs(head, (rotation.T @ targets)[:rank])[0]
    root[:rank] = inverse
    seen = np.linalg.qr(triangle[:rank].T)[0][index] if n_dependent else None
    unseen = None
    if 0 < n_dependent <= MOST_UNSEEN:
        relations = np.vstack([-inverse @ triangle[:rank, rank:], np.eye(n_dependent)])
        unseen = np.linalg.qr(relations)[0][index]
    return _Scaled(coef[index], root[index], seen, unseen)


def _by_svd(columns: Floats, targets: Floats, tolerance: float) -> _Scaled:
    n_rows, n_columns = columns.shape
    left, values, right = singular_values(columns, full_matrices=0 < n_columns - n_rows <= MOST_UNSEEN)
    rank = int(np.count_nonzero(values > tolerance))
    root = right[:rank].T / values[:rank]
    n_dependent = n_columns - rank
    return _Scaled(
        root @ (left[:, :rank].T @ targets),
        root,
        right[:rank].T if n_dependent else None,
        right[rank:].T if 0 < n_dependent <= MOST_UNSEEN else None,
    )


def singular_values(matrix: Floats, full_matrices: bool = False) -> tuple[Floats, Floats, Floats]:
    """U, S and Vᵀ.

    LAPACK's divide and conquer, which NumPy calls, gives up on some matrices of many dependent columns, such
    as levels of categories that go together. QR iterations are slower and find the same.
    """
    try:
        left, values, right = np.linalg.svd(matrix, full_matrices=full_matrices)
    except np.linalg.LinAlgError:
        from scipy.linalg import svd

        left, values, right = svd(matrix, full_matrices=full_matrices, lapack_driver="gesvd")
    return left, values, right
