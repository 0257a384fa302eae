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
from heldout.arrays import Mask
from heldout.inputs.fill_unknown import filled_rows
from heldout.inputs.input_schema import InputSchema
from heldout.inputs.training_inputs import TrainingRows
from heldout.learners.description_length import distinct_values
from heldout.learners.pruning.judged_rows import JudgedRows, judged_rows
from heldout.learners.trees.tree_structure import TreeStructure

GAIN_SLACK = 1e-12


@dataclass(frozen=True)
class Limits:
    """Where growing stops: `max_depth` is -1 for no limit, `min_gain` minus infinity for none."""

    max_depth: int
    min_gain: float
    min_leaf: float

    def of(self, options: native.GrowOptions) -> native.GrowOptions:
        """The same options with these limits."""
        return replace(options, max_depth=self.max_depth, min_gain=self.min_gain, min_leaf=self.min_leaf)


@dataclass(frozen=True, eq=False)
class CutTree:
    """A tree, and where its nodes stand in the larger one it was cut from.

    base:   the tree that was grown
    is_cut: which of its nodes became leaves; None if nothing was cut
    tree:   what was left
    places: the place in the base of each node that was left; None if nothing was cut
    """

    base: native.GrownTree
    is_cut: Mask | None
    tree: native.GrownTree
    places: NDArray[np.intp] | None

    def in_base(self, is_cut: Mask) -> Mask:
        """A further cut of this tree as a cut of the base."""
        if self.is_cut is None or self.places is None:
            return is_cut
        both = self.is_cut.copy()
        both[self.places[is_cut]] = True
        return both


class Growth:
    """What the rows give under each of several limits.

    rows:    the rows to grow from; those without weight are gone
    options: the rules of growing; their own limits do not matter
    limits:  those that will be asked for
    missing: what becomes of unknown values
    """

    def __init__(
        self, rows: TrainingRows, options: native.GrowOptions, limits: Iterable[Limits], missing: str
    ) -> None:
        self.known = rows.inputs.compacted()
        rows = replace(rows, inputs=self.known)
        self.rows = filled_rows(rows, missing) if missing in ("column_mode", "class_mode") else rows
        self.options = options
        self.limits = tuple(dict.fromkeys(limits))
        self.splits_unknown = missing == "fractional"
        self._cut_trees: dict[Limits, CutTree] = {}
        self._structures: dict[Limits, TreeStructure] = {}

    @property
    def schema(self) -> InputSchema:
        return self.rows.inputs.schema

    @cached_property
    def n_values(self) -> NDArray[np.int64]:
        """How many distinct known values each column has."""
        return distinct_values(self.known)

    def judged(self, held: TrainingRows) -> JudgedRows:
        """Other rows of the same table, as these trees see them."""
        return judged_rows(held, self.known, self.schema)

    def tree(self, limits: Limits) -> CutTree:
        """The tree of one of the limits."""
        if limits not in self._cut_trees:
            self._cut_trees[limits] = self._cut(limits)
        return self._cut_trees[limits]

    def _cut(self, limits: Limits) -> CutTree:
        loosest = self._loosest.get(limits.min_leaf, limits)
        base = self._bases[loosest]
        if limits == loosest:
            return CutTree(base, None, base, None)
        structure = self._structures.setdefault(loosest, TreeStructure(base))
        is_cut = self._is_beyond(structure, limits)
        return CutTree(base, is_cut, native.cut_tree(base, is_cut), kept_places(structure, is_cut))

    def _is_beyond(self, structure: TreeStructure, limits: Limits) -> Mask:
        """Which splits the tighter limits would not have made."""
        base = structure.grown
        unit = base.impurity if self.rows.n_classes == 0 else 1.0
        is_cut = ~(base.gain > limits.min_gain + GAIN_SLACK * unit)
        if limits.max_depth >= 0:
            is_cut |= structure.depths >= limits.max_depth
        return np.asarray(is_cut & (base.feature >= 0))

    @cached_property
    def _loosest(self) -> dict[float, Limits]:
        """For each `min_leaf` the limits of which the others are cuts; none where leaves are limited."""
        if self.options.max_leaves >= 0:
            return {}
        loosest: dict[float, Limits] = {}
        for limits in self.limits:
            other = loosest.get(limits.min_leaf, limits)
            depths = limits.max_depth, other.max_depth
            loosest[limits.min_leaf] = Limits(
                -1 if min(depths) < 0 else max(depths),
                min(limits.min_gain, other.min_gain),
                limits.min_leaf,
            )
        return loosest

    @cached_property
    def _bases(self) -> dict[Limits, native.GrownTree]:
        wanted = list(self._loosest.values()) or list(self.limits)
        shared: dict[tuple[int, float], list[Limits]] = {}
        for limits in wanted:
            shared.setdefault((limits.max_depth, limits.min_gain), []).append(limits)
        return {
            limits: tree
            for alike in shared.values()
            for limits, tree in zip(alike, self._grown(alike), strict=True)
        }

    def _grown(self, alike: list[Limits]) -> list[native.GrownTree]:
        """One tree per limit; the limits differ in `min_leaf` only."""
        rows, options = self.rows, alike[0].of(self.options)
        given = (
            rows.inputs.columns,
            rows.inputs.rows,
            rows.classes,
            rows.n_classes,
            rows.targets,
            rows.weights,
        )
        if len(alike) == 1:
            return [native.grow_tree(*given, options)]
        return native.grow_trees(*given, options, [limits.min_leaf for limits in alike])


def kept_places(structure: TreeStructure, is_cut: Mask) -> NDArray[np.intp]:
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


def stop_at(parents: NDArray[np.int32], is_cut: Mask) -> NDArray[np.intp]:
    """For each node the one that answers for it: the topmost of the cut ones on its way, or itself.

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
