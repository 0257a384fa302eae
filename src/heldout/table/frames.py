"""Frames in memory as tables: every kind follows from the dtype alone.

Contents are guessed by `read_table` and nowhere else, so a part of a frame is never typed
differently from the whole.
"""

from __future__ import annotations

import decimal
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, cast

import narwhals as nw
import numpy as np
from narwhals.typing import IntoDataFrame

from heldout.errors import DataError, InputTypeError
from heldout.table.column import Column, sort_levels
from heldout.table.series_arrow import series_arrow, span_days
from heldout.table.table import Table
from heldout.text.words import plural

if TYPE_CHECKING:
    import pyarrow as pa


def is_frame(data: object) -> bool:
    """Whether this is a pandas, polars or pyarrow table, or another one that narwhals knows."""
    return bool(nw.dependencies.is_into_dataframe(data))


def table_from_frame(frame: object) -> Table:
    """A table with the kinds that the frame's dtypes say.

    Numbers become numbers, booleans booleans, strings and categoricals categories, dates and moments
    dates; a span of time or a time of day becomes a number of days. A column of the type of nulls is a
    number, as read_table has it. An object column of pandas has no dtype of its own and is taken for what
    all its values are.
    """
    return Table([column_from_series(str(series.name), series) for series in _columns_of(frame)])


def column_from_series(name: str, series: nw.Series[Any]) -> Column:
    """One column of a frame, its kind by dtype."""
    dtype = series.dtype
    reason = f"dtype {_dtype_name(series)}"
    if dtype.is_numeric() and dtype not in (nw.Int128, nw.UInt128):
        return Column(name, "number", _as_floats(series), reason=reason)
    if dtype == nw.Boolean:
        return _boolean(name, series, reason)
    if dtype in (nw.String, nw.Categorical, nw.Enum):
        return _category(name, column_arrow(name, series), reason)
    if dtype in (nw.Date, nw.Datetime):
        return _dates(name, series.to_arrow(), reason)
    if dtype == nw.Object:
        return _from_objects(name, series.to_list())
    column = _by_arrow_type(name, series, reason)
    if column is not None:
        return column
    raise DataError(
        f"column '{name}' is of a type that no kind stands for",
        where=f"dtype {_dtype_name(series)}, {len(series)} rows",
        fix="convert it to numbers, strings, booleans or dates, or drop it",
    )


def column_arrow(name: str, series: nw.Series[Any]) -> pa.ChunkedArray:
    """A chunked Arrow array of the values; levels that Arrow has no flat type for, as intervals, by name.

    series: a column that narwhals has wrapped
    """
    import pyarrow as pa

    native = series.to_native()
    is_declared = series.dtype in (nw.Categorical, nw.Enum) and nw.dependencies.is_pandas_like_series(native)
    levels = getattr(native.dtype, "categories", None) if is_declared else None
    if levels is None or _is_flat(levels):
        return series_arrow(name, series)
    codes = np.asarray(native.cat.codes, dtype=np.int32)
    names = pa.array([str(level) for level in levels], pa.string())
    return pa.chunked_array([pa.DictionaryArray.from_arrays(pa.array(codes, mask=codes < 0), names)])


def _is_flat(levels: Iterable[object]) -> bool:
    """Has Arrow a type of single values for the levels of a pandas categorical?"""
    import pyarrow as pa

    try:
        kind = pa.array(levels, from_pandas=True).type
    except pa.ArrowException:
        return False
    return not (isinstance(kind, pa.BaseExtensionType) or pa.types.is_nested(kind))


def refuse_same_names(frame: object) -> None:
    """A DataError that names the column that is there twice, which narwhals does not."""
    if not is_frame(frame):
        return
    names: Sequence[object] = getattr(frame, "column_names" if hasattr(frame, "column_names") else "columns")
    counts = Counter(str(name) for name in names)
    twice = [name for name, count in counts.items() if count > 1]
    if twice:
        positions = [k + 1 for k, name in enumerate(names) if str(name) == twice[0]]
        more = f", and {len(twice) - 1} more names" if len(twice) > 1 else ""
        raise DataError(
            f"{len(positions)} columns have the same name, '{twice[0]}'",
            where=f"columns {', '.join(map(str, positions[:5]))} of {len(names)}{more}",
            fix="rename or drop one of them",
        )


def _by_arrow_type(name: str, series: nw.Series[Any], reason: str) -> Column | None:
    """Types that narwhals has no name for, as some time zones and sparse arrays; None if no kind fits."""
    import pyarrow as pa

    if series.dtype not in (nw.Unknown, nw.Duration, nw.Time, nw.Int128, nw.UInt128):
        return None
    values = series_arrow(name, series)
    if pa.types.is_timestamp(values.type) or pa.types.is_date(values.type):
        return _dates(name, values, f"dtype {values.type}")
    if pa.types.is_duration(values.type) or pa.types.is_time(values.type):
        return Column(name, "number", span_days(values), reason=f"{reason}, in days")
    if pa.types.is_integer(values.type) or pa.types.is_floating(values.type):
        numbers = values.cast(pa.float64(), safe=False).to_numpy()
        return Column(name, "number", numbers, reason=f"dtype {values.type}")
    if pa.types.is_null(values.type):
        return Column(name, "number", np.full(len(series), np.nan), reason="no value in any row")
    return None


def _columns_of(frame: object) -> Sequence[nw.Series[Any]]:
    refuse_same_names(frame)
    try:
        known = nw.from_native(cast("IntoDataFrame", frame), eager_only=True)
    except TypeError as error:
        raise InputTypeError(
            f"a {type(frame).__name__} is not a frame that is held in memory",
            where=f"module {type(frame).__module__}",
            fix="hand over a pandas, polars or pyarrow table; collect() a lazy one first",
        ) from error
    return list(known.iter_columns())


def _dtype_name(series: nw.Series[Any]) -> str:
    return str(series.dtype).partition("(")[0].lower()


def _as_floats(series: nw.Series[Any]) -> np.ndarray[Any, np.dtype[np.float64]]:
    values = series.to_numpy()
    if values.dtype.kind not in "fiu":  # decimals, and nullable types of pandas that come as objects
        values = series.cast(nw.Float64).to_numpy()
    return np.asarray(values, dtype=np.float64)


def _boolean(name: str, series: nw.Series[Any], reason: str) -> Column:
    codes = series.cast(nw.Int32).fill_null(-1).to_numpy()
    return Column(name, "boolean", np.asarray(codes, dtype=np.int32), ("false", "true"), reason)


def _category(name: str, strings: pa.ChunkedArray | pa.Array, reason: str) -> Column:
    """Encoded by Arrow, then renumbered so that the levels are sorted and all of them occur."""
    import pyarrow as pa

    array = strings.combine_chunks() if isinstance(strings, pa.ChunkedArray) else strings
    if not pa.types.is_dictionary(array.type):
        array = array.dictionary_encode()
    found = _level_names(name, array.dictionary)
    positions = array.indices.cast(pa.int64()).fill_null(-1).to_numpy(zero_copy_only=False)
    used = {found[position] for position in np.unique(positions).tolist() if position >= 0}
    levels = sort_levels([level for level in used if level is not None])
    code_of: dict[str | None, int] = {level: code for code, level in enumerate(levels)}
    recode = np.array([*(code_of.get(level, -1) for level in found), -1], dtype=np.int32)
    return Column(name, "category", recode[positions], levels, reason)


def _level_names(name: str, levels: pa.Array) -> list[str | None]:
    """Levels of any type, spelled as read_table spells them."""
    import pyarrow as pa

    from heldout.table.infer_arrow import as_strings

    return list(as_strings(name, pa.chunked_array([levels])).to_pylist())


def _dates(name: str, moments: pa.ChunkedArray, reason: str) -> Column:
    from heldout.table.infer_arrow import date_days

    return Column(name, "date", date_days(moments), reason=reason)


def _from_objects(name: str, values: list[Any]) -> Column:
    """The kind that all values have by type; missing ones have none."""
    import pyarrow as pa

    from heldout.table.python_values import arrow_from_values

    refuse_booleans_among_numbers(name, values)
    array, mixture = arrow_from_values(name, values)
    if mixture:
        raise _mixed_objects(name, values)
    kind, reason = array.type, "objects, all of them "
    if pa.types.is_boolean(kind):
        codes = array.cast(pa.int32()).fill_null(-1).to_numpy()
        return Column(name, "boolean", codes, ("false", "true"), f"{reason}booleans")
    if pa.types.is_timestamp(kind):
        return _dates(name, array, f"{reason}dates")
    if pa.types.is_time(kind) or pa.types.is_duration(kind):
        return Column(name, "number", span_days(array), reason=f"{reason}spans of time, in days")
    # Integers that no type of Arrow holds come as strings.
    if pa.types.is_integer(kind) or pa.types.is_floating(kind) or any(map(_is_number, values)):
        return Column(
            name, "number", array.cast(pa.float64(), safe=False).to_numpy(), reason=f"{reason}numbers"
        )
    return _category(name, array.cast(pa.string()), f"{reason}strings")


def refuse_booleans_among_numbers(name: str, values: Sequence[Any]) -> None:
    """A DataError for True beside 2, which is neither a number nor a yes or no.

    values: Python or NumPy values, of which those that are not known do not count
    """
    types = set(map(type, values))
    if not types & {bool, np.bool_} or str in types:
        return
    n_booleans = sum(isinstance(value, bool | np.bool_) for value in values)
    rows = [row for row, value in enumerate(values) if _is_number(value)]
    if rows:
        booleans, numbers = plural(n_booleans, "boolean"), plural(len(rows), "number")
        raise DataError(
            f"column '{name}' mixes booleans and numbers",
            where=f"{booleans} and {numbers}, the first number {values[rows[0]]} in row {rows[0] + 1:,}",
            fix="make all of them booleans, numbers or strings",
        )


def _is_number(value: object) -> bool:
    is_number = isinstance(value, int | float | decimal.Decimal | np.number) and not isinstance(value, bool)
    return bool(is_number and value == value)


def _mixed_objects(name: str, values: Sequence[Any]) -> DataError:
    first: dict[str, int] = {}
    for row, value in enumerate(values, start=1):
        is_missing = value is None or type(value).__name__ in ("NAType", "NaTType") or value != value
        if not is_missing:
            first.setdefault(type(value).__name__, row)
    shown = ", ".join(f"{sort} first in row {row:,}" for sort, row in list(first.items())[:4])
    return DataError(
        f"column '{name}' mixes objects of different types",
        where=f"{plural(len(values), 'row')}: {shown}",
        fix="convert it to one of numbers, strings, booleans or dates, or drop it",
    )
