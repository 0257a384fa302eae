"""Columns that are seen in too few rows, or in nearly all of them, are dropped."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from numbers import Integral
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from heldout.errors import DataError, HeldoutError
from heldout.features.column_pruner import ColumnPruner, numbers_at
from heldout.features.transformer_inputs import Entry
from heldout.learners.parameters import Parameter, refusal
from heldout.text.words import plural
from heldout.types import PerRow

MIN_COUNT = Parameter("min_count", number="number", lowest=0)
MAX_COUNT = Parameter("max_count", choices=(None,), number="number", is_not_0=True)


class DropRare(ColumnPruner):
    """Drops columns that are seen in too few training rows, or in too many.

    A column is seen in a row where its value is known and not 0; a boolean, where it is true. It acts on
    numbers and booleans; dates and all others pass. On a text of words as columns this leaves out words that
    a learner cannot learn anything from, and those that stand in every document.

    Parameters
    ----------
    min_count
        drop columns that are seen in fewer rows: an integer of at least 0, or a share of the training
        rows, above 0 and below 1. A share is taken as it is written in decimals, and not rounded: 0.07 of
        100 rows is 7, and of 10 rows 0.7, so a column that is seen once stays
    max_count
        drop columns that are seen in more rows: an integer, a share as above, or -K for "all but K": more
        than the number of training rows less K. -1 drops columns that are seen in every row. None drops
        none
    columns
        names or positions; left out, all that it is for

    Attributes
    ----------
    n_seen_
        in how many rows each column that is acted on is seen
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
    If no column would be left, that is an error.

    Examples
    --------
    >>> words = np.array([[1, 1, 0], [1, 0, 0], [2, 1, 1], [1, 0, 0]])
    >>> pruned = DropRare(min_count=2, max_count=-1).fit(words)
    >>> print(pruned)
    2 of 3 columns dropped, judged by 4 training rows
      x0  seen in 4 of 4 rows, more than 3
      x2  seen in 1 of 4 rows, fewer than 2
    >>> pruned.transform(words[:2])
    array([[1.],
           [0.]])
    """

    _acts_on = ("number", "boolean")
    _parameters: ClassVar[tuple[Parameter, ...]] = (MIN_COUNT, MAX_COUNT)

    n_seen_: NDArray[np.int64]

    def __init__(
        self,
        min_count: float = 2,
        max_count: float | None = None,
        *,
        columns: Sequence[str | int] | None = None,
    ) -> None:
        self.min_count = min_count
        self.max_count = max_count
        self.columns = columns

    def _learn_from(self, entry: Entry, chosen: NDArray[np.intp], y: PerRow) -> None:
        _check_share(MIN_COUNT, self.min_count)
        _check_share(MAX_COUNT, self.max_count)
        super()._learn_from(entry, chosen, y)

    def _reasons(self, entry: Entry, chosen: NDArray[np.intp]) -> list[str]:
        self.n_seen_ = _rows_seen(entry, chosen)
        fewest, most = self._bounds(entry.n_rows)
        seen_in = f"of {plural(entry.n_rows, 'row')}"
        return [
            f"seen in {n_seen:,} {seen_in}, fewer than {fewest:,}"
            if n_seen < fewest
            else f"seen in {n_seen:,} {seen_in}, more than {most:,}"
            if n_seen > most
            else ""
            for n_seen in self.n_seen_.tolist()
        ]

    def _measured(self) -> list[int]:
        measured: list[int] = self.n_seen_.tolist()
        return measured

    def _bounds(self, n_rows: int) -> tuple[int, int]:
        """The fewest and the most rows in which a column may be seen."""
        fewest = math.ceil(_rows(self.min_count, n_rows))
        if self.max_count is None:
            return fewest, n_rows
        most = math.floor(_rows(self.max_count, n_rows))
        return fewest, most if self.max_count > 0 else n_rows + most

    def _no_column(self, n_rows: int) -> DataError:
        fewest, most = self._bounds(n_rows)
        one = " (X contains only one sample)" if n_rows == 1 else ""
        return DataError(
            f"No feature in X is seen in {fewest:,} to {most:,} rows{one}",
            where=f"{plural(len(self.n_seen_), 'column')} of {plural(n_rows, 'training row')}, seen in"
            f" {int(self.n_seen_.min()):,} to {int(self.n_seen_.max()):,} of them",
            fix="use a smaller min_count or a larger max_count, or leave the step out",
        )


def _rows_seen(entry: Entry, chosen: NDArray[np.intp]) -> NDArray[np.int64]:
    if entry.form == "sparse":
        is_seen = (entry.matrix.data != 0) & ~np.isnan(entry.matrix.data)
        counts = np.bincount(entry.matrix.indices[is_seen], minlength=len(entry.schema.columns))
        return counts[chosen].astype(np.int64)
    counts = np.zeros(len(chosen), dtype=np.int64)
    for each, index in enumerate(chosen.tolist()):
        numbers = numbers_at(entry, index)
        counts[each] = np.count_nonzero(numbers) - np.count_nonzero(np.isnan(numbers))
    return counts


def _rows(count: float, n_rows: int) -> Fraction:
    """A count as it is, or a share of the rows, of which every digit is meant as it is written."""
    return Fraction(int(count)) if isinstance(count, Integral) else Fraction(repr(float(count))) * n_rows


def _check_share(parameter: Parameter, count: float | None) -> None:
    """A number that is no integer is a share."""
    if count is None or isinstance(count, Integral) or 0 < count < 1:
        return
    error: HeldoutError = refusal("DropRare", parameter, count)
    raise type(error)(
        f"{parameter.name} must be an integer, or a share of the rows above 0 and below 1",
        where=error.where,
        fix=f"write {count:.0f} for a number of rows, or a share as 0.01",
    )
