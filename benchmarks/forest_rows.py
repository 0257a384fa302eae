"""Time to grow a forest of exact trees to purity, against the peers that search all cuts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from benchmarks.forest_programs import HeldoutForest, IntelexForest, ScikitLearnForest
from benchmarks.interleave import interleaved_fits
from benchmarks.outcome import OURS, Entry, Goal, Outcome, score_goal, speed_goals
from benchmarks.plain_process import PlainTwin, has_wide_vectors, plain_name
from benchmarks.problem import Problem, numbers_problem
from benchmarks.program import Program
from benchmarks.ranger_program import Ranger
from benchmarks.ydf_forest import YdfForest

# Between forests of one kind that differ in their seeds, accuracy on 10,000 rows moves by about 0.003.
ACCURACY_SLACK = 0.01
# Enough for some rounds of the fastest peer on the large table; the others get one.
PATIENCE_SECONDS = 12


def forest_10k() -> Outcome:
    """100 trees on 10,000 × 20 numbers, one thread."""
    return _forest_outcome(numbers_problem(10_000, 20), 100, 1, {"scikit-learn": 10}, 3, 2)


def forest_10k_2_threads() -> Outcome:
    """The same with two threads."""
    return _forest_outcome(numbers_problem(10_000, 20), 100, 2, {"scikit-learn": 10}, 3, 2)


def forest_100k() -> Outcome:
    """50 trees on 100,000 × 50 numbers, one thread."""
    return _forest_outcome(numbers_problem(100_000, 50), 50, 1, {}, 2.5, 1.8)


def forest_100k_2_threads() -> Outcome:
    """The same with two threads."""
    return _forest_outcome(numbers_problem(100_000, 50), 50, 2, {}, 2.5, 1.8)


def forest_programs(n_trees: int) -> tuple[Program, ...]:
    """Heldout with wide vectors and without, and the peers."""
    ours = HeldoutForest(n_trees)
    peers = (ScikitLearnForest(n_trees), IntelexForest(n_trees), YdfForest(n_trees), Ranger(n_trees))
    return ours, PlainTwin(ours), *peers


def wide_and_plain_goals(
    entries: tuple[Entry, ...], wanted: Mapping[str, float], wide: float, plain: float
) -> tuple[Goal, ...]:
    """One goal against the fastest peer with wide vectors, a lower one without."""
    if not has_wide_vectors():
        return speed_goals(entries, {"fastest peer": plain, **wanted})
    return (
        *speed_goals(entries, {"fastest peer": wide, **wanted}),
        *speed_goals(entries, {"fastest peer": plain}, plain_name(OURS)),
    )


def shown_apart(entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
    """Heldout without wide vectors is no peer of Heldout's."""
    return tuple(
        replace(entry, is_shown_only=True) if entry.program == plain_name(OURS) else entry
        for entry in entries
    )


def _forest_outcome(
    problem: Problem, n_trees: int, n_threads: int, wanted: Mapping[str, float], wide: float, plain: float
) -> Outcome:
    entries, notes = interleaved_fits(forest_programs(n_trees), problem, n_threads, 5, PATIENCE_SECONDS)
    entries = shown_apart(entries)
    clock = "CPU seconds, 1 thread" if n_threads == 1 else f"seconds on the wall, {n_threads} threads"
    goals = (*wide_and_plain_goals(entries, wanted, wide, plain), score_goal(entries, ACCURACY_SLACK))
    return Outcome(f"forest of {n_trees} trees, {problem.name}", clock, entries, goals, notes)
