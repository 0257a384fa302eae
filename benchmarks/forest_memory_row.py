"""Memory that a fitted forest takes, beside scikit-learn's forest of the same rows."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from benchmarks.outcome import OURS, Goal, Outcome

# Resident memory is looked at after the C library gave back what it could; a small forest comes first, so
# that libraries are loaded. Answers are asked for: a forest may pack its nodes at the first question.
CHILD = """
import ctypes, gc, pickle, sys
from benchmarks.forest_programs import HeldoutForest, ScikitLearnForest
from benchmarks.problem import numbers_problem

def resident():
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmRSS"))

program = (HeldoutForest if sys.argv[1] == "Heldout" else ScikitLearnForest)(100)
small = numbers_problem(500, 20)
program.score(program.prepare(small, 1)(), small)
problem = numbers_problem(int(sys.argv[2]), 20)
before = resident()
model = program.prepare(problem, 1)()
program.score(model, problem)
grown = resident() - before
print(grown, len(pickle.dumps(model)), program.n_leaves(model))
"""


def forest_memory(n_rows: int = 10_000) -> Outcome:
    """100 trees on 10,000 × 20 numbers."""
    if not Path("/proc/self/status").exists():
        return Outcome("memory of a forest", "", (), (), ("left out: it needs Linux's /proc",))
    ours, theirs = (_sizes(name, n_rows) for name in (OURS, "scikit-learn"))
    goals = tuple(
        Goal(f"{what} against scikit-learn's", 1.0, our_size / their_size, at_least=False)
        for what, our_size, their_size in zip(("memory in use", "pickle"), ours, theirs, strict=False)
    )
    notes = tuple(
        f"{name}: {used / 1e6:.1f} MB in use, {pickled / 1e6:.1f} MB as a pickle, {n_leaves:,} leaves"
        for name, (used, pickled, n_leaves) in ((OURS, ours), ("scikit-learn", theirs))
    )
    title = f"memory of a forest of 100 trees, {n_rows:,} x 20 numbers"
    return Outcome(title, "bytes, after fit and predict", (), goals, notes)


def _sizes(name: str, n_rows: int) -> tuple[int, int, int]:
    """Bytes in use and as a pickle, and leaves."""
    command = [sys.executable, "-c", CHILD, name, str(n_rows)]
    printed = subprocess.run(command, capture_output=True, check=True, text=True).stdout
    used, pickled, n_leaves = (int(word) for word in printed.split())
    return used, pickled, n_leaves
