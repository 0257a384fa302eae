"""Frames in memory as tables: every kind follows from the dtype alone.

Contents are guessed by `read_table` and nowhere else, so a part of a frame is never typed
differently from the whole.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import narwhals as nw
import numpy as np

from heldout.errors import DataError, KindError
from heldout.table.column import Column, sort_levels
from heldout.table.series_arrow import series_arrow, span_days
from heldout.table.table import Table

_MICROSECONDS_A_DAY = 86_400_000_000


def is_frame(data: object) -> bool:
    """Whether this is a pandas, polars or pyarrow table, or another one that narwhals knows."""
    return bool(nw.dependencies.is_into_dataframe(data))


def table_from_frame(frame: Any) -> Table:
    """A table with the kinds that the frame's dtypes say.

    Numbers become numbers, booleans booleans, strings and categoricals categories, dates and moments
    dates; a span of time or a time of day becomes a number of days. An object column of pandas has no
    dtype of its own and is taken for what all its values are.
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
        return _category(name, series.to_arrow(), reason)
    if dtype in (nw.Date, nw.Datetime):
        return Column(name, "date", _as_days(series.to_arrow()), reason=reason)
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


def refuse_same_names(frame: Any) -> None:
    """A DataError that names the column that is there twice, which narwhals does not."""
    if not is_frame(frame):
        return
    names = getattr(frame, "column_names", None)
    names = frame.columns if names is None else names
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
        return Column(name, "date", _as_days(values), reason=f"dtype {values.type}")
    if pa.types.is_duration(values.type) or pa.types.is_time(values.type):
        return Column(name, "number", span_days(values), reason=f"{reason}, in days")
    if pa.types.is_integer(values.type) or pa.types.is_floating(values.type):
        numbers = values.cast(pa.float64(), safe=False).to_numpy()
        return Column(name, "number", numbers, reason=f"dtype {values.type}")
    return None


def _columns_of(frame: Any) -> Sequence[nw.Series[Any]]:
    refuse_same_names(frame)
    try:
        known = nw.from_native(frame, eager_only=True)
    except TypeError as error:
        raise KindError(
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


def _category(name: str, strings: Any, reason: str) -> Column:
    """Encoded by Arrow, then renumbered so that the levels are sorted and all of them occur."""
    import pyarrow as pa

    array = strings.combine_chunks() if isinstance(strings, pa.ChunkedArray) else strings
    if not pa.types.is_dictionary(array.type):
        array = array.dictionary_encode()
    found = [str(level) for level in array.dictionary.to_pylist()]
    positions = array.indices.cast(pa.int64()).fill_null(-1).to_numpy(zero_copy_only=False)
    used = {found[position] for position in np.unique(positions).tolist() if position >= 0}
    levels = sort_levels(list(used))
    code_of = {level: code for code, level in enumerate(levels)}
    recode = np.array([*(code_of.get(level, -1) for level in found), -1], dtype=np.int32)
    return Column(name, "category", recode[positions], levels, reason)


def _as_days(moments: Any) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Days since 1970-01-01; a moment with a time zone counts as the same moment in UTC."""
    import pyarrow as pa

    array = moments.combine_chunks() if isinstance(moments, pa.ChunkedArray) else moments
    missing = array.is_null().to_numpy(zero_copy_only=False)
    if pa.types.is_date(array.type):
        counts, per_day = array.cast(pa.date32()).cast(pa.int32()), 1
    else:
        microseconds = array.cast(pa.timestamp("us", tz=array.type.tz), safe=False)
        counts, per_day = microseconds.cast(pa.int64()), _MICROSECONDS_A_DAY
    days = counts.fill_null(0).to_numpy(zero_copy_only=False) / per_day
    return np.where(missing, np.nan, days)


def _from_objects(name: str, values: list[Any]) -> Column:
    known = [value for value in values if not _is_missing(value)]
    if all(isinstance(value, str) for value in known):
        import pyarrow as pa

        strings = [None if _is_missing(value) else value for value in values]
        return _category(name, pa.array(strings, type=pa.string()), "objects, all of them strings")
    if all(isinstance(value, bool | np.bool_) for value in known):
        codes = [-1 if _is_missing(value) else int(value) for value in values]
        levels = ("false", "true")
        return Column(
            name, "boolean", np.array(codes, dtype=np.int32), levels, "objects, all of them booleans"
        )
    if all(isinstance(value, int | float | np.number) for value in known):
        numbers = [np.nan if _is_missing(value) else float(value) for value in values]
        return Column(name, "number", np.array(numbers), reason="objects, all of them numbers")
    types = sorted({type(value).__name__ for value in known})
    raise DataError(
        f"column '{name}' mixes objects of different types",
        where=f"{len(known)} values of type {', '.join(types[:4])}",
        fix="convert it to one of numbers, strings, booleans or dates, or drop it",
    )


def _is_missing(value: Any) -> bool:
    return value is None or value != value or type(value).__name__ in ("NAType", "NaTType")
