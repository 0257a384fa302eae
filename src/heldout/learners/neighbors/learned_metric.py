"""A metric with what it has learned from the training rows, and the search for the nearest by it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.arrays import Floats
from heldout.errors import DataError
from heldout.inputs.input_schema import InputSchema
from heldout.learners.neighbors.stored_rows import StoredRows
from heldout.native import neighbors as native
from heldout.text.words import first_few

Indices = NDArray[np.int32]

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
    ) -> tuple[Floats, Indices]:
        """Distances and positions of the k nearest references: the nearest first, ties by position.

        references, queries: as `points` gives them
        leaves_own_out:      the queries are the references, and no row is its own neighbor
        """
        found = self._mixed if self.name == "gower" else self._sparse if references.is_sparse else self._dense
        positions, distances = found(
            references, queries, k, leaves_own_out=leaves_own_out, n_threads=n_threads
        )
        if len(distances) and not np.isfinite(distances[:, -1]).all():
            indices = np.flatnonzero(~np.isfinite(distances[:, -1]))
            raise too_far(f"{len(indices)} of {len(distances)} rows asked for, first in row {indices[0] + 1}")
        is_squared = self.name in ("l2", "mahalanobis")
        return (np.sqrt(distances, out=distances) if is_squared else distances), positions

    def _dense(
        self, references: StoredRows, queries: StoredRows, k: int, **how: Any
    ) -> tuple[Indices, Floats]:
        ours, theirs = references.numbers, queries.dense_numbers
        if theirs.dtype != ours.dtype:  # the wider one holds both
            ours, theirs = ours.astype(np.float64), theirs.astype(np.float64)
        name = "l2" if self.name == "mahalanobis" else self.name
        return native.nearest(ours, theirs, k, name, column_weights=self._given_weights(), **how)

    def _sparse(
        self, references: StoredRows, queries: StoredRows, k: int, **how: Any
    ) -> tuple[Indices, Floats]:
        from scipy.sparse import csr_array  # takes 0.1 s

        theirs = queries.numbers if queries.is_sparse else csr_array(queries.numbers)
        weights = self._given_weights()
        return native.nearest_sparse(references.numbers, theirs, k, self.name, column_weights=weights, **how)

    def _mixed(
        self, references: StoredRows, queries: StoredRows, k: int, **how: Any
    ) -> tuple[Indices, Floats]:
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
        for position, index in enumerate(self.schema.number_of.tolist()):
            matrix[:, position] = rows.numbers[:, index] if index >= 0 else rows.levels[:, -1 - index]
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
    """The largest known number less the smallest, 0 where none is known."""
    largest, smallest = np.fmax.reduce(numbers, axis=0), np.fmin.reduce(numbers, axis=0)
    with np.errstate(over="ignore"):
        ranges = np.where(np.isnan(largest), 0.0, largest - smallest)
    if not np.isfinite(ranges).all():
        raise too_far("the range of a column is no number")
    return np.asarray(ranges)


# A column of whose variance less than this part is its own depends on the columns before it.
OWN_PART = 1e-10
CELLS_PER_BLOCK = 1 << 17


def covariance_factor(rows: Floats, names: Sequence[str]) -> tuple[Floats, Floats]:
    """The means of the columns, and the lower triangle L with L Lᵀ their covariance.

    names: of the columns, for the error
    """
    n_rows = len(rows)
    if n_rows < 2:
        raise DataError(
            'metric="mahalanobis" has no covariance with n_samples = 1',
            where="X has one row",
            fix='hand over more rows, or use metric="l2"',
        )
    with np.errstate(over="ignore", invalid="ignore"):
        center = rows.mean(axis=0)
        centered = rows - center
        scale = np.sqrt((centered * centered).sum(axis=0) / (n_rows - 1))
    if not np.isfinite(scale).all():
        raise too_far(
            f"column '{names[int((~np.isfinite(scale)).argmax())]}' has no variance that is a number"
        )
    # Rounding of the mean leaves a constant column with a deviation of some of its last bits.
    is_constant = scale <= np.finfo(np.float64).eps * np.abs(center) * np.sqrt(n_rows)
    if is_constant.any():
        raise _singular([names[index] for index in np.flatnonzero(is_constant).tolist()], n_rows, "constant")
    standard = centered / scale
    correlation = standard.T @ standard / (n_rows - 1)
    factor, dependent = _cholesky(correlation)
    if dependent:
        raise _singular([names[index] for index in dependent], n_rows, "given by the columns before")
    return center, factor * scale[:, np.newaxis]


def whitened(rows: NDArray[np.floating], center: Floats, factor: Floats) -> Floats:
    """Each row z with L z = row - center: differences of these have l2 where the rows have Mahalanobis.

    Only sums of two numbers are made, in a fixed order, so a row gets the same bits in any company.
    """
    result = np.empty(rows.shape, dtype=np.float64)
    n_columns = rows.shape[1]
    height = max(1, CELLS_PER_BLOCK // n_columns)
    for begin in range(0, len(rows), height):
        block = (rows[begin : begin + height] - center).T.copy()  # a column lies together
        for j in range(n_columns):
            block[j] /= factor[j, j]
            block[j + 1 :] -= factor[j + 1 :, j, np.newaxis] * block[j]
        result[begin : begin + height] = block.T
    return result


def too_far(where: str) -> DataError:
    """The error for numbers of which the differences or squares are beyond all numbers."""
    return DataError(
        "rows lie so far apart that their distance is no number",
        where=where,
        fix="scale the columns: divide them by their largest value, for instance",
    )


def _cholesky(correlation: Floats) -> tuple[Floats, list[int]]:
    """The lower factor, and the columns that the others give; those are left out of it."""
    n = len(correlation)
    factor = np.zeros((n, n))
    dependent: list[int] = []
    for j in range(n):
        own = correlation[j, j] - factor[j, :j] @ factor[j, :j]
        if own < OWN_PART:
            dependent.append(j)
            continue
        factor[j, j] = np.sqrt(own)
        factor[j + 1 :, j] = (correlation[j + 1 :, j] - factor[j + 1 :, :j] @ factor[j, :j]) / factor[j, j]
    return factor, dependent


def _singular(columns: list[str], n_rows: int, how: str) -> DataError:
    listed = first_few([f"'{name}'" for name in columns])
    noun, verb = ("column", "is") if len(columns) == 1 else ("columns", "are")
    return DataError(
        "the covariance of the columns is singular, so Mahalanobis distances do not exist",
        where=f"{noun} {listed} {verb} {how} in {n_rows} rows",
        fix='leave them out, hand over more rows than columns, or use metric="l2" on scaled columns',
    )


# Sums of products of numbers between these neither overflow nor vanish.
SMALLEST, LARGEST = 1e-100, 1e100


def rows_that_square(rows: StoredRows) -> StoredRows:
    """The same rows, those of an unusual size divided by a power of 2."""
    if rows.numbers.dtype == np.float32:  # its squares are numbers in double precision
        return rows
    largest = _largest(rows)
    is_unusual = (largest > LARGEST) | ((largest < SMALLEST) & (largest > 0))
    if not is_unusual.any():
        return rows
    exponents = np.where(is_unusual, np.frexp(largest)[1], 0)
    numbers = rows.numbers.copy()
    if rows.is_sparse:
        numbers.data = np.ldexp(numbers.data, -np.repeat(exponents, np.diff(numbers.indptr)))
    else:
        numbers[is_unusual] = np.ldexp(numbers[is_unusual], -exponents[is_unusual, np.newaxis])
    return StoredRows(numbers, rows.levels)


def _largest(rows: StoredRows) -> NDArray[np.floating]:
    """The largest number of each row, whatever its sign."""
    if rows.is_sparse:
        return np.asarray(abs(rows.numbers).max(axis=1).toarray()).ravel()
    return np.asarray(np.maximum(rows.numbers.max(axis=1), -rows.numbers.min(axis=1)))
