"""Which rows are set aside inside `fit`: folds, and a part to validate on.

Rows are dealt in the order of `row_keys`, class by class, so that every part has the classes in nearly
equal shares; the rows of a group stay together. A row lies on one side only, and its weight goes with it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.arrays import Mask
from heldout.checks.warn import warn_user
from heldout.errors import DataError, InputTypeError, RequestError
from heldout.inputs.targets import checked_labels
from heldout.inputs.training_inputs import TrainingRows
from heldout.text.words import first_few
from heldout.types import Estimator, Validation


def n_units(rows: TrainingRows) -> int:
    """How many rows or groups can be dealt."""
    return rows.n_rows if rows.groups is None else int(dense(rows.groups).max()) + 1


def fold_masks(rows: TrainingRows, most_folds: int, seed: int) -> list[Mask]:
    """For each fold which rows it sets aside; every row is set aside once.

    A single row gives no folds; a single group is refused, for whoever gives groups wants them kept apart.
    """
    n_folds = min(most_folds, n_units(rows))
    if n_folds < 2 and rows.groups is not None:
        raise RequestError(
            "no group is left to grow on",
            where=f'prune_alpha="cv", n_groups = {n_folds}',
            fix="give at least two groups, leave groups out, or set prune_alpha to a number",
        )
    if n_folds < 2:
        return []
    if rows.groups is not None:
        return _group_folds(rows, n_folds, seed)
    fold_of_row = np.empty(rows.n_rows, dtype=np.intp)
    fold_of_row[_dealt_rows(rows, seed)] = np.arange(rows.n_rows) % n_folds
    return [fold_of_row == fold for fold in range(n_folds)]


def validation_mask(rows: TrainingRows, fraction: float, seed: int) -> Mask:
    """Which rows are set aside to validate on.

    fraction: of the rows, or of the groups where there are some
    """
    is_held = (_row_part if rows.groups is None else _group_part)(rows, fraction, seed)
    if is_held.all() or not is_held.any():
        noun, plural = ("row", "samples") if rows.groups is None else ("group", "groups")
        raise RequestError(
            f"no {noun} is left to {'grow' if is_held.any() else 'validate'} on",
            where=f"validation_fraction={fraction:g}, n_{plural} = {n_units(rows)}",
            fix="choose another validation_fraction, give validation=(X, y), or prune in another way",
        )
    return is_held


def _row_part(rows: TrainingRows, fraction: float, seed: int) -> Mask:
    is_held = np.empty(rows.n_rows, dtype=np.bool_)
    is_held[_dealt_rows(rows, seed)] = _is_taken(np.arange(rows.n_rows), fraction)
    return is_held


def _is_taken(indices: NDArray[np.intp], fraction: float) -> Mask:
    """Whether what is dealt at these indices is set aside: the fraction, evenly spread."""
    return np.asarray(np.floor((indices + 1) * fraction + 0.5) > np.floor(indices * fraction + 0.5))


def _dealt_rows(rows: TrainingRows, seed: int) -> NDArray[np.intp]:
    """The rows in the order in which they are dealt; of equal rows the lighter one comes first."""
    orders: list[NDArray[np.generic]] = [row_keys(rows, seed)]
    if rows.weights is not None:
        orders.insert(0, rows.weights)
    if rows.classes is not None:
        orders.append(rows.classes)
    return np.lexsort(orders)


def _group_folds(rows: TrainingRows, n_folds: int, seed: int) -> list[Mask]:
    """Large groups first, back and forth over the folds, so that none gets all of the large ones."""
    groups, majority, sizes, keys = _groups(rows, seed)
    order = np.lexsort((keys, -sizes, majority))
    indices = np.arange(len(order))
    turn, seat = indices // n_folds, indices % n_folds
    fold_of_group = np.empty(len(order), dtype=np.intp)
    fold_of_group[order] = np.where(turn % 2 == 0, seat, n_folds - 1 - seat)
    return [fold_of_group[groups] == fold for fold in range(n_folds)]


def _group_part(rows: TrainingRows, fraction: float, seed: int) -> Mask:
    groups, majority, _, keys = _groups(rows, seed)
    indices = np.empty(len(keys), dtype=np.intp)
    indices[np.lexsort((keys, majority))] = np.arange(len(keys))
    return np.asarray(_is_taken(indices, fraction)[groups])


def _groups(
    rows: TrainingRows, seed: int
) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.float64], NDArray[np.uint64]]:
    """The group of each row; and of each group its largest class, its weight and its random number."""
    assert rows.groups is not None
    groups = dense(rows.groups)
    n_groups = int(groups.max()) + 1
    weights = np.ones(rows.n_rows) if rows.weights is None else rows.weights
    sizes = np.asarray(np.bincount(groups, weights, n_groups), dtype=np.float64)
    keys = scramble(scramble(np.arange(n_groups, dtype=np.uint64)) ^ np.uint64(seed))
    if rows.classes is None:
        return groups, np.zeros(n_groups, dtype=np.intp), sizes, keys
    cells = groups * rows.n_classes + rows.classes
    table = np.bincount(cells, weights, n_groups * rows.n_classes).reshape(n_groups, rows.n_classes)
    return groups, table.argmax(axis=1), sizes, keys


MOST_SHOWN = 6


def validation_pair(validation: Validation) -> tuple[Any, Any]:
    """The X and the y."""
    if not isinstance(validation, tuple | list) or len(validation) != 2:
        raise InputTypeError(
            "validation must be a pair of X and y",
            where=f"validation is a {type(validation).__name__}",
            fix="write validation=(X_validation, y_validation)",
        )
    X, y = validation
    return X, y


def check_validation_classes(learner: Estimator, validation: Validation) -> None:
    """Refuse rows of which none has a class that training knows, and warn of those that have not.

    learner: knows the classes of training, if it is a classifier
    """
    _, y = validation_pair(validation)
    labels = checked_labels(learner, y).tolist()
    if not labels:
        raise DataError(
            "validation has no rows",
            where="validation=(X, y) with 0 targets in y",
            fix="give rows to validate on, or leave validation out to set a part of X aside",
        )
    if not hasattr(learner, "classes_"):
        return
    classes = learner.classes_.tolist()
    known = set(classes)
    unknown = [label for label in labels if label not in known]
    if len(unknown) == len(labels):
        named = first_few([*map(repr, classes)], MOST_SHOWN)
        raise DataError(
            "no row of validation has a class that training knows",
            where=f"{len(unknown)} of {len(labels)} rows, first {unknown[0]!r}; the classes are {named}",
            fix="write the classes of validation as those of y, in the same type",
        )
    if unknown:
        have = "has" if len(unknown) == 1 else "have"
        warn_user(
            f"{len(unknown)} of {len(labels)} validation rows {have} a class that training does not know,"
            f" first {unknown[0]!r}: left out",
        )


Words = NDArray[np.uint64]


def row_keys(rows: TrainingRows, seed: int) -> Words:
    """A number for each row, drawn from the seed and the ranks of its values and its target among these rows.

    Equal rows have equal ones.
    """
    compact = rows.compact()
    keys = np.full(rows.n_rows, seed, dtype=np.uint64)
    for coded in compact.columns:
        keys = _with(keys, dense(compact.codes(coded)))
    if rows.targets is not None:
        return _with(keys, np.unique(rows.targets, return_inverse=True)[1])
    assert rows.classes is not None
    return _with(keys, dense(rows.classes))


def scramble(words: Words) -> Words:
    """Every bit of the result depends on every bit of the word: the last step of SplitMix64."""
    words = words + np.uint64(0x9E3779B97F4A7C15)
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))


def dense(codes: NDArray[np.unsignedinteger | np.signedinteger]) -> NDArray[np.intp]:
    """The codes numbered anew, without those that no row has."""
    present = np.bincount(codes) > 0
    return np.asarray((np.cumsum(present) - 1)[codes])


def _with(keys: Words, ranks: NDArray[np.intp]) -> Words:
    return scramble(keys ^ scramble(ranks.astype(np.uint64)))
