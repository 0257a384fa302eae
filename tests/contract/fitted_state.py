"""Everything that a fitted object holds, and everything that it gave, as plain values to compare."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pandas as pd
from scipy.sparse import issparse

from heldout import Column, Table
from heldout.table.frames import table_from_frame


def state_of(value: Any) -> Any:
    """Nested tuples that are equal exactly if two objects hold the same, bit for bit."""
    if isinstance(value, np.ndarray):
        listed = value.tolist() if value.dtype == object else value.tobytes()
        return (value.shape, value.dtype.str, state_of(listed))
    if issparse(value):
        rows = value.tocsr()
        return tuple(state_of(part) for part in (rows.shape, rows.data, rows.indices, rows.indptr))
    if isinstance(value, pd.DataFrame):
        value = table_from_frame(value)
    if isinstance(value, Table):
        return tuple(state_of(column) for column in value.columns)
    if isinstance(value, Column):
        return (value.name, value.kind, state_of(value.labels()), state_of(value.values.astype(object)))
    if isinstance(value, dict):
        return tuple((state_of(key), state_of(entry)) for key, entry in value.items())
    if isinstance(value, list | tuple):
        return tuple(state_of(entry) for entry in value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return tuple(
            (field.name, state_of(getattr(value, field.name))) for field in dataclasses.fields(value)
        )
    if isinstance(value, float | np.floating):
        return ("float", np.float64(value).tobytes())
    if isinstance(value, str | bytes | int | bool | np.generic | type(None)):
        return value
    return (type(value).__name__, state_of(vars(value)))


def rows_of(output: Any) -> list[Any]:
    """What each row of a transformer's output holds: labels of a Table, bits of numbers."""
    if isinstance(output, Table):
        names = output.names
        by_column = [state_of(np.asarray(output[name]).astype(object)) for name in names]
        listed = [part[2] for part in by_column]
        return [(names, tuple(values)) for values in zip(*listed, strict=True)]
    if issparse(output):
        output = output.toarray()
    return [state_of(row) for row in output]
