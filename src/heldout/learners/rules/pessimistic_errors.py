"""C4.5's pessimism: the upper limit of the errors that a leaf or rule makes, from those it made."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

# Where nearly all rows are wrong, C4.5 adds this part of the rest.
ADDED_TO_NEARLY_ALL = 0.67


def pessimistic_errors(
    total: NDArray[np.float64], wrong: NDArray[np.float64], confidence: float
) -> NDArray[np.float64]:
    """The errors that are exceeded with a chance of `confidence`, as C4.5 computes them.

    Without an error it is the exact binomial limit, from one error on the normal approximation with
    Wilson's square root and half an error for continuity, and between the two a straight line.

    total:      the weight of the rows
    wrong:      the weight of those that are wrong
    confidence: C4.5's CF; a smaller one is more pessimistic

    >>> pessimistic_errors(np.array([6.0, 16.0]), np.array([0.0, 1.0]), 0.25).round(3)
    array([1.238, 2.476])
    """
    total, wrong = np.asarray(total, float), np.asarray(wrong, float)
    if total.shape != wrong.shape:
        total, wrong = np.broadcast_arrays(total, wrong)
    rows = np.maximum(total, np.finfo(np.float64).tiny)
    none = rows * -np.expm1(np.log(confidence) / rows)
    some = np.maximum(wrong, 1.0)
    limits = np.where(
        some + 0.5 >= rows, some + ADDED_TO_NEARLY_ALL * (rows - some), _normal_limit(rows, some, confidence)
    )
    between = none + wrong * (limits - none)
    return np.where(total <= 0, 0.0, np.minimum(np.where(wrong < 1.0, between, limits), rows))


def _normal_limit(
    total: NDArray[np.float64], wrong: NDArray[np.float64], confidence: float
) -> NDArray[np.float64]:
    square = _squared_quantile(confidence)
    counted = np.minimum(wrong + 0.5, total)
    spread = np.sqrt(square * (counted * (1 - counted / total) + square / 4))
    return total * (counted + square / 2 + spread) / (total + square)


@lru_cache
def _squared_quantile(confidence: float) -> float:
    from statistics import NormalDist  # takes 10 ms

    return NormalDist().inv_cdf(confidence) ** 2
