"""The kernels of trees: grow, walk, prune."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from heldout import _native
from heldout.arrays import Floats
from heldout.native.codes import CodedColumnLike, column_arrays

IntArray = NDArray[np.int32]


@dataclass(frozen=True)
class GrowOptions:
    """Everything that decides how a tree grows.

    `max_depth` and `max_leaves` are -1 for no limit; a split is made only if its gain is larger than
    `min_gain`, and whatever its gain if that is minus infinity.
    """

    criterion: str
    categorical_splits: str = "multiway"
    average_gain: bool = False
    max_depth: int = -1
    min_leaf: float = 1.0
    min_gain: float = -math.inf
    max_leaves: int = -1
    costs: tuple[float, ...] | None = None
    cost_rule: str = "none"
    cost_exponent: float = 1.0
    missing: str = "node_mode"
    numeric_cuts: str = "plain"
    n_threads: int = 1


@dataclass(frozen=True)
class GrownTree:
    """A tree as arrays, one entry per node, breadth-first: children are contiguous and follow their parent.

    `split_kind` is 0 in a leaf, 1 for a threshold (x <= threshold goes to the first child; `gap_below` and
    `gap_above` are the node's values on both sides of it), 2 for one child
    per level present in the node (`branch_level` of the child), 3 for a set of levels that go to the first
    child (`set_levels[set_begin:set_end]`). Missing values go to `default_child`. `value` holds class
    weights, or the mean.
    """

    feature: IntArray
    split_kind: NDArray[np.uint8]
    threshold: Floats
    gap_below: Floats
    gap_above: Floats
    first_child: IntArray
    n_children: IntArray
    default_child: IntArray
    branch_level: IntArray
    set_begin: IntArray
    set_end: IntArray
    set_levels: IntArray
    parent: IntArray
    n_rows: NDArray[np.int64]
    weight: Floats
    impurity: Floats
    gain: Floats
    value: Floats


def grow_tree(
    columns: Sequence[CodedColumnLike],
    rows: NDArray[np.uint32] | None,
    classes: NDArray[np.uint32] | None,
    n_classes: int,
    targets: Floats | None,
    weights: Floats | None,
    options: GrowOptions,
) -> GrownTree:
    """Grow one exact tree from coded columns.

    Classes, targets and weights go with `rows` (positions in the columns, None for all of them), not with
    the columns; weights are larger than zero, and every level of a category occurs among the rows.
    """
    return grow_trees(columns, rows, classes, n_classes, targets, weights, options, [options.min_leaf])[0]


def grow_trees(
    columns: Sequence[CodedColumnLike],
    rows: NDArray[np.uint32] | None,
    classes: NDArray[np.uint32] | None,
    n_classes: int,
    targets: Floats | None,
    weights: Floats | None,
    options: GrowOptions,
    min_leafs: Sequence[float],
) -> list[GrownTree]:
    """Grow one tree for each of `min_leafs`, which take the index of the option; rows are sorted once."""
    parameters = dict(vars(options))
    costs = parameters.pop("costs")
    grown = _native.grow_trees(
        columns=column_arrays(columns),
        rows=rows,
        classes=classes,
        n_classes=n_classes,
        targets=targets,
        weights=weights,
        costs=None if costs is None else np.array(costs),
        options=_native.GrowOptions(**parameters),
        min_leafs=[float(min_leaf) for min_leaf in min_leafs],
    )
    return [GrownTree(**arrays) for arrays in grown]


def apply_tree(
    tree: GrownTree, numbers: Floats, number_of: IntArray, levels: IntArray, n_threads: int = 1
) -> IntArray:
    """The node in which each row ends; a missing value goes to the default child.

    A feature's entry in `number_of` is its column in `numbers` or, counted from -1 down, in `levels`. NaN
    and negative levels are unknown.
    """
    return _native.apply_tree(vars(tree), numbers, number_of, levels, n_threads)


def predict_tree(
    tree: GrownTree,
    numbers: Floats,
    number_of: IntArray,
    levels: IntArray,
    splits_unknown: bool,
    n_threads: int = 1,
    is_regression: bool = False,
) -> Floats:
    """The shares of the classes (or the mean) predicted for each row.

    With `splits_unknown` a row with a missing value goes down every branch with the branch's share of the
    weight, and the predictions of the nodes where its fragments end are added up.
    """
    return _native.predict_tree(
        vars(tree), numbers, number_of, levels, splits_unknown, is_regression, n_threads
    )


def weakest_links(tree: GrownTree, costs: Floats) -> Floats:
    """For each split the smallest alpha at which cost-complexity pruning has made it, or a split above it, a
    leaf; 0 for leaves. `costs` is what each node costs as a leaf.
    """
    return _native.weakest_links(vars(tree), costs)


def reduced_error(tree: GrownTree, costs: Floats, best_first: bool, prune_ties: bool) -> NDArray[np.bool_]:
    """Which splits become leaves, given what each node loses as a leaf on validation rows."""
    return _native.reduced_error(vars(tree), costs, best_first, prune_ties).astype(np.bool_)


def cut_tree(tree: GrownTree, is_cut: NDArray[np.bool_]) -> GrownTree:
    """The tree in which the marked nodes are leaves; what was below them is gone."""
    return GrownTree(**_native.cut_tree(vars(tree), is_cut.view(np.uint8)))


def node_losses(
    tree: GrownTree,
    numbers: Floats,
    number_of: IntArray,
    levels: IntArray,
    splits_unknown: bool,
    classes: NDArray[np.uint32] | None,
    targets: Floats | None,
    weights: Floats | None,
) -> Floats:
    """What each node would lose as a leaf on the rows that come to it.

    That is the weight of the rows of another class than the node's own, or the squared distance of their
    targets to its mean.
    """
    return _native.node_losses(
        vars(tree), numbers, number_of, levels, splits_unknown, classes, targets, weights
    )


def prune_pessimistic(
    columns: Sequence[CodedColumnLike],
    rows: NDArray[np.uint32] | None,
    classes: NDArray[np.uint32],
    n_classes: int,
    weights: Floats | None,
    tree: GrownTree,
    criterion: str,
    confidences: Sequence[float],
    raise_subtrees: bool,
    splits_unknown: bool,
) -> list[GrownTree]:
    """C4.5's pruning of a tree, on the rows that it was grown from: one tree for each confidence.

    confidences:    how often limits made this way, which are compared, lie below the true error of a leaf
    raise_subtrees: whether a split may be replaced by its heaviest branch
    """
    from statistics import NormalDist  # takes 10 ms

    pruned = _native.prune_pessimistic(
        columns=column_arrays(columns),
        rows=rows,
        classes=classes,
        n_classes=n_classes,
        weights=weights,
        tree=vars(tree),
        criterion=criterion,
        confidences=list(confidences),
        deviates=[-NormalDist().inv_cdf(confidence) for confidence in confidences],
        raise_subtrees=raise_subtrees,
        splits_unknown=splits_unknown,
    )
    return [GrownTree(**arrays) for arrays in pruned]
