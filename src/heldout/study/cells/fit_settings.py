"""Every setting of a contender fitted on some rows: together where they prepare alike, or in a sweep.

Tuning scores what comes out of this loop, and the cell of a quick plan keeps its predictions.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from heldout.study.cells.fit_contender import FittedContender, fit_arguments
from heldout.study.cells.fold_predictions import PredictedModel, predicted_by, predicted_by_sweep
from heldout.study.cells.guarded_fit import Notes, failing_as
from heldout.study.cells.recipe import Recipe, TrainingPart, group_alike
from heldout.study.cells.shared_work import is_ours, own_part


@dataclass(frozen=True, eq=False)
class PreparedRows:
    """Rows behind a preparation that several settings share.

    `settings` are their positions among those of the contender; `train` is what they are fitted on, `judged`
    what they predict.
    """

    settings: list[int]
    preparation: Any
    train: TrainingPart
    judged: TrainingPart
    seconds: float


@dataclass(frozen=True, eq=False)
class FittedSetting:
    """A setting fitted, with its predictions; `setting` is its position among those of the contender."""

    setting: int
    fitted: FittedContender
    model_predictions: PredictedModel
    fit_seconds: float
    predict_seconds: float


def prepare_settings(
    recipe: Recipe, part: TrainingPart, judged: TrainingPart, fold: tuple[int, int] | None = None
) -> Iterator[PreparedRows]:
    """The rows as each group of settings that prepare alike has them; `fold` is that of `failing_as`."""
    part = recipe.resampled(part)
    for settings in group_alike(recipe.preparing):
        preparing, start = recipe.preparing[settings[0]], time.perf_counter()
        with failing_as(recipe.name, preparing, fold, doing="the preparation"):
            preparation, train, later = recipe.prepared(preparing, part, judged)
        assert later is not None
        yield PreparedRows(settings, preparation, train, later, time.perf_counter() - start)


def fit_learner(recipe: Recipe, setting: Mapping[str, Any], part: TrainingPart) -> Any:
    """The learner of a recipe with a setting of its own, fitted on prepared rows."""
    model = recipe.unfitted(setting)
    own = own_part(model, part)
    return model.fit(own.X, own.y, **fit_arguments(model, own))


def has_sweep(learner: Any) -> bool:
    """Whether the learner is one of ours that sweeps; what others call a sweep may be anything."""
    return is_ours(learner) and hasattr(learner, "sweep")


def note_refused_sweep(notes: Notes, error: Exception) -> None:
    """Say that settings were fitted one by one: a sweep may be pickier than its fits, or one fails."""
    notes.once(f"the sweep was refused, every setting was fitted by itself: {error!s:.200}")


def fit_settings(
    recipe: Recipe, part: TrainingPart, judged: TrainingPart, needs: frozenset[str], notes: Notes
) -> Iterator[FittedSetting]:
    """Every setting of a recipe fitted on a part, with its predictions of the judged rows."""
    for rows in prepare_settings(recipe, part, judged):
        fitted = _fit_by_sweep(recipe, rows, needs, notes)
        # The preparation was made once for all of these settings, and counts with the first.
        seconds = rows.seconds
        for setting, (model, model_predictions, fit_seconds, predict_seconds) in zip(
            rows.settings, fitted or _fit_one_by_one(recipe, rows, needs), strict=True
        ):
            known = dict(recipe.settings[setting])
            contender = FittedContender(recipe.name, rows.preparation, model, known, 0.0, rows.train.X)
            yield FittedSetting(setting, contender, model_predictions, seconds + fit_seconds, predict_seconds)
            seconds = 0.0


_Fit = tuple[Any, PredictedModel, float, float]


def _fit_by_sweep(recipe: Recipe, rows: PreparedRows, needs: frozenset[str], notes: Notes) -> list[_Fit]:
    """Model, predictions and seconds of each setting from one sweep; nothing where there is none."""
    learner, part = recipe.learner, rows.train
    if len(rows.settings) == 1 or not has_sweep(learner):
        return []
    start = time.perf_counter()
    try:
        settings = [recipe.learning[setting] for setting in rows.settings]
        sweep = learner.sweep(part.X, part.y, settings, **fit_arguments(learner, part))
        fitted = time.perf_counter()
        model_predictions = list(predicted_by_sweep(sweep, rows.judged.X, needs))
        models = [sweep.model(index) for index in range(len(model_predictions))]
    except MemoryError:
        raise
    except Exception as error:  # which setting it was is found out one by one
        note_refused_sweep(notes, error)
        return []
    predicted = time.perf_counter()
    n_settings = len(models)
    shares = (fitted - start) / n_settings, (predicted - fitted) / n_settings
    return [(model, each, *shares) for model, each in zip(models, model_predictions, strict=True)]


def _fit_one_by_one(recipe: Recipe, rows: PreparedRows, needs: frozenset[str]) -> Iterator[_Fit]:
    for setting in rows.settings:
        with failing_as(recipe.name, recipe.settings[setting]):
            start = time.perf_counter()
            model = fit_learner(recipe, recipe.learning[setting], rows.train)
            fitted = time.perf_counter()
            model_predictions = predicted_by(model, rows.judged.X, needs)
        yield model, model_predictions, fitted - start, time.perf_counter() - fitted
