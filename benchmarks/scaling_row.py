"""How fit time grows: as n log n in rows, and linearly in columns."""

from __future__ import annotations

from math import log2

from benchmarks.heldout_program import Heldout
from benchmarks.interleave import interleaved_fits
from benchmarks.outcome import Entry, Goal, Outcome
from benchmarks.problem import numbers_problem

ROWS = (1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000)
COLUMNS = (5, 10, 20, 40, 80, 160)
CLOCK = "CPU seconds, 1 thread"


def scaling_rows() -> Outcome:
    """20 numbers, 10³ to 10⁶ rows; nanoseconds per row, column and level of a balanced tree."""
    entries = tuple(_entry(n_rows, 20) for n_rows in ROWS)
    units = [entry.seconds / (n * log2(n) * 20) * 1e9 for entry, n in zip(entries, ROWS, strict=True)]
    notes = tuple(f"{n:>9,} rows: {unit:6.2f} ns" for n, unit in zip(ROWS, units, strict=True))
    what = "growth of seconds / (n log n) from 10⁴ to 10⁶ rows"
    growth = Goal(what, 2.5, units[-1] / units[2], at_least=False)
    return Outcome("fit time by rows, 20 numbers, 2 classes", CLOCK, entries, (growth,), notes)


def scaling_columns() -> Outcome:
    """20,000 rows, 5 to 160 numbers; microseconds per column."""
    entries = tuple(_entry(20_000, n_columns) for n_columns in COLUMNS)
    units = [entry.seconds / n * 1e6 for entry, n in zip(entries, COLUMNS, strict=True)]
    notes = tuple(f"{n:>9,} columns: {unit:7.0f} µs each" for n, unit in zip(COLUMNS, units, strict=True))
    what = "growth of seconds / column from 20 to 160 columns"
    growth = Goal(what, 1.5, units[-1] / units[2], at_least=False)
    return Outcome("fit time by columns, 20,000 rows, 2 classes", CLOCK, entries, (growth,), notes)


def _entry(n_rows: int, n_columns: int) -> Entry:
    n_rounds = max(3, min(20, 500_000 // n_rows))
    (entry,), _ = interleaved_fits((Heldout(),), numbers_problem(n_rows, n_columns), 1, n_rounds)
    return Entry(f"{n_rows:,} x {n_columns}", entry.rounds, entry.score, entry.n_leaves)
