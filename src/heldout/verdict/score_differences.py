"""How far two contenders are apart: what differs by rounding alone is equal."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from heldout.verdict.rivals import ROUNDING

Numbers = NDArray[np.float64]


def score_differences(first: Numbers, second: Numbers) -> Numbers:
    """first − second, and 0 where both agree but for rounding.

    A tree of one leaf and the baseline both answer the mean, and add it up in another order. No test may take
    the last digit of their errors for a difference, however often it comes out on the same side.

    Of two infinite losses it is not known.

    >>> score_differences(np.array([0.1 + 0.2, 0.5, np.inf, np.inf]), np.array([0.3, 0.25, 1.0, np.inf]))
    array([0.  , 0.25,  inf,  nan])
    """
    with np.errstate(invalid="ignore"):
        differences = first - second
    is_rounding = np.abs(differences) <= ROUNDING * np.maximum(np.abs(first), np.abs(second))
    return np.where(is_rounding & np.isfinite(differences), 0.0, differences)


def rounding_of(first: Numbers, second: Numbers) -> float:
    """The spread of differences below which they differ by rounding alone; it grows with the scores.

    >>> rounding_of(np.array([4e6]), np.array([2e6, np.nan]))
    4e-06
    """
    return ROUNDING * float(
        np.fmax.reduce(np.abs(np.concatenate([first.ravel(), second.ravel()])), initial=0.0)
    )
