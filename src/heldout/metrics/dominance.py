"""Does one curve lie nowhere below another?"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from heldout.errors import RequestError

Floats = NDArray[np.float64]
# Sums of weights are rounded; those of rows are whole, and then nothing is forgiven.
ROUNDING = 1e-12
SAME_TOTAL = 1e-9


def lies_nowhere_below(first: tuple[Floats, Floats], second: tuple[Floats, Floats]) -> bool:
    """Whether the first curve lies nowhere below the second; equal curves lie so both ways.

    In ROC space and in PR space the answer is the same (Davis & Goadrich 2006): at every number of true
    positives fewer or as many false ones.

    first, second: false positives and true positives from (0, 0) on, of the same totals

    >>> better = np.array([0.0, 0.0, 2.0]), np.array([0.0, 1.0, 2.0])
    >>> worse = np.array([0.0, 2.0]), np.array([0.0, 2.0])
    >>> lies_nowhere_below(better, worse), lies_nowhere_below(worse, better)
    (True, False)
    """
    check_same_rows(first, second)
    places = np.union1d(first[0], second[0])
    low, high, unit = _heights(first, places)
    other_low, other_high, other_unit = _heights(second, places)
    is_whole = all((column == np.floor(column)).all() for column in (*first, *second))
    slack = 0.0 if is_whole else ROUNDING * float(first[1][-1]) * unit * other_unit
    is_above = (high * other_unit >= other_high * unit - slack) & (
        low * other_unit >= other_low * unit - slack
    )
    return bool(is_above.all())


def _heights(curve: tuple[Floats, Floats], places: Floats) -> tuple[Floats, Floats, Floats]:
    """How high the curve lies where it comes to each place and where it leaves it, and the unit of both.

    Heights between two points are kept as whole numbers over the distance of the points, so that counts are
    compared without a rounding.
    """
    across, upwards = curve
    first = np.searchsorted(across, places, "left")
    last = np.searchsorted(across, places, "right") - 1
    # A curve of rounded weights may end a trifle before the last place.
    first = np.minimum(first, len(across) - 1)
    is_point = last >= first
    start, stop = np.minimum(first, last), np.maximum(first, last)
    unit = np.where(is_point, 1.0, across[stop] - across[start])
    between = upwards[start] * unit + (upwards[stop] - upwards[start]) * (places - across[start])
    return np.where(is_point, upwards[start], between), np.where(is_point, upwards[stop], between), unit


def check_same_rows(first: tuple[Floats, Floats], second: tuple[Floats, Floats]) -> None:
    """Refuse curves that cannot be of the same rows: their totals differ.

    >>> check_same_rows((np.array([0.0, 2.0]), np.array([0.0, 1.0])), (np.array([2.0]), np.array([1.0])))
    """
    totals = [float(column[-1]) for column in (first[1], first[0], second[1], second[0])]
    if not np.allclose(totals[:2], totals[2:], rtol=SAME_TOTAL, atol=0.0):
        raise RequestError(
            "only curves of the same rows can be compared so",
            where=f"{totals[0]:,.10g} positives and {totals[1]:,.10g} negatives here,"
            f" {totals[2]:,.10g} and {totals[3]:,.10g} there",
            fix="score the same rows with both models",
        )
