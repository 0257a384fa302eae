"""Fit time of one exact tree of unlimited depth, against the exact peers."""

from __future__ import annotations

from collections.abc import Mapping

from benchmarks.heldout_program import Heldout
from benchmarks.interleave import interleaved_fits
from benchmarks.outcome import Outcome, speed_goals
from benchmarks.problem import Problem, numbers_problem
from benchmarks.program import Program
from benchmarks.rpart_program import Rpart
from benchmarks.sklearn_program import ScikitLearn
from benchmarks.xgboost_program import Xgboost
from benchmarks.ydf_program import Ydf


def exact_programs() -> tuple[Program, ...]:
    """Heldout, and every peer that searches all cuts."""
    return Heldout(), ScikitLearn(), Ydf(), Xgboost(), Rpart()


def fit_outcome(problem: Problem, n_threads: int, n_rounds: int, wanted: Mapping[str, float]) -> Outcome:
    """Fit the problem with all exact programs."""
    entries, notes = interleaved_fits(exact_programs(), problem, n_threads, n_rounds)
    clock = "CPU seconds, 1 thread" if n_threads == 1 else f"seconds on the wall, {n_threads} threads"
    return Outcome(problem.name, clock, entries, speed_goals(entries, wanted), notes)


def fit_100k() -> Outcome:
    """100,000 × 50 numbers, one thread."""
    return fit_outcome(numbers_problem(100_000, 50), 1, 5, {"fastest peer": 5, "scikit-learn": 10})


def fit_100k_2_threads() -> Outcome:
    """100,000 × 50 numbers, two threads."""
    return fit_outcome(numbers_problem(100_000, 50), 2, 5, {"fastest peer": 7})


def fit_10k() -> Outcome:
    """10,000 × 20 numbers, one thread."""
    return fit_outcome(numbers_problem(10_000, 20), 1, 15, {"fastest peer": 4})


def fit_1m() -> Outcome:
    """1 million × 30 numbers, one thread."""
    return fit_outcome(numbers_problem(1_000_000, 30), 1, 3, {"fastest peer": 5})


def regress_100k() -> Outcome:
    """Regression on 100,000 × 50 numbers, one thread."""
    return fit_outcome(numbers_problem(100_000, 50, True), 1, 3, {"fastest peer": 3})


def regress_10k() -> Outcome:
    """Regression on 10,000 × 20 numbers, one thread."""
    return fit_outcome(numbers_problem(10_000, 20, True), 1, 15, {"fastest peer": 3})
