"""Tuning: every setting is fitted and judged on the inner folds of a training part, and one is taken.

It is what GridSearchCV does: preparation and learner are fitted on the inner training rows, the metric's
scorer judges the others, the mean over the folds counts, and the first of equals wins; or, where the
contender asks for it, the first within one standard error of the best.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from heldout.metrics.metric import Metric
from heldout.metrics.operating_point import setting_place
from heldout.study.cells.fit_contender import fit_arguments
from heldout.study.cells.fold_predictions import answered_by, answered_by_sweep, metric_value
from heldout.study.cells.guarded_fit import Notes, failing_as
from heldout.study.cells.recipe import InnerFold, Recipe, group_alike
from heldout.study.cells.shared_work import is_ours, own_part
from heldout.study.cells.training_part import TrainingPart

if TYPE_CHECKING:
    from heldout.plan.contender import Contender
    from heldout.study.cells.work import Work


def tune(
    work: Work,
    contender: Contender,
    folds: Sequence[InnerFold],
    notes: Notes | None = None,
    uses_sweeps: bool = True,
) -> Choice:
    """Choose a setting of a contender by inner folds.

    work:        rows and plan
    folds:       what to fit on and what to judge by, see Work.inner_folds
    notes:       get what happened on the way
    uses_sweeps: False fits every setting by itself: the same choice and the same scores, later
    """
    notes = Notes() if notes is None else notes
    recipe = work.recipe_of(contender)
    if len(recipe.settings) == 1:
        return only_setting(recipe.settings[0])
    start = time.perf_counter()
    metric = work.tunes_by(contender)
    table = np.empty((len(recipe.settings), len(folds)))
    for number, fold in enumerate(folds):
        judging = Judging(metric, notes, number, len(folds), uses_sweeps)
        table[:, number] = _fold_scores(recipe, work.part(fold.train), work.part(fold.judged), judging)
    scores = mean_scores(table)
    if np.isnan(scores).all():
        notes.add(f"no setting of {contender.name!r} has a {metric.name}, so the first was taken")
    place = setting_place(table, metric, contender.choose)
    seconds = time.perf_counter() - start
    return Choice(place, dict(recipe.settings[place]), scores, table, table.size, seconds)


@dataclass(frozen=True)
class Judging:
    """How the settings are judged on an inner fold: by what metric, in which fold of how many."""

    metric: Metric
    notes: Notes
    number: int
    n_folds: int
    uses_sweeps: bool

    @property
    def fold(self) -> tuple[int, int]:
        return self.number, self.n_folds


def _fold_scores(
    recipe: Recipe, part: TrainingPart, judged: TrainingPart, judging: Judging
) -> NDArray[np.float64]:
    """What the metric says of each setting on one inner fold; settings that prepare alike share it."""
    scores = np.empty(len(recipe.settings))
    part = recipe.resampled(part)
    for places in group_alike(recipe.preparing):
        preparing = recipe.preparing[places[0]]
        with failing_as(recipe.name, preparing, judging.fold):
            _, fitted_on, judged_by = recipe.prepared(preparing, part, judged)
        assert judged_by is not None
        learning = [recipe.learning[place] for place in places]
        scores[places] = _learner_scores(recipe, learning, fitted_on, judged_by, judging)
    return scores


def _learner_scores(
    recipe: Recipe,
    settings: list[dict[str, Any]],
    part: TrainingPart,
    judged: TrainingPart,
    judging: Judging,
) -> NDArray[np.float64]:
    """What the metric says of each setting of the learner: by one sweep, or one after the other."""
    metric, notes = judging.metric, judging.notes
    if judging.uses_sweeps and len(settings) > 1 and has_sweep(recipe.learner):
        try:
            return sweep_scores(recipe, settings, part, judged, metric, notes)
        except MemoryError:
            raise
        except Exception as error:
            # Which setting it was is found out one by one; a sweep may also be pickier than its fits.
            notes.once(f"the sweep was refused, every setting was fitted by itself: {error!s:.200}")
    return generic_scores(recipe, settings, part, judged, metric, notes, judging.fold)


@dataclass(frozen=True, eq=False)
class Choice:
    """Which setting was chosen, and what all of them scored.

    place:       of the setting among the contender's settings
    setting:     the parameters
    scores:      of each setting the mean over the inner folds; NaN where one of them gave no score
    fold_scores: setting × inner fold
    n_fits:      how many settings were fitted on how many folds
    threshold:   at which the chosen setting decides; NaN for the usual decision
    seconds:     that it took
    """

    place: int
    setting: dict[str, Any]
    scores: NDArray[np.float64]
    fold_scores: NDArray[np.float64] = field(default_factory=lambda: np.empty((0, 0)))
    n_fits: int = 0
    seconds: float = 0.0
    threshold: float = math.nan

    @property
    def score(self) -> float:
        """What the chosen setting scored."""
        return float(self.scores[self.place])


def mean_scores(fold_scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """The plain mean of each setting over the inner folds; one fold without a score leaves it without one."""
    with np.errstate(invalid="ignore"):
        return np.asarray(np.ascontiguousarray(fold_scores).mean(axis=1))


def only_setting(setting: dict[str, Any]) -> Choice:
    """The choice where there is only one setting: nothing was compared."""
    return Choice(0, dict(setting), np.array([math.nan]))


def generic_scores(
    recipe: Recipe,
    settings: Sequence[Mapping[str, Any]],
    part: TrainingPart,
    judged: TrainingPart,
    metric: Metric,
    notes: Notes,
    fold: tuple[int, int] = (0, 1),
) -> NDArray[np.float64]:
    """What the metric says of each setting.

    settings: of the learner alone
    part:     the rows to fit on, prepared
    judged:   the rows to judge by, prepared
    notes:    get what the metric could not judge
    fold:     which inner fold it is and of how many, for errors
    """
    scores = []
    for setting in settings:
        with failing_as(recipe.name, setting, fold):
            model = recipe.unfitted(setting)
            own = own_part(model, part)
            model.fit(own.X, own.y, **fit_arguments(model, own))
            answered = answered_by(model, judged.X, frozenset({metric.needs}))
        scores.append(metric_value(metric, answered, judged, notes, type(model).__name__))
    return np.array(scores, dtype=np.float64)


def has_sweep(learner: Any) -> bool:
    """Whether the learner is one of ours that sweeps; what others call a sweep may be anything."""
    return is_ours(learner) and hasattr(learner, "sweep")


def sweep_scores(
    recipe: Recipe,
    settings: Sequence[Mapping[str, Any]],
    part: TrainingPart,
    judged: TrainingPart,
    metric: Metric,
    notes: Notes,
) -> NDArray[np.float64]:
    """What the metric says of each setting, the same bits as from `generic_scores`; see there."""
    learner = recipe.learner
    if judged.weights is None and metric.family.compares_labels and not _knows_names(learner, settings):
        # Strings are slow to sort and to compare, and sorted classes have the order of their codes.
        part, judged = part.coded(), judged.coded()
    sweep = learner.sweep(part.X, part.y, list(map(dict, settings)), **fit_arguments(learner, part))
    if metric.needs in ("labels", "values") and judged.weights is None:
        found = metric.settings_scores(judged.y, sweep.predict(judged.X))
        if found is not None:
            return found
    by = type(learner).__name__
    answered = answered_by_sweep(sweep, judged.X, frozenset({metric.needs}))
    return np.array([metric_value(metric, model, judged, notes, by) for model in answered])


def _knows_names(learner: Any, settings: Sequence[Mapping[str, Any]]) -> bool:
    """Whether a parameter names classes, as the weights of classes do."""
    values = [
        *learner.get_params(deep=False).values(),
        *(value for each in settings for value in each.values()),
    ]
    return any(isinstance(value, Mapping) for value in values)
