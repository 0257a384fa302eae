"""A seal that is too small to tell anything is advised against, before and after it is made."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binomtest

import heldout as ho
from heldout.study.files.seal_task import seal_advice


@pytest.mark.parametrize("n_held", [1, 5, 10, 32])
def test_few_sealed_rows_are_advised_against(n_held: int) -> None:
    """The interval that such a seal would give is SciPy's exact one, and the way without a seal is named."""
    found = seal_advice(5 * n_held, n_held)
    exact = binomtest(round(0.8 * n_held), n_held).proportion_ci(method="exact")
    assert f"{exact.low:.2f} to {exact.high:.2f}" in found
    assert "held=0" in found


def test_enough_rows_get_no_advice() -> None:
    """From 33 rows on 80% right is known within 15 points, and with no seal there is nothing to advise."""
    for n_held in (33, 34, 1000):
        exact = binomtest(round(0.8 * n_held), n_held).proportion_ci(method="exact")
        assert exact.high - exact.low <= 0.3
        assert seal_advice(5 * n_held, n_held) == ""
    assert seal_advice(20, 0) == ""


def test_numbers_have_errors_and_groups_are_counted() -> None:
    """A regression is advised by the error of its error, groups are counted as groups."""
    found = seal_advice(40, 8, "group", is_classification=False)
    assert "8 sealed groups say little: an error is known from them within 49%" in found


def test_a_study_keeps_the_advice(tmp_path: Path) -> None:
    """The seal's notes begin with it; a study without a seal has none, runs, and ships."""
    generator = np.random.default_rng(1)
    X = generator.normal(size=60)
    table = ho.read_table({"x": X.tolist(), "y": np.where(X > 0, "a", "b").tolist()})
    with ho.Study.create(tmp_path / "few.heldout", table, target="y") as study:
        assert study.seal.notes[0].startswith("12 sealed rows say little")
    with ho.Study.create(tmp_path / "none.heldout", table, target="y", held=0) as study:
        assert study.seal.notes == ()
        tree = ho.Contender("tree", ho.TreeClassifier())
        study.run(ho.Plan(contenders=[tree], folds=ho.KFold(5)), progress=False)
        study.ship("tree", tmp_path / "tree.model")
        assert (tmp_path / "tree.model").exists()
        assert study.report(tmp_path / "none.html").exists()
