"""How X enters at fit: as codes for the core, and as a schema for what comes later.

A Table brings its kinds, a frame has them by dtype, an array is numbers as scikit-learn validates
them. `categorical` makes further columns categories, and those of an array may then have words. A level
that does not occur in the training rows is taken out before the core sees it, so a fold learns what it
would learn if the others did not exist.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout import native
from heldout.errors import DataError, RequestError
from heldout.inputs.array_checks import as_table, checked_array, has_kinds, is_plain, refuse_infinity
from heldout.inputs.input_schema import (
    InputColumn,
    InputSchema,
    Rows,
    column_positions,
    compact_levels,
    numbers_schema,
    record_names,
    record_width,
)
from heldout.inputs.mixed_arrays import mixed_array, table_from_mixed, warn_of_lost_digits
from heldout.inputs.sparse_inputs import is_sparse, sparse_columns
from heldout.table.codes import CodedColumn
from heldout.table.column import date_label, number_label
from heldout.table.table import Table
from heldout.text.words import first_few
from heldout.types import CategoryChoice, Estimator, HasShape, TableLike


@dataclass(frozen=True, eq=False)
class TrainingInputs:
    """What the core grows from.

    schema:  the columns, as they are to be remembered
    columns: their codes, for every row of the table behind
    rows:    which of those rows are meant; None means all
    n_rows:  how many are meant
    """

    schema: InputSchema
    columns: tuple[CodedColumn, ...]
    rows: Rows
    n_rows: int

    def keep(self, chosen: NDArray[np.intp]) -> TrainingInputs:
        """Only these of the rows."""
        rows = chosen.astype(np.uint32) if self.rows is None else self.rows[chosen]
        return replace(self, rows=rows, n_rows=len(rows))

    def compacted(self) -> TrainingInputs:
        """The same rows, with the levels that none of them has taken out."""
        if not self.schema.n_categories:
            return self
        pairs = [
            compact_levels(column, coded, self.rows) if column.is_category else (column, coded)
            for column, coded in zip(self.schema.columns, self.columns, strict=True)
        ]
        schema = InputSchema(tuple(column for column, _ in pairs))
        return replace(self, schema=schema, columns=tuple(coded for _, coded in pairs))


def training_inputs(
    learner: Estimator, X: TableLike, categorical: CategoryChoice, n_threads: int
) -> TrainingInputs:
    """X as the core wants it; sets `n_features_in_` and, where X has names, `feature_names_in_`."""
    if has_kinds(X):
        inputs = _from_table(table_at_fit(learner, X), n_threads)
    elif is_sparse(X):
        columns = sparse_columns(learner, X)
        inputs = TrainingInputs(numbers_schema(len(columns)), columns, None, X.shape[0])
    elif not isinstance(categorical, str) and (mixed := mixed_array(X)) is not None:
        positions = category_positions(categorical, numbers_schema(mixed.shape[1]).names)
        record_names(learner, mixed)
        inputs = _from_table(table_from_mixed(mixed, positions), n_threads)
    else:
        inputs = _from_array(learner, X, n_threads)
    if isinstance(categorical, str):
        return inputs
    return _with_categories(inputs, category_positions(categorical, inputs.schema.names))


def _from_array(learner: Estimator, X: TableLike, n_threads: int) -> TrainingInputs:
    if is_plain(X):
        warn_of_lost_digits(X)
        record_width(learner, X.shape[1])
        numbers = X.astype(np.float64, copy=False)
    else:
        numbers = checked_array(learner, X, is_fit=True)
    if np.isinf(numbers).any():
        checked_array(learner, numbers, is_fit=True)
    columns = tuple(
        [
            CodedColumn(codes, n_codes, numbers[:, position])
            for position, (codes, n_codes) in enumerate(native.rank_columns(numbers, n_threads))
        ]
    )
    return TrainingInputs(numbers_schema(numbers.shape[1]), columns, None, len(numbers))


def table_at_fit(learner: Estimator, X: HasShape) -> Table:
    """The Table, or the frame as a Table; sets `n_features_in_` and `feature_names_in_`."""
    table = as_table(X)
    if table is not X:
        warn_of_lost_digits(X)
    if table.n_rows == 0 or table.n_columns == 0:
        refuse_empty(learner, table)
    record_names(learner, X)
    return table


def _from_table(table: Table, n_threads: int) -> TrainingInputs:
    coded = table.coded(n_threads)
    columns = tuple(
        InputColumn(name, kind, codes.levels)
        for (name, kind), codes in zip(table.kinds.items(), coded.columns, strict=True)
    )
    for column, codes in zip(columns, coded.columns, strict=True):
        if codes.numbers is not None and np.isinf(codes.numbers).any():
            refuse_infinity(column.name, np.asarray(table[column.name].values))
    return TrainingInputs(InputSchema(columns), coded.columns, coded.rows, table.n_rows)


def refuse_empty(learner: Estimator, table: Table) -> None:
    """Raise the error for a table without rows or columns, in scikit-learn's words."""
    part, count = ("sample", table.n_rows) if table.n_columns else ("feature", 0)
    raise DataError(
        f"Found array with {count} {part}(s) (shape={table.shape}) while a minimum of 1 is required"
        f" by {type(learner).__name__}.",
        where="X",
        fix=f"hand over at least one {'row' if part == 'sample' else 'column'}",
    )


def _with_categories(inputs: TrainingInputs, positions: list[int]) -> TrainingInputs:
    columns, coded = list(inputs.schema.columns), list(inputs.columns)
    for position in positions:
        columns[position], coded[position] = _as_category(columns[position], coded[position])
    return replace(inputs, schema=InputSchema(tuple(columns)), columns=tuple(coded))


def _as_category(column: InputColumn, coded: CodedColumn) -> tuple[InputColumn, CodedColumn]:
    """Each distinct number becomes a level: its rank is already the level's position."""
    if column.is_category:
        return column, coded
    label = date_label if column.kind == "date" else number_label
    values = coded.distinct_numbers()
    levels = tuple(label(value) for value in values.tolist())
    category = InputColumn(column.name, "category", levels, values)
    return category, CodedColumn(coded.codes, coded.n_codes)


def category_positions(categorical: CategoryChoice, names: Sequence[str]) -> list[int]:
    """The positions of the columns that `categorical` makes categories.

    categorical: "auto", which names none, or a list, a tuple or an array
    names:       of all columns
    """
    if isinstance(categorical, str):
        return []
    wanted = list(categorical)
    if any(isinstance(entry, bool | np.bool_) for entry in wanted):
        return _masked_positions(wanted, len(names))
    positions = column_positions(wanted, names)
    if positions is None:
        unknown = next(entry for entry in wanted if column_positions([entry], names) is None)
        raise RequestError(
            "categorical names a column that is not there",
            where=f"categorical has {unknown!r:.40}, the columns are {first_few(names, 6)}",
            fix="use names, positions from 0 on, or a mask with one bool per column",
        )
    return positions


def _masked_positions(mask: list[Any], n_columns: int) -> list[int]:
    n_bools = sum(isinstance(entry, bool | np.bool_) for entry in mask)
    if n_bools < len(mask) or len(mask) != n_columns:
        raise RequestError(
            "categorical is no mask of the columns",
            where=f"{n_bools} of {len(mask)} entries are bools, X has {n_columns} columns",
            fix="give one bool per column, or name the columns by name or position",
        )
    return [position for position, is_meant in enumerate(mask) if is_meant]


@dataclass(frozen=True, eq=False)
class TrainingRows:
    """What is known of each row.

    inputs:    the columns
    weights:   how much each row counts; None means once
    classes:   of a classification the position of each row's class
    n_classes: how many classes there are; 0 for a regression
    targets:   of a regression the numbers to predict
    groups:    the number of each row's group; None where every row stands alone
    """

    inputs: TrainingInputs
    weights: NDArray[np.float64] | None = None
    classes: NDArray[np.uint32] | None = None
    n_classes: int = 0
    targets: NDArray[np.float64] | None = None
    groups: NDArray[np.intp] | None = None

    @property
    def n_rows(self) -> int:
        return self.inputs.n_rows

    def keep(self, chosen: NDArray[np.intp]) -> TrainingRows:
        """Only these of the rows."""
        return TrainingRows(
            self.inputs.keep(chosen),
            None if self.weights is None else self.weights[chosen],
            None if self.classes is None else self.classes[chosen],
            self.n_classes,
            None if self.targets is None else self.targets[chosen],
            None if self.groups is None else self.groups[chosen],
        )

    def with_weight(self) -> TrainingRows:
        """Only the rows whose weight is above 0."""
        if self.weights is None or self.weights.all():
            return self
        return self.keep(np.flatnonzero(self.weights))

    def divided(self, is_held: NDArray[np.bool_]) -> tuple[TrainingRows, TrainingRows]:
        """The rows that stay, and those set aside."""
        return self.keep(np.flatnonzero(~is_held)), self.keep(np.flatnonzero(is_held))
