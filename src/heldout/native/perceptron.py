"""The kernels of the perceptron: training, linear scores, and the vote of all weights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from heldout import _native
from heldout.arrays import Floats
from heldout.types import Matrix

Indices = NDArray[np.uint32]


@dataclass(frozen=True, eq=False)
class PerceptronRun:
    """What went on in the epochs that were run.

    weights:    snapshot × (columns, then the intercept) × row of weights: one row for two classes, else one
                for each class. Fewer snapshots than asked for where an epoch made no mistake: the later ones
                are equal to the last
    sums:       the same of every update times the number of steps before it; empty unless kept
    n_mistakes: of each epoch that was run
    row:        of each update: the row that was added; it and the following are empty unless kept
    raised:     the class to which it was added
    lowered:    the class from which it was subtracted
    step:       the number of steps before it
    """

    weights: Floats
    sums: Floats
    n_mistakes: NDArray[np.uint64]
    row: Indices
    raised: Indices
    lowered: Indices
    step: NDArray[np.uint64]


@dataclass(frozen=True, eq=False)
class VotedUpdates:
    """All weights that a perceptron had, each as what was added to those before it.

    values, columns, ends: the rows that were added, each once, as a sparse matrix
    row:                   of each update: which of them
    raised, lowered:       the classes to which it was added and from which it was subtracted
    votes:                 how many votes the weights have after it
    has_intercept:         whether an update also adds and subtracts 1 in the intercepts
    """

    values: Floats
    columns: NDArray[np.int32]
    ends: NDArray[np.int64]
    row: Indices
    raised: Indices
    lowered: Indices
    votes: Floats
    has_intercept: bool


def train_perceptron(
    X: Matrix,
    classes: Indices,
    n_classes: int,
    snapshots: Sequence[int],
    *,
    shuffles: bool,
    fits_intercept: bool,
    keeps_sums: bool,
    keeps_updates: bool,
    seed: int,
) -> PerceptronRun:
    """Go through the rows until an epoch makes no mistake, or the last snapshot is reached.

    X:         a C-contiguous array of float64, or a csr_array
    classes:   the class of each row, from 0 on
    snapshots: after which epochs the weights are wanted, ascending
    """
    found = _native.train_perceptron(
        *_rows(X),
        classes,
        n_classes,
        list(snapshots),
        shuffles,
        fits_intercept,
        keeps_sums,
        keeps_updates,
        seed,
    )
    return PerceptronRun(
        weights=found["weights"],
        sums=found["sums"],
        n_mistakes=found["n_mistakes"],
        row=found["update_row"],
        raised=found["update_raised"],
        lowered=found["update_lowered"],
        step=found["update_step"],
    )


def linear_scores(X: Matrix, weights: Floats, intercepts: Floats) -> Floats:
    """Rows × functions: the intercept of each, plus the products in the order of the columns.

    weights: functions × columns
    """
    return _native.linear_scores(*_rows(X), weights, intercepts)


def count_votes(X: Matrix, updates: VotedUpdates, n_classes: int) -> Floats:
    """Rows × classes: how many votes each class gets; of equal scores the first class has the vote."""
    return _native.count_votes(
        *_rows(X),
        updates.values,
        updates.columns,
        updates.ends,
        updates.row,
        updates.raised,
        updates.lowered,
        updates.votes,
        n_classes,
        updates.has_intercept,
    )


def _rows(X: Matrix) -> tuple[Floats, NDArray[np.int32] | None, NDArray[np.int64] | None, int, int]:
    """The rows as the compiled module takes them: values, columns, ends, and how many there are."""
    if isinstance(X, np.ndarray):
        return X.reshape(-1), None, None, X.shape[0], X.shape[1]
    columns, ends = X.indices.astype(np.int32, copy=False), X.indptr.astype(np.int64, copy=False)
    return X.data, columns, ends, X.shape[0], X.shape[1]
