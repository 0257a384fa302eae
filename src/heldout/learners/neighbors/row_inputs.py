"""How X enters neighbors: as numbers, or as numbers and levels where the metric can compare levels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from heldout.errors import DataError, InputTypeError, RequestError
from heldout.inputs.array_checks import (
    as_table,
    checked_array,
    has_kinds,
    is_free_of_infinity,
    is_plain,
    is_sparse,
    refuse_infinity,
    warn_of_lost_digits,
)
from heldout.inputs.input_schema import InputColumn, InputSchema, numbers_schema, record_width
from heldout.inputs.mixed_arrays import object_array, table_from_mixed
from heldout.inputs.numeric_inputs import numeric_rows, numeric_training
from heldout.inputs.prediction_inputs import prediction_blocks
from heldout.inputs.training_inputs import table_at_fit
from heldout.learners.neighbors.learned_metric import SPARSE_METRICS
from heldout.learners.neighbors.stored_rows import StoredRows, only_numbers
from heldout.table.column import LEVEL_KINDS, STRING_KINDS, Column, occurring_levels
from heldout.table.table import Table
from heldout.types import TableLike

if TYPE_CHECKING:
    from heldout.learners.neighbors.neighbors_base import NeighborsBase


def check_local(metric: str, X: TableLike, is_linear: bool) -> None:
    """Refuse rows that the metric, or the way of putting votes together, cannot use."""
    _refuse_sparse(metric, X, is_linear)
    if is_linear and metric in ("gower", "hamming"):
        raise RequestError(
            'local="linear" needs rows that are points of numbers',
            where=f"metric={metric!r} also compares levels, along which no slope runs",
            fix='use local="mean", or another metric',
        )


def rows_at_fit(learner: NeighborsBase, X: TableLike) -> tuple[InputSchema, StoredRows]:
    """The columns, and the rows in memory of their own; sets `n_features_in_` and `feature_names_in_`."""
    metric = learner.metric
    check_local(metric, X, learner._is_linear)
    if metric == "gower":
        return mixed_training(learner, X)
    if metric == "hamming" and has_kinds(X):
        schema, rows = mixed_training(learner, X)
        refuse_unknown(rows, schema)
        return schema, rows
    try:
        inputs = numeric_training(learner, X, accepts_sparse=True, keeps_float32=True)
    except DataError as error:
        raise words_need_kinds(error) if metric == "hamming" else error from error.__cause__
    matrix = inputs.matrix
    is_own = has_kinds(X) or (type(X) is np.ndarray and not np.may_share_memory(matrix, X))
    return inputs.schema, only_numbers(matrix if is_own else matrix.copy())


def rows_later(learner: NeighborsBase, X: TableLike) -> StoredRows:
    """X after fit, in the form of the training rows."""
    metric, schema = learner.metric_, learner.inputs_
    # Whether planes are asked for may have changed since fit.
    for given in (learner.numbers_, X):
        check_local(metric, given, learner._is_linear)
    if metric == "gower":
        return mixed_rows(learner, X, schema)
    if metric == "hamming" and (schema.n_categories or has_kinds(X)):
        rows = mixed_rows(learner, X, schema)
        refuse_unknown(rows, schema)
        return rows
    return only_numbers(numeric_rows(learner, X, schema, accepts_sparse=True, keeps_float32=True))


def _refuse_sparse(metric: str, X: TableLike, is_linear: bool) -> None:
    if not is_sparse(X) or (metric in SPARSE_METRICS and not is_linear):
        return
    requested = 'local="linear"' if is_linear else f"metric={metric!r}"
    raise InputTypeError(
        f"{requested} cannot take a sparse matrix",
        where=f"X is a sparse matrix of shape {X.shape}",
        fix='use metric="l2", "l1" or "cosine" with local="mean", or hand over X.toarray()',
    )


def mixed_training(learner: NeighborsBase, X: TableLike) -> tuple[InputSchema, StoredRows]:
    """X at fit; sets `n_features_in_` and, where X has names, `feature_names_in_`."""
    if not has_kinds(X):
        matrix = _array(learner, X)
        return numbers_schema(matrix.shape[1]), only_numbers(matrix)
    return _from_table(table_at_fit(learner, X))


def mixed_rows(learner: NeighborsBase, X: TableLike, schema: InputSchema) -> StoredRows:
    """X after fit, read by the kinds and levels of fit."""
    (inputs,) = prediction_blocks(learner, X, schema)
    numbers = np.array(inputs.numbers, dtype=np.float64, order="C")
    levels = np.array(inputs.levels, dtype=np.int32, order="C")
    table = _table(X, schema) if schema.n_categories else None
    if table is not None:
        for given, column, index in zip(
            table.columns, schema.columns, schema.number_of.tolist(), strict=True
        ):
            if column.is_category:
                codes = levels[:, -1 - index]
                codes[(codes < 0) & ~given.is_missing] = len(column.levels)
    return StoredRows(numbers, levels)


def refuse_unknown(rows: StoredRows, schema: InputSchema) -> None:
    """Raise if a value is missing, for a metric that compares every column."""
    for column, index in zip(schema.columns, schema.number_of.tolist(), strict=True):
        is_unknown = np.isnan(rows.numbers[:, index]) if index >= 0 else rows.levels[:, -1 - index] < 0
        indices = np.flatnonzero(is_unknown)
        if len(indices):
            raise DataError(
                "Input X contains NaN.",
                where=f"column '{column.name}', {len(indices)} of {rows.n_rows} rows, first in row"
                f" {indices[0] + 1}",
                fix='use metric="gower", which compares the columns that are known in both rows, fill them,'
                " with ho.FillMissing for instance, or leave those rows out",
            )


def words_need_kinds(error: DataError) -> DataError:
    """The error for words in an array, with the way in which this metric takes them."""
    if "could not convert string" not in error.what:
        return error
    fix = "hand over a Table or a frame, in which columns of words are categories"
    return DataError(error.what, where=error.where, fix=fix)


def _array(learner: NeighborsBase, X: TableLike) -> NDArray[np.float64]:
    if is_plain(X) and is_free_of_infinity(X):
        warn_of_lost_digits(X)
        record_width(learner, X.shape[1])
        return np.array(X, dtype=np.float64, order="C")
    try:
        return np.array(checked_array(learner, X, is_fit=True), order="C")
    except DataError as error:
        raise words_need_kinds(error) from error.__cause__


def _from_table(table: Table) -> tuple[InputSchema, StoredRows]:
    columns: list[InputColumn] = []
    numbers: list[NDArray[np.float64]] = []
    levels: list[NDArray[np.int32]] = []
    for column in table.columns:
        if column.kind in LEVEL_KINDS:
            codes, words = occurring_levels(column.values, column.levels)
            levels.append(codes)
            columns.append(InputColumn(column.name, column.kind, words))
        else:
            numbers.append(_numbers(column))
            columns.append(InputColumn(column.name, column.kind))
    rows = StoredRows(_beside(numbers, table.n_rows, np.float64), _beside(levels, table.n_rows, np.int32))
    return InputSchema(tuple(columns)), rows


def _numbers(column: Column) -> NDArray[np.float64]:
    if column.kind in STRING_KINDS:
        column.coded()  # refuses it
    refuse_infinity(column.name, column.values)
    return column.values


def _beside(columns: list[Any], n_rows: int, dtype: type) -> NDArray[Any]:
    matrix: NDArray[Any] = np.empty((n_rows, len(columns)), dtype=dtype)
    for position, values in enumerate(columns):
        matrix[:, position] = values
    return matrix


def _table(X: TableLike, schema: InputSchema) -> Table | None:
    """The table behind X, as `prediction_blocks` sees it; None for an array of numbers."""
    if has_kinds(X):
        return as_table(X)
    mixed = object_array(X) if schema.word_positions else None
    return None if mixed is None else table_from_mixed(mixed, schema.word_positions, schema.word_positions)
