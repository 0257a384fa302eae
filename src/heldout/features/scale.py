"""Columns moved to the origin and brought to the same size."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from heldout.errors import DataError
from heldout.features.invertible_transformer import InvertibleTransformer
from heldout.features.numbers.cells import refuse_overflow, with_cells
from heldout.features.numbers.column_lines import column_lines
from heldout.features.numbers.moments import Moments, column_moments
from heldout.features.numbers.scaling import (
    centered_and_divided,
    divided_cells,
    multiplied_and_moved,
    multiplied_cells,
)
from heldout.learners.description_length import number_bits
from heldout.learners.inputs.sparse_inputs import is_sparse
from heldout.learners.parameters import Parameter
from heldout.table.column import date_label, number_label

Floats = NDArray[np.float64]

SMALLEST = float(np.nextafter(0.0, 1.0))


class Scale(InvertibleTransformer):
    """Takes from each number the mean of its column, and divides it by the spread of its column.

    center:  whether the mean, with 1/N, is taken away. Of sparse data it is refused: no cell would stay 0
    by:      "variance" divides by the standard deviation, the root of the variance with 1/N, about the mean
             whether that is taken away or not; "max" divides by the largest absolute value, of the centered
             values where they are centered; None does not divide
    columns: names or positions of the columns to act on; None takes all numbers and dates

    A column without spread is divided by 1. That is one whose values agree in their first 15 digits: what
    double precision has after them may be rounding alone. With `by="max"` and without centering only a column
    of zeros has none. A missing value is left out in learning and stays missing; a column without any value
    has mean 0 and is divided by 1. Dates become numbers, and `inverse_transform` makes them dates again.

    After fit: center_ and scale_ (a number for each column that is acted on; zeros and ones where nothing is
    taken away or divided), columns_ (their positions), inputs_, n_rows_, n_features_in_, feature_names_in_.

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

    def _learn(self, matrix: Any, names: list[str], y: Any) -> None:
        if self.center and is_sparse(matrix):
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

    def _apply(self, matrix: Any, names: list[str]) -> Any:
        if is_sparse(matrix):
            self._refuse_sparse(matrix)
            made = with_cells(matrix, divided_cells(matrix, self.scale_))
        else:
            made = centered_and_divided(matrix, self.center_, self.scale_)
        refuse_overflow(matrix, made, names, "scaling")
        return made

    def _revert(self, matrix: Any, names: list[str]) -> Any:
        if is_sparse(matrix):
            self._refuse_sparse(matrix)
            made = with_cells(matrix, multiplied_cells(matrix, self.scale_))
        else:
            made = multiplied_and_moved(matrix, self.center_, self.scale_)
        refuse_overflow(matrix, made, names, "scaling back")
        return made

    def _refuse_sparse(self, matrix: Any) -> None:
        """Sparse data can be divided, and not moved."""
        if self.center_.any():
            raise _cannot_center(matrix)


def _farthest(moments: Moments, names: list[str]) -> Floats:
    """The largest distance from the mean in each column."""
    with np.errstate(over="ignore"):
        farthest = np.maximum(moments.highest - moments.mean, moments.mean - moments.lowest)
    if np.isinf(farthest).any():
        place = int(np.argmax(np.isinf(farthest)))
        raise DataError(
            "the distance from the mean is too large for double precision",
            where=f"column '{names[place]}', from {moments.lowest[place]:.6g} to"
            f" {moments.highest[place]:.6g}",
            fix="divide the column by 4 beforehand, or use by='variance'",
        )
    return farthest


def _cannot_center(matrix: Any) -> DataError:
    n_cells = matrix.shape[0] * matrix.shape[1]
    return DataError(
        "sparse data cannot be centered: hardly a cell would stay 0, and the matrix would fill up",
        where=f"a sparse matrix of shape {matrix.shape}; of {n_cells:,} cells {matrix.nnz:,} are stored",
        fix="use Scale(center=False), or X.toarray() if it fits into memory",
    )
