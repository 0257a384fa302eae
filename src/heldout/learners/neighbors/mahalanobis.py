"""Mahalanobis: rows are whitened by the covariance of the training rows, and then compared by l2.

The covariance is that with n - 1, its Cholesky factor is made column by column, so that a column that
depends on those before it is found and named. A covariance that is singular is refused: a pseudo-inverse
would call rows equal that differ.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from heldout.errors import DataError

Floats = NDArray[np.float64]

# A column of whose variance less than this part is its own depends on the columns before it.
OWN_PART = 1e-10
CELLS_PER_BLOCK = 1 << 17


def covariance_factor(rows: Floats, names: Sequence[str]) -> tuple[Floats, Floats]:
    """The means of the columns, and the lower triangle L with L Lᵀ their covariance.

    names: of the columns, for the error

    >>> rows = np.array([[0.0, 0.0], [2.0, 0.0], [0.0, 4.0], [2.0, 4.0]])
    >>> center, factor = covariance_factor(rows, ["a", "b"])
    >>> center.tolist(), np.diag(factor @ factor.T).round(6).tolist()
    ([1.0, 2.0], [1.333333, 5.333333])
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
        raise _singular([names[place] for place in np.flatnonzero(is_constant).tolist()], n_rows, "constant")
    standard = centered / scale
    correlation = standard.T @ standard / (n_rows - 1)
    factor, dependent = _cholesky(correlation)
    if dependent:
        raise _singular([names[place] for place in dependent], n_rows, "given by the columns before")
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
    listed = ", ".join(f"'{name}'" for name in columns[:5]) + (", …" if len(columns) > 5 else "")
    noun, verb = ("column", "is") if len(columns) == 1 else ("columns", "are")
    return DataError(
        "the covariance of the columns is singular, so Mahalanobis distances do not exist",
        where=f"{noun} {listed} {verb} {how} in {n_rows} rows",
        fix='leave them out, hand over more rows than columns, or use metric="l2" on scaled columns',
    )
