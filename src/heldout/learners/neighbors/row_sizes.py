"""Rows of very large or very small numbers, made so that their squares are numbers.

The angle between two rows does not depend on their lengths, and dividing by a power of 2 changes no digit of
a number. Rows of a usual size stay as they are.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from heldout.learners.neighbors.stored_rows import StoredRows

# Sums of products of numbers between these neither overflow nor vanish.
SMALLEST, LARGEST = 1e-100, 1e100


def rows_that_square(rows: StoredRows) -> StoredRows:
    """The same rows, those of an unusual size divided by a power of 2.

    >>> from heldout.learners.neighbors.stored_rows import only_numbers
    >>> rows_that_square(only_numbers(np.array([[3.0, 4.0], [0.0, 2.0**600]]))).numbers.tolist()
    [[3.0, 4.0], [0.0, 0.5]]
    """
    if rows.numbers.dtype == np.float32:  # its squares are numbers in double precision
        return rows
    largest = _largest(rows)
    is_unusual = (largest > LARGEST) | ((largest < SMALLEST) & (largest > 0))
    if not is_unusual.any():
        return rows
    exponents = np.where(is_unusual, np.frexp(largest)[1], 0)
    numbers = rows.numbers.copy()
    if rows.is_sparse:
        numbers.data = np.ldexp(numbers.data, -np.repeat(exponents, np.diff(numbers.indptr)))
    else:
        numbers[is_unusual] = np.ldexp(numbers[is_unusual], -exponents[is_unusual, np.newaxis])
    return StoredRows(numbers, rows.levels)


def _largest(rows: StoredRows) -> NDArray[np.floating]:
    """The largest number of each row, whatever its sign."""
    if rows.is_sparse:
        return np.asarray(abs(rows.numbers).max(axis=1).toarray()).ravel()
    return np.asarray(np.maximum(rows.numbers.max(axis=1), -rows.numbers.min(axis=1)))
