"""The scores of a fold: what every metric of the plan says of the answers to its test rows."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.arrays import Floats
from heldout.metrics import builtin_metrics, regression_errors
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


# Differences of larger numbers may overflow; the metric itself knows what to do with them.
LARGEST = 1e300


def all_scores(metric: Metric, y: NDArray[Any], answers: NDArray[Any]) -> Floats | None:
    """The value of the metric for each row of answers; None where the metric has to be asked one by one.

    y:       one true answer per row
    answers: setting × row, as Sweep.predict gives them
    """
    counted = _FAST.get(metric.function)
    if counted is None or metric.options or not len(y) or not answers.size:
        return None
    return counted(y, answers)


def is_counted(metric: Metric) -> bool:
    """Whether the metric only counts which labels are equal, so that codes will do for labels."""
    return metric.function in _COUNTED and not metric.options


def _are_plain_labels(y: NDArray[Any], answers: NDArray[Any]) -> bool:
    """Whether equality of the arrays is equality of the labels."""
    return y.dtype.kind == answers.dtype.kind and y.dtype.kind in "iubU"


def _accuracies(y: NDArray[Any], answers: NDArray[Any]) -> Floats | None:
    if not _are_plain_labels(y, answers):
        return None
    return np.asarray(np.count_nonzero(answers == y, axis=1) / len(y))


def _errors(y: NDArray[Any], answers: NDArray[Any]) -> Floats | None:
    if not _are_plain_labels(y, answers):
        return None
    return np.asarray(np.count_nonzero(answers != y, axis=1) / len(y))


def _balanced(y: NDArray[Any], answers: NDArray[Any]) -> Floats | None:
    if not _are_plain_labels(y, answers):
        return None
    classes, codes = np.unique(y, return_inverse=True)
    is_right = answers == y
    counts = np.bincount(codes, minlength=len(classes))
    hits = np.stack([np.bincount(codes, right, len(classes)) for right in is_right.astype(np.float64)])
    recalls = hits / counts
    # Summed setting by setting: a sum along an axis may add in another order.
    return np.array([recall.sum() / float(len(classes)) for recall in recalls])


def _off(y: NDArray[Any], answers: NDArray[Any]) -> tuple[Floats, NDArray[Any]] | None:
    """Differences between −1 and 1, and the power of two that each row of them was divided by."""
    if y.dtype.kind not in "fiu" or answers.dtype != np.float64:
        return None
    true = y.astype(np.float64, copy=False)
    # Written so that NaN is refused too.
    if not (np.abs(answers).max() < LARGEST and np.abs(true).max() < LARGEST):
        return None
    off = answers - true
    powers = np.frexp(np.abs(off).max(axis=1))[1]
    return np.ldexp(off, -powers[:, None]), powers


def _squared(y: NDArray[Any], answers: NDArray[Any]) -> Floats | None:
    found = _off(y, answers)
    if found is None:
        return None
    scaled, powers = found
    scaled *= scaled
    return np.array([_enlarged(_mean(row), 2 * power) for row, power in zip(scaled, powers, strict=True)])


def _root_squared(y: NDArray[Any], answers: NDArray[Any]) -> Floats | None:
    found = _off(y, answers)
    if found is None:
        return None
    scaled, powers = found
    scaled *= scaled
    return np.array(
        [_enlarged(math.sqrt(_mean(row)), power) for row, power in zip(scaled, powers, strict=True)]
    )


def _absolute(y: NDArray[Any], answers: NDArray[Any]) -> Floats | None:
    found = _off(y, answers)
    if found is None:
        return None
    scaled, powers = np.abs(found[0]), found[1]
    return np.array([_enlarged(_mean(row), power) for row, power in zip(scaled, powers, strict=True)])


def _enlarged(number: float, power: Any) -> float:
    try:
        return math.ldexp(float(number), int(power))
    except OverflowError:
        return math.inf


_COUNTED = (builtin_metrics.accuracy, builtin_metrics.error, builtin_metrics.balanced_accuracy)
_FAST: dict[Any, Callable[[NDArray[Any], NDArray[Any]], Floats | None]] = {
    builtin_metrics.accuracy: _accuracies,
    builtin_metrics.error: _errors,
    builtin_metrics.balanced_accuracy: _balanced,
    regression_errors.mse: _squared,
    regression_errors.rmse: _root_squared,
    regression_errors.mae: _absolute,
}


def _mean(row: Floats) -> Any:
    # The same bits as `row.mean()`, which takes four times as long to begin.
    return np.add.reduce(row) / len(row)
