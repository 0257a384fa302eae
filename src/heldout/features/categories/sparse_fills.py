"""Gaps of a sparse matrix: cells that are stored as NaN; those that are not stored are known zeros."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.features.categories.typical_number import typical_number


def sparse_gaps(matrix: Any) -> NDArray[np.int64]:
    """How many gaps each column has.

    matrix: a csr_array with every cell once
    """
    return np.bincount(matrix.indices[np.isnan(matrix.data)], minlength=matrix.shape[1]).astype(np.int64)


def typical_of_sparse(matrix: Any, places: NDArray[np.intp], how: str) -> list[float]:
    """For each of these columns the number that stands for it; 0 if none is known.

    how: as for `typical_number`
    """
    by_column = matrix.tocsc()
    typical = []
    for place in places.tolist():
        stored = by_column.data[by_column.indptr[place] : by_column.indptr[place + 1]]
        n_zeros = matrix.shape[0] - len(stored)
        known = stored[~np.isnan(stored)]
        typical.append(typical_number(known, how, n_zeros) if len(known) else 0.0)
    return typical


def filled_sparse(matrix: Any, places: NDArray[np.intp], fills: NDArray[np.float64]) -> Any:
    """A new matrix with the fill of its column in every gap.

    places: the columns that have a fill; gaps of others stay
    """
    filled = matrix.copy()
    by_column = np.full(matrix.shape[1], np.nan)
    by_column[places] = fills
    gaps = np.flatnonzero(np.isnan(filled.data))
    filled.data[gaps] = by_column[filled.indices[gaps]]
    return filled
