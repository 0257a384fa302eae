"""The scores of a fold: what every metric of the plan says of the answers to its test rows."""

from __future__ import annotations

from collections.abc import Sequence

from heldout.metrics.metric import Metric
from heldout.study.cells.answered_model import AnsweredModel, metric_value
from heldout.study.cells.heard_warnings import Notes
from heldout.study.cells.training_part import TrainingPart


def needs_of(metrics: Sequence[Metric]) -> frozenset[str]:
    """What answers the metrics look at; answers are always kept, and probabilities where there are some.

    >>> from heldout.metrics.metric_registry import metric_named
    >>> sorted(needs_of([metric_named("auc")])), sorted(needs_of([metric_named("mse")]))
    (['labels', 'probabilities', 'scores'], ['values'])
    """
    asked = {metric.needs for metric in metrics}
    return frozenset(asked if "values" in asked else asked | {"labels", "probabilities"})


def fold_scores(
    metrics: Sequence[Metric],
    answered: AnsweredModel,
    judged: TrainingPart,
    notes: Notes,
    by: str = "a model",
) -> dict[str, float]:
    """Each metric by its name; NaN with a note where these rows or this model have none.

    answered: the answers of a model to the rows
    judged:   the answers that are true, and the weights of the rows
    by:       the name of the learner, for notes

    >>> import numpy as np
    >>> from heldout.metrics.metric_registry import metric_named
    >>> answered = AnsweredModel(np.array(["a", "b"]), np.array(["a", "b"]))
    >>> fold_scores([metric_named("accuracy")], answered, TrainingPart(None, np.array(["a", "a"])), Notes())
    {'accuracy': 0.5}
    """
    return {metric.name: metric_value(metric, answered, judged, notes, by) for metric in metrics}
