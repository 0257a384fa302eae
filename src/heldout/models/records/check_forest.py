"""Do arrays of nodes make a forest? Every index is checked before the core sees it."""

from __future__ import annotations

import numpy as np

from heldout.learners.inputs.input_schema import InputSchema
from heldout.learners.trees.tree_structure import LEAF, LEVEL_SET, MULTIWAY, THRESHOLD
from heldout.models.records.node_checks import MOST_DAYS, Places, are_ascending, require
from heldout.native.forests import GrownForest


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
