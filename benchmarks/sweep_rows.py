"""Many settings at once: the path of cost-complexity prunings, and a sweep over four kinds of settings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.tree import DecisionTreeClassifier

import heldout as ho
from benchmarks.interleave import interleaved_work
from benchmarks.outcome import OURS, Entry, Goal, Outcome, speed_goals
from benchmarks.problem import Numbers, Problem, numbers_problem

N_ALPHAS = 50
DEPTHS = (2, 4, 6, 8, 12)
ALPHAS = (0.0003, 0.001, 0.003, 0.01, 0.03)
CONFIDENCES = (0.05, 0.1, 0.25, 0.4, 0.5)
SIGNIFICANCES = (0.2, 0.1, 0.05, 0.01, 0.001)


def path_50_alphas() -> Outcome:
    """Find the path, take fifty alphas of it, and answer for 20,000 new rows with each."""
    problem = numbers_problem(20_000, 20)
    work: dict[str, Callable[[], Any]] = {
        OURS: lambda: _our_answers(problem),
        "scikit-learn": lambda: _sklearn_answers(problem),
    }
    scores = {name: max(np.mean(answers() == problem.y_test, axis=1)) for name, answers in work.items()}
    seconds = interleaved_work(work, 3)
    entries = tuple(Entry(name, rounds, float(scores[name])) for name, rounds in seconds.items())
    title = f"{problem.name}, {N_ALPHAS} alphas, answers for {len(problem.y_test):,} rows with each"
    return Outcome(title, "seconds on the wall, 1 thread", entries, speed_goals(entries, {"scikit-learn": 5}))


def sweep_20() -> Outcome:
    """Twenty settings and their answers for 20,000 new rows, against one fit and its answers."""
    problem = numbers_problem(100_000, 20)
    settings = (
        [{"prune": None, "max_depth": depth} for depth in DEPTHS]
        + [{"prune": "cost_complexity", "prune_alpha": alpha} for alpha in ALPHAS]
        + [{"prune": "pessimistic", "prune_confidence": confidence} for confidence in CONFIDENCES]
        + [{"prune": "chi_square", "prune_significance": significance} for significance in SIGNIFICANCES]
    )
    learner = ho.TreeClassifier.c45(n_jobs=1)
    one_fit, sweep = "one fit", f"sweep of {len(settings)}"
    seconds = interleaved_work(
        {
            one_fit: lambda: learner.fit(problem.X, problem.y).predict(problem.X_test),
            sweep: lambda: learner.sweep(problem.X, problem.y, settings).predict(problem.X_test),
        },
        5,
    )
    entries = tuple(Entry(name, rounds) for name, rounds in seconds.items())
    cost = min(seconds[sweep]) / min(seconds[one_fit])
    goal = Goal("a sweep over 20 settings against one fit", 2.0, cost, at_least=False)
    title = f"{problem.name}: {len(settings)} settings of depth, alpha, confidence and significance"
    return Outcome(title, "seconds on the wall, 1 thread", entries, (goal,))


def _our_answers(problem: Problem) -> Any:
    learner = ho.TreeClassifier.cart(n_jobs=1, prune="cost_complexity")
    alphas = _chosen(learner.cost_complexity_path(problem.X, problem.y).alphas)
    return learner.sweep(problem.X, problem.y, {"prune_alpha": alphas.tolist()}).predict(problem.X_test)


def _sklearn_answers(problem: Problem) -> Any:
    X, X_test = problem.X.astype(np.float32), problem.X_test.astype(np.float32)
    path = DecisionTreeClassifier(random_state=0).cost_complexity_pruning_path(X, problem.y)
    return np.array(
        [
            DecisionTreeClassifier(random_state=0, ccp_alpha=alpha).fit(X, problem.y).predict(X_test)
            for alpha in _chosen(np.maximum(path.ccp_alphas, 0))
        ]
    )


def _chosen(alphas: Numbers) -> Numbers:
    """Fifty of the path's alphas, from the whole tree to its root."""
    return alphas.take(np.linspace(0, len(alphas) - 1, N_ALPHAS).round().astype(int))
