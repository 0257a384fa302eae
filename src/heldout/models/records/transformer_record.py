"""What a model file holds of every transformer of tables: its columns, and arrays with an entry for each."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, ClassVar

import numpy as np

from heldout.features.column_pruner import DroppedColumn
from heldout.features.transformer import COLUMNS, Transformer
from heldout.inputs.input_schema import InputColumn, InputSchema
from heldout.learners.parameters import Parameter
from heldout.models.model_archive import (
    ArrayMembers,
    Forms,
    check_finite,
    damaged,
    read_arrays,
    short,
    write_arrays,
)
from heldout.models.records.json_values import ALL_KINDS
from heldout.models.records.learner_record import (
    LearnerRecord,
    check_all_there,
    check_count,
    check_flag,
    check_words_of_columns,
    is_vector,
    set_attributes,
)
from heldout.models.records.tree_record import MOST_DAYS, require

FOLDER = "fitted"


class TransformerRecord(LearnerRecord[Transformer]):
    """A transformer; one that learns nothing but its columns needs no more than this.

    What `set_output` was told is not kept: it is about the program that asks, not about the rows of fit.
    """

    # The arrays that are learned, with their types and sizes: n_acted (the columns that are acted on),
    # n_columns, or one that `array_sizes` tells
    forms: ClassVar[Forms] = {}
    plain = frozenset({"n_rows_", "columns_"})
    rebuilt = frozenset({"_sklearn_output_config"})
    kinds = ALL_KINDS

    def parameters(self) -> Iterable[Parameter]:
        return (*super().parameters(), COLUMNS)

    def check_plain(self, attributes: dict[str, Any], schema: InputSchema) -> None:
        check_all_there(attributes, self.plain)
        check_count(attributes["n_rows_"], "n_rows_", lowest=1)
        positions: Any = attributes["columns_"]
        if not is_vector(positions, "i") or positions.dtype != np.intp:
            raise damaged("the columns that are acted on are no positions", "attribute columns_")
        is_inside = (positions >= 0) & (positions < len(schema.columns))
        if not is_inside.all() or not (np.diff(positions) > 0).all():
            raise damaged(
                "the columns that are acted on are not ascending or not there", "attribute columns_"
            )

    def write_parts(self, model: Transformer) -> tuple[dict[str, Any], dict[str, bytes]]:
        return {}, write_arrays(FOLDER, vars(model), self.array_forms(model))

    def read_parts(self, model: Transformer, parts: dict[str, Any], members: ArrayMembers) -> None:
        self._check_kinds(model)
        sizes = {"n_acted": len(model.columns_), "n_columns": len(model.inputs_.columns)}
        arrays = read_arrays(FOLDER, self.array_forms(model), {**sizes, **self.array_sizes(model)}, members)
        self.check_arrays(model, arrays)
        set_attributes(model, arrays)

    def array_forms(self, model: Transformer) -> Forms:
        """The arrays that a transformer of these parameters and plain values has."""
        return self.forms

    def array_sizes(self, model: Transformer) -> dict[str, int]:
        """Further sizes, which follow from the parameters and the plain values."""
        return {}

    def is_for(self, model: Transformer, kind: str) -> bool:
        """Whether the transformer may act on a column of this kind."""
        return bool(model._is_for(kind))

    def check_arrays(self, model: Transformer, arrays: dict[str, Any]) -> None:
        """Refuse arrays that do not fit together, the columns or the parameters."""
        return

    def _check_kinds(self, model: Transformer) -> None:
        """Every column that is acted on is of a kind that the transformer is for."""
        for position in model.columns_.tolist():
            column = model.inputs_.columns[position]
            if not self.is_for(model, column.kind):
                raise damaged(
                    f"a column is acted on that a {type(model).__name__} is not for",
                    f"{short(column.name)}, {column.kind}",
                )


class ScaleRecord(TransformerRecord):
    """A Scale: the mean and the divisor of each column."""

    shaped = frozenset({"center_", "scale_"})
    forms: ClassVar[Forms] = {"center_": ("<f8", ("n_acted",)), "scale_": ("<f8", ("n_acted",))}

    def check_arrays(self, model: Transformer, arrays: dict[str, Any]) -> None:
        check_finite(arrays, ("center_", "scale_"), "the scale")
        center, scale = arrays["center_"], arrays["scale_"]
        require(scale > 0, "a column is divided by nothing, or by less")
        if (not model.center and center.any()) or (model.by is None and (scale != 1).any()):
            raise damaged("what is learned does not fit the parameters", "center_ and scale_")
        is_date = np.array(
            [model.inputs_.columns[position].kind == "date" for position in model.columns_], dtype=bool
        )
        require(~is_date | (np.abs(center) < MOST_DAYS), "the mean of a date is no date")


class DiscretizeRecord(TransformerRecord):
    """A Discretize: the cuts of each column, and what the intervals between them are called."""

    plain = TransformerRecord.plain | {"cuts_", "intervals_"}

    def check_plain(self, attributes: dict[str, Any], schema: InputSchema) -> None:
        super().check_plain(attributes, schema)
        cuts: Any = attributes["cuts_"]
        n_acted = len(attributes["columns_"])
        if type(cuts) is not tuple or len(cuts) != n_acted or not all(map(_are_cuts, cuts)):
            raise damaged("the cuts of a column are not finite and ascending", "attribute cuts_")
        check_words_of_columns(attributes["intervals_"], "intervals_", n_acted)
        if [len(names) for names in attributes["intervals_"]] != [len(each) + 1 for each in cuts]:
            raise damaged("there are more or fewer intervals than between the cuts", "attribute intervals_")


def _are_cuts(cuts: Any) -> bool:
    is_numbers = is_vector(cuts, "f") and cuts.dtype == np.float64
    return is_numbers and bool(np.isfinite(cuts).all() and (cuts[1:] > cuts[:-1]).all())


class LevelsRecord(TransformerRecord):
    """A LevelEncoder: the levels of each column that is acted on, in their order."""

    plain = TransformerRecord.plain | {"levels_"}

    def check_plain(self, attributes: dict[str, Any], schema: InputSchema) -> None:
        super().check_plain(attributes, schema)
        check_words_of_columns(attributes["levels_"], "levels_", len(attributes["columns_"]))

    def is_for(self, model: Transformer, kind: str) -> bool:
        """The numbers of an array are levels too."""
        is_array = not hasattr(model, "feature_names_in_")
        return super().is_for(model, kind) or (is_array and kind == "number")


class OneHotRecord(LevelsRecord):
    """A OneHot: the levels, and whether the first is left out."""

    plain = LevelsRecord.plain | {"drops_first_"}

    def check_plain(self, attributes: dict[str, Any], schema: InputSchema) -> None:
        super().check_plain(attributes, schema)
        check_flag(attributes["drops_first_"], "drops_first_")


class OrdinalRecord(LevelsRecord):
    """An Ordinal: the levels, and for which columns their order was given."""

    plain = LevelsRecord.plain | {"is_given_"}

    def check_plain(self, attributes: dict[str, Any], schema: InputSchema) -> None:
        super().check_plain(attributes, schema)
        given = attributes["is_given_"]
        is_flags = type(given) is tuple and all(type(flag) is bool for flag in given)
        if not is_flags or len(given) != len(attributes["columns_"]):
            raise damaged("is_given_ does not say yes or no for each column", short(given))


class FillRecord(TransformerRecord):
    """A FillMissing: a number or a level for each column, and which have an indicator."""

    plain = TransformerRecord.plain | {"fills_", "n_missing_", "has_indicator_", "never_known_"}

    def check_parameters(self, model: Transformer) -> None:
        if type(model.level) is not str or not model.level.strip():
            raise damaged("level is no word", short(model.level))

    def check_plain(self, attributes: dict[str, Any], schema: InputSchema) -> None:
        super().check_plain(attributes, schema)
        acted = [schema.columns[position] for position in attributes["columns_"]]
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
    """A DropRare or a DropLowVariance: what was measured, what is kept, and why others were dropped."""

    shaped = frozenset({"dropped_"})
    parts = frozenset({"reasons"})
    plain = TransformerRecord.plain | {"kept_"}

    def check_plain(self, attributes: dict[str, Any], schema: InputSchema) -> None:
        super().check_plain(attributes, schema)
        n_acted = len(attributes["columns_"])
        check_flags(attributes, "kept_", n_acted)
        if not attributes["kept_"].any() and n_acted == len(schema.columns):
            raise damaged("no column is left", "attribute kept_")

    def write_parts(self, model: Transformer) -> tuple[dict[str, Any], dict[str, bytes]]:
        return {"reasons": [each.reason for each in model.dropped_]}, {}

    def read_parts(self, model: Transformer, parts: dict[str, Any], members: ArrayMembers) -> None:
        super().read_parts(model, parts, members)
        gone, reasons = np.flatnonzero(~model.kept_).tolist(), parts["reasons"]
        is_words = type(reasons) is list and all(type(reason) is str for reason in reasons)
        if not is_words or len(reasons) != len(gone):
            raise damaged("there is not a reason for each column that is dropped", short(reasons))
        measured, names = model._measured(), model.inputs_.names
        model.dropped_ = tuple(
            [
                DroppedColumn(names[model.columns_[position]], measured[position], reason)
                for position, reason in zip(gone, reasons, strict=True)
            ]
        )


class RareRecord(PrunerRecord):
    """A DropRare: in how many rows each column is seen."""

    plain = PrunerRecord.plain | {"n_seen_"}

    def check_plain(self, attributes: dict[str, Any], schema: InputSchema) -> None:
        super().check_plain(attributes, schema)
        check_counts(attributes, "n_seen_", len(attributes["columns_"]), attributes["n_rows_"])


class VarianceRecord(PrunerRecord):
    """A DropLowVariance: the variance of each column, NaN where no value is known."""

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


def _fits(column: InputColumn, fill: object) -> bool:
    if column.kind == "category":
        return type(fill) is str
    if column.kind == "boolean":
        return type(fill) is str and fill in (column.levels or ("false",))
    limit = MOST_DAYS if column.kind == "date" else math.inf
    return type(fill) is float and abs(fill) < limit
