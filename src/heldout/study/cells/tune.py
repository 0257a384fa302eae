"""Tuning: every setting is fitted and judged on the inner folds of a training part, and one is taken.

It is what GridSearchCV does: preparation and learner are fitted on the inner training rows, the metric's
scorer judges the others, the mean over the folds counts, and the first of equals wins; or, where the
contender asks for it, the first within one standard error of the best.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from heldout.metrics.best_place import setting_place
from heldout.metrics.metric import Metric
from heldout.study.cells.choice import Choice, mean_scores, only_setting
from heldout.study.cells.generic_tuning import generic_scores
from heldout.study.cells.heard_warnings import Notes
from heldout.study.cells.inner_folds import InnerFold
from heldout.study.cells.learner_failure import failing_as
from heldout.study.cells.preparation import places_alike
from heldout.study.cells.recipe import Recipe
from heldout.study.cells.sweep_tuning import has_sweep, sweep_scores
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

    >>> import heldout as ho
    >>> from heldout.plan.resolved_plan import resolved
    >>> from heldout.study.cells.work import work_of
    >>> task = ho.Task(ho.datasets.load("penguins"), target="species")
    >>> near = ho.Contender("near", ho.NeighborsClassifier(), space={"k": [1, 5, 200]})
    >>> work = work_of(task, resolved(ho.Plan([near], tuning=ho.KFold(3)), task, seed=1))
    >>> tune(work, near, work.inner_folds(np.arange(work.n_rows))).setting
    {'k': 5}
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
    for places in places_alike(recipe.preparing):
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
