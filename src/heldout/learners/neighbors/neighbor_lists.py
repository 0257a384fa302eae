"""The nearest others of every row of a table, from which the nearest among any part of its rows follow.

A metric that learns nothing from the training rows gives two rows the same distance in every fold. So the
neighbors of all rows are searched once, some more of them than will be asked for, and a fold only leaves out
those that it does not train on. Where too few are left the fold searches by itself.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.arrays import Floats
from heldout.errors import HeldoutError
from heldout.learners.neighbors.learned_metric import LearnedMetric
from heldout.learners.neighbors.stored_rows import StoredRows
from heldout.native import neighbors as native
from heldout.table.table import Table

# What is compared by these does not depend on the training rows.
UNLEARNED = ("l2", "l1", "linf", "cosine")
# Lists of more neighbors than this, 12 bytes each, are not kept.
MOST_NEIGHBORS = 30_000_000
QUERIES_AT_ONCE = 4096

Indices = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class NeighborLists:
    """The nearest others of each row of a table: the nearest first, ties by position.

    distances, positions: row × rank
    """

    distances: Floats
    positions: Indices

    @property
    def depth(self) -> int:
        return int(self.positions.shape[1])

    def among(
        self, members: NDArray[np.intp], queries: NDArray[np.intp], k: int
    ) -> tuple[Floats, Indices, NDArray[np.bool_]]:
        """Distances and indices of the k nearest members of each query, and whose lists are too short for k.

        members: ascending positions in the table, none of them twice and none of them a query
        queries: positions in the table
        """
        index_of = np.full(len(self.positions), -1, dtype=np.int32)
        index_of[members] = np.arange(len(members), dtype=np.int32)
        indices, distances, is_short = native.nearest_listed(
            self.positions, self.distances, index_of, queries, k
        )
        return distances, indices, is_short


class ListedRows:
    """Rows of a table whose neighbors are listed; a copy or a pickle of a learner leaves them behind.

    lists: of the whole table
    rows:  positions in it
    """

    def __init__(self, lists: NeighborLists, rows: NDArray[np.intp]) -> None:
        self.lists = lists
        self.rows = rows

    def __reduce__(self) -> tuple[Any, ...]:
        return _nothing, ()

    def __deepcopy__(self, memo: dict[int, Any]) -> ListedRows:
        return self


def share_lists(
    table: Table, metric: LearnedMetric, points: StoredRows, k: int, n_threads: int = 1
) -> NeighborLists | None:
    """Search the neighbors of all rows once, for every selection of rows of this table.

    table:  all rows
    points: the rows of the table as the metric compares them
    k:      how many neighbors will be asked for at most

    None where the metric learns from rows, where the lists would be too long, or rows are too far apart.
    """
    # Of so many neighbors k are left if seven of ten rows are trained on, but for one query in millions.
    depth = min(math.ceil(k / 0.7 + 5 * math.sqrt(k)) + 5, points.n_rows - 1)
    is_whole = table.n_rows == points.n_rows and table.base_rows is None
    if metric.name not in UNLEARNED or points.is_sparse or not is_whole or depth < k:
        return None
    if points.n_rows * depth > MOST_NEIGHBORS:
        return None
    try:
        found = metric.nearest(points, points, depth, leaves_own_out=True, n_threads=n_threads)
    except HeldoutError:  # a fold without the rows that are too far apart may do
        return None
    lists = NeighborLists(*found)
    table.shared[_key(metric)] = lists
    return lists


def listed_rows(X: object, metric: LearnedMetric) -> ListedRows | None:
    """The rows of X in a table whose neighbors by this metric are listed, ascending and each once; else None.

    metric: with the schema of the training rows
    """
    if not isinstance(X, Table) or not X.shared:
        return None
    lists = X.shared.get(_key(metric))
    if lists is None:
        return None
    chosen = X.base_rows
    n_rows = len(lists.positions)
    rows = np.arange(n_rows)[chosen] if chosen is None or isinstance(chosen, slice) else chosen
    rows = np.asarray(rows, dtype=np.intp).reshape(-1)
    is_ascending = bool((rows[1:] > rows[:-1]).all())
    return ListedRows(lists, rows) if is_ascending else None


def listed_blocks(
    members: ListedRows,
    queries: ListedRows,
    metric: LearnedMetric,
    references: StoredRows,
    points: StoredRows,
    k: int,
    n_threads: int,
) -> Iterator[NeighborBlock]:
    """The k nearest references of every query, by the lists where they are long enough, else by a search.

    references, points: the members and the queries as the metric compares them
    """
    for part in parts_of(len(queries.rows), QUERIES_AT_ONCE):
        distances, indices, is_short = members.lists.among(members.rows, queries.rows[part], k)
        if is_short.any():
            requested = points.take(part).take(is_short)
            distances[is_short], indices[is_short] = metric.nearest(
                references, requested, k, n_threads=n_threads
            )
        yield NeighborBlock(part, distances, indices)


def can_look_up(members: ListedRows | None, queries: ListedRows | None, k: int) -> bool:
    """Whether both are of one table, the lists are long enough, and no query is a member."""
    if members is None or queries is None or members.lists is not queries.lists or k > members.lists.depth:
        return False
    return not np.isin(queries.rows, members.rows, assume_unique=True).any()


def _key(metric: LearnedMetric) -> Hashable:
    names = tuple(metric.schema.names)
    return "neighbor lists", metric.name, names, metric.column_weights.tobytes()


def _nothing() -> None:
    return None


# So many neighbors are searched for at once, and so many of them, or of rows, are looked at together.
NEIGHBORS_AT_ONCE = 1 << 22
NEIGHBORS_PER_BLOCK = 1 << 18
ROWS_PER_BLOCK = 512


@dataclass(frozen=True, eq=False)
class NeighborBlock:
    """The neighbors of some rows.

    part:      which of the rows that were asked for
    distances: row × rank, ascending
    positions: row × rank: the indices of the neighbors among the training rows
    """

    part: slice
    distances: NDArray[np.float64]
    positions: NDArray[np.int32]


def neighbor_blocks(
    metric: LearnedMetric,
    references: StoredRows,
    queries: StoredRows,
    k: int,
    *,
    width: int = 1,
    n_threads: int = 1,
) -> Iterator[NeighborBlock]:
    """The k nearest references of every query.

    references, queries: as `metric.points` gives them
    width:               how many numbers the prediction of a row has, where that may be more than k
    """
    for part in parts_of(queries.n_rows, max(1, NEIGHBORS_AT_ONCE // k)):
        found = metric.nearest(references, queries.take(part), k, n_threads=n_threads)
        yield from _pieces(part, *found, width)


def blocks_without_own(
    metric: LearnedMetric, references: StoredRows, k: int, *, width: int = 1, n_threads: int = 1
) -> Iterator[NeighborBlock]:
    """The k nearest others of every reference; a row is left out by its index, not by its distance."""
    n_rows = references.n_rows
    if n_rows * k <= NEIGHBORS_AT_ONCE:
        found = metric.nearest(references, references, k, leaves_own_out=True, n_threads=n_threads)
        yield from _pieces(slice(0, n_rows), *found, width)
        return
    for part in parts_of(n_rows, max(1, NEIGHBORS_AT_ONCE // (k + 1))):
        found = metric.nearest(references, references.take(part), k + 1, n_threads=n_threads)
        yield from _pieces(part, *without_own(np.arange(part.start, part.stop), *found), width)


def without_own(
    own: NDArray[np.intp], distances: NDArray[np.float64], positions: NDArray[np.int32]
) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
    """One neighbor less for each row: itself if it is among them, else the farthest."""
    is_own = positions == own[:, np.newaxis]
    last = positions.shape[1] - 1
    dropped = np.where(is_own.any(axis=1), is_own.argmax(axis=1), last)
    is_kept = np.arange(last + 1) != dropped[:, np.newaxis]
    return distances[is_kept].reshape(-1, last), positions[is_kept].reshape(-1, last)


def _pieces(
    part: slice, distances: NDArray[np.float64], positions: NDArray[np.int32], width: int
) -> Iterator[NeighborBlock]:
    height = max(ROWS_PER_BLOCK, NEIGHBORS_PER_BLOCK // max(distances.shape[1], width))
    for piece in parts_of(len(distances), height):
        whole = slice(part.start + piece.start, part.start + piece.stop)
        yield NeighborBlock(whole, distances[piece], positions[piece])


def parts_of(n_rows: int, height: int) -> Iterator[slice]:
    """The rows in parts of this height, the last one of what is left; no rows are one empty part."""
    for begin in range(0, max(n_rows, 1), height):
        yield slice(begin, min(begin + height, n_rows))
