"""Errors of predicted numbers: squares, absolute values, and the share of the variance that is explained.

Every sum is taken of differences divided by a power of two, which loses no digit, so that no square
overflows on the way; a result that is too large for a float is infinity.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from heldout.arrays import Floats
from heldout.errors import DataError, InputTypeError
from heldout.metrics.label_counts import check_row_counts, row_weights
from heldout.stats.checked_values import plain_numbers
from heldout.stats.metric_families import MAE, MSE, RMSE, enlarged
from heldout.table.column import NUMERIC_KINDS, Column
from heldout.text.words import first_of_rows

_FIX = "labels are judged by confusion, not by the size of errors"


def mse(y: Any, predicted: Any, weights: Any = None) -> float:
    """The mean squared error.

    Parameters
    ----------
    y
        the true number of each row
    predicted
        the answer for each row
    weights
        the sample weight of each row

    Examples
    --------
    >>> mse([1.0, 2.0, 4.0], [1.0, 3.0, 2.0])
    1.6666666666666667
    """
    off = _differences(y, predicted, weights)
    return MSE.enlarged(_mean(MSE.sizes(off.scaled), off.weights), off.power)


def rmse(y: Any, predicted: Any, weights: Any = None) -> float:
    """The root of the mean squared error, in the unit of y.

    Examples
    --------
    >>> rmse([0.0, 0.0], [3.0, 3.0])
    3.0
    """
    off = _differences(y, predicted, weights)
    return RMSE.enlarged(_mean(RMSE.sizes(off.scaled), off.weights), off.power)


def mae(y: Any, predicted: Any, weights: Any = None) -> float:
    """The mean absolute error, in the unit of y.

    Examples
    --------
    >>> mae([1.0, 2.0, 4.0], [1.0, 3.0, 2.0])
    1.0
    """
    off = _differences(y, predicted, weights)
    return MAE.enlarged(_mean(MAE.sizes(off.scaled), off.weights), off.power)


def rss(y: Any, predicted: Any, weights: Any = None) -> float:
    """The residual sum of squares, each multiplied by its weight.

    Examples
    --------
    >>> rss([1.0, 2.0, 4.0], [1.0, 3.0, 2.0])
    5.0
    """
    off = _differences(y, predicted, weights)
    return enlarged(_sum(MSE.sizes(off.scaled), off.weights), 2 * off.power)


def r2(y: Any, predicted: Any, weights: Any = None) -> float:
    """1 − RSS / RSS of always saying the mean of y: 1 is perfect, 0 no better than the mean, below 0 worse.

    NaN if all true numbers are equal, one row among them: then there is no variance to explain.

    Examples
    --------
    >>> r2([1.0, 2.0, 3.0], [1.0, 2.0, 2.5])
    0.875
    """
    off = _differences(y, predicted, weights)
    if off.true.min() == off.true.max():
        return math.nan
    power = _power(off.true)
    around = _reduced(off.true, power)
    around = around - _mean(around, off.weights)
    around = around - _mean(around, off.weights)  # what the first mean lost by rounding
    spread = _mean(around**2, off.weights)
    return 1.0 - enlarged(_mean(MSE.sizes(off.scaled), off.weights) / spread, 2 * (off.power - power))


@dataclass(frozen=True, eq=False)
class _Differences:
    """Rows of a weight above 0.

    scaled: predicted minus true, divided by 2 to the power; between -1 and 1
    """

    true: Floats
    scaled: Floats
    power: int
    weights: Floats | None


def number_array(values: Any, name: str) -> Floats:
    """One finite number per row."""
    if isinstance(values, Column) and values.kind not in NUMERIC_KINDS:
        raise InputTypeError(
            f"{name} must hold numbers",
            where=f"column '{values.name}' is of the kind {values.kind}",
            fix=_FIX,
        )
    array = plain_numbers(values, name, _FIX)
    if array.ndim != 1:
        raise DataError(
            f"{name} must have one number per row",
            where=f"{name} has the shape {array.shape}",
            fix="give a list or a one-dimensional array",
        )
    is_wrong = ~np.isfinite(array)
    if is_wrong.any():
        raise DataError(
            f"{name} has values that are missing or infinite",
            where=first_of_rows(is_wrong, f"{array[is_wrong.argmax()]:g}"),
            fix="leave those rows out, or find out why the model gave no number",
        )
    return array


def _differences(y: Any, predicted: Any, weights: Any) -> _Differences:
    true, predictions = number_array(y, "y"), number_array(predicted, "predicted")
    check_row_counts(len(true), len(predictions))
    row_weight = row_weights(weights, len(true))
    if row_weight is not None and not row_weight.all():
        kept = row_weight > 0
        true, predictions, row_weight = true[kept], predictions[kept], row_weight[kept]
    largest = max(float(np.abs(true).max()), float(np.abs(predictions).max()))
    if largest < 1e300:
        off = predictions - true
        power = _power(off)
        return _Differences(true, _reduced(off, power), power, row_weight)
    halves = predictions / 2 - true / 2  # a difference of two numbers may be too large for one
    power = _power(halves)
    return _Differences(true, _reduced(halves, power), power + 1, row_weight)


def _power(numbers: Floats) -> int:
    """The smallest power of two above all of them."""
    return math.frexp(float(np.abs(numbers).max()))[1]


def _reduced(numbers: Floats, power: int) -> Floats:
    return np.asarray(np.ldexp(numbers, -power))


def _sum(numbers: Floats, weights: Floats | None) -> float:
    return float(numbers.sum() if weights is None else (numbers * weights).sum())


def _mean(numbers: Floats, weights: Floats | None) -> float:
    if weights is None:
        return float(numbers.mean())
    scaled = weights / float(weights.max())  # so that tiny weights do not vanish in the products
    return float((numbers * scaled).sum() / scaled.sum())
