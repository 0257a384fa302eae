"""One row to be explained, in whatever form it comes, as an X of one row.

A dict or a series names its values; a column that it does not name is unknown. Values are taken by the
kinds that the columns had at fit.
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from numbers import Real
from typing import Any, TypeGuard

import numpy as np

from heldout.errors import DataError, InputTypeError, RequestError
from heldout.inputs.array_checks import as_table, has_kinds, is_sparse
from heldout.inputs.input_schema import InputColumn, InputSchema
from heldout.table.column import Column, category_column, number_label
from heldout.table.selection import unknown_column
from heldout.table.table import Table
from heldout.types import Estimator, TableLike

_DAY = np.timedelta64(1, "D")
_DATE_TYPES = (datetime.date, np.datetime64)


def one_row(learner: Estimator, row: object, schema: InputSchema) -> Any:
    """The row as an X.

    learner: the fitted learner, which knows whether its columns have names
    row:     a dict, a series with the names of the columns, a Table or frame of one row, or an array
    schema:  the columns of fit
    """
    is_series = hasattr(row, "index") and not hasattr(row, "columns")
    if hasattr(row, "items") and (is_series or isinstance(row, Mapping)):
        return _from_names(learner, dict(row.items()), schema)
    X = row if has_kinds(row) or hasattr(row, "shape") else np.array(row, dtype=object)
    if len(X.shape) == 0:
        raise InputTypeError(
            f"a {type(row).__name__} is not a row",
            where=f"explain({row!r:.60})",
            fix="hand over a dict or a series with the names of the columns, a list or an array of their"
            " values, or a Table or frame of one row",
        )
    if len(X.shape) == 1:
        X = np.asarray(X).reshape(1, -1)
    if X.shape[0] != 1:
        raise RequestError(
            "only one row can be explained at a time",
            where=f"a {type(row).__name__} of shape {X.shape}",
            fix="hand over one of its rows, such as X[:1]",
        )
    return X


def given_words(X: TableLike) -> list[str | None]:
    """What the row has in each column, as text; None for what is missing.

    X: as `one_row` gives it
    """
    if has_kinds(X):
        return [column.labels()[0] for column in as_table(X).columns]
    values = (X.toarray() if is_sparse(X) else np.asarray(X)).ravel().tolist()
    return [None if _is_missing(value) else _label(value) for value in values]


def _from_names(learner: Estimator, row: dict[Any, Any], schema: InputSchema) -> Any:
    names = schema.names
    values: dict[str, Any] = dict.fromkeys(names)
    for key, value in row.items():
        name = names[key] if _is_index(key, names) else key
        if name not in values:
            raise unknown_column(name, names)
        values[name] = None if _is_missing(value) else value
    if hasattr(learner, "feature_names_in_"):
        return Table([_column(column, values[column.name]) for column in schema.columns])
    return np.array([[np.nan if value is None else value for value in values.values()]], dtype=object)


def _is_index(key: object, names: list[str]) -> bool:
    """A series without names has the indices of its values as keys."""
    return isinstance(key, int | np.integer) and not isinstance(key, bool) and int(key) in range(len(names))


def _is_missing(value: object) -> bool:
    """None, NaN, and what pandas has for them; its NA is not even comparable with itself."""
    return value is None or type(value).__name__ in ("NAType", "NaTType") or bool(value != value)


def _column(column: InputColumn, value: object) -> Column:
    name = column.name
    if column.kind == "boolean":
        return _boolean(name, value)
    takes_numbers = column.kind == "number" or column.level_values is not None
    if takes_numbers and _is_number(value):
        return Column(name, "number", np.array([float(value)]))
    takes_dates = column.kind == "date" or column.level_values is not None
    if takes_dates and isinstance(value, _DATE_TYPES):
        microseconds = np.array([value], dtype="M8[us]") - np.datetime64(0, "us")
        return Column(name, "date", microseconds / _DAY)
    if column.kind == "date" and isinstance(value, str) and (day := _iso_day(value)) is not None:
        return Column(name, "date", np.array([day]))
    if column.is_category:
        return category_column(name, [None if value is None else _label(value)])
    if value is not None:
        raise DataError(
            f"column '{name}' wants a {column.kind}",
            where=f"the row has {value!r:.40}",
            fix="give a number" if column.kind == "number" else "give a datetime, or text such as 2024-01-31",
        )
    return Column(name, column.kind, np.array([np.nan]))


def _boolean(name: str, value: object) -> Column:
    if value is None:
        return Column(name, "boolean", np.array([-1], dtype=np.int32))
    word = str(value).lower() if isinstance(value, bool | np.bool_) else str(value)
    return Column(name, "boolean", np.array([0], dtype=np.int32), (word,))


def _iso_day(text: str) -> float | None:
    """Days since 1970-01-01, of text with the year first, as read_table reads it."""
    import pyarrow as pa

    from heldout.table.parse_dates import read_dates

    reading = read_dates(pa.array([text.strip()]))
    if reading is None or reading.days is None or not reading.is_year_first:
        return None
    return float(reading.days[0])


def _label(value: object) -> str:
    return number_label(float(value)) if _is_number(value) else str(value)


def _is_number(value: object) -> TypeGuard[Real]:
    return isinstance(value, Real) and not isinstance(value, bool)
