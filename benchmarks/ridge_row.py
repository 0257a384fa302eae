"""Fifty penalties of ridge regression, each with its exact leave-one-out error, against RidgeCV."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from sklearn.linear_model import RidgeCV

import heldout as ho
from benchmarks.interleave import interleaved_work
from benchmarks.kept_results import KeptResults
from benchmarks.one_thread import one_thread
from benchmarks.outcome import OURS, Entry, Goal, Outcome, speed_goals
from benchmarks.problem import Numbers, Problem


@dataclass(frozen=True, eq=False)
class Search:
    """The mean squared error of each penalty, and the penalty that was chosen."""

    errors: Numbers
    alpha: float


ALPHAS = np.logspace(-2, 6, 50)


def ridge_50_alphas() -> Outcome:
    """5,000 × 200 numbers."""
    return ridge_outcome(tame_problem(5_000, 200), 7)


def tame_problem(n_rows: int, n_columns: int, seed: int = 6) -> Problem:
    """Normal numbers, of which a fifth informs.

    With the skewed columns of the other rows RidgeCV has wrong errors at rows that lie far out: at one of
    them 1,841 where a fit without the row, in extended precision, has 5.1268105152, and Heldout 5.1268105155.
    """
    generator = np.random.default_rng(seed)
    X = generator.standard_normal((n_rows, n_columns))
    y = X[:, : n_columns // 5].sum(axis=1) + n_columns**0.5 * generator.standard_normal(n_rows)
    return Problem(f"{n_rows:,} x {n_columns} normal numbers, regression", X, y, X, y, True)


def ridge_outcome(problem: Problem, n_rounds: int) -> Outcome:
    """Both start from the array and end with the mean squared error of every penalty."""
    with one_thread():
        kept = KeptResults(
            {OURS: lambda: _our_search(problem), "scikit-learn": lambda: _their_search(problem)}
        )
        seconds = interleaved_work(kept.work, n_rounds, counts_cpu=True)
    ours, theirs = kept.results[OURS], kept.results["scikit-learn"]
    spread = np.var(problem.y)
    scores = {name: 1 - float(found.errors.min() / spread) for name, found in kept.results.items()}
    entries = tuple(Entry(name, rounds, scores[name]) for name, rounds in seconds.items())
    difference = float(np.max(np.abs(ours.errors / theirs.errors - 1)))
    goals = (
        *speed_goals(entries, {"scikit-learn": 1.5}),
        Goal("largest relative difference of the errors", 1e-9, difference, at_least=False, unit=""),
        Goal("programs that chose this penalty", 2, 1 + int(ours.alpha == theirs.alpha), unit=""),
    )
    chosen = f"{ours.alpha:.4g}, scikit-learn {theirs.alpha:.4g}"
    notes = (f"score: 1 - leave-one-out error / variance; chosen penalty {chosen}",)
    title = f"ridge with leave-one-out error for {len(ALPHAS)} penalties, {problem.name}"
    return Outcome(title, "CPU seconds, 1 thread", entries, goals, notes)


def _our_search(problem: Problem) -> Search:
    found = ho.RidgeRegressor().leave_one_out(problem.X, problem.y, ALPHAS)
    return Search(found.errors, found.best_alpha)


def _their_search(problem: Problem) -> Search:
    model = RidgeCV(alphas=ALPHAS, store_cv_results=True).fit(problem.X, problem.y)
    return Search(np.asarray(model.cv_results_.mean(axis=0)), float(model.alpha_))
