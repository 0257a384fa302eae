"""Out-of-fold predictions, and the form in which a metric takes them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.errors import DataError
from heldout.metrics.metric import Metric
from heldout.verdict.judged_rows import JudgedRows


@dataclass(frozen=True, eq=False)
class MetricInput:
    """The predictions of one repeat, for rows that were tested.

    predictions: labels, numbers, or a table with a column per class; one line per row of the table
    options:     what the metric is told besides: labels, positive
    """

    predictions: NDArray[Any]
    options: dict[str, Any]


def metric_input(metric: Metric, predictions: Predictions, rows: JudgedRows, repeat: int) -> MetricInput:
    """The predictions of one repeat; those of rows that were not tested mean nothing."""
    if metric.needs == "values":
        return MetricInput(_given(predictions.values, metric, "values")[repeat], {})
    classes = list(rows.classes)
    known: dict[str, Any] = {} if rows.positive is None else {"positive": rows.positive}
    if metric.needs == "labels":
        codes = np.asarray(_given(predictions.labels, metric, "labels")[repeat], dtype=np.intp)
        names = np.asarray(classes)[np.maximum(codes, 0)]
        return MetricInput(
            names, metric.options_for(known | ({"labels": classes} if len(classes) == 2 else {}))
        )
    if metric.needs == "scores" and len(classes) == 2:
        wanted = classes[1] if rows.positive is None else rows.positive
        if predictions.scores is not None:
            line = predictions.scores[repeat]
        else:
            table = _given(predictions.probabilities, metric, "probabilities")[repeat]
            line = table[:, classes.index(wanted)]
        leveled = pool_constant_scores(line, rows.folds[repeat], rows.y)
        return MetricInput(leveled, metric.options_for({"positive": wanted}))
    table = _given(predictions.probabilities, metric, "probabilities")[repeat]
    if metric.needs == "scores":
        table = pool_constant_scores(table, rows.folds[repeat], rows.y)
    return MetricInput(table, metric.options_for(known | {"labels": classes}))


def _given(array: NDArray[Any] | None, metric: Metric, name: str) -> NDArray[Any]:
    if array is None:
        raise DataError(
            f"the metric {metric.name!r} needs {name}, and none were kept",
            where=f"out-of-fold predictions without {name}",
            fix="use a learner that gives them, or another metric",
        )
    return array


def pool_constant_scores(scores: NDArray[Any], folds: NDArray[np.intp], y: NDArray[Any]) -> NDArray[Any]:
    """The scores of one repeat; where they tell nothing within any fold, one score for all rows.

    A guess by the shares of the classes gives all rows of a fold the same score. But a fold that holds many
    rows of a class leaves few of them to train on, so its guess is low where it should be high: ranked over
    folds, leaving out one row at a time, guessing would have an AUC of 0 instead of ½.

    scores: one per row, or a column for each class
    folds:  of the rows, −1 for rows that were not tested
    y:      the labels
    """
    is_tested = folds >= 0
    tested, parts = scores[is_tested], folds[is_tested]
    if len(np.unique(parts)) == len(parts):
        # With a row per fold every score is alone. A guess then depends on the class of the row that was left
        # out, and on nothing else, and by no more than one row of them all can change.
        parts = np.unique(y[is_tested], return_inverse=True)[1]
        if not np.ptp(tested, axis=0).max() <= 2 / len(parts):
            return scores
    if not _is_constant_within(tested, parts):
        return scores
    return np.broadcast_to(tested.mean(axis=0), scores.shape).copy()


def _is_constant_within(scores: NDArray[Any], parts: NDArray[np.intp]) -> bool:
    order = np.argsort(parts, kind="stable")
    with np.errstate(invalid="ignore"):
        steps = np.abs(np.diff(scores[order], axis=0)).reshape(len(order) - 1, -1)
    return bool((steps[np.diff(parts[order]) == 0] <= 1e-12).all())


@dataclass(frozen=True, eq=False)
class Predictions:
    """Out-of-fold predictions, one line per repeat; −1 or NaN for rows that were not tested.

    labels:        repeats × rows of class codes (places in the task's classes)
    values:        repeats × rows of predicted numbers
    probabilities: repeats × rows × classes
    scores:        repeats × rows, larger where the row is rather held for the positive class
    """

    labels: NDArray[Any] | None = None
    values: NDArray[Any] | None = None
    probabilities: NDArray[Any] | None = None
    scores: NDArray[Any] | None = None

    @property
    def n_repeats(self) -> int:
        """How often each row was predicted; 0 without predictions."""
        given = (self.labels, self.values, self.probabilities, self.scores)
        return next((len(each) for each in given if each is not None), 0)
