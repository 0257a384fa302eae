"""Which rows are set aside inside `fit`: folds, and a part to validate on.

Rows are dealt in the order of `row_keys`, class by class, so that every part has the classes in nearly
equal shares; the rows of a group stay together. A row that was seen several times (a whole weight above
1) is dealt as so many rows.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from heldout.errors import RequestError
from heldout.learners.inputs.row_order import dense, row_keys, scrambled
from heldout.learners.inputs.training_rows import TrainingRows

Counts = NDArray[np.int64]


def n_units(rows: TrainingRows) -> int:
    """How many rows or groups can be dealt."""
    if rows.groups is not None:
        return int(dense(rows.groups).max()) + 1
    return rows.n_rows if rows.frequencies is None else int(rows.frequencies.sum())


def fold_counts(rows: TrainingRows, n_folds: int, seed: int) -> list[Counts]:
    """For each fold how many copies of each row it sets aside; every copy is set aside once."""
    if rows.groups is not None:
        return _group_folds(rows, n_folds, seed)
    order, starts, ends = _dealt_rows(rows, seed)
    held = []
    for fold in range(n_folds):
        counts = np.empty(rows.n_rows, dtype=np.int64)
        counts[order] = (ends - 1 - fold) // n_folds - (starts - 1 - fold) // n_folds
        held.append(counts)
    return held


def validation_counts(rows: TrainingRows, fraction: float, seed: int) -> Counts:
    """How many copies of each row are set aside to validate on.

    fraction: of the rows, or of the groups where there are some
    """
    held = _group_part(rows, fraction, seed) if rows.groups is not None else _row_part(rows, fraction, seed)
    copies = rows.n_rows if rows.frequencies is None else int(rows.frequencies.sum())
    if not 0 < held.sum() < copies:
        noun, plural = ("row", "samples") if rows.groups is None else ("group", "groups")
        raise RequestError(
            f"no {noun} is left to {'validate' if held.sum() == 0 else 'grow'} on",
            where=f"validation_fraction={fraction:g}, n_{plural} = {n_units(rows)}",
            fix="choose another validation_fraction, give validation=(X, y), or prune in another way",
        )
    return held


def _row_part(rows: TrainingRows, fraction: float, seed: int) -> Counts:
    order, starts, ends = _dealt_rows(rows, seed)
    held = np.empty(rows.n_rows, dtype=np.int64)
    held[order] = _taken(ends, fraction) - _taken(starts, fraction)
    return held


def _taken(dealt: NDArray[np.int64], fraction: float) -> Counts:
    """Of the first so many, how many are set aside: evenly spread."""
    return np.asarray(np.floor(dealt * fraction + 0.5), dtype=np.int64)


def _dealt_rows(rows: TrainingRows, seed: int) -> tuple[NDArray[np.intp], Counts, Counts]:
    """The rows in the order in which they are dealt, and from which place to which each is."""
    keys = row_keys(rows, seed)
    order = np.argsort(keys, kind="stable") if rows.classes is None else np.lexsort((keys, rows.classes))
    copies = np.ones(rows.n_rows, dtype=np.int64) if rows.frequencies is None else rows.frequencies[order]
    ends = np.cumsum(copies)
    return order, ends - copies, ends


def _group_folds(rows: TrainingRows, n_folds: int, seed: int) -> list[Counts]:
    """Large groups first, back and forth over the folds, so that none gets all of the large ones."""
    groups, majority, sizes, keys = _groups(rows, seed)
    order = np.lexsort((keys, -sizes, majority))
    places = np.arange(len(order))
    turn, seat = places // n_folds, places % n_folds
    fold_of_group = np.empty(len(order), dtype=np.intp)
    fold_of_group[order] = np.where(turn % 2 == 0, seat, n_folds - 1 - seat)
    copies = np.int64(1) if rows.frequencies is None else rows.frequencies
    return [np.where(fold_of_group[groups] == fold, copies, 0) for fold in range(n_folds)]


def _group_part(rows: TrainingRows, fraction: float, seed: int) -> Counts:
    groups, majority, _, keys = _groups(rows, seed)
    places = np.empty(len(keys), dtype=np.int64)
    places[np.lexsort((keys, majority))] = np.arange(len(keys))
    is_held = _taken(places + 1, fraction) > _taken(places, fraction)
    copies = np.int64(1) if rows.frequencies is None else rows.frequencies
    return np.where(is_held[groups], copies, 0)


def _groups(
    rows: TrainingRows, seed: int
) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.float64], NDArray[np.uint64]]:
    """The group of each row; and of each group its largest class, its weight and its random number."""
    assert rows.groups is not None
    groups = dense(rows.groups)
    n_groups = int(groups.max()) + 1
    weights = np.ones(rows.n_rows) if rows.weights is None else rows.weights
    sizes = np.asarray(np.bincount(groups, weights, n_groups), dtype=np.float64)
    keys = scrambled(scrambled(np.arange(n_groups, dtype=np.uint64)) ^ np.uint64(seed))
    if rows.classes is None:
        return groups, np.zeros(n_groups, dtype=np.intp), sizes, keys
    cells = groups * rows.n_classes + rows.classes
    table = np.bincount(cells, weights, n_groups * rows.n_classes).reshape(n_groups, rows.n_classes)
    return groups, table.argmax(axis=1), sizes, keys
