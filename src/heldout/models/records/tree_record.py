"""What a model file holds of a tree."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.arrays import Mask
from heldout.inputs.input_schema import InputSchema
from heldout.learners.trees.tree_structure import LEAF, LEVEL_SET, MULTIWAY, THRESHOLD, TreeStructure
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
    check_n_values,
    check_per_class,
    is_vector,
)
from heldout.native import GrownTree


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


def nodes_record(structure: TreeStructure) -> tuple[dict[str, Any], dict[str, bytes]]:
    """What is told of the tree in JSON, and its arrays as members of the file."""
    grown = structure.grown
    record = {
        "splits_unknown": bool(structure.splits_unknown),
        "n_nodes": structure.n_nodes,
        "n_outputs": int(grown.value.shape[1]),
        "n_set_levels": len(grown.set_levels),
    }
    return record, written_arrays("tree", vars(grown), ARRAYS)


def nodes_of_record(
    record: Any, members: ArrayMembers, schema: InputSchema, is_classifier: bool
) -> TreeStructure:
    """The tree, checked."""
    if type(record) is not dict or set(record) != {"splits_unknown", *_SIZES}:
        raise damaged("the tree is not described as it should be", short(record))
    sizes = checked_sizes({name: record[name] for name in _SIZES}, _SIZES, "the tree")
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
