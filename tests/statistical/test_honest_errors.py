"""Errors that are found without rows set aside agree with those on rows set aside."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

import heldout as ho

from .noise import is_centered

N_SETS = 120
N_ROWS = 150
N_NEW = 2_000
# A row is out of 0.368 of the bags: so many trees answer out of the bag as the smaller forest has.
N_TREES, N_TREES_OUT = 163, 60
Numbers = NDArray[np.float64]


def made_set(seed: int, n_rows: int, is_regression: bool) -> tuple[Numbers, Numbers]:
    """Six numbers, three of which inform; noise that nobody can learn."""
    generator = np.random.default_rng((seed, n_rows))
    X = generator.normal(size=(n_rows, 6))
    score = X[:, 0] + np.abs(X[:, 1]) - X[:, 0] * X[:, 2] + generator.normal(size=n_rows)
    return X, score if is_regression else (score > 0.8).astype(np.float64)


def differences(
    errors: Callable[[Numbers, Numbers, Numbers, Numbers], tuple[float, float]], is_regression: bool
) -> Numbers:
    """Per made set, the error without rows set aside less the error on many new rows."""
    found = []
    for seed in range(N_SETS):
        X, y = made_set(seed, N_ROWS, is_regression)
        X_new, y_new = made_set(seed, N_NEW, is_regression)
        ours, truth = errors(X, y, X_new, y_new)
        found.append(ours - truth)
    return np.array(found)


def test_out_of_bag_error_of_classes_is_that_of_new_rows() -> None:
    """Over 120 made sets the out-of-bag error is that of new rows; the error on the bag's rows is not."""
    fooled = []

    def errors(X: Numbers, y: Numbers, X_new: Numbers, y_new: Numbers) -> tuple[float, float]:
        forest = ho.ForestClassifier(N_TREES, oob_score=True).fit(X, y)
        smaller = ho.ForestClassifier(N_TREES_OUT).fit(X, y)
        truth = 1 - smaller.score(X_new, y_new)
        fooled.append(1 - smaller.score(X, y) - truth)
        return 1 - forest.oob_score_, truth

    assert is_centered(differences(errors, False))
    assert not is_centered(np.array(fooled))


def test_out_of_bag_error_of_numbers_is_that_of_new_rows() -> None:
    """Over 120 made sets the mean squared error out of the bag is that of new rows."""

    def errors(X: Numbers, y: Numbers, X_new: Numbers, y_new: Numbers) -> tuple[float, float]:
        forest = ho.ForestRegressor(N_TREES, oob_score=True).fit(X, y)
        smaller = ho.ForestRegressor(N_TREES_OUT).fit(X, y)
        return squared(forest.oob_prediction_, y), squared(smaller.predict(X_new), y_new)

    assert is_centered(differences(errors, True))


def test_leave_one_out_error_of_neighbors_is_that_of_new_rows() -> None:
    """Over 120 made sets the leave-one-out error of five neighbors is that of new rows."""

    def errors(X: Numbers, y: Numbers, X_new: Numbers, y_new: Numbers) -> tuple[float, float]:
        learner = ho.NeighborsClassifier(k=5)
        ours = learner.leave_one_out(X, y, k_max=5).error(5)
        return ours, 1 - learner.fit(X, y).score(X_new, y_new)

    assert is_centered(differences(errors, False))


def test_leave_one_out_error_of_ridge_is_that_of_new_rows() -> None:
    """Over 120 made sets ridge's leave-one-out error is that of new rows; that on its own rows is not."""
    fooled = []

    def errors(X: Numbers, y: Numbers, X_new: Numbers, y_new: Numbers) -> tuple[float, float]:
        X, X_new = wide(X), wide(X_new)
        learner = ho.RidgeRegressor(alpha=10.0)
        model = learner.fit(X, y)
        truth = squared(model.predict(X_new), y_new)
        fooled.append(squared(model.predict(X), y) - truth)
        return float(learner.leave_one_out(X, y, [10.0]).errors[0]), truth

    assert is_centered(differences(errors, True))
    assert not is_centered(np.array(fooled))


def wide(X: Numbers) -> Numbers:
    """The columns, their squares and their products: enough of them to learn the noise."""
    return np.column_stack([X, *(X[:, [i]] * X[:, i:] for i in range(X.shape[1]))])


def squared(answers: Numbers, truth: Numbers) -> float:
    return float(np.mean((answers - truth) ** 2))
