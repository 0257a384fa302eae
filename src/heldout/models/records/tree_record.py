"""What a model file holds of a tree, and of a forest: all trees in one set of arrays."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from heldout.arrays import Mask
from heldout.inputs.input_schema import InputSchema
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
    check_n_values,
    check_per_class,
    check_text,
    is_vector,
)
from heldout.native import GrownTree
from heldout.native.forests import GrownForest


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

    def write_parts(self, model: Any) -> tuple[dict[str, Any], dict[str, bytes]]:
        record, members = write_nodes(model.tree_)
        return {"tree": record}, members

    def read_parts(self, model: Any, parts: dict[str, Any], members: ArrayMembers) -> None:
        n_classes = getattr(model, "n_classes_", None)
        model.tree_ = read_nodes(parts["tree"], members, model.inputs_, n_classes is not None)
        if model.tree_.grown.value.shape[1] != (1 if n_classes is None else n_classes):
            raise damaged("the tree answers for another number of classes", f"wanted {n_classes or 1}")


class TreeClassifierRecord(TreeRecord):
    """A TreeClassifier: a tree that has classes."""

    plain = TreeRecord.plain | CLASSES | {"n_classes_", "class_weights_"}

    def check_plain(self, attributes: dict[str, Any], schema: InputSchema) -> None:
        super().check_plain(attributes, schema)
        check_classes(attributes, attributes.get("n_classes_"))
        check_per_class(attributes, "class_weights_")


_NODES = ("n_nodes",)


# Every array of a tree, with its type and its sizes.
ARRAYS: Forms = {
    "feature": ("<i4", _NODES),
    "split_kind": ("|u1", _NODES),
    "threshold": ("<f8", _NODES),
    "gap_below": ("<f8", _NODES),
    "gap_above": ("<f8", _NODES),
    "first_child": ("<i4", _NODES),
    "n_children": ("<i4", _NODES),
    "default_child": ("<i4", _NODES),
    "branch_level": ("<i4", _NODES),
    "set_begin": ("<i4", _NODES),
    "set_end": ("<i4", _NODES),
    "parent": ("<i4", _NODES),
    "n_rows": ("<i8", _NODES),
    "weight": ("<f8", _NODES),
    "impurity": ("<f8", _NODES),
    "gain": ("<f8", _NODES),
    "set_levels": ("<i4", ("n_set_levels",)),
    "value": ("<f8", ("n_nodes", "n_outputs")),
}


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


def read_nodes(record: Any, members: ArrayMembers, schema: InputSchema, is_classifier: bool) -> TreeStructure:
    """The tree, checked."""
    if type(record) is not dict or set(record) != {"splits_unknown", *_SIZES}:
        raise damaged("the tree is not described as it should be", short(record))
    sizes = read_sizes({name: record[name] for name in _SIZES}, _SIZES, "the tree")
    if type(record["splits_unknown"]) is not bool:
        raise damaged("splits_unknown is neither true nor false", short(record["splits_unknown"]))
    arrays: dict[str, Any] = read_arrays("tree", ARRAYS, sizes, members)
    grown = GrownTree(**arrays)
    check_tree(grown, schema, is_classifier)
    return TreeStructure(grown, record["splits_unknown"])


def check_tree(tree: GrownTree, schema: InputSchema, is_classifier: bool) -> None:
    """Refuse nodes that do not fit together, or do not fit the columns."""
    _check_splits(tree, schema)
    _check_family(tree)
    _check_levels(tree, schema)
    _check_numbers(tree, schema, is_classifier)


def _check_splits(tree: GrownTree, schema: InputSchema) -> None:
    is_leaf = tree.split_kind == LEAF
    require(tree.split_kind <= LEVEL_SET, "a node has an unknown kind of split")
    unset = (tree.feature == -1) & (tree.first_child == -1) & (tree.default_child == -1)
    require(~is_leaf | (unset & (tree.n_children == 0)), "a leaf has a split")
    n_columns = len(schema.columns)
    require(is_leaf | ((tree.feature >= 0) & (tree.feature < n_columns)), "a split is on no column")
    is_category = np.array([column.is_category for column in schema.columns])[tree.feature]
    require(is_leaf | (is_category == (tree.split_kind != THRESHOLD)), "a split does not fit its column")
    is_binary = (tree.split_kind == THRESHOLD) | (tree.split_kind == LEVEL_SET)
    require(~is_binary | (tree.n_children == 2), "a split in two has not two children")
    require((tree.split_kind != MULTIWAY) | (tree.n_children >= 2), "a split has fewer than two children")


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


def _check_levels(tree: GrownTree, schema: InputSchema) -> None:
    n_levels = np.array([len(column.levels) for column in schema.columns], dtype=np.int64)[tree.feature]
    begin, end = tree.set_begin.astype(np.int64), tree.set_end.astype(np.int64)
    is_inside = (begin >= 0) & (begin <= end) & (end <= len(tree.set_levels))
    require(is_inside, "a set of levels lies outside its pool")
    sets = np.flatnonzero(tree.split_kind == LEVEL_SET)
    require(begin[sets] < end[sets], "a set of levels is empty")
    require(
        are_ascending(tree.set_levels, begin[sets], end[sets], n_levels[sets]),
        "a set of levels is not ascending or out of range",
    )
    parted = np.flatnonzero(tree.split_kind == MULTIWAY)
    first = tree.first_child[parted].astype(np.int64)
    require(
        are_ascending(tree.branch_level, first, first + tree.n_children[parted], n_levels[parted]),
        "the branches of a node are not ascending or out of range",
    )
    is_branch = np.append(False, tree.split_kind[tree.parent[1:]] == MULTIWAY)
    require(is_branch | (tree.branch_level == -1), "a node has a level, and its parent no branches")


def _check_numbers(tree: GrownTree, schema: InputSchema, is_classifier: bool) -> None:
    is_cut = tree.split_kind == THRESHOLD
    require(~is_cut | np.isfinite(tree.threshold), "a threshold is not a finite number")
    is_date = np.array([column.kind == "date" for column in schema.columns])[tree.feature]
    require(~(is_cut & is_date) | (np.abs(tree.threshold) < MOST_DAYS), "a threshold is no date")
    require(np.isfinite(tree.weight) & (tree.weight >= 0), "a weight is negative or no number")
    require(tree.n_rows >= 0, "a number of rows is negative")
    require(np.isfinite(tree.impurity) & np.isfinite(tree.gain), "an impurity or a gain is no number")
    splits = np.flatnonzero(tree.split_kind != LEAF)
    totals = np.bincount(tree.parent[1:], weights=tree.weight[1:], minlength=len(tree.feature))
    require((totals[splits] > 0) & np.isfinite(totals[splits]), "the children of a split have no weight")
    require(np.asarray(np.isfinite(tree.value).all(axis=1)), "an answer is not a finite number")
    if is_classifier:
        sums = tree.value.sum(axis=1)
        require((tree.value >= 0).all(axis=1) & (sums > 0) & np.isfinite(sums), "the classes have no weight")


# Days whose microseconds fit into 64 bits.
MOST_DAYS = 1.06e8


Places = NDArray[np.int64]


def require(holds: Mask, what: str) -> None:
    """Refuse an array that does not hold in every entry; says in how many, and where first."""
    if not holds.all():
        wrong = np.flatnonzero(~holds)
        raise damaged(what, f"{len(wrong)} of {len(holds)} entries, first at {wrong[0]}")


def are_ascending(levels: NDArray[Any], begin: Places, end: Places, n_levels: Places) -> Mask:
    """Whether each range of these has positions among so many levels, each larger than the one before.

    levels:     one array in which all ranges lie
    begin, end: of each range, which is not empty
    n_levels:   how many levels there are for each range
    """
    if not len(begin):
        return np.ones(0, dtype=np.bool_)
    n_falls = np.concatenate([[0], np.cumsum(levels[1:] <= levels[:-1])])
    is_rising = n_falls[end - 1] == n_falls[begin]
    return np.asarray(is_rising & (levels[begin] >= 0) & (levels[end - 1] < n_levels))


# Every array of a forest but `importance`, which a fitted one does not keep.
FOREST_ARRAYS: Forms = {
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
_FOREST_SIZES = {"n_trees": 1, "n_nodes": 1, "n_outputs": 1, "n_set_levels": 0, "n_judged_rows": 0}


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

    def write_parts(self, model: Any) -> tuple[dict[str, Any], dict[str, bytes]]:
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

    def read_parts(self, model: Any, parts: dict[str, Any], members: ArrayMembers) -> None:
        sizes = read_sizes(parts["forest"], _FOREST_SIZES, "the forest")
        n_outputs = getattr(model, "n_classes_", 1)
        if sizes["n_outputs"] != n_outputs:
            raise damaged("the forest answers for another number of classes", f"wanted {n_outputs}")
        sizes["n_begins"] = sizes["n_trees"] + 1
        arrays: dict[str, Any] = read_arrays("forest", FOREST_ARRAYS, sizes, members)
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
    _check_forest_splits(forest, schema)
    starts = np.repeat(forest.tree_begin[:-1], np.diff(forest.tree_begin))
    _check_families(forest, starts)
    _check_forest_levels(forest, schema, starts)
    _check_forest_numbers(forest, schema, is_classifier)


def _check_trees(forest: GrownForest) -> None:
    """The trees follow one another and hold all nodes."""
    begin, n_nodes = forest.tree_begin, len(forest.feature)
    require((begin >= 0) & (begin <= n_nodes), "a tree lies outside the nodes")
    require(np.diff(begin) > 0, "a tree has no node")
    require(np.array([begin[0] == 0, begin[-1] == n_nodes]), "the trees do not hold all nodes")


def _check_forest_splits(forest: GrownForest, schema: InputSchema) -> None:
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


def _check_forest_levels(forest: GrownForest, schema: InputSchema, starts: Places) -> None:
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


def _check_forest_numbers(forest: GrownForest, schema: InputSchema, is_classifier: bool) -> None:
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
