"""The training rows from whose nearest others the class factors of neighbors are learned.

Rows of a class that lie apart, in a tail or between others, are seldom among anyone's neighbors, so votes
have too little of it. How much is known from the training rows, each predicted by the others.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from heldout.learners.neighbors.neighbor_lists import (
    NEIGHBORS_AT_ONCE,
    ListedRows,
    NeighborBlock,
    parts_of,
    without_own,
)

if TYPE_CHECKING:
    from heldout.learners.neighbors.neighbors_base import NeighborsBase

# No more training rows than these are asked, evenly spread; and none where more neighbors than this vote,
# which have nearly the shares of all rows.
MOST_ASKED = 2_000
MOST_NEIGHBORS = 2_000


def requested_rows(n_rows: int) -> NDArray[np.intp]:
    """The training rows that are asked, ascending."""
    return np.linspace(0, n_rows - 1, min(n_rows, MOST_ASKED)).astype(np.intp)


def blocks_of_others(learner: NeighborsBase, requested: NDArray[np.intp], k: int) -> Iterator[NeighborBlock]:
    """The k nearest others of these training rows of a fitted learner."""
    metric, points = learner._learned_metric, learner._reference_points
    members: ListedRows | None = learner.__dict__.get("_listed")
    if members is not None and k > members.lists.depth:
        members = None
    for part in parts_of(len(requested), max(1, NEIGHBORS_AT_ONCE // (k + 1))):
        own = requested[part]
        if members is not None:
            # The list of a row has no row twice and not the row itself.
            distances, positions, is_short = members.lists.among(members.rows, members.rows[own], k)
            searched = np.flatnonzero(is_short)
        else:
            distances, positions = np.empty((len(own), k)), np.empty((len(own), k), dtype=np.int32)
            searched = np.arange(len(own))
        if len(searched):
            rows = own[searched]
            found = metric.nearest(points, points.take(rows), k + 1, n_threads=learner._n_threads)
            distances[searched], positions[searched] = without_own(rows, *found)
        yield NeighborBlock(part, distances, positions)
