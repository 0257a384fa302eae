"""Tuning: every setting is fitted and judged on the inner folds of a training part, and one is taken.

It is what GridSearchCV does: preparation and learner are fitted on the inner training rows, the metric's
scorer judges the others, the mean over the folds counts, and the first of equals wins; or, where the
contender asks for it, the first within one standard error of the best.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from heldout.metrics.metric import Metric
from heldout.metrics.operating_point import setting_index
from heldout.study.cells.fit_contender import fit_arguments
from heldout.study.cells.fit_settings import fit_learner, has_sweep, note_refused_sweep, prepare_settings
from heldout.study.cells.fold_predictions import metric_value, predicted_by, predicted_by_sweep
from heldout.study.cells.guarded_fit import Notes, failing_as
from heldout.study.cells.recipe import InnerFold, Recipe, TrainingPart

if TYPE_CHECKING:
    from heldout.plan.contender import Contender
    from heldout.study.cells.work import Work


def tune(
    work: Work,
    contender: Contender,
    folds: Sequence[InnerFold],
    notes: Notes | None = None,
    uses_sweeps: bool = True,
    kept: list[InnerModels] | None = None,
) -> Choice:
    """Choose a setting of a contender by inner folds.

    work:        rows and plan
    folds:       what to fit on and what to judge by, see Work.inner_folds
    notes:       get what happened on the way
    uses_sweeps: False fits every setting by itself: the same choice and the same scores, later
    kept:        gets the models of all settings, if it is given
    """
    notes = Notes() if notes is None else notes
    recipe = work.recipe_of(contender)
    if len(recipe.settings) == 1:
        return only_setting(recipe.settings[0])
    start = time.perf_counter()
    metric = work.tunes_by(contender)
    table = np.empty((len(recipe.settings), len(folds)))
    for number, fold in enumerate(folds):
        judging = Judging(metric, notes, number, len(folds), uses_sweeps, kept)
        table[:, number] = _fold_scores(recipe, work.part(fold.train), work.part(fold.judged), judging)
    scores = mean_scores(table)
    if np.isnan(scores).all():
        notes.add(f"no setting of {contender.name!r} has a {metric.name}, so the first was taken")
    index = setting_index(table, metric, contender.choose)
    seconds = time.perf_counter() - start
    return Choice(index, dict(recipe.settings[index]), scores, table, table.size, seconds)


@dataclass(frozen=True, eq=False)
class NewRows:
    """A model that was fitted on an inner fold, and rows that are new to it, as it takes them.

    Where the classes are codes, so are those of the model.
    """

    model: Any
    judged: TrainingPart

    @property
    def has_codes(self) -> bool:
        return self.judged.y is self.judged.codes


@dataclass(frozen=True, eq=False)
class InnerModels:
    """Models of several settings on one inner fold, kept until a setting is chosen.

    places:   of the settings among the contender's
    model_at: gives the fitted model of one of these, counted from 0
    judged:   rows that are new to all of them, prepared
    """

    indices: Sequence[int]
    model_at: Callable[[int], Any]
    judged: TrainingPart

    def new_rows(self, index: int) -> NewRows:
        """The model of this setting, with its new rows."""
        return NewRows(self.model_at(list(self.indices).index(index)), self.judged)


@dataclass(frozen=True)
class Judging:
    """How the settings are judged on an inner fold: by what metric, in which fold of how many.

    kept: gets the models, if it is a list
    """

    metric: Metric
    notes: Notes
    number: int
    n_folds: int
    uses_sweeps: bool
    kept: list[InnerModels] | None = None

    @property
    def fold(self) -> tuple[int, int]:
        return self.number, self.n_folds


def _fold_scores(
    recipe: Recipe, part: TrainingPart, judged: TrainingPart, judging: Judging
) -> NDArray[np.float64]:
    """What the metric says of each setting on one inner fold; settings that prepare alike share it."""
    scores = np.empty(len(recipe.settings))
    for rows in prepare_settings(recipe, part, judged, judging.fold):
        scores[rows.settings] = _learner_scores(recipe, rows.settings, rows.train, rows.judged, judging)
    return scores


def _learner_scores(
    recipe: Recipe,
    indices: list[int],
    part: TrainingPart,
    judged: TrainingPart,
    judging: Judging,
) -> NDArray[np.float64]:
    """What the metric says of these settings of the learner: by one sweep, or one after the other."""
    if judging.uses_sweeps and len(indices) > 1 and has_sweep(recipe.learner):
        try:
            return sweep_scores(recipe, indices, part, judged, judging)
        except MemoryError:
            raise
        except Exception as error:
            note_refused_sweep(judging.notes, error)  # which setting it was is found out one by one
    return generic_scores(recipe, indices, part, judged, judging)


@dataclass(frozen=True, eq=False)
class Choice:
    """Which setting was chosen, and what all of them scored.

    place:       of the setting among the contender's settings
    setting:     the parameters
    scores:      of each setting the mean over the inner folds; NaN where one of them gave no score
    fold_scores: setting × inner fold
    n_fits:      how many settings were fitted on how many folds
    threshold:   at which the chosen setting decides; NaN for the usual decision
    factors:     by class, what its probabilities are multiplied by before they sum to 1; none where by 1
    seconds:     that it took
    """

    index: int
    setting: dict[str, Any]
    scores: NDArray[np.float64]
    fold_scores: NDArray[np.float64] = field(default_factory=lambda: np.empty((0, 0)))
    n_fits: int = 0
    seconds: float = 0.0
    threshold: float = math.nan
    factors: Mapping[Any, float] = field(default_factory=dict)

    @property
    def score(self) -> float:
        """What the chosen setting scored."""
        return float(self.scores[self.index])


def mean_scores(fold_scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """The plain mean of each setting over the inner folds; one fold without a score leaves it without one."""
    with np.errstate(invalid="ignore"):
        return np.asarray(np.ascontiguousarray(fold_scores).mean(axis=1))


def only_setting(setting: dict[str, Any]) -> Choice:
    """The choice where there is only one setting: nothing was compared."""
    return Choice(0, dict(setting), np.array([math.nan]))


def generic_scores(
    recipe: Recipe, indices: Sequence[int], part: TrainingPart, judged: TrainingPart, judging: Judging
) -> NDArray[np.float64]:
    """What the metric says of each of these settings.

    part:    the rows to fit on, prepared
    judged:  the rows to judge by, prepared
    """
    scores, models, metric = [], [], judging.metric
    for index in indices:
        setting = recipe.learning[index]
        with failing_as(recipe.name, setting, judging.fold):
            model = fit_learner(recipe, setting, part)
            model_predictions = predicted_by(model, judged.X, frozenset({metric.needs}))
        scores.append(metric_value(metric, model_predictions, judged, judging.notes, type(model).__name__))
        models.append(model)
    if judging.kept is not None:
        judging.kept.append(InnerModels(indices, models.__getitem__, judged))
    return np.array(scores, dtype=np.float64)


def sweep_scores(
    recipe: Recipe, indices: Sequence[int], part: TrainingPart, judged: TrainingPart, judging: Judging
) -> NDArray[np.float64]:
    """What the metric says of each setting, the same bits as from `generic_scores`; see there."""
    learner, metric = recipe.learner, judging.metric
    settings = [recipe.learning[index] for index in indices]
    if judged.weights is None and metric.family.compares_labels and not _knows_names(learner, settings):
        # Strings are slow to sort and to compare, and sorted classes have the order of their codes.
        part, judged = part.coded(), judged.coded()
    sweep = learner.sweep(part.X, part.y, list(map(dict, settings)), **fit_arguments(learner, part))
    scores = None
    if metric.needs in ("labels", "values") and judged.weights is None:
        scores = metric.settings_scores(judged.y, sweep.predict(judged.X))
    if scores is None:
        by = type(learner).__name__
        model_predictions = predicted_by_sweep(sweep, judged.X, frozenset({metric.needs}))
        scores = np.array(
            [metric_value(metric, model, judged, judging.notes, by) for model in model_predictions]
        )
    if judging.kept is not None:
        judging.kept.append(InnerModels(indices, sweep.model, judged))
    return scores


def _knows_names(learner: Any, settings: Sequence[Mapping[str, Any]]) -> bool:
    """Whether a parameter names classes, as the weights of classes do."""
    values = [
        *learner.get_params(deep=False).values(),
        *(value for each in settings for value in each.values()),
    ]
    return any(isinstance(value, Mapping) for value in values)
