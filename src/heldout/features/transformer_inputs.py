"""How X enters a transformer: as typed columns, or as one matrix of numbers.

A Table or a frame brings typed columns. An array is a matrix of numbers as scikit-learn validates them;
of a transformer that takes words it may be one of objects, whose columns with words in them are
categories. A sparse matrix stays sparse where the transformer can use it. NaN is a missing value.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import _check_feature_names_in, validate_data

from heldout.errors import DataError
from heldout.inputs.array_checks import (
    has_kinds,
    is_sparse,
    refuse_foreign,
    refuse_infinity,
    refuse_no_table,
    refused_x,
)
from heldout.inputs.input_schema import InputColumn, InputSchema, check_names, numbers_schema, record_names
from heldout.inputs.mixed_arrays import (
    boolean_codes,
    mixed_array,
    object_array,
    table_from_mixed,
)
from heldout.inputs.numeric_inputs import canonical_rows
from heldout.inputs.prediction_inputs import kind_changed
from heldout.inputs.training_inputs import table_at_fit
from heldout.table.column import LEVEL_KINDS, NUMERIC_KINDS, STRING_KINDS, Column
from heldout.table.frames import table_from_frame
from heldout.table.table import Table
from heldout.types import SparseMatrix, TableLike

if TYPE_CHECKING:
    from heldout.features.images.image_transformer import ImageTransformer
    from heldout.features.transformer import Transformer

_NUMERIC = frozenset(NUMERIC_KINDS)


@dataclass(frozen=True, eq=False)
class Entry:
    """X inside a transformer.

    form:   "table" (typed columns came), "array" or "sparse"
    schema: the columns as they are to be remembered
    given:  typed columns, where they came
    matrix: else an array of float64, or a csr_array
    """

    form: str
    schema: InputSchema
    given: tuple[Column, ...] = ()
    matrix: Any = None

    @property
    def n_rows(self) -> int:
        return len(self.given[0]) if self.matrix is None else int(self.matrix.shape[0])

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        """Typed columns, of an array too."""
        if self.matrix is None:
            return self.given
        names, numbers = self.schema.names, in_column_order(self.matrix)
        return tuple([Column(name, "number", numbers[:, index]) for index, name in enumerate(names)])


def entry_at_fit(transformer: Transformer, X: TableLike) -> Entry:
    """X at fit; sets `n_features_in_` and, where X has names, `feature_names_in_`."""
    if has_kinds(X):
        return _of_columns("table", table_at_fit(transformer, X).columns)
    if transformer._takes_words and (mixed := mixed_array(X)) is not None:
        record_names(transformer, mixed)
        return _of_columns("array", table_from_mixed(mixed, range(mixed.shape[1])).columns)
    return _of_matrix(transformer, X, None)


def entry_after_fit(transformer: Transformer, X: TableLike, schema: InputSchema) -> Entry:
    """X after fit, with names, kinds and number of columns as at fit.

    schema: the columns of fit
    """
    if has_kinds(X):
        table = X if isinstance(X, Table) else table_from_frame(X)
        # A frame whose columns are named by numbers has no feature names, and leaves as a Table, which has.
        if table is not X or list(table.names) != schema.names:
            check_names(transformer, X)
        columns = same_kinds(table.columns, schema)
        _refuse_infinite(columns)
        return Entry("table", schema, columns)
    words = _indices_of_words(schema)
    # Not only where a word is among these rows: a row is read alike whatever stands beside it.
    if words and (mixed := object_array(X)) is not None:
        check_names(transformer, mixed)
        columns = same_kinds(table_from_mixed(mixed, range(mixed.shape[1]), words).columns, schema)
        _refuse_infinite(columns)
        return Entry("array", schema, columns)
    entry = _of_matrix(transformer, X, schema)
    if words and entry.form == "sparse":
        raise _no_words(schema.columns[words[0]], entry.matrix)
    if words:
        return Entry("array", schema, same_kinds(entry.columns, schema))
    return entry


def _indices_of_words(schema: InputSchema) -> list[int]:
    """The positions of the columns that are no numbers."""
    if schema.kinds <= _NUMERIC:
        return []
    return [index for index, column in enumerate(schema.columns) if column.kind not in _NUMERIC]


def _of_columns(form: str, columns: tuple[Column, ...]) -> Entry:
    _refuse_infinite(columns)
    known = tuple([InputColumn(column.name, column.kind, column.levels) for column in columns])
    return Entry(form, InputSchema(known), columns)


def _of_matrix(transformer: Transformer, X: TableLike, schema: InputSchema | None) -> Entry:
    """X as a matrix.

    schema: the columns of fit; None at fit
    """
    refuse_no_table(X)
    refuse_foreign(X)
    if is_sparse(X) and not transformer._takes_sparse:
        raise _no_sparse(transformer, X)
    try:
        with np.errstate(invalid="ignore"):  # scikit-learn adds very large numbers of both signs
            checked = validate_data(
                transformer,
                X,
                reset=schema is None,
                dtype=np.float64,
                ensure_all_finite="allow-nan",
                accept_sparse="csr" if transformer._takes_sparse else False,
            )
    except ValueError as error:
        words = "hand over a table or a frame, whose columns have kinds, or leave columns of words out"
        raise refused_x(X, error, words) from error
    known = numbers_schema(checked.shape[1]) if schema is None else schema
    if is_sparse(checked):
        return Entry("sparse", known, (), canonical_rows(checked))
    return Entry("array", known, (), checked)


def _refuse_infinite(columns: tuple[Column, ...]) -> None:
    for column in columns:
        if column.has_infinity:
            refuse_infinity(column.name, np.asarray(column.values))


def _no_words(column: InputColumn, X: SparseMatrix) -> DataError:
    return DataError(
        f"a sparse matrix has numbers only, and column '{column.name}' was a {column.kind} at fit",
        where=f"X is a {type(X).__name__} of shape {X.shape}",
        fix="hand over a table, a frame or an array of objects, as at fit",
    )


def _no_sparse(transformer: Transformer, X: SparseMatrix) -> DataError:
    name = type(transformer).__name__
    return DataError(
        f"Sparse data was passed, and {name} takes dense data only",
        where=f"X is a {type(X).__name__} of shape {X.shape}",
        fix=f"use X.toarray() if it fits into memory, or put {name} before the step that makes it sparse",
    )


def same_kinds(columns: Sequence[Column], schema: InputSchema) -> tuple[Column, ...]:
    """The columns with the kinds of fit; one that is of another kind and has values is refused.

    A column without any value may be of any kind. A text may have been read as a category or as an
    identifier, which changes nothing in what it says. A boolean has the words of fit.
    """
    pairs = zip(columns, schema.columns, strict=True)
    return tuple([_of_kind(given, expected) for given, expected in pairs])


def _of_kind(given: Column, expected: InputColumn) -> Column:
    if given.kind == expected.kind:
        return _in_words_of_fit(given, expected) if expected.kind == "boolean" else given
    if expected.kind == "text" and given.kind not in NUMERIC_KINDS:
        return Column(given.name, "text", np.array(given.labels(), dtype=object))
    n_missing = given.n_missing
    if n_missing < len(given):
        raise kind_changed(expected, given.kind, len(given), n_missing)
    return _without_values(expected, len(given))


def _in_words_of_fit(given: Column, expected: InputColumn) -> Column:
    if given.levels == expected.levels:
        return given
    codes = boolean_codes(given, expected)
    levels = list(expected.levels)
    for index, level in enumerate(given.levels):
        # Training rows may all have been true; a false is no missing value.
        if codes[index] < 0 and len(levels) < 2:
            codes[index] = len(levels)
            levels.append(level)
    found = np.array([*codes, -1], dtype=np.int32)[given.values]
    return Column(given.name, "boolean", found, tuple(levels), given.reason)


def _without_values(expected: InputColumn, n_rows: int) -> Column:
    name, kind = expected.name, expected.kind
    if kind in LEVEL_KINDS:
        return Column(name, kind, np.full(n_rows, -1, dtype=np.int32), expected.levels)
    if kind in STRING_KINDS:
        return Column(name, kind, np.full(n_rows, None, dtype=object))
    return Column(name, kind, np.full(n_rows, np.nan))


ROWS_PER_BLOCK = 2048


def in_column_order(matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    """The same matrix in Fortran's order; one that is in it already is not copied.

    It is turned a few rows at a time, which stay in the cache: twice as fast as all at once.
    """
    if matrix.flags.f_contiguous:
        return matrix
    turned = np.empty(matrix.shape, order="F")
    for start in range(0, len(matrix), ROWS_PER_BLOCK):
        turned[start : start + ROWS_PER_BLOCK] = matrix[start : start + ROWS_PER_BLOCK]
    return turned


def input_names(
    transformer: Transformer | ImageTransformer, input_features: Sequence[str] | None
) -> list[str]:
    """The names that are given, checked in scikit-learn's words, or those of fit.

    Columns of a frame that are named by numbers have no `feature_names_in_`, and yet leave under their names.
    """
    if input_features is None:
        names: list[str] = transformer.inputs_.names
        return names
    return [str(name) for name in _check_feature_names_in(transformer, input_features)]
