"""The matrix of least squares where X is sparse: the means are subtracted in the products, not in the cells.

So a large sparse matrix never becomes dense; only the products of its smaller side do.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.errors import DataError
from heldout.learners.linear.weighted_rows import WeightedTargets

Floats = NDArray[np.float64]

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


def sparse_rows(matrix: Any, targets: WeightedTargets, is_centered: bool) -> SparseRows:
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
