"""How X enters a learner that counts in numbers: as one matrix, at fit and afterwards.

A Table or a frame brings kinds: numbers and dates are taken as they are, booleans as 0 and 1, and whatever
has words is refused with advice. An array is numbers as scikit-learn validates them. Every cell must be
known and finite. A sparse matrix stays sparse where the learner can use it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import validate_data

from heldout.errors import DataError
from heldout.inputs.array_checks import (
    as_table,
    has_kinds,
    is_plain,
    is_sparse,
    refuse_foreign,
    refuse_no_table,
    refused_x,
    warn_of_lost_digits,
)
from heldout.inputs.input_schema import (
    InputColumn,
    InputSchema,
    check_names,
    is_as_at_fit,
    numbers_schema,
    record_width,
)
from heldout.inputs.mixed_arrays import meaning, unknown_words
from heldout.inputs.prediction_inputs import kind_changed
from heldout.inputs.training_inputs import table_at_fit
from heldout.table.column import NUMERIC_KINDS, Column
from heldout.table.table import Table
from heldout.text.words import first_few, plural
from heldout.types import Estimator, Matrix, SparseMatrix, TableLike


@dataclass(frozen=True, eq=False)
class NumericInputs:
    """What a learner of numbers learns from.

    schema: the columns, as they are to be remembered
    matrix: rows × columns, C-contiguous float64 or kept float32; or a csr_array whose rows are in the order
            of the columns, each column once. It may be the user's own memory: who keeps it, copies it
    """

    schema: InputSchema
    matrix: Any

    @property
    def n_rows(self) -> int:
        return int(self.matrix.shape[0])


def numeric_training(
    learner: Estimator, X: TableLike, *, accepts_sparse: bool = False, keeps_float32: bool = False
) -> NumericInputs:
    """X at fit; sets `n_features_in_` and, where X has names, `feature_names_in_`.

    accepts_sparse: whether a sparse matrix may come, and stays sparse; else it is refused
    keeps_float32:  whether an array of float32 stays one; else every matrix is of float64
    """
    if has_kinds(X):
        table = table_at_fit(learner, X)
        schema = numeric_schema(table)
        return NumericInputs(schema, _finite(columns_matrix(table, schema), schema))
    if is_plain(X):
        record_width(learner, X.shape[1])
        matrix = _from_plain(X, keeps_float32)
    else:
        matrix = _validated(learner, X, accepts_sparse, keeps_float32, is_fit=True)
    schema = numbers_schema(matrix.shape[1])
    return NumericInputs(schema, _finite(matrix, schema))


def numeric_rows(
    learner: Estimator,
    X: TableLike,
    schema: InputSchema,
    *,
    accepts_sparse: bool = False,
    keeps_float32: bool = False,
) -> Any:
    """The matrix of X after fit: as in NumericInputs, with names, kinds and number of columns as at fit.

    schema: the columns of fit
    """
    if has_kinds(X):
        check_names(learner, X)
        return _finite(columns_matrix(as_table(X), schema), schema)
    if is_plain(X) and is_as_at_fit(learner, X):
        return _finite(_from_plain(X, keeps_float32), schema)
    return _finite(_validated(learner, X, accepts_sparse, keeps_float32, is_fit=False), schema)


def _from_plain(X: NDArray[Any], keeps_float32: bool) -> NDArray[Any]:
    if X.dtype.kind != "f":
        warn_of_lost_digits(X)
    is_kept = keeps_float32 and X.dtype == np.float32
    return np.ascontiguousarray(X, dtype=np.float32 if is_kept else np.float64)


def _validated(
    learner: Estimator, X: TableLike, accepts_sparse: bool, keeps_float32: bool, is_fit: bool
) -> Any:
    """X by scikit-learn's validation, with its words; NaN and infinity are looked for later."""
    refuse_no_table(X)
    refuse_foreign(X)
    try:
        checked = validate_data(
            learner,
            X,
            reset=is_fit,
            dtype=[np.float64, np.float32] if keeps_float32 else np.float64,
            order="C",
            ensure_all_finite=False,
            accept_sparse="csr" if accepts_sparse else False,
        )
    except ValueError as error:
        words = "leave columns of words out, or encode them, with ho.OneHot for instance"
        raise refused_x(X, error, words) from error
    return canonical_rows(checked) if is_sparse(checked) else np.ascontiguousarray(checked)


def canonical_rows(checked: SparseMatrix) -> Any:
    """A csr_array with every cell once and in order; the user's own matrix is left as it is."""
    from scipy.sparse import csr_array  # takes 0.1 s

    if not checked.has_canonical_format:
        checked = checked.copy()
        checked.sum_duplicates()
    return csr_array(checked)


def _finite(matrix: Matrix, schema: InputSchema) -> Any:
    """The matrix itself, if all of it is known and finite."""
    values = matrix if isinstance(matrix, np.ndarray) else matrix.data
    with np.errstate(over="ignore", invalid="ignore"):
        # A number that is not finite makes the sum so, and so do many that are very large.
        if np.isfinite(values.sum()) or np.isfinite(values).all():
            return matrix
    if isinstance(matrix, np.ndarray):
        rows, positions = np.nonzero(~np.isfinite(matrix))
        refused = matrix[rows, positions]
    else:
        cells = matrix.tocoo()
        is_refused = ~np.isfinite(cells.data)
        rows, positions, refused = cells.row[is_refused], cells.col[is_refused], cells.data[is_refused]
    raise _not_finite(schema.names, matrix.shape[0], rows, positions, refused)


def _not_finite(
    names: list[str], n_rows: int, rows: NDArray[Any], positions: NDArray[Any], found: NDArray[Any]
) -> DataError:
    """The error for cells that are missing or, if none is, infinite; the rows ascend."""
    is_missing = np.isnan(found)
    rows, positions = (part[is_missing] if is_missing.any() else part for part in (rows, positions))
    first = int(positions.min())
    inside = rows[positions == first]
    n_others = len(np.unique(positions)) - 1
    others = f", and {plural(n_others, 'more column')}" if n_others else ""
    where = f"column '{names[first]}', {len(inside)} of {n_rows} rows, first in row {inside[0] + 1}{others}"
    if not is_missing.any():
        return DataError(
            f"Input X contains infinity or a value too large for dtype('{found.dtype}').",
            where=where,
            fix="replace it by a number, or leave those rows out",
        )
    return DataError(
        "Input X contains NaN.",
        where=where,
        fix="fill them, with ho.FillMissing for instance, or leave those rows out; trees and forests take"
        ' missing values as they are, and so do neighbors with metric="gower"',
    )


WHOLE = "matrix of the whole table"


def numeric_schema(table: Table) -> InputSchema:
    """The columns as they are to be remembered; those of words are refused, all of them at once."""
    others = [(name, kind) for name, kind in table.kinds.items() if kind not in (*NUMERIC_KINDS, "boolean")]
    if others:
        raise _no_numbers(others, table.n_columns)
    # Numbers have no levels: their rows need not be taken to say so.
    levels = {name: () if kind in NUMERIC_KINDS else table[name].levels for name, kind in table.kinds.items()}
    return InputSchema(tuple([InputColumn(name, kind, levels[name]) for name, kind in table.kinds.items()]))


def columns_matrix(table: Table, schema: InputSchema) -> NDArray[np.float64]:
    """Rows × columns, with NaN for what is missing.

    schema: the columns of fit; one that is of another kind now is refused
    """
    whole = table.shared.get(WHOLE)
    if whole is not None and [column.kind for column in schema.columns] == list(table.kinds.values()):
        rows = table.base_rows
        return np.array(whole if rows is None else whole[rows])
    matrix = np.empty(table.shape, dtype=np.float64)
    for position, (given, column) in enumerate(zip(table.columns, schema.columns, strict=True)):
        matrix[:, position] = _numbers(given, column)
    return matrix


def share_matrix(table: Table) -> None:
    """Keep a table of numbers as one matrix too, of which every selection takes its rows at once."""
    if table.base_rows is None and table.n_columns and set(table.kinds.values()) <= set(NUMERIC_KINDS):
        table.shared[WHOLE] = columns_matrix(table, numeric_schema(table))


def boolean_numbers(levels: tuple[str, ...]) -> dict[str, float]:
    """0 or 1 for each level of a boolean: what the word says, or else its index."""
    meanings = [meaning(level) for level in levels]
    known = [word for word in meanings if word is not None]
    if known and len(set(meanings)) == len(meanings):
        # Where one of two words says something, the other is the opposite.
        words = [not known[0] if word is None else word for word in meanings]
        return {level: float(word) for level, word in zip(levels, words, strict=True)}
    return {level: float(index) for index, level in enumerate(levels)}


def _numbers(given: Column, column: InputColumn) -> NDArray[np.float64]:
    if given.kind != column.kind:
        if given.n_missing < len(given):
            raise kind_changed(column, given.kind, len(given), given.n_missing)
        return np.full(len(given), np.nan)
    if column.kind != "boolean":
        return np.asarray(given.values)
    number_of = boolean_numbers(column.levels)
    if any(meaning(level) is not None for level in column.levels):
        by_meaning = {
            level: float(meanings) for level in given.levels if (meanings := meaning(level)) is not None
        }
        number_of = by_meaning | number_of
    if not set(given.levels) <= set(number_of):
        raise unknown_words(given, column)
    # A missing value has the position -1 and so finds the last entry.
    numbers = np.array([*(number_of[level] for level in given.levels), np.nan])
    return np.asarray(numbers[given.values])


def _no_numbers(others: list[tuple[str, str]], n_columns: int) -> DataError:
    listed = first_few([f"'{name}' ({kind})" for name, kind in others])
    advice = []
    if any(kind != "identifier" for _, kind in others):
        advice.append(
            "put ho.prepare_for(learner, task) before the learner, or encode them, with ho.OneHot and"
            " ho.BagOfWords for instance; trees and forests take categories as they are, and so do neighbors"
            ' with metric="gower"'
        )
    identifier = next((name for name, kind in others if kind == "identifier"), None)
    if identifier is not None:
        advice.append(
            "an identifier tells rows apart and says nothing about others: leave it out, or, if it counts"
            f" something, read it as a number with kinds={{{identifier!r}: 'number'}}"
        )
    return DataError(
        "a learner that counts in numbers cannot take columns of words or identifiers",
        where=f"{len(others)} of {n_columns} columns: {listed}",
        fix="; ".join(advice),
    )
