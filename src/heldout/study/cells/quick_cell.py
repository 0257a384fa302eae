"""A cell of a quick plan: every setting is fitted on the fold and answers its rows; nothing is chosen yet.

There is no outer loop. The folds of the tuning are the cells, and the choice among settings is made over
all of them; what it flatters is corrected afterwards from the answers of every setting.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from heldout.study.cells.answered_model import AnsweredModel, answered_by, answered_by_sweep
from heldout.study.cells.cell_looks import cell_looks
from heldout.study.cells.fit_arguments import fit_arguments, ignores_weights
from heldout.study.cells.fit_contender import FittedContender
from heldout.study.cells.fold_predictions import fold_predictions
from heldout.study.cells.fold_scores import fold_scores, needs_of
from heldout.study.cells.heard_warnings import Notes
from heldout.study.cells.learner_failure import failing_as
from heldout.study.cells.own_arrays import own_part
from heldout.study.cells.preparation import places_alike
from heldout.study.cells.recipe import Recipe
from heldout.study.cells.sweep_tuning import has_sweep
from heldout.study.cells.training_part import TrainingPart
from heldout.study.cells.work import Work

if TYPE_CHECKING:
    from heldout.study.cells.cell import CellKey, CellResult


def quick_cell(work: Work, key: CellKey, notes: Notes) -> CellResult:
    """Fit every setting of a contender on a fold and keep the answers of all.

    The arrays of `predictions` have a first axis for the settings, and there are two more: "setting_scores"
    (setting × metric of the plan, in its order) and "setting_bits".
    """
    from heldout.study.cells.cell import CellResult

    contender, fold = work.contender(key.contender), work.fold(key.repeat, key.fold)
    recipe, clock = work.recipe_of(contender), Clock()
    part, test = work.part(fold.train), work.part(fold.test)
    if ignores_weights(recipe.learner, part):
        notes.once(f"{type(recipe.learner).__name__} takes no weights, so every row counted once in its fit")
    said: dict[int, dict[str, NDArray[Any]]] = {}
    scored: dict[int, dict[str, float]] = {}
    bits: dict[int, float] = {}
    is_foreign = False
    for place, fitted, answered in _answers(work, recipe, part, test, clock):
        said[place] = fold_predictions(work, answered, len(fold.test), contender.name)
        scored[place] = fold_scores(work.metrics, answered, test, notes, type(fitted.learner).__name__)
        bits[place] = fitted.length.bits
        is_foreign = is_foreign or fitted.length.is_pickled
    places = range(len(recipe.settings))
    predictions = {name: np.stack([said[place][name] for place in places]) for name in said[0]}
    predictions["setting_scores"] = np.array([list(scored[place].values()) for place in places])
    predictions["setting_bits"] = np.array([bits[place] for place in places])
    chosen_by = work.choose_by.name
    return CellResult(
        key=key,
        name=contender.name,
        chosen={},
        chosen_place=-1,
        choice_scores=np.array([scored[place][chosen_by] for place in places]),
        scores=scored[0] if len(places) == 1 else dict.fromkeys(scored[0], float("nan")),
        predictions=predictions,
        rows=fold.test,
        bits=bits[0] if len(places) == 1 else float("nan"),
        bits_are_foreign=is_foreign,
        seconds={"tune": 0.0, "fit": clock.fit, "predict": clock.predict},
        looks=cell_looks(work, fold, contender, is_tuned=False),
        fold_digest=fold.digest,
        tuned_by=chosen_by,
    )


class Clock:
    """Seconds of fitting and of predicting, added up.

    >>> Clock().fit
    0.0
    """

    def __init__(self) -> None:
        self.fit = 0.0
        self.predict = 0.0


def _answers(
    work: Work, recipe: Recipe, part: TrainingPart, test: TrainingPart, clock: Clock
) -> Iterator[tuple[int, FittedContender, AnsweredModel]]:
    """Each setting fitted, with its answers; settings that prepare alike share the preparation."""
    part = recipe.resampled(part)
    needs = needs_of(work.metrics)
    for places in places_alike(recipe.preparing):
        with failing_as(recipe.name, recipe.preparing[places[0]], doing="the preparation"):
            start = time.perf_counter()
            preparation, fitted_on, judged = recipe.prepared(recipe.preparing[places[0]], part, test)
            clock.fit += time.perf_counter() - start
        assert judged is not None
        learned = _by_sweep(recipe, places, fitted_on, judged, needs, clock)
        if learned is None:
            learned = _one_by_one(recipe, places, fitted_on, judged, needs, clock)
        for place, (model, answered) in zip(places, learned, strict=True):
            setting = dict(recipe.settings[place])
            yield (
                place,
                FittedContender(recipe.name, preparation, model, setting, 0.0, fitted_on.X),
                answered,
            )


def _by_sweep(
    recipe: Recipe,
    places: list[int],
    part: TrainingPart,
    judged: TrainingPart,
    needs: frozenset[str],
    clock: Clock,
) -> list[tuple[Any, AnsweredModel]] | None:
    """The learner of each of these settings and its answers from one sweep; None where there is none."""
    learner = recipe.learner
    if len(places) == 1 or not has_sweep(learner):
        return None
    start = time.perf_counter()
    try:
        settings = [recipe.learning[place] for place in places]
        sweep = learner.sweep(part.X, part.y, settings, **fit_arguments(learner, part))
        fitted = time.perf_counter()
        answered = list(answered_by_sweep(sweep, judged.X, needs))
        found = [(sweep.model(place), said) for place, said in enumerate(answered)]
    except MemoryError:
        raise
    except Exception:  # which setting it was is found out one by one
        return None
    clock.fit += fitted - start
    clock.predict += time.perf_counter() - fitted
    return found


def _one_by_one(
    recipe: Recipe,
    places: list[int],
    part: TrainingPart,
    judged: TrainingPart,
    needs: frozenset[str],
    clock: Clock,
) -> list[tuple[Any, AnsweredModel]]:
    found = []
    for place in places:
        with failing_as(recipe.name, recipe.settings[place]):
            start = time.perf_counter()
            model = recipe.unfitted(recipe.learning[place])
            own = own_part(model, part)
            model.fit(own.X, own.y, **fit_arguments(model, own))
            fitted = time.perf_counter()
            found.append((model, answered_by(model, judged.X, needs)))
        clock.fit += fitted - start
        clock.predict += time.perf_counter() - fitted
    return found
