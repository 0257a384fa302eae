"""The verdict of a quick plan where a column gives the answer away."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import heldout as ho


@pytest.mark.slow
def test_a_perfect_tree_beats_guessing_in_a_quick_plan(tmp_path: Path) -> None:
    """It is right in every resample: a difference without spread is no reason to put it out."""
    draws = np.random.default_rng(5)
    late = np.arange(400) % 8 == 0
    columns = {"days_late": np.where(late, 30.0, 0.0), "noise": draws.normal(size=400)}
    table = ho.read_table(columns | {"refused": np.where(late, "yes", "no")})
    study = ho.Study.create(tmp_path / "loans.heldout", table, target="refused")
    contenders = [ho.Contender("tree", ho.TreeClassifier()), ho.Contender("guess", ho.BaselineClassifier())]
    verdict = study.run(ho.Plan(contenders, rigor="quick"), progress=False).verdict
    assert verdict.metric == "auc"
    assert verdict.winner == "tree"
    assert verdict.comparisons[0].p_value < 0.05
    assert np.isnan(verdict.comparisons[0].effect.low)
