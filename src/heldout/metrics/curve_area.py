"""Areas below curves, from counts: trapezoids below ROC, and the integral of precision over recall."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
# Below this the logarithm is better replaced by its series.
SMALL = 1e-3
_BLOCK = 1 << 16


def area_below_roc(true_positives: Floats, false_positives: Floats) -> float:
    """The area of the trapezoids; NaN if a class is empty.

    >>> area_below_roc(np.array([0.0, 1.0, 2.0]), np.array([0.0, 0.0, 1.0]))
    0.75
    """
    n_positives, n_negatives = float(true_positives[-1]), float(false_positives[-1])
    if n_positives == 0 or n_negatives == 0:
        return math.nan
    doubled = np.diff(false_positives) * (true_positives[1:] + true_positives[:-1])
    return min(math.fsum(doubled.tolist()) / (2 * n_positives * n_negatives), 1.0)


def area_below_precision(true_positives: Floats, false_positives: Floats) -> float:
    """The integral of precision over the number of true positives, interpolated by counts.

    Between two points each further true positive brings the same number of false ones (Goadrich, Oliphant &
    Shavlik 2004; Davis & Goadrich 2006). The integral over such a stretch has a closed form: the number of
    true positives in it times a mean of the precision at its beginning and of the precision within it.

    >>> round(area_below_precision(np.array([5.0, 10.0]), np.array([5.0, 30.0])) / 20, 5)
    0.08017
    """
    total = 0.0
    for start in range(0, len(true_positives) - 1, _BLOCK):
        part = slice(start, start + _BLOCK + 1)
        total += _stretches(true_positives[part], false_positives[part])
    return total


def _stretches(true_positives: Floats, false_positives: Floats) -> float:
    found = np.diff(true_positives)
    rises = np.flatnonzero(found > 0)
    found = found[rises]
    begun = true_positives[rises] + false_positives[rises]
    called = found + np.diff(false_positives)[rises]
    at_start = np.divide(true_positives[rises], begun, out=np.zeros_like(begun), where=begun > 0)
    weight, other = _weights(called, begun)
    return float(np.sum(found * (weight * at_start + other * (found / called))))


def _weights(called: Floats, begun: Floats) -> tuple[Floats, Floats]:
    """ln(1 + x)/x and 1 − ln(1 + x)/x for x = called/begun; 0 and 1 where the curve begins."""
    ratio = np.divide(called, begun, out=np.full_like(called, np.inf), where=begun > 0)
    finite = np.where(np.isinf(ratio), 1.0, ratio)
    weight = np.where(np.isinf(ratio), 0.0, np.log1p(finite) / finite)
    series = finite * (1 / 2 - finite * (1 / 3 - finite * (1 / 4 - finite * (1 / 5 - finite / 6))))
    return weight, np.where(finite < SMALL, series, 1 - weight)


def mean_precision(true_positives: Floats, false_positives: Floats) -> float:
    """The average precision: that of each threshold times the recall that it adds; NaN without positives.

    >>> mean_precision(np.array([0.0, 1.0, 2.0]), np.array([0.0, 0.0, 2.0]))
    0.75
    """
    n_positives = float(true_positives[-1])
    if n_positives == 0:
        return math.nan
    found = np.diff(true_positives)
    called = true_positives[1:] + false_positives[1:]
    return float(np.sum(found * (true_positives[1:] / called))) / n_positives
