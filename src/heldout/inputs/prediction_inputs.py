"""How X enters after fit: numbers and level codes, read by the schema of fit.

A level that was not in the training rows is like a missing value, and a boolean is matched by its
meaning. A missing value becomes the fill of its column, if that has one. A column whose kind has changed
is refused, unless every value of it is missing. A plain array of numbers passes without a copy.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from heldout.errors import DataError
from heldout.inputs.array_checks import (
    as_table,
    checked_array,
    has_kinds,
    is_free_of_infinity,
    is_plain,
    is_sparse,
    refuse_infinity,
)
from heldout.inputs.input_schema import InputColumn, InputSchema, check_names, is_as_at_fit
from heldout.inputs.mixed_arrays import boolean_codes, object_array, table_from_mixed
from heldout.inputs.sparse_inputs import dense_blocks
from heldout.table.column import Column
from heldout.table.table import Table
from heldout.types import Estimator, TableLike


@dataclass(frozen=True, eq=False)
class PredictionInputs:
    """Numbers with NaN for unknown, and levels with -1 for unknown, one row each.

    n_filled: how many missing values were filled
    """

    numbers: NDArray[np.float64]
    levels: NDArray[np.int32]
    n_filled: int = 0

    def take(self, rows: NDArray[np.intp]) -> PredictionInputs:
        """Only these rows."""
        return PredictionInputs(self.numbers[rows], self.levels[rows])


def prediction_blocks(learner: Estimator, X: TableLike, schema: InputSchema) -> Iterator[PredictionInputs]:
    """X as the core walks it down a tree; a sparse matrix comes in several blocks of rows."""
    if is_sparse(X):
        for block in dense_blocks(learner, X):
            yield fill_missing(_from_array(block, schema), schema)
    else:
        yield fill_missing(_prediction_inputs(learner, X, schema), schema)


def fill_missing(inputs: PredictionInputs, schema: InputSchema) -> PredictionInputs:
    """The same rows, with missing values of columns that have a fill filled."""
    numbers, levels, n_filled = inputs.numbers, inputs.levels, 0
    for column, index in zip(schema.columns, schema.number_of.tolist(), strict=True):
        if column.fill is None:
            continue
        is_unknown = np.isnan(numbers[:, index]) if index >= 0 else levels[:, -1 - index] < 0
        if not is_unknown.any():
            continue
        if index >= 0:
            numbers = numbers.copy(order="K") if numbers is inputs.numbers else numbers
            numbers[is_unknown, index] = column.fill
        else:
            levels = levels.copy(order="K") if levels is inputs.levels else levels
            levels[is_unknown, -1 - index] = int(column.fill)
        n_filled += int(is_unknown.sum())
    return PredictionInputs(numbers, levels, n_filled)


def _prediction_inputs(learner: Estimator, X: TableLike, schema: InputSchema) -> PredictionInputs:
    if has_kinds(X):
        check_names(learner, X)
        return _from_table(as_table(X), schema)
    if schema.word_positions and (mixed := object_array(X)) is not None:
        check_names(learner, mixed)
        words = schema.word_positions
        return _from_table(table_from_mixed(mixed, words, words), schema)
    return _from_array(_array(learner, X), schema)


def _array(learner: Estimator, X: TableLike) -> NDArray[np.float64]:
    if is_plain(X) and is_as_at_fit(learner, X):
        numbers = np.asarray(X, dtype=np.float64)
        if is_free_of_infinity(numbers):
            return numbers
    return checked_array(learner, X, is_fit=False)


def _from_array(numbers: NDArray[np.float64], schema: InputSchema) -> PredictionInputs:
    if not schema.n_categories:
        if not (numbers.flags.c_contiguous or numbers.flags.f_contiguous):
            numbers = np.ascontiguousarray(numbers)
        return PredictionInputs(numbers, np.empty((len(numbers), 0), dtype=np.int32, order="F"))
    columns = [numbers[:, position] for position in range(numbers.shape[1])]
    return _gathered(
        schema,
        len(numbers),
        numbers=[
            values for values, column in zip(columns, schema.columns, strict=True) if not column.is_category
        ],
        levels=[
            _levels_of_numbers(values, column)
            for values, column in zip(columns, schema.columns, strict=True)
            if column.is_category
        ],
    )


def _from_table(table: Table, schema: InputSchema) -> PredictionInputs:
    numbers: list[NDArray[np.float64]] = []
    levels: list[NDArray[np.int32]] = []
    for given, column in zip(table.columns, schema.columns, strict=True):
        if column.is_category:
            levels.append(_levels_of_column(given, column))
        else:
            numbers.append(_numbers_of_column(given, column))
    return _gathered(schema, table.n_rows, numbers, levels)


def _gathered(
    schema: InputSchema, n_rows: int, numbers: list[NDArray[np.float64]], levels: list[NDArray[np.int32]]
) -> PredictionInputs:
    all_numbers = np.empty((n_rows, len(numbers)), dtype=np.float64, order="F")
    for position, values in enumerate(numbers):
        all_numbers[:, position] = values
    all_levels = np.empty((n_rows, schema.n_categories), dtype=np.int32, order="F")
    for position, codes in enumerate(levels):
        all_levels[:, position] = codes
    return PredictionInputs(all_numbers, all_levels)


def _numbers_of_column(given: Column, column: InputColumn) -> NDArray[np.float64]:
    if given.kind != column.kind:
        _check_all_missing(given, column)
        return np.full(len(given), np.nan)
    values = np.asarray(given.values)
    if not is_free_of_infinity(values):
        refuse_infinity(column.name, values)
    return values


def _levels_of_column(given: Column, column: InputColumn) -> NDArray[np.int32]:
    if column.level_values is not None and given.kind in ("number", "date"):
        return _levels_of_numbers(np.asarray(given.values), column)
    if given.kind != column.kind:
        _check_all_missing(given, column)
        return np.full(len(given), -1, dtype=np.int32)
    # A missing value has the position -1 and so finds the last entry.
    codes = np.array([*_codes_of_levels(given, column), -1], dtype=np.int32)
    return np.asarray(codes[given.values])


def _codes_of_levels(given: Column, column: InputColumn) -> list[int]:
    if column.kind == "boolean":
        return boolean_codes(given, column)
    code_of = {level: code for code, level in enumerate(column.levels)}
    return [code_of.get(level, -1) for level in given.levels]


def _levels_of_numbers(values: NDArray[np.float64], column: InputColumn) -> NDArray[np.int32]:
    if column.level_values is None:
        n_missing = int(np.count_nonzero(np.isnan(values)))
        if n_missing < len(values):
            raise kind_changed(column, "number", len(values), n_missing)
        return np.full(len(values), -1, dtype=np.int32)
    known = column.level_values
    if not len(known):
        return np.full(len(values), -1, dtype=np.int32)
    indices = np.minimum(np.searchsorted(known, values), len(known) - 1)
    return np.where(known[indices] == values, indices, -1).astype(np.int32)


def _check_all_missing(given: Column, column: InputColumn) -> None:
    if given.n_missing < len(given):
        raise kind_changed(column, given.kind, len(given), given.n_missing)


def kind_changed(column: InputColumn, kind: str, n_rows: int, n_missing: int) -> DataError:
    """The error for a column that is of another kind than at fit."""
    return DataError(
        f"column '{column.name}' is {_article(kind)} now and was {_article(column.kind)} at fit",
        where=f"{n_rows - n_missing} of {n_rows} rows have a value",
        fix=f"read it as at fit with read_table(new, kinds={{{column.name!r}: {column.kind!r}}}),"
        " or fit on the new kind",
    )


def _article(kind: str) -> str:
    return f"an {kind}" if kind == "identifier" else f"a {kind}"
