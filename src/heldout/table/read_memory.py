"""Tables that are in memory already: frames, arrays, dicts of columns, lists of dicts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from typing import Any, TypeAlias, cast

import narwhals as nw
import numpy as np
import pyarrow as pa
from narwhals.typing import IntoDataFrame, IntoSeries
from numpy.typing import NDArray

from heldout.errors import DataError, InputTypeError
from heldout.table.frames import column_arrow, refuse_booleans_among_numbers, refuse_same_names
from heldout.table.python_values import arrow_from_values
from heldout.table.raw_table import RawTable

_NAMING = "rename it before handing the table over"
InMemoryColumn: TypeAlias = IntoSeries | Sequence[Any] | NDArray[Any]
InMemory: TypeAlias = (
    IntoDataFrame | NDArray[Any] | Mapping[str, InMemoryColumn] | Sequence[Mapping[str, Any]]
)


def read_in_memory(source: InMemory, names: Sequence[str] | None = None) -> RawTable:
    """The columns of a frame, an array, a dict of columns or a list of dicts.

    names: the columns' names, for an array that has none
    """
    if isinstance(source, np.ndarray):
        return _from_array(source, names)
    if names is not None:
        raise InputTypeError(
            "names are given for arrays only", f"source is {type(source).__name__}", "leave names= out"
        )
    if isinstance(source, Mapping):
        return _from_columns(source)
    if isinstance(source, list) and not source:
        raise DataError("the table has no rows", "the list is empty", "give one dict per row")
    refuse_same_names(source)
    if isinstance(source, list) and source and all(isinstance(row, Mapping) for row in source):
        return _from_rows(source)
    try:
        frame = nw.from_native(cast("IntoDataFrame", source), eager_only=True)
    except TypeError:
        raise InputTypeError(
            f"a table cannot be read from {type(source).__name__}",
            where=f"source is {type(source).__module__}.{type(source).__name__}",
            fix="hand over a path, a pandas, polars or pyarrow table (collect a lazy one), an array, "
            "a dict of columns or a list of dicts",
        ) from None
    if not frame.columns:
        raise DataError("there are no columns", f"the frame has {len(frame):,} rows", "hand over another one")
    return _from_frame(frame)


def _from_frame(frame: nw.DataFrame[Any]) -> RawTable:
    arrays: list[Any] = []
    notes: list[str] = []
    for series in frame.iter_columns():
        if series.dtype == nw.Object:
            array, more = _from_values(str(series.name), series.to_list())
            notes += more
        else:
            array = column_arrow(str(series.name), series)
        arrays.append(array)
    names = tuple(str(name).strip() for name in frame.columns)
    return RawTable(names, tuple(arrays), (*_index_note(frame), *notes), naming=_NAMING)


def _index_note(frame: nw.DataFrame[Any]) -> tuple[str, ...]:
    """The index of a pandas frame is no column; one that says something is not dropped without a word."""
    index = nw.maybe_get_index(frame)
    if index is None or type(index).__name__ == "RangeIndex":
        return ()
    return ("the index of the frame is left out; reset_index() makes it a column",)


def _from_columns(columns: Mapping[Any, Any]) -> RawTable:
    """A dict of columns: lists, arrays, or series of a frame."""
    if not columns:
        raise DataError("there are no columns", "the dict is empty", "give one entry per column")
    arrays: list[Any] = []
    notes: list[str] = _series_index_notes(columns)
    for name, values in columns.items():
        array, more = _column(str(name), values)
        arrays.append(array)
        notes += more
    lengths = {str(name): len(array) for name, array in zip(columns, arrays, strict=True)}
    shortest, longest = min(lengths, key=lengths.__getitem__), max(lengths, key=lengths.__getitem__)
    if lengths[shortest] != lengths[longest]:
        raise DataError(
            "columns differ in length",
            where=f"'{shortest}' has {lengths[shortest]:,} values, '{longest}' {lengths[longest]:,}",
            fix="give every column one value per row",
        )
    names = tuple(str(name).strip() for name in columns)
    return RawTable(names, tuple(arrays), tuple(notes), naming=_NAMING)


def _series_index_notes(columns: Mapping[Any, Any]) -> list[str]:
    """Series of pandas are put side by side by position: their indexes must agree."""
    indexes = {
        str(name): values.index
        for name, values in columns.items()
        if nw.dependencies.is_pandas_series(values)
    }
    if not indexes:
        return []
    first, index = next(iter(indexes.items()))
    other = next((name for name, found in indexes.items() if not index.equals(found)), None)
    if other is not None:
        raise DataError(
            "series with different indexes do not say which values make a row",
            where=f"columns '{first}' and '{other}'",
            fix="make a frame of them with pandas.DataFrame, or hand over series.to_numpy()",
        )
    if type(index).__name__ == "RangeIndex":
        return []
    return ["the index of the series is left out; reset_index() makes it a column"]


def _column(name: str, values: InMemoryColumn) -> tuple[Any, tuple[str, ...]]:
    is_other = isinstance(values, str | bytes | bytearray | Mapping | Set) or not hasattr(values, "__len__")
    if is_other or nw.dependencies.is_into_dataframe(values):
        raise InputTypeError(
            "a column is a list or an array",
            f"column '{name}' is {type(values).__name__}",
            _column_fix(values),
        )
    if isinstance(values, pa.ChunkedArray | pa.Array):
        return (values if isinstance(values, pa.ChunkedArray) else pa.chunked_array([values])), ()
    if isinstance(values, np.ndarray):
        return _from_numpy(name, values)
    if hasattr(values, "to_arrow") or hasattr(values, "dtype"):
        try:
            series = nw.from_native(cast("IntoSeries", values), series_only=True, allow_series=True)
        except TypeError:  # an index, a tensor and the like
            return _from_values(name, list(values))
        if series.dtype != nw.Object:
            return column_arrow(name, series), ()
    return _from_values(name, list(values))


def _from_values(name: str, values: list[Any]) -> tuple[Any, tuple[str, ...]]:
    refuse_booleans_among_numbers(name, values)
    return arrow_from_values(name, values)


def _column_fix(values: object) -> str:
    if isinstance(values, Mapping):
        return "give one value per row; of frame.to_dict() hand over the frame itself"
    if isinstance(values, Set):
        return "give a list with one value per row: a set has no order"
    return "give one value per row"


def _from_numpy(name: str, values: np.ndarray[Any, Any]) -> tuple[Any, tuple[str, ...]]:
    if values.ndim != 1:
        raise DataError(
            "a column has one value per row", f"column '{name}', shape {values.shape}", "give a 1-D array"
        )
    if isinstance(values, np.ma.MaskedArray):
        return _from_values(name, values.tolist())
    if values.dtype.kind in "OSV":
        return _from_values(name, values.tolist())
    if values.dtype.kind == "U" or values.dtype.kind == "T":
        return pa.chunked_array([pa.array(values.astype(object), pa.string())]), ()
    if values.dtype.kind == "c":
        raise DataError(
            "complex numbers have no order", f"column '{name}'", "give real and imaginary parts apart"
        )
    if values.dtype.kind in "mM":
        # Arrow knows no hours or years; microseconds are what the digest of a date goes by.
        values = values.astype(f"{values.dtype.kind}8[us]")
    return pa.chunked_array([pa.array(values.astype(values.dtype.newbyteorder("=")))]), ()


def _from_array(array: np.ndarray[Any, Any], names: Sequence[str] | None) -> RawTable:
    if array.dtype.names is not None:
        return _from_columns({name: array[name] for name in array.dtype.names})
    if array.ndim == 1:
        array = array[:, np.newaxis]
    if array.ndim != 2:
        raise DataError(
            "a table has rows and columns", f"the array has shape {array.shape}", "give a 2-D array"
        )
    if names is not None and len(names) != array.shape[1]:
        raise DataError(
            "there must be one name per column",
            f"{len(names)} names, {array.shape[1]} columns",
            "name every column",
        )
    names = list(names) if names is not None else [f"column_{k}" for k in range(1, array.shape[1] + 1)]
    arrays: list[Any] = []
    notes: list[str] = []
    for position, name in enumerate(names):
        column, more = _from_numpy(name, array[:, position])
        arrays.append(column)
        notes += more
    return RawTable(
        tuple(str(name).strip() for name in names), tuple(arrays), tuple(notes), naming="say names=[...]"
    )


def _from_rows(rows: Sequence[Mapping[Any, Any]]) -> RawTable:
    """A list of dicts: a key that a row does not have is a missing value there."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    columns = {name: [row.get(name) for row in rows] for name in names}
    raw = _from_columns(columns)
    n_short = sum(len(row) < len(names) for row in rows)
    if not n_short:
        return raw
    note = f"{n_short:,} of {len(rows):,} rows lack a key; those values are missing"
    return replace(raw, notes=(note, *raw.notes))
