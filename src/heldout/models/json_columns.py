"""Columns as JSON, which the exports of trees and of rules share."""

from __future__ import annotations

import json
from typing import Any

from heldout.learners.inputs.input_schema import InputColumn
from heldout.models.level_words import is_made_of_dates, meant_levels


def json_text(value: Any) -> str:
    """A value on one line."""
    return json.dumps(value, allow_nan=False)


def column_fields(column: InputColumn) -> dict[str, Any]:
    """What a reader must know of a column, as the guide page describes it."""
    fields: dict[str, Any] = {"name": column.name, "kind": column.kind}
    if column.is_category:
        fields["levels"] = list(column.levels)
    if column.level_values is not None:
        fields["level_values"] = column.level_values.tolist()
        fields["level_values_are"] = "days" if is_made_of_dates(column) else "numbers"
    if column.kind == "boolean":
        fields["meanings"] = meant_levels(column)
    if column.fill is not None:
        fields["fill"] = int(column.fill) if column.is_category else column.fill
    return fields
