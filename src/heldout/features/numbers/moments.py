"""Means, deviations and ends of columns, of dense and of sparse matrices, with all their digits.

A column of very large or very small numbers is first multiplied by a power of 2, which changes no digit and
keeps the squares from overflowing and from vanishing. Then the mean is taken twice: what rounding left of it
the first time is added the second time, and is taken from the variance, so that columns far from 0 keep their
digits.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.features.forms.column_order import in_column_order
from heldout.learners.inputs.sparse_inputs import is_sparse

Floats = NDArray[np.float64]
Counts = NDArray[np.integer]

# Double precision keeps 15 digits of any number. What differs only after them may differ by rounding alone.
DIGITS_KEPT = 1e-15
# Sums of squares of numbers between these neither overflow nor vanish.
SMALLEST, LARGEST = 1e-100, 1e100
MOST_DOUBLINGS = 1000


@dataclass(frozen=True, eq=False)
class Moments:
    """What is known of each column; of one without any value everything is 0.

    mean:      with 1/N
    deviation: the root of the variance about the mean, with 1/N
    lowest:    the smallest value
    highest:   the largest value
    """

    mean: Floats
    deviation: Floats
    lowest: Floats
    highest: Floats

    @property
    def has_spread(self) -> NDArray[np.bool_]:
        """Which columns have values that differ in their first 15 digits."""
        with np.errstate(over="ignore"):  # what is too large for a number is a spread too
            return np.asarray(self.highest - self.lowest > DIGITS_KEPT * self.largest)

    @property
    def largest(self) -> Floats:
        """The largest absolute value."""
        return np.maximum(np.abs(self.lowest), np.abs(self.highest))


def column_moments(matrix: Any) -> Moments:
    """The moments of every column, NaN left out.

    matrix: dense, or a csr_array, whose cells that are not stored count as zeros

    >>> moments = column_moments(np.array([[1e9 + 1, 5.0], [1e9 + 3, np.nan]]))
    >>> moments.mean.tolist(), moments.deviation.tolist(), moments.has_spread.tolist()
    ([1000000002.0, 5.0], [1.0, 0.0], [True, False])
    """
    return _sparse_moments(matrix) if is_sparse(matrix) else _dense_moments(matrix)


def _dense_moments(matrix: Floats) -> Moments:
    found = np.zeros((4, matrix.shape[1]))
    matrix = in_column_order(matrix)  # a sum has other bits where its numbers do not lie in one piece
    for place in range(matrix.shape[1]):
        values = matrix[:, place]
        known = values[~np.isnan(values)] if np.isnan(values.min()) else values
        if len(known):
            found[:, place] = _moments_of(known)
    return Moments(*found)


def _moments_of(known: Floats) -> tuple[float, float, float, float]:
    """The moments of one column that has values."""
    lowest, highest = known.min(), known.max()
    largest = max(-lowest, highest)
    factor = 1.0 if SMALLEST <= largest <= LARGEST else _size_factors(largest)
    scaled = known if factor == 1.0 else known * factor
    mean = scaled.mean()
    rest = scaled - mean
    left_over = rest.mean()
    variance = (rest * rest).mean() - left_over * left_over
    deviation = np.sqrt(max(variance, 0.0)) / factor
    # A mean lies between the ends, and so is exact where they are equal.
    mean = np.clip((mean + left_over) / factor, lowest, highest)
    return float(mean), float(deviation), float(lowest), float(highest)


def _sparse_moments(matrix: Any) -> Moments:
    """The same for all columns at once: there may be very many of them, with few cells in each."""
    n_rows = matrix.shape[0]
    cells, n_cells, n_missing = _known_cells(matrix)
    n_zeros = n_rows - n_missing - n_cells
    n_known = np.maximum(n_rows - n_missing, 1)
    is_filled = n_cells > 0
    starts = (np.cumsum(n_cells) - n_cells)[is_filled]

    def over_columns(step: np.ufunc, values: Floats) -> Floats:
        reduced = np.zeros(len(n_cells))
        if len(starts):
            reduced[is_filled] = step.reduceat(values, starts)
        return reduced

    lowest, highest = over_columns(np.minimum, cells), over_columns(np.maximum, cells)
    lowest = np.where(n_zeros > 0, np.minimum(lowest, 0.0), lowest)
    highest = np.where(n_zeros > 0, np.maximum(highest, 0.0), highest)
    factors = _size_factors(np.maximum(-lowest, highest))
    scaled = cells if (factors == 1.0).all() else cells * np.repeat(factors, n_cells)
    mean = over_columns(np.add, scaled) / n_known
    rest = scaled - np.repeat(mean, n_cells)
    left_over = (over_columns(np.add, rest) - n_zeros * mean) / n_known
    rest *= rest
    squares = over_columns(np.add, rest) + n_zeros * (mean * mean)
    variance = squares / n_known - left_over * left_over
    deviation = np.sqrt(np.maximum(variance, 0.0)) / factors
    mean = np.clip((mean + left_over) / factors, lowest, highest)
    return Moments(mean, deviation, lowest, highest)


def _known_cells(matrix: Any) -> tuple[Floats, Counts, Counts]:
    """The stored numbers column by column, and how many of each column are known and are missing."""
    by_column = matrix.tocsc()
    n_stored = np.diff(by_column.indptr)
    is_missing = np.isnan(by_column.data)
    if not is_missing.any():
        return by_column.data, n_stored, np.zeros_like(n_stored)
    columns = np.repeat(np.arange(len(n_stored)), n_stored)
    n_missing = np.bincount(columns[is_missing], minlength=len(n_stored))
    return by_column.data[~is_missing], n_stored - n_missing, n_missing


def _size_factors(largest: Floats) -> Floats:
    """Powers of 2 that bring columns of unusual size to one whose squares are numbers; 1 for the others."""
    is_unusual = (largest > LARGEST) | (largest < SMALLEST)
    exponents = np.where(is_unusual, np.clip(np.frexp(largest)[1], -MOST_DOUBLINGS, MOST_DOUBLINGS), 0)
    return np.ldexp(1.0, -exponents)
