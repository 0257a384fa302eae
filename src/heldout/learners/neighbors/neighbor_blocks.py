"""The search for neighbors in blocks of rows, so that memory stays bounded however many are asked for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from heldout.learners.neighbors.learned_metric import LearnedMetric
from heldout.learners.neighbors.stored_rows import StoredRows

# So many neighbors are searched for at once, and so many of them, or of rows, are looked at together.
NEIGHBORS_AT_ONCE = 1 << 22
NEIGHBORS_PER_BLOCK = 1 << 18
ROWS_PER_BLOCK = 512


@dataclass(frozen=True, eq=False)
class NeighborBlock:
    """The neighbors of some rows.

    part:      which of the rows that were asked for
    distances: row × rank, ascending
    positions: row × rank: the places of the neighbors among the training rows
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
    width:               how many numbers the answer to a row has, where that may be more than k
    """
    for part in parts_of(queries.n_rows, max(1, NEIGHBORS_AT_ONCE // k)):
        found = metric.nearest(references, queries.take(part), k, n_threads=n_threads)
        yield from _pieces(part, *found, width)


def blocks_without_own(
    metric: LearnedMetric, references: StoredRows, k: int, *, width: int = 1, n_threads: int = 1
) -> Iterator[NeighborBlock]:
    """The k nearest others of every reference; a row is left out by its place, not by its distance."""
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
