"""Ten epochs of a perceptron over sparse rows, against scikit-learn's."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.linear_model import Perceptron, SGDClassifier

import heldout as ho
from benchmarks.interleave import interleaved_work
from benchmarks.kept_results import KeptResults
from benchmarks.one_thread import one_thread
from benchmarks.outcome import OURS, Entry, Outcome, score_goal, speed_goals

N_EPOCHS = 10


@dataclass(frozen=True, eq=False)
class SparseProblem:
    """Rows like those of texts, and two classes that a hyperplane parts but for some noise."""

    X: Any
    y: NDArray[np.int64]
    X_test: Any
    y_test: NDArray[np.int64]


def sparse_problem(n_rows: int, n_columns: int, density: float, seed: int = 6) -> SparseProblem:
    """A twentieth of the labels is flipped."""
    generator = np.random.default_rng(seed)
    n_all = n_rows + n_rows // 5
    X = sparse.random_array((n_all, n_columns), density=density, format="csr", rng=generator)
    margin = X @ generator.standard_normal(n_columns)
    y = ((margin > np.median(margin)) ^ (generator.random(n_all) < 0.05)).astype(np.int64)
    return SparseProblem(X[:n_rows], y[:n_rows], X[n_rows:], y[n_rows:])


def perceptron_sparse() -> Outcome:
    """100,000 × 1,000 numbers, one in a hundred not zero."""
    return perceptron_outcome(sparse_problem(100_000, 1_000, 0.01), 7)


def perceptron_outcome(problem: SparseProblem, n_rounds: int) -> Outcome:
    """Heldout averages by default; its plain perceptron and scikit-learn's averages are shown beside it."""
    learners: dict[str, Callable[[], Any]] = {
        OURS: lambda: ho.Perceptron(epochs=N_EPOCHS, random_state=0),
        "Heldout, not averaged": lambda: ho.Perceptron(variant="plain", epochs=N_EPOCHS, random_state=0),
        "scikit-learn": lambda: Perceptron(max_iter=N_EPOCHS, tol=None, random_state=0),
        "scikit-learn, averaged": _averaged_sgd,
    }
    with one_thread():
        kept = KeptResults({name: _fitter(learner, problem) for name, learner in learners.items()})
        seconds = interleaved_work(kept.work, n_rounds, counts_cpu=True, patience_seconds=6)
    entries = tuple(
        Entry(name, rounds, _accuracy(kept.results[name], problem), is_shown_only="," in name)
        for name, rounds in seconds.items()
    )
    goals = (*speed_goals(entries, {"scikit-learn": 1.5}), score_goal(entries, 0.01))
    notes = ("scikit-learn, averaged: SGDClassifier with the perceptron's loss, steps of 1 and average=True",)
    n_rows, n_columns = problem.X.shape
    title = f"perceptron, {n_rows:,} x {n_columns:,} sparse, {N_EPOCHS} epochs"
    return Outcome(title, "CPU seconds, 1 thread", entries, goals, notes)


def _averaged_sgd() -> Any:
    return SGDClassifier(
        loss="perceptron",
        penalty=None,
        learning_rate="constant",
        eta0=1.0,
        average=True,
        max_iter=N_EPOCHS,
        tol=None,
        random_state=0,
    )


def _fitter(learner: Callable[[], Any], problem: SparseProblem) -> Callable[[], Any]:
    return lambda: learner().fit(problem.X, problem.y)


def _accuracy(model: Any, problem: SparseProblem) -> float:
    return float(np.mean(model.predict(problem.X_test) == problem.y_test))
