"""Leave-one-out error of nearest neighbors for every K from 1 to 50, all at once.

A peer finds 51 neighbors of every row, and NumPy drops the row itself and adds up the votes; that is the
best a user could write. What most users write, GridSearchCV with LeaveOneOut, stands beside it as a note.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import islice

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import GridSearchCV, LeaveOneOut
from sklearn.neighbors import KNeighborsClassifier

import heldout as ho
from benchmarks.interleave import interleaved_work
from benchmarks.kept_results import KeptResults
from benchmarks.neighbor_searches import Positions, neighbor_searches
from benchmarks.one_thread import one_thread
from benchmarks.outcome import OURS, Entry, Goal, Outcome, speed_goals
from benchmarks.problem import Problem, numbers_problem
from benchmarks.program import clocked

K_MAX = 50
N_LEFT_OUT = 4
Errors = NDArray[np.float64]


def leave_one_out_10k() -> Outcome:
    """10,000 × 30 numbers."""
    return leave_one_out_outcome(numbers_problem(10_000, 30), 5)


def leave_one_out_50k() -> Outcome:
    """50,000 × 64 numbers."""
    return leave_one_out_outcome(numbers_problem(50_000, 64), 2)


def leave_one_out_outcome(problem: Problem, n_rounds: int) -> Outcome:
    """The score is the smallest error turned round, accuracy; every K is compared with scikit-learn's."""
    with one_thread():
        searches = neighbor_searches(problem.X, problem.X, K_MAX + 1)
        del searches.work[OURS]
        pieces: dict[str, Callable[[], Errors]] = {OURS: lambda: _our_errors(problem)}
        for name, search in searches.work.items():
            pieces[name] = partial(_searched_errors, search, problem)
        kept = KeptResults(pieces)
        seconds = interleaved_work(kept.work, n_rounds, counts_cpu=True, patience_seconds=6)
        grid = _grid_search_seconds(problem)
    scores = {name: 1 - float(errors.min()) for name, errors in kept.results.items()}
    entries = tuple(Entry(name, rounds, scores[name]) for name, rounds in seconds.items())
    ours = kept.results[OURS]
    n_equal = {name: int(np.count_nonzero(errors == ours)) for name, errors in kept.results.items()}
    notes = (
        "score: accuracy of the best K; errors that equal Heldout's: "
        + ", ".join(f"{name} {n} of {K_MAX}" for name, n in n_equal.items() if name != OURS),
        "faiss knows float32 only",
        _grid_note(grid, min(seconds[OURS]), len(problem.X)),
        *searches.notes,
    )
    goals = (
        *speed_goals(entries, {"fastest peer": 1.5}),
        Goal("errors that equal scikit-learn's", K_MAX, n_equal["scikit-learn brute"], unit=f" of {K_MAX}"),
    )
    title = f"leave-one-out error for K = 1..{K_MAX}, {problem.name}"
    return Outcome(title, "CPU seconds, 1 thread", entries, goals, notes)


def errors_by_k(positions: Positions, classes: NDArray[np.int64]) -> Errors:
    """Error of each K from the positions of the nearest rows, each row among its own; two classes.

    >>> errors_by_k(np.array([[0, 1, 2], [1, 2, 0], [2, 1, 0]]), np.array([0, 1, 1])).round(3).tolist()
    [0.333, 1.0]
    """
    is_own = positions == np.arange(len(positions))[:, None]
    is_own[~is_own.any(axis=1), -1] = True
    votes = classes[positions[~is_own].reshape(len(positions), -1)]
    n_ones = np.cumsum(votes, axis=1, dtype=np.int16)
    answers = 2 * n_ones > np.arange(1, votes.shape[1] + 1)
    errors: Errors = np.mean(answers != (classes[:, None] == 1), axis=0)
    return errors


def _searched_errors(search: Callable[[], Positions], problem: Problem) -> Errors:
    return errors_by_k(search(), problem.y.astype(np.int64, copy=False))


def _our_errors(problem: Problem) -> Errors:
    learner = ho.NeighborsClassifier(metric="l2", n_jobs=1)
    return np.asarray(learner.leave_one_out(problem.X, problem.y, k_max=K_MAX).errors)


def _grid_search_seconds(problem: Problem) -> float:
    """A grid search over all K that leaves out only the first few rows, one by one."""
    splits = list(islice(LeaveOneOut().split(problem.X), N_LEFT_OUT))
    grid = {"n_neighbors": range(1, K_MAX + 1)}
    search = GridSearchCV(KNeighborsClassifier(), grid, cv=splits, refit=False)
    _, _, cpu = clocked(lambda: search.fit(problem.X, problem.y))
    return cpu


def _grid_note(seconds: float, ours: float, n_rows: int) -> str:
    whole = seconds * n_rows / N_LEFT_OUT
    return (
        f"GridSearchCV with LeaveOneOut: {seconds:.1f} s for {N_LEFT_OUT} of {n_rows:,} rows left out;"
        f" all would take {whole / 3600:.1f} hours, {whole / ours:,.0f} times Heldout's time (extrapolated)"
    )
