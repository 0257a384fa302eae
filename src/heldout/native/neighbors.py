"""The kernels of nearest neighbors: exact search among rows of numbers, of mixed columns, and sparse ones."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from heldout import _native
from heldout.arrays import Floats
from heldout.types import SparseMatrix

IntArray = NDArray[np.int32]
Rows = NDArray[np.float64] | NDArray[np.float32]


def nearest(
    references: Rows,
    queries: Rows,
    k: int,
    metric: str,
    *,
    leaves_own_out: bool = False,
    column_weights: Floats | None = None,
    method: str = "auto",
    n_threads: int = 1,
) -> tuple[IntArray, Floats]:
    """The k nearest references of every query and their distances, nearest first, equally near by index.

    references, queries: rows of numbers, both float64 or both float32
    metric: l1, l2 (the squared distance), linf, hamming (share of the weight) or cosine
    leaves_own_out: the queries are the references, and no row is its own neighbor
    column_weights: what the term of each column is multiplied with
    method: scan, tree (of boxes; cosine and hamming are always scanned), or auto; the result is the same

    A distance is computed in float64, summed in the order of the columns; one that is not a number counts
    as infinite. A row without length has the cosine distance 1 to every row.
    """
    search = _native.nearest_single if references.dtype == np.float32 else _native.nearest_double
    return search(
        np.ascontiguousarray(references),
        np.ascontiguousarray(queries),
        k=k,
        metric=metric,
        leaves_own_out=leaves_own_out,
        column_weights=_weights(column_weights),
        method=method,
        n_threads=n_threads,
    )


def nearest_mixed(
    reference_numbers: Floats,
    reference_levels: IntArray,
    query_numbers: Floats,
    query_levels: IntArray,
    ranges: Floats,
    number_weights: Floats,
    level_weights: Floats,
    k: int,
    *,
    leaves_own_out: bool = False,
    n_threads: int = 1,
) -> tuple[IntArray, Floats]:
    """The k nearest references by Gower's distance: the weighted mean over the columns known in both rows.

    A number (NaN: unknown) adds its difference in shares of the column's range, nothing if that is 0; a level
    (below 0: unknown) adds 1 where the two differ. Rows that know no column in common have the distance 1.
    """
    return _native.nearest_mixed(
        np.ascontiguousarray(reference_numbers, dtype=np.float64),
        np.ascontiguousarray(reference_levels, dtype=np.int32),
        np.ascontiguousarray(query_numbers, dtype=np.float64),
        np.ascontiguousarray(query_levels, dtype=np.int32),
        np.ascontiguousarray(ranges, dtype=np.float64),
        np.ascontiguousarray(number_weights, dtype=np.float64),
        np.ascontiguousarray(level_weights, dtype=np.float64),
        k=k,
        leaves_own_out=leaves_own_out,
        n_threads=n_threads,
    )


def nearest_sparse(
    references: SparseMatrix,
    queries: SparseMatrix,
    k: int,
    metric: str,
    *,
    leaves_own_out: bool = False,
    column_weights: Floats | None = None,
    n_threads: int = 1,
) -> tuple[IntArray, Floats]:
    """What `nearest` gives for the same rows, to the bit, of sparse rows: metric l1, l2 or cosine.

    references, queries: scipy.sparse arrays; what is not CSR with its columns in order becomes so first
    """
    if references.shape[1] != queries.shape[1]:
        raise ValueError("references and queries differ in their columns")
    return _native.nearest_sparse(
        *_csr_parts(references),
        *_csr_parts(queries),
        n_columns=references.shape[1],
        k=k,
        metric=metric,
        leaves_own_out=leaves_own_out,
        column_weights=_weights(column_weights),
        n_threads=n_threads,
    )


def nearest_listed(
    positions: IntArray, distances: Floats, index_of: IntArray, queries: NDArray[np.int64], k: int
) -> tuple[IntArray, Floats, NDArray[np.bool_]]:
    """The k nearest members of every query, by lists of the nearest of all rows; and which lists are short.

    positions, distances: row × rank, the nearest first
    index_of: for each row its index among the members; below 0 for rows that are none
    queries:  rows
    """
    found, lengths, is_short = _native.nearest_listed(
        np.ascontiguousarray(positions, dtype=np.int32),
        np.ascontiguousarray(distances, dtype=np.float64),
        np.ascontiguousarray(index_of, dtype=np.int32),
        np.ascontiguousarray(queries, dtype=np.int64),
        k=k,
    )
    return found, lengths, is_short.astype(np.bool_)


def _weights(column_weights: Floats | None) -> Floats | None:
    return None if column_weights is None else np.ascontiguousarray(column_weights, dtype=np.float64)


def _csr_parts(rows: SparseMatrix) -> tuple[NDArray[np.int64], IntArray, Floats]:
    """Where each row begins, the columns and the numbers that are stored, columns ascending within a row."""
    csr = rows.tocsr()
    if not csr.has_canonical_format:
        csr = csr.copy()
        csr.sum_duplicates()
    return (
        np.ascontiguousarray(csr.indptr, dtype=np.int64),
        np.ascontiguousarray(csr.indices, dtype=np.int32),
        np.ascontiguousarray(csr.data, dtype=np.float64),
    )
