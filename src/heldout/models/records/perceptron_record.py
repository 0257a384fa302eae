"""What a model file holds of a perceptron."""

from __future__ import annotations

from typing import Any

import numpy as np

from heldout.learners.inputs.input_schema import InputSchema
from heldout.models.damaged_file import damaged, short
from heldout.models.records.array_members import (
    ArrayMembers,
    Forms,
    check_finite,
    checked_sizes,
    read_arrays,
    written_arrays,
)
from heldout.models.records.fitted_values import CLASSES, check_classes, check_count, is_vector
from heldout.models.records.learner_record import LearnerRecord
from heldout.models.records.node_checks import require
from heldout.models.records.rows_form import check_cells
from heldout.native.perceptron import VotedUpdates

_WEIGHTS: Forms = {"coef_": ("<f8", ("n_functions", "n_columns")), "intercept_": ("<f8", ("n_functions",))}
_UPDATES: Forms = {
    "values": ("<f8", ("n_stored",)),
    "columns": ("<i4", ("n_stored",)),
    "ends": ("<i8", ("n_ends",)),
    "row": ("<u4", ("n_updates",)),
    "raised": ("<u4", ("n_updates",)),
    "lowered": ("<u4", ("n_updates",)),
    "votes": ("<f8", ("n_updates",)),
}
# The sizes that the JSON declares of the updates, and the least that each can be.
_SIZES = {"n_stored": 0, "n_added_rows": 1, "n_updates": 1}


class PerceptronRecord(LearnerRecord):
    """A Perceptron: a row of weights for each class, one for two; or, voted, every update that was made."""

    plain = CLASSES | {"n_rows_", "n_mistakes_", "n_epochs_", "is_separated_"}
    shaped = frozenset({"coef_", "intercept_", "updates_"})
    parts = frozenset({"updates"})

    def check_plain(self, attributes: dict[str, Any], schema: InputSchema) -> None:
        classes: Any = attributes.get("classes_")
        check_classes(attributes, max(len(classes), 2) if is_vector(classes, "biufUO") else None)
        for name in ("n_rows_", "n_epochs_", "n_mistakes_"):
            check_count(attributes.get(name), name, lowest=1)
        if type(attributes.get("is_separated_")) is not bool:
            raise damaged("is_separated_ is neither true nor false", short(attributes.get("is_separated_")))

    def written(self, model: Any) -> tuple[dict[str, Any], dict[str, bytes]]:
        if not hasattr(model, "updates_"):
            return {"updates": None}, written_arrays("perceptron", vars(model), _WEIGHTS)
        updates = model.updates_
        record = {
            "has_intercept": bool(updates.has_intercept),
            "sizes": {
                "n_stored": len(updates.values),
                "n_added_rows": len(updates.ends) - 1,
                "n_updates": len(updates.row),
            },
        }
        return {"updates": record}, written_arrays("perceptron", vars(updates), _UPDATES)

    def read(self, model: Any, parts: dict[str, Any], members: ArrayMembers) -> None:
        n_classes, n_columns = len(model.classes_), len(model.inputs_.columns)
        if parts["updates"] is not None:
            model.updates_ = _updates(parts["updates"], members, n_classes, n_columns)
            if len(model.updates_.row) != model.n_mistakes_:
                raise damaged("there are more or fewer updates than mistakes", f"{model.n_mistakes_}")
            return
        sizes = {"n_functions": 1 if n_classes == 2 else n_classes, "n_columns": n_columns}
        arrays = read_arrays("perceptron", _WEIGHTS, sizes, members)
        check_finite(arrays, ("coef_", "intercept_"), "the perceptron")
        vars(model).update(arrays)


def _updates(record: Any, members: ArrayMembers, n_classes: int, n_columns: int) -> VotedUpdates:
    if type(record) is not dict or set(record) != {"has_intercept", "sizes"}:
        raise damaged("the updates are not described as they should be", short(record))
    if type(record["has_intercept"]) is not bool:
        raise damaged("has_intercept is neither true nor false", short(record["has_intercept"]))
    sizes = checked_sizes(record["sizes"], _SIZES, "the perceptron")
    sizes["n_ends"] = sizes["n_added_rows"] + 1
    arrays: dict[str, Any] = read_arrays("perceptron", _UPDATES, sizes, members)
    check_finite(arrays, ("values", "votes"), "the perceptron")
    check_cells(arrays["columns"], arrays["ends"], n_columns)
    require(arrays["row"] < sizes["n_added_rows"], "an update adds a row that is not there")
    for name in ("raised", "lowered"):
        require(arrays[name] < n_classes, "an update is for a class that is none")
    require(arrays["raised"] != arrays["lowered"], "an update adds to the class from which it subtracts")
    require(arrays["votes"] >= 0, "weights have less than no vote")
    with np.errstate(over="ignore"):
        n_votes = float(arrays["votes"].sum())
    if not 0 < n_votes < np.inf:
        raise damaged("nothing has a vote", "votes")
    return VotedUpdates(**arrays, has_intercept=record["has_intercept"])
