"""Where a class is rare, the page's calibration has the probabilities that are told, not weighted ones."""

from __future__ import annotations

import re
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import heldout as ho
from heldout.report.predictions.prediction_figures import reliability_figure
from heldout.report.summarize import summarize

LEARNERS = {
    "tree": ho.TreeClassifier.c45(class_weight="balanced", min_leaf=10),
    "rules": ho.RuleClassifier(class_weight="balanced", min_leaf=10),
    "forest": ho.ForestClassifier(50, class_weight="balanced"),
    "neighbors": ho.NeighborsClassifier(k=21, calibrate=True),
}


def rare_table(n_rows: int = 1200) -> ho.Table:
    """Three numbers, two of which tell something about a class of 12%."""
    draw = np.random.default_rng(4)
    x = draw.normal(size=(n_rows, 3))
    churned = np.where(2 * x[:, 0] + x[:, 1] + draw.logistic(size=n_rows) > 3.4, "yes", "no")
    return ho.read_table({**{f"x{k}": x[:, k] for k in range(3)}, "churned": churned.tolist()})


@pytest.mark.slow
@pytest.mark.parametrize("name", LEARNERS)
def test_the_figure_has_the_probabilities_that_were_told(name: str, tmp_path: Path) -> None:
    """Their mean in the bins is that of the recorded ones and the share; the bins are near the shares."""
    plan = ho.Plan((ho.Contender(name, LEARNERS[name]),), ho.KFold(5), ho.KFold(2))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with ho.Study.create(tmp_path / "a.heldout", rare_table(), target="churned", seed=1) as study:
            result = study.run(plan, n_jobs=1, progress=False)
            answers = summarize(study.ledger)["answers"]
            share = np.mean(study.task.y == "yes")
            told = result.predictions(name)["probability of yes"].values.mean()
    assert 0.1 < share < 0.14
    assert (answers["contender"], answers["positive"]) == (name, "yes")
    bins = answers["reliability"]["bins"]
    rows = [each["n_rows"] for each in bins]
    assert np.average([each["said"] for each in bins], weights=rows) == pytest.approx(told, abs=1e-5)
    assert np.average([each["share"] for each in bins], weights=rows) == pytest.approx(share, abs=1e-5)
    assert told == pytest.approx(share, abs=0.01)
    assert answers["reliability"]["calibration_error"] < 0.05
    assert shown_mean(reliability_figure(answers)) == pytest.approx(told, abs=0.002)


def shown_mean(figure: Any) -> float:
    """The mean of the predicted probabilities in the table below the figure."""
    numbers = [(float(row[0]), float(re.sub(r"[^\d.]", "", row[3]))) for row in figure.rows]
    return float(np.average([each[0] for each in numbers], weights=[each[1] for each in numbers]))
