"""What a model file holds of a tree, and of a forest: all trees in one set of arrays."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from heldout.arrays import Mask
from heldout.inputs.input_schema import InputSchema
from heldout.learners.forest_classifier import ForestClassifier
from heldout.learners.forest_regressor import ForestRegressor
from heldout.learners.trees.tree_base import TreeBase
from heldout.learners.trees.tree_structure import LEAF, LEVEL_SET, MULTIWAY, THRESHOLD, TreeStructure
from heldout.models.model_archive import (
    ArrayMembers,
    Forms,
    damaged,
    read_arrays,
    read_sizes,
    short,
    write_arrays,
)
from heldout.models.records.learner_record import (
    CLASSES,
    LearnerRecord,
    check_classes,
    check_count,
    check_factors,
    check_flag,
    check_n_values,
    check_per_class,
    check_text,
    is_vector,
)
from heldout.native import GrownTree
from heldout.native.forests import GrownForest


class TreeRecord(LearnerRecord[TreeBase]):
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

    def write_parts(self, model: TreeBase) -> tuple[dict[str, Any], dict[str, bytes]]:
        record, members = write_nodes(model.tree_)
        return {"tree": record}, members

    def read_parts(self, model: TreeBase, parts: dict[str, Any], members: ArrayMembers) -> None:
        n_classes = getattr(model, "n_classes_", None)
        model.tree_ = read_nodes(parts["tree"], members, model.inputs_, n_classes is not None)
        if model.tree_.grown.value.shape[1] != (1 if n_classes is None else n_classes):
            raise damaged("the tree predicts another number of classes", f"wanted {n_classes or 1}")


class TreeClassifierRecord(TreeRecord):
    """A TreeClassifier: a tree that has classes."""

    plain = TreeRecord.plain | CLASSES | {"n_classes_", "class_weights_", "class_factors_"}

    def check_plain(self, attributes: dict[str, Any], schema: InputSchema) -> None:
        super().check_plain(attributes, schema)
        check_classes(attributes, attributes.get("n_classes_"))
        check_per_class(attributes, "class_weights_")
        check_factors(attributes)


_NODES = ("n_nodes",)
# The arrays that trees and forests share, with their types and sizes.
_SHARED_ARRAYS: Forms = {
    "feature": ("<i4", _NODES),
    "split_kind": ("|u1", _NODES),
    "threshold": ("<f8", _NODES),
    "first_child": ("<i4", _NODES),
    "n_children": ("<i4", _NODES),
    "default_child": ("<i4", _NODES),
    "branch_level": ("<i4", _NODES),
    "set_begin": ("<i4", _NODES),
    "set_end": ("<i4", _NODES),
    "weight": ("<f8", _NODES),
    "set_levels": ("<i4", ("n_set_levels",)),
    "value": ("<f8", ("n_nodes", "n_outputs")),
}
ARRAYS: Forms = {
    **_SHARED_ARRAYS,
    "gap_below": ("<f8", _NODES),
    "gap_above": ("<f8", _NODES),
    "parent": ("<i4", _NODES),
    "n_rows": ("<i8", _NODES),
    "impurity": ("<f8", _NODES),
    "gain": ("<f8", _NODES),
}
# A fitted forest does not keep `importance`.
FOREST_ARRAYS: Forms = {"tree_begin": ("<i8", ("n_begins",)), **_SHARED_ARRAYS}
# The sizes that the JSON declares, and the least that each can be.
_SIZES = {"n_nodes": 1, "n_outputs": 1, "n_set_levels": 0}


def write_nodes(structure: TreeStructure) -> tuple[dict[str, Any], dict[str, bytes]]:
    """What is told of the tree in JSON, and its arrays as members of the file."""
    grown = structure.grown
    record = {
        "splits_unknown": bool(structure.splits_unknown),
        "n_nodes": structure.n_nodes,
        "n_outputs": int(grown.value.shape[1]),
        "n_set_levels": len(grown.set_levels),
    }
    return record, write_arrays("tree", vars(grown), ARRAYS)


def read_nodes(
    record: object, members: ArrayMembers, schema: InputSchema, is_classifier: bool
) -> TreeStructure:
    """The tree, checked."""
    if type(record) is not dict or set(record) != {"splits_unknown", *_SIZES}:
        raise damaged("the tree is not described as it should be", short(record))
    sizes = read_sizes({name: record[name] for name in _SIZES}, _SIZES, "the tree")
    check_flag(record["splits_unknown"], "splits_unknown")
    arrays: dict[str, Any] = read_arrays("tree", ARRAYS, sizes, members)
    grown = GrownTree(**arrays)
    check_tree(grown, schema, is_classifier)
    return TreeStructure(grown, record["splits_unknown"])


def check_tree(tree: GrownTree, schema: InputSchema, is_classifier: bool) -> None:
    """Refuse nodes that do not fit together, or do not fit the columns."""
    is_leaf = tree.split_kind == LEAF
    unset = (tree.first_child == -1) & (tree.default_child == -1)
    require(~is_leaf | unset, "a leaf has a split")
    _check_splits(tree, schema)
    _check_family(tree)
    _check_levels(tree, schema, np.zeros(len(tree.feature), dtype=np.int64))
    is_branch = np.append(False, tree.split_kind[tree.parent[1:]] == MULTIWAY)
    require(is_branch | (tree.branch_level == -1), "a node has a level, and its parent no branches")
    _check_numbers(tree, schema, is_classifier)
    require(tree.n_rows >= 0, "a number of rows is negative")
    require(np.isfinite(tree.impurity) & np.isfinite(tree.gain), "an impurity or a gain is no number")
    totals = np.bincount(tree.parent[1:], weights=tree.weight[1:], minlength=len(tree.feature))
    require(is_leaf | ((totals > 0) & np.isfinite(totals)), "the children of a split have no weight")


def _check_family(tree: GrownTree) -> None:
    """Every node but the root has one parent, which stands before it and knows it."""
    n_nodes = len(tree.feature)
    splits = np.flatnonzero(tree.split_kind != LEAF)
    first = tree.first_child[splits].astype(np.int64)
    count = tree.n_children[splits].astype(np.int64)
    require((first > splits) & (first + count <= n_nodes), "children do not come after their parent")
    order = np.argsort(first, kind="stable")
    expected = 1 + np.concatenate([[0], np.cumsum(count[order])])
    if not np.array_equal(first[order], expected[:-1]) or expected[-1] != n_nodes:
        raise damaged(
            "the children of the nodes do not make a tree", f"{n_nodes} nodes, {len(splits)} splits"
        )
    parents = np.full(n_nodes, -1, dtype=np.int64)
    parents[1:] = np.repeat(splits[order], count[order])
    require(tree.parent == parents, "a node names another parent than the one it has")
    default = tree.default_child[splits].astype(np.int64)
    require((default >= first) & (default < first + count), "a default child is no child")


def _check_splits(nodes: Nodes, schema: InputSchema) -> None:
    kind, feature, n_children = nodes.split_kind, nodes.feature, nodes.n_children
    is_leaf = kind == LEAF
    require(kind <= LEVEL_SET, "a node has an unknown kind of split")
    require(~is_leaf | ((feature == -1) & (n_children == 0)), "a leaf has a split")
    require(is_leaf | ((feature >= 0) & (feature < len(schema.columns))), "a split is on no column")
    is_category = np.array([column.is_category for column in schema.columns])[feature]
    require(is_leaf | (is_category == (kind != THRESHOLD)), "a split does not fit its column")
    is_binary = (kind == THRESHOLD) | (kind == LEVEL_SET)
    require(~is_binary | (n_children == 2), "a split in two has not two children")
    require((kind != MULTIWAY) | (n_children >= 2), "a split has fewer than two children")


def _check_levels(nodes: Nodes, schema: InputSchema, tree_start: Positions) -> None:
    """Sets of levels and branches are ascending; `tree_start` is where the tree of each node begins."""
    n_levels = np.array([len(column.levels) for column in schema.columns], dtype=np.int64)[nodes.feature]
    begin, end = nodes.set_begin.astype(np.int64), nodes.set_end.astype(np.int64)
    is_inside = (begin >= 0) & (begin <= end) & (end <= len(nodes.set_levels))
    require(is_inside, "a set of levels lies outside its pool")
    sets = np.flatnonzero(nodes.split_kind == LEVEL_SET)
    require(begin[sets] < end[sets], "a set of levels is empty")
    require(
        are_ascending(nodes.set_levels, begin[sets], end[sets], n_levels[sets]),
        "a set of levels is not ascending or out of range",
    )
    multiway = np.flatnonzero(nodes.split_kind == MULTIWAY)
    first = tree_start[multiway] + nodes.first_child[multiway]
    require(
        are_ascending(nodes.branch_level, first, first + nodes.n_children[multiway], n_levels[multiway]),
        "the branches of a node are not ascending or out of range",
    )


def _check_numbers(nodes: Nodes, schema: InputSchema, is_classifier: bool) -> None:
    is_cut = nodes.split_kind == THRESHOLD
    require(~is_cut | np.isfinite(nodes.threshold), "a threshold is not a finite number")
    is_date = np.array([column.kind == "date" for column in schema.columns])[nodes.feature]
    require(~(is_cut & is_date) | (np.abs(nodes.threshold) < MOST_DAYS), "a threshold is no date")
    require(np.isfinite(nodes.weight) & (nodes.weight >= 0), "a weight is negative or no number")
    require(np.asarray(np.isfinite(nodes.value).all(axis=1)), "a prediction is not a finite number")
    if is_classifier:
        sums = nodes.value.sum(axis=1)
        is_share = (nodes.value >= 0).all(axis=1) & (sums > 0) & np.isfinite(sums)
        require(is_share, "the classes have no weight")


# Days whose microseconds fit into 64 bits.
MOST_DAYS = 1.06e8

Positions = NDArray[np.int64]
Nodes = GrownTree | GrownForest


def require(holds: Mask, what: str) -> None:
    """Refuse an array that does not hold in every entry; says in how many, and where first."""
    if not holds.all():
        wrong = np.flatnonzero(~holds)
        raise damaged(what, f"{len(wrong)} of {len(holds)} entries, first at {wrong[0]}")


def are_ascending(levels: NDArray[Any], begin: Positions, end: Positions, n_levels: Positions) -> Mask:
    """Whether each range of an array has positions among so many levels, each larger than the one before.

    No range is empty.
    """
    if not len(begin):
        return np.ones(0, dtype=np.bool_)
    n_falls = np.concatenate([[0], np.cumsum(levels[1:] <= levels[:-1])])
    is_rising = n_falls[end - 1] == n_falls[begin]
    return np.asarray(is_rising & (levels[begin] >= 0) & (levels[end - 1] < n_levels))


# The sizes that the JSON declares, and the least that each can be.
_FOREST_SIZES = {"n_trees": 1, "n_nodes": 1, "n_outputs": 1, "n_set_levels": 0, "n_judged_rows": 0}
Forest = ForestClassifier | ForestRegressor


class ForestRecord(LearnerRecord[Forest]):
    """A ForestClassifier or a ForestRegressor: all trees in one set of arrays, a node to an entry."""

    judged: ClassVar[str] = "oob_prediction_"  # the attribute with the out-of-bag predictions
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
        check_flag(attributes.get("is_bootstrap_"), "is_bootstrap_")
        for name in ("data_mark_", "rules_mark_"):
            check_text(attributes.get(name), name)
        if attributes["max_features_"] > len(schema.columns) or "n_values_" not in attributes:
            raise damaged("the columns that were drawn are more than there are", "max_features_, n_values_")
        check_n_values(attributes, schema)
        if "oob_score_" in attributes and type(attributes["oob_score_"]) is not float:
            raise damaged("the out-of-bag score is no number", "oob_score_")

    def write_parts(self, model: Forest) -> tuple[dict[str, Any], dict[str, bytes]]:
        forest, judged = model.forest_, getattr(model, self.judged, None)
        sizes = {
            "n_trees": forest.n_trees,
            "n_nodes": len(forest.feature),
            "n_outputs": int(forest.value.shape[1]),
            "n_set_levels": len(forest.set_levels),
            "n_judged_rows": 0 if judged is None else len(judged),
        }
        members = write_arrays("forest", vars(forest), FOREST_ARRAYS)
        if judged is not None:
            members |= write_arrays("forest", {self.judged: judged}, self._judged_form)
        return {"forest": sizes}, members

    def read_parts(self, model: Forest, parts: dict[str, Any], members: ArrayMembers) -> None:
        sizes = read_sizes(parts["forest"], _FOREST_SIZES, "the forest")
        n_outputs = getattr(model, "n_classes_", 1)
        if sizes["n_outputs"] != n_outputs:
            raise damaged("the forest predicts another number of classes", f"wanted {n_outputs}")
        sizes["n_begins"] = sizes["n_trees"] + 1
        arrays: dict[str, Any] = read_arrays("forest", FOREST_ARRAYS, sizes, members)
        model.forest_ = GrownForest(**arrays, importance=np.empty((0, len(model.inputs_.columns))))
        check_forest(model.forest_, model.inputs_, hasattr(model, "classes_"))
        if bool(sizes["n_judged_rows"]) != hasattr(model, "oob_score_"):
            raise damaged("there is an out-of-bag score without predictions, or the reverse", self.judged)
        if sizes["n_judged_rows"]:
            judged = read_arrays("forest", self._judged_form, sizes, members)[self.judged]
            if np.isinf(judged).any():
                raise damaged("an out-of-bag prediction is infinite", self.judged)
            setattr(model, self.judged, judged)

    @property
    def _judged_form(self) -> Forms:
        return {self.judged: ("<f8", ("n_judged_rows",))}


class ForestClassifierRecord(ForestRecord):
    """A ForestClassifier: a forest that has classes."""

    judged = "oob_decision_function_"
    shaped = frozenset({"forest_", "oob_decision_function_"})
    plain = ForestRecord.plain | CLASSES | {"n_classes_", "class_weights_", "class_shares_", "class_factors_"}

    def check_plain(self, attributes: dict[str, Any], schema: InputSchema) -> None:
        super().check_plain(attributes, schema)
        check_classes(attributes, attributes.get("n_classes_"))
        check_per_class(attributes, "class_weights_")
        check_per_class(attributes, "class_shares_")
        check_factors(attributes)

    @property
    def _judged_form(self) -> Forms:
        return {self.judged: ("<f8", ("n_judged_rows", "n_outputs"))}


def check_forest(forest: GrownForest, schema: InputSchema, is_classifier: bool) -> None:
    """Refuse nodes that do not make trees, or do not fit the columns."""
    _check_trees(forest)
    _check_splits(forest, schema)
    is_child = (forest.default_child >= 0) & (forest.default_child < forest.n_children)
    require((forest.split_kind == LEAF) | is_child, "a default child is no child")
    tree_start = np.repeat(forest.tree_begin[:-1], np.diff(forest.tree_begin))
    _check_families(forest, tree_start)
    _check_levels(forest, schema, tree_start)
    _check_numbers(forest, schema, is_classifier)


def _check_trees(forest: GrownForest) -> None:
    """The trees follow one another and hold all nodes."""
    begin, n_nodes = forest.tree_begin, len(forest.feature)
    require((begin >= 0) & (begin <= n_nodes), "a tree lies outside the nodes")
    require(np.diff(begin) > 0, "a tree has no node")
    require(np.array([begin[0] == 0, begin[-1] == n_nodes]), "the trees do not hold all nodes")


def _check_families(forest: GrownForest, tree_start: Positions) -> None:
    """Level by level: the children of a tree's splits fill its nodes, in the order of their parents."""
    splits = np.flatnonzero(forest.split_kind != LEAF)
    first = tree_start[splits] + forest.first_child[splits]
    require(first > splits, "children do not come after their parent")
    # How many children the splits before a node have, over all trees; then over its own tree alone.
    before = np.concatenate([[0], np.cumsum(forest.n_children, dtype=np.int64)])
    expected = tree_start[splits] + 1 + before[splits] - before[tree_start[splits]]
    require(first == expected, "the children of the nodes do not make a tree")
    begin = forest.tree_begin
    require(np.diff(before[begin]) == np.diff(begin) - 1, "a tree has more or fewer nodes than children")
