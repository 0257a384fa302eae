"""The upper convex hull of the points of an ROC curve: what can be reached by them and by drawing lots."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
# So few points are walked one by one.
FEW_POINTS = 2000
# A sweep over all points pays while it removes at least this share of them.
LEAST_REMOVED = 0.1


def hull_corners(across: Floats, upwards: Floats) -> NDArray[np.intp]:
    """The places of the corners of the upper convex hull, from left to right.

    Counts of rows are whole, so no corner is lost to rounding; what lies on a side is no corner.

    across, upwards: false and true positives, neither of them falling

    >>> hull_corners(np.array([0.0, 0.0, 1.0, 1.0, 2.0]), np.array([0.0, 1.0, 1.0, 2.0, 2.0])).tolist()
    [0, 1, 3, 4]
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


def _walked(places: NDArray[np.intp], across: list[float], upwards: list[float]) -> NDArray[np.intp]:
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
    return places[chain]
