"""The scores of settings on one inner fold, each setting fitted by itself: for any learner."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.metrics.metric import Metric
from heldout.study.cells.answered_model import answered_by, metric_value
from heldout.study.cells.fit_arguments import fit_arguments
from heldout.study.cells.heard_warnings import Notes
from heldout.study.cells.learner_failure import failing_as
from heldout.study.cells.own_arrays import own_part
from heldout.study.cells.recipe import Recipe
from heldout.study.cells.training_part import TrainingPart


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

    >>> import heldout as ho
    >>> from heldout.metrics.metric_registry import metric_named
    >>> from heldout.study.cells.recipe import recipe_for
    >>> task = ho.Task(ho.datasets.load("penguins"), target="species")
    >>> recipe = recipe_for(ho.Contender("tree", ho.TreeClassifier()), task.X, seed=1)
    >>> part, settings = TrainingPart(task.X, task.y), [{"max_depth": 0}, {"max_depth": 2}]
    >>> generic_scores(recipe, settings, part, part, metric_named("accuracy"), Notes()).round(2).tolist()
    [0.44, 0.97]
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
