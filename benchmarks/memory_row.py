"""Peak memory of a fit, in a process that does nothing else."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from benchmarks.outcome import Goal, Outcome
from benchmarks.problem import numbers_problem

# A small fit first, so that libraries are loaded; the array is read without a second copy of it.
# ru_maxrss is no help on Linux: a child begins with the peak of the process that started it.
CHILD = """
import sys
import numpy as np
import heldout as ho
from benchmarks.grown_out import CLASSIFIER_GROWN_OUT

def peak():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmHWM"))

small = np.random.default_rng(0).random((1000, 4))
ho.TreeClassifier.cart(n_jobs=1, **CLASSIFIER_GROWN_OUT).fit(small, small[:, 0] > 0.5)
X, y = np.load(sys.argv[1] + "/X.npy"), np.load(sys.argv[1] + "/y.npy")
before = peak()
ho.TreeClassifier.cart(min_leaf=1, min_gain=None, n_jobs=1, **CLASSIFIER_GROWN_OUT).fit(X, y)
print(peak() - before, X.nbytes)
"""


def memory() -> Outcome:
    """The input itself is counted as part of the peak."""
    if not Path("/proc/self/status").exists():
        return Outcome("peak memory of fit", "", (), (), ("left out: it needs Linux's /proc",))
    shares = {size: memory_share(*size) for size in ((100_000, 50), (1_000_000, 30))}
    goals = tuple(
        Goal(f"peak at {n_rows:,} x {n_columns}", 3.0, share, at_least=False, unit=" of the input")
        for (n_rows, n_columns), share in shares.items()
    )
    notes = tuple(
        f"{n_rows:,} x {n_columns}: {share - 1:.2f} of the input beside it"
        for (n_rows, n_columns), share in shares.items()
    )
    return Outcome("peak memory of fit, the input included", "share of the float64 input", (), goals, notes)


def memory_share(n_rows: int, n_columns: int) -> float:
    """Peak, input included, over size of the input for one made table."""
    problem = numbers_problem(n_rows, n_columns)
    with tempfile.TemporaryDirectory() as folder:
        np.save(Path(folder) / "X.npy", problem.X)
        np.save(Path(folder) / "y.npy", problem.y)
        command = [sys.executable, "-c", CHILD, folder]
        printed = subprocess.run(command, capture_output=True, check=True, text=True).stdout
    extra, size = (int(word) for word in printed.split())
    return (extra + size) / size
