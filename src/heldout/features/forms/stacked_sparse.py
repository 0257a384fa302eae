"""Columns and sparse blocks side by side as one sparse matrix."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.errors import DataError
from heldout.learners.inputs.numeric_columns import boolean_numbers
from heldout.table.column import NUMERIC_KINDS, Column


def stacked_sparse(pieces: Sequence[Any], n_rows: int) -> Any:
    """A csr_array of float64: the pieces in their order.

    pieces: Columns of numbers, dates or booleans, and sparse blocks of as many rows

    >>> import numpy as np
    >>> from scipy.sparse import csr_array
    >>> age = Column("age", "number", np.array([41.0, 0.0]))
    >>> stacked_sparse([age, csr_array([[0.0, 2.0], [1.0, 0.0]])], n_rows=2).toarray()
    array([[41.,  0.,  2.],
           [ 0.,  1.,  0.]])
    """
    from scipy.sparse import csr_array, hstack  # takes 0.1 s

    if not pieces:
        return csr_array((n_rows, 0), dtype=np.float64)
    _refuse_words([piece for piece in pieces if isinstance(piece, Column)])
    blocks = [
        csr_array(column_numbers(piece).reshape(-1, 1)) if isinstance(piece, Column) else piece
        for piece in pieces
    ]
    return csr_array(hstack(blocks, format="csr", dtype=np.float64))


def column_numbers(column: Column) -> NDArray[np.float64]:
    """The values of a number or a date, a boolean by what its words say, NaN for missing."""
    if column.kind in NUMERIC_KINDS:
        return np.asarray(column.values, dtype=np.float64)
    number_of = boolean_numbers(column.levels)
    numbers = np.array([*(number_of[level] for level in column.levels), np.nan])
    return np.asarray(numbers[column.values])


def _refuse_words(columns: list[Column]) -> None:
    others = [column for column in columns if column.kind not in (*NUMERIC_KINDS, "boolean")]
    if others:
        raise DataError(
            "a sparse matrix has numbers only, and cannot hold columns of words",
            where=f"{len(others)} columns, first '{others[0].name}', {others[0].kind}",
            fix="encode them before, with OneHot for instance, drop them, or ask for sparse=False, which"
            " gives a table",
        )
