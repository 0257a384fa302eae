"""How perceptrons are fitted: those that go through the rows in the same order share one run.

Plain, averaged and voted perceptrons make the same mistakes in the same order and differ only in what
they keep; one of fewer epochs is one of more that was left earlier. So one run serves all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from heldout.errors import DataError
from heldout.inputs.input_schema import InputSchema
from heldout.inputs.numeric_inputs import numeric_training
from heldout.inputs.targets import check_lengths, class_codes
from heldout.learners.parameters import seed_of
from heldout.native.perceptron import PerceptronRun, VotedUpdates, train_perceptron
from heldout.text.words import plural
from heldout.types import Matrix, TableLike

if TYPE_CHECKING:
    from heldout.learners.perceptron import Perceptron

# The products of larger and of smaller numbers leave the range of a float.
LARGEST, SMALLEST = 1e100, 1e-100


@dataclass(frozen=True, eq=False)
class LabeledRows:
    """What a perceptron learns from.

    schema:  the columns, as they are to be remembered
    matrix:  rows × columns, dense or sparse
    classes: all classes, sorted
    codes:   the index of each row's class among them
    """

    schema: InputSchema
    matrix: Any
    classes: NDArray[Any]
    codes: NDArray[np.uint32]

    @property
    def n_rows(self) -> int:
        return len(self.codes)


def labeled_rows(learner: Perceptron, X: TableLike, y: ArrayLike) -> LabeledRows:
    """X and y, checked; sets on the learner what is known of the columns."""
    classes, codes = class_codes(learner, y)
    inputs = numeric_training(learner, X, accepts_sparse=True)
    check_lengths(inputs.n_rows, codes)
    if len(classes) == 1:
        raise DataError(
            "a perceptron needs rows of at least 2 classes, and y contains only one class",
            where=f"{plural(len(codes), 'row')}, all of the class {classes.tolist()[0]!r:.40}",
            fix="hand over rows of another class too, or use BaselineClassifier, which predicts the one",
        )
    _check_range(inputs.matrix)
    return LabeledRows(inputs.schema, inputs.matrix, classes, codes)


def fit_perceptrons(learners: Sequence[Perceptron], rows: LabeledRows) -> None:
    """Fit all of them; those that go through the rows in the same order by one run."""
    groups: dict[tuple[bool, bool, int], list[Any]] = {}
    for learner in learners:
        seed = seed_of(learner.random_state) if learner.shuffle else 0
        groups.setdefault((learner.shuffle, learner.fit_intercept, seed), []).append(learner)
    for (shuffles, fits_intercept, seed), group in groups.items():
        snapshots = sorted({int(learner.epochs) for learner in group})
        run = train_perceptron(
            rows.matrix,
            rows.codes,
            len(rows.classes),
            snapshots,
            shuffles=shuffles,
            fits_intercept=fits_intercept,
            keeps_sums=any(learner.variant == "averaged" for learner in group),
            keeps_updates=any(learner.variant == "voted" for learner in group),
            seed=seed,
        )
        for learner in group:
            _remember(learner, rows, run, snapshots)


def _remember(learner: Perceptron, rows: LabeledRows, run: PerceptronRun, snapshots: list[int]) -> None:
    """What is left of a run after the epochs of this learner."""
    for name in ("coef_", "intercept_", "updates_"):
        learner.__dict__.pop(name, None)
    epochs = int(learner.epochs)
    learner.inputs_, learner.n_rows_ = rows.schema, rows.n_rows
    learner.classes_ = rows.classes
    if learner.variant == "voted":
        learner.updates_ = _voted_updates(rows, run, epochs, learner.fit_intercept)
    else:
        # After an epoch without a mistake nothing changes: later snapshots are equal to the last.
        index = min(snapshots.index(epochs), len(run.weights) - 1)
        weights = _weights(learner, rows, run, index)
        learner.coef_ = np.ascontiguousarray(weights[:-1].T)
        learner.intercept_ = weights[-1].copy()
    n_mistakes = run.n_mistakes[:epochs]
    learner.n_mistakes_ = int(n_mistakes.sum())
    learner.is_separated_ = bool(n_mistakes[-1] == 0)
    learner.n_epochs_ = len(n_mistakes)


def _weights(learner: Perceptron, rows: LabeledRows, run: PerceptronRun, index: int) -> NDArray[np.float64]:
    """Columns and the intercept × rows of weights.

    An update that had s steps before it is in the weights of the other n - s, so of the mean of all n steps
    it makes 1 - s/n. Epochs that were not run, as they would make no mistake, count as steps.
    """
    weights: NDArray[np.float64] = run.weights[index]
    if learner.variant == "averaged":
        weights = weights - run.sums[index] / (int(learner.epochs) * rows.n_rows)
    return weights


def _voted_updates(rows: LabeledRows, run: PerceptronRun, epochs: int, has_intercept: bool) -> VotedUpdates:
    """The updates of these epochs. Weights have a vote for each step until the next update."""
    from scipy.sparse import csr_array  # takes 0.1 s

    n_updates = int(run.n_mistakes[:epochs].sum())
    steps = np.append(run.step[:n_updates], np.uint64(epochs * rows.n_rows))
    added, index = np.unique(run.row[:n_updates], return_inverse=True)
    stored = csr_array(rows.matrix[added])
    return VotedUpdates(
        values=stored.data,
        columns=stored.indices.astype(np.int32),
        ends=stored.indptr.astype(np.int64),
        row=index.astype(np.uint32),
        raised=run.raised[:n_updates].copy(),
        lowered=run.lowered[:n_updates].copy(),
        votes=np.diff(steps).astype(np.float64),
        has_intercept=has_intercept,
    )


def _check_range(matrix: Matrix) -> None:
    """Refuse numbers whose products overflow or vanish: every score would be infinite, or 0."""
    values = matrix if isinstance(matrix, np.ndarray) else matrix.data
    largest = max(float(values.max()), -float(values.min())) if values.size else 0.0
    if largest > LARGEST or 0 < largest < SMALLEST:
        raise DataError(
            "the numbers of X are too large or too small to be multiplied",
            where=f"the largest is {largest:.3g}",
            fix="scale the columns, with scikit-learn's StandardScaler or MaxAbsScaler for instance",
        )
