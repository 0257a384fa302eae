"""Cells of a matrix that cannot be used, and where they are, in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.errors import DataError
from heldout.inputs.array_checks import is_free_of_infinity
from heldout.table.column import number_label
from heldout.text.words import plural
from heldout.types import Matrix, SparseMatrix


@dataclass(frozen=True, eq=False)
class Cells:
    """Some cells of a matrix, in the order of the rows.

    rows, places, values: of each cell its row, its column and its value
    n_rows:               of the whole matrix
    """

    rows: NDArray[Any]
    indices: NDArray[Any]
    values: NDArray[np.float64]
    n_rows: int

    def in_words(self, names: list[str]) -> str:
        """How many there are in the first column that has some, and which is the first.

        names: of the columns
        """
        first = int(self.indices.min())
        is_here = self.indices == first
        value = float(self.values[is_here][0])
        example = "" if value != value else f"{number_label(value)} "
        n_others = len(np.unique(self.indices)) - 1
        others = f", and {plural(n_others, 'more column')}" if n_others else ""
        return (
            f"column '{names[first]}', {np.count_nonzero(is_here):,} of {plural(self.n_rows, 'row')},"
            f" first {example}in row {int(self.rows[is_here][0]) + 1:,}{others}"
        )


def cell_values(matrix: Matrix) -> NDArray[np.float64]:
    """The numbers of a dense matrix, or those that a sparse one stores."""
    return matrix if isinstance(matrix, np.ndarray) else np.asarray(matrix.data)


def with_cells(matrix: SparseMatrix, values: NDArray[np.float64]) -> SparseMatrix:
    """A csr_array with the cells of another one, and with these values in them."""
    from scipy.sparse import csr_array  # takes 0.1 s

    made: SparseMatrix = csr_array((values, matrix.indices.copy(), matrix.indptr.copy()), shape=matrix.shape)
    made.has_canonical_format = True
    return made


def marked_cells(matrix: Matrix, is_marked: NDArray[np.bool_]) -> Cells | None:
    """The cells that are marked, or None where none is.

    matrix:    dense, or a csr_array
    is_marked: for each of its `cell_values`
    """
    if not is_marked.any():
        return None
    if not isinstance(matrix, np.ndarray):
        rows = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
        return Cells(rows[is_marked], matrix.indices[is_marked], matrix.data[is_marked], matrix.shape[0])
    rows, indices = np.nonzero(is_marked)
    return Cells(rows, indices, matrix[rows, indices], matrix.shape[0])


def refuse_overflow(matrix: Matrix, made: Matrix, names: list[str], step: str) -> None:
    """Raise if a finite number became one that double precision cannot hold.

    matrix: what came; made: what was made of it, cell by cell
    step:   what was done
    """
    if is_free_of_infinity(cell_values(made)):
        return
    cells = marked_cells(matrix, np.isinf(cell_values(made)))
    assert cells is not None
    raise DataError(
        f"after {step} a value is too large for double precision",
        where=cells.in_words(names),
        fix="look whether it is a slip or a mark for a missing value; else divide the column beforehand",
    )
