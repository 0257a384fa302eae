"""Columns of Python values, as Excel, SQLite and lists hold them, as Arrow arrays.

A column whose values are of one sort keeps its type. Where sorts are mixed (12 beside "12 kg"),
every value becomes the string a user would write, and contents decide, as in a CSV file.
"""

from __future__ import annotations

import datetime
import decimal
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from heldout.errors import DataError
from heldout.table.column import number_label

_DAY_START = datetime.time()


def arrow_from_values(name: str, values: Sequence[Any]) -> tuple[Any, tuple[str, ...]]:
    """A chunked Arrow array of the values, and what is to be said about it.

    None, NaN and NaT are missing.
    """
    values = [_plain(value) for value in values]
    sorts = {_sort(name, value, row) for row, value in enumerate(values)} - {"missing"}
    if len(sorts) > 1:
        shown = " and ".join(sorted(sorts))
        strings = pa.array([None if value is None else _as_string(value) for value in values], pa.string())
        return pa.chunked_array([strings]), (f"column '{name}' mixes {shown}, and is read as strings",)
    sort = next(iter(sorts), "missing")
    return pa.chunked_array([_array(sort, values)]), ()


def _array(sort: str, values: Sequence[Any]) -> Any:
    if sort == "numbers":
        is_whole = all(value is None or isinstance(value, int) for value in values)
        if is_whole and all(value is None or -(2**63) <= value < 2**63 for value in values):
            return pa.array(values, pa.int64())
        if is_whole:
            return pa.array([None if value is None else str(value) for value in values], pa.string())
        return pa.array([None if value is None else float(value) for value in values], pa.float64())
    if sort == "dates":
        moments = [None if value is None else _moment(value) for value in values]
        return pa.array(moments, pa.timestamp("us"))
    kinds = {"missing": pa.null(), "booleans": pa.bool_(), "strings": pa.string(), "times": pa.time64("us")}
    return pa.array(values, kinds.get(sort, pa.duration("us")))


def _plain(value: object) -> object:
    """NumPy scalars as Python's, every sort of missing as None."""
    if isinstance(value, np.generic):
        value = (
            value.item() if not isinstance(value, np.datetime64) else value.astype("datetime64[us]").item()
        )
    if isinstance(value, float) and math.isnan(value):
        return None
    # pandas' NaT and NA are told by their names, as pandas itself may not be there.
    return None if type(value).__name__ in ("NaTType", "NAType") else value


def _sort(name: str, value: object, row: int) -> str:
    if value is None:
        return "missing"
    if isinstance(value, bool):
        return "booleans"
    if isinstance(value, int | float | decimal.Decimal):
        return "numbers"
    if isinstance(value, str):
        return "strings"
    if isinstance(value, datetime.date):
        return "dates"
    if isinstance(value, datetime.time):
        return "times"
    if isinstance(value, datetime.timedelta):
        return "spans"
    raise DataError(
        f"column '{name}' holds {type(value).__name__}, which is no single value",
        where=f"row {row + 1:,}",
        fix="hand over numbers, strings, booleans and dates",
    )


def _moment(value: datetime.date) -> datetime.datetime:
    """A date or a time as a time in UTC without zone."""
    if not isinstance(value, datetime.datetime):
        return datetime.datetime.combine(value, _DAY_START)
    return value if value.tzinfo is None else value.astimezone(datetime.UTC).replace(tzinfo=None)


def _as_string(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return number_label(value) if math.isfinite(value) else str(value)
    if isinstance(value, datetime.datetime):
        moment = _moment(value)
        return moment.date().isoformat() if moment.time() == _DAY_START else moment.isoformat()
    return str(value)
