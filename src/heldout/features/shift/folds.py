"""Folds of two samples, in which a row and its copy in the other sample are never parted.

A training sample is often a part of the population that it should stand for. Then each training row has a
copy among the rows of the population, and a model that sees the one would know the other.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from heldout.table.table import Table

Places = NDArray[np.intp]


def paired_folds(first: Table, second: Table, folds: int, seed: int) -> Places:
    """The fold of every row of the first and then of the second, at random and nearly of the same size.

    Of rows that are equal in every column, the j-th in the second has the fold of the j-th in the first.
    """
    n_first, n_second = first.n_rows, second.n_rows
    upper = np.random.default_rng([seed, 0]).permutation(n_first) % folds
    lower = np.random.default_rng([seed, 1]).permutation(n_second) % folds
    contents = equal_rows(first, second)
    twin = _twins(contents[:n_first], contents[n_first:])
    paired = np.where(twin >= 0, upper[twin], lower)
    if len(np.unique(paired)) == folds:  # else a fold would be without rows to compare
        lower = paired
    return np.concatenate([upper, lower])


def equal_rows(first: Table, second: Table) -> Places:
    """A number for each row of both, the same for rows that are equal in every column; missing is a value."""
    cells = np.empty((first.n_rows + second.n_rows, first.n_columns))
    for place, (upper, lower) in enumerate(zip(first.columns, second.columns, strict=True)):
        cells[:, place] = np.concatenate([upper.values, lower.values])
    cells[np.isnan(cells)] = np.nan  # one of the many bit patterns that are no number
    cells += 0.0  # minus zero is zero
    whole = np.ascontiguousarray(cells).view(np.dtype((np.void, cells.itemsize * cells.shape[1])))[:, 0]
    return np.asarray(np.unique(whole, return_inverse=True)[1], dtype=np.intp).reshape(-1)


def _twins(upper: Places, lower: Places) -> Places:
    """For each of the lower the place of its twin among the upper, -1 where there is none.

    >>> _twins(np.array([7, 8, 7]), np.array([7, 9, 7, 7])).tolist()
    [0, -1, 2, -1]
    """
    place_of = {key: place for place, key in enumerate(zip(upper.tolist(), _counted(upper), strict=True))}
    keys = zip(lower.tolist(), _counted(lower), strict=True)
    return np.array([place_of.get(key, -1) for key in keys], dtype=np.intp)


def _counted(numbers: Places) -> list[int]:
    """How often each number was there before."""
    seen: dict[int, int] = {}
    counts = []
    for number in numbers.tolist():
        counts.append(seen.get(number, 0))
        seen[number] = counts[-1] + 1
    return counts
