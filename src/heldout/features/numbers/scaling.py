"""Columns moved and divided, and back, a block at a time; only what leaves is kept from overflowing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.learners.inputs.array_checks import is_free_of_infinity

Floats = NDArray[np.float64]

# So many numbers stay in the cache from the first step to the second.
NUMBERS_PER_BLOCK = 1 << 14


def centered_and_divided(matrix: Floats, center: Floats, scale: Floats) -> Floats:
    """(x - center) / scale of each column, in an array of the same order.

    >>> centered_and_divided(np.array([[1.0, 4.0]]), np.array([3.0, 0.0]), np.array([2.0, 8.0])).tolist()
    [[-1.0, 0.5]]
    """
    made = np.empty_like(matrix)
    with np.errstate(over="ignore"):
        for block in _blocks(matrix):
            columns, out = block[1], made[block]
            np.subtract(matrix[block], center[columns], out=out)
            out /= scale[columns]
            if not is_free_of_infinity(out):  # perhaps only the difference is too large, not what is left
                halves = (matrix[block] / 2 - center[columns] / 2) / scale[columns] * 2
                np.copyto(out, halves, where=np.isinf(out))
    return made


def multiplied_and_moved(matrix: Floats, center: Floats, scale: Floats) -> Floats:
    """x * scale + center of each column, in an array of the same order.

    >>> multiplied_and_moved(np.array([[-1.0, 0.5]]), np.array([3.0, 0.0]), np.array([2.0, 8.0])).tolist()
    [[1.0, 4.0]]
    """
    made = np.empty_like(matrix)
    with np.errstate(over="ignore"):
        for block in _blocks(matrix):
            columns, out = block[1], made[block]
            np.multiply(matrix[block], scale[columns], out=out)
            out += center[columns]
            if not is_free_of_infinity(out):  # perhaps only the product is too large, and not the sum
                halves = (matrix[block] / 2 * scale[columns] + center[columns] / 2) * 2
                np.copyto(out, halves, where=np.isinf(out))
    return made


def divided_cells(matrix: Any, scale: Floats) -> Floats:
    """The stored cells of a csr_array, each divided by the number of its column."""
    with np.errstate(over="ignore"):
        return np.asarray(matrix.data / scale.take(matrix.indices))


def multiplied_cells(matrix: Any, scale: Floats) -> Floats:
    """The stored cells of a csr_array, each multiplied by the number of its column."""
    with np.errstate(over="ignore"):
        return np.asarray(matrix.data * scale.take(matrix.indices))


def _blocks(matrix: Floats) -> Iterator[tuple[slice, slice]]:
    """The matrix in parts of neighboring numbers: rows and columns of each."""
    n_rows, n_columns = matrix.shape
    if matrix.flags.f_contiguous and not matrix.flags.c_contiguous:
        width = max(NUMBERS_PER_BLOCK // max(n_rows, 1), 1)
        yield from ((slice(None), slice(start, start + width)) for start in range(0, n_columns, width))
    else:
        height = max(NUMBERS_PER_BLOCK // max(n_columns, 1), 1)
        yield from ((slice(start, start + height), slice(None)) for start in range(0, n_rows, height))
