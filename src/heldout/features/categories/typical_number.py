"""One number for many: their mean, their median, or the most frequent of them.

Cells that a sparse matrix does not store are zeros, of which only the number is handed over.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def typical_number(known: Floats, how: str, n_zeros: int = 0) -> float:
    """The number that stands for all of them.

    known:   finite numbers
    how:     "mean", "median" (of the middle two the mean) or "mode" (of equally frequent ones the smallest)
    n_zeros: how many zeros there are besides

    >>> typical_number(np.array([3.0, 1.0, 3.0]), "median", n_zeros=1)
    2.0
    """
    typical = {"mean": _mean, "median": _median, "mode": _mode}[how](known, n_zeros)
    return typical + 0.0  # not -0.0


def _mean(known: Floats, n_zeros: int) -> float:
    n_numbers = len(known) + n_zeros
    low, high = (float(known.min()), float(known.max())) if len(known) else (0.0, 0.0)
    if n_zeros:
        low, high = min(low, 0.0), max(high, 0.0)
    with np.errstate(over="ignore", invalid="ignore"):
        total = float(known.sum())
    if math.isfinite(total):
        mean = total / n_numbers
    else:
        # A power of two, which changes no digit, keeps large values from overflowing.
        _, exponent = math.frexp(max(-low, high))
        mean = math.ldexp(float(np.ldexp(known, -exponent).sum()) / n_numbers, exponent)
    # Rounding may carry the mean of equal numbers beyond them.
    return min(max(mean, low), high)


def _median(known: Floats, n_zeros: int) -> float:
    n_numbers = len(known) + n_zeros
    n_below = int(np.count_nonzero(known < 0)) if n_zeros else 0
    lower, upper = (n_numbers - 1) // 2, n_numbers // 2
    # Where the zeros stand among the sorted numbers, and what is behind them.
    places = {place: place if place < n_below else place - n_zeros for place in (lower, upper)}
    stored = {
        place: among for place, among in places.items() if place < n_below or place >= n_below + n_zeros
    }
    ordered = np.partition(known, sorted(set(stored.values()))) if stored else known
    first, second = (float(ordered[stored[place]]) if place in stored else 0.0 for place in (lower, upper))
    middle = (first + second) / 2
    return middle if math.isfinite(middle) else first / 2 + second / 2


def _mode(known: Floats, n_zeros: int) -> float:
    if n_zeros > len(known):
        return 0.0
    distinct, counts = np.unique(known, return_counts=True)
    if n_zeros:
        distinct, counts = np.append(distinct, 0.0), np.append(counts, n_zeros)
        order = np.argsort(distinct, kind="stable")
        distinct, counts = distinct[order], counts[order]
        is_first = np.append(True, distinct[1:] != distinct[:-1])
        counts = np.add.reduceat(counts, np.flatnonzero(is_first))
        distinct = distinct[is_first]
    return float(distinct[counts.argmax()])
