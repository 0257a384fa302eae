"""Predicted numbers beside the true ones, out of fold: misses, their drift and spread, and their shape."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.arrays import Floats
from heldout.metrics.reliability import probability_bins
from heldout.report.predictions.fold_band import fold_band, fold_spread
from heldout.report.predictions.requested_rows import RequestedRows
from heldout.report.predictions.short_numbers import one_rounded, rounded
from heldout.results.standings import weighted_quantiles

MOST_BINS, FEWEST_BINS = 10, 3
# So many rows make a bin of the line, and so many of a fold.
ROWS_OF_A_BIN, FOLD_ROWS_OF_A_BIN = 15, 2
MOST_DOTS, LARGEST_MISSES = 400, 40
MOST_BARS, FEWEST_BARS = 25, 7
# Beyond these shares of the rows a bar holds all that is further out.
OUTERMOST = 0.005
MIDDLE = (0.1, 0.25, 0.5, 0.75, 0.9)


def residual_numbers(requested: RequestedRows, true: Floats, predicted: Floats) -> dict[str, Any]:
    """The numbers of the three pictures; a residual is the true number minus the predicted one.

    true, said: one for each question, finite
    """
    residuals = true - predicted
    return {
        "is_constant": requested.is_constant(predicted),
        "errors": error_numbers(requested, true, residuals),
        "dots": _dots(requested, true, predicted),
        "line": line_numbers(requested, true, predicted),
        "bars": bar_numbers(requested, residuals),
    }


def error_numbers(requested: RequestedRows, true: Floats, residuals: Floats) -> dict[str, Any]:
    """Mean, median and largest miss, means over the repeats, and what part of the spread is explained."""
    weights, misses = requested.weights, np.abs(residuals)
    mse = float(np.average(residuals**2, weights=weights))
    by_repeat = [requested.repeats == each for each in np.unique(requested.repeats)]
    quantiles = weighted_quantiles(residuals, weights, np.array(MIDDLE))
    halves = weighted_quantiles(misses, weights, np.array([0.5, 0.9]))
    by_fold = [float(np.average(misses[part], weights=weights[part])) for part in requested.parts()]
    return {
        "mae": one_rounded(float(np.average(misses, weights=weights))),
        "maes": fold_spread(by_fold),
        "rmse": one_rounded(float(np.sqrt(mse))),
        "bias": one_rounded(float(np.average(residuals, weights=weights))),
        "median": one_rounded(float(halves[0])),
        "ninety": one_rounded(float(halves[1])),
        "largest": one_rounded(float(misses.max())),
        "r2": one_rounded(
            float(np.mean([_r2(true[each], residuals[each], weights[each]) for each in by_repeat]))
        ),
        "quantiles": {"shares": list(MIDDLE), "values": rounded(quantiles)},
    }


def line_numbers(requested: RequestedRows, true: Floats, predicted: Floats) -> dict[str, Any]:
    """Bins by the predicted number: the mean of what was true in each, and how far folds scatter."""
    n_rows = float(requested.weights.sum())
    fewest = min(n_rows / ROWS_OF_A_BIN, requested.rows_of_a_fold / FOLD_ROWS_OF_A_BIN)
    n_bins = int(min(max(fewest, FEWEST_BINS), MOST_BINS))
    indices = probability_bins(predicted, requested.weights, n_bins, "frequency")
    n_bins = int(indices.max()) + 1
    residuals = true - predicted
    by_fold = [_bin_means(indices[p], residuals[p], requested.weights[p], n_bins) for p in requested.parts()]
    bins = [_bin(requested.weights, true, predicted, indices == index) for index in range(n_bins)]
    return {"bins": bins, "band": fold_band(np.array(by_fold))}


def bar_numbers(requested: RequestedRows, residuals: Floats) -> dict[str, Any]:
    """A histogram of the residuals in shares of the rows, and how far folds scatter."""
    n_rows = float(requested.weights.sum())
    ends = np.array([OUTERMOST, 1 - OUTERMOST])
    low, high = weighted_quantiles(residuals, requested.weights, ends).tolist()
    n_bars = int(min(max(np.sqrt(n_rows), FEWEST_BARS), MOST_BARS))
    if not low < high:
        low, high, n_bars = float(residuals.min()), float(residuals.max()), 1
        room = max(abs(low) * 0.05, 0.5) if low == high else 0.0
        low, high = low - room, high + room
    edges = np.linspace(low, high, n_bars + 1)
    indices = np.clip(np.searchsorted(edges, residuals, side="right") - 1, 0, n_bars - 1)
    by_fold = np.array(
        [_shares(indices[part], requested.weights[part], n_bars) for part in requested.parts()]
    )
    is_beyond = (residuals < edges[0]) | (residuals > edges[-1])
    return {
        "edges": rounded(edges),
        "shares": rounded(_shares(indices, requested.weights, n_bars)),
        "band": fold_band(by_fold),
        "beyond": one_rounded(float(requested.weights[is_beyond].sum())),
    }


def _shares(indices: NDArray[np.intp], weights: Floats, n_bars: int) -> Floats:
    return np.asarray(np.bincount(indices, weights, minlength=n_bars) / weights.sum())


def _bin_means(indices: NDArray[np.intp], numbers: Floats, weights: Floats, n_bins: int) -> Floats:
    sizes = np.bincount(indices, weights, minlength=n_bins)
    sums = np.bincount(indices, weights * numbers, minlength=n_bins)
    return np.asarray(np.divide(sums, sizes, out=np.full(n_bins, np.nan), where=sizes > 0))


def _bin(weights: Floats, true: Floats, predicted: Floats, is_in: NDArray[np.bool_]) -> dict[str, Any]:
    inside = weights[is_in]
    residuals = (true - predicted)[is_in]
    low, high = weighted_quantiles(residuals, inside, np.array([0.1, 0.9])).tolist()
    return {
        "said": one_rounded(float(np.average(predicted[is_in], weights=inside))),
        "true": one_rounded(float(np.average(true[is_in], weights=inside))),
        "residual": one_rounded(float(np.average(residuals, weights=inside))),
        "residual_low": one_rounded(low),
        "residual_high": one_rounded(high),
        "n_rows": one_rounded(float(inside.sum())),
    }


def _r2(true: Floats, residuals: Floats, weights: Floats) -> float:
    around = true - np.average(true, weights=weights)
    spread = float(np.dot(weights, around**2))
    return 1 - float(np.dot(weights, residuals**2)) / spread if spread > 0 else float("nan")


def _dots(requested: RequestedRows, true: Floats, predicted: Floats) -> dict[str, Any]:
    """One dot for each row, as it was answered first; of many rows the largest misses and an even choice."""
    first = np.unique(requested.rows, return_index=True)[1]
    n_rows = len(first)
    if n_rows > MOST_DOTS:
        misses = np.abs(true[first] - predicted[first])
        farthest = np.argsort(-misses, kind="stable")
        order = farthest[LARGEST_MISSES:]
        order = order[np.argsort(predicted[first][order], kind="stable")]
        evenly = np.linspace(0, len(order) - 1, MOST_DOTS - LARGEST_MISSES).round().astype(np.intp)
        first = first[np.sort(np.concatenate([farthest[:LARGEST_MISSES], order[evenly]]))]
    return {"said": rounded(predicted[first]), "true": rounded(true[first]), "n_rows": n_rows}
