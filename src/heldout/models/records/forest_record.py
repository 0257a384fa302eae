"""What a model file holds of a forest."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from heldout.inputs.input_schema import InputSchema
from heldout.learners.trees.tree_structure import LEAF, LEVEL_SET, MULTIWAY, THRESHOLD
from heldout.models.model_archive import damaged, short
from heldout.models.records.array_members import (
    ArrayMembers,
    Forms,
    checked_sizes,
    read_arrays,
    written_arrays,
)
from heldout.models.records.learner_record import (
    CLASSES,
    LearnerRecord,
    check_classes,
    check_count,
    check_n_values,
    check_per_class,
    check_text,
)
from heldout.models.records.tree_record import MOST_DAYS, Places, are_ascending, require
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


def check_forest(forest: GrownForest, schema: InputSchema, is_classifier: bool) -> None:
    """Refuse nodes that do not make trees, or do not fit the columns.

    forest: its arrays have the right types and shapes; there is a tree, and a node
    """
    _check_trees(forest)
    _check_splits(forest, schema)
    starts = np.repeat(forest.tree_begin[:-1], np.diff(forest.tree_begin))
    _check_families(forest, starts)
    _check_levels(forest, schema, starts)
    _check_numbers(forest, schema, is_classifier)


def _check_trees(forest: GrownForest) -> None:
    """The trees follow one another and hold all nodes."""
    begin, n_nodes = forest.tree_begin, len(forest.feature)
    require((begin >= 0) & (begin <= n_nodes), "a tree lies outside the nodes")
    require(np.diff(begin) > 0, "a tree has no node")
    require(np.array([begin[0] == 0, begin[-1] == n_nodes]), "the trees do not hold all nodes")


def _check_splits(forest: GrownForest, schema: InputSchema) -> None:
    kind, feature, n_children = forest.split_kind, forest.feature, forest.n_children
    is_leaf = kind == LEAF
    require(kind <= LEVEL_SET, "a node has an unknown kind of split")
    require(~is_leaf | ((feature == -1) & (n_children == 0)), "a leaf has a split")
    require(is_leaf | ((feature >= 0) & (feature < len(schema.columns))), "a split is on no column")
    is_category = np.array([column.is_category for column in schema.columns])[feature]
    require(is_leaf | (is_category == (kind != THRESHOLD)), "a split does not fit its column")
    is_binary = (kind == THRESHOLD) | (kind == LEVEL_SET)
    require(~is_binary | (n_children == 2), "a split in two has not two children")
    require((kind != MULTIWAY) | (n_children >= 2), "a split has fewer than two children")
    is_child = (forest.default_child >= 0) & (forest.default_child < n_children)
    require(is_leaf | is_child, "a default child is no child")


def _check_families(forest: GrownForest, starts: Places) -> None:
    """Level by level: the children of a tree's splits fill its nodes, in the order of their parents."""
    splits = np.flatnonzero(forest.split_kind != LEAF)
    first = starts[splits] + forest.first_child[splits]
    require(first > splits, "children do not come after their parent")
    # How many children the splits before a node have, over all trees; then over its own tree alone.
    before = np.concatenate([[0], np.cumsum(forest.n_children, dtype=np.int64)])
    expected = starts[splits] + 1 + before[splits] - before[starts[splits]]
    require(first == expected, "the children of the nodes do not make a tree")
    begin = forest.tree_begin
    require(np.diff(before[begin]) == np.diff(begin) - 1, "a tree has more or fewer nodes than children")


def _check_levels(forest: GrownForest, schema: InputSchema, starts: Places) -> None:
    n_levels = np.array([len(column.levels) for column in schema.columns], dtype=np.int64)[forest.feature]
    begin, end = forest.set_begin.astype(np.int64), forest.set_end.astype(np.int64)
    is_inside = (begin >= 0) & (begin <= end) & (end <= len(forest.set_levels))
    require(is_inside, "a set of levels lies outside its pool")
    sets = np.flatnonzero(forest.split_kind == LEVEL_SET)
    require(begin[sets] < end[sets], "a set of levels is empty")
    require(
        are_ascending(forest.set_levels, begin[sets], end[sets], n_levels[sets]),
        "a set of levels is not ascending or out of range",
    )
    parted = np.flatnonzero(forest.split_kind == MULTIWAY)
    first = starts[parted] + forest.first_child[parted]
    require(
        are_ascending(forest.branch_level, first, first + forest.n_children[parted], n_levels[parted]),
        "the branches of a node are not ascending or out of range",
    )


def _check_numbers(forest: GrownForest, schema: InputSchema, is_classifier: bool) -> None:
    is_cut = forest.split_kind == THRESHOLD
    require(~is_cut | np.isfinite(forest.threshold), "a threshold is not a finite number")
    is_date = np.array([column.kind == "date" for column in schema.columns])[forest.feature]
    require(~(is_cut & is_date) | (np.abs(forest.threshold) < MOST_DAYS), "a threshold is no date")
    require(np.isfinite(forest.weight) & (forest.weight >= 0), "a weight is negative or no number")
    require(np.isfinite(forest.importance).ravel(), "an importance is no number")
    require(np.asarray(np.isfinite(forest.value).all(axis=1)), "an answer is not a finite number")
    if is_classifier:
        sums = forest.value.sum(axis=1)
        is_share = (forest.value >= 0).all(axis=1) & (sums > 0) & np.isfinite(sums)
        require(is_share, "the classes have no weight")
