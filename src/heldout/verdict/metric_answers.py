"""Answers in the form that a metric takes them, with what else it wants to know."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.errors import DataError
from heldout.metrics.metric import Metric
from heldout.verdict.judged_rows import JudgedRows


@dataclass(frozen=True, eq=False)
class MetricAnswers:
    """What one repeat answered, for rows that were tested.

    answers: labels, numbers, or a table with a column per class; one line per row of the table
    options: what the metric is told besides: labels, positive
    """

    answers: NDArray[Any]
    options: dict[str, Any]


def answers_for(metric: Metric, answers: Answers, rows: JudgedRows, repeat: int) -> MetricAnswers:
    """The answers of one repeat; those of rows that were not tested mean nothing."""
    if metric.needs == "values":
        return MetricAnswers(_given(answers.values, metric, "values")[repeat], {})
    classes = list(rows.classes)
    known: dict[str, Any] = {} if rows.positive is None else {"positive": rows.positive}
    if metric.needs == "labels":
        codes = np.asarray(_given(answers.labels, metric, "labels")[repeat], dtype=np.intp)
        names = np.asarray(classes)[np.maximum(codes, 0)]
        return MetricAnswers(
            names, _taken(metric, known | ({"labels": classes} if len(classes) == 2 else {}))
        )
    if metric.needs == "scores" and len(classes) == 2:
        wanted = classes[1] if rows.positive is None else rows.positive
        if answers.scores is not None:
            line = answers.scores[repeat]
        else:
            line = _given(answers.probabilities, metric, "probabilities")[repeat][:, classes.index(wanted)]
        leveled = level_guesses(line, rows.folds[repeat], rows.y)
        return MetricAnswers(leveled, _taken(metric, {"positive": wanted}))
    table = _given(answers.probabilities, metric, "probabilities")[repeat]
    if metric.needs == "scores":
        table = level_guesses(table, rows.folds[repeat], rows.y)
    return MetricAnswers(table, _taken(metric, known | {"labels": classes}))


def _taken(metric: Metric, known: dict[str, Any]) -> dict[str, Any]:
    """What the metric takes and was not set; an average is over the classes that occur."""
    is_average = dict(metric.options).get("average") is not None
    left = {
        name: value
        for name, value in known.items()
        if metric.takes(name) and not (is_average and name == "labels")
    }
    return {name: value for name, value in left.items() if name not in dict(metric.options)}


def _given(array: NDArray[Any] | None, metric: Metric, name: str) -> NDArray[Any]:
    if array is None:
        raise DataError(
            f"the metric {metric.name!r} needs {name}, and none were kept",
            where=f"out-of-fold answers without {name}",
            fix="use a learner that gives them, or another metric",
        )
    return array


def level_guesses(scores: NDArray[Any], folds: NDArray[np.intp], y: NDArray[Any]) -> NDArray[Any]:
    """The scores of one repeat; where they tell nothing within any fold, one score for all rows.

    A guess by the shares of the classes gives all rows of a fold the same score. But a fold that holds many
    rows of a class leaves few of them to train on, so its guess is low where it should be high: ranked over
    folds, leaving out one row at a time, guessing would have an AUC of 0 instead of ½.

    scores: one per row, or a column for each class
    folds:  of the rows, −1 for rows that were not tested
    y:      the labels
    """
    is_asked = folds >= 0
    asked, parts = scores[is_asked], folds[is_asked]
    if len(np.unique(parts)) == len(parts):
        # With a row per fold every score is alone. A guess then depends on the class of the row that was left
        # out, and on nothing else, and by no more than one row of them all can change.
        parts = np.unique(y[is_asked], return_inverse=True)[1]
        if not np.ptp(asked, axis=0).max() <= 2 / len(parts):
            return scores
    if not _is_constant_within(asked, parts):
        return scores
    return np.broadcast_to(asked.mean(axis=0), scores.shape).copy()


def _is_constant_within(scores: NDArray[Any], parts: NDArray[np.intp]) -> bool:
    order = np.argsort(parts, kind="stable")
    with np.errstate(invalid="ignore"):
        steps = np.abs(np.diff(scores[order], axis=0)).reshape(len(order) - 1, -1)
    return bool((steps[np.diff(parts[order]) == 0] <= 1e-12).all())


@dataclass(frozen=True, eq=False)
class Answers:
    """Out-of-fold answers, one line per repeat; what a row was not asked is −1 or NaN.

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
        """How often each row was asked; 0 without answers."""
        given = (self.labels, self.values, self.probabilities, self.scores)
        return next((len(each) for each in given if each is not None), 0)
