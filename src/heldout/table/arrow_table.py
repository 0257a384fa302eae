"""Typed columns as an Arrow table, from which any library of frames makes its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from heldout.errors import DataError
from heldout.table.column import LEVEL_KINDS, Column

if TYPE_CHECKING:
    import pyarrow as pa

MICROSECONDS_PER_DAY = 86_400_000_000


def arrow_from_columns(columns: Sequence[Column]) -> pa.Table:
    """A pyarrow.Table: numbers as doubles, dates as moments, booleans, dictionaries and strings.

    A boolean whose levels are not false and true keeps its words, as a dictionary.
    """
    import pyarrow as pa  # takes 0.1 s

    return pa.table([_checked(column) for column in columns], names=[column.name for column in columns])


def _checked(column: Column) -> pa.Array:
    try:
        return _arrow_from_column(column)
    except UnicodeEncodeError as error:
        raise DataError(
            f"column '{column.name}' has a lone surrogate, which is no character and which Arrow cannot hold",
            where=f"{column.kind}, {len(column)} rows, in {error.object!r:.40}",
            fix='decode the bytes that it came from again, or use text.encode("utf-8", "replace").decode()',
        ) from error


def _arrow_from_column(column: Column) -> pa.Array:
    import pyarrow as pa

    is_missing = column.is_missing
    if column.kind == "number":
        return pa.array(column.values)  # a NaN stays one: an array of floats says missing by it
    if column.kind == "date":
        micros = np.rint(np.where(is_missing, 0.0, column.values) * MICROSECONDS_PER_DAY).astype(np.int64)
        return pa.array(micros, pa.timestamp("us"), mask=is_missing)
    if column.kind in LEVEL_KINDS:
        codes = np.where(is_missing, 0, column.values).astype(np.int32)
        if column.kind == "boolean" and column.levels == ("false", "true"):
            return pa.array(codes == 1, pa.bool_(), mask=is_missing)
        return pa.DictionaryArray.from_arrays(
            pa.array(codes, mask=is_missing), pa.array(column.levels, pa.string())
        )
    return pa.array(column.values.tolist(), pa.string())
