"""R's ranger, which times itself in a process of its own; see ranger.R for its options."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

from benchmarks.problem import Numbers, Problem
from benchmarks.program import GaveUpError, Program, Run
from benchmarks.rpart_program import write_columns

PATIENCE_SECONDS = 300
SCRIPT = Path(__file__).with_name("ranger.R")


class Ranger(Program):
    """Its matrix is made before its clock starts; its trees vote."""

    name = "ranger"

    def __init__(self, n_trees: int) -> None:
        self.n_trees = n_trees

    def missing(self) -> str | None:
        if shutil.which("Rscript") is None:
            return "Rscript is not installed"
        probe = subprocess.run(["Rscript", "-e", "library(ranger)"], capture_output=True, check=False)
        return "R has no ranger: make peers installs it" if probe.returncode else None

    def run(self, problem: Problem, n_threads: int, is_judged: bool) -> Run:
        grown, _ = self.grown_and_asked(problem, n_threads, None, 0)
        return grown if is_judged else Run(grown.wall_seconds, grown.cpu_seconds)

    def grown_and_asked(
        self, problem: Problem, n_threads: int, X_new: Numbers | None, n_rounds: int
    ) -> tuple[Run, tuple[Run, ...]]:
        """Grow a forest, and let it answer for the new rows so many times."""
        with tempfile.TemporaryDirectory() as folder:
            write_columns(problem, Path(folder))
            if X_new is not None:
                X_new.T.astype("<f8").tofile(Path(folder) / "X_new")
            numbers = (problem.X.shape[1], self.n_trees, n_threads, n_rounds)
            command = ["Rscript", "--vanilla", str(SCRIPT), folder, *map(str, numbers)]
            try:
                printed = subprocess.run(
                    command, capture_output=True, check=True, text=True, timeout=PATIENCE_SECONDS
                ).stdout
            except subprocess.TimeoutExpired:
                raise GaveUpError(f"not done after {PATIENCE_SECONDS} s") from None
        first, *others = ([float(word) for word in line.split()] for line in printed.splitlines())
        wall, cpu, score, n_leaves = first
        return Run(wall, cpu, score, int(n_leaves)), tuple(Run(wall, cpu) for wall, cpu in others)
