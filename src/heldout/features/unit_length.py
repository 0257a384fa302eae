"""Rows brought to the length 1: only their direction is left."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.arrays import Floats
from heldout.errors import DataError
from heldout.features.number_transformer import FixedTransformer
from heldout.features.numeric_cells import cell_values, marked_cells, with_cells
from heldout.features.transformer_inputs import in_column_order
from heldout.types import Matrix, SparseMatrix


class UnitLength(FixedTransformer):
    """Divides each row by its Euclidean length, over the columns that are acted on.

    A row of zeros stays as it is. Nothing is learned from training rows: what a row becomes depends on that
    row alone. A missing value has no length, and is refused. Sparse rows stay sparse, and get the same bits
    as dense ones.

    Parameters
    ----------
    columns
        names or positions of the columns to act on; None takes all numbers and dates

    Attributes
    ----------
    columns_
        their positions
    inputs_
    n_rows_
    n_features_in_
    feature_names_in_

    Examples
    --------
    >>> UnitLength().fit_transform([[3.0, 4.0], [0.0, 0.0]])
    array([[0.6, 0.8],
           [0. , 0. ]])
    """

    _step = "each row divided by its length over"

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = False
        return tags

    def _refuse(self, matrix: Matrix, names: list[str]) -> None:
        values = cell_values(matrix)
        with np.errstate(over="ignore", invalid="ignore"):
            if not np.isnan(values.sum()):
                return
        cells = marked_cells(matrix, np.isnan(values))
        if cells is not None:
            raise DataError(
                "Input X contains NaN: a row with a missing value has no length",
                where=cells.in_words(names),
                fix="fill them before, with FillMissing, leave those rows out, or name other columns",
            )

    def _transformed(self, matrix: Matrix) -> Matrix:
        return rows_of_length_one(matrix)


# Sums of squares between these have lost nothing to overflow, and nothing that matters to vanishing.
SMALLEST, LARGEST = 1e-200, 1e200
# So many numbers stay in the cache from their squares to their quotients.
NUMBERS_PER_BLOCK = 1 << 15
FEW_ROWS = 64


def rows_of_length_one(matrix: Matrix) -> Matrix:
    """The rows divided by their lengths, a row of zeros as it is.

    matrix: all known and finite, dense or a csr_array
    """
    with np.errstate(over="ignore"):
        return _dense_rows(matrix) if isinstance(matrix, np.ndarray) else _sparse_rows(matrix)


def _dense_rows(matrix: Floats) -> Floats:
    made = np.empty_like(matrix)
    n_rows, n_columns = matrix.shape
    block = max(NUMBERS_PER_BLOCK // max(n_columns, 1), 1)
    for start in range(0, n_rows if n_columns else 0, block):
        rows, out = matrix[start : start + block], made[start : start + block]
        squares = _sums_of_squares(rows)
        np.divide(rows, _divisors(squares)[:, np.newaxis], out=out)
        unusual = _unusual(squares)
        if len(unusual):
            scaled = _of_usual_size(rows[unusual], np.abs(rows[unusual]).max(axis=1)[:, np.newaxis])
            out[unusual] = scaled / _divisors(_sums_of_squares(scaled))[:, np.newaxis]
    return made


def _sums_of_squares(rows: Floats) -> Floats:
    """One after the other in the order of the columns, in one of two ways that give the same bits."""
    if len(rows) < FEW_ROWS:
        return np.asarray(np.add.accumulate(rows * rows, axis=1)[:, -1])
    squares = in_column_order(rows)
    squares = squares * squares
    total = np.zeros(len(rows))
    for index in range(rows.shape[1]):
        total += squares[:, index]
    return total


def _sparse_rows(matrix: SparseMatrix) -> SparseMatrix:
    n_cells = np.diff(matrix.indptr)
    row_of = np.repeat(np.arange(len(n_cells)), n_cells)
    squares = _sums_of_cells(matrix.data, row_of, len(n_cells))
    made = matrix.data / np.repeat(_divisors(squares), n_cells)
    unusual = _unusual(squares)
    unusual = unusual[n_cells[unusual] > 0]
    if len(unusual):
        is_unusual = np.zeros(len(n_cells), dtype=np.bool_)
        is_unusual[unusual] = True
        here = np.flatnonzero(np.repeat(is_unusual, n_cells))
        cells, row_of = matrix.data[here], row_of[here]
        largest = np.zeros(len(n_cells))
        np.maximum.at(largest, row_of, np.abs(cells))
        scaled = _of_usual_size(cells, largest[row_of])
        made[here] = scaled / _divisors(_sums_of_cells(scaled, row_of, len(n_cells)))[row_of]
    return with_cells(matrix, made)


def _sums_of_cells(cells: Floats, row_of: NDArray[np.intp], n_rows: int) -> Floats:
    """The sum of the squares of each row; bincount adds in the order of the cells, which is the columns'."""
    return np.asarray(np.bincount(row_of, weights=cells * cells, minlength=n_rows), dtype=np.float64)


def _divisors(squares: Floats) -> Floats:
    lengths = np.sqrt(squares)
    return np.where(lengths > 0, lengths, 1.0)


def _unusual(squares: Floats) -> NDArray[np.intp]:
    """The rows whose squares have overflowed or vanished, or may have: zeros are among them."""
    return np.flatnonzero((squares > LARGEST) | (squares < SMALLEST))


def _of_usual_size(numbers: Floats, largest: Floats) -> Floats:
    """The numbers divided by a power of 2, which changes no digit, so that the largest is near 1."""
    return np.asarray(np.ldexp(numbers, -np.frexp(largest)[1]))
