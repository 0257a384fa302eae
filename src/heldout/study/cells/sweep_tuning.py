"""The scores of settings on one inner fold from a sweep: one fit answers for all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.metrics.metric import Metric
from heldout.study.cells.all_scores import all_scores, is_counted
from heldout.study.cells.answered_model import answered_by_sweep, metric_value
from heldout.study.cells.fit_arguments import fit_arguments
from heldout.study.cells.heard_warnings import Notes
from heldout.study.cells.own_arrays import is_ours
from heldout.study.cells.recipe import Recipe
from heldout.study.cells.training_part import TrainingPart


def has_sweep(learner: Any) -> bool:
    """Whether the learner is one of ours that sweeps; what others call a sweep may be anything.

    >>> from heldout import RuleClassifier, TreeClassifier
    >>> has_sweep(TreeClassifier()), has_sweep(RuleClassifier())
    (True, False)
    """
    return is_ours(learner) and hasattr(learner, "sweep")


def sweep_scores(
    recipe: Recipe,
    settings: Sequence[Mapping[str, Any]],
    part: TrainingPart,
    judged: TrainingPart,
    metric: Metric,
    notes: Notes,
) -> NDArray[np.float64]:
    """What the metric says of each setting, the same bits as from `generic_scores`; see there.

    >>> import heldout as ho
    >>> from heldout.metrics.metric_registry import metric_named
    >>> from heldout.study.cells.recipe import recipe_for
    >>> task = ho.Task(ho.datasets.load("penguins"), target="species")
    >>> recipe = recipe_for(ho.Contender("tree", ho.TreeClassifier()), task.X, seed=1)
    >>> part, settings = TrainingPart(task.X, task.y), [{"max_depth": 0}, {"max_depth": 2}]
    >>> sweep_scores(recipe, settings, part, part, metric_named("accuracy"), Notes()).round(2).tolist()
    [0.44, 0.97]
    """
    learner = recipe.learner
    if judged.weights is None and is_counted(metric) and not _knows_names(learner, settings):
        # Strings are slow to sort and to compare, and sorted classes have the order of their codes.
        part, judged = part.coded(), judged.coded()
    sweep = learner.sweep(part.X, part.y, list(map(dict, settings)), **fit_arguments(learner, part))
    if metric.needs in ("labels", "values") and judged.weights is None:
        found = all_scores(metric, judged.y, sweep.predict(judged.X))
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
