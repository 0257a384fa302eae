"""The scores of a fold: what every metric of the plan says of the answers to its test rows."""

from __future__ import annotations

from collections.abc import Sequence

from heldout.metrics.metric import Metric
from heldout.study.cells.fold_predictions import AnsweredModel, metric_value
from heldout.study.cells.guarded_fit import Notes
from heldout.study.cells.training_part import TrainingPart


def needs_of(metrics: Sequence[Metric]) -> frozenset[str]:
    """What answers the metrics look at; answers are always kept, and probabilities where there are some."""
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
    """
    return {metric.name: metric_value(metric, answered, judged, notes, by) for metric in metrics}
