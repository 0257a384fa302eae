"""Numbers cut into intervals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from heldout.arrays import Floats
from heldout.errors import DataError
from heldout.features.cut_points import cuts_by_entropy, cuts_by_frequency, cuts_by_width, interval_positions
from heldout.features.number_transformer import MOST_COLUMNS, column_lines, room_beside
from heldout.features.transformer import ColumnwiseTransformer
from heldout.features.transformer_inputs import Entry
from heldout.features.transformer_outputs import short_list
from heldout.inputs.targets import check_lengths, class_codes
from heldout.learners.description_length import number_bits
from heldout.learners.parameters import Parameter
from heldout.learners.trees.tree_text import SECONDS_A_DAY
from heldout.table.column import NUMERIC_KINDS, Column, date_label, number_label
from heldout.text.words import plural
from heldout.types import PerRow

MOST_INTERVALS = 10_000
N_INTERVALS = 5


class Discretize(ColumnwiseTransformer):
    """Makes of each number or date the interval that it lies in.

    In a Table an interval is a category, whose levels are named "≤ 3.5", "> 3.5 to 7", "> 7", in this order.
    An array gets the position of the interval: 0, 1, …. A value on a cut lies in the interval below it, one
    outside of the training values in the first or the last interval. A missing value stays missing.

    Parameters
    ----------
    n
        how many intervals to make of a column. None makes 5 by width and by frequency, and as many as are
        accepted by entropy, where a number is the most that there may be: those cuts come first that gain
        most
    by
        "width": intervals of equal width between the smallest and the largest training value;
        "frequency": intervals with nearly equal numbers of training rows. The k-th cut leaves below it a
        number of rows nearest to k/n of all, rows of one value are never parted, and where a value has
        too many rows there are fewer intervals; "entropy": cuts that part the classes of y, as many as
        pay for themselves in bits (Fayyad and Irani 1993); of cuts that part them equally well the lowest
    columns
        names or positions of the columns to act on; None takes all numbers and dates

    Attributes
    ----------
    cuts_
        for each column that is acted on an array, ascending
    intervals_
        the names of the intervals of each
    columns_
        the positions of the columns
    inputs_
    n_rows_
    n_features_in_
    feature_names_in_

    Notes
    -----
    By frequency and by entropy a cut lies halfway between two values that occur, in 15 digits, so that 2.6
    lies on the one between 2.5 and 2.7. A column that is not cut, as all of its values are equal or no cut
    pays for itself, stays as one interval, "any value".

    Examples
    --------
    >>> import heldout as ho
    >>> table = ho.read_table({"wind": [5, 6, 6, 7, 8, 10, 11, 25], "play": list("yyyynnnn")})
    >>> discretize = Discretize(by="entropy").fit(table[["wind"]], table["play"])
    >>> print(discretize)
    wind  ≤ 7.5 | > 7.5
    >>> discretize.transform(table[["wind"]])["wind"].labels()[3:5]
    ['≤ 7.5', '> 7.5']
    """

    _acts_on = NUMERIC_KINDS
    _parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("n", choices=(None,), number="integer", lowest=2, highest=MOST_INTERVALS),
        Parameter(
            "by",
            choices=("width", "frequency", "entropy"),
            synonyms=(("uniform", "width"), ("quantile", "frequency"), ("mdl", "entropy")),
        ),
    )

    cuts_: tuple[Floats, ...]
    intervals_: tuple[tuple[str, ...], ...]

    def __init__(
        self, n: int | None = None, *, by: str = "width", columns: Sequence[str | int] | None = None
    ) -> None:
        self.n = n
        self.by = by
        self.columns = columns

    def description_bits(self) -> float:
        """How many bits it takes to write down what was learned.

        Half of log2 of the number of training rows for each cut, and one bit before each cut and after the
        last of a column, which says whether another one follows.
        """
        self._check_is_fitted()
        n_cuts = sum(len(cuts) for cuts in self.cuts_)
        return n_cuts * (1.0 + number_bits(self.n_rows_)) + len(self.cuts_)

    def to_text(self) -> str:
        """The intervals of each column, and why a column has only one."""
        self._check_is_fitted()
        why = "no cut pays for its bits" if self.by == "entropy" else "no two values to cut between"
        names = [self.inputs_.columns[index].name for index in self.columns_]
        room = room_beside(names)
        texts = [
            short_list(found, room, plural(len(found), "interval"), " | ")
            if len(found) > 1
            else f"{found[0]} ({why})"
            for found in self.intervals_[:MOST_COLUMNS]
        ]
        return "\n".join(column_lines(names, texts)) or "no column to cut"

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = self.by == "entropy"
        return tags

    def _learn(self, columns: list[Column], y: PerRow) -> None:
        classes = self._classes(y, len(columns[0])) if self.by == "entropy" and columns else None
        known = [~column.is_missing for column in columns]
        values = [np.asarray(column.values)[here] for column, here in zip(columns, known, strict=True)]
        self.cuts_ = tuple(
            [
                self._cuts(numbers, None if classes is None else classes[here])
                for numbers, here in zip(values, known, strict=True)
            ]
        )
        self.intervals_ = tuple(
            [
                interval_names(cuts, numbers, column.kind)
                for cuts, numbers, column in zip(self.cuts_, values, columns, strict=True)
            ]
        )

    def _cuts(self, known: Floats, classes: NDArray[np.uint32] | None) -> Floats:
        if classes is not None:
            return cuts_by_entropy(known, classes, None if self.n is None else int(self.n))
        n = N_INTERVALS if self.n is None else int(self.n)
        return cuts_by_width(known, n) if self.by == "width" else cuts_by_frequency(known, n)

    def _classes(self, y: PerRow, n_rows: int) -> NDArray[np.uint32]:
        """The classes as codes; numbers that are no classes are refused."""
        if y is None:
            raise DataError(
                f"{type(self).__name__}(by='entropy') requires y to be passed, but the target y is None",
                where="fit(X, y), y=None",
                fix="hand over the classes, or use by='width' or by='frequency', which do not look at y",
            )
        if isinstance(y, Column) and y.kind == "date":
            raise _no_classes(f"column '{y.name}' is of the kind date")
        try:
            _, codes = class_codes(self, y)
        except ValueError as error:
            if "Unknown label type" not in str(error):
                raise
            raise _no_classes(str(error)) from error
        check_lengths(n_rows, codes)
        return codes

    def _apply(self, columns: list[Column]) -> list[list[Column]]:
        learned = zip(columns, self.cuts_, self.intervals_, strict=True)
        return [
            [
                Column(
                    column.name,
                    "category",
                    interval_positions(np.asarray(column.values), cuts),
                    names,
                    f"intervals of a {column.kind}",
                )
            ]
            for column, cuts, names in learned
        ]

    def _names_of(self, names: list[str]) -> list[list[str]]:
        return [[name] for name in names]

    def _leaving(self, entry: Entry) -> list[Column]:
        leaving = super()._leaving(entry)
        if entry.form == "table":
            return leaving
        acted = set(self.columns_.tolist())
        return [_as_positions(column) if index in acted else column for index, column in enumerate(leaving)]


def _as_positions(column: Column) -> Column:
    positions = np.where(column.values < 0, np.nan, column.values.astype(np.float64))
    return Column(column.name, "number", positions)


def _no_classes(what: str) -> DataError:
    return DataError(
        f"by='entropy' parts classes, and y holds numbers: {what}",
        where="fit(X, y), y",
        fix="use by='width' or by='frequency', which do not look at y, or make classes of y first",
    )


ANY_VALUE = "any value"
# What numbers that were written by hand and their middles have: such a cut is shown as it is.
FEW_DIGITS = 9
# How far a cut may be from what is shown of it, as a part of the narrowest interval.
NEAR = 1e-4


def interval_names(cuts: NDArray[np.float64], known: NDArray[np.float64], kind: str) -> tuple[str, ...]:
    """The intervals in words, all different, in order; the upper end belongs to an interval, the lower not.

    A cut of few digits is shown with all of them, any other with six, or as many more as it takes to be near
    it and between the training values on both of its sides.

    known: the training values that were cut, without gaps
    kind:  "number" or "date"
    """
    if not len(cuts):
        return (ANY_VALUE,)
    ends = _shown_cuts(cuts, np.sort(known), kind)
    between = [f"> {lower} to {upper}" for lower, upper in pairwise(ends)]
    return (f"≤ {ends[0]}", *between, f"> {ends[-1]}")


def _shown_cuts(cuts: NDArray[np.float64], known: NDArray[np.float64], kind: str) -> list[str]:
    """The cuts rounded; where two would look the same, with all digits."""
    above = np.searchsorted(known, cuts, side="right")
    numbers, gaps = cuts.tolist(), list(zip(known[above - 1].tolist(), known[above].tolist(), strict=True))
    if kind == "date":
        has_times = bool((known != np.floor(known)).any())
        rounded = [_shown_date(cut, gap, has_times) for cut, gap in zip(numbers, gaps, strict=True)]
    else:
        near = float(np.diff(np.array([known[0], *numbers, known[-1]]) / 2).min()) * 2 * NEAR
        rounded = [_shown_number(cut, gap, near) for cut, gap in zip(numbers, gaps, strict=True)]
    ways = [
        rounded,
        [date_label(cut) if kind == "date" else number_label(cut) for cut in numbers],
        [number_label(cut) for cut in numbers],
    ]
    return next(shown for shown in ways if len(set(shown)) == len(numbers))


def _shown_number(cut: float, gap: tuple[float, float], near: float) -> str:
    """A cut that has few digits with all of them, any other with as few as do.

    gap:  the training values on both sides, between which what is shown stays
    near: how far what is shown may be from the cut
    """
    for digits, most in ((FEW_DIGITS, 2e-15 * abs(cut)), (6, near), (9, near), (12, near), (15, near)):
        rounded = float(f"{cut:.{digits}g}")
        if gap[0] <= rounded < gap[1] and abs(rounded - cut) <= most:
            return number_label(rounded)
    return number_label(cut)


def _shown_date(cut: float, gap: tuple[float, float], has_times: bool) -> str:
    """The day of a cut between days, and the second of one between times of day."""
    rounded = round(cut * SECONDS_A_DAY) / SECONDS_A_DAY if has_times else math.floor(cut)
    return date_label(rounded if gap[0] <= rounded < gap[1] else cut)
