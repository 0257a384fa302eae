"""A plan for one task: nothing is left open, and nothing has run."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from heldout.checks.values import check_seed
from heldout.errors import HeldoutError, InputTypeError, RequestError
from heldout.learners.baseline_classifier import BaselineClassifier
from heldout.learners.baseline_regressor import BaselineRegressor
from heldout.metrics.metric import Metric
from heldout.metrics.metric_registry import metric_named
from heldout.plan.code_fingerprint import digest_of, version_of
from heldout.plan.contender import Contender, look_of
from heldout.plan.plan import Plan, split_words
from heldout.plan.read_values import written_metric
from heldout.plan.task_fit import check_contender, lacks_predictions, takes_weights
from heldout.plan.task_metrics import (
    decision_metric,
    default_choice,
    metric_for,
    task_metrics,
    threshold_metric,
)
from heldout.split.assign_folds import n_units
from heldout.split.fold import Fold
from heldout.split.row_facts import RowFacts
from heldout.split.split import Split
from heldout.table.task import Task
from heldout.text.words import suggestion
from heldout.verdict.rule import Rule


@dataclass(frozen=True, eq=False)
class ResolvedPlan:
    """What runs: the plan with everything that it left open decided, and the folds of the task's rows.

    plan:          the plan with nothing left open; it can be written down, and resolves to the same
    choose_reason: why settings and contenders are chosen by this metric, in a sentence
    folds:         the folds of all repeats, in order; the tuning folds of all rows where rigor is "quick"
    facts:         what splits may know of the rows
    notes:         what was added, left out or not as one might expect, in sentences
    decides_by:    the metric by which each contender chooses a threshold within its training rows; empty for
                   the usual decision
    tunes_by:      the metric by which settings are chosen whose threshold is chosen afterwards
    """

    plan: Plan
    choose_reason: str
    folds: tuple[Fold, ...]
    facts: RowFacts
    notes: tuple[str, ...]
    decides_by: str = ""
    tunes_by: Metric | None = None

    @property
    def contenders(self) -> tuple[Contender, ...]:
        return self.plan.contenders

    @property
    def names(self) -> tuple[str, ...]:
        return self.plan.names

    @property
    def metrics(self) -> tuple[Metric, ...]:
        return self.plan.metrics

    @property
    def choose_by(self) -> Metric:
        assert self.plan.choose_by is not None
        return self.plan.choose_by

    @property
    def tuning(self) -> Split:
        return self.plan.tuning

    @property
    def rule(self) -> Rule:
        return self.plan.rule

    @property
    def seed(self) -> int:
        assert self.plan.seed is not None
        return self.plan.seed

    @property
    def rigor(self) -> str:
        return self.plan.rigor

    @property
    def is_quick(self) -> bool:
        return self.plan.rigor == "quick"

    @property
    def baseline(self) -> Contender:
        """The first contender that looks at no column."""
        return next(contender for contender in self.contenders if contender.is_baseline)

    @property
    def n_cells(self) -> int:
        return len(self.contenders) * len(self.folds)

    @property
    def digest(self) -> str:
        """That of the plan with nothing left open."""
        return self.plan.digest

    @cached_property
    def protocol_digest(self) -> str:
        """Over what decides a cell besides its contender and its rows: tuning, metrics, seed, version."""
        metrics = sorted((metric.name, written_metric(metric)) for metric in self.metrics)
        return digest_of(
            {
                "tuning": self.tuning.to_dict(),
                "metrics": [form for _, form in metrics],
                "choose_by": written_metric(self.choose_by),
                "decides_by": self.decides_by,
                "seed": self.seed,
                "is_quick": self.is_quick,
                "heldout": version_of(ResolvedPlan),  # whose splits and preparations these are
            },
            "protocol",
        )

    def contender(self, name: Any) -> Contender:
        """The contender of this name or digest; a Contender is looked for by its digest."""
        wanted = name.digest if isinstance(name, Contender) else name
        for contender in self.contenders:
            if wanted in (contender.name, contender.digest):
                return contender
        shown = name.name if isinstance(name, Contender) else str(name)
        raise RequestError(
            f"the plan has no contender {shown!r:.60}",
            where=f"its contenders are {', '.join(self.names)!s:.120}",
            fix=suggestion(shown, self.names),
        )

    def to_dict(self) -> dict[str, Any]:
        """The plan, and what was said about it."""
        return {
            "plan": self.plan.to_dict(),
            "contenders": [contender.digest for contender in self.contenders],
            "choose_reason": self.choose_reason,
            "notes": list(self.notes),
            "protocol": self.protocol_digest,
            "folds": [fold.digest for fold in self.folds],
        }


def resolve_plan(plan: Plan, task: Task, seed: int = 0) -> ResolvedPlan:
    """Decide what a plan leaves open, for one task; refuse what could not run.

    seed: where the plan has none
    """
    if not isinstance(plan, Plan) or not isinstance(task, Task):
        raise InputTypeError(
            "a plan is resolved for a task",
            where=f"resolve_plan({type(plan).__name__}, {type(task).__name__})",
            fix="hand over an ho.Plan and an ho.Task",
        )
    choose_by, reason = _choice(plan, task)
    metrics = task_metrics(plan.metrics, choose_by, task)
    choose_by = next(metric for metric in metrics if metric.name == choose_by.name)
    contenders, added = _with_baseline(plan.contenders, task, choose_by)
    for contender in contenders:
        check_contender(contender, task, choose_by)
    explicit = plan.with_changes(
        contenders=contenders,
        metrics=metrics,
        choose_by=choose_by,
        seed=check_seed(seed) if plan.seed is None else plan.seed,
    )
    assert explicit.seed is not None
    facts = RowFacts.of(task)
    folds = explicit.folds.folds(facts, explicit.seed)
    check_tuning(explicit, folds, facts)
    decides_by = decision_metric(task, choose_by, explicit.rigor == "quick")
    notes = [*plan.notes, *added, *_split_notes(explicit, facts), *_prediction_notes(explicit, task)]
    if decides_by:
        notes.append(
            f"Every contender but the baseline decides at a threshold that was best for"
            f" {decides_by.replace('_', ' ')} within its training rows."
        )
    tunes_by = None
    if decides_by and decides_by == threshold_metric(choose_by, task):
        tunes_by = metric_for(metric_named("auc"), task)
        notes.append("Its settings are chosen by AUC before, which needs no threshold.")
    found = ResolvedPlan(explicit, reason, folds, facts, tuple(dict.fromkeys(notes)), decides_by, tunes_by)
    _ = found.digest, found.protocol_digest  # whatever cannot be written down is refused before anything runs
    return found


def _choice(plan: Plan, task: Task) -> tuple[Metric, str]:
    if plan.choose_by is None:
        return default_choice(task)
    metric = metric_for(plan.choose_by, task)
    return metric, f"Chosen by {metric.name}, as the plan says."


def _with_baseline(
    contenders: tuple[Contender, ...], task: Task, choose_by: Metric
) -> tuple[tuple[Contender, ...], list[str]]:
    """The contenders, and before them a baseline where there is none."""
    if any(contender.is_baseline for contender in contenders):
        return contenders, []
    taken = [contender.name for contender in contenders if look_of(contender.name) == "baseline"]
    if taken:
        raise RequestError(
            "a contender is called baseline and is none",
            where=f"contender {taken[0]!r}",
            fix="call it otherwise: a baseline is added that looks at no column",
        )
    guess = BaselineClassifier() if task.kind == "classification" else BaselineRegressor()
    if choose_by.family.best_constant == "median":
        guess = BaselineRegressor(strategy="median")
    return (Contender("baseline", guess), *contenders), [
        "A baseline was added, which looks at no column: whoever does not beat it has learned nothing."
    ]


def _split_notes(plan: Plan, facts: RowFacts) -> list[str]:
    notes = list(plan.folds.notes(facts))
    if plan.needs_tuning:
        notes += plan.tuning.notes(facts, shrink=True)
    return notes


def _prediction_notes(plan: Plan, task: Task) -> list[str]:
    """Scores that some contenders cannot have, and weights that they do not hear."""
    notes = []
    for metric in plan.metrics:
        without = [each.name for each in plan.contenders if lacks_predictions(each, metric, task)]
        if without:
            notes.append(f"No {metric.name} for {_listed(without)}: no probabilities to judge.")
    deaf = [contender.name for contender in plan.contenders if not takes_weights(contender)]
    if task.weights is not None and deaf:
        notes.append(f"Row weights count in scores, but {_listed(deaf)} cannot hear them when fitted.")
    return notes


def _listed(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]][len(names) == 1 :])


def check_tuning(plan: Plan, folds: Sequence[Fold], facts: RowFacts) -> None:
    """Refuse a plan whose tuning cannot be done within one of its folds, with folds that would do.

    plan:  with contenders that may have settings to choose among
    folds: those of the plan
    facts: of all rows
    """
    if not plan.needs_tuning or plan.rigor == "quick":
        return
    error = _refusal(plan.tuning, folds, facts)
    if error is None:
        return
    fewer = _fewer_folds(plan, facts)
    raise RequestError(
        f"settings cannot be chosen within a fold: {error.what}",
        where=f"{error.where} to learn from in a fold of {split_words(plan.folds)}",
        fix=f"use folds=ho.{split_words(fewer)}"
        if fewer is not None
        else "use contenders without a space: they have nothing to choose",
    )


def _refusal(tuning: Split, folds: Sequence[Fold], facts: RowFacts) -> HeldoutError | None:
    """Why the tuning cannot be done; whether it can does not depend on the seed."""
    for fold in _hardest(folds, facts):
        try:
            tuning.folds(facts.take(fold.train), shrink=True)
        except HeldoutError as error:
            return error
    return None


def _hardest(folds: Sequence[Fold], facts: RowFacts) -> Sequence[Fold]:
    """The fold that learns from the fewest rows, groups or times; all of them where that cannot be told."""
    if facts.time is None:
        return [max(folds, key=lambda fold: n_units(facts.take(fold.test))[0])]
    return folds[:1] if facts.groups is None else folds


def _fewer_folds(plan: Plan, facts: RowFacts) -> Split | None:
    """The plan's split with as many folds as still can be tuned within."""
    for k in range(getattr(plan.folds, "k", 0) - 1, 1, -1):
        fewer: Split = dataclasses.replace(plan.folds, k=k)  # type: ignore[type-var]
        try:
            folds = fewer.folds(facts)
        except HeldoutError:
            continue
        if _refusal(plan.tuning, folds, facts) is None:
            return fewer
    return None
