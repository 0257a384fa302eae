"""A column: a name, a kind, its values, and why it was given that kind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from heldout.errors import DataError, RequestError
from heldout.table.codes import CodedColumn, code_levels, code_numbers

KINDS = ("number", "category", "boolean", "date", "text", "identifier")
NUMERIC_KINDS = ("number", "date")
LEVEL_KINDS = ("category", "boolean")
STRING_KINDS = ("text", "identifier")

Rows = NDArray[np.uint32] | slice


@dataclass(frozen=True, eq=False)
class Column:
    """One typed column of a table; nothing in it changes after it is made.

    Parameters
    ----------
    name
        what the user calls it
    kind
        one of KINDS
    values
        number and date: float64 with NaN for missing (a date is days since 1970-01-01); category and
        boolean: int32 positions in `levels`, -1 for missing; text and identifier: an object array of str,
        None for missing
    levels
        the distinct values of a category or boolean, in an order that does not depend on rows
    reason
        why it has this kind, or "" if the user said so

    Examples
    --------
    >>> Column("wind", "category", np.array([1, 0, -1], dtype=np.int32), ("strong", "weak")).labels()
    ['weak', 'strong', None]
    """

    name: str
    kind: str
    values: NDArray[Any]
    levels: tuple[str, ...] = ()
    reason: str = ""
    _coded: CodedColumn | None = field(default=None, init=False, repr=False)
    _n_missing: int | None = field(default=None, init=False, repr=False)
    _has_infinity: bool | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        _check_kind(self)
        frozen: NDArray[Any] = np.asarray(self.values, dtype=_storage(self.kind)).view()
        frozen.flags.writeable = False
        object.__setattr__(self, "values", frozen)
        object.__setattr__(self, "levels", tuple(self.levels))
        _check_values(self)

    def __len__(self) -> int:
        return len(self.values)

    def __repr__(self) -> str:
        levels = f", {len(self.levels)} levels" if self.levels else ""
        return f"Column({self.name!r}, {self.kind}, {len(self)} rows, {self.n_missing} missing{levels})"

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[Any]:
        """Numbers and dates as floats, everything else as strings with None for missing."""
        values = self.values if self.kind not in LEVEL_KINDS else np.array(self.labels(), dtype=object)
        return np.array(values, dtype=dtype, copy=copy)

    def __reduce__(self) -> tuple[Any, ...]:
        return Column, (self.name, self.kind, np.asarray(self.values), self.levels, self.reason)

    def __deepcopy__(self, memo: dict[int, Any]) -> Column:
        return self

    @property
    def is_missing(self) -> NDArray[np.bool_]:
        """One claim per row."""
        if self.kind in NUMERIC_KINDS:
            return np.asarray(np.isnan(self.values))
        if self.kind in LEVEL_KINDS:
            return np.asarray(self.values < 0)
        return np.fromiter((value is None for value in self.values), dtype=np.bool_, count=len(self))

    @property
    def n_missing(self) -> int:
        if self._n_missing is None:
            object.__setattr__(self, "_n_missing", int(np.count_nonzero(self.is_missing)))
        assert self._n_missing is not None
        return self._n_missing

    @property
    def has_infinity(self) -> bool:
        """Whether a number or date is infinite; counted once, as what is missing is."""
        if self._has_infinity is None:
            found = self.kind in NUMERIC_KINDS and bool(np.isinf(self.values).any())
            object.__setattr__(self, "_has_infinity", found)
        return self._has_infinity is True

    def labels(self) -> list[str | None]:
        """The values as the user would write them, None for missing.

        Examples
        --------
        >>> Column("age", "number", np.array([41.0, 0.5, np.nan])).labels()
        ['41', '0.5', None]
        """
        if self.kind in LEVEL_KINDS:
            return [self.levels[code] if code >= 0 else None for code in self.values.tolist()]
        if self.kind in STRING_KINDS:
            return list(self.values.tolist())
        if self.kind == "date":
            return [None if day != day else date_label(day) for day in self.values.tolist()]
        return [None if number != number else number_label(number) for number in self.values.tolist()]

    def take(self, rows: Rows) -> Column:
        """The same column at these rows; a slice of numbers shares the memory.

        A category keeps the levels that occur there: the others are known from rows that stay behind.
        """
        values, levels = self.values[rows], self.levels
        if self.kind == "category":
            values, levels = occurring_levels(values, levels)
        taken = Column(self.name, self.kind, values, levels, self.reason)
        # What is known to be nowhere need not be looked for again.
        if self._n_missing == 0:
            object.__setattr__(taken, "_n_missing", 0)
        if self._has_infinity is False:
            object.__setattr__(taken, "_has_infinity", False)
        return taken

    def coded(self) -> CodedColumn:
        """The column as the core wants it; made once, and kept."""
        if self._coded is None:
            object.__setattr__(self, "_coded", self._make_codes())
        assert self._coded is not None
        return self._coded

    def _make_codes(self) -> CodedColumn:
        if self.kind in NUMERIC_KINDS:
            return code_numbers(self.values)
        if self.kind in LEVEL_KINDS:
            return code_levels(self.values, self.levels)
        words = "make words of it with ho.BagOfWords, " if self.kind == "text" else ""
        raise DataError(
            f"column '{self.name}' is {self.kind}, which a learner cannot take",
            where=f"{len(self)} rows, {self.n_missing} missing",
            fix=f"{words}drop it, or read it with kinds={{{self.name!r}: 'category'}}",
        )


def occurring_levels(
    values: NDArray[np.int32], levels: tuple[str, ...]
) -> tuple[NDArray[np.int32], tuple[str, ...]]:
    """The same values with only the levels that occur among them."""
    occurs = np.bincount(values[values >= 0], minlength=len(levels)) > 0
    if occurs.all():
        return values, levels
    index = np.append(np.cumsum(occurs) - 1, -1).astype(np.int32)
    return index[values], tuple(level for level, is_there in zip(levels, occurs, strict=True) if is_there)


def number_label(number: float) -> str:
    """The shortest spelling: 7 rather than 7.0."""
    is_whole = abs(number) < 1e15 and number == int(number)
    return str(int(number)) if is_whole else repr(float(number))


def date_label(day: float) -> str:
    """A day since 1970-01-01 as 2020-02-29, with the time of day only where there is one."""
    microseconds = np.datetime64(0, "us") + np.timedelta64(round(day * 86_400_000_000), "us")
    text = str(microseconds)
    return text.removesuffix(".000000").removesuffix("T00:00:00")


def sort_levels(levels: Sequence[str]) -> tuple[str, ...]:
    """By number where every level is a number, else by code point; the same for any order of rows."""
    try:
        numbers = {level: float(level) for level in levels}
    except ValueError:
        return tuple(sorted(levels))
    if any(number != number for number in numbers.values()):
        return tuple(sorted(levels))
    return tuple(sorted(levels, key=lambda level: (numbers[level], level)))


def category_column(name: str, labels: Sequence[str | None], reason: str = "") -> Column:
    """A category made from labels, its levels sorted, None for missing."""
    levels = sort_levels(list({label for label in labels if label is not None}))
    code_of: dict[str | None, int] = {level: code for code, level in enumerate(levels)}
    codes = np.fromiter((code_of.get(label, -1) for label in labels), dtype=np.int32, count=len(labels))
    return Column(name, "category", codes, levels, reason)


def _storage(kind: str) -> type:
    if kind in NUMERIC_KINDS:
        return np.float64
    return np.int32 if kind in LEVEL_KINDS else object


def _check_kind(column: Column) -> None:
    if column.kind not in KINDS:
        raise RequestError(
            f"unknown kind {column.kind!r}",
            where=f"column '{column.name}'",
            fix=f"use one of {', '.join(KINDS)}",
        )


def _check_values(column: Column) -> None:
    """Wrong codes would read past the levels deep inside the core."""
    values, levels = column.values, column.levels
    where = f"column '{column.name}', {column.kind}"
    if values.ndim != 1:
        raise DataError(
            "a column needs one value per row", f"{where}, shape {values.shape}", "hand over a 1-D array"
        )
    if column.kind not in LEVEL_KINDS:
        if levels:
            raise DataError("only a category or boolean has levels", where, "leave the levels out")
        return
    if len(set(levels)) != len(levels):
        raise DataError("a level occurs twice", where, "make the levels distinct")
    if len(values) and not (int(values.min()) >= -1 and int(values.max()) < len(levels)):
        position = int(np.argmax((values < -1) | (values >= len(levels))))
        raise DataError(
            "a level code is out of range",
            where=f"{where}, first {int(values[position])} in row {position + 1}, {len(levels)} levels",
            fix="codes are positions in levels, -1 for missing",
        )
