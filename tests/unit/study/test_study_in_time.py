"""A study of rows in time: folds and hold-outs look forward, and both have an interval and a test."""

from __future__ import annotations

import math
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import heldout as ho
from heldout.study.study import Study

RIDGE = ho.Contender("ridge", ho.RidgeRegressor())
N_ROWS = 200


def days_columns() -> dict[str, list[Any]]:
    """A number that follows another one and drifts, in days that stand in no order."""
    random = np.random.default_rng(5)
    days = random.permutation(N_ROWS)
    pull = random.normal(size=N_ROWS)
    drift = random.normal(size=N_ROWS).cumsum()[days] / 10
    return {
        "day": [str(date(2024, 1, 1) + timedelta(int(day))) for day in days],
        "pull": pull.tolist(),
        "level": (2 * pull + drift + random.normal(size=N_ROWS) / 2).tolist(),
    }


@pytest.mark.parametrize(
    ("folds", "n_blocks"),
    [(ho.KFold(10, repeats=3), 10), (ho.KFold(3), 10), (ho.Holdout(1 / 3), 10)],
    ids=["ten folds", "three folds", "hold-out"],
)
def test_time_is_obeyed_and_judged(tmp_path: Path, folds: Any, n_blocks: int) -> None:
    """Tests lie after training; few blocks are cut into ten, so that each split has an interval and a p."""
    with Study.create(tmp_path / "a.heldout", days_columns(), "level", time="day") as study:
        result = study.run(ho.Plan([RIDGE], folds=folds), n_jobs=1, progress=False)
        time = study.task.time
    assert time is not None
    rows = result.rows
    assert rows.n_repeats == 1
    for number in range(rows.n_folds):
        is_test = rows.folds[0] == number
        is_earlier = (rows.folds[0] < number) | (rows.folds[0] < 0)
        assert time[is_test].min() > time[is_earlier].max()
    assert (rows.unit, rows.n_units) == ("block", n_blocks)
    said = result.predictions("ridge")
    rmse = np.sqrt(np.mean((said["answer"].values - said["truth"].values) ** 2))
    ridge = result.standing("ridge").estimate
    assert ridge.estimate == pytest.approx(rmse)
    assert ridge.low < rmse < ridge.high
    (found,) = result.comparisons
    assert found.p_value < 0.05
    assert not math.isnan(found.effect.low + found.effect.high)
    assert result.verdict.winner == "ridge"
    assert result.verdict.beats_baseline
    assert "blocks of time" in " ".join(str(result.verdict).split())


def test_a_hold_out_is_a_race_of_its_own(tmp_path: Path) -> None:
    """After a hold-out of the latest rows, folds are judged by all blocks that they test, and it is said."""
    with Study.create(tmp_path / "a.heldout", days_columns(), "level", time="day") as study:
        first = study.run(ho.Plan([RIDGE], folds=ho.Holdout(1 / 3)), n_jobs=1, progress=False).verdict
        second = study.run(ho.Plan([RIDGE], folds=ho.KFold(10)), n_jobs=1, progress=False).verdict
    assert first.corrected is not None
    assert second.corrected is not None
    assert first.corrected.names == ("baseline", "ridge")
    assert second.corrected.names == ("baseline", "ridge")
    assert second.number.n_rows == 10
    assert "Another race of this study, plan 1, by rmse over" in " ".join(str(second).split())


def test_the_page_describes_the_folds_as_they_were_dealt(tmp_path: Path) -> None:
    """In time there is one repeat and nothing is stratified, and the page's method says neither."""
    with Study.create(tmp_path / "a.heldout", days_columns(), "level", time="day") as study:
        study.run(ho.Plan([RIDGE]), n_jobs=1, progress=False)
        page = study.report(tmp_path / "a.html").read_text()
    assert "10 folds, forward in time" in page
    assert "5 folds, forward in time, inside the training part" in page
    assert not [word for word in ("stratified", "3 repeats", "classes are not") if word in page]
