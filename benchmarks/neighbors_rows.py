"""Exact nearest neighbors of 10,000 rows: with many columns, and with so few that trees may help."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from benchmarks.interleave import interleaved_work
from benchmarks.kept_results import KeptResults
from benchmarks.neighbor_searches import Cells, Positions, exact_positions, neighbor_searches
from benchmarks.one_thread import one_thread
from benchmarks.outcome import OURS, Entry, Goal, Outcome, speed_goals
from benchmarks.problem import numbers_problem

N_QUERIES = 10_000
N_PROVED = 200
TREES = ("kd_tree", "ball_tree")


def neighbors_64_k1() -> Outcome:
    """50,000 × 64 numbers in float64, the nearest one."""
    return neighbors_outcome(50_000, 64, 1, np.float64, 1.2)


def neighbors_64_k50() -> Outcome:
    """50,000 × 64 numbers in float64, the nearest fifty."""
    return neighbors_outcome(50_000, 64, 50, np.float64, 1.3)


def neighbors_64_k1_float32() -> Outcome:
    """50,000 × 64 numbers in float32, the nearest one."""
    return neighbors_outcome(50_000, 64, 1, np.float32, 1.2)


def neighbors_64_k50_float32() -> Outcome:
    """50,000 × 64 numbers in float32, the nearest fifty."""
    return neighbors_outcome(50_000, 64, 50, np.float32, 1.3)


def neighbors_16_k1() -> Outcome:
    """100,000 × 16 numbers, the nearest one; peers with their trees, too."""
    return neighbors_outcome(100_000, 16, 1, np.float64, 1.6, TREES)


def neighbors_16_k50() -> Outcome:
    """100,000 × 16 numbers, the nearest fifty; peers with their trees, too."""
    return neighbors_outcome(100_000, 16, 50, np.float64, 1.5, TREES)


def neighbors_outcome(
    n_rows: int,
    n_columns: int,
    k: int,
    number_type: Any,
    wanted: float,
    trees: Sequence[str] = (),
    n_queries: int = N_QUERIES,
) -> Outcome:
    """The score is the share of queries that got exactly the neighbors of float64 brute force."""
    problem = numbers_problem(n_rows, n_columns)
    references, queries = (cells.astype(number_type) for cells in (problem.X, problem.X_test[:n_queries]))
    with one_thread():
        searches = neighbor_searches(references, queries, k, trees)
        kept = KeptResults(searches.work)
        seconds = interleaved_work(kept.work, 5, counts_cpu=True, patience_seconds=5)
    scores = _shares_of_exact(kept.results, references, queries, k)
    is_float64 = references.dtype == np.float64
    entries = tuple(
        Entry(name, rounds, scores[name], is_shown_only=is_float64 and name == "faiss")
        for name, rounds in seconds.items()
    )
    notes = [
        f"score: share of {N_PROVED} queries with exactly the neighbors of float64 brute force",
        "fit, off the clock: " + ", ".join(f"{n} {s:.3f} s" for n, s in searches.fit_seconds.items()),
        *searches.notes,
    ]
    if is_float64:
        notes.append("faiss knows float32 only, so with float64 it is shown, and no peer")
    goals = (
        *speed_goals(entries, {"fastest peer": wanted}),
        Goal("queries with exactly the right neighbors", 1.0, scores[OURS], unit=""),
    )
    title = f"{k} nearest of {n_rows:,} x {n_columns} {references.dtype}, {len(queries):,} queries"
    return Outcome(title, "CPU seconds, 1 thread", entries, goals, tuple(notes))


def _shares_of_exact(
    found: Mapping[str, Positions], references: Cells, queries: Cells, k: int
) -> dict[str, float]:
    proved = np.random.default_rng(5).choice(len(queries), min(N_PROVED, len(queries)), replace=False)
    exact = exact_positions(references, queries[proved], k)
    return {
        name: float(np.mean(np.all(positions[proved] == exact, axis=1))) for name, positions in found.items()
    }
