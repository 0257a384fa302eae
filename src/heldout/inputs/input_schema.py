"""What a learner remembers of the columns it was fitted on.

Kinds and levels are frozen at fit, so that a later table is read the way the first one was.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import _check_feature_names, _check_n_features

from heldout.arrays import Floats
from heldout.errors import DataError, HeldoutError
from heldout.table.codes import CodedColumn
from heldout.table.column import sort_levels
from heldout.table.table import Table
from heldout.text.words import plural
from heldout.types import Estimator, HasShape, PerColumn


@dataclass(frozen=True, eq=False)
class InputColumn:
    """One column as it was at fit.

    name:         the user's name, or x0, x1, … for an array
    kind:         number, date, category or boolean
    levels:       for a category or boolean, the levels that occurred in the training rows, in order
    level_values: for a category made of numbers, the number behind each level, ascending
    fill:         what a missing value counts as, a number or the position of a level; None leaves it unknown
    """

    name: str
    kind: str = "number"
    levels: tuple[str, ...] = ()
    level_values: NDArray[np.float64] | None = None
    fill: float | None = None

    @property
    def is_category(self) -> bool:
        return self.kind in ("category", "boolean")


@dataclass(frozen=True, eq=False)
class InputSchema:
    """The columns of X in the order of fit."""

    columns: tuple[InputColumn, ...]

    @cached_property
    def number_of(self) -> NDArray[np.int32]:
        """Per column its index among the numbers, or -1 minus its index among the categories."""
        indices = np.empty(len(self.columns), dtype=np.int32)
        n_numbers = n_categories = 0
        for position, column in enumerate(self.columns):
            if column.is_category:
                indices[position] = -1 - n_categories
                n_categories += 1
            else:
                indices[position] = n_numbers
                n_numbers += 1
        return indices

    @cached_property
    def n_categories(self) -> int:
        return sum(column.is_category for column in self.columns)

    @cached_property
    def word_positions(self) -> tuple[int, ...]:
        """The categories whose levels are words, not numbers."""
        columns = enumerate(self.columns)
        return tuple(k for k, column in columns if column.is_category and column.level_values is None)

    @cached_property
    def kinds(self) -> frozenset[str]:
        """The kinds that occur."""
        return frozenset(column.kind for column in self.columns)

    @property
    def n_columns(self) -> int:
        return len(self.columns)

    @property
    def names(self) -> list[str]:
        return [column.name for column in self.columns]


class NumbersSchema(InputSchema):
    """The columns of an array: numbers named x0, x1, …

    There may be very many of them, of which most steps want no more than how many there are; so each is made
    only where one is asked for.
    """

    kinds: frozenset[str] = frozenset({"number"})
    n_categories: int = 0
    word_positions: tuple[int, ...] = ()

    def __init__(self, n_columns: int) -> None:
        vars(self)["_n_columns"] = n_columns

    @cached_property
    def columns(self) -> tuple[InputColumn, ...]:
        return tuple([InputColumn(name) for name in self._names])

    @cached_property
    def number_of(self) -> NDArray[np.int32]:
        return np.arange(self.n_columns, dtype=np.int32)

    @property
    def n_columns(self) -> int:
        n_columns: int = vars(self)["_n_columns"]
        return n_columns

    @property
    def names(self) -> list[str]:
        return list(self._names)

    @cached_property
    def _names(self) -> tuple[str, ...]:
        return tuple([f"x{position}" for position in range(self.n_columns)])


def numbers_schema(n_columns: int) -> InputSchema:
    """The schema of an array: every column a number."""
    return NumbersSchema(n_columns)


def column_positions(wanted: Sequence[object], names: Sequence[str]) -> list[int] | None:
    """Names or positions as positions; None if one of them is not there. A bool is no position."""
    index_of: dict[object, int] = {name: index for index, name in enumerate(names)}
    index_of |= {index: index for index in range(len(names))}
    entries = [entry.item() if isinstance(entry, np.generic) else entry for entry in wanted]
    found = [
        index_of[entry]
        for entry in entries
        if isinstance(entry, str | int) and not isinstance(entry, bool) and entry in index_of
    ]
    return found if len(found) == len(entries) else None


def numbers_by_column(
    given: PerColumn, names: Sequence[str], refuse: Callable[[str], HeldoutError]
) -> Floats:
    """One number per column; 1 for a column that a dict does not name.

    given:  None, one number per column, or a dict of names, or positions, with numbers
    refuse: makes the error of what is wrong with it
    """
    numbers = np.ones(len(names))
    if given is None:
        return numbers
    values = list(given.values()) if isinstance(given, Mapping) else given
    try:
        listed = np.array(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise refuse(f"{values!r:.60}") from error
    if isinstance(given, Mapping):
        positions = column_positions(list(given), names)
        if positions is None:
            unknown = next(name for name in given if column_positions([name], names) is None)
            raise refuse(f"it names {unknown!r:.40}, which is not a column")
        numbers[positions] = listed
        return numbers
    if listed.shape != numbers.shape:
        raise refuse(f"shape {listed.shape} for {len(names)} columns")
    return listed


def record_names(learner: Estimator, X: HasShape) -> None:
    """Set `feature_names_in_` and `n_features_in_` from a table, a frame or an array."""
    if isinstance(X, Table) and X.n_columns:
        learner.feature_names_in_ = np.array(X.names, dtype=object)
        learner.n_features_in_ = X.n_columns
        return
    _check_feature_names(learner, _with_names(X), reset=True)
    _check_n_features(learner, X, reset=True)


def record_width(learner: Estimator, n_columns: int) -> None:
    """Set `n_features_in_`, of columns that have no names."""
    learner.n_features_in_ = n_columns
    vars(learner).pop("feature_names_in_", None)


def is_as_at_fit(learner: Estimator, X: NDArray[Any]) -> bool:
    """Whether an array has as many columns as at fit, which had no names then."""
    return X.shape[1] == learner.n_features_in_ and not hasattr(learner, "feature_names_in_")


def check_names(learner: Estimator, X: HasShape) -> None:
    """Refuse columns that are missing, new, or in another order than at fit."""
    # Folds ask this very often, and scikit-learn's way to the names of a table is long.
    if isinstance(X, Table) and X.names == tuple(getattr(learner, "feature_names_in_", ())):
        return
    try:
        _check_feature_names(learner, _with_names(X), reset=False)
    except ValueError as error:
        raise DataError(
            str(error).rstrip(),
            where=f"given {plural(X.shape[1], 'column')}, and {learner.n_features_in_} at fit",
            fix="select the columns of feature_names_in_, in that order",
        ) from error
    _check_n_features(learner, X, reset=False)


def _with_names(X: HasShape) -> Any:
    """An empty Arrow table carries the names of a Table where scikit-learn can read them."""
    if not isinstance(X, Table):
        return X
    import pyarrow as pa  # takes 0.1 s

    return pa.table({name: pa.array([], pa.null()) for name in X.names})


RowIndex: TypeAlias = NDArray[np.uint32] | None


def compact_levels(
    column: InputColumn, coded: CodedColumn, rows: RowIndex
) -> tuple[InputColumn, CodedColumn]:
    """The column with the levels that occur in these rows, and its codes for every row of the table.

    A row that is not meant and has another level is coded as missing; nobody looks at it.
    """
    codes = coded.codes if rows is None else coded.codes[rows]
    counts = np.bincount(codes, minlength=coded.n_codes + 1)[: coded.n_codes]
    kept = _in_order(column, np.flatnonzero(counts))
    if len(kept) == coded.n_codes and np.array_equal(kept, np.arange(len(kept))):
        return column, coded
    code_of = np.full(coded.n_codes + 1, len(kept), dtype=np.min_scalar_type(len(kept)))
    code_of[kept] = np.arange(len(kept))
    levels = tuple(column.levels[position] for position in kept.tolist())
    values = None if column.level_values is None else column.level_values[kept]
    smaller = InputColumn(column.name, column.kind, levels, values)
    return smaller, CodedColumn(code_of[coded.codes], len(kept))


def _in_order(column: InputColumn, present: NDArray[np.intp]) -> NDArray[np.intp]:
    """The levels present, in the order that a table of the training rows alone would give them."""
    if column.level_values is not None or column.kind == "boolean":
        return present
    position_of = {column.levels[position]: position for position in present.tolist()}
    return np.array([position_of[level] for level in sort_levels(list(position_of))], dtype=np.intp)
