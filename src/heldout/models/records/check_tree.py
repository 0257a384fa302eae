"""Does an array of nodes make a tree? Everything is checked before the core sees it."""

from __future__ import annotations

import numpy as np

from heldout.learners.inputs.input_schema import InputSchema
from heldout.learners.trees.tree_structure import LEAF, LEVEL_SET, MULTIWAY, THRESHOLD
from heldout.models.damaged_file import damaged
from heldout.models.records.node_checks import MOST_DAYS, are_ascending, require
from heldout.native import GrownTree


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
