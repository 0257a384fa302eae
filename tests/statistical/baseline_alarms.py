"""How often something is said to beat guessing where nothing can: labels that no input explains."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import heldout as ho
from heldout.verdict import SimplestWithinNoise

from .cross_validations import seeded
from .noise_studies import edited, noise_table
from .populations import Population, gaussian_classes
from .rule_regret import stood, winner

BALANCED = Population("noise, half positives", True, gaussian_classes(0.5, 0.0))
RARE_NOISE = Population("noise, 10% positives", True, gaussian_classes(0.1, 0.0))


@dataclass(frozen=True)
class Alarms:
    """How many sets of noise had a model that was said to beat guessing.

    plan: in words
    """

    population: str
    n_rows: int
    plan: str
    n_alarms: int
    n_sets: int

    @property
    def share(self) -> float:
        return self.n_alarms / self.n_sets


def standard_alarms(population: Population, n_rows: int, n_sets: int) -> Alarms:
    """Four learners and a baseline by 3 × 10 folds."""
    generator = seeded("alarms of the baseline", population.name, n_rows)

    def is_alarm() -> bool:
        standings, judged = stood(population.rows(generator, n_rows), generator)
        return winner(SimplestWithinNoise(), standings, judged) != "baseline"

    return _counted(population.name, n_rows, "3 × 10 folds, 4 learners", n_sets, is_alarm)


def quick_alarms(n_rows: int, n_sets: int, is_balanced: bool = True) -> Alarms:
    """Whole studies of a quick plan: six contenders with 20 settings."""
    generator = seeded("quick alarms", is_balanced, n_rows)
    labels = "balanced labels" if is_balanced else "labels drawn at random"
    plan = ho.Plan.quick(edited(0), metrics=["accuracy"], choose_by="accuracy")
    with tempfile.TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None) as folder:
        path = Path(folder) / "noise.heldout"

        def is_alarm() -> bool:
            path.unlink(missing_ok=True)
            table = noise_table(generator, n_rows, is_balanced=is_balanced)
            with ho.Study.create(path, table, "y", kind="classification", held=0) as study:
                return study.run(plan, n_jobs=1, progress=False).verdict.beats_baseline

        return _counted(f"noise, {labels}", n_rows, "quick plan, 6 contenders", n_sets, is_alarm)


def _counted(population: str, n_rows: int, plan: str, n_sets: int, is_alarm: Callable[[], bool]) -> Alarms:
    n_alarms = int(np.sum([is_alarm() for _ in range(n_sets)]))
    return Alarms(population, n_rows, plan, n_alarms, n_sets)
