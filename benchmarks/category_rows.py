"""Fit time with categories of many levels, each program with its own way of splitting them."""

from __future__ import annotations

from benchmarks.heldout_program import Heldout
from benchmarks.interleave import interleaved_fits
from benchmarks.lightgbm_program import Lightgbm
from benchmarks.outcome import Outcome, speed_goals
from benchmarks.problem import mixed_problem
from benchmarks.ydf_program import Ydf


def categories() -> Outcome:
    """To purity against ydf; lightgbm gets as many leaves as Heldout's tree has."""
    problem = mixed_problem(100_000)
    n_leaves = Heldout().run(problem, 1, True).n_leaves
    assert n_leaves is not None
    entries, notes = interleaved_fits((Heldout(), Ydf(), Lightgbm(n_leaves)), problem, 1, 5)
    goals = speed_goals(entries, {"ydf": 5, "lightgbm": 1})
    return Outcome(f"{problem.name}, 2 classes", "CPU seconds, 1 thread", entries, goals, notes)


def categories_1000_leaves() -> Outcome:
    """Both grow best-first to 1,000 leaves; shown, without a goal of its own."""
    problem = mixed_problem(100_000)
    entries, notes = interleaved_fits((Heldout(max_leaves=1_000), Lightgbm(1_000)), problem, 1, 5)
    title = f"{problem.name}, 2 classes, 1,000 leaves"
    return Outcome(title, "CPU seconds, 1 thread", entries, (), notes)
