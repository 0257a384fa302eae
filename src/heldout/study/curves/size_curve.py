"""The size-of-tree curve: errors on training rows and on kept rows against the number of leaves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from heldout.arrays import Floats
from heldout.errors import RequestError
from heldout.learners.pruning.cost_complexity import CostComplexityPath
from heldout.learners.trees.tree_base import TreeBase
from heldout.plan.plan_checks import checked_split
from heldout.results.judged_contender import recorded_contender
from heldout.split.k_fold import KFold
from heldout.study.cells.guarded_fit import failing_as
from heldout.study.cells.recipe import Recipe, TrainingPart
from heldout.study.curves.curve import Curve, CurveRequest, recorded_curve
from heldout.study.curves.curve_work import curve_work, n_repeats
from heldout.text.numbers import number_text
from heldout.text.words import plural

if TYPE_CHECKING:
    from heldout.plan.contender import Contender
    from heldout.split.split import Split
    from heldout.study.study import Study
    from heldout.table.task import Task

MOST_SIZES = 60


@dataclass(frozen=True, eq=False)
class SizeCurve(Curve):
    """Errors of the trees that pruning by cost and complexity makes of one grown tree per fold.

    n_leaves: of the grown tree of each fold

    Examples
    --------
    >>> train, test = np.array([[0.4, 0.1, 0.0]] * 3), np.array([[0.4, 0.2, 0.3]] * 3)
    >>> test[:, 2] += [0.0, 0.02, 0.01]
    >>> found = SizeCurve("tree", "error", False, (0.0, 1.0), (1, 3, 9), train, test, 50, n_leaves=(9, 9, 9))
    >>> found.best_size, found.x_values[found.best_index]
    (3, 3)
    >>> print(found.takeaway)
    On kept rows the tree errs least with about 3 leaves: error 0.200. Grown to 9 it has the error 0.000 on \
the rows that it learned from and 0.310 on the others: past 3 leaves it learns what does not come again.
    """

    n_leaves: tuple[int, ...] = field(default=())

    name: ClassVar[str] = "size curve"
    kept_rows: ClassVar[str] = "kept rows"

    @property
    def across(self) -> str:
        return "leaves"

    @property
    def best_size(self) -> int:
        """The number of leaves with the least error on kept rows; the smallest of equals."""
        return int(self.x_values[self.best_index])

    @property
    def takeaway(self) -> str:
        best, largest = self.best_index, int(self.x_values[-1])
        kept, learned = self.test_means, self.train_means
        size = plural(self.best_size, "leaf", "leaves")
        least = f"{self.metric} {number_text(float(kept[best]))}"
        first = f"On kept rows the tree errs least with about {size}: {least}."
        if kept[best] == kept[-1]:
            if self.best_size == largest:
                return f"{first} It is the largest that was grown: nothing is gained by pruning."
            return f"{first} Grown to {largest:,} it errs no more, so pruning saves leaves, not errors."
        grown = f"Grown to {largest:,} it has the {self.metric} {number_text(float(learned[-1]))}"
        others = f"on the rows that it learned from and {number_text(float(kept[-1]))} on the others"
        loss = self.gain(best, len(self.x_values) - 1)
        if loss is None or loss.high >= 0:
            return f"{first} {grown} {others}; whether a smaller tree is better, these folds do not tell."
        past = f"past {size}" if self.best_size > 1 else "past its root"
        return f"{first} {grown} {others}: {past} it learns what does not come again."


NOT_A_RESULT = (
    "The least error was found on the rows by which it is measured, so it is too good to be reported:"
    " tuning inside folds chooses a size without that."
)


def size_curve(study: Study, tree: Contender | str, folds: Split | None = None) -> SizeCurve:
    """Errors against the number of leaves, along the path of cost-complexity pruning.

    One tree is grown in each fold, without pruning and with the limits that its learner has (min_leaf,
    max_depth, …). Pruned step by step to its root it gives a tree of every size; at each size the errors on
    the rows that it learned from and on the rows of the fold are averaged over the folds. A fold whose path
    has no tree of a size stands with the next smaller one.

    study: open rows only are used
    tree:  a contender, or its name in a plan of the study, whose learner is a TreeClassifier or TreeRegressor
    folds: left out, KFold(10)

    The curve is kept in the study file: asked for again, it is read from there.
    """
    contender = recorded_contender(study.ledger, tree)
    _refuse_others(contender)
    split = KFold(10) if folds is None else checked_split("folds", folds)
    request = CurveRequest("size", contender, {"folds": split.to_dict(), "seed": study.seed})
    return recorded_curve(
        study, request, SizeCurve, lambda: _measured(study.task, contender, split, study.seed)
    )


def _refuse_others(contender: Contender) -> None:
    if not isinstance(contender.learner, TreeBase):
        raise RequestError(
            "only a tree has a size curve",
            where=f"contender {contender.name!r} is a {type(contender.learner).__name__}",
            fix="ask for a contender with a TreeClassifier or TreeRegressor, or for its validation_curve",
        )


def _measured(task: Task, contender: Contender, split: Split, seed: int) -> SizeCurve:
    work = curve_work(task, contender, split, None, seed)
    recipe = work.recipe_of(contender)
    grown = [
        GrownFold.of(recipe, work.part(work.fit_rows(fold)), work.part(fold.test)) for fold in work.folds
    ]
    sizes = sizes_between(1, max(tree.n_leaves for tree in grown))
    notes = [NOT_A_RESULT]
    if contender.n_settings > 1:
        notes.append("What its space would tune stays as its learner has it.")
    return SizeCurve(
        contender.name,
        "error" if work.is_classification else "rmse",
        False,
        (0.0, 1.0 if work.is_classification else np.inf),
        tuple(sizes),
        np.array([tree.errors(sizes, on_training_rows=True) for tree in grown]),
        np.array([tree.errors(sizes) for tree in grown]),
        task.n_rows,
        tuple(notes),
        n_repeats(work.folds),
        work.facts.time is not None,
        tuple(tree.n_leaves for tree in grown),
    )


@dataclass(frozen=True, eq=False)
class GrownFold:
    """One tree that was grown on the training part of a fold, and its path of prunings.

    learner: the tree, not fitted
    fitted:  the rows that it learns from, prepared
    train:   the training part, prepared; more rows or fewer than `fitted` where they are resampled
    test:    the kept rows, prepared
    path:    every tree that pruning gives, from the largest to the root
    """

    learner: Any
    fitted: TrainingPart
    train: TrainingPart
    test: TrainingPart
    path: CostComplexityPath

    @classmethod
    def of(cls, recipe: Recipe, train: TrainingPart, test: TrainingPart) -> GrownFold:
        """Grow the tree of a fold; both parts are as the task has them."""
        with failing_as(recipe.name):
            preparation, fitted, kept = recipe.prepared({}, recipe.resampled(train), test)
            part = train if preparation is None else replace(train, X=preparation.transform(train.X))
            path = recipe.learner.cost_complexity_path(fitted.X, fitted.y, fitted.weights)
        assert kept is not None
        return cls(recipe.learner, fitted, part, kept, path)

    @property
    def n_leaves(self) -> int:
        """Of the tree before anything is pruned."""
        return int(self.path.n_leaves[0])

    @cached_property
    def _sizes(self) -> NDArray[np.int64]:
        return self.path.n_leaves[::-1]

    def errors(self, sizes: Sequence[int], on_training_rows: bool = False) -> Floats:
        """The errors of the largest trees on the path that have no more leaves than each of these sizes."""
        positions = np.searchsorted(self._sizes, sizes, side="right") - 1
        wanted, back = np.unique(positions, return_inverse=True)
        alphas = self.path.alphas[::-1][wanted].tolist()
        space = {"prune": ["cost_complexity"], "prune_alpha": alphas}
        sweep = self.learner.sweep(self.fitted.X, self.fitted.y, space, self.fitted.weights)
        judged = self.train if on_training_rows else self.test
        return _errors(sweep.predict(judged.X), judged)[back]


def sizes_between(lowest: int, highest: int) -> list[int]:
    """All sizes, or so many that stand at equal ratios where there would be more than a line can show."""
    if highest - lowest < MOST_SIZES:
        return list(range(lowest, highest + 1))
    spaced = np.geomspace(lowest, highest, MOST_SIZES)
    return [int(size) for size in np.unique(np.rint(spaced))]


def _errors(predictions: NDArray[Any], judged: TrainingPart) -> Floats:
    """The error of each row of answers, by weight: the share that is wrong, or the RMSE."""
    y = judged.y
    if y.dtype.kind == "f":
        return np.sqrt(np.average((predictions - y) ** 2, axis=1, weights=judged.weights))
    return np.asarray(np.average(predictions != y, axis=1, weights=judged.weights), dtype=np.float64)
