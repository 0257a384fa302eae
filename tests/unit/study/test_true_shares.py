"""Probabilities of default contenders on embedded tables: of the right size on average, and never 0."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest

import heldout as ho
from heldout.plan.resolved_plan import resolved
from heldout.study.cells.cell import cell_keys, run_cell
from heldout.study.cells.chosen_on import chosen_on
from heldout.study.cells.work import Work, work_of

# Votes of neighbors have the shares of the neighborhoods, not of the table, with any smoothing and without.
LEARNERS = ("baseline", "tree", "rules", "forest")
# Trees of travel_mode have many small leaves of one class, to which smoothing adds: see decision 72.
OUT_OF_FOLD = {"house_votes": 0.01, "penguins": 0.01, "travel_mode": 0.025}


@pytest.fixture(scope="module", params=sorted(OUT_OF_FOLD))
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def default_work(name: str) -> tuple[ho.Task, Work]:
    about = ho.datasets.describe(name)
    task = ho.Task(ho.datasets.load(name), target=about.target, groups=about.groups or None)
    few = tuple(each for each in ho.default_contenders(task) if each.name in LEARNERS)
    plan = ho.Plan(few, folds=ho.KFold(5), tuning=ho.KFold(3))
    return task, work_of(task, resolved(plan, task, seed=1))


def test_the_mean_probability_is_the_share_in_and_out_of_sample(name: str) -> None:
    """Within .01 in the training rows, and nearly so in new ones; every log loss is finite."""
    task, work = default_work(name)
    shares = np.array([np.mean(task.y == label) for label in task.classes])
    told = {contender.digest: np.zeros((task.n_rows, len(shares))) for contender in work.resolved.contenders}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for key in cell_keys(work):
            result = run_cell(work, key)
            assert np.isfinite(result.scores["log_loss"]), result.name
            told[key.contender][result.rows] = result.predictions["probabilities"]
        for contender in work.resolved.contenders:
            off = np.abs(told[contender.digest].mean(axis=0) - shares).max()
            assert off <= OUT_OF_FOLD[name], contender.name
            inside = chosen_on(work, contender).model.predict_proba(task.X)
            assert np.abs(inside.mean(axis=0) - shares).max() <= 0.01, contender.name


def test_what_is_shipped_has_the_shares_of_the_table(tmp_path: Path) -> None:
    """With 12% positives the mean probability is 12%, where class weights once made it 30%."""
    draw = np.random.default_rng(0)
    X = draw.normal(size=(600, 3))
    is_positive = X[:, 0] + draw.normal(size=600) > 1.66
    columns = [ho.Column(f"x{k}", "number", X[:, k]) for k in range(3)]
    labels = ho.Column("churned", "boolean", is_positive.astype(np.int64), ("no", "yes"))
    table = ho.Table([*columns, labels])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        study = ho.Study.create(tmp_path / "a.heldout", table, "churned", seed=1)
        study.run(ho.Plan(ho.default_contenders(study.task)[:4], folds=ho.KFold(5)))
        for name in ("tree", "forest"):
            study.ship(name, tmp_path / f"{name}.model")
            told = ho.load(tmp_path / f"{name}.model").predict_proba(table.select(["x0", "x1", "x2"]))
            assert told[:, 1].mean() == pytest.approx(is_positive.mean(), abs=0.01)
