"""All that the cells of a plan need, made once."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from heldout.arrays import Rows
from heldout.errors import DataError, RequestError
from heldout.learners.threshold_classifier import ThresholdClassifier
from heldout.metrics.metric import Metric
from heldout.plan.random_states import contender_seed
from heldout.split.fold import Fold, rows_digest
from heldout.split.row_facts import RowFacts
from heldout.study.cells.recipe import (
    InnerFold,
    Recipe,
    TrainingPart,
    folds_within,
    recipe_for,
    validation_fold,
)
from heldout.table.table import Table

if TYPE_CHECKING:
    from heldout.plan.contender import Contender
    from heldout.plan.resolved_plan import ResolvedPlan
    from heldout.table.task import Task

Thing = TypeVar("Thing")


class Kept:
    """What was made, by kind and key. What is kept must follow from its key alone.

    A pickle of it is empty: whoever reads it makes things again.
    """

    def __init__(self) -> None:
        self._by_kind: dict[str, dict[Hashable, object]] = {}

    def made(self, kind: str, key: Hashable, make: Callable[[], Thing], most: int = 8) -> Thing:
        """The thing of this key, made now if it is not there.

        most: how many of the kind are kept at a time; the one that was made first makes room
        """
        things = self._by_kind.setdefault(kind, {})
        if key not in things:
            made = make()
            while len(things) >= most:
                things.pop(next(iter(things)))
            things[key] = made
        found: Thing = things[key]  # type: ignore[assignment]
        return found

    def count(self, kind: str) -> int:
        """How many of a kind are kept."""
        return len(self._by_kind.get(kind, {}))

    def __reduce__(self) -> tuple[type[Kept], tuple[()]]:
        return Kept, ()


@dataclass(frozen=True, eq=False)
class Work:
    """The rows, what is known of them, and the plan with everything decided.

    X, y:      inputs and answers of the rows that may be learned from
    facts:     what a split may know of the rows
    weights:   the sample weight of each row; None where every row counts once
    classes:   all classes of the task, sorted; none for a regression
    positive:  of two classes the positive one
    resolved:  the plan

    Inner folds are kept for a while: they follow from the rows, the tuning and the seed alone.
    """

    X: Table
    y: NDArray[Any]
    facts: RowFacts
    weights: NDArray[np.float64] | None
    classes: tuple[Any, ...]
    positive: Any
    resolved: ResolvedPlan
    _kept: Kept = field(default_factory=Kept, init=False, repr=False)

    @property
    def n_rows(self) -> int:
        return len(self.y)

    @property
    def folds(self) -> tuple[Fold, ...]:
        return self.resolved.folds

    @property
    def is_classification(self) -> bool:
        return bool(self.classes)

    @property
    def is_quick(self) -> bool:
        """Whether there is no outer loop: the cells are the tuning folds of all rows."""
        return self.resolved.is_quick

    @property
    def choose_by(self) -> Metric:
        """The metric by which contenders are chosen, and settings where no threshold follows."""
        return self.resolved.choose_by

    def is_given_threshold(self, contender: Contender) -> bool:
        """Whether a threshold is chosen for it; a guess has none to choose, and some bring their own."""
        has_own = contender.is_baseline or isinstance(contender.learner, ThresholdClassifier)
        return bool(self.resolved.decides_by) and not has_own

    def tunes_by(self, contender: Contender) -> Metric:
        """The metric by which the settings of a contender are chosen.

        Scores at one half say little of a setting whose threshold is chosen afterwards, so where a threshold
        follows it is one that needs none.
        """
        metric, learner = self.resolved.tunes_by, contender.learner
        has_scores = hasattr(learner, "predict_proba") or hasattr(learner, "decision_function")
        return metric if metric and has_scores and self.is_given_threshold(contender) else self.choose_by

    @property
    def metrics(self) -> tuple[Metric, ...]:
        """All metrics of the plan."""
        return self.resolved.metrics

    def contender(self, digest: str) -> Contender:
        """The contender of this digest."""
        return self.resolved.contender(digest)

    def seed_of(self, contender: Contender) -> int:
        """For every random_state that a contender leaves open; the same in all cells."""
        return contender_seed(contender, self.resolved.seed)

    def recipe_of(self, contender: Contender) -> Recipe:
        """How a contender is fitted, made ready once."""
        return self._kept.made(
            "recipe",
            contender.digest,
            lambda: recipe_for(contender, self.X, self.seed_of(contender)),
            most=64,
        )

    def fold(self, repeat: int, number: int) -> Fold:
        """The fold of this place."""
        for fold in self.resolved.folds:
            if (fold.repeat, fold.number) == (repeat, number):
                return fold
        raise RequestError(
            "the plan has no such fold",
            where=f"repeat {repeat}, fold {number}, both counted from 0",
            fix=f"take one of the {len(self.resolved.folds)} folds of the plan",
        )

    def part(self, rows: Rows) -> TrainingPart:
        """Inputs and answers of these rows."""
        return self._kept.made("whole", None, self._whole).take(rows)

    def _whole(self) -> TrainingPart:
        """All rows, with the codes of their answers."""
        for column in self.X.columns:  # every part of a column without gaps knows that it has none
            _ = column.n_missing, column.has_infinity
        codes = self.codes_of(self.y, "the task").astype(np.int64) if self.is_classification else None
        return TrainingPart(self.X, self.y, self.weights, self.facts.groups, codes)

    def codes_of(self, labels: NDArray[Any], by: str) -> NDArray[np.int32]:
        """The place of each label among the classes of the task.

        by: who answered, for the error where a label is no class of the task
        """
        classes = np.asarray(self.classes)
        indices = np.minimum(np.searchsorted(classes, labels), len(classes) - 1)
        is_wrong = np.asarray(classes[indices] != labels)
        if is_wrong.any():
            raise DataError(
                f"{by} answered what is no class of the task",
                where=f"{int(is_wrong.sum())} of {len(labels)} rows, first {labels[is_wrong.argmax()]!r:.40}",
                fix="check what its predict gives: it must be labels as they stand in y",
            )
        return indices.astype(np.int32)

    def digest_of(self, rows: Rows) -> str:
        """The fingerprint of these rows, made once."""
        # The rows are kept beside their digest, so that their id stays theirs.
        return self._kept.made("digest", id(rows), lambda: (rows, rows_digest(rows)), most=64)[1]

    def inner_folds(self, rows: Rows) -> tuple[InnerFold, ...]:
        """The folds by which settings are chosen on these rows, the same for every contender."""
        if self.is_quick and len(rows) == self.n_rows:
            return tuple(InnerFold(fold.train, fold.test) for fold in self.resolved.folds)
        digest, plan = self.digest_of(rows), self.resolved
        return self._kept.made(
            "folds", digest, lambda: folds_within(plan.tuning, self.facts, rows, plan.seed, digest)
        )

    def is_tuned(self, contender: Contender) -> bool:
        """Whether a contender has settings to choose among."""
        return len(self.recipe_of(contender).settings) > 1

    def tuning_folds(self, fold: Fold) -> tuple[InnerFold, ...]:
        """The folds by which settings are chosen in a cell."""
        if fold.validation is not None:
            return (validation_fold(fold),)
        return self.inner_folds(fold.train)

    def fit_rows(self, fold: Fold) -> Rows:
        """The rows that a cell fits on with its choice: training and, where there is some, validation."""
        if fold.validation is None:
            return fold.train
        both = [fold.train, fold.validation]
        return self._kept.made("fit rows", fold.digest, lambda: np.sort(np.concatenate(both)))


def work_of(task: Task, resolved: ResolvedPlan) -> Work:
    """The work of a plan over the rows of a task; see Work."""
    return Work(
        X=task.X,
        y=task.y,
        facts=resolved.facts,
        weights=task.weights,
        classes=task.classes,
        positive=task.positive,
        resolved=resolved,
    )
