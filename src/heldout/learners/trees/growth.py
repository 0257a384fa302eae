"""Trees grown from the same rows by the same rules, with different limits, from as few growings as can be.

Without a limit on the leaves a node is split without regard to the others. So a tree of less depth, or of
a larger `min_gain`, is the larger tree cut off: the loosest limits are grown, and the rest is cut from it.
A change of `min_leaf` changes the splits themselves and needs its own growing, but no sorting of its own.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from heldout import native
from heldout.arrays import Counts, Mask, Rows
from heldout.inputs.fill_missing_rows import fill_rows
from heldout.inputs.input_schema import InputSchema
from heldout.inputs.training_inputs import TrainingRows
from heldout.learners.description_length import distinct_values
from heldout.learners.pruning.pruning_rows import PruningRows, held_rows
from heldout.learners.trees.tree_structure import TreeStructure

GAIN_SLACK = 1e-12


@dataclass(frozen=True, eq=False)
class CutTree:
    """A tree, and where its nodes stand in the larger one it was cut from.

    base:   the tree that was grown
    is_cut: which of its nodes became leaves; None if nothing was cut
    tree:   what was left
    kept:   the index in the base of each node that was left; None if nothing was cut
    """

    base: native.GrownTree
    is_cut: Mask | None
    tree: native.GrownTree
    kept: Rows | None

    def in_base(self, is_cut: Mask) -> Mask:
        """A further cut of this tree as a cut of the base."""
        if self.is_cut is None or self.kept is None:
            return is_cut
        both = self.is_cut.copy()
        both[self.kept[is_cut]] = True
        return both


class Growth:
    """The trees of the same rows under several limits.

    rows:    the rows to grow from; those without weight are gone
    options: that will be asked for; they differ in `max_depth`, `min_gain` and `min_leaf` alone
    missing: what becomes of missing values
    """

    def __init__(self, rows: TrainingRows, options: Iterable[native.GrowOptions], missing: str) -> None:
        self.known = rows.compact()
        is_filled = missing in ("column_mode", "class_mode")
        self.rows = fill_rows(self.known, missing) if is_filled else self.known
        self.options = tuple(dict.fromkeys(options))
        self.splits_unknown = missing == "fractional"
        self._cut_trees: dict[native.GrowOptions, CutTree] = {}
        self._structures: dict[native.GrowOptions, TreeStructure] = {}

    @property
    def schema(self) -> InputSchema:
        return self.rows.schema

    @cached_property
    def n_values(self) -> Counts:
        """How many distinct known values each column has."""
        return distinct_values(self.known)

    def pruning_rows(self, held: TrainingRows) -> PruningRows:
        """Other rows of the same table, as these trees see them."""
        return held_rows(held, self.known, self.schema)

    def tree(self, options: native.GrowOptions) -> CutTree:
        """The tree of one of the options."""
        if options not in self._cut_trees:
            self._cut_trees[options] = self._cut(options)
        return self._cut_trees[options]

    def _cut(self, options: native.GrowOptions) -> CutTree:
        loosest = self._loosest.get(options.min_leaf, options)
        base = self._bases[loosest]
        if options == loosest:
            return CutTree(base, None, base, None)
        structure = self._structures.setdefault(loosest, TreeStructure(base))
        is_cut = self._is_beyond(structure, options)
        return CutTree(base, is_cut, native.cut_tree(base, is_cut), kept_nodes(structure, is_cut))

    def _is_beyond(self, structure: TreeStructure, limits: native.GrowOptions) -> Mask:
        """Which splits the tighter limits would not have made."""
        base = structure.grown
        unit = base.impurity if self.rows.n_classes == 0 else 1.0
        is_cut = ~(base.gain > limits.min_gain + GAIN_SLACK * unit)
        if limits.max_depth >= 0:
            is_cut |= structure.depths >= limits.max_depth
        return np.asarray(is_cut & (base.feature >= 0))

    @cached_property
    def _loosest(self) -> dict[float, native.GrowOptions]:
        """For each `min_leaf` the limits of which the others are cuts; none where leaves are limited."""
        loosest: dict[float, native.GrowOptions] = {}
        for options in self.options:
            if options.max_leaves >= 0:
                return {}
            other = loosest.get(options.min_leaf, options)
            depths = options.max_depth, other.max_depth
            loosest[options.min_leaf] = replace(
                options,
                max_depth=-1 if min(depths) < 0 else max(depths),
                min_gain=min(options.min_gain, other.min_gain),
            )
        return loosest

    @cached_property
    def _bases(self) -> dict[native.GrowOptions, native.GrownTree]:
        """What is grown; options that differ in `min_leaf` alone share the sorting of the rows."""
        shared: dict[tuple[int, float], list[native.GrowOptions]] = {}
        for options in list(self._loosest.values()) or self.options:
            shared.setdefault((options.max_depth, options.min_gain), []).append(options)
        trees: dict[native.GrowOptions, native.GrownTree] = {}
        for alike in shared.values():
            min_leafs = [options.min_leaf for options in alike]
            trees |= zip(alike, native.grow_trees(*self.rows.for_kernel, alike[0], min_leafs), strict=True)
        return trees


def kept_nodes(structure: TreeStructure, is_cut: Mask) -> Rows:
    """The nodes that are left when what stands below the cut ones is dropped."""
    parents = structure.grown.parent
    is_gone = np.zeros(len(is_cut), dtype=np.bool_)
    for level in structure.levels[1:]:
        above = parents[level]
        is_gone[level] = is_gone[above] | is_cut[above]
        if is_gone[level].all():
            is_gone[level.stop :] = True
            break
    return np.flatnonzero(~is_gone)


def stop_at(parents: NDArray[np.int32], is_cut: Mask) -> Rows:
    """For each node the one that predicts for it: the topmost of the cut ones on its way, or itself.

    is_cut: for each node; or one row for each of several cuts, which gives one row for each
    """
    nodes = np.arange(len(parents))
    top = np.where(is_cut, nodes, -1)
    above = np.maximum(parents, 0)
    # Twice as many of the nodes above are looked at in each step, in the last one the root.
    while True:
        higher = top[..., above]
        top = np.where(higher >= 0, higher, top)
        if not above.any():
            break
        above = above[above]
    return np.where(top >= 0, top, nodes)
