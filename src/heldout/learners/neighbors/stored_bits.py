"""How many bits it takes to write stored rows down, each value as one of those that its column has."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from heldout.learners.neighbors.stored_rows import StoredRows


def bits_of_columns(rows: StoredRows) -> float:
    """The sum over columns of n_rows · log2(distinct values); a missing value is one of them.

    >>> from heldout.learners.neighbors.stored_rows import only_numbers
    >>> bits_of_columns(only_numbers(np.array([[1.0, 7.0], [2.0, 7.0], [3.0, 7.0], [4.0, 7.0]])))
    8.0
    """
    counts = _sparse_counts(rows) if rows.is_sparse else _counts(rows.numbers)
    counts += _counts(rows.levels)
    return rows.n_rows * float(np.log2(counts).sum()) if counts else 0.0


def _counts(matrix: np.ndarray) -> list[int]:
    return [len(np.unique(matrix[:, position])) for position in range(matrix.shape[1])]


def _sparse_counts(rows: StoredRows) -> list[int]:
    """Zeros that are not stored are a value as well."""
    columns = rows.numbers.tocsc()
    ends = pairwise(columns.indptr.tolist())
    counts = []
    for begin, end in ends:
        values = np.unique(columns.data[begin:end])
        implied = end - begin < rows.n_rows and not (values == 0).any()
        counts.append(len(values) + implied)
    return counts
