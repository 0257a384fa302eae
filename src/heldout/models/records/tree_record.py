"""What a model file holds of a tree."""

from __future__ import annotations

from typing import Any

import numpy as np

from heldout.learners.inputs.input_schema import InputSchema
from heldout.models.damaged_file import damaged, short
from heldout.models.records.array_members import ArrayMembers
from heldout.models.records.fitted_values import (
    CLASSES,
    check_classes,
    check_n_values,
    check_per_class,
    is_vector,
)
from heldout.models.records.learner_record import LearnerRecord
from heldout.models.records.tree_nodes import nodes_of_record, nodes_record


class TreeRecord(LearnerRecord):
    """A TreeClassifier or a TreeRegressor: its nodes are arrays, the rest is plain."""

    shaped = frozenset({"tree_"})
    parts = frozenset({"tree"})
    plain = frozenset({"feature_costs_", "prune_alpha_", "n_values_"})

    def check_plain(self, attributes: dict[str, Any], schema: InputSchema) -> None:
        n_columns = len(schema.columns)
        costs: Any = attributes.get("feature_costs_")
        is_cost = is_vector(costs, "f") and len(costs) == n_columns
        if not is_cost or not (np.isfinite(costs) & (costs >= 0)).all():
            raise damaged("the costs do not fit the columns", f"{n_columns} columns")
        alpha = attributes.get("prune_alpha_", 0.0)
        if not isinstance(alpha, float) or not 0 <= alpha < np.inf:
            raise damaged("alpha is no number of at least 0", short(alpha))
        check_n_values(attributes, schema)

    def written(self, model: Any) -> tuple[dict[str, Any], dict[str, bytes]]:
        record, members = nodes_record(model.tree_)
        return {"tree": record}, members

    def read(self, model: Any, parts: dict[str, Any], members: ArrayMembers) -> None:
        n_classes = getattr(model, "n_classes_", None)
        model.tree_ = nodes_of_record(parts["tree"], members, model.inputs_, n_classes is not None)
        if model.tree_.grown.value.shape[1] != (1 if n_classes is None else n_classes):
            raise damaged("the tree answers for another number of classes", f"wanted {n_classes or 1}")


class TreeClassifierRecord(TreeRecord):
    """A TreeClassifier: a tree that has classes."""

    plain = TreeRecord.plain | CLASSES | {"n_classes_", "class_weights_"}

    def check_plain(self, attributes: dict[str, Any], schema: InputSchema) -> None:
        super().check_plain(attributes, schema)
        check_classes(attributes, attributes.get("n_classes_"))
        check_per_class(attributes, "class_weights_")
