"""Columns that hardly vary are dropped."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from heldout.errors import DataError
from heldout.features.column_pruner import ColumnPruner, numbers_at
from heldout.features.transformer_inputs import Entry
from heldout.learners.parameters import Parameter
from heldout.table.column import NUMERIC_KINDS, number_label
from heldout.text.words import plural


class DropLowVariance(ColumnPruner):
    """Drops columns whose variance in the training rows is not above a threshold.

    The variance is the mean of the squared distances to the mean (1/N), over known values. It acts on
    numbers, dates (in days) and booleans (0 and 1). The variance of a column whose values are all equal is 0
    exactly, and one near the threshold is judged by exact arithmetic: rounding decides nothing. Variances
    depend on the unit: in millimeters a column varies a million times as much as in meters.

    Parameters
    ----------
    threshold
        of at least 0. A 0/1 column that is 1 in a share p of the rows has the variance p(1 - p)
    columns
        names or positions; left out, all that it is for

    Attributes
    ----------
    variances_
        of each column that is acted on
    kept_
    dropped_
        a record with name, found and reason for each
    columns_
    inputs_
    n_rows_
    n_features_in_
    feature_names_in_

    Notes
    -----
    A column without a known value is dropped. If no column would be left, that is an error.

    Examples
    --------
    >>> rows = np.array([[0.1, 1.0], [0.1, 2.0], [0.1, 4.0]])
    >>> pruned = DropLowVariance().fit(rows)
    >>> print(pruned)
    1 of 2 columns dropped, judged by 3 training rows
      x0  always 0.1
    >>> pruned.variances_.round(3)
    array([0.   , 1.556])
    """

    _acts_on = (*NUMERIC_KINDS, "boolean")
    _parameters: ClassVar[tuple[Parameter, ...]] = (Parameter("threshold", number="number", lowest=0),)

    variances_: NDArray[np.float64]

    def __init__(self, threshold: float = 0.0, *, columns: Sequence[str | int] | None = None) -> None:
        self.threshold = threshold
        self.columns = columns

    def _reasons(self, entry: Entry, chosen: NDArray[np.intp]) -> list[str]:
        spreads = _spreads(entry, chosen)
        self.variances_ = np.array([spread.variance for spread in spreads], dtype=np.float64)
        return [self._reason(spread) for spread in spreads]

    def _reason(self, spread: Spread) -> str:
        if not spread.is_known:
            return "no known value"
        if spread.low == spread.high:
            return f"always {number_label(spread.low)}"
        if not spread.is_above(float(self.threshold)):
            return f"variance {spread.variance:.6g}, not above {float(self.threshold):.6g}"
        return ""

    def _measured(self) -> list[float]:
        measured: list[float] = self.variances_.tolist()
        return measured

    def _no_column(self, n_rows: int) -> DataError:
        one = " (X contains only one sample)" if n_rows == 1 else ""
        known = self.variances_[~np.isnan(self.variances_)]
        largest = f"the largest variance {known.max():.6g}" if len(known) else "none with a known value"
        return DataError(
            f"No feature in X meets the variance threshold {float(self.threshold):.5f}{one}",
            where=f"{plural(len(self.variances_), 'column')} of {plural(n_rows, 'training row')}, {largest}",
            fix="use a smaller threshold, or leave the step out",
        )


def _spreads(entry: Entry, chosen: NDArray[np.intp]) -> list[Spread]:
    if entry.form != "sparse":
        return [spread_of(numbers_at(entry, index)) for index in chosen.tolist()]
    by_column = entry.matrix.tocsc()
    begins, ends = by_column.indptr[:-1], by_column.indptr[1:]
    return [
        spread_of(
            by_column.data[begins[index] : ends[index]], entry.n_rows - int(ends[index] - begins[index])
        )
        for index in chosen.tolist()
    ]


# Far more than the rounding of a variance; far less than users distinguish.
NEAR = 1e-6
# Below it squares lose digits.
TINY = 1e-280
SMALLEST = float(np.nextafter(0.0, 1.0))


@dataclass(frozen=True, eq=False)
class Spread:
    """The spread of numbers.

    known:    those that are known, without the zeros
    n_zeros:  how many zeros there are besides, as a sparse matrix has them
    low:      the smallest, NaN if there is none
    high:     the largest
    variance: 1/N, rounded; 0 exactly if all are equal, infinite if it is beyond the largest float
    """

    known: NDArray[np.float64]
    n_zeros: int
    low: float
    high: float
    variance: float

    @property
    def is_known(self) -> bool:
        return len(self.known) + self.n_zeros > 0

    def is_above(self, threshold: float) -> bool:
        """Whether the variance is larger."""
        if self.low == self.high or threshold == 0.0:
            return self.low != self.high
        is_near = abs(self.variance - threshold) <= NEAR * threshold
        if is_near or max(self.variance, threshold) < TINY:
            return self._exact() > Fraction(threshold)
        return self.variance > threshold

    def _exact(self) -> Fraction:
        distinct, counts = np.unique(self.known, return_counts=True)
        pairs = [
            (Fraction(number), count)
            for number, count in zip(distinct.tolist(), counts.tolist(), strict=True)
        ]
        n_numbers = len(self.known) + self.n_zeros
        mean = sum((number * count for number, count in pairs), Fraction(0)) / n_numbers
        squares = sum(((number - mean) ** 2 * count for number, count in pairs), mean**2 * self.n_zeros)
        return squares / n_numbers


def spread_of(numbers: NDArray[np.float64], n_zeros: int = 0) -> Spread:
    """The spread of the numbers that are known.

    numbers: finite, NaN for missing
    n_zeros: how many zeros there are besides
    """
    known = np.ascontiguousarray(numbers[~np.isnan(numbers)])
    if not len(known):
        edge = 0.0 if n_zeros else np.nan
        return Spread(known, n_zeros, edge, edge, edge)
    low, high = float(known.min()), float(known.max())
    if n_zeros:
        low, high = min(low, 0.0), max(high, 0.0)
    variance = 0.0 if low == high else max(_variance(known, n_zeros), SMALLEST)
    return Spread(known, n_zeros, low, high, variance)


def _variance(known: NDArray[np.float64], n_zeros: int) -> float:
    """Two passes, and what rounding of the mean left over taken off."""
    n_numbers = len(known) + n_zeros
    with np.errstate(over="ignore", invalid="ignore"):
        center = float(known.sum()) / n_numbers
        distances = known - center
        squares = float(np.square(distances).sum()) + n_zeros * center * center
        left_over = (float(distances.sum()) - n_zeros * center) / n_numbers
        variance = squares / n_numbers - left_over * left_over
    return variance if np.isfinite(variance) else np.inf
