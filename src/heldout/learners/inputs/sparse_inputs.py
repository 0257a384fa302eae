"""How a sparse X enters: as codes, column by column, at fit, and in dense blocks of rows afterwards.

The matrix never becomes numbers as a whole: most cells share one code, which takes a byte where a number
takes eight.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import validate_data

from heldout.errors import DataError
from heldout.table.codes import CodedColumn

# A growing tree has a code and an entry of an order for each cell: about five bytes.
MOST_CELLS = 800_000_000
CELLS_PER_BLOCK = 4_000_000


def is_sparse(X: Any) -> bool:
    """Whether X is a sparse matrix or array of SciPy's."""
    if not hasattr(X, "tocsc"):
        return False
    from scipy.sparse import issparse  # takes 0.1 s

    return bool(issparse(X))


def sparse_columns(learner: Any, X: Any) -> tuple[CodedColumn, ...]:
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
    ends = columns.indptr.tolist()
    stored = [slice(begin, end) for begin, end in pairwise(ends)]
    return tuple([_coded(columns.data[part], columns.indices[part], n_rows) for part in stored])


def _coded(values: NDArray[np.float64], rows: NDArray[Any], n_rows: int) -> CodedColumn:
    is_known = ~np.isnan(values)
    implied = [0.0] if len(values) < n_rows else []
    distinct = np.unique(np.append(values[is_known], implied))
    codes = np.full(n_rows, distinct.searchsorted(0.0), dtype=np.min_scalar_type(len(distinct)))
    codes[rows] = np.where(is_known, distinct.searchsorted(values), len(distinct))
    return CodedColumn(codes, len(distinct), distinct=distinct)


def dense_blocks(learner: Any, X: Any) -> Iterator[NDArray[np.float64]]:
    """The rows of a sparse matrix as dense arrays, a few at a time."""
    rows = validate_data(
        learner, X, reset=False, dtype=np.float64, ensure_all_finite="allow-nan", accept_sparse="csr"
    )
    n_rows, n_columns = rows.shape
    height = max(1, CELLS_PER_BLOCK // n_columns)
    for begin in range(0, n_rows, height):
        yield rows[begin : begin + height].toarray()
