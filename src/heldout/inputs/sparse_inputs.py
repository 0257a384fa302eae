"""How a sparse X enters: as codes, column by column, at fit, and in dense blocks of rows afterwards.

The matrix never becomes numbers as a whole: most cells share one code, which takes a byte where a number
takes eight.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import validate_data

from heldout.errors import DataError
from heldout.table.codes import CodedColumn
from heldout.types import Estimator, TableLike

# A growing tree has a code and an entry of an order for each cell: about five bytes.
MOST_CELLS = 800_000_000
CELLS_PER_BLOCK = 4_000_000


def sparse_columns(learner: Estimator, X: TableLike) -> tuple[CodedColumn, ...]:
    """Every column as codes; cells that are not stored are zeros, as everywhere."""
    columns = validate_data(
        learner, X, dtype=np.float64, ensure_all_finite="allow-nan", accept_sparse="csc", copy=True
    )
    columns.sum_duplicates()
    n_rows, n_columns = columns.shape
    if n_rows * n_columns > MOST_CELLS:
        raise DataError(
            f"X has {n_rows * n_columns:,} cells, too many for a tree",
            where=f"{n_rows:,} rows and {n_columns:,} columns, where {MOST_CELLS:,} cells are the most",
            fix="drop columns that are rarely different from zero, or use fewer rows",
        )
    return _coded_columns(columns.data, columns.indices, columns.indptr, n_rows)


def _coded_columns(
    values: NDArray[np.float64], rows: NDArray[Any], ends: NDArray[Any], n_rows: int
) -> tuple[CodedColumn, ...]:
    """The codes of all columns, from one sorting of what is stored.

    values, rows: the stored numbers, column by column, and the row of each
    ends:         where each column begins and ends among them
    """
    n_stored = np.diff(ends)
    column_of = np.repeat(np.arange(len(n_stored)), n_stored)
    has_zeros = np.flatnonzero(n_stored < n_rows)
    is_known = ~np.isnan(values)
    ranks, distinct, begins = _ranked(
        np.append(values[is_known], np.zeros(len(has_zeros))), np.append(column_of[is_known], has_zeros), ends
    )
    n_codes = np.diff(begins)
    zero_code = np.zeros(len(n_codes), dtype=np.int64)
    zero_code[has_zeros] = ranks[len(ranks) - len(has_zeros) :]
    code_of = n_codes[column_of]
    code_of[is_known] = ranks[: len(ranks) - len(has_zeros)]
    coded = []
    for begin, end, first, last, zero in zip(
        ends[:-1].tolist(),
        ends[1:].tolist(),
        begins[:-1].tolist(),
        begins[1:].tolist(),
        zero_code.tolist(),
        strict=True,
    ):
        codes = np.full(n_rows, zero, dtype=_narrowest(last - first))
        codes[rows[begin:end]] = code_of[begin:end]
        coded.append(CodedColumn(codes, last - first, distinct=distinct[first:last]))
    return tuple(coded)


def _ranked(
    values: NDArray[np.float64], column_of: NDArray[np.intp], ends: NDArray[Any]
) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.int64]]:
    """The rank of each value in its column; the distinct values, column by column; where each begins."""
    order = np.lexsort((values, column_of))
    values, columns = values[order], column_of[order]
    is_new = np.ones(len(values), dtype=np.bool_)
    is_new[1:] = (values[1:] != values[:-1]) | (columns[1:] != columns[:-1])
    begins = np.searchsorted(columns[is_new], np.arange(len(ends)))
    ranks = np.empty(len(values), dtype=np.int64)
    ranks[order] = np.cumsum(is_new) - 1 - begins[columns]
    return ranks, values[is_new], begins


def _narrowest(n_codes: int) -> type[np.unsignedinteger[Any]]:
    """The narrowest type that holds the codes, and the one for missing values behind them."""
    return np.uint8 if n_codes < 1 << 8 else np.uint16 if n_codes < 1 << 16 else np.uint32


def dense_blocks(learner: Estimator, X: TableLike) -> Iterator[NDArray[np.float64]]:
    """The rows of a sparse matrix as dense arrays, a few at a time."""
    rows = validate_data(
        learner, X, reset=False, dtype=np.float64, ensure_all_finite="allow-nan", accept_sparse="csr"
    )
    n_rows, n_columns = rows.shape
    height = max(1, CELLS_PER_BLOCK // n_columns)
    for begin in range(0, n_rows, height):
        yield rows[begin : begin + height].toarray()
