"""The metrics of a plan for one task: those that suit it, or those that are asked for, if they do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from heldout.errors import HeldoutError, RequestError
from heldout.metrics.metric import Metric
from heldout.metrics.metric_registry import metric_named
from heldout.stats.metric_families import FMeasure, MeanRecall
from heldout.table.task import Task
from heldout.text.numbers import share_text
from heldout.text.words import shorten

_OF_CLASSES = ("accuracy", "balanced_accuracy", "log_loss", "auc")
_OF_NUMBERS = ("rmse", "r2", "mae")


def task_metrics(requested: Sequence[Metric], choose_by: Metric, task: Task) -> tuple[Metric, ...]:
    """The metrics that contenders are scored by, each knowing the positive class; `choose_by` is one of them.

    asked: those that the plan names; none are those that suit the task
    """
    wanted = {each.name: each for each in requested or map(metric_named, _default_names(task))}
    if choose_by.name not in wanted:
        wanted = {choose_by.name: choose_by} | wanted
    elif not requested:  # one of the user's own may be called as one that is usual here
        wanted[choose_by.name] = choose_by
    return tuple(metric_for(metric, task) for metric in wanted.values())


def metric_for(metric: Metric, task: Task) -> Metric:
    """The metric, told which class is to be spotted; refused where it cannot judge answers of this task."""
    _check_needs(metric, task)
    bound = metric
    has_positive_class = task.positive is not None and metric.takes("positive")
    options = dict(metric.options)
    if has_positive_class and options.get("average") is None and "positive" not in options:
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
    usual = "rmse"
    if judges_numbers:
        usual = "auc" if metric.is_larger_better else "accuracy"
    raise RequestError(
        f"the metric {metric.name!r} judges {judged}",
        where=f"the task is {task.kind} of '{task.target}'",
        fix=f"use {usual!r}, or leave the metrics out",
    )


def _check_on_a_sample(metric: Metric, task: Task) -> None:
    """Ask a built-in metric for the score of perfect answers, one row of each class."""
    if task.kind == "regression" or not metric.built_in:
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
            fix=_advice(metric),
        ) from error


def _advice(metric: Metric) -> str:
    if metric.takes("average"):
        return f'use ho.metrics.metric_named("{metric.built_in}").using(average="macro")'
    return "use 'accuracy', 'balanced_accuracy' or 'log_loss'"


class _Perfect:
    """A model that is always right: X is what is true."""

    def __init__(self, classes: Any) -> None:
        self.classes_ = classes

    def predict(self, X: Any) -> Any:
        return X

    def predict_proba(self, X: Any) -> Any:
        return np.eye(len(X))


LARGEST_SHARE = 0.7


def default_choice(task: Task) -> tuple[Metric, str]:
    """The metric, and the reason in a sentence."""
    if task.kind == "regression":
        return metric_named("rmse"), (
            "Chosen by RMSE, the root mean squared error: it is in the unit of the target."
        )
    largest, share = largest_class(task)
    named = shorten(largest, 24)
    if share > LARGEST_SHARE and len(task.classes) == 2:
        return metric_named("auc"), (
            f"Chosen by AUC, which needs no threshold: the class {named} has {share_text(share)} of the"
            f" rows, more than {LARGEST_SHARE:.0%}, so accuracy would favor guessing it."
        )
    if share > LARGEST_SHARE:
        return metric_named("balanced_accuracy"), (
            f"Chosen by balanced accuracy: the class {named} has {share_text(share)} of the rows, more than"
            f" {LARGEST_SHARE:.0%}, and accuracy would favor guessing it."
        )
    return metric_named("accuracy"), (
        f"Chosen by accuracy: no class has more than {LARGEST_SHARE:.0%} of the rows, the largest,"
        f" {named}, has {share_text(share)}."
    )


def decision_metric(task: Task, choose_by: Metric, is_quick: bool) -> str:
    """By what every contender chooses its threshold within the training rows; empty where one half is used.

    Of two classes, F1 and balanced accuracy want a threshold of their own, and on an imbalanced table one
    half would hardly ever predict the rarer class. A quick plan has no inner folds to choose a threshold by.
    """
    if task.kind == "regression" or len(task.classes) != 2 or is_quick:
        return ""
    by_its_own = threshold_metric(choose_by, task)
    if by_its_own:
        return by_its_own
    is_decided = choose_by.needs == "labels"  # by accuracy, or by a metric that has its own opinion
    return "balanced_accuracy" if is_imbalanced(task) and not is_decided else ""


def threshold_metric(metric: Metric, task: Task) -> str:
    """By what a threshold is chosen for a metric: others are best at one half, or at no threshold at all."""
    if isinstance(metric.family, MeanRecall):
        return "balanced_accuracy"
    is_of_positive = metric.positive_class({}) in (None, task.positive)
    return "f1" if isinstance(metric.family, FMeasure) and is_of_positive else ""


def is_imbalanced(task: Task) -> bool:
    """Whether one class has so many rows that accuracy would favor guessing it."""
    return task.kind != "regression" and largest_class(task)[1] > LARGEST_SHARE


def largest_class(task: Task) -> tuple[str, float]:
    """The most frequent class and its share of the rows, by weight where rows have weights."""
    classes, codes = np.unique(task.y, return_inverse=True)
    counts = np.bincount(codes, weights=task.weights, minlength=len(classes))
    index = int(counts.argmax())
    return str(classes[index]), float(counts[index] / counts.sum())
