"""Settings chosen by the rows of a resample, and scored on the rows outside it, many times."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.arrays import Floats, Rows
from heldout.checks.values import check_choice
from heldout.errors import DataError, InputTypeError
from heldout.stats.metric_families import MAE, MSE, RowRate
from heldout.stats.score_pairs import check_same_kind
from heldout.stats.two_classes import label_array
from heldout.text.words import first_of_rows, plural

# So many numbers are held at once: 32 MB.
CHUNK = 4_000_000
# Sums of the same losses may differ in the last bits by the order of adding; such settings are tied.
ROUNDING = 1e-12


@dataclass(frozen=True)
class BagScores:
    """What the resamples found.

    scores:      of each setting on all rows
    best:        the place of the best setting, None where no setting has a score
    outside:     of each resample the score of its choice on the rows outside; NaN for none
    frequencies: how many resamples chose each setting
    """

    scores: Floats
    best: int | None
    outside: Floats
    frequencies: NDArray[np.int64]


def bag_scores_of_losses(losses: Floats, sign: int, draws: Iterator[Rows], n_bootstraps: int) -> BagScores:
    """The short way where a score is a mean over rows: counts of rows times losses.

    losses: rows × settings
    sign:   1 if larger is better, −1 if smaller
    draws:  the rows of each resample
    """
    n_rows, n_settings = losses.shape
    scores = losses.mean(axis=0) if n_rows else np.full(n_settings, np.nan)
    outside: list[Floats] = []
    chosen: list[Rows] = []
    size = max(CHUNK // max(n_rows, 1), 1)
    while drawn := list(islice(draws, size)):
        counts = np.stack([np.bincount(rows, minlength=n_rows) for rows in drawn]).astype(np.float64)
        inside = (counts @ losses) / counts.sum(axis=1, keepdims=True)
        choice = _first_best(sign * inside)
        is_out = (counts == 0).astype(np.float64)
        n_out = is_out.sum(axis=1)
        sums = np.take_along_axis(is_out @ losses, choice[:, np.newaxis], axis=1)[:, 0]
        outside.append(np.divide(sums, n_out, out=np.full(len(drawn), np.nan), where=n_out > 0))
        chosen.append(choice)
    found = np.concatenate(outside) if outside else np.full(n_bootstraps, np.nan)
    frequencies = np.bincount(np.concatenate(chosen) if chosen else [], minlength=n_settings)
    return BagScores(scores, _index(sign * scores), found, frequencies)


def bag_scores_of_metric(
    table: NDArray[Any], y: NDArray[Any], metric: Callable[..., Any], sign: int, draws: Iterator[Rows]
) -> BagScores:
    """The long way, which calls the metric for every resample and setting.

    table:  repeats × rows × settings of predictions
    metric: takes y and the predictions of one setting; its values for repeats are averaged
    """
    n_rows, n_settings = table.shape[1:]
    scores = _all_scores(table, y, np.arange(n_rows), metric)
    outside: list[float] = []
    frequencies = np.zeros(n_settings, dtype=np.int64)
    for rows in draws:
        choice = _index(sign * _all_scores(table, y, rows, metric))
        is_out = np.ones(n_rows, dtype=np.bool_)
        is_out[rows] = False
        left = np.flatnonzero(is_out)
        if choice is None:
            outside.append(np.nan)
            continue
        frequencies[choice] += 1
        outside.append(float(_all_scores(table[:, :, [choice]], y, left, metric)[0]))
    return BagScores(scores, _index(sign * scores), np.array(outside), frequencies)


def _all_scores(table: NDArray[Any], y: NDArray[Any], rows: Rows, metric: Callable[..., Any]) -> Floats:
    """The metric of every setting on these rows, averaged over the repeats; NaN without rows."""
    n_repeats, _, n_settings = table.shape
    if not len(rows):
        return np.full(n_settings, np.nan)
    truth = y[rows]
    values = [
        [metric(truth, table[repeat, rows, setting]) for setting in range(n_settings)]
        for repeat in range(n_repeats)
    ]
    try:
        return np.asarray(np.asarray(values, dtype=np.float64).mean(axis=0))
    except (TypeError, ValueError) as error:
        raise InputTypeError(
            "the metric must give one number",
            where=f"it gave {values[0][0]!r:.60}",
            fix="return a float; NaN where these rows have no score",
        ) from error


def _first_best(goodness: Floats) -> Rows:
    """Of each row of numbers the place of the largest, the first of those that differ by rounding only."""
    best = goodness.max(axis=1, keepdims=True)
    return np.asarray(np.argmax(goodness >= best - ROUNDING * np.abs(best), axis=1), dtype=np.intp)


def _index(goodness: Floats) -> int | None:
    """The place of the best; NaN is never the best."""
    if np.isnan(goodness).all():
        return None
    return int(_first_best(np.where(np.isnan(goodness), -np.inf, goodness)[np.newaxis])[0])


# Rates and errors whose mean over rows is the score.
_RATES = {"accuracy": RowRate(), "error": RowRate(is_error=True)}
_ERRORS = {"mse": MSE, "mae": MAE}
METRICS = (*_RATES, *_ERRORS)
SYNONYMS = {"zero_one": "error", "mean_squared_error": "mse", "mean_absolute_error": "mae", "acc": "accuracy"}


def row_losses(table: NDArray[Any], y: Any, metric: str | None) -> tuple[Floats, bool, str]:
    """What each row adds to the metric of each setting, whether larger is better, and the name.

    Repeats are averaged: the mean over rows and repeats is the mean over rows of these.

    table:  repeats × rows × settings: losses if y is None, otherwise predictions
    metric: one of METRICS; None for losses
    """
    if y is None or metric is None:
        return np.asarray(_finite(table, "losses").mean(axis=0)), False, "mean loss"
    truth = label_array(y)
    check_rows(truth, table)
    check_choice("metric", metric, METRICS, SYNONYMS)
    wanted = truth[np.newaxis, :, np.newaxis]
    if metric in _RATES:
        if table.size:
            check_same_kind({"y": truth, "predictions": table.ravel()})
        rate = _RATES[metric]
        return rate.is_hit(wanted, table).mean(axis=0), not rate.is_error, metric
    differences = _finite(table, "predictions") - _finite(wanted, "y")
    return _ERRORS[metric].sizes(differences).mean(axis=0), False, metric


def check_rows(truth: NDArray[Any], table: NDArray[Any]) -> None:
    """Refuse labels that are not one per row of repeats × rows × settings."""
    if len(truth) != table.shape[1]:
        raise DataError(
            "y does not fit the predictions",
            where=f"y has {plural(len(truth), 'row')}, the predictions {plural(table.shape[1], 'row')}",
            fix="give one label per row",
        )


def _finite(table: NDArray[Any], name: str) -> Floats:
    try:
        numbers = np.asarray(table, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputTypeError(
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
