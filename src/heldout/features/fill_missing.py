"""Missing values filled by what is typical of their column in the training rows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from heldout.arrays import Floats
from heldout.errors import InputTypeError, RequestError
from heldout.features.transformer import ColumnwiseTransformer
from heldout.features.transformer_inputs import Entry
from heldout.inputs.mixed_arrays import meaning
from heldout.learners.description_length import number_bits
from heldout.learners.parameters import Parameter
from heldout.table.column import LEVEL_KINDS, NUMERIC_KINDS, Column, date_label, number_label, sort_levels
from heldout.text.layout import align_cells
from heldout.text.words import plural, shorten
from heldout.types import PerRow, SparseMatrix, TableLike

SYNONYMS = (("most_frequent", "mode"), ("average", "mean"), ("value", "constant"))

MOST_SHOWN = 50


class FillMissing(ColumnwiseTransformer):
    """Every gap gets a number or a level that is typical of its column in the training rows.

    It acts on numbers, dates, categories and booleans; texts and identifiers pass. What fills a column is
    learned from the training rows, whether or not they have a gap.

    Parameters
    ----------
    numbers
        "mean", "median" (of an even number the mean of the middle two), "mode" (the most frequent, of
        equals the smallest) or "constant". Dates are filled in the same way, but for "constant", which
        says nothing of dates: they get their median
    number
        the constant for numbers
    categories
        "mode" (the most frequent level, of equals the first in order), or "constant". A boolean always
        gets its mode: with a third word it would be none
    level
        the constant for categories, a level of its own that is added where there is a gap
    indicators
        whether a boolean column "age is missing" stands behind each column that has a gap in the training
        rows; in an array it is a column of 0 and 1. A column without one then has none later
    columns
        names or positions; left out, all that it is for

    Attributes
    ----------
    fills_
        a number or a level for each column that is acted on
    n_missing_
        gaps of each in the training rows
    has_indicator_
    never_known_
        names
    columns_
    inputs_
    n_rows_
    n_features_in_
    feature_names_in_

    Notes
    -----
    A column that is known in no training row is named in `never_known_`: a number or date gets 0 (or `number`
    if numbers="constant"), a category `level`, a boolean false. Of a sparse matrix cells that are not stored
    are known zeros, and gaps are cells that are stored as NaN.

    Examples
    --------
    >>> import heldout as ho
    >>> people = ho.read_table({"age": [41, None, 29, 30], "paid": ["card", "cash", None, "cash"]})
    >>> filled = FillMissing(numbers="median", indicators=True).fit(people)
    >>> print(filled)
    fills learned from 4 rows
      age   30    median, 1 missing, with an indicator
      paid  cash  mode, 1 missing, with an indicator
    >>> filled.transform(people[1:2])["age is missing"].labels()
    ['true']
    """

    _acts_on = (*NUMERIC_KINDS, *LEVEL_KINDS)
    _takes_sparse = True
    _takes_words = True
    _parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("numbers", choices=("mean", "median", "mode", "constant"), synonyms=SYNONYMS),
        Parameter("number", number="number"),
        Parameter("categories", choices=("mode", "constant"), synonyms=SYNONYMS),
        Parameter("indicators", choices=(True, False)),
    )

    fills_: tuple[float | str, ...]
    n_missing_: NDArray[np.int64]
    has_indicator_: NDArray[np.bool_]
    never_known_: tuple[str, ...]

    def __init__(
        self,
        *,
        numbers: str = "mean",
        number: float = 0.0,
        categories: str = "mode",
        level: str = "missing",
        indicators: bool = False,
        columns: Sequence[str | int] | None = None,
    ) -> None:
        self.numbers = numbers
        self.number = number
        self.categories = categories
        self.level = level
        self.indicators = indicators
        self.columns = columns

    def description_bits(self) -> float:
        """How many bits it takes to write the fills down.

        Half of log2 of the number of training rows for each number that was learned, log2 of the number of
        levels for each level, and one bit for each column if there may be indicators. What was given as a
        constant costs nothing.
        """
        self._check_is_fitted()
        bits = [float(len(self.columns_))] if self.indicators else []
        for index, name in zip(self.columns_.tolist(), self._acted_names(), strict=True):
            column = self.inputs_.columns[index]
            if name in self.never_known_ or self._how(column.kind) == "constant":
                continue
            is_number = column.kind in NUMERIC_KINDS
            bits.append(number_bits(self.n_rows_) if is_number else math.log2(max(len(column.levels), 1)))
        return math.fsum(bits)

    def to_text(self) -> str:
        """What fills each column, of the first fifty."""
        self._check_is_fitted()
        names = self._acted_names()
        shown = range(min(len(names), MOST_SHOWN))
        lines = [f"fills learned from {plural(self.n_rows_, 'row')}"]
        rows = [
            (
                shorten(names[each], 40),
                shorten(self._fill_label(each), 40),
                self._story(each, names[each]),
            )
            for each in shown
        ]
        lines += align_cells(rows) if rows else ["  no column to fill"] if not names else []
        if len(names) > len(shown):
            lines.append(f"  and {plural(len(names) - len(shown), 'more column')}")
        return "\n".join(lines)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = not self.indicators
        return tags

    def _acted_names(self) -> list[str]:
        return [self.inputs_.names[index] for index in self.columns_]

    def _fill_label(self, each: int) -> str:
        fill = self.fills_[each]
        if isinstance(fill, str):
            return fill
        is_date = self.inputs_.columns[self.columns_[each]].kind == "date"
        return date_label(fill) if is_date else number_label(float(f"{fill:.6g}"))

    def _story(self, each: int, name: str) -> str:
        how = self._how(self.inputs_.columns[self.columns_[each]].kind)
        words = ["no known value in the training rows"] if name in self.never_known_ else [how]
        n_missing = int(self.n_missing_[each])
        words.append(f"{n_missing:,} missing" if n_missing else "none missing")
        if self.has_indicator_[each]:
            words.append("with an indicator")
        return ", ".join(words)

    def _how(self, kind: str) -> str:
        """What fills a column of this kind."""
        if kind == "boolean":
            return "mode"
        if kind == "category":
            return self.categories
        return "median" if kind == "date" and self.numbers == "constant" else self.numbers

    def _learn_from(self, entry: Entry, chosen: NDArray[np.intp], y: PerRow) -> None:
        _check_level(self.level)
        if entry.form == "sparse":
            self._learn_sparse(entry, chosen)
        else:
            super()._learn_from(entry, chosen, y)

    def _learn(self, columns: list[Column], y: PerRow) -> None:
        self.fills_ = tuple([self._fill_of(column) for column in columns])
        self.n_missing_ = np.array([column.n_missing for column in columns], dtype=np.int64)
        self.has_indicator_ = (self.n_missing_ > 0) & self.indicators
        self.never_known_ = tuple([column.name for column in columns if column.n_missing == len(column)])

    def _learn_sparse(self, entry: Entry, chosen: NDArray[np.intp]) -> None:
        if self.indicators:
            raise _no_indicators(entry)
        if self.numbers == "constant":
            self.fills_ = (float(self.number),) * len(chosen)
        else:
            self.fills_ = tuple(typical_of_sparse(entry.matrix, chosen, self.numbers))
        self.n_missing_ = sparse_gaps(entry.matrix)[chosen]
        self.has_indicator_ = np.zeros(len(chosen), dtype=np.bool_)
        unknown = chosen[self.n_missing_ == entry.n_rows].tolist()
        self.never_known_ = tuple([entry.schema.names[index] for index in unknown])

    def _fill_of(self, column: Column) -> float | str:
        how, is_number = self._how(column.kind), column.kind in NUMERIC_KINDS
        if how == "constant":
            return float(self.number) if is_number else self.level
        if column.n_missing < len(column):
            # In one piece, as a selection is: a sum has other bits where its numbers lie apart.
            known = column.values[~column.is_missing] if column.n_missing else column.values.copy()
            return typical_number(known, how) if is_number else _most_frequent(known, column.levels)
        if is_number:
            return 0.0
        return false_level(column.levels) if column.kind == "boolean" else self.level

    def _names_of(self, names: list[str]) -> list[list[str]]:
        pairs = zip(names, self.has_indicator_.tolist(), strict=True)
        return [[name, gap_name(name)] if has_indicator else [name] for name, has_indicator in pairs]

    def _apply(self, columns: list[Column]) -> list[list[Column]]:
        made = zip(columns, self.fills_, self.has_indicator_.tolist(), strict=True)
        return [
            [filled_column(column, fill), gap_column(column)]
            if has_indicator
            else [filled_column(column, fill)]
            for column, fill, has_indicator in made
        ]

    def _leaving(self, entry: Entry) -> list[Column]:
        leaving = super()._leaving(entry)
        if entry.form == "table":
            return leaving
        # An array has no booleans but our indicators.
        return [
            Column(each.name, "number", each.values.astype(np.float64)) if each.kind == "boolean" else each
            for each in leaving
        ]

    def _leave(self, X: TableLike, entry: Entry) -> Any:
        if entry.form != "sparse":
            return super()._leave(X, entry)
        if self.has_indicator_.any():
            raise _no_indicators(entry)
        return filled_sparse(entry.matrix, self.columns_, np.array(self.fills_, dtype=np.float64))


def _most_frequent(codes: NDArray[np.int32], levels: tuple[str, ...]) -> str:
    """The level that occurs most often, of equals the first by number or code point."""
    counts = np.bincount(codes, minlength=len(levels))
    return sort_levels([levels[index] for index in np.flatnonzero(counts == counts.max())])[0]


def _check_level(level: object) -> None:
    if not isinstance(level, str):
        raise InputTypeError(
            "level must be a word",
            where=f"FillMissing(level={level!r:.40})",
            fix='write it as a string, "missing" for instance',
        )
    if not level.strip():
        raise RequestError(
            "level must be a word that can be read",
            where=f"FillMissing(level={level!r:.40})",
            fix='name it, "missing" for instance',
        )


def _no_indicators(entry: Entry) -> RequestError:
    return RequestError(
        "a sparse matrix gets no indicator columns",
        where=f"FillMissing(indicators=True), X has the shape {entry.matrix.shape}",
        fix="use indicators=False, or fill before the step that makes it sparse",
    )


def filled_column(column: Column, fill: float | str) -> Column:
    """The column with this number or level in place of every missing value."""
    if not column.n_missing:
        return column
    is_missing = column.is_missing
    if column.kind not in LEVEL_KINDS:
        return Column(
            column.name, column.kind, np.where(is_missing, fill, column.values), reason=column.reason
        )
    levels = _with_level(column, str(fill))
    code_of = {level: code for code, level in enumerate(levels)}
    # A missing value has the position -1 and so finds the last entry.
    codes = np.array([*(code_of[level] for level in column.levels), code_of[str(fill)]], dtype=np.int32)
    return Column(column.name, column.kind, codes[column.values], levels, column.reason)


def gap_column(column: Column) -> Column:
    """A boolean: whether the value is missing."""
    codes = column.is_missing.astype(np.int32)
    return Column(gap_name(column.name), "boolean", codes, ("false", "true"), "made by FillMissing")


def gap_name(name: str) -> str:
    """The name of the column that says where a column of this name has no value."""
    return f"{name} is missing"


def false_level(levels: tuple[str, ...]) -> str:
    """The level of a boolean that says no: by its words, or else the first."""
    meanings = [level for level in levels if meaning(level) is False]
    return (*meanings, *levels, "false")[0]


def _with_level(column: Column, level: str) -> tuple[str, ...]:
    if level in column.levels:
        return column.levels
    levels = (*column.levels, level)
    if column.kind == "boolean":
        return ("false", "true") if set(levels) <= {"false", "true"} else levels
    is_sorted = column.levels == sort_levels(column.levels)
    return sort_levels(levels) if is_sorted else levels


def sparse_gaps(matrix: SparseMatrix) -> NDArray[np.int64]:
    """How many gaps each column has.

    matrix: a csr_array with every cell once
    """
    return np.bincount(matrix.indices[np.isnan(matrix.data)], minlength=matrix.shape[1]).astype(np.int64)


def typical_of_sparse(matrix: SparseMatrix, indices: NDArray[np.intp], how: str) -> list[float]:
    """For each of these columns the number that stands for it; 0 if none is known.

    how: as for `typical_number`
    """
    by_column = matrix.tocsc()
    typical = []
    for index in indices.tolist():
        stored = by_column.data[by_column.indptr[index] : by_column.indptr[index + 1]]
        n_zeros = matrix.shape[0] - len(stored)
        known = stored[~np.isnan(stored)]
        typical.append(typical_number(known, how, n_zeros) if len(known) else 0.0)
    return typical


def filled_sparse(
    matrix: SparseMatrix, indices: NDArray[np.intp], fills: NDArray[np.float64]
) -> SparseMatrix:
    """A new matrix with the fill of its column in every gap.

    places: the columns that have a fill; gaps of others stay
    """
    filled = matrix.copy()
    by_column = np.full(matrix.shape[1], np.nan)
    by_column[indices] = fills
    gaps = np.flatnonzero(np.isnan(filled.data))
    filled.data[gaps] = by_column[filled.indices[gaps]]
    return filled


def typical_number(known: Floats, how: str, n_zeros: int = 0) -> float:
    """The number that stands for all of them.

    known:   finite numbers
    how:     "mean", "median" (of the middle two the mean) or "mode" (of equally frequent ones the smallest)
    n_zeros: how many zeros there are besides
    """
    typical = {"mean": _mean, "median": _median, "mode": _mode}[how](known, n_zeros)
    return typical + 0.0  # not -0.0


def _mean(known: Floats, n_zeros: int) -> float:
    n_numbers = len(known) + n_zeros
    low, high = (float(known.min()), float(known.max())) if len(known) else (0.0, 0.0)
    if n_zeros:
        low, high = min(low, 0.0), max(high, 0.0)
    with np.errstate(over="ignore", invalid="ignore"):
        total = float(known.sum())
    if math.isfinite(total):
        mean = total / n_numbers
    else:
        # A power of two, which changes no digit, keeps large values from overflowing.
        _, exponent = math.frexp(max(-low, high))
        mean = math.ldexp(float(np.ldexp(known, -exponent).sum()) / n_numbers, exponent)
    # Rounding may carry the mean of equal numbers beyond them.
    return min(max(mean, low), high)


def _median(known: Floats, n_zeros: int) -> float:
    n_numbers = len(known) + n_zeros
    n_below = int(np.count_nonzero(known < 0)) if n_zeros else 0
    lower, upper = (n_numbers - 1) // 2, n_numbers // 2
    # Where the zeros stand among the sorted numbers, and what is behind them.
    indices = {index: index if index < n_below else index - n_zeros for index in (lower, upper)}
    stored = {
        index: among for index, among in indices.items() if index < n_below or index >= n_below + n_zeros
    }
    ordered = np.partition(known, sorted(set(stored.values()))) if stored else known
    first, second = (float(ordered[stored[index]]) if index in stored else 0.0 for index in (lower, upper))
    middle = (first + second) / 2
    return middle if math.isfinite(middle) else first / 2 + second / 2


def _mode(known: Floats, n_zeros: int) -> float:
    if n_zeros > len(known):
        return 0.0
    distinct, counts = np.unique(known, return_counts=True)
    if n_zeros:
        distinct, counts = np.append(distinct, 0.0), np.append(counts, n_zeros)
        order = np.argsort(distinct, kind="stable")
        distinct, counts = distinct[order], counts[order]
        is_first = np.append(True, distinct[1:] != distinct[:-1])
        counts = np.add.reduceat(counts, np.flatnonzero(is_first))
        distinct = distinct[is_first]
    return float(distinct[counts.argmax()])
