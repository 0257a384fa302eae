"""The metrics of a plan for one task: those that suit it, or those that are asked for, if they do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from heldout.errors import HeldoutError, RequestError
from heldout.metrics.builtin_metrics import BUILT_IN
from heldout.metrics.metric import Metric
from heldout.metrics.metric_registry import metric_named
from heldout.table.task import Task

_OF_CLASSES = ("accuracy", "balanced_accuracy", "log_loss", "auc")
_OF_NUMBERS = ("rmse", "r2", "mae")
_INSTEAD = {
    "mse": "accuracy",
    "rmse": "accuracy",
    "mae": "accuracy",
    "rss": "accuracy",
    "r2": "auc",
    "error": "rmse",
    "accuracy": "rmse",
}


def task_metrics(asked: Sequence[Metric], choose_by: Metric, task: Task) -> tuple[Metric, ...]:
    """The metrics that contenders are scored by, each knowing the class to spot; `choose_by` is one of them.

    asked: those that the plan names; none are those that suit the task

    >>> import heldout as ho
    >>> task = ho.Task(ho.datasets.load("penguins"), target="species")
    >>> [metric.name for metric in task_metrics((), metric_named("accuracy"), task)]
    ['accuracy', 'balanced_accuracy', 'log_loss', 'auc']
    """
    wanted = list(asked) or [metric_named(name) for name in _default_names(task)]
    if choose_by.name not in [metric.name for metric in wanted]:
        wanted.insert(0, choose_by)
    return tuple(metric_for(metric, task) for metric in wanted)


def metric_for(metric: Metric, task: Task) -> Metric:
    """The metric, told which class is to be spotted; refused where it cannot judge answers of this task."""
    _check_needs(metric, task)
    bound = metric
    has_one_to_spot = task.positive is not None and metric.takes("positive")
    options = dict(metric.options)
    if has_one_to_spot and options.get("average") is None and "positive" not in options:
        bound = metric.using(name=metric.name, positive=task.positive)
    _check_on_a_sample(bound, task)
    return bound


def _default_names(task: Task) -> tuple[str, ...]:
    if task.kind == "regression":
        return _OF_NUMBERS
    if len(task.classes) == 2:
        return (*_OF_CLASSES, "f1")
    # The AUC of several classes takes no weights.
    return _OF_CLASSES if task.weights is None else _OF_CLASSES[:-1]


def _check_needs(metric: Metric, task: Task) -> None:
    judges_numbers = metric.needs == "values"
    if judges_numbers == (task.kind == "regression"):
        return
    judged = "numbers" if judges_numbers else "classes"
    usual = _INSTEAD.get(metric.name, "accuracy" if judges_numbers else "rmse")
    raise RequestError(
        f"the metric {metric.name!r} judges {judged}",
        where=f"the task is {task.kind} of '{task.target}'",
        fix=f"use {usual!r}, or leave the metrics out",
    )


def _check_on_a_sample(metric: Metric, task: Task) -> None:
    """Ask a built-in metric for the score of perfect answers, one row of each class."""
    known = {each.name: each for each in BUILT_IN if each.function == metric.function}
    if task.kind == "regression" or not known:
        return
    truth = np.array(task.classes)
    weights = np.ones(len(truth)) if task.weights is not None else None
    try:
        metric.scorer(_Perfect(truth), truth, truth, sample_weight=weights)
    except HeldoutError as error:
        raise RequestError(
            f"the metric {metric.name!r} cannot judge {len(task.classes)} classes"
            + (" of weighted rows" if task.weights is not None else ""),
            where=f"target '{task.target}': {error.what}",
            fix=_advice(metric, known),
        ) from error


def _advice(metric: Metric, known: dict[str, Metric]) -> str:
    if metric.takes("average"):
        return f'use ho.metrics.metric_named("{next(iter(known))}").using(average="macro")'
    return "use 'accuracy', 'balanced_accuracy' or 'log_loss'"


class _Perfect:
    """A model that is always right: X is what is true."""

    def __init__(self, classes: Any) -> None:
        self.classes_ = classes

    def predict(self, X: Any) -> Any:
        return X

    def predict_proba(self, X: Any) -> Any:
        return np.eye(len(X))
