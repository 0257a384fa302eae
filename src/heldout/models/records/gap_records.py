"""What a model file holds of the steps that fill gaps and that drop columns."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from heldout.features.categories.dropped_column import DroppedColumn
from heldout.learners.inputs.input_schema import InputColumn, InputSchema
from heldout.models.damaged_file import damaged, short
from heldout.models.records.array_members import ArrayMembers
from heldout.models.records.fitted_values import is_vector
from heldout.models.records.node_checks import MOST_DAYS
from heldout.models.records.transformer_record import TransformerRecord


class FillRecord(TransformerRecord):
    """A FillMissing: a number or a level for each column, and which have an indicator."""

    plain = TransformerRecord.plain | {"fills_", "n_missing_", "has_indicator_", "never_known_"}

    def check_parameters(self, model: Any) -> None:
        if type(model.level) is not str or not model.level.strip():
            raise damaged("level is no word", short(model.level))

    def check_plain(self, attributes: dict[str, Any], schema: InputSchema) -> None:
        super().check_plain(attributes, schema)
        acted = [schema.columns[place] for place in attributes["columns_"]]
        fills: Any = attributes["fills_"]
        if type(fills) is not tuple or len(fills) != len(acted):
            raise damaged("there is not a fill for each column", f"attribute fills_, {len(acted)} columns")
        for column, fill in zip(acted, fills, strict=True):
            if not _fits(column, fill):
                raise damaged("a fill does not fit its column", f"{short(column.name)}: {short(fill)}")
        check_counts(attributes, "n_missing_", len(acted), attributes["n_rows_"])
        check_flags(attributes, "has_indicator_", len(acted))
        never, names = attributes["never_known_"], {column.name for column in acted}
        if type(never) is not tuple or not all(type(name) is str and name in names for name in never):
            raise damaged("never_known_ names other columns than these", short(never))


class PrunerRecord(TransformerRecord):
    """A PruneRare or a PruneLowVariance: what was measured, what is kept, and why others were dropped."""

    shaped = frozenset({"dropped_"})
    parts = frozenset({"reasons"})
    plain = TransformerRecord.plain | {"kept_"}

    def check_plain(self, attributes: dict[str, Any], schema: InputSchema) -> None:
        super().check_plain(attributes, schema)
        n_acted = len(attributes["columns_"])
        check_flags(attributes, "kept_", n_acted)
        if not attributes["kept_"].any() and n_acted == len(schema.columns):
            raise damaged("no column is left", "attribute kept_")

    def written(self, model: Any) -> tuple[dict[str, Any], dict[str, bytes]]:
        return {"reasons": [each.reason for each in model.dropped_]}, {}

    def read(self, model: Any, parts: dict[str, Any], members: ArrayMembers) -> None:
        super().read(model, parts, members)
        gone, reasons = np.flatnonzero(~model.kept_).tolist(), parts["reasons"]
        is_words = type(reasons) is list and all(type(reason) is str for reason in reasons)
        if not is_words or len(reasons) != len(gone):
            raise damaged("there is not a reason for each column that is dropped", short(reasons))
        measured, names = model._measured(), model.inputs_.names
        model.dropped_ = tuple(
            [
                DroppedColumn(names[model.columns_[place]], measured[place], reason)
                for place, reason in zip(gone, reasons, strict=True)
            ]
        )


class RareRecord(PrunerRecord):
    """A PruneRare: in how many rows each column is seen."""

    plain = PrunerRecord.plain | {"n_seen_"}

    def check_plain(self, attributes: dict[str, Any], schema: InputSchema) -> None:
        super().check_plain(attributes, schema)
        check_counts(attributes, "n_seen_", len(attributes["columns_"]), attributes["n_rows_"])


class VarianceRecord(PrunerRecord):
    """A PruneLowVariance: the variance of each column, NaN where no value is known."""

    plain = PrunerRecord.plain | {"variances_"}

    def check_plain(self, attributes: dict[str, Any], schema: InputSchema) -> None:
        super().check_plain(attributes, schema)
        variances: Any = attributes["variances_"]
        is_numbers = is_vector(variances, "f") and variances.dtype == np.float64
        if not is_numbers or len(variances) != len(attributes["columns_"]) or (variances < 0).any():
            raise damaged("there is not a variance for each column", "attribute variances_")


def check_counts(attributes: dict[str, Any], name: str, n_columns: int, most: int) -> None:
    """A fitted attribute is an array with a count of rows for each column."""
    counts: Any = attributes[name]
    is_counts = is_vector(counts, "i") and counts.dtype == np.int64 and len(counts) == n_columns
    if not is_counts or not all(0 <= count <= most for count in counts.tolist()):
        raise damaged(f"{name} does not count rows for each column", f"{n_columns} columns")


def check_flags(attributes: dict[str, Any], name: str, n_columns: int) -> None:
    """A fitted attribute is an array that says yes or no for each column."""
    flags: Any = attributes[name]
    if not is_vector(flags, "b") or len(flags) != n_columns:
        raise damaged(f"{name} does not say yes or no for each column", f"{n_columns} columns")


def _fits(column: InputColumn, fill: Any) -> bool:
    if column.kind == "category":
        return type(fill) is str
    if column.kind == "boolean":
        return type(fill) is str and fill in (column.levels or ("false",))
    limit = MOST_DAYS if column.kind == "date" else math.inf
    return type(fill) is float and abs(fill) < limit
