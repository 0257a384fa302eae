"""Columns moved to the origin and brought to the same size."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from heldout.arrays import Floats
from heldout.errors import DataError
from heldout.features.number_transformer import InvertibleTransformer, column_lines
from heldout.features.numeric_cells import refuse_overflow, with_cells
from heldout.features.transformer_inputs import in_column_order
from heldout.inputs.array_checks import is_free_of_infinity
from heldout.learners.description_length import number_bits
from heldout.learners.parameters import Parameter
from heldout.table.column import date_label, number_label
from heldout.types import Matrix, PerRow, SparseMatrix

SMALLEST = float(np.nextafter(0.0, 1.0))


class Scale(InvertibleTransformer):
    """Takes from each number the mean of its column, and divides it by the spread of its column.

    Parameters
    ----------
    center
        whether the mean, with 1/N, is taken away. Of sparse data it is refused: no cell would stay 0
    by
        "variance" divides by the standard deviation, the root of the variance with 1/N, about the mean
        whether that is taken away or not; "max" divides by the largest absolute value, of the centered
        values where they are centered; None does not divide
    columns
        names or positions of the columns to act on; None takes all numbers and dates

    Attributes
    ----------
    center_
        and `scale_` (a number for each column that is acted on; zeros and ones where nothing is taken
        away or divided)
    columns_
        their positions
    inputs_
    n_rows_
    n_features_in_
    feature_names_in_

    Notes
    -----
    A column without spread is divided by 1. That is one whose values agree in their first 15 digits: what
    double precision has after them may be rounding alone. With `by="max"` and without centering only a column
    of zeros has none. A missing value is left out in learning and stays missing; a column without any value
    has mean 0 and is divided by 1. Dates become numbers, and `inverse_transform` makes them dates again.

    Examples
    --------
    >>> import heldout as ho
    >>> table = ho.read_table({"age": [20, 30, 40], "city": ["Ulm", "Bonn", "Ulm"]})
    >>> scale = Scale(by="max").fit(table)
    >>> print(scale)
    age  (x - 30) / 10
    >>> scale.transform(table)["age"].values.tolist()
    [-1.0, 0.0, 1.0]
    """

    _takes_sparse = True
    _parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("center", choices=(True, False)),
        Parameter(
            "by",
            choices=("variance", "max", None),
            synonyms=(("std", "variance"), ("standard", "variance"), ("absolute", "max"), ("maxabs", "max")),
        ),
    )

    center_: Floats
    scale_: Floats

    def __init__(
        self,
        *,
        center: bool = True,
        by: str | None = "variance",
        columns: Sequence[str | int] | None = None,
    ) -> None:
        self.center = center
        self.by = by
        self.columns = columns

    def description_bits(self) -> float:
        """How many bits it takes to write down what was learned.

        Half of log2 of the number of training rows for each mean and for each divisor.
        """
        self._check_is_fitted()
        n_numbers = len(self.columns_) * (bool(self.center) + (self.by is not None))
        return n_numbers * number_bits(self.n_rows_)

    def to_text(self) -> str:
        """What is done to each column; a date is counted in days."""
        self._check_is_fitted()
        learned = zip(self._acted_kinds, self.center_.tolist(), self.scale_.tolist(), strict=True)
        lines = column_lines(self._acted_names, [self._step(*each) for each in learned])
        return "\n".join(lines) or "no column to scale"

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = not self.center
        return tags

    def _step(self, kind: str, center: float, scale: float) -> str:
        """What is done to a column, in words of arithmetic."""
        is_date = kind == "date"
        shown = date_label(center) if is_date else number_label(float(f"{abs(center):.6g}"))
        centered = f"x {'+' if center < 0 and not is_date else '-'} {shown}" if self.center else "x"
        if self.by is None:
            return centered
        divisor = number_label(float(f"{scale:.6g}")) + (" days" if is_date else "")
        return f"({centered}) / {divisor}" if self.center else f"x / {divisor}"

    def _learn(self, matrix: Matrix, names: list[str], y: PerRow) -> None:
        if self.center and not isinstance(matrix, np.ndarray):
            raise _cannot_center(matrix)
        moments = column_moments(matrix)
        n_columns = len(names)
        self.center_ = moments.mean if self.center else np.zeros(n_columns)
        self.scale_ = self._divisors(moments, names)

    def _divisors(self, moments: Moments, names: list[str]) -> Floats:
        if self.by is None:
            return np.ones(len(names))
        if self.by == "max" and not self.center:
            return np.where(moments.largest > 0, moments.largest, 1.0)
        spread = _farthest(moments, names) if self.by == "max" else moments.deviation
        # The smallest numbers that there are may have a spread that is smaller still.
        return np.where(moments.has_spread, np.maximum(spread, SMALLEST), 1.0)

    def _apply(self, matrix: Matrix, names: list[str]) -> Matrix:
        made: Matrix
        if isinstance(matrix, np.ndarray):
            made = centered_and_divided(matrix, self.center_, self.scale_)
        else:
            self._refuse_sparse(matrix)
            made = with_cells(matrix, divided_cells(matrix, self.scale_))
        refuse_overflow(matrix, made, names, "scaling")
        return made

    def _revert(self, matrix: Matrix, names: list[str]) -> Matrix:
        made: Matrix
        if isinstance(matrix, np.ndarray):
            made = multiplied_and_moved(matrix, self.center_, self.scale_)
        else:
            self._refuse_sparse(matrix)
            made = with_cells(matrix, multiplied_cells(matrix, self.scale_))
        refuse_overflow(matrix, made, names, "scaling back")
        return made

    def _refuse_sparse(self, matrix: SparseMatrix) -> None:
        """Sparse data can be divided, and not moved."""
        if self.center_.any():
            raise _cannot_center(matrix)


def _farthest(moments: Moments, names: list[str]) -> Floats:
    """The largest distance from the mean in each column."""
    with np.errstate(over="ignore"):
        farthest = np.maximum(moments.highest - moments.mean, moments.mean - moments.lowest)
    if np.isinf(farthest).any():
        index = int(np.argmax(np.isinf(farthest)))
        raise DataError(
            "the distance from the mean is too large for double precision",
            where=f"column '{names[index]}', from {moments.lowest[index]:.6g} to"
            f" {moments.highest[index]:.6g}",
            fix="divide the column by 4 beforehand, or use by='variance'",
        )
    return farthest


def _cannot_center(matrix: SparseMatrix) -> DataError:
    n_cells = matrix.shape[0] * matrix.shape[1]
    return DataError(
        "sparse data cannot be centered: hardly a cell would stay 0, and the matrix would fill up",
        where=f"a sparse matrix of shape {matrix.shape}, {len(matrix.data):,} of {n_cells:,} cells stored",
        fix="use Scale(center=False), or X.toarray() if it fits into memory",
    )


# So many numbers stay in the cache from the first step to the second.
NUMBERS_PER_BLOCK = 1 << 14


def centered_and_divided(matrix: Floats, center: Floats, scale: Floats) -> Floats:
    """(x - center) / scale of each column, in an array of the same order."""
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
    """x * scale + center of each column, in an array of the same order."""
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


def divided_cells(matrix: SparseMatrix, scale: Floats) -> Floats:
    """The stored cells of a csr_array, each divided by the number of its column."""
    with np.errstate(over="ignore"):
        return np.asarray(matrix.data / scale.take(matrix.indices))


def multiplied_cells(matrix: SparseMatrix, scale: Floats) -> Floats:
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


Counts = NDArray[np.integer]

# Double precision keeps 15 digits of any number. What differs only after them may differ by rounding alone.
DIGITS_KEPT = 1e-15
# Sums of squares of numbers between these neither overflow nor vanish.
SMALLEST_SPREAD, LARGEST = 1e-100, 1e100
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


def column_moments(matrix: Matrix) -> Moments:
    """The moments of every column, NaN left out.

    matrix: dense, or a csr_array, whose cells that are not stored count as zeros
    """
    return _dense_moments(matrix) if isinstance(matrix, np.ndarray) else _sparse_moments(matrix)


def _dense_moments(matrix: Floats) -> Moments:
    found = np.zeros((4, matrix.shape[1]))
    matrix = in_column_order(matrix)  # a sum has other bits where its numbers do not lie in one piece
    for index in range(matrix.shape[1]):
        values = matrix[:, index]
        known = values[~np.isnan(values)] if np.isnan(values.min()) else values
        if len(known):
            found[:, index] = _moments_of(known)
    return Moments(*found)


def _moments_of(known: Floats) -> tuple[float, float, float, float]:
    """The moments of one column that has values."""
    lowest, highest = known.min(), known.max()
    largest = max(-lowest, highest)
    factor = 1.0 if SMALLEST_SPREAD <= largest <= LARGEST else _size_factors(largest)
    scaled = known if factor == 1.0 else known * factor
    mean = scaled.mean()
    rest = scaled - mean
    left_over = rest.mean()
    variance = (rest * rest).mean() - left_over * left_over
    deviation = np.sqrt(max(variance, 0.0)) / factor
    # A mean lies between the ends, and so is exact where they are equal.
    mean = np.clip((mean + left_over) / factor, lowest, highest)
    return float(mean), float(deviation), float(lowest), float(highest)


def _sparse_moments(matrix: SparseMatrix) -> Moments:
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


def _known_cells(matrix: SparseMatrix) -> tuple[Floats, Counts, Counts]:
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
    is_unusual = (largest > LARGEST) | (largest < SMALLEST_SPREAD)
    exponents = np.where(is_unusual, np.clip(np.frexp(largest)[1], -MOST_DOUBLINGS, MOST_DOUBLINGS), 0)
    return np.ldexp(1.0, -exponents)
