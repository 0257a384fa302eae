"""What a model file holds of a forest."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from heldout.learners.inputs.input_schema import InputSchema
from heldout.models.damaged_file import damaged, short
from heldout.models.records.array_members import (
    ArrayMembers,
    Forms,
    checked_sizes,
    read_arrays,
    written_arrays,
)
from heldout.models.records.check_forest import check_forest
from heldout.models.records.fitted_values import (
    CLASSES,
    check_classes,
    check_count,
    check_n_values,
    check_per_class,
    check_text,
)
from heldout.models.records.learner_record import LearnerRecord
from heldout.native.forests import GrownForest

_NODES = ("n_nodes",)
# Every array of a forest but `importance`, which a fitted one does not keep.
ARRAYS: Forms = {
    "tree_begin": ("<i8", ("n_begins",)),
    "feature": ("<i4", _NODES),
    "split_kind": ("|u1", _NODES),
    "threshold": ("<f8", _NODES),
    "first_child": ("<i4", _NODES),
    "n_children": ("<i4", _NODES),
    "default_child": ("<i4", _NODES),
    "branch_level": ("<i4", _NODES),
    "set_begin": ("<i4", _NODES),
    "set_end": ("<i4", _NODES),
    "set_levels": ("<i4", ("n_set_levels",)),
    "weight": ("<f8", _NODES),
    "value": ("<f8", ("n_nodes", "n_outputs")),
}
# The sizes that the JSON declares, and the least that each can be.
_SIZES = {"n_trees": 1, "n_nodes": 1, "n_outputs": 1, "n_set_levels": 0, "n_judged_rows": 0}


class ForestRecord(LearnerRecord):
    """A ForestClassifier or a ForestRegressor: all trees in one set of arrays, a node to an entry.

    judged: the attribute with the out-of-bag answers
    """

    judged: ClassVar[str] = "oob_prediction_"
    shaped = frozenset({"forest_", "oob_prediction_"})
    parts = frozenset({"forest"})
    plain = frozenset(
        {
            "n_rows_", "n_values_", "max_features_", "is_bootstrap_", "n_draws_", "seed_", "data_mark_",
             "rules_mark_", "oob_score_",
        }
    )  # fmt: skip

    def check_plain(self, attributes: dict[str, Any], schema: InputSchema) -> None:
        for name in ("n_rows_", "max_features_", "n_draws_"):
            check_count(attributes.get(name), name, lowest=1)
        check_count(attributes.get("seed_"), "seed_")
        if type(attributes.get("is_bootstrap_")) is not bool:
            raise damaged("is_bootstrap_ is neither true nor false", short(attributes.get("is_bootstrap_")))
        for name in ("data_mark_", "rules_mark_"):
            check_text(attributes.get(name), name)
        if attributes["max_features_"] > len(schema.columns) or "n_values_" not in attributes:
            raise damaged("the columns that were drawn are more than there are", "max_features_, n_values_")
        check_n_values(attributes, schema)
        if "oob_score_" in attributes and type(attributes["oob_score_"]) is not float:
            raise damaged("the out-of-bag score is no number", "oob_score_")

    def written(self, model: Any) -> tuple[dict[str, Any], dict[str, bytes]]:
        forest, judged = model.forest_, getattr(model, self.judged, None)
        sizes = {
            "n_trees": forest.n_trees,
            "n_nodes": len(forest.feature),
            "n_outputs": int(forest.value.shape[1]),
            "n_set_levels": len(forest.set_levels),
            "n_judged_rows": 0 if judged is None else len(judged),
        }
        members = written_arrays("forest", vars(forest), ARRAYS)
        if judged is not None:
            members |= written_arrays("forest", {self.judged: judged}, self._judged_form)
        return {"forest": sizes}, members

    def read(self, model: Any, parts: dict[str, Any], members: ArrayMembers) -> None:
        sizes = checked_sizes(parts["forest"], _SIZES, "the forest")
        n_outputs = getattr(model, "n_classes_", 1)
        if sizes["n_outputs"] != n_outputs:
            raise damaged("the forest answers for another number of classes", f"wanted {n_outputs}")
        sizes["n_begins"] = sizes["n_trees"] + 1
        arrays: dict[str, Any] = read_arrays("forest", ARRAYS, sizes, members)
        model.forest_ = GrownForest(**arrays, importance=np.empty((0, len(model.inputs_.columns))))
        check_forest(model.forest_, model.inputs_, hasattr(model, "classes_"))
        if bool(sizes["n_judged_rows"]) != hasattr(model, "oob_score_"):
            raise damaged("there is an out-of-bag score without answers, or answers without one", self.judged)
        if sizes["n_judged_rows"]:
            judged = read_arrays("forest", self._judged_form, sizes, members)[self.judged]
            if np.isinf(judged).any():
                raise damaged("an out-of-bag answer is infinite", self.judged)
            setattr(model, self.judged, judged)

    @property
    def _judged_form(self) -> Forms:
        return {self.judged: ("<f8", ("n_judged_rows",))}


class ForestClassifierRecord(ForestRecord):
    """A ForestClassifier: a forest that has classes."""

    judged = "oob_decision_function_"
    shaped = frozenset({"forest_", "oob_decision_function_"})
    plain = ForestRecord.plain | CLASSES | {"n_classes_", "class_weights_", "class_shares_"}

    def check_plain(self, attributes: dict[str, Any], schema: InputSchema) -> None:
        super().check_plain(attributes, schema)
        check_classes(attributes, attributes.get("n_classes_"))
        check_per_class(attributes, "class_weights_")
        check_per_class(attributes, "class_shares_")

    @property
    def _judged_form(self) -> Forms:
        return {self.judged: ("<f8", ("n_judged_rows", "n_outputs"))}
