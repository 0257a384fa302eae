"""A straight plane through the neighbors of each row, and what it says at the row itself.

The plane goes through the weighted mean of the neighbors, and its slopes are those of weighted least
squares. Where the neighbors leave slopes open, because there are too few of them or because they lie in
line, the smallest slopes are taken, so that with one neighbor the answer is its own.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

CELLS_PER_BLOCK = 1 << 21


def plane_answers(
    queries: NDArray[np.floating],
    rows: NDArray[np.floating],
    positions: NDArray[np.int32],
    targets: Floats,
    weights: Floats | None,
) -> Floats:
    """The answer at each query.

    queries:   query × column
    rows:      training row × column
    positions: query × rank: the neighbors
    targets:   query × rank: their answers
    weights:   query × rank; None where each counts 1

    >>> rows, targets = np.array([[0.0], [1.0], [4.0]]), np.array([[1.0, 3.0, 9.0]])
    >>> plane_answers(np.array([[3.0]]), rows, np.array([[0, 1, 2]]), targets, None).round(9)
    array([7.])
    """
    answers = np.empty(len(queries))
    k, n_columns = positions.shape[1], rows.shape[1]
    height = max(1, CELLS_PER_BLOCK // (k * n_columns))
    for begin in range(0, len(queries), height):
        part = slice(begin, begin + height)
        some = None if weights is None else weights[part]
        points = rows[positions[part]].astype(np.float64, copy=False)
        answers[part] = _answers(queries[part].astype(np.float64, copy=False), points, targets[part], some)
    return answers


def _answers(queries: Floats, points: Floats, targets: Floats, weights: Floats | None) -> Floats:
    k, n_columns = points.shape[1:]
    parts = np.full(targets.shape, 1.0 / k) if weights is None else weights / _sums(weights)[:, np.newaxis]
    middle = _sums((points * parts[:, :, np.newaxis]).swapaxes(1, 2))
    level = _sums(targets * parts)
    roots = np.sqrt(parts)
    left = (points - middle[:, np.newaxis]) * roots[:, :, np.newaxis]
    right = (targets - level[:, np.newaxis]) * roots
    u, sizes, v = np.linalg.svd(left, full_matrices=False)
    is_kept = sizes > np.finfo(np.float64).eps * max(k, n_columns) * sizes[:, :1]
    along = _sums(u.swapaxes(1, 2) * right[:, np.newaxis])
    along = np.divide(along, sizes, out=np.zeros_like(along), where=is_kept)
    reach = _sums(v * (queries - middle)[:, np.newaxis])
    return level + _sums(along * reach)


def _sums(terms: Floats) -> Floats:
    """Sums over the last axis, term after term, so that they do not depend on the other rows."""
    return np.asarray(np.cumsum(terms, axis=-1)[..., -1])
