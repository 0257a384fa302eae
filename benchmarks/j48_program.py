"""Weka's J48, which times itself in a process of its own; see C45Growth.java for what is timed."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import pandas as pd
from numpy.typing import NDArray

from benchmarks.mixed_frame import mixed_frame
from benchmarks.problem import Numbers, Problem, missing_problem
from benchmarks.program import GaveUpError, Program, Run

WEKA = Path("/usr/share/java/weka.jar")
SOURCE = Path(__file__).with_name("C45Growth.java")
PATIENCE_SECONDS = 1_200


class J48(Program):
    """It grows C4.5's trees with fractional rows, and has no threads to use within a tree."""

    name = "J48"

    def missing(self) -> str | None:
        if shutil.which("javac") is None:
            return "there is no Java compiler"
        return None if WEKA.exists() else "Weka is not installed: make peers installs it"

    def run(self, problem: Problem, n_threads: int, is_judged: bool) -> Run:
        small = missing_problem.__wrapped__(2_000)
        with tempfile.TemporaryDirectory() as folder:
            paths = [Path(folder) / f"{name}.arff" for name in ("small", "train", "test")]
            write_arff(small.X, small.y, small, paths[0])
            write_arff(problem.X, problem.y, problem, paths[1])
            write_arff(problem.X_test, problem.y_test, problem, paths[2])
            command = ["java", "-Xmx8g", "-Xss512m", "-cp", str(WEKA), str(SOURCE), *map(str, paths[:2])]
            command.append(str(paths[2]) if is_judged else "-")
            try:
                printed = subprocess.run(
                    command, capture_output=True, check=True, text=True, timeout=PATIENCE_SECONDS
                ).stdout
            except subprocess.TimeoutExpired:
                raise GaveUpError(f"not done after {PATIENCE_SECONDS} s") from None
        wall, cpu, score, n_leaves = (float(word) for word in printed.split())
        return Run(wall, cpu, score, int(n_leaves)) if is_judged else Run(wall, cpu)


def write_arff(X: Numbers, y: NDArray[Any], problem: Problem, path: Path) -> None:
    """The table with its class as the last attribute."""
    frame = mixed_frame(X, problem)
    declared = [
        f"@attribute {name} " + (_levels(frame[name]) if n_levels else "numeric")
        for name, n_levels in zip(frame.columns, problem.levels, strict=True)
    ]
    header = ["@relation made", *declared, "@attribute target {0,1}", "@data", ""]
    rows = frame.assign(target=y).to_csv(header=False, index=False, na_rep="?")
    # Weka takes a blank for the end of a cell.
    path.write_text("\n".join(header) + rows.replace("level ", "level_"))


def _levels(column: pd.Series[Any]) -> str:
    return "{" + ",".join(column.cat.categories).replace("level ", "level_") + "}"
