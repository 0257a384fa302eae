"""Nested cross-validation as users of scikit-learn write it: GridSearchCV within cross_val_score."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray
from sklearn.model_selection import GridSearchCV, cross_val_score

import heldout as ho
from benchmarks.nested_study import INNER, N_JOBS, OUTER

K_MAX = 50
Search = Callable[[Any, Any, int], Callable[[], NDArray[np.int64]]]


def grid_search_score(
    estimator: Any, grid: Mapping[str, Any], X: Any, y: Any, scoring: str, n_jobs: int = N_JOBS
) -> float:
    """The mean of the outer folds, which run in two processes."""
    search = GridSearchCV(estimator, grid, cv=ho.KFold(INNER), scoring=scoring)
    return float(cross_val_score(search, X, y, cv=ho.KFold(OUTER), scoring=scoring, n_jobs=n_jobs).mean())


def neighbor_loop_score(search: Search, X: Any, y: Any) -> float:
    """The best that one can write by hand: one search for 50 neighbors per inner fold answers for every K."""
    outer = list(ho.KFold(OUTER).split(X, y))
    run = Parallel(n_jobs=N_JOBS)
    return float(np.mean(run(delayed(_outer_fold)(search, X, y, train, test) for train, test in outer)))


def _outer_fold(search: Search, X: Any, y: Any, train: Any, test: Any) -> float:
    inner = list(ho.KFold(INNER).split(X[train], y[train]))
    accuracies = [_accuracies(search, X[train], y[train], fit, judged) for fit, judged in inner]
    best = int(np.mean(accuracies, axis=0).argmax())
    return float(_accuracies(search, X, y, train, test)[best])


def _accuracies(search: Search, X: Any, y: Any, train: Any, test: Any) -> NDArray[np.float64]:
    """For K = 1 … 50, of two classes 0 and 1."""
    positions = search(X[train], X[test], K_MAX)()
    votes = np.cumsum(y[train][positions], axis=1)
    answers = 2 * votes > np.arange(1, K_MAX + 1)
    right: NDArray[np.float64] = (answers == y[test][:, np.newaxis]).mean(axis=0)
    return right
