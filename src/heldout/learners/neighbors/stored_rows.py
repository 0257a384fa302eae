"""Rows as neighbors keep them: numbers, and the levels of categories beside them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.arrays import Mask, Rows
from heldout.inputs.array_checks import is_sparse
from heldout.types import Matrix


@dataclass(frozen=True, eq=False)
class StoredRows:
    """Rows of numbers and levels.

    numbers: rows × columns that are no categories; NaN where a value is unknown, where the metric allows it;
             a csr_array stays one
    levels:  rows × categories: the index of the level, -1 where it is unknown, and the number of levels where
             it is one that the training rows did not have
    """

    numbers: Any
    levels: NDArray[np.int32]

    @property
    def n_rows(self) -> int:
        return int(self.numbers.shape[0])

    @property
    def is_sparse(self) -> bool:
        return is_sparse(self.numbers)

    @property
    def dense_numbers(self) -> NDArray[np.floating]:
        """The numbers as an array; sparse ones are filled up with their zeros."""
        return np.asarray(self.numbers.toarray() if self.is_sparse else self.numbers)

    def take(self, rows: slice | Rows | Mask) -> StoredRows:
        """Only these rows: a slice, positions or a mask."""
        return StoredRows(self.numbers[rows], self.levels[rows])

    def without(self, row: int) -> StoredRows:
        """All rows but one."""
        return self.take(np.delete(np.arange(self.n_rows), row))


def only_numbers(matrix: Matrix) -> StoredRows:
    """Rows that have no categories."""
    return StoredRows(matrix, np.empty((matrix.shape[0], 0), dtype=np.int32))


def bits_of_columns(rows: StoredRows) -> float:
    """The sum over columns of n_rows · log2(distinct values); a missing value is one of them."""
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
