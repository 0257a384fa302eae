"""Outcomes as text for the terminal, and as JSON for the record."""

from __future__ import annotations

import importlib.metadata
import json
import os
import platform
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from benchmarks.outcome import OURS, Entry, Outcome

RESULTS = Path(__file__).with_name("results.json")


def outcome_text(name: str, outcome: Outcome) -> str:
    """One row: who took how long, how many times Heldout's time that is, and what was wanted."""
    lines = [f"{name}: {outcome.title} ({outcome.clock})"]
    if outcome.entries:
        lines.append(f"  {'':32} {'seconds':>9} {'ratio':>7} {'score':>7} {'leaves':>8} {'rounds':>6}")
    ours = next((entry.seconds for entry in outcome.entries if entry.program == OURS), None)
    lines += [_entry_text(entry, ours) for entry in outcome.entries]
    lines += [f"  {note}" for note in outcome.notes]
    lines += [f"  {goal}" for goal in outcome.goals]
    return "\n".join(lines)


def _entry_text(entry: Entry, ours: float | None) -> str:
    ratio = "" if ours is None else f"{entry.seconds / ours:.2f}"
    score = "" if entry.score is None else f"{entry.score:.4f}"
    leaves = "" if entry.n_leaves is None else f"{entry.n_leaves:,}"
    return (
        f"  {entry.program:32} {entry.seconds:9.4f} {ratio:>7} {score:>7} {leaves:>8} {len(entry.rounds):>6}"
    )


def summary_text(outcomes: Mapping[str, Outcome]) -> str:
    """Every goal in one line."""
    lines = [f"  {name:24} {goal}" for name, outcome in outcomes.items() for goal in outcome.goals]
    return "\n".join(["goals:", *lines])


def save_outcomes(outcomes: Mapping[str, Outcome], path: Path = RESULTS) -> None:
    """Write these rows; rows that did not run this time stay as they were."""
    known = json.loads(path.read_text())["rows"] if path.exists() else {}
    record = {"machine": _machine(), "rows": known | {name: _record(row) for name, row in outcomes.items()}}
    path.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n")


def _record(outcome: Outcome) -> dict[str, Any]:
    record = asdict(outcome)
    record["goals"] = [asdict(goal) | {"is_met": goal.is_met} for goal in outcome.goals]
    return record


def _machine() -> dict[str, Any]:
    programs = (
        "numpy scipy scikit-learn scikit-learn-intelex faiss-cpu ydf xgboost lightgbm pandas polars pyarrow"
    )
    return {
        "processor": platform.machine(),
        "n_processors": os.cpu_count(),
        "python": platform.python_version(),
        "versions": {name: version for name in programs.split() if (version := _version(name))},
    }


def _version(name: str) -> str | None:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None
