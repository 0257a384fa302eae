"""Scores that only repeat how many rows of a class were left to train on, and so rank nothing."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def level_guesses(scores: NDArray[Any], folds: NDArray[np.intp], y: NDArray[Any]) -> NDArray[Any]:
    """The scores of one repeat; where they tell nothing within any fold, one score for all rows.

    A guess by the shares of the classes gives all rows of a fold the same score. But a fold that holds many
    rows of a class leaves few of them to train on, so its guess is low where it should be high: ranked over
    folds, leaving out one row at a time, guessing would have an AUC of 0 instead of ½.

    scores: one per row, or a column for each class
    folds:  of the rows, −1 for rows that were not tested
    y:      the labels

    >>> folds = np.arange(4)
    >>> level_guesses(np.array([0.67, 0.67, 0.33, 0.33]), folds, np.array([0, 0, 1, 1])).tolist()
    [0.5, 0.5, 0.5, 0.5]
    >>> level_guesses(np.array([0.1, 0.2, 0.8, 0.9]), folds, np.array([0, 0, 1, 1])).tolist()
    [0.1, 0.2, 0.8, 0.9]
    """
    is_asked = folds >= 0
    asked, parts = scores[is_asked], folds[is_asked]
    if len(np.unique(parts)) == len(parts):
        # With a row per fold every score is alone. A guess then depends on the class of the row that was left
        # out, and on nothing else, and by no more than one row of them all can change.
        parts = np.unique(y[is_asked], return_inverse=True)[1]
        if not np.ptp(asked, axis=0).max() <= 2 / len(parts):
            return scores
    if not _is_constant_within(asked, parts):
        return scores
    return np.broadcast_to(asked.mean(axis=0), scores.shape).copy()


def _is_constant_within(scores: NDArray[Any], parts: NDArray[np.intp]) -> bool:
    order = np.argsort(parts, kind="stable")
    with np.errstate(invalid="ignore"):
        steps = np.abs(np.diff(scores[order], axis=0)).reshape(len(order) - 1, -1)
    return bool((steps[np.diff(parts[order]) == 0] <= 1e-12).all())
