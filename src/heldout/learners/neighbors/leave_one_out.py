"""Leave-one-out for every K at once: each row is predicted by the nearest of all others.

What a metric has learned from the rows must not know the row that is left out. The ranges of Gower change
only where a row alone holds a column's end: those rows, at most two per column, are searched for again
with the ranges of the others. The covariance of Mahalanobis changes with every row, so there every row is
searched for with the covariance of the others; that takes as long as so many fits, and is refused where
nobody would wait for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.arrays import Floats
from heldout.errors import DataError, HeldoutError, RequestError
from heldout.learners.neighbors.learned_metric import LearnedMetric, learn_metric
from heldout.learners.neighbors.neighbor_lists import (
    NEIGHBORS_PER_BLOCK,
    NeighborBlock,
    blocks_without_own,
    parts_of,
)
from heldout.learners.neighbors.stored_rows import StoredRows
from heldout.learners.parameters import Parameter
from heldout.text.words import plural

# Rows² × (columns² + 64) of a Mahalanobis metric that is learned anew for every row: some minutes.
MOST_WORK = 2 * 10**11
OF_A_ROW = 64


@dataclass(frozen=True, eq=False)
class LeaveOneOut:
    """The error of every K when each row is predicted by the others.

    Parameters
    ----------
    measure
        "error rate" or "mean squared error"
    errors
        the error for K = 1, 2, …
    n_rows
        how many rows were left out, one after the other
    predictions
        K × row: the predictions, if they were asked for, else None
    """

    measure: str
    errors: Floats
    n_rows: int
    predictions: NDArray[Any] | None = None

    @property
    def ks(self) -> NDArray[np.intp]:
        return np.arange(1, len(self.errors) + 1)

    @property
    def best_k(self) -> int:
        """The K of the smallest error, the smallest of equally good ones."""
        return int(self.errors.argmin()) + 1

    @property
    def best_error(self) -> float:
        """The error of `best_k`; as the best of many it is a little too good."""
        return float(self.errors.min())

    def error(self, k: int) -> float:
        """The error for this K."""
        if not Parameter("k", number="integer", lowest=1).allows(k) or k > len(self.errors):
            raise RequestError(
                f"the error for K = {k!r:.40} is not known",
                where=f"the errors are those of K = 1 to {len(self.errors)}",
                fix="ask for one of these, or raise k_max",
            )
        return float(self.errors[int(k) - 1])

    def __str__(self) -> str:
        wrong = ""
        if self.measure == "error rate":
            wrong = f", {round(self.best_error * self.n_rows)} of {self.n_rows} rows wrong"
        chosen = (
            f"; as the best of {len(self.errors)} it is a little too good" if len(self.errors) > 1 else ""
        )
        return (
            f"Leave-one-out over {plural(self.n_rows, 'row')}, K = 1 to {len(self.errors)}:"
            f" the {self.measure} is smallest at K = {self.best_k} ({self.best_error:.4g}{wrong}){chosen}."
        )


def left_out_blocks(
    metric: LearnedMetric, rows: StoredRows, points: StoredRows, k: int, *, width: int, n_threads: int
) -> Iterator[NeighborBlock]:
    """The k nearest others of every row, by the metric that was learned without it.

    metric: learned from all rows
    points: the rows as it compares them
    width:  how many numbers the prediction of a row has
    """
    if metric.name == "mahalanobis":
        yield from _each_anew(metric, rows, k, n_threads)
        return
    again = _rows_to_search_again(metric, rows)
    for block in blocks_without_own(metric, points, k, width=width, n_threads=n_threads):
        changed = again[(again >= block.part.start) & (again < block.part.stop)]
        if not len(changed):
            yield block
            continue
        distances, positions = block.distances.copy(), block.positions.copy()
        for row in changed.tolist():
            index = row - block.part.start
            distances[index], positions[index] = _search_without(metric, rows, row, k, n_threads)
        yield replace(block, distances=distances, positions=positions)


def _rows_to_search_again(metric: LearnedMetric, rows: StoredRows) -> NDArray[np.intp]:
    """The rows without which the metric would be another one, ascending."""
    if metric.name != "gower":
        return np.empty(0, dtype=np.intp)
    numbers = rows.numbers
    ends = [np.fmin.reduce(numbers, axis=0), np.fmax.reduce(numbers, axis=0)]
    alone = [
        np.flatnonzero(is_end[:, column])
        for is_end in (numbers == end for end in ends)
        for column in np.flatnonzero(is_end.sum(axis=0) == 1).tolist()
    ]
    return np.unique(np.concatenate([np.empty(0, dtype=np.intp), *alone]))


def _each_anew(metric: LearnedMetric, rows: StoredRows, k: int, n_threads: int) -> Iterator[NeighborBlock]:
    _refuse_long_work(rows)
    for part in parts_of(rows.n_rows, max(1, NEIGHBORS_PER_BLOCK // k)):
        found = [_search_without(metric, rows, row, k, n_threads) for row in range(part.start, part.stop)]
        distances, positions = zip(*found, strict=True)
        yield NeighborBlock(part, np.stack(distances), np.stack(positions))


def _search_without(
    metric: LearnedMetric, rows: StoredRows, row: int, k: int, n_threads: int
) -> tuple[Floats, NDArray[np.int32]]:
    others = rows.without(row)
    try:
        anew = learn_metric(metric.name, metric.schema, metric.column_weights, others)
    except DataError as error:
        raise DataError(
            f"{error.what}, where row {row + 1} is left out", where=error.where, fix=error.fix
        ) from error
    query = anew.points(rows.take(slice(row, row + 1)))
    distances, positions = anew.nearest(anew.points(others), query, k, n_threads=n_threads)
    return distances[0], np.where(positions[0] >= row, positions[0] + 1, positions[0])


def _refuse_long_work(rows: StoredRows) -> None:
    n_rows, n_columns = rows.numbers.shape
    if n_rows**2 * (n_columns**2 + OF_A_ROW) > MOST_WORK:
        raise RequestError(
            "leaving each of so many rows out takes too long with a metric that is learned from the rows",
            where=f"{n_rows:,} rows and {n_columns} columns; the covariance changes with each row",
            fix='cross-validate with fewer folds, or use metric="l2" on scaled columns',
        )


def last_k(k_max: int | None, n_rows: int) -> int:
    """The largest K that is asked for: None is one less than there are rows."""
    if n_rows < 2:
        raise DataError(
            "leave-one-out needs another row", where=f"n_samples = {n_rows}", fix="hand over two rows or more"
        )
    if k_max is None:
        return n_rows - 1
    if isinstance(k_max, bool) or not isinstance(k_max, int | np.integer) or not 1 <= k_max < n_rows:
        raise _no_such_k(k_max, n_rows)
    return int(k_max)


def _no_such_k(k_max: int | None, n_rows: int) -> HeldoutError:
    return RequestError(
        f"k_max must be an integer of at least 1 and at most {n_rows - 1}, or None",
        where=f"leave_one_out(k_max={k_max!r:.40}) on {n_rows} rows, each of which has {n_rows - 1} others",
        fix="lower it, or hand over more rows",
    )
