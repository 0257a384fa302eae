"""Tuning and fitting on any rows: what a cell does with its training part, and a study with all its rows."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from heldout.arrays import Rows
from heldout.errors import HeldoutError
from heldout.learners.baseline_classifier import BaselineClassifier
from heldout.learners.threshold_classifier import best_threshold
from heldout.plan.code_fingerprint import digest_of
from heldout.plan.contender import Contender, contender_of_dict
from heldout.plan.plan import Plan
from heldout.plan.resolved_plan import resolved
from heldout.results.judged_contender import Judged, contender_of, judged
from heldout.results.recorded_plan import recorded_metric
from heldout.study.cells.fit_contender import FittedContender, fit_recipe, ignores_weights
from heldout.study.cells.guarded_fit import Notes, failing_as, heard, one_algebra_thread
from heldout.study.cells.recipe import InnerFold, Recipe
from heldout.study.cells.tune import Choice, tune
from heldout.study.cells.work import Work, work_of

if TYPE_CHECKING:
    from heldout.ledger.fact import Fact
    from heldout.study.study import Study


@dataclass(frozen=True, eq=False)
class Chosen:
    """A contender tuned and fitted.

    choice: the setting, and what all of them scored
    fitted: with that setting
    notes:  warnings on the way, in sentences
    """

    choice: Choice
    fitted: FittedContender
    notes: tuple[str, ...] = ()

    @property
    def model(self) -> Any:
        """What can be saved."""
        return self.fitted.model


def chosen_on(work: Work, contender: Contender, rows: Rows | None = None) -> Chosen:
    """Tune a contender on some rows and fit it on them, as a cell does with its training part.

    rows: positions, ascending; left out, all rows of the work. Of a quick plan over all rows the inner
          folds are its cells, so that the choice is theirs
    """
    used = np.arange(work.n_rows) if rows is None else rows
    notes = Notes()
    with one_algebra_thread(), heard(notes):
        inner = work.inner_folds(used) if work.is_tuned(contender) else ()
        found = chosen_by(work, contender, inner, used, notes)
    return Chosen(found.choice, found.fitted, notes.sentences)


def chosen_by(
    work: Work, contender: Contender, folds: Sequence[InnerFold], rows: Rows, notes: Notes
) -> Chosen:
    """Tune by these inner folds, and fit on these rows.

    notes: get what happened on the way
    """
    choice = tuned(work, contender, folds, rows, notes)
    part = work.part(rows)
    recipe = work.recipe_of(contender)
    if ignores_weights(recipe.learner, part):
        notes.once(f"{type(recipe.learner).__name__} takes no weights, so every row counted once in its fit")
    with failing_as(contender.name, choice.setting):
        fitted = fit_recipe(recipe, choice.place, part)
    return Chosen(choice, fitted.deciding_at(choice.threshold, work.positive))


def tuned(work: Work, contender: Contender, folds: Sequence[InnerFold], rows: Rows, notes: Notes) -> Choice:
    """The setting that is best on these inner folds of these rows, and the threshold that is.

    folds: none where there is one setting only; a threshold then takes the inner folds of the plan
    """
    choice = tune(work, contender, folds, notes)
    if contender.is_baseline and work.resolved.decides_by == "f1":
        return replace(choice, threshold=0.0)  # of all guesses, always the positive class has the best F1
    if not work.is_given_threshold(contender):
        return choice
    start = time.perf_counter()
    try:
        inner = folds or work.inner_folds(rows)
    except HeldoutError as error:
        notes.once(f"{contender.name} decides at one half, as its threshold has no inner folds: {error.what}")
        return choice
    threshold = tuned_threshold(work, work.recipe_of(contender), choice.place, inner)
    seconds = choice.seconds + time.perf_counter() - start
    return replace(choice, threshold=threshold, n_fits=choice.n_fits + len(inner), seconds=seconds)


def tuned_threshold(work: Work, recipe: Recipe, place: int, folds: Sequence[InnerFold]) -> float:
    """The best threshold for the scores of rows that models of this setting were not fitted on.

    NaN where a model has neither probabilities nor decision values, or knows one class only.
    """
    pieces = []
    for number, fold in enumerate(folds):
        judged = work.part(fold.judged)
        with failing_as(recipe.name, recipe.settings[place], (number, len(folds))):
            fitted = fit_recipe(recipe, place, work.part(fold.train))
            scores = fitted.scores_of(judged.X, work.positive)
        if scores is None:
            return math.nan
        pieces.append((judged.y == work.positive, scores, judged.weights))
    is_positive, scores = (np.concatenate([piece[at] for piece in pieces]) for at in (0, 1))
    weights = None if work.weights is None else np.concatenate([piece[2] for piece in pieces])
    has_probabilities = hasattr(fitted.learner, "predict_proba")
    return best_threshold(is_positive, scores, weights, work.resolved.decides_by, has_probabilities)


# What a plan decides about the model that a contender becomes on given rows.
_DECIDING = ("tuning", "choose_by", "seed", "rigor")


@dataclass(frozen=True, eq=False)
class PlannedContender:
    """A contender, and how it is tuned.

    contender:   the contender itself
    plan:        of this contender alone, with nothing left open
    plan_digest: of the plan in the study file that ran it; None where none did
    judged:      how it stands in the race that is meant; None where it has no verdict
    """

    contender: Contender
    plan: Plan
    plan_digest: str | None
    judged: Judged | None = None

    @property
    def protocol(self) -> str:
        """The digest of what decides the model and its score, besides contender and rows."""
        record = self.plan.to_dict()
        deciding = {name: record[name] for name in _DECIDING}
        # Rigor matters only where it is quick: then settings are chosen by other folds.
        deciding["rigor"] = record["rigor"] == "quick"
        return digest_of(deciding, "protocol of a model")

    @property
    def key(self) -> str:
        """The same for the same model and metric, whichever plan it comes from."""
        return f"{self.contender.digest}:{self.protocol}"

    def work(self, study: Study) -> Work:
        """All that is needed to tune and fit it on the open rows."""
        return work_of(study.task, resolved(self.plan, study.task, study.seed))


def planned(study: Study, contender: Any) -> PlannedContender:
    """The contender that is meant, with the plan by which it is tuned.

    contender: a name, or a Contender, which need not have run
    """
    named = contender.digest if isinstance(contender, Contender) else contender
    meant = judged(study.ledger, named) if isinstance(named, str) else None
    if meant is not None:
        return replace(planned_by(study, meant.contender, meant.plan), judged=meant)
    found: Contender = study.session.contender(contender) or contender_of(study.ledger, contender)
    facts = study.ledger.facts("plan")
    ran = [fact for fact in facts if found.digest in fact.body["contenders"]]
    if not facts:
        plan = resolved(Plan((found,)), study.task, study.seed).plan
        return PlannedContender(found, plan.with_changes(contenders=(found,)), None)
    newest = (ran or list(facts))[-1]
    plan = _plan(study, newest).with_changes(contenders=(found,))
    return PlannedContender(found, plan, newest.key if ran else None)


def planned_by(study: Study, contender: str, plan: str) -> PlannedContender:
    """A contender of the study file as a plan of it ran it.

    contender, plan: their digests
    """
    fact, ran = study.ledger.fact("contender", contender), study.ledger.fact("plan", plan)
    assert fact is not None, "a verdict names contenders that are recorded"
    assert ran is not None, "and plans"
    found = study.session.contender(contender) or contender_of_dict(fact.body["contender"])
    return PlannedContender(found, _plan(study, ran).with_changes(contenders=(found,)), plan)


def _plan(study: Study, fact: Fact) -> Plan:
    """The recorded plan with other contenders, whose code may not be at hand."""
    known: Plan | None = study.session.plan(fact.key)
    if known is not None:
        return known
    record = dict(fact.body["plan"])
    metrics = tuple(recorded_metric(form) for form in record["metrics"])
    anyone = Contender("anyone", BaselineClassifier()).to_dict()
    found = Plan.from_dict(record | {"contenders": [anyone], "metrics": [], "choose_by": None})
    return found.with_changes(metrics=metrics, choose_by=recorded_metric(record["choose_by"]))
