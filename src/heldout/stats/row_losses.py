"""Metrics that are means over rows, as the losses of the rows themselves."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.errors import DataError, KindError
from heldout.stats.answer_pairs import check_same_kind
from heldout.stats.choices import check_choice
from heldout.stats.two_classes import label_array
from heldout.table.describe import first_of_rows, plural

Numbers = NDArray[np.float64]
METRICS = ("accuracy", "error", "mse", "mae")
SYNONYMS = {"zero_one": "error", "mean_squared_error": "mse", "mean_absolute_error": "mae", "acc": "accuracy"}


def row_losses(table: NDArray[Any], y: Any, metric: str | None) -> tuple[Numbers, bool, str]:
    """What each row adds to the metric of each setting, whether larger is better, and the name.

    Repeats are averaged: the mean over rows and repeats is the mean over rows of these.

    table:  repeats × rows × settings: losses if y is None, otherwise predictions
    metric: one of METRICS; None for losses

    >>> predicted = np.array([[[1, 0], [0, 0]]])
    >>> row_losses(predicted, [1, 0], "accuracy")[0].tolist()
    [[1.0, 0.0], [1.0, 1.0]]
    """
    if y is None or metric is None:
        return np.asarray(_finite(table, "losses").mean(axis=0)), False, "mean loss"
    truth = label_array(y)
    check_rows(truth, table)
    check_choice("metric", metric, METRICS, SYNONYMS)
    wanted = truth[np.newaxis, :, np.newaxis]
    if metric in ("accuracy", "error"):
        if table.size:
            check_same_kind({"y": truth, "predictions": table.ravel()})
        is_hit = np.asarray(table == wanted, dtype=np.float64)
        return (is_hit if metric == "accuracy" else 1 - is_hit).mean(axis=0), metric == "accuracy", metric
    distance = _finite(table, "predictions") - _finite(wanted, "y")
    return (np.square(distance) if metric == "mse" else np.abs(distance)).mean(axis=0), False, metric


def check_rows(truth: NDArray[Any], table: NDArray[Any]) -> None:
    """Refuse labels that are not one per row of repeats × rows × settings.

    >>> check_rows(np.array([1, 0]), np.array([[[1, 0], [0, 0]]]))
    """
    if len(truth) != table.shape[1]:
        raise DataError(
            "y does not fit the predictions",
            where=f"y has {plural(len(truth), 'row')}, the predictions {plural(table.shape[1], 'row')}",
            fix="give one label per row",
        )


def _finite(table: NDArray[Any], name: str) -> Numbers:
    try:
        numbers = np.asarray(table, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise KindError(
            f"{name} must be numbers",
            where=f"{name} of type {table.dtype}",
            fix="give y and metric='accuracy' to judge labels",
        ) from error
    is_bad = np.asarray(~np.isfinite(numbers).all(axis=(0, 2)))
    if is_bad.any():
        raise DataError(
            f"{name} must be finite numbers",
            where=first_of_rows(is_bad),
            fix="leave rows out for which a setting has no prediction",
        )
    return numbers
