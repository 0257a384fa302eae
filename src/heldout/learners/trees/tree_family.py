"""Trees of one family: grown from the same rows by the same rules, limited and pruned in different ways.

`fit` asks a family for one tree, a sweep for many; both get the same trees. What several of them need is
made once: the growing, the folds, and the critical numbers of a pruning, which answer for every value of
its parameter.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout import native
from heldout.learners.inputs.input_schema import InputSchema
from heldout.learners.inputs.training_rows import TrainingRows
from heldout.learners.pruning.alpha_by_folds import MOST_FOLDS, FoldTree, alpha_by_folds
from heldout.learners.pruning.chi_square import critical_significances
from heldout.learners.pruning.cost_complexity import check_impurity, critical_alphas
from heldout.learners.pruning.judged_rows import JudgedRows
from heldout.learners.pruning.prune_settings import Pruning
from heldout.learners.pruning.set_aside import fold_masks
from heldout.learners.trees.growth import CutTree, Growth, Limits

Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class PrunedTree:
    """A tree as a cut of the one that it was grown as.

    base:           what was grown, or what C4.5's pruning made of it
    is_cut:         which nodes of the base became leaves; None if none did
    schema:         the columns it was grown on
    splits_unknown: whether a row with an unknown value goes down every branch
    n_values:       how many distinct values each column had
    alpha:          how much was pruned by cost and complexity; None in another pruning
    """

    base: native.GrownTree
    is_cut: Mask | None
    schema: InputSchema
    splits_unknown: bool
    n_values: NDArray[np.int64]
    alpha: float | None = None

    def tree(self) -> native.GrownTree:
        return self.base if self.is_cut is None else native.cut_tree(self.base, self.is_cut)


class TreeFamily:
    """The trees of these rows under several limits and prunings.

    growth:  the rows and the rules of growing
    rows:    the rows of the growth, as they were given
    judge:   gives the rows to prune by reduced error; called when they are first needed
    planned: the limits and prunings that will be asked for
    """

    def __init__(
        self,
        growth: Growth,
        rows: TrainingRows,
        missing: str,
        judge: Callable[[Growth], JudgedRows],
        planned: Sequence[tuple[Limits, Pruning]],
    ) -> None:
        self.growth = growth
        self._rows = rows
        self._missing = missing
        self._judge = judge
        self._planned = planned
        self._made: dict[Any, Any] = {}

    def pruned(self, limits: Limits, pruning: Pruning) -> PrunedTree:
        """The tree of these limits, pruned."""
        tree: PrunedTree = self._once((limits, pruning), lambda: self._pruned(limits, pruning))
        return tree

    def _pruned(self, limits: Limits, pruning: Pruning) -> PrunedTree:
        cut = self.growth.tree(limits)
        if pruning.name == "pessimistic":
            trees = self._once(
                ("pessimistic", limits, pruning.raise_subtrees), lambda: self._pessimistic(limits, pruning)
            )
            return self._result(trees[pruning.confidence], None)
        if pruning.name is None:
            return self._result(cut.base, cut.is_cut)
        if pruning.name == "cost_complexity":
            alpha = self._alpha(limits, pruning)
            is_cut = self._critical_alphas(limits) <= alpha
            return replace(self._cut_further(cut, is_cut), alpha=alpha)
        if pruning.name == "chi_square":
            criticals = self._once(("chi", limits), lambda: critical_significances(cut.tree))
            return self._cut_further(cut, criticals > pruning.significance)
        if self.growth.rows.n_classes == 0:
            check_impurity(cut.tree)
        losses = self._once(
            ("losses", limits), lambda: self._judged.losses(cut.tree, self.growth.splits_unknown)
        )
        costs = losses.charged(cut.tree)
        is_cut = native.reduced_error(cut.tree, costs, pruning.order == "best_first", pruning.ties)
        return self._cut_further(cut, is_cut)

    def _cut_further(self, cut: CutTree, is_cut: Mask) -> PrunedTree:
        is_cut = is_cut & (cut.tree.feature >= 0)
        if not is_cut.any():
            return self._result(cut.base, cut.is_cut)
        return self._result(cut.base, cut.in_base(is_cut))

    def _result(self, base: native.GrownTree, is_cut: Mask | None) -> PrunedTree:
        growth = self.growth
        return PrunedTree(base, is_cut, growth.schema, growth.splits_unknown, growth.n_values)

    def _pessimistic(self, limits: Limits, pruning: Pruning) -> dict[float, native.GrownTree]:
        """The trees of all confidences that are planned with these limits: rows fall to their leaves once."""
        rows = self.growth.rows
        assert rows.classes is not None
        alike = {
            planned.confidence
            for at, planned in self._planned
            if at == limits
            and planned.name == "pessimistic"
            and planned.raise_subtrees == pruning.raise_subtrees
        }
        confidences = sorted(alike)
        trees = native.prune_pessimistic(
            rows.inputs.columns,
            rows.inputs.rows,
            rows.classes,
            rows.n_classes,
            rows.weights,
            self.growth.tree(limits).tree,
            self.growth.options.criterion,
            confidences,
            pruning.raise_subtrees,
            self.growth.splits_unknown,
        )
        return dict(zip(confidences, trees, strict=True))

    @property
    def _judged(self) -> JudgedRows:
        judged: JudgedRows = self._once("judged", lambda: self._judge(self.growth))
        return judged

    def _critical_alphas(self, limits: Limits) -> NDArray[np.float64]:
        tree = self.growth.tree(limits).tree
        criticals: NDArray[np.float64] = self._once(("alphas", limits), lambda: critical_alphas(tree))
        return criticals

    def _alpha(self, limits: Limits, pruning: Pruning) -> float:
        if pruning.alpha is not None:
            return pruning.alpha
        folds = self._once(("folds", pruning.seed), lambda: self._folds(pruning.seed))
        trees = []
        for growth, held in folds:
            tree = growth.tree(limits).tree
            trees.append(FoldTree(tree, held.losses(tree, growth.splits_unknown), held.weight))
        return alpha_by_folds(self.growth.tree(limits).tree, self._critical_alphas(limits), trees)

    @property
    def _found_limits(self) -> list[Limits]:
        """The limits under which alpha will be found."""
        return [
            limits
            for limits, pruning in self._planned
            if pruning.name == "cost_complexity" and pruning.alpha is None
        ]

    def _folds(self, seed: int) -> list[tuple[Growth, JudgedRows]]:
        """A growth without each of the folds, and the rows of the fold."""
        folds = []
        for is_held in fold_masks(self._rows, MOST_FOLDS, seed):
            grown, held = self._rows.divided(is_held)
            growth = Growth(grown, self.growth.options, self._found_limits, self._missing)
            folds.append((growth, growth.judged(held)))
        return folds

    def _once(self, name: Any, make: Callable[[], Any]) -> Any:
        if name not in self._made:
            self._made[name] = make()
        return self._made[name]
