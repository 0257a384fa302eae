"""Areas below ROC curves, their variances and their differences beside R's pROC."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import heldout as ho
from heldout.stats.auc_interval import placements_of

SCRIPT = Path(__file__).with_name("proc_curves.R")


def problems() -> dict[str, pd.DataFrame]:
    """Two scores for each row: continuous, tied, nearly constant, few of a class, opposite to the classes."""
    rng = np.random.default_rng(11)
    found = {}
    for place, (n_rows, share, digits) in enumerate(
        [(30, 0.5, 9), (200, 0.1, 9), (200, 0.5, 1), (1000, 0.3, 0), (60, 0.9, 2), (12, 0.5, 0)]
    ):
        y = (np.arange(n_rows) < max(2, round(share * n_rows))).astype(int)
        rng.shuffle(y)
        a = np.round(rng.normal(size=n_rows) + y, digits)
        b = np.round(0.5 * a + rng.normal(size=n_rows) - 0.3 * y * (place % 2), digits)
        found[f"problem{place}.csv"] = pd.DataFrame({"y": y, "a": a, "b": b})
    return found


def test_areas_variances_and_tests_are_those_of_proc(tmp_path: Path) -> None:
    """AUC, DeLong's variance, the paired test's p and the number of steps are pROC's, ties included."""
    rows = problems()
    for name, frame in rows.items():
        frame.to_csv(tmp_path / name, index=False)
    command = ["Rscript", "--vanilla", str(SCRIPT), str(tmp_path)]
    printed = subprocess.run(command, capture_output=True, check=True, text=True).stdout
    theirs = [line.split("\t") for line in printed.splitlines()]
    assert [line[0] for line in theirs] == sorted(rows)
    for name, area, variance, p_value, n_thresholds in theirs:
        frame = rows[name]
        y, a, b = (frame[column].to_numpy() for column in ("y", "a", "b"))
        curve = ho.metrics.roc(y, a)
        assert curve.area == pytest.approx(float(area), rel=1e-13)
        assert ho.stats.auc_interval(y, a).estimate == curve.area
        assert placements_of(y == 1, a).variance == pytest.approx(float(variance), rel=1e-10)
        assert ho.stats.compare_auc(y, a, b).p_value == pytest.approx(float(p_value), rel=1e-9)
        assert len(np.unique(a)) + 1 == int(n_thresholds) == len(curve.thresholds)
