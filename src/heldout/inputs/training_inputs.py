"""How X enters at fit: as codes for the core, and as a schema for what comes later.

A Table brings its kinds, a frame has them by dtype, an array is numbers as scikit-learn validates
them. `categorical` makes further columns categories, and those of an array may then have words. A level
that does not occur in the training rows is taken out before the core sees it, so a fold learns what it
would learn if the others did not exist.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from heldout import native
from heldout.arrays import Floats, Mask, Rows
from heldout.errors import DataError, RequestError
from heldout.inputs.array_checks import (
    as_table,
    checked_array,
    has_kinds,
    is_plain,
    is_sparse,
    refuse_infinity,
    warn_of_lost_digits,
)
from heldout.inputs.input_schema import (
    InputColumn,
    InputSchema,
    RowIndex,
    column_positions,
    compact_levels,
    numbers_schema,
    record_names,
    record_width,
)
from heldout.inputs.mixed_arrays import mixed_array, table_from_mixed
from heldout.inputs.sparse_inputs import sparse_columns
from heldout.inputs.targets import (
    MIN_LEAF_FORBIDS,
    check_lengths,
    class_codes,
    class_weighted,
    group_codes,
    numeric_targets,
    row_weights,
    weight_per_class,
)
from heldout.table.codes import CodedColumn
from heldout.table.column import date_label, number_label
from heldout.table.table import Table
from heldout.text.words import first_few
from heldout.types import CategoryChoice, ClassWeight, Estimator, HasShape, Labels, PerRow, TableLike


@dataclass(frozen=True, eq=False)
class TrainingRows:
    """The rows that a tree, a forest or rules learn from, as the core takes them.

    schema:    the columns, as they are to be remembered
    columns:   their codes, for every row of the table behind
    row_index: which of those rows are meant; None means all
    n_rows:    how many are meant
    weights:   the sample weights, times those of the classes; None means 1 each
    classes:   of a classification the index of each row's class
    n_classes: how many classes there are; 0 for a regression
    targets:   of a regression the numbers to predict
    groups:    the number of each row's group; None where every row stands alone
    """

    schema: InputSchema
    columns: tuple[CodedColumn, ...]
    row_index: RowIndex
    n_rows: int
    weights: Floats | None = None
    classes: NDArray[np.uint32] | None = None
    n_classes: int = 0
    targets: Floats | None = None
    groups: NDArray[np.intp] | None = None

    def codes(self, coded: CodedColumn) -> NDArray[np.unsignedinteger]:
        """The codes that one of the columns has in these rows."""
        return coded.codes if self.row_index is None else coded.codes[self.row_index]

    @property
    def for_kernel(self) -> KernelRows:
        """The first six arguments of every kernel that grows trees."""
        return self.columns, self.row_index, self.classes, self.n_classes, self.targets, self.weights

    def keep(self, chosen: Rows) -> TrainingRows:
        """Only these of the rows."""
        row_index = chosen.astype(np.uint32) if self.row_index is None else self.row_index[chosen]
        return replace(
            self,
            row_index=row_index,
            n_rows=len(row_index),
            weights=None if self.weights is None else self.weights[chosen],
            classes=None if self.classes is None else self.classes[chosen],
            targets=None if self.targets is None else self.targets[chosen],
            groups=None if self.groups is None else self.groups[chosen],
        )

    def with_weight(self) -> TrainingRows:
        """Only the rows whose weight is above 0."""
        if self.weights is None or self.weights.all():
            return self
        return self.keep(np.flatnonzero(self.weights))

    def divide(self, is_held: Mask) -> tuple[TrainingRows, TrainingRows]:
        """The rows that stay, and those set aside."""
        return self.keep(np.flatnonzero(~is_held)), self.keep(np.flatnonzero(is_held))

    def compact(self) -> TrainingRows:
        """The same rows, with the levels that none of them has taken out."""
        if not self.schema.n_categories:
            return self
        return self.with_columns(
            compact_levels(column, coded, self.row_index) if column.is_category else (column, coded)
            for column, coded in self.pairs
        )

    @property
    def pairs(self) -> Iterator[tuple[InputColumn, CodedColumn]]:
        """Each column of the schema with its codes."""
        return zip(self.schema.columns, self.columns, strict=True)

    def with_columns(self, pairs: Iterable[tuple[InputColumn, CodedColumn]]) -> TrainingRows:
        """The same rows with other columns and codes."""
        columns, codes = zip(*pairs, strict=True)
        return replace(self, schema=InputSchema(columns), columns=codes)


KernelRows: TypeAlias = tuple[
    tuple[CodedColumn, ...],
    RowIndex,
    NDArray[np.uint32] | None,
    int,
    Floats | None,
    Floats | None,
]


class CodedLearner(Estimator, Protocol):
    """A learner that takes its columns as codes."""

    categorical: CategoryChoice


class ClassLearner(CodedLearner, Protocol):
    """A classifier that does so; `fit` sets what ends in an underscore."""

    class_weight: ClassWeight
    classes_: Labels
    n_classes_: int
    class_weights_: Floats


def class_rows(
    learner: ClassLearner, X: TableLike, y: ArrayLike, sample_weight: PerRow, groups: PerRow, n_threads: int
) -> TrainingRows:
    """What `fit` of a classifier was given; sets what is known of columns and classes."""
    classes, codes = class_codes(learner, y)
    rows = coded_rows(learner, X, learner.categorical, n_threads)
    check_lengths(rows.n_rows, codes)
    weights = row_weights(sample_weight, rows.n_rows)
    learner.classes_, learner.n_classes_ = classes, len(classes)
    learner.class_weights_ = weight_per_class(learner.class_weight, classes, codes)
    return replace(
        rows,
        weights=class_weighted(learner.class_weights_, codes, weights),
        classes=codes,
        n_classes=len(classes),
        groups=group_codes(groups, rows.n_rows),
    )


def target_rows(
    learner: CodedLearner,
    X: TableLike,
    y: ArrayLike,
    sample_weight: PerRow,
    groups: PerRow,
    n_threads: int,
    consequence: str = MIN_LEAF_FORBIDS,
) -> TrainingRows:
    """What `fit` of a regressor was given; sets what is known of columns.

    consequence: what comes of weights far below 1, for the warning
    """
    targets = numeric_targets(learner, y)
    rows = coded_rows(learner, X, learner.categorical, n_threads)
    check_lengths(rows.n_rows, targets)
    weights = row_weights(sample_weight, rows.n_rows, consequence)
    return replace(rows, weights=weights, targets=targets, groups=group_codes(groups, rows.n_rows))


def coded_rows(learner: Estimator, X: TableLike, categorical: CategoryChoice, n_threads: int) -> TrainingRows:
    """X as the core wants it; sets `n_features_in_` and, where X has names, `feature_names_in_`."""
    if has_kinds(X):
        rows = _from_table(table_at_fit(learner, X), n_threads)
    elif is_sparse(X):
        columns = sparse_columns(learner, X)
        rows = TrainingRows(numbers_schema(len(columns)), columns, None, X.shape[0])
    elif not isinstance(categorical, str) and (mixed := mixed_array(X)) is not None:
        positions = category_positions(categorical, numbers_schema(mixed.shape[1]).names)
        record_names(learner, mixed)
        rows = _from_table(table_from_mixed(mixed, positions), n_threads)
    else:
        rows = _from_array(learner, X, n_threads)
    if isinstance(categorical, str):
        return rows
    return _with_categories(rows, category_positions(categorical, rows.schema.names))


def _from_array(learner: Estimator, X: TableLike, n_threads: int) -> TrainingRows:
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
    return TrainingRows(numbers_schema(numbers.shape[1]), columns, None, len(numbers))


def table_at_fit(learner: Estimator, X: HasShape) -> Table:
    """The Table, or the frame as a Table; sets `n_features_in_` and `feature_names_in_`."""
    table = as_table(X)
    if table is not X:
        warn_of_lost_digits(X)
    if table.n_rows == 0 or table.n_columns == 0:
        refuse_empty(learner, table)
    record_names(learner, X)
    return table


def _from_table(table: Table, n_threads: int) -> TrainingRows:
    coded = table.coded(n_threads)
    columns = tuple(
        InputColumn(name, kind, codes.levels)
        for (name, kind), codes in zip(table.kinds.items(), coded.columns, strict=True)
    )
    for column, codes in zip(columns, coded.columns, strict=True):
        if codes.numbers is not None and np.isinf(codes.numbers).any():
            refuse_infinity(column.name, np.asarray(table[column.name].values))
    return TrainingRows(InputSchema(columns), coded.columns, coded.rows, table.n_rows)


def refuse_empty(learner: Estimator, table: Table) -> None:
    """Raise the error for a table without rows or columns, in scikit-learn's words."""
    part, count = ("sample", table.n_rows) if table.n_columns else ("feature", 0)
    raise DataError(
        f"Found array with {count} {part}(s) (shape={table.shape}) while a minimum of 1 is required"
        f" by {type(learner).__name__}.",
        where="X",
        fix=f"hand over at least one {'row' if part == 'sample' else 'column'}",
    )


def _with_categories(rows: TrainingRows, positions: list[int]) -> TrainingRows:
    return rows.with_columns(
        _as_category(column, coded) if position in positions else (column, coded)
        for position, (column, coded) in enumerate(rows.pairs)
    )


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
