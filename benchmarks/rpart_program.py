"""R's rpart, which times itself in a process of its own; see rpart.R for its options."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

from benchmarks.problem import Problem
from benchmarks.program import GaveUpError, Program, Run

# With every leaf of a large regression tree rpart's own table of prunings takes quadratic time.
PATIENCE_SECONDS = 120
SCRIPT = Path(__file__).with_name("rpart.R")


class Rpart(Program):
    """It has no threads, and its depth ends at 30."""

    name = "rpart"

    def missing(self) -> str | None:
        if shutil.which("Rscript") is None:
            return "Rscript is not installed"
        probe = subprocess.run(["Rscript", "-e", "library(rpart)"], capture_output=True, check=False)
        return "R has no rpart" if probe.returncode else None

    def run(self, problem: Problem, n_threads: int, is_judged: bool) -> Run:
        with tempfile.TemporaryDirectory() as folder:
            write_columns(problem, Path(folder))
            kind = "anova" if problem.is_regression else "class"
            command = ["Rscript", "--vanilla", str(SCRIPT), folder, kind, str(problem.X.shape[1])]
            try:
                printed = subprocess.run(
                    command, capture_output=True, check=True, text=True, timeout=PATIENCE_SECONDS
                ).stdout
            except subprocess.TimeoutExpired:
                raise GaveUpError(f"not done after {PATIENCE_SECONDS} s") from None
        wall, cpu, score, n_leaves = (float(word) for word in printed.split())
        return Run(wall, cpu, score, int(n_leaves)) if is_judged else Run(wall, cpu)


def write_columns(problem: Problem, folder: Path) -> None:
    """Columns one after the other as float64, which R reads at once."""
    problem.X.T.astype("<f8").tofile(folder / "X")
    problem.y.astype("<f8").tofile(folder / "y")
    problem.X_test.T.astype("<f8").tofile(folder / "X_test")
    problem.y_test.astype("<f8").tofile(folder / "y_test")
