"""Weka's two filters that cut numbers into intervals: all cuts of a run in one Java machine."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from .weka_trees import WEKA

SOURCE = Path(__file__).with_name("WekaCuts.java")


@dataclass(frozen=True)
class CutJob:
    """Cut all numbers of a table.

    path:    an ARFF file; target: its class attribute
    filter:  "supervised" (Fayyad and Irani's cuts) or "unsupervised" (equal width)
    options: of the filter, as Weka has them
    """

    name: str
    path: Path
    target: str
    filter: str = "supervised"
    options: str = ""


def weka_cuts(jobs: Iterable[CutJob]) -> dict[str, dict[str, list[float]]]:
    """For each job the cuts of each attribute of numbers."""
    with tempfile.TemporaryDirectory() as folder:
        listed = Path(folder) / "jobs"
        listed.write_text(
            "".join(f"{job.name}\t{job.path}\t{job.target}\t{job.filter}\t{job.options}\n" for job in jobs)
        )
        command = ["java", "-cp", str(WEKA), str(SOURCE), str(listed)]
        printed = subprocess.run(command, capture_output=True, check=True, text=True).stdout
    found: dict[str, dict[str, list[float]]] = {}
    for line in printed.splitlines():
        name, attribute, cuts = line.split("\t")
        found.setdefault(name, {})[attribute] = [float(cut) for cut in cuts.split()]
    return found
