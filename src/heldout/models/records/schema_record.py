"""The columns of a model as JSON, and back."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import numpy as np

from heldout.inputs.input_schema import InputColumn, InputSchema, numbers_schema
from heldout.models.model_archive import damaged, short

_FIELDS = {"name", "kind", "levels", "level_values", "fill"}
KINDS = frozenset({"number", "date", "category", "boolean"})
ALL_KINDS = KINDS | {"text", "identifier"}


def schema_record(schema: InputSchema) -> list[Any]:
    """One object per column; of an array, whose columns may be very many, their names alone."""
    if all(_is_of_an_array(column, place) for place, column in enumerate(schema.columns)):
        return list(schema.names)
    return [
        {
            "name": column.name,
            "kind": column.kind,
            "levels": list(column.levels),
            "level_values": None if column.level_values is None else column.level_values.tolist(),
            "fill": None if column.fill is None else float(column.fill),
        }
        for column in schema.columns
    ]


def schema_of_record(record: Any, kinds: frozenset[str] = KINDS, needs_columns: bool = True) -> InputSchema:
    """The columns, each of which fits together.

    kinds:         those that a column of the learner can have
    needs_columns: whether there must be one
    """
    if type(record) is not list or (needs_columns and not record):
        raise damaged("the columns are not a list", short(record))
    of_array = numbers_schema(len(record))
    if record and record == of_array.names:
        return of_array
    columns = tuple(
        [
            InputColumn(fields) if type(fields) is str else _column(fields, kinds, f"column {place + 1}")
            for place, fields in enumerate(record)
        ]
    )
    names = [column.name for column in columns]
    if len(set(names)) < len(names):
        raise damaged("two columns have the same name", short(Counter(names).most_common(1)[0][0]))
    return InputSchema(columns)


def _is_of_an_array(column: InputColumn, place: int) -> bool:
    is_plain = column.kind == "number" and column.level_values is None and column.fill is None
    return is_plain and column.name == f"x{place}"


def _column(fields: Any, kinds: frozenset[str], where: str) -> InputColumn:
    if type(fields) is not dict or set(fields) != _FIELDS:
        raise damaged("a column has other fields than it should", where)
    name, kind, levels = fields["name"], fields["kind"], fields["levels"]
    if type(name) is not str or type(kind) is not str or kind not in kinds:
        raise damaged("a column has no name or an unknown kind", f"{where}: {short(name)}, {short(kind)}")
    if type(levels) is not list or not all(type(level) is str for level in levels):
        raise damaged("the levels of a column are not text", where)
    if len(set(levels)) < len(levels) or (levels and kind not in ("category", "boolean")):
        raise damaged("a column has a level twice, or has levels and is a number", where)
    values = _level_values(fields["level_values"], len(levels), kind, where)
    fill = _fill(fields["fill"], kind, len(levels), where)
    return InputColumn(name, kind, tuple(levels), values, fill)


def _level_values(values: Any, n_levels: int, kind: str, where: str) -> np.ndarray[Any, Any] | None:
    if values is None:
        return None
    is_list = type(values) is list and len(values) == n_levels and kind == "category"
    if not is_list or not all(type(value) is float and math.isfinite(value) for value in values):
        raise damaged("the numbers behind the levels do not fit them", where)
    array = np.array(values, dtype=np.float64)
    if not (np.diff(array) > 0).all():
        raise damaged("the numbers behind the levels are not ascending", where)
    return array


def _fill(fill: Any, kind: str, n_levels: int, where: str) -> float | None:
    if fill is None:
        return None
    is_number = type(fill) is float and math.isfinite(fill)
    is_position = is_number and fill.is_integer() and 0 <= fill < n_levels
    if not is_number or (kind in ("category", "boolean") and not is_position):
        raise damaged("what fills an unknown value does not fit the column", f"{where}: {short(fill)}")
    return float(fill)
