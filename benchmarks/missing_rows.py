"""Growing with missing values that go down every branch in shares, as C4.5 does it."""

from __future__ import annotations

from typing import Any

import heldout as ho
from benchmarks.heldout_program import Heldout
from benchmarks.interleave import interleaved_fits
from benchmarks.j48_program import J48
from benchmarks.outcome import Outcome, speed_goals
from benchmarks.problem import CATEGORY_LEVELS, Problem, missing_problem
from benchmarks.ydf_program import Ydf

MIN_LEAF = 2


class HeldoutC45(Heldout):
    """C4.5's setting without its pruning."""

    def learner(self, problem: Problem, n_threads: int) -> Any:
        return ho.TreeClassifier.c45(min_leaf=MIN_LEAF, prune=None, n_jobs=n_threads)


def missing_100k() -> Outcome:
    """One thread."""
    return _missing_outcome(missing_problem(100_000), 1)


def missing_100k_2_threads() -> Outcome:
    """Two threads for those who can use them."""
    return _missing_outcome(missing_problem(100_000), 2)


def missing_100k_many_levels() -> Outcome:
    """The categories of the row `categories`: ydf takes as long as on the table that set the goal."""
    return _missing_outcome(missing_problem(100_000, CATEGORY_LEVELS), 1)


def _missing_outcome(problem: Problem, n_threads: int) -> Outcome:
    programs = (HeldoutC45(), J48(), Ydf(min_examples=MIN_LEAF))
    entries, notes = interleaved_fits(programs, problem, n_threads, 5)
    clock = "CPU seconds, 1 thread" if n_threads == 1 else f"seconds on the wall, {n_threads} threads"
    goals = speed_goals(entries, {"J48": 20, "ydf": 5})
    notes += (
        "ydf knows no shares of rows: it puts the column's mean or mode in the place of a missing value",
    )
    return Outcome(problem.name, clock, entries, goals, notes)
