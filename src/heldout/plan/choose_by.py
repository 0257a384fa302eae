"""What settings and contenders are chosen by where the plan does not say, and why."""

from __future__ import annotations

import numpy as np

from heldout.metrics.metric import Metric
from heldout.metrics.metric_registry import metric_named
from heldout.table.describe import shortened
from heldout.table.task import Task

LARGEST_SHARE = 0.7


def default_choice(task: Task) -> tuple[Metric, str]:
    """The metric, and the reason in a sentence.

    >>> import heldout as ho
    >>> task = ho.Task(ho.datasets.load("penguins"), target="species")
    >>> metric, reason = default_choice(task)
    >>> print(reason)
    Chosen by accuracy: no class has more than 70% of the rows, the largest, Adelie, has 44%.
    """
    if task.kind == "regression":
        return metric_named("mse"), "Chosen by the mean squared error: the target is a number."
    largest, share = largest_class(task)
    named = shortened(largest, 24)
    if share > LARGEST_SHARE:
        return metric_named("balanced_accuracy"), (
            f"Chosen by balanced accuracy: the class {named} has {share:.0%} of the rows, more than"
            f" {LARGEST_SHARE:.0%}, and accuracy would favor guessing it."
        )
    return metric_named("accuracy"), (
        f"Chosen by accuracy: no class has more than {LARGEST_SHARE:.0%} of the rows, the largest,"
        f" {named}, has {share:.0%}."
    )


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
