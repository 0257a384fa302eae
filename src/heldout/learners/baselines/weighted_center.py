"""The mean and the median of weighted numbers; a weight of 3 is the same as three equal numbers."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def weighted_mean(values: Floats, weights: Floats | None) -> float:
    """The mean, whose sums are rounded once: it does not depend on the order of the values.

    weights: of at least 0 and not all 0; None counts each value once

    >>> weighted_mean(np.array([1.0, 2.0]), np.array([3.0, 1.0]))
    1.25
    """
    if weights is not None:
        values, weights = values[weights > 0], weights[weights > 0]
    low, high = float(values.min()), float(values.max())
    # A power of two, which changes no digit, keeps large values from overflowing.
    _, exponent = math.frexp(max(abs(low), abs(high)))
    scaled = np.ldexp(values, -exponent)
    if weights is None:
        mean = math.fsum(scaled) / len(values)
    else:
        shares = np.ldexp(weights, -math.frexp(float(weights.max()))[1])
        mean = math.fsum(shares * scaled) / math.fsum(shares)
    return min(max(math.ldexp(mean, exponent), low), high)


def weighted_median(values: Floats, weights: Floats | None) -> float:
    """The value that has half of the weight on either side; the mean of two where both have.

    >>> weighted_median(np.array([1.0, 2.0, 9.0]), None)
    2.0
    >>> weighted_median(np.array([1.0, 2.0, 9.0]), np.array([1.0, 1.0, 2.0]))
    5.5
    """
    if weights is None:
        weights = np.ones(len(values))
    order = np.argsort(values[weights > 0], kind="stable")
    ordered, counted = values[weights > 0][order], weights[weights > 0][order]
    place = _middle(counted)
    lower = float(ordered[place])
    if _balance(counted, place) != 0:
        return lower
    upper = float(ordered[place + 1])
    mean = (lower + upper) / 2
    return mean if math.isfinite(mean) else lower / 2 + upper / 2


def _middle(weights: Floats) -> int:
    """The first place up to which, itself included, lies at least half of the weight."""
    totals = np.cumsum(weights)
    place = min(int(np.searchsorted(totals, totals[-1] / 2)), len(weights) - 1)
    # The sums are rounded, so they may be off by a place; the balance is not.
    while _balance(weights, place) < 0:
        place += 1
    while place > 0 and _balance(weights, place - 1) >= 0:
        place -= 1
    return place


def _balance(weights: Floats, place: int) -> float:
    """The weight up to a place, itself included, minus the weight behind it; its sign is exact."""
    return math.fsum(weights[: place + 1].tolist() + (-weights[place + 1 :]).tolist())
