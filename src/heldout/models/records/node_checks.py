"""What the checks of trees and of forests share: all entries of an array must hold, ranges must ascend."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.models.damaged_file import damaged

# Days whose microseconds fit into 64 bits.
MOST_DAYS = 1.06e8

Mask = NDArray[np.bool_]
Places = NDArray[np.int64]


def require(holds: Mask, what: str) -> None:
    """Refuse an array that does not hold in every entry; says in how many, and where first."""
    if not holds.all():
        wrong = np.flatnonzero(~holds)
        raise damaged(what, f"{len(wrong)} of {len(holds)} entries, first at {wrong[0]}")


def are_ascending(levels: NDArray[Any], begin: Places, end: Places, n_levels: Places) -> Mask:
    """Whether each range of these has positions among so many levels, each larger than the one before.

    levels:     one array in which all ranges lie
    begin, end: of each range, which is not empty
    n_levels:   how many levels there are for each range

    >>> pool = np.array([0, 2, 1, 3])
    >>> are_ascending(pool, np.array([0, 1, 2]), np.array([2, 3, 4]), np.array([3, 3, 3])).tolist()
    [True, False, False]
    """
    if not len(begin):
        return np.ones(0, dtype=np.bool_)
    n_falls = np.concatenate([[0], np.cumsum(levels[1:] <= levels[:-1])])
    is_rising = n_falls[end - 1] == n_falls[begin]
    return np.asarray(is_rising & (levels[begin] >= 0) & (levels[end - 1] < n_levels))
