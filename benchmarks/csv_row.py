"""Time to read a million-row CSV of mixed columns into typed columns."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv

import heldout as ho
from benchmarks.interleave import interleaved_work
from benchmarks.outcome import OURS, Entry, Outcome, speed_goals


def csv() -> Outcome:
    """Every program uses the threads it likes; Heldout's time includes finding the kinds."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "mixed.csv"
        pyarrow.csv.write_csv(mixed_table(1_000_000), path)
        work, notes = readers(path)
        size = path.stat().st_size / 1e6
        seconds = interleaved_work(work, 5)
    entries = tuple(Entry(name, rounds) for name, rounds in seconds.items())
    goals = speed_goals(entries, {"fastest peer": 1 / 3})
    title = f"read a CSV of 1,000,000 rows and 12 mixed columns, {size:.0f} MB"
    return Outcome(title, "seconds on the wall, all threads", entries, goals, tuple(notes))


def mixed_table(n_rows: int, seed: int = 4) -> pa.Table:
    """Identifiers, dates, categories, booleans, whole and real numbers, a tenth of some missing."""
    generator = np.random.default_rng(seed)
    towns = np.array([f"Town {position}" for position in range(300)])
    first_day = np.datetime64("2020-01-01")
    gaps = generator.random(n_rows) < 0.1
    return pa.table(
        {
            "customer": [f"C{position:08}" for position in range(n_rows)],
            "since": first_day + generator.integers(0, 2000, n_rows),
            "town": towns[generator.integers(0, len(towns), n_rows)],
            "plan": np.array(["basic", "family", "business"])[generator.integers(0, 3, n_rows)],
            "is_active": generator.random(n_rows) < 0.7,
            "age": generator.integers(18, 95, n_rows),
            "n_calls": pa.array(generator.poisson(3, n_rows), mask=gaps),
            "balance": generator.normal(0, 1000, n_rows).round(2),
            "income": pa.array(generator.lognormal(10, 1, n_rows).round(2), mask=gaps),
            "latitude": generator.uniform(-60, 70, n_rows).round(6),
            "longitude": generator.uniform(-180, 180, n_rows).round(6),
            "has_left": np.array(["no", "yes"])[generator.integers(0, 2, n_rows)],
        }
    )


def readers(path: Path) -> tuple[dict[str, Callable[[], Any]], list[str]]:
    """What reads the file, and why others don't take part."""
    work: dict[str, Callable[[], Any]] = {
        OURS: lambda: ho.read_table(path),
        "pyarrow": lambda: pyarrow.csv.read_csv(path),
    }
    notes = []
    try:
        import pandas

        work["pandas"] = lambda: pandas.read_csv(path)
    except ImportError:
        notes.append("pandas is left out: it is not installed")
    try:
        import polars

        work["polars"] = lambda: polars.read_csv(path, try_parse_dates=True)
    except ImportError:
        notes.append("polars is left out: it is not installed")
    return work, notes
