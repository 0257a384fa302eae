"""Tuning and fitting on any rows: what a cell does with its training part, and a study with all its rows."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from heldout.arrays import Rows
from heldout.errors import HeldoutError
from heldout.learners.class_shares import factors_beyond_noise
from heldout.learners.threshold_classifier import best_threshold, positive_scores
from heldout.plan.contender import Contender
from heldout.study.cells.fit_contender import FittedContender, fit_recipe, ignores_weights
from heldout.study.cells.guarded_fit import Notes, failing_as, one_algebra_thread, record_warnings
from heldout.study.cells.recipe import InnerFold, Recipe
from heldout.study.cells.shared_work import own_rows
from heldout.study.cells.tune import Choice, InnerModels, NewRows, tune
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
    with one_algebra_thread(), record_warnings(notes):
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
        fitted = fit_recipe(recipe, choice.index, part)
    return Chosen(choice, fitted.by_choice(choice, work.positive))


def tuned(work: Work, contender: Contender, folds: Sequence[InnerFold], rows: Rows, notes: Notes) -> Choice:
    """The setting that is best on these inner folds of these rows, its class factors, and its threshold.

    folds: none where there is one setting only; a threshold then takes the inner folds of the plan
    """
    recipe = work.recipe_of(contender)
    # Trees and rules have no rows that are new to them but those that judge their settings.
    kept: list[InnerModels] | None = [] if hasattr(recipe.learner, "_with_class_factors") else None
    choice = tune(work, contender, folds, notes, kept=kept)
    if contender.is_baseline and work.resolved.decides_by == "f1":
        return replace(choice, threshold=0.0)  # of all guesses, always the positive class has the best F1
    start, n_fits = time.perf_counter(), choice.n_fits
    inner = [each.new_rows(choice.index) for each in kept or () if choice.index in each.indices]
    if not inner and work.is_given_threshold(contender):
        try:
            inner_folds = folds or work.inner_folds(rows)
        except HeldoutError as error:
            notes.once(
                f"{contender.name} decides at one half, as its threshold has no inner folds: {error.what}"
            )
            return choice
        inner = _fit_inner(work, recipe, choice.index, inner_folds)
        n_fits += len(inner)
    factors = {} if kept is None else learned_factors(work, inner)
    threshold = tuned_threshold(work, inner, factors) if work.is_given_threshold(contender) else math.nan
    seconds = choice.seconds + time.perf_counter() - start
    return replace(choice, threshold=threshold, factors=factors, n_fits=n_fits, seconds=seconds)


def _fit_inner(work: Work, recipe: Recipe, index: int, folds: Sequence[InnerFold]) -> list[NewRows]:
    """A setting fitted on every inner fold."""
    inner = []
    for number, fold in enumerate(folds):
        judged = work.part(fold.judged)
        with failing_as(recipe.name, recipe.settings[index], (number, len(folds))):
            fitted = fit_recipe(recipe, index, work.part(fold.train))
            inner.append(NewRows(fitted.learner, replace(judged, X=fitted.prepared(judged.X))))
    return inner


def learned_factors(work: Work, inner: Sequence[NewRows]) -> dict[Any, float]:
    """By class the factor with which new rows have its share on average; empty where nothing is mended.

    A model that does not know a class of the others says nothing of its factor, and is left out.
    """
    codes_of = [_class_codes(work, each) for each in inner]
    every = np.unique(np.concatenate(codes_of)) if inner else np.empty(0, dtype=np.intp)
    full = [each for each, codes in zip(inner, codes_of, strict=True) if len(codes) == len(every)]
    if not full:
        return {}
    probabilities = np.concatenate([each.model.predict_proba(each.judged.X) for each in full])
    codes = np.concatenate([each.judged.codes for each in full])
    weights = None if work.weights is None else np.concatenate([each.judged.weights for each in full])
    is_known = np.isin(codes, every)
    columns = np.searchsorted(every, codes[is_known])
    weights = weights if weights is None else weights[is_known]
    factors = factors_beyond_noise(probabilities[is_known], columns, weights)
    labels = [work.classes[code] for code in every.tolist()]
    return {} if (factors == 1.0).all() else dict(zip(labels, factors.tolist(), strict=True))


def tuned_threshold(work: Work, inner: Sequence[NewRows], factors: Mapping[Any, float]) -> float:
    """The best threshold for the scores of rows that models of this setting were not fitted on.

    NaN where a model has neither probabilities nor decision values, or knows one class only.
    """
    positive = work.classes.index(work.positive)
    pieces = []
    for each in inner:
        model = each.model
        has_scores = hasattr(model, "predict_proba") or hasattr(model, "decision_function")
        if not has_scores or len(getattr(model, "classes_", ())) != 2:
            return math.nan
        if factors:
            labels = [work.classes[code] for code in _class_codes(work, each)]
            model = model._with_class_factors(np.array([factors.get(label, 1.0) for label in labels]))
        X = own_rows(model, each.judged.X)
        pieces.append(positive_scores(model, X, positive if each.has_codes else work.positive))
    scores = np.concatenate(pieces)
    is_positive = np.concatenate([each.judged.codes == positive for each in inner])
    weights = None if work.weights is None else np.concatenate([each.judged.weights for each in inner])
    has_probabilities = hasattr(model, "predict_proba")
    return best_threshold(is_positive, scores, weights, work.resolved.decides_by, has_probabilities)


def _class_codes(work: Work, inner: NewRows) -> Rows:
    """The classes that the model knows, as positions among those of the task."""
    classes = np.asarray(inner.model.classes_)
    return classes.astype(np.intp) if inner.has_codes else work.codes_of(classes, "the model").astype(np.intp)
