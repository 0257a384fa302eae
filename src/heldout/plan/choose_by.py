"""What settings and contenders are chosen by where the plan does not say, and why."""

from __future__ import annotations

import numpy as np

from heldout.metrics.metric import Metric
from heldout.metrics.metric_registry import metric_named
from heldout.stats.shown_number import shown_share
from heldout.table.describe import shortened
from heldout.table.task import Task

LARGEST_SHARE = 0.7
# The metrics that a threshold can be chosen for: the others are best at one half, or at no threshold at all.
THRESHOLD_METRICS = ("balanced_accuracy", "f1")


def default_choice(task: Task) -> tuple[Metric, str]:
    """The metric, and the reason in a sentence.

    >>> import heldout as ho
    >>> task = ho.Task(ho.datasets.load("penguins"), target="species")
    >>> metric, reason = default_choice(task)
    >>> print(reason)
    Chosen by accuracy: no class has more than 70% of the rows, the largest, Adelie, has 44%.
    """
    if task.kind == "regression":
        return metric_named("rmse"), (
            "Chosen by RMSE, the root mean squared error: it is in the unit of the target."
        )
    largest, share = largest_class(task)
    named = shortened(largest, 24)
    if share > LARGEST_SHARE and len(task.classes) == 2:
        return metric_named("auc"), (
            f"Chosen by AUC, which needs no threshold: the class {named} has {shown_share(share)} of the"
            f" rows, more than {LARGEST_SHARE:.0%}, so accuracy would favor guessing it."
        )
    if share > LARGEST_SHARE:
        return metric_named("balanced_accuracy"), (
            f"Chosen by balanced accuracy: the class {named} has {shown_share(share)} of the rows, more than"
            f" {LARGEST_SHARE:.0%}, and accuracy would favor guessing it."
        )
    return metric_named("accuracy"), (
        f"Chosen by accuracy: no class has more than {LARGEST_SHARE:.0%} of the rows, the largest,"
        f" {named}, has {shown_share(share)}."
    )


def decision_metric(task: Task, choose_by: Metric, is_quick: bool) -> str:
    """By what every contender chooses its threshold within the training rows; empty where one half is used.

    Of two classes, F1 and balanced accuracy want a threshold of their own, and on an imbalanced table one
    half would hardly ever predict the rarer class. A quick plan has no inner folds to choose a threshold by.

    >>> import heldout as ho
    >>> task = ho.Task(ho.datasets.load("penguins"), target="species")
    >>> decision_metric(task, metric_named("accuracy"), is_quick=False)
    ''
    """
    if task.kind == "regression" or len(task.classes) != 2 or is_quick:
        return ""
    if choose_by.name in THRESHOLD_METRICS:
        return choose_by.name
    is_decided = choose_by.needs == "labels"  # by accuracy, or by a metric that has its own opinion
    return "balanced_accuracy" if is_imbalanced(task) and not is_decided else ""


def is_imbalanced(task: Task) -> bool:
    """Whether one class has so many rows that accuracy would favor guessing it.

    >>> import heldout as ho
    >>> is_imbalanced(ho.Task(ho.datasets.load("penguins"), target="species"))
    False
    """
    return task.kind != "regression" and largest_class(task)[1] > LARGEST_SHARE


def largest_class(task: Task) -> tuple[str, float]:
    """The most frequent class and its share of the rows, by weight where rows have weights.

    >>> import heldout as ho
    >>> name, share = largest_class(ho.Task(ho.datasets.load("penguins"), target="species"))
    >>> name, round(share, 2)
    ('Adelie', 0.44)
    """
    classes, codes = np.unique(task.y, return_inverse=True)
    counts = np.bincount(codes, weights=task.weights, minlength=len(classes))
    place = int(counts.argmax())
    return str(classes[place]), float(counts[place] / counts.sum())
