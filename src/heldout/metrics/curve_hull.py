"""The upper convex hull of the points of an ROC curve: what can be reached by them and by drawing lots."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from heldout.arrays import Floats
from heldout.errors import RequestError

# So few points are walked one by one.
FEW_POINTS = 2000
# A sweep over all points pays while it removes at least this share of them.
LEAST_REMOVED = 0.1


def hull_corners(across: Floats, upwards: Floats) -> NDArray[np.intp]:
    """The places of the corners of the upper convex hull, from left to right.

    Counts of rows are whole, so no corner is lost to rounding; what lies on a side is no corner.

    across, upwards: false and true positives, neither of them falling
    """
    # Tiny weights add nothing to a sum, so a point may stand there twice, and both would lie on a line.
    is_new = (np.diff(across) != 0) | (np.diff(upwards) != 0)
    kept = np.flatnonzero(np.append(True, is_new))
    while len(kept) > FEW_POINTS:
        # A point on or below the line between two others is no corner, whichever others are removed with it.
        above = _rises(across[kept], upwards[kept]) > 0
        n_before = len(kept)
        kept = kept[np.concatenate([[True], above, [True]])]
        if n_before - len(kept) < LEAST_REMOVED * n_before:
            break
    return _walked(kept, across[kept].tolist(), upwards[kept].tolist())


def _rises(across: Floats, upwards: Floats) -> Floats:
    """How far each inner point lies above the line between its neighbors, times the length of that line."""
    wide, high = across[2:] - across[:-2], upwards[2:] - upwards[:-2]
    return np.asarray(wide * (upwards[1:-1] - upwards[:-2]) - high * (across[1:-1] - across[:-2]))


def _walked(indices: NDArray[np.intp], across: list[float], upwards: list[float]) -> NDArray[np.intp]:
    """Andrew's monotone chain."""
    chain: list[int] = []
    for point, (x, y) in enumerate(zip(across, upwards, strict=True)):
        while len(chain) >= 2:
            first, middle = chain[-2], chain[-1]
            wide, high = x - across[first], y - upwards[first]
            if wide * (upwards[middle] - upwards[first]) > high * (across[middle] - across[first]):
                break
            chain.pop()
        chain.append(point)
    return indices[chain]


# Below this the logarithm is better replaced by its series.
SMALL = 1e-3
_BLOCK = 1 << 16


def area_below_roc(true_positives: Floats, false_positives: Floats) -> float:
    """The area of the trapezoids; NaN if a class is empty."""
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
    """The average precision: that of each threshold times the recall that it adds; NaN without positives."""
    n_positives = float(true_positives[-1])
    if n_positives == 0:
        return math.nan
    found = np.diff(true_positives)
    called = true_positives[1:] + false_positives[1:]
    return float(np.sum(found * (true_positives[1:] / called))) / n_positives


# Sums of weights are rounded; those of rows are whole, and then nothing is forgiven.
ROUNDING = 1e-12
SAME_TOTAL = 1e-9


def lies_nowhere_below(first: tuple[Floats, Floats], second: tuple[Floats, Floats]) -> bool:
    """Whether the first curve lies nowhere below the second; equal curves lie so both ways.

    In ROC space and in PR space the answer is the same (Davis & Goadrich 2006): at every number of true
    positives fewer or as many false ones.

    first, second: false positives and true positives from (0, 0) on, of the same totals
    """
    check_same_rows(first, second)
    indices = np.union1d(first[0], second[0])
    low, high, unit = _heights(first, indices)
    other_low, other_high, other_unit = _heights(second, indices)
    is_whole = all((column == np.floor(column)).all() for column in (*first, *second))
    slack = 0.0 if is_whole else ROUNDING * float(first[1][-1]) * unit * other_unit
    is_above = (high * other_unit >= other_high * unit - slack) & (
        low * other_unit >= other_low * unit - slack
    )
    return bool(is_above.all())


def _heights(curve: tuple[Floats, Floats], indices: Floats) -> tuple[Floats, Floats, Floats]:
    """How high the curve lies where it comes to each place and where it leaves it, and the unit of both.

    Heights between two points are kept as whole numbers over the distance of the points, so that counts are
    compared without a rounding.
    """
    across, upwards = curve
    first = np.searchsorted(across, indices, "left")
    last = np.searchsorted(across, indices, "right") - 1
    # A curve of rounded weights may end a trifle before the last place.
    first = np.minimum(first, len(across) - 1)
    is_point = last >= first
    start, stop = np.minimum(first, last), np.maximum(first, last)
    unit = np.where(is_point, 1.0, across[stop] - across[start])
    between = upwards[start] * unit + (upwards[stop] - upwards[start]) * (indices - across[start])
    return np.where(is_point, upwards[start], between), np.where(is_point, upwards[stop], between), unit


def check_same_rows(first: tuple[Floats, Floats], second: tuple[Floats, Floats]) -> None:
    """Refuse curves that cannot be of the same rows: their totals differ."""
    totals = [float(column[-1]) for column in (first[1], first[0], second[1], second[0])]
    if not np.allclose(totals[:2], totals[2:], rtol=SAME_TOTAL, atol=0.0):
        raise RequestError(
            "only curves of the same rows can be compared so",
            where=f"{totals[0]:,.10g} positives and {totals[1]:,.10g} negatives here,"
            f" {totals[2]:,.10g} and {totals[3]:,.10g} there",
            fix="score the same rows with both models",
        )
