"""Metrics that are means over rows: what each row adds to them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.metrics.metric import Metric
from heldout.verdict.metric_answers import MetricAnswers, base_name

Numbers = NDArray[np.float64]
MEAN_LOSSES = ("accuracy", "error", "mse", "rmse", "mae", "log_loss", "brier")


def losses_of(metric: Metric, y: NDArray[Any], given: MetricAnswers) -> Numbers:
    """One number per row, whose mean is the metric; that of the square for the root of a mean.

    metric: one of MEAN_LOSSES

    >>> from heldout.metrics.metric_registry import metric_named
    >>> table = np.array([[0.5, 0.5], [0.1, 0.9]])
    >>> given = MetricAnswers(table, {"labels": [0, 1], "positive": 1})
    >>> losses_of(metric_named("brier"), np.array([0, 1]), given).round(3).tolist()
    [0.25, 0.01]
    """
    name = base_name(metric)
    if name in ("accuracy", "error"):
        hits = hits_of(y, given)
        return hits if name == "accuracy" else 1 - hits
    if name in ("mse", "rmse", "mae"):
        distance = np.asarray(y, dtype=np.float64) - np.asarray(given.answers, dtype=np.float64)
        return np.abs(distance) if name == "mae" else distance**2
    labels = list(dict(metric.options).get("labels", given.options.get("labels", ())))
    codes = _codes(y, labels)
    table = np.asarray(given.answers, dtype=np.float64)
    if name == "log_loss":
        edge = float(dict(metric.options).get("clip", 0.0))
        said = np.clip(table[np.arange(len(y)), codes], edge, 1 - edge)
        with np.errstate(divide="ignore"):
            return np.asarray(-np.log(said))
    squares = (table - np.eye(table.shape[1])[codes]) ** 2
    # Of two classes Brier's score is the square of one of them, of several the sum over all.
    return np.asarray(squares[:, 0] if table.shape[1] == 2 else squares.sum(axis=1))


def hits_of(y: NDArray[Any], given: MetricAnswers) -> Numbers:
    """1 for a row whose label was answered, 0 for others.

    >>> hits_of(np.array(["a", "b"]), MetricAnswers(np.array(["a", "a"]), {}))
    array([1., 0.])
    """
    return np.asarray(y == given.answers, dtype=np.float64)


def _codes(y: NDArray[Any], labels: list[Any]) -> NDArray[np.intp]:
    order = np.argsort(np.asarray(labels), kind="stable")
    return np.asarray(order[np.searchsorted(np.asarray(labels)[order], y)], dtype=np.intp)
