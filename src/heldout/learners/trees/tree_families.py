"""Which trees are grown together: those that differ in limits and prunings only."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from heldout import native
from heldout.arrays import Mask
from heldout.errors import RequestError
from heldout.inputs.input_schema import InputSchema
from heldout.inputs.training_inputs import TrainingRows
from heldout.learners.pruning.cost_complexity import (
    MOST_FOLDS,
    FoldTree,
    alpha_by_folds,
    check_impurity,
    critical_alphas,
)
from heldout.learners.pruning.judged_rows import JudgedRows, given_rows
from heldout.learners.pruning.node_losses import critical_significances
from heldout.learners.pruning.prune_settings import Pruning, pruning_of, seed_of
from heldout.learners.pruning.set_aside import fold_masks, validation_mask, validation_pair
from heldout.learners.trees.growth import CutTree, Growth, Limits
from heldout.types import Validation

if TYPE_CHECKING:
    from heldout.learners.trees.tree_base import TreeBase

# What decides how X and y enter, and what decides how a tree grows from them.
ENTERING = ("categorical", "class_weight")
COSTS = ("feature_costs", "cost_rule", "cost_exponent")
GROWING = (
    "criterion",
    "average_gain",
    "numeric_cuts",
    "categorical_splits",
    "missing",
    "max_leaves",
    "smoothing",
    *COSTS,
)


def pruned_trees(
    learners: Sequence[TreeBase], rows: TrainingRows, validation: Validation
) -> list[PrunedTree]:
    """The tree of each learner, all of them from the same rows.

    learners:   trees that differ in parameters, and not in those of `ENTERING`
    rows:       what they learn from
    validation: the X and y to prune by reduced error on; None sets a part of the rows aside
    """
    rows = rows.with_weight()
    seeds = [seed_of(learner.random_state) for learner in learners]
    prunings = [pruning_of(learner, seed) for learner, seed in zip(learners, seeds, strict=True)]
    families: dict[Hashable, list[int]] = {}
    for place, learner in enumerate(learners):
        key = growing_key(learner), _aside_key(learner, seeds[place], validation)
        families.setdefault(key, []).append(place)
    trees: dict[int, PrunedTree] = {}
    for places in families.values():
        members = [learners[place] for place in places]
        family = _family(members, [prunings[place] for place in places], rows, seeds[places[0]], validation)
        for place in places:
            trees[place] = family.pruned(limits_of(learners[place]), prunings[place])
    return [trees[place] for place in range(len(learners))]


def check_validation(learners: Sequence[TreeBase], validation: Validation) -> None:
    """Rows to validate on are refused where nothing is pruned by them."""
    if validation is not None and not any(learner.prune == "reduced_error" for learner in learners):
        raise RequestError(
            "validation is given, and nothing is pruned by it",
            where=f"{type(learners[0]).__name__}(prune={learners[0].prune!r})",
            fix='leave validation out, or set prune="reduced_error"',
        )


def limits_of(learner: TreeBase) -> Limits:
    """Where the learner's tree stops to grow."""
    return Limits(
        -1 if learner.max_depth is None else int(learner.max_depth),
        -np.inf if learner.min_gain is None else float(learner.min_gain),
        float(learner.min_leaf),
    )


def entering_key(learner: TreeBase) -> Hashable:
    """Equal for learners whose X and y enter alike."""
    return tuple([hashable(getattr(learner, name, None)) for name in ENTERING])


def growing_key(learner: TreeBase) -> Hashable:
    """Equal for learners whose trees grow alike, up to their limits."""
    names = GROWING if learner.feature_costs is not None else GROWING[: -len(COSTS)]
    return tuple([hashable(getattr(learner, name, None)) for name in names])


def _aside_key(learner: TreeBase, seed: int, validation: Validation) -> Hashable:
    """Equal for learners that set the same rows aside before they grow."""
    if learner.prune != "reduced_error" or validation is not None:
        return None
    return float(learner.validation_fraction), seed


def hashable(value: object) -> Hashable:
    """A parameter as part of a key: equal for equal values."""
    if isinstance(value, np.ndarray):
        return (
            value.shape,
            value.dtype.str,
            value.tobytes() if value.dtype != object else repr(value.tolist()),
        )
    return repr(value)


def _family(
    members: Sequence[TreeBase],
    prunings: Sequence[Pruning],
    rows: TrainingRows,
    seed: int,
    validation: Validation,
) -> TreeFamily:
    leader = members[0]
    judge: Callable[[Growth], JudgedRows]
    if leader.prune == "reduced_error" and validation is None:
        is_held = validation_mask(rows, float(leader.validation_fraction), seed)
        rows, held = rows.divided(is_held)

        def judge(growth: Growth) -> JudgedRows:
            return growth.judged(held)
    else:

        def judge(growth: Growth) -> JudgedRows:
            X, y = validation_pair(validation)
            return given_rows(leader, X, y, growth.schema, getattr(leader, "classes_", None))

    planned = [(limits_of(member), pruning) for member, pruning in zip(members, prunings, strict=True)]
    options = leader._options(rows.inputs.schema)
    growth = Growth(rows, options, [limits for limits, _ in planned], leader.missing)
    return TreeFamily(growth, rows, leader.missing, judge, planned)


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

    def _once(self, name: Hashable, make: Callable[[], Any]) -> Any:
        if name not in self._made:
            self._made[name] = make()
        return self._made[name]
