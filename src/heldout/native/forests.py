"""The kernels of forests: grow, cut, predict, and what the rows out of the bag tell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from heldout import _native
from heldout.arrays import Floats
from heldout.native.codes import CodedColumnLike, column_arrays

IntArray = NDArray[np.int32]


@dataclass(frozen=True)
class Bagging:
    """Which rows each tree sees: so many draws, with replacement or without; of whole groups, if any.

    `groups` is the number of each row's group, from 0.
    """

    seed: int
    is_bootstrap: bool
    n_draws: int
    groups: NDArray[np.uint32] | None = field(default=None, compare=False)


@dataclass(frozen=True)
class ForestOptions:
    """Everything that decides how the trees of a forest grow.

    `max_features` columns are drawn for each node, and further ones only until one of them can split it;
    `max_depth` is -1 for no limit; a split is made only if its gain is larger than `min_gain`.
    """

    criterion: str
    bagging: Bagging
    max_features: int
    categorical_splits: str = "subset"
    max_depth: int = -1
    min_leaf: float = 1.0
    min_gain: float = -np.inf
    n_threads: int = 1


@dataclass(frozen=True)
class GrownForest:
    """Many trees as arrays, one entry per node, the nodes of a tree together and breadth-first.

    The nodes of tree t are `tree_begin[t]` up to `tree_begin[t + 1]`; `first_child` counts from the first of
    them. `split_kind`, `branch_level`, `set_begin`, `set_end` and `set_levels` are those of a GrownTree, and
    `default_child` says which child, counted from 0, takes missing values. `weight` is that of the rows in
    the bag, `value` holds the weights of the classes, or the mean; `importance` what the splits of a tree on
    each column gained, in weight.
    """

    tree_begin: NDArray[np.int64]
    feature: IntArray
    split_kind: NDArray[np.uint8]
    threshold: Floats
    first_child: IntArray
    n_children: IntArray
    default_child: IntArray
    branch_level: IntArray
    set_begin: IntArray
    set_end: IntArray
    set_levels: IntArray
    weight: Floats
    value: Floats
    importance: Floats

    @property
    def n_trees(self) -> int:
        return len(self.tree_begin) - 1


def grow_forests(
    columns: Sequence[CodedColumnLike],
    rows: NDArray[np.uint32] | None,
    classes: NDArray[np.uint32] | None,
    n_classes: int,
    targets: Floats | None,
    weights: Floats | None,
    options: ForestOptions,
    first_tree: int,
    n_trees: int,
    min_leafs: Sequence[float],
) -> list[GrownForest]:
    """Grow the trees `first_tree`, `first_tree + 1`, … of a forest for each of `min_leafs`.

    Each tree depends on its number alone; `min_leafs` take the index of the option. Trees of different
    `min_leaf` grow together down to where a branch is too small for one of them.
    """
    grown = _native.grow_forests(
        columns=column_arrays(columns),
        rows=rows,
        classes=classes,
        n_classes=n_classes,
        targets=targets,
        weights=weights,
        criterion=options.criterion,
        categorical_splits=options.categorical_splits,
        max_depth=options.max_depth,
        min_leafs=[float(min_leaf) for min_leaf in min_leafs],
        min_gain=options.min_gain,
        max_features=options.max_features,
        seed=options.bagging.seed,
        is_bootstrap=options.bagging.is_bootstrap,
        n_draws=options.bagging.n_draws,
        groups=options.bagging.groups,
        first_tree=first_tree,
        n_trees=n_trees,
        n_threads=options.n_threads,
    )
    return [GrownForest(**arrays) for arrays in grown]


def in_bag_counts(bagging: Bagging, tree: int, n_rows: int, weights: Floats | None) -> NDArray[np.uint32]:
    """How often each row is in the bag of a tree."""
    return _native.in_bag_counts(
        bagging.seed, bagging.is_bootstrap, bagging.n_draws, bagging.groups, tree, n_rows, weights
    )


def cut_forest(forest: GrownForest, max_depth: int) -> GrownForest:
    """The forest that would have grown with this `max_depth`."""
    return GrownForest(**_native.cut_forest(vars(forest), max_depth))


def predict_forest(
    forest: GrownForest,
    numbers: Floats,
    number_of: IntArray,
    levels: IntArray,
    prefixes: Sequence[int],
    is_vote: bool,
    is_regression: bool,
    n_threads: int = 1,
) -> Floats:
    """What the first trees of the forest predict together: prefix × row × output.

    A prediction is the mean over the trees, added up in their order, of the class shares where the row ends
    (with `is_vote` of 1 for the largest share, the first of equal ones) or of the means. `prefixes` ascend.
    """
    return _native.predict_forest(
        vars(forest), numbers, number_of, levels, list(prefixes), is_vote, is_regression, n_threads
    )


def apply_forest(
    forest: GrownForest, numbers: Floats, number_of: IntArray, levels: IntArray, n_threads: int = 1
) -> IntArray:
    """The node in which each row ends in each tree, counted from the tree's first: row × tree."""
    return _native.apply_forest(vars(forest), numbers, number_of, levels, n_threads)


def predict_out_of_bag(
    forest: GrownForest,
    numbers: Floats,
    number_of: IntArray,
    levels: IntArray,
    bagging: Bagging,
    weights: Floats | None,
    is_vote: bool,
    is_regression: bool,
    n_threads: int = 1,
) -> tuple[Floats, IntArray]:
    """For each training row the summed predictions of the trees that have not seen it, and their number."""
    return _native.predict_out_of_bag(
        vars(forest),
        numbers,
        number_of,
        levels,
        bagging.seed,
        bagging.is_bootstrap,
        bagging.n_draws,
        bagging.groups,
        weights,
        is_vote,
        is_regression,
        n_threads,
    )


def permuted_losses(
    forest: GrownForest,
    numbers: Floats,
    number_of: IntArray,
    levels: IntArray,
    classes: NDArray[np.uint32] | None,
    targets: Floats | None,
    bagging: Bagging,
    weights: Floats | None,
    n_threads: int = 1,
) -> Floats:
    """Tree × column: by how much a tree's mean loss on rows out of its bag grows when a column is shuffled.

    The loss is 1 for a wrong class, or the squared error, each row by its weight; the shuffle, among the
    tree's rows out of the bag, depends on the seed, the tree and the column alone. 0 where a tree does not
    use a column, or has no row out of the bag.
    """
    return _native.permuted_losses(
        vars(forest),
        numbers,
        number_of,
        levels,
        classes,
        targets,
        bagging.seed,
        bagging.is_bootstrap,
        bagging.n_draws,
        bagging.groups,
        weights,
        n_threads,
    )
