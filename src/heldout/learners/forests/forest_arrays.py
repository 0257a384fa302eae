"""Trees in one set of arrays: the first of them, further ones behind them, one of them alone."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
from numpy.typing import NDArray

from heldout.learners.trees.tree_structure import LEVEL_SET
from heldout.native import GrownTree
from heldout.native.forests import GrownForest

PER_NODE = (
    "feature",
    "split_kind",
    "threshold",
    "first_child",
    "n_children",
    "default_child",
    "branch_level",
    "set_begin",
    "set_end",
    "weight",
    "value",
)


def first_trees(forest: GrownForest, n_trees: int) -> GrownForest:
    """The forest of the first trees alone, in arrays of its own."""
    if n_trees == forest.n_trees:
        return forest
    n_nodes = int(forest.tree_begin[n_trees])
    n_levels = int(forest.set_end[:n_nodes].max(initial=0))
    return GrownForest(
        tree_begin=forest.tree_begin[: n_trees + 1].copy(),
        set_levels=forest.set_levels[:n_levels].copy(),
        importance=forest.importance[:n_trees].copy(),
        **{name: getattr(forest, name)[:n_nodes].copy() for name in PER_NODE},
    )


def joined_forest(first: GrownForest, further: GrownForest) -> GrownForest:
    """The trees of both, one behind the other."""
    n_levels = len(first.set_levels)
    shift = np.where(further.split_kind == LEVEL_SET, n_levels, 0).astype(np.int32)
    moved = replace(
        further,
        tree_begin=further.tree_begin[1:] + first.tree_begin[-1],
        set_begin=further.set_begin + shift,
        set_end=further.set_end + shift,
    )
    parts = [(getattr(first, field.name), getattr(moved, field.name)) for field in fields(GrownForest)]
    return GrownForest(*[np.concatenate(pair) for pair in parts])


def without_importance(forest: GrownForest) -> GrownForest:
    """The forest without a number for each tree and column, which would be the most of it in a wide table.

    What the splits have gained follows from the nodes.
    """
    return replace(forest, importance=np.empty((0, forest.importance.shape[1])))


def parents(forest: GrownForest) -> NDArray[np.int64]:
    """The parent of each node, counted from the first node of the forest; -1 for a root."""
    found = np.full(len(forest.feature), -1, dtype=np.int64)
    splits = np.flatnonzero(forest.feature >= 0)
    n_children = forest.n_children[splits]
    begins = (
        np.repeat(forest.tree_begin[:-1], np.diff(forest.tree_begin))[splits] + forest.first_child[splits]
    )
    found[ranges(begins, n_children)] = np.repeat(splits, n_children)
    return found


def node_depths(forest: GrownForest) -> NDArray[np.int32]:
    """How many splits stand above each node."""
    depths = np.zeros(len(forest.feature), dtype=np.int32)
    tree_of = np.repeat(forest.tree_begin[:-1], np.diff(forest.tree_begin))
    here, depth = forest.tree_begin[:-1], 0
    while len(here := here[forest.feature[here] >= 0]):
        depth += 1
        here = ranges(tree_of[here] + forest.first_child[here], forest.n_children[here])
        depths[here] = depth
    return depths


def ranges(begins: NDArray[np.int64], lengths: NDArray[np.int32]) -> NDArray[np.int64]:
    """The numbers of several ranges, one range behind the other."""
    ends = np.cumsum(lengths, dtype=np.int64)
    return np.asarray(np.repeat(begins - (ends - lengths), lengths) + np.arange(lengths.sum()))


def tree_of_forest(forest: GrownForest, tree: int) -> GrownTree:
    """One of the trees, for what reads trees; what a forest does not keep of its nodes is 0."""
    begin, end = forest.tree_begin[tree : tree + 2].tolist()
    part = {name: getattr(forest, name)[begin:end] for name in PER_NODE}
    alone = replace(forest, tree_begin=np.array([0, end - begin]), **part)
    is_split = part["feature"] >= 0
    part["default_child"] = np.where(is_split, part["first_child"] + part["default_child"], -1)
    below, above = _shown_gap(part["threshold"])
    nothing = np.zeros(end - begin)
    return GrownTree(
        **part,
        gap_below=below,
        gap_above=above,
        set_levels=forest.set_levels,
        parent=parents(alone).astype(np.int32),
        n_rows=np.rint(part["weight"]).astype(np.int64),
        impurity=nothing,
        gain=nothing,
    )


def _shown_gap(threshold: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Between which numbers a threshold may be rounded when it is shown.

    Those that mean the same number in single precision; none where it has more digits than that.
    """
    with np.errstate(over="ignore"):
        single = threshold.astype(np.float32)
    below, above = (np.nextafter(single, np.float32(way)) for way in (-np.inf, np.inf))
    is_single = single == threshold
    return (
        np.where(is_single, (threshold + below) / 2, threshold),
        np.where(is_single, (threshold + above) / 2, threshold),
    )
