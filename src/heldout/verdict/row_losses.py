"""Metrics that are means over rows: what each row adds to them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.arrays import Floats
from heldout.metrics.metric import Metric
from heldout.verdict.metric_answers import MetricAnswers, base_name, is_plain

MEAN_LOSSES = ("accuracy", "error", "mse", "rmse", "mae", "log_loss", "brier")


def losses_of(metric: Metric, y: NDArray[Any], given: MetricAnswers) -> Floats:
    """One number per row, whose mean is the metric; that of the square for the root of a mean.

    metric: one of MEAN_LOSSES
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


def hits_of(y: NDArray[Any], given: MetricAnswers) -> Floats:
    """1 for a row whose label was answered, 0 for others."""
    return np.asarray(y == given.answers, dtype=np.float64)


def _codes(y: NDArray[Any], labels: list[Any]) -> NDArray[np.intp]:
    order = np.argsort(np.asarray(labels), kind="stable")
    return np.asarray(order[np.searchsorted(np.asarray(labels)[order], y)], dtype=np.intp)


Value = Callable[[Floats], Floats]
# Rates of hits among counted rows: which of the cells tp, fp, fn, tn.
RATES = {
    "precision": ((0,), (0, 1)),
    "recall": ((0,), (0, 2)),
    "sensitivity": ((0,), (0, 2)),
    "specificity": ((3,), (3, 1)),
    "npv": ((3,), (3, 2)),
}
# More classes make more cells than rows are worth; their metrics take the long way.
MOST_CELLS = 36


def summed_parts(metric: Metric, y: NDArray[Any], given: MetricAnswers) -> tuple[Floats, Value] | None:
    """What each row adds (rows × sums) and the function of the sums; None for other metrics."""
    name = base_name(metric)
    if name in MEAN_LOSSES:
        return _mean_parts(losses_of(metric, y, given)), _root_mean if name == "rmse" else _mean
    if name == "r2":
        return _r2_parts(y, given)
    if name == "balanced_accuracy":
        return _balanced_parts(y, given)
    if name in (*RATES, "f1") and is_plain(metric) and _positive(metric, given) is not None:
        return _cells(metric, y, given), _rate_of_cells(name)
    if metric.needs == "labels" and metric.takes("weights"):
        return _label_cells(metric, y, given)
    return None


def _mean_parts(losses: Floats) -> Floats:
    """Losses and rows; who was sure and wrong has an infinite loss, which is counted by itself."""
    is_infinite = np.isinf(losses)
    ones = np.ones(len(losses))
    if not is_infinite.any():
        return np.column_stack([losses, ones])
    return np.column_stack([np.where(is_infinite, 0.0, losses), ones, is_infinite])


def _mean(sums: Floats) -> Floats:
    means = np.asarray(sums[..., 0] / sums[..., 1])
    return means if sums.shape[-1] == 2 else np.where(sums[..., 2] > 0, np.inf, means)


def _root_mean(sums: Floats) -> Floats:
    return np.asarray(np.sqrt(_mean(sums)))


def _r2_parts(y: NDArray[Any], given: MetricAnswers) -> tuple[Floats, Value]:
    numbers = np.asarray(y, dtype=np.float64)
    # Sums of squares around a middle keep their digits.
    around = numbers - numbers.mean()
    squares = (numbers - np.asarray(given.answers, dtype=np.float64)) ** 2

    def value(sums: Floats) -> Floats:
        whole = sums[..., 2] - sums[..., 1] ** 2 / sums[..., 3]
        return np.where(whole > 0, 1 - sums[..., 0] / whole, np.nan)

    return np.column_stack([squares, around, around**2, np.ones(len(y))]), value


def _balanced_parts(y: NDArray[Any], given: MetricAnswers) -> tuple[Floats, Value]:
    classes, codes = np.unique(y, return_inverse=True)
    is_of = np.eye(len(classes))[codes]
    hits = is_of * hits_of(y, given)[:, np.newaxis]

    def value(sums: Floats) -> Floats:
        half = sums.shape[-1] // 2
        right, counted = sums[..., :half], sums[..., half:]
        is_there = counted > 0
        recalls = np.where(is_there, right / np.where(is_there, counted, 1.0), 0.0)
        return np.asarray(recalls.sum(axis=-1) / is_there.sum(axis=-1))

    return np.hstack([hits, is_of]), value


def _positive(metric: Metric, given: MetricAnswers) -> Any:
    return dict(metric.options).get("positive", given.options.get("positive"))


def _cells(metric: Metric, y: NDArray[Any], given: MetricAnswers) -> Floats:
    """Whether each row is a true positive, false positive, false negative or true negative."""
    wanted = _positive(metric, given)
    is_positive, is_called = y == wanted, given.answers == wanted
    cells = (
        is_positive & is_called,
        ~is_positive & is_called,
        is_positive & ~is_called,
        ~is_positive & ~is_called,
    )
    return np.column_stack(cells).astype(np.float64)


def _rate_of_cells(name: str) -> Value:
    def f1(sums: Floats) -> Floats:
        below = 2 * sums[..., 0] + sums[..., 1] + sums[..., 2]
        return np.where(below > 0, 2 * sums[..., 0] / np.where(below > 0, below, 1.0), 0.0)

    if name == "f1":
        return f1
    above, counted = RATES[name]

    def rate(sums: Floats) -> Floats:
        below = sum(sums[..., cell] for cell in counted)
        hits = sum(sums[..., cell] for cell in above)
        return np.where(below > 0, hits / np.where(below > 0, below, 1.0), 0.0)

    return rate


def _label_cells(metric: Metric, y: NDArray[Any], given: MetricAnswers) -> tuple[Floats, Value] | None:
    """Any metric of labels that takes weights: a row adds to the cell of its label and answer."""
    labels, codes = np.unique(np.concatenate([y, given.answers]), return_inverse=True)
    n_labels = len(labels)
    if n_labels**2 > MOST_CELLS:
        return None
    cells = codes[: len(y)] * n_labels + codes[len(y) :]
    truth, answered = labels[np.arange(n_labels**2) // n_labels], labels[np.arange(n_labels**2) % n_labels]

    def value(sums: Floats) -> Floats:
        lines = np.atleast_2d(sums)
        found = [
            metric(truth[line > 0], answered[line > 0], weights=line[line > 0], **given.options)
            if (line > 0).any()
            else np.nan
            for line in lines
        ]
        return np.array(found).reshape(sums.shape[:-1])

    return np.eye(n_labels**2)[cells], value
