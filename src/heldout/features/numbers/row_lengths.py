"""Rows divided by their Euclidean length, with the same bits alone and among others, dense and sparse.

Squares are added in the order of the columns, one after the other, so a zero more or less between them
changes nothing.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.learners.inputs.sparse_inputs import is_sparse

Floats = NDArray[np.float64]

# Sums of squares of numbers between these neither overflow nor vanish.
SMALLEST, LARGEST = 1e-100, 1e100
CELLS_PER_BLOCK = 1 << 18
FEW_ROWS = 64


def rows_of_length_one(matrix: Any) -> Any:
    """The rows divided by their lengths, a row of zeros as it is.

    matrix: all known and finite, dense or a csr_array

    >>> rows_of_length_one(np.array([[3.0, 4.0], [0.0, 0.0], [0.0, 1e300]]))
    array([[0.6, 0.8],
           [0. , 0. ],
           [0. , 1. ]])
    """
    return _sparse_rows(matrix) if is_sparse(matrix) else _dense_rows(matrix)


def _dense_rows(matrix: Floats) -> Floats:
    made = np.empty(matrix.shape, order="F")
    n_rows, n_columns = matrix.shape
    block = max(CELLS_PER_BLOCK // max(n_columns, 1), 1)
    for start in range(0, n_rows if n_columns else 0, block):
        rows = matrix[start : start + block]
        exponents = _exponents(np.maximum(rows.max(axis=1), -rows.min(axis=1)))
        if exponents.any():
            rows = np.ldexp(rows, -exponents[:, np.newaxis])
        lengths = np.sqrt(_sums_of_squares(rows))
        np.divide(rows, np.where(lengths > 0, lengths, 1.0)[:, np.newaxis], out=made[start : start + block])
    return made


def _sums_of_squares(rows: Floats) -> Floats:
    """One after the other in the order of the columns, in one of two ways that give the same bits."""
    if len(rows) < FEW_ROWS:
        return np.asarray(np.add.accumulate(rows * rows, axis=1)[:, -1])
    total = np.zeros(len(rows))
    for place in range(rows.shape[1]):
        total += rows[:, place] * rows[:, place]
    return total


def _sparse_rows(matrix: Any) -> Any:
    made = matrix.copy()
    n_cells = np.diff(matrix.indptr)
    row_of = np.repeat(np.arange(matrix.shape[0]), n_cells)
    largest = np.zeros(matrix.shape[0])
    if matrix.nnz:
        largest[n_cells > 0] = np.maximum.reduceat(np.abs(matrix.data), matrix.indptr[:-1][n_cells > 0])
    exponents = _exponents(largest)
    cells = np.ldexp(matrix.data, -exponents[row_of]) if exponents.any() else matrix.data
    # bincount adds one after the other, in the order of the cells, which is that of the columns.
    lengths = np.sqrt(np.bincount(row_of, weights=cells * cells, minlength=matrix.shape[0]))
    made.data = cells / np.where(lengths > 0, lengths, 1.0)[row_of]
    return made


def _exponents(largest: Floats) -> NDArray[np.intp]:
    """The power of 2 by which a row of unusual size is divided, which changes no digit of the others."""
    is_unusual = (largest > LARGEST) | ((largest < SMALLEST) & (largest > 0))
    return np.where(is_unusual, np.frexp(largest)[1], 0)
