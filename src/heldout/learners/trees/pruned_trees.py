"""Trees grown together and pruned: those that differ in limits and prunings only share what is grown."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from heldout import native
from heldout.arrays import Counts, Floats, Mask
from heldout.checks.warn import warn_user
from heldout.errors import RequestError
from heldout.inputs.input_schema import InputSchema
from heldout.inputs.training_inputs import TrainingRows
from heldout.learners.parameters import seed_of
from heldout.learners.pruning.cost_complexity import (
    MOST_FOLDS,
    FoldTree,
    alpha_by_folds,
    check_impurity,
    critical_alphas,
)
from heldout.learners.pruning.node_losses import NodeLosses, critical_significances
from heldout.learners.pruning.pruning_rows import PruningRows, validation_rows
from heldout.learners.pruning.set_aside import fold_masks, validation_mask, validation_pair
from heldout.learners.trees.growth import CutTree, Growth
from heldout.types import Validation

if TYPE_CHECKING:
    from heldout.learners.trees.tree_base import TreeBase

Made = TypeVar("Made")

# What decides how X and y enter.
ENTERING = ("categorical", "class_weight")
# The pruning that asks for each parameter.
PRUNING_WITH = {
    "prune_alpha": "cost_complexity",
    "prune_confidence": "pessimistic",
    "raise_subtrees": "pessimistic",
    "prune_significance": "chi_square",
    "prune_order": "reduced_error",
    "prune_ties": "reduced_error",
    "validation_fraction": "reduced_error",
}


@dataclass(frozen=True)
class Pruning:
    """A pruning and the parameters that it asks for; the others keep their defaults here.

    name:           as `prune`
    alpha:          of "cost_complexity"; None finds it in folds
    seed:           of the folds, or of the rows that "reduced_error" sets aside
    confidence:     of "pessimistic"
    raise_subtrees: of "pessimistic"
    significance:   of "chi_square"
    order, ties:    of "reduced_error"
    """

    name: str | None
    alpha: float | None = None
    seed: int = 0
    confidence: float = 0.25
    raise_subtrees: bool = True
    significance: float = 0.05
    order: str = "best_first"
    ties: bool = True


def tree_pruning(learner: TreeBase) -> Pruning:
    """The pruning that the parameters of a tree ask for."""
    name, seed = learner.prune, seed_of(learner.random_state)
    if name == "cost_complexity":
        is_searched = isinstance(learner.prune_alpha, str)
        return Pruning(name, seed=seed) if is_searched else Pruning(name, alpha=float(learner.prune_alpha))
    if name == "pessimistic":
        confidence, raises = float(learner.prune_confidence), bool(learner.raise_subtrees)
        return Pruning(name, confidence=confidence, raise_subtrees=raises)
    if name == "chi_square":
        return Pruning(name, significance=float(learner.prune_significance))
    if name == "reduced_error":
        return Pruning(name, seed=seed, order=learner.prune_order, ties=bool(learner.prune_ties))
    return Pruning(name)


@dataclass(frozen=True, eq=False)
class PrunedTree:
    """A tree as a cut of the one that it was grown as.

    base:           what was grown, or what C4.5's pruning made of it
    is_cut:         which nodes of the base became leaves; None if none did
    schema:         the columns it was grown on
    splits_unknown: whether a row with a missing value goes down every branch
    n_values:       how many distinct values each column had
    alpha:          how much was pruned by cost and complexity; None in another pruning
    """

    base: native.GrownTree
    is_cut: Mask | None
    schema: InputSchema
    splits_unknown: bool
    n_values: Counts
    alpha: float | None = None

    def tree(self) -> native.GrownTree:
        return self.base if self.is_cut is None else native.cut_tree(self.base, self.is_cut)


def prune_trees(learners: Sequence[TreeBase], rows: TrainingRows, validation: Validation) -> list[PrunedTree]:
    """Grow and prune the tree of each learner, all of them from the same rows.

    learners:   trees that differ in parameters, and not in those of `ENTERING`
    rows:       what they learn from
    validation: the X and y to prune by reduced error on; None sets a part of the rows aside
    """
    rows = rows.with_weight()
    # Draws from a random state come in the order of the learners.
    planned = [(learner._options(rows.schema), tree_pruning(learner)) for learner in learners]
    families: dict[Hashable, list[int]] = {}
    for index, (learner, (options, pruning)) in enumerate(zip(learners, planned, strict=True)):
        key = _family_key(learner, options, pruning, validation)
        families.setdefault(key, []).append(index)
    trees: dict[int, PrunedTree] = {}
    for members in families.values():
        n_threads = planned[members[0]][0].n_threads
        of_members = {
            index: (replace(planned[index][0], n_threads=n_threads), planned[index][1]) for index in members
        }
        family = TreeFamily(learners[members[0]], rows, list(of_members.values()), validation)
        trees |= {index: family.prune(*of_members[index]) for index in members}
    return [trees[index] for index in range(len(learners))]


def _family_key(
    learner: TreeBase, options: native.GrowOptions, pruning: Pruning, validation: Validation
) -> Hashable:
    """Equal for trees that grow from the same rows by the same rules, up to their limits."""
    rules = replace(options, max_depth=-1, min_leaf=1.0, min_gain=-math.inf, n_threads=1)
    is_divided = pruning.name == "reduced_error" and validation is None
    aside = (float(learner.validation_fraction), pruning.seed) if is_divided else None
    return rules, learner.missing, getattr(learner, "smoothing", None), aside


def entering_key(learner: TreeBase) -> Hashable:
    """Equal for learners whose X and y enter alike."""
    return tuple([hashable(getattr(learner, name, None)) for name in ENTERING])


def hashable(value: object) -> Hashable:
    """A parameter as part of a key: equal for equal values."""
    if not isinstance(value, np.ndarray):
        return repr(value)
    values = value.tobytes() if value.dtype != object else repr(value.tolist())
    return value.shape, value.dtype.str, values


class TreeFamily:
    """The trees of the same rows under several limits and prunings.

    leader:     one of the learners, which stands for all in what they have in common
    rows:       what they learn from
    planned:    the limits and prunings that will be asked for
    validation: the X and y to prune by reduced error on
    """

    def __init__(
        self,
        leader: TreeBase,
        rows: TrainingRows,
        planned: Sequence[tuple[native.GrowOptions, Pruning]],
        validation: Validation,
    ) -> None:
        self._leader, self._planned, self._validation = leader, planned, validation
        self._held: TrainingRows | None = None
        pruning = planned[0][1]
        if pruning.name == "reduced_error" and validation is None:
            is_held = validation_mask(rows, float(leader.validation_fraction), pruning.seed)
            rows, self._held = rows.divide(is_held)
        self._rows = rows
        self._growth = Growth(rows, [options for options, _ in planned], leader.missing)
        self._made: dict[Hashable, Any] = {}

    def prune(self, options: native.GrowOptions, pruning: Pruning) -> PrunedTree:
        """The tree of these limits, pruned."""
        return self._once((options, pruning), lambda: self._prune(options, pruning))

    def _prune(self, options: native.GrowOptions, pruning: Pruning) -> PrunedTree:
        cut = self._growth.tree(options)
        if pruning.name == "pessimistic":
            key = "pessimistic", options, pruning.raise_subtrees
            trees = self._once(key, lambda: self._pessimistic(options, pruning))
            return self._result(trees[pruning.confidence], None)
        if pruning.name is None:
            return self._result(cut.base, cut.is_cut)
        if pruning.name == "cost_complexity":
            alpha = self._alpha(options, pruning)
            return replace(self._cut_further(cut, self._critical_alphas(options) <= alpha), alpha=alpha)
        if pruning.name == "chi_square":
            criticals = self._once(("chi", options), lambda: critical_significances(cut.tree))
            return self._cut_further(cut, criticals > pruning.significance)
        costs = self._once(("losses", options), lambda: self._losses(cut.tree)).charged(cut.tree)
        is_cut = native.reduced_error(cut.tree, costs, pruning.order == "best_first", pruning.ties)
        return self._cut_further(cut, is_cut)

    def _cut_further(self, cut: CutTree, is_cut: Mask) -> PrunedTree:
        is_cut = is_cut & (cut.tree.feature >= 0)
        return self._result(cut.base, cut.in_base(is_cut) if is_cut.any() else cut.is_cut)

    def _result(self, base: native.GrownTree, is_cut: Mask | None) -> PrunedTree:
        growth = self._growth
        return PrunedTree(base, is_cut, growth.schema, growth.splits_unknown, growth.n_values)

    def _pessimistic(self, options: native.GrowOptions, pruning: Pruning) -> dict[float, native.GrownTree]:
        """The trees of all confidences that are planned with these limits: rows fall to their leaves once."""
        columns, row_index, classes, n_classes, _, weights = self._growth.rows.for_kernel
        assert classes is not None
        confidences = sorted(
            {
                other.confidence
                for limits, other in self._planned
                if limits == options and replace(other, confidence=pruning.confidence) == pruning
            }
        )
        trees = native.prune_pessimistic(
            columns,
            row_index,
            classes,
            n_classes,
            weights,
            self._growth.tree(options).tree,
            options.criterion,
            confidences,
            pruning.raise_subtrees,
            self._growth.splits_unknown,
        )
        return dict(zip(confidences, trees, strict=True))

    def _losses(self, tree: native.GrownTree) -> NodeLosses:
        """What each node of a tree gets wrong on the rows to prune by."""
        if self._growth.rows.n_classes == 0:
            check_impurity(tree)
        return self._pruning_rows.losses(tree, self._growth.splits_unknown)

    @cached_property
    def _pruning_rows(self) -> PruningRows:
        if self._held is not None:
            return self._growth.pruning_rows(self._held)
        X, y = validation_pair(self._validation)
        classes = getattr(self._leader, "classes_", None)
        return validation_rows(self._leader, X, y, self._growth.schema, classes)

    def _critical_alphas(self, options: native.GrowOptions) -> Floats:
        tree = self._growth.tree(options).tree
        return self._once(("alphas", options), lambda: critical_alphas(tree))

    def _alpha(self, options: native.GrowOptions, pruning: Pruning) -> float:
        if pruning.alpha is not None:
            return pruning.alpha
        trees = []
        for growth, held in self._once(("folds", pruning.seed), lambda: self._folds(pruning.seed)):
            tree = growth.tree(options).tree
            trees.append(FoldTree(tree, held.losses(tree, growth.splits_unknown), held.weight))
        return alpha_by_folds(self._growth.tree(options).tree, self._critical_alphas(options), trees)

    def _folds(self, seed: int) -> list[tuple[Growth, PruningRows]]:
        """A growth without each of the folds, and the rows of the fold."""
        searched = [
            options
            for options, pruning in self._planned
            if pruning.name == "cost_complexity" and pruning.alpha is None
        ]
        folds = []
        for is_held in fold_masks(self._rows, MOST_FOLDS, seed):
            grown, held = self._rows.divide(is_held)
            growth = Growth(grown, searched, self._leader.missing)
            folds.append((growth, growth.pruning_rows(held)))
        return folds

    def _once(self, key: Hashable, make: Callable[[], Made]) -> Made:
        if key not in self._made:
            self._made[key] = make()
        made: Made = self._made[key]
        return made


def check_validation(learners: Sequence[TreeBase], validation: Validation) -> None:
    """Rows to validate on are refused where nothing is pruned by them."""
    if validation is not None and not any(learner.prune == "reduced_error" for learner in learners):
        raise RequestError(
            "validation is given, and nothing is pruned by it",
            where=f"{type(learners[0]).__name__}(prune={learners[0].prune!r})",
            fix='leave validation out, or set prune="reduced_error"',
        )


def refuse_unused(settings: Sequence[Mapping[str, object]], prunings: Sequence[str | None]) -> None:
    """Refuse settings of a sweep that name a parameter which none of them prunes by.

    prunings: the `prune` of each setting
    """
    for name, pruning in PRUNING_WITH.items():
        if pruning not in prunings and any(name in setting for setting in settings):
            others = ", ".join(map(repr, dict.fromkeys(prunings)))
            raise RequestError(
                f"{name} is in the space, and no setting prunes by it",
                where=f"{name} belongs to prune={pruning!r}; the settings have {others}",
                fix=f'add "prune": ["{pruning}"], or leave {name} out',
            )


def warn_of_unused(learner: TreeBase) -> None:
    """Say which parameters were changed that the learner's pruning does not ask for."""
    defaults = type(learner)().get_params(deep=False)
    for name, pruning in PRUNING_WITH.items():
        if pruning == learner.prune or name not in defaults:
            continue
        value = getattr(learner, name)
        if value != defaults[name]:
            warn_user(
                f"{name}={value!r} has no effect: it belongs to prune={pruning!r}, and prune is"
                f" {learner.prune!r}"
            )
