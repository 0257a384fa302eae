"""Where to cut a column of numbers into intervals: by width, by how many rows they hold, or by classes.

A cut belongs to the interval below it, as a threshold of a tree does.

By classes (Fayyad and Irani 1993) there are as many cuts as pay for themselves. The rows are cut where the
classes on both sides are least mixed, and both parts are cut again. A cut is accepted if the N rows become
shorter to write with it than without it, in bits:

    N·gain > log2(N - 1) + log2(3^k - 2) - (k·H - k1·H1 - k2·H2)

where H, H1 and H2 are the entropies of the classes in all rows and in both parts, and k, k1 and k2 count the
classes that occur there.

Sums of c·log2(c) are taken in whole units, a unit being about the last digit of the largest of them. So they
do not depend on the order of the classes, and cuts that are equally good are found to be so: the lowest wins.
"""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from heldout.arrays import Counts, Floats

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
    indices = np.unique(np.where(is_below_nearer, below, above))
    return np.array([cut_between(distinct[index], distinct[index + 1]) for index in indices.tolist()])


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
        indices = np.zeros(len(values), dtype=np.int32)
        for cut in cuts:
            indices += values > cut
    else:
        indices = np.searchsorted(cuts, values, side="left").astype(np.int32)
    indices[np.isnan(values)] = -1
    return indices


# 3^k has so many digits from here on that 2 less makes no difference.
_MANY_CLASSES = 64


def cuts_by_entropy(known: Floats, classes: NDArray[np.integer], most: int | None = None) -> Floats:
    """The cuts that Fayyad and Irani's rule accepts, ascending.

    known:   values without gaps
    classes: of each value a class, counted from 0
    most:    how many intervals there may be; those cuts are made first that gain most, in bits over the rows
             that they part. None sets no limit
    """
    if len(known) < 2:
        return np.empty(0)
    rows = _SortedRows.of(known, classes)
    waiting = [part for part in [rows.best_cut(0, len(known), np.zeros_like(rows.totals))] if part]
    cuts: list[float] = []
    while waiting and (most is None or len(cuts) < most - 1):
        part = heapq.heappop(waiting)
        cuts.append(cut_between(rows.values[part.index - 1], rows.values[part.index]))
        sides = [
            rows.best_cut(part.start, part.index, part.before),
            rows.best_cut(part.index, part.stop, part.before + part.left),
        ]
        for side in sides:
            if side:
                heapq.heappush(waiting, side)
    return np.array(sorted(cuts), dtype=np.float64)


@dataclass(frozen=True, order=True)
class _Part:
    """Rows from start to stop with the cut that they accept; the part that gains most is the smallest.

    less_units: minus what the cut gains, in units
    place:      the first row above the cut
    before:     of each class the rows before start; left: those from start to the cut
    """

    less_units: int
    start: int
    stop: int = field(compare=False)
    index: int = field(compare=False)
    before: Counts = field(compare=False)
    left: Counts = field(compare=False)


@dataclass(frozen=True, eq=False)
class _SortedRows:
    """Rows in the order of their values.

    values, classes: of each row
    nth:             of each row how many rows up to it have its class
    totals:          of each class the number of rows
    units:           c·log2(c) in whole units, for c from 0 to the number of rows
    """

    values: Floats
    classes: NDArray[np.intp]
    nth: Counts
    totals: Counts
    units: Counts

    @classmethod
    def of(cls, known: Floats, given: NDArray[np.integer]) -> _SortedRows:
        order = np.argsort(known, kind="stable")
        classes = given[order].astype(np.intp)
        totals = np.bincount(classes)
        by_class = np.argsort(classes.astype(np.min_scalar_type(len(totals))), kind="stable")
        nth = np.empty(len(known), dtype=np.int64)
        nth[by_class] = np.arange(1, len(known) + 1) - np.repeat(np.cumsum(totals) - totals, totals)
        return cls(known[order], classes, nth, totals, _units(len(known)))

    def best_cut(self, start: int, stop: int, before: Counts) -> _Part | None:
        """The best cut of the rows from start to stop, if it is accepted."""
        values, classes = self.values[start:stop], self.classes[start:stop]
        indices = np.flatnonzero(values[:-1] < values[1:])
        counts = np.bincount(classes, minlength=len(before))
        n_classes = int(np.count_nonzero(counts))
        if not len(indices) or n_classes < 2:
            return None
        mixed = self._mixed_units(self.nth[start:stop] - before[classes], counts[classes])[indices]
        # Each of the sums is at most about a unit for each class away from the truth.
        is_best = mixed <= mixed.min() + 4 * n_classes + 16
        first = int(indices[np.argmax(is_best)]) + 1
        left = np.bincount(classes[:first], minlength=len(before))
        if not is_worth_its_bits(left, counts - left):
            return None
        whole = int(self.units[stop - start] - self.units[counts].sum())
        return _Part(int(mixed[np.argmax(is_best)]) - whole, start, stop, start + first, before, left)

    def _mixed_units(self, nth: Counts, total: Counts) -> Counts:
        """After each row how mixed the rows up to it and those after it are: N·H of both, added, in units.

        nth, total: of each row how many of its class come up to it, and are there in all
        """
        units = self.units
        n_left = np.arange(1, len(nth) + 1)
        pure_left = np.cumsum(units[nth] - units[nth - 1])
        taken = np.cumsum(units[total - nth + 1] - units[total - nth])
        pure_right = taken[-1] - taken
        return np.asarray(units[n_left] + units[len(nth) - n_left] - pure_left - pure_right)


def is_worth_its_bits(left: Counts, right: Counts) -> bool:
    """Whether a cut pays for itself by Fayyad and Irani's rule.

    left, right: of each class how many rows lie on this side
    """
    sides = [left + right, left, right]
    n_rows, n_left, n_right = (int(side.sum()) for side in sides)
    n_classes = [int(np.count_nonzero(side)) for side in sides]
    bits, bits_left, bits_right = (_bits(side) for side in sides)
    shrinking = (
        n_classes[0] * bits / n_rows - n_classes[1] * bits_left / n_left - n_classes[2] * bits_right / n_right
    )
    gain = bits - bits_left - bits_right
    return gain > math.log2(n_rows - 1) + _log2_of_labelings(n_classes[0]) - shrinking


def _log2_of_labelings(n_classes: int) -> float:
    """log2(3^k - 2)."""
    if n_classes >= _MANY_CLASSES:
        return n_classes * math.log2(3)
    return math.log2(3**n_classes - 2)


def _bits(counts: Counts) -> float:
    """N·H: how many bits it takes to tell the classes of all these rows."""
    present = counts[counts > 0].astype(np.float64)
    n_rows = float(present.sum())
    return math.fsum([n_rows * math.log2(n_rows), *(-present * np.log2(present)).tolist()])


def _units(n_rows: int) -> Counts:
    counts = np.arange(n_rows + 1, dtype=np.float64)
    counts[0] = 1.0
    sums = counts * np.log2(counts)
    exponent = int(np.frexp(sums[-1])[1])
    return np.rint(np.ldexp(sums, 52 - exponent)).astype(np.int64)
