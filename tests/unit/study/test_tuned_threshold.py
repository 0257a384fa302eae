"""Thresholds inside the folds: who gets one, from which rows, and that the fielded model decides with it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import TunedThresholdClassifierCV

import heldout as ho
from heldout.plan.resolved_plan import resolved
from heldout.study.cells.chosen_on import chosen_on

from .made_work import cells_of, made_work


def rare_task(n_rows: int = 300, seed: int = 3) -> ho.Task:
    """About a tenth of the rows is positive."""
    generator = np.random.default_rng(seed)
    X = generator.normal(size=(n_rows, 2))
    is_rare = X[:, 0] + 0.7 * generator.normal(size=n_rows) > 1.6
    columns = {"a": X[:, 0], "b": X[:, 1], "y": np.where(is_rare, "yes", "no")}
    return ho.Task(ho.read_table(columns), target="y", positive="yes")


RARE = rare_task()
CONTENDERS = (
    ho.Contender("tree", ho.TreeClassifier(prune=None, min_leaf=10)),
    ho.Contender("forest", ho.ForestClassifier(n_trees=20, min_leaf=5)),
    ho.Contender("neighbors", ho.NeighborsClassifier(), {"k": [11, 21]}),
    ho.Contender("perceptron", ho.Perceptron()),
    ho.Contender("logistic", LogisticRegression()),
)


@pytest.mark.parametrize("place", range(len(CONTENDERS)))
def test_every_contender_finds_the_rare_class(place: int) -> None:
    """With its own threshold each contender, ours or not, has a balanced accuracy well above half."""
    work = made_work(RARE, *CONTENDERS)
    contender = work.resolved.contender(CONTENDERS[place].name)
    scores = [cell.scores["balanced_accuracy"] for cell in cells_of(work, contender.name)]
    assert np.mean(scores) > 0.65
    assert np.isfinite(chosen_on(work, contender).choice.threshold)


def test_the_baseline_keeps_its_guess() -> None:
    """A guess that looks at nothing has no threshold to choose."""
    work = made_work(RARE, *CONTENDERS)
    assert np.isnan(chosen_on(work, work.resolved.baseline).choice.threshold)


def test_the_threshold_is_near_scikit_learns() -> None:
    """The threshold of a logistic regression is about that of TunedThresholdClassifierCV."""
    task = rare_task(2000)
    contender = ho.Contender("logistic", LogisticRegression())
    found = chosen_on(made_work(task, contender), contender).choice.threshold
    X = np.column_stack([task.table["a"].values, task.table["b"].values])
    theirs = TunedThresholdClassifierCV(
        LogisticRegression(), scoring="balanced_accuracy", cv=5, thresholds=500
    ).fit(X, task.y == "yes")
    share = (task.y == "yes").mean()
    assert abs(found - theirs.best_threshold_) < 0.05
    assert abs(found - share) < 0.08  # in theory the share of the positive class


def test_test_rows_do_not_reach_the_threshold() -> None:
    """Labels of the test rows in another order leave the threshold of a cell as it was."""
    table = RARE.table
    work = made_work(RARE, *CONTENDERS)
    fold = work.folds[0]
    turned = np.array(RARE.y)
    turned[fold.test] = turned[fold.test][::-1]
    assert (turned != RARE.y).any()
    columns = {"a": table["a"].values, "b": table["b"].values, "y": turned}
    other = made_work(ho.Task(ho.read_table(columns), target="y", positive="yes"), *CONTENDERS)
    contender = CONTENDERS[0]
    first = chosen_on(work, contender, fold.train).choice.threshold
    assert first == chosen_on(other, contender, fold.train).choice.threshold


@pytest.mark.parametrize(
    ("choose_by", "rigor", "decides_by"),
    [
        (None, "standard", "balanced_accuracy"),
        ("f1", "standard", "f1"),
        ("log_loss", "standard", "balanced_accuracy"),
        ("accuracy", "standard", ""),
        (None, "quick", ""),
    ],
)
def test_what_a_threshold_is_chosen_by(choose_by: str | None, rigor: str, decides_by: str) -> None:
    """By the metric of the plan if it judges decisions, else by balanced accuracy, or not at all."""
    plan = ho.Plan(CONTENDERS[:1], choose_by=choose_by, rigor=rigor, tuning=ho.KFold(3))
    assert resolved(plan, RARE).decides_by == decides_by


def test_the_fielded_model_decides_at_its_threshold(tmp_path: Path) -> None:
    """What is shipped predicts the rare class about as often as its threshold says, and explains it."""
    study = ho.Study.create(tmp_path / "a.heldout", RARE.table, target="y", positive="yes")
    plan = ho.Plan(CONTENDERS[:1], folds=ho.KFold(3), tuning=ho.KFold(3), seed=1)
    result = study.run(plan)
    assert result.metric.name == "auc"
    study.ship("tree", tmp_path / "a.model")
    model: Any = ho.load(tmp_path / "a.model")
    assert isinstance(model, ho.ThresholdClassifier)
    is_called = model.predict_proba(RARE.X)[:, 1] >= model.threshold
    assert (model.predict(RARE.X) == "yes").tolist() == is_called.tolist()
    assert model.threshold < 0.5
    assert is_called.mean() > (RARE.y == "yes").mean()


def test_the_guess_by_f1_always_says_yes() -> None:
    """By F1 the baseline takes the positive class for all, whose F1 is 2p / (1 + p): noise must beat that."""
    work = made_work(RARE, CONTENDERS[0], choose_by="f1")
    scores = [cell.scores["f1"] for cell in cells_of(work, "baseline")]
    shares = [float(np.mean(RARE.y[fold.test] == "yes")) for fold in work.folds]
    assert scores == pytest.approx([2 * share / (1 + share) for share in shares])


def test_without_inner_folds_one_half_decides() -> None:
    """Where groups are too few for inner folds an untuned contender still runs, and decides as usual."""
    groups = np.repeat(["a", "b", "c"], 100)
    columns = {"a": RARE.table["a"].values, "y": RARE.y, "group": groups}
    task = ho.Task(ho.read_table(columns), target="y", positive="yes", groups="group")
    work = made_work(task, ho.Contender("tree", ho.TreeClassifier()), folds=ho.KFold(2), tuning=ho.KFold(2))
    cells = cells_of(work, "tree")
    assert [len(cell.rows) > 0 for cell in cells] == [True, True]
    assert any("decides at one half" in note for cell in cells for note in cell.notes)
