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
from heldout.learners.threshold_classifier import best_threshold
from heldout.plan.contender import Contender
from heldout.study.cells.fit_contender import FittedContender, fit_recipe, ignores_weights
from heldout.study.cells.guarded_fit import Notes, failing_as, heard, one_algebra_thread
from heldout.study.cells.recipe import InnerFold, Recipe
from heldout.study.cells.tune import Choice, tune
from heldout.study.cells.work import Work

if TYPE_CHECKING:
    pass


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
