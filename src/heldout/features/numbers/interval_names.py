"""What the intervals of a column are called."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from heldout.learners.trees.tree_text import SECONDS_A_DAY
from heldout.table.column import date_label, number_label

ANY_VALUE = "any value"
# What numbers that were written by hand and their middles have: such a cut is shown as it is.
FEW_DIGITS = 9
# How far a cut may be from what is shown of it, as a part of the narrowest interval.
NEAR = 1e-4


def interval_names(cuts: NDArray[np.float64], known: NDArray[np.float64], kind: str) -> tuple[str, ...]:
    """The intervals in words, all different, in order; the upper end belongs to an interval, the lower not.

    A cut of few digits is shown with all of them, any other with six, or as many more as it takes to be near
    it and between the training values on both of its sides.

    known: the training values that were cut, without gaps
    kind:  "number" or "date"

    >>> interval_names(np.array([2.4499999999999997, 4.75]), np.array([1.9, 3.0, 4.7, 4.8]), "number")
    ('≤ 2.45', '> 2.45 to 4.75', '> 4.75')
    >>> interval_names(np.array([]), np.array([7.0]), "number")
    ('any value',)
    """
    if not len(cuts):
        return (ANY_VALUE,)
    ends = _shown_cuts(cuts, np.sort(known), kind)
    between = [f"> {lower} to {upper}" for lower, upper in pairwise(ends)]
    return (f"≤ {ends[0]}", *between, f"> {ends[-1]}")


def _shown_cuts(cuts: NDArray[np.float64], known: NDArray[np.float64], kind: str) -> list[str]:
    """The cuts rounded; where two would look the same, with all digits."""
    above = np.searchsorted(known, cuts, side="right")
    numbers, gaps = cuts.tolist(), list(zip(known[above - 1].tolist(), known[above].tolist(), strict=True))
    if kind == "date":
        has_times = bool((known != np.floor(known)).any())
        rounded = [_shown_date(cut, gap, has_times) for cut, gap in zip(numbers, gaps, strict=True)]
    else:
        near = float(np.diff(np.array([known[0], *numbers, known[-1]]) / 2).min()) * 2 * NEAR
        rounded = [_shown_number(cut, gap, near) for cut, gap in zip(numbers, gaps, strict=True)]
    ways = [
        rounded,
        [date_label(cut) if kind == "date" else number_label(cut) for cut in numbers],
        [number_label(cut) for cut in numbers],
    ]
    return next(shown for shown in ways if len(set(shown)) == len(numbers))


def _shown_number(cut: float, gap: tuple[float, float], near: float) -> str:
    """A cut that has few digits with all of them, any other with as few as do.

    gap:  the training values on both sides, between which what is shown stays
    near: how far what is shown may be from the cut
    """
    for digits, most in ((FEW_DIGITS, 2e-15 * abs(cut)), (6, near), (9, near), (12, near), (15, near)):
        rounded = float(f"{cut:.{digits}g}")
        if gap[0] <= rounded < gap[1] and abs(rounded - cut) <= most:
            return number_label(rounded)
    return number_label(cut)


def _shown_date(cut: float, gap: tuple[float, float], has_times: bool) -> str:
    """The day of a cut between days, and the second of one between times of day."""
    rounded = round(cut * SECONDS_A_DAY) / SECONDS_A_DAY if has_times else math.floor(cut)
    return date_label(rounded if gap[0] <= rounded < gap[1] else cut)
