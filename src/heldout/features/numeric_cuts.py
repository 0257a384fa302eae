"""Where to cut a column of numbers into intervals: by their width, or by how many rows they hold.

A cut belongs to the interval below it, as a threshold of a tree does.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from heldout.arrays import Floats

FEW_CUTS = 32


def cuts_by_width(known: Floats, n: int) -> Floats:
    """The ends of n intervals of equal width between the smallest and the largest value.

    They are rounded once, from exact fractions, so that a value that was written as such an end is one.

    known: values without gaps
    """
    if not len(known):
        return np.empty(0)
    lowest, highest = float(known.min()), float(known.max())
    start, width = Fraction(lowest), Fraction(highest) - Fraction(lowest)
    ends = {float(start + width * k / n) for k in range(1, n)}
    return np.array(sorted(end for end in ends if end < highest), dtype=np.float64)


def cuts_by_frequency(known: Floats, n: int) -> Floats:
    """Cuts between distinct values, after which n intervals hold as nearly as many rows as can be.

    The k-th cut is the one that leaves a number of rows below it nearest to k/n of all, of two that are as
    near the lower one. Rows of one value are never parted; where a value has so many rows that two cuts
    would be the same, there are fewer intervals.
    """
    distinct, counts = np.unique(known, return_counts=True)
    if len(distinct) < 2:
        return np.empty(0)
    n_below = np.cumsum(counts)[:-1]
    wanted = np.arange(1, n) * len(known)
    above = np.minimum(np.searchsorted(n_below * n, wanted), len(n_below) - 1)
    below = np.maximum(above - 1, 0)
    is_below_nearer = wanted - n_below[below] * n <= n_below[above] * n - wanted
    places = np.unique(np.where(is_below_nearer, below, above))
    return np.array([cut_between(distinct[place], distinct[place + 1]) for place in places.tolist()])


def cut_between(lower: float, upper: float) -> float:
    """Halfway between two values, in 15 digits; where that is not below the upper one, the lower one itself.

    Without the digits after them, which are rounding, a value that was written as the middle lies on the cut.
    """
    middle = float(lower / 2 + upper / 2)
    for cut in (float(f"{middle:.15g}"), middle):
        if lower <= cut < upper:
            return cut
    return float(lower)


def interval_positions(values: Floats, cuts: Floats) -> NDArray[np.int32]:
    """For each value the interval that it lies in, counted from 0, and -1 for a missing one."""
    if len(cuts) <= FEW_CUTS:  # as many comparisons take less time than searching
        places = np.zeros(len(values), dtype=np.int32)
        for cut in cuts:
            places += values > cut
    else:
        places = np.searchsorted(cuts, values, side="left").astype(np.int32)
    places[np.isnan(values)] = -1
    return places
