"""What the intervals of a column are called."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from heldout.learners.trees.tree_text import shown_cut
from heldout.table.column import date_label, number_label

ANY_VALUE = "any value"


def interval_names(cuts: NDArray[np.float64], known: NDArray[np.float64], kind: str) -> tuple[str, ...]:
    """The intervals in words, all different, in order; the upper end belongs to an interval, the lower not.

    A cut is shown with as few digits as keep it between the training values on both of its sides.

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
    numbers = cuts.tolist()
    ways: list[Sequence[str]] = [
        [shown_cut(*each, kind) for each in zip(numbers, known[above - 1], known[above], strict=True)],
        [date_label(cut) if kind == "date" else number_label(cut) for cut in numbers],
        [number_label(cut) for cut in numbers],
    ]
    return list(next(shown for shown in ways if len(set(shown)) == len(numbers)))
