"""A metric with what it has learned from the training rows, and the search for the nearest by it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.learners.inputs.input_schema import InputSchema
from heldout.learners.neighbors.mahalanobis import covariance_factor, too_far, whitened
from heldout.learners.neighbors.row_sizes import rows_that_square
from heldout.learners.neighbors.stored_rows import StoredRows
from heldout.native import neighbors as native

Floats = NDArray[np.float64]
Places = NDArray[np.int32]

METRICS = ("l2", "l1", "linf", "mahalanobis", "hamming", "cosine", "gower")
SPARSE_METRICS = ("l2", "l1", "cosine")
# What others call them.
OTHER_NAMES = (
    ("euclidean", "l2"),
    ("minkowski", "l2"),
    ("manhattan", "l1"),
    ("cityblock", "l1"),
    ("chebyshev", "linf"),
)


@dataclass(frozen=True, eq=False)
class LearnedMetric:
    """How two rows are compared.

    name:           one of METRICS
    schema:         the columns
    column_weights: one per column
    ranges:         of Gower: the range of each number in the training rows
    center:         of Mahalanobis: the means of the columns
    factor:         of Mahalanobis: the Cholesky factor of the covariance
    """

    name: str
    schema: InputSchema
    column_weights: Floats
    ranges: Floats | None = None
    center: Floats | None = None
    factor: Floats | None = None

    def points(self, rows: StoredRows) -> StoredRows:
        """The rows as they are compared.

        Whitened for Mahalanobis, levels as numbers for Hamming, of a size that can be squared for cosine.
        """
        if self.center is not None and self.factor is not None:
            return StoredRows(whitened(rows.numbers, self.center, self.factor), rows.levels)
        if self.name == "hamming" and rows.levels.shape[1]:
            return StoredRows(self._side_by_side(rows), rows.levels[:, :0])
        return rows_that_square(rows) if self.name == "cosine" else rows

    def nearest(
        self,
        references: StoredRows,
        queries: StoredRows,
        k: int,
        *,
        leaves_own_out: bool = False,
        n_threads: int = 1,
    ) -> tuple[Floats, Places]:
        """Distances and positions of the k nearest references: the nearest first, ties by position.

        references, queries: as `points` gives them
        leaves_own_out:      the queries are the references, and no row is its own neighbor
        """
        found = self._mixed if self.name == "gower" else self._sparse if references.is_sparse else self._dense
        positions, distances = found(
            references, queries, k, leaves_own_out=leaves_own_out, n_threads=n_threads
        )
        if len(distances) and not np.isfinite(distances[:, -1]).all():
            places = np.flatnonzero(~np.isfinite(distances[:, -1]))
            raise too_far(f"{len(places)} of {len(distances)} rows asked for, first in row {places[0] + 1}")
        is_squared = self.name in ("l2", "mahalanobis")
        return (np.sqrt(distances, out=distances) if is_squared else distances), positions

    def _dense(
        self, references: StoredRows, queries: StoredRows, k: int, **how: Any
    ) -> tuple[Places, Floats]:
        ours, theirs = references.numbers, queries.dense_numbers
        if theirs.dtype != ours.dtype:  # the wider one holds both
            ours, theirs = ours.astype(np.float64), theirs.astype(np.float64)
        name = "l2" if self.name == "mahalanobis" else self.name
        return native.nearest(ours, theirs, k, name, column_weights=self._given_weights(), **how)

    def _sparse(
        self, references: StoredRows, queries: StoredRows, k: int, **how: Any
    ) -> tuple[Places, Floats]:
        from scipy.sparse import csr_array  # takes 0.1 s

        theirs = queries.numbers if queries.is_sparse else csr_array(queries.numbers)
        weights = self._given_weights()
        return native.nearest_sparse(references.numbers, theirs, k, self.name, column_weights=weights, **how)

    def _mixed(
        self, references: StoredRows, queries: StoredRows, k: int, **how: Any
    ) -> tuple[Places, Floats]:
        assert self.ranges is not None
        is_number = self.schema.number_of >= 0
        return native.nearest_mixed(
            references.numbers,
            references.levels,
            queries.numbers,
            queries.levels,
            self.ranges,
            self.column_weights[is_number],
            self.column_weights[~is_number],
            k,
            **how,
        )

    def _given_weights(self) -> Floats | None:
        return None if (self.column_weights == 1.0).all() else self.column_weights

    def _side_by_side(self, rows: StoredRows) -> Floats:
        """Numbers and levels in the order of the columns."""
        matrix = np.empty((rows.n_rows, len(self.schema.columns)))
        for position, place in enumerate(self.schema.number_of.tolist()):
            matrix[:, position] = rows.numbers[:, place] if place >= 0 else rows.levels[:, -1 - place]
        return matrix


def learn_metric(name: str, schema: InputSchema, column_weights: Floats, rows: StoredRows) -> LearnedMetric:
    """The metric, with what it takes from these rows."""
    if name == "gower":
        return LearnedMetric(name, schema, column_weights, ranges=column_ranges(rows.numbers))
    if name == "mahalanobis":
        center, factor = covariance_factor(rows.numbers.astype(np.float64, copy=False), schema.names)
        return LearnedMetric(name, schema, column_weights, center=center, factor=factor)
    return LearnedMetric(name, schema, column_weights)


def column_ranges(numbers: Floats) -> Floats:
    """The largest known number less the smallest, 0 where none is known.

    >>> column_ranges(np.array([[1.0, np.nan], [4.0, np.nan]])).tolist()
    [3.0, 0.0]
    """
    largest, smallest = np.fmax.reduce(numbers, axis=0), np.fmin.reduce(numbers, axis=0)
    with np.errstate(over="ignore"):
        ranges = np.where(np.isnan(largest), 0.0, largest - smallest)
    if not np.isfinite(ranges).all():
        raise too_far("the range of a column is no number")
    return np.asarray(ranges)
