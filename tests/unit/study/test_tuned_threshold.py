"""Thresholds inside the folds: who gets one, from which rows, and that the fielded model decides with it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.model_selection import GridSearchCV, TunedThresholdClassifierCV

import heldout as ho
from heldout.plan.resolved_plan import resolve_plan
from heldout.study.cells.chosen_on import chosen_on

from .made_work import cells_of, made_work


def rare_task(n_rows: int = 300, seed: int = 3) -> ho.Task:
    """About a tenth of the rows is positive."""
    generator = np.random.default_rng(seed)
    X = generator.normal(size=(n_rows, 2))
    is_rare = X[:, 0] + 0.7 * generator.normal(size=n_rows) > 1.6
    columns = {"a": X[:, 0], "b": X[:, 1], "y": np.where(is_rare, "yes", "no")}
    return ho.Task(ho.read_table(columns), target="y", positive="yes")


class RidgeClassifierNames(RidgeClassifier):  # type: ignore[misc]
    """One that gives no scores."""

    @property
    def decision_function(self) -> Any:
        raise AttributeError("names alone")


RARE = rare_task()
CONTENDERS = (
    ho.Contender("tree", ho.TreeClassifier(prune=None, min_leaf=10)),
    ho.Contender("forest", ho.ForestClassifier(n_trees=20, min_leaf=5)),
    ho.Contender("neighbors", ho.NeighborsClassifier(), {"k": [11, 21]}),
    ho.Contender("perceptron", ho.Perceptron()),
    ho.Contender("logistic", LogisticRegression()),
)


@pytest.mark.slow
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


@pytest.mark.slow
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
    assert resolve_plan(plan, RARE).decides_by == decides_by


NEAR = ho.Contender("near", ho.NeighborsClassifier(), {"k": [1, 5, 15, 45, 90]}, prepare=None)


@pytest.mark.slow
@pytest.mark.parametrize("choose_by", ["f1", "balanced_accuracy"])
def test_settings_are_those_of_a_grid_search_by_auc(choose_by: str) -> None:
    """A threshold follows, so a score at one half says little: GridSearchCV by AUC takes the same setting."""
    work = made_work(RARE, NEAR, choose_by=choose_by, tuning=ho.KFold(5))
    inner = work.inner_folds(np.arange(work.n_rows))
    X = np.column_stack([RARE.table["a"].values, RARE.table["b"].values])
    found = {}
    for scoring in ("roc_auc", choose_by):
        search = GridSearchCV(
            ho.NeighborsClassifier(),
            {"k": NEAR.space["k"]},
            scoring=scoring,
            cv=[(fold.train, fold.judged) for fold in inner],
        ).fit(X, (RARE.y == "yes").astype(int))
        found[scoring] = search.best_params_, search.cv_results_["mean_test_score"]
    choice = chosen_on(work, NEAR).choice
    assert choice.setting == found["roc_auc"][0] != found[choose_by][0]
    assert choice.scores == pytest.approx(found["roc_auc"][1], abs=1e-12)
    assert {cell.tuned_by for cell in cells_of(work, "near")} == {"auc"}


def test_who_has_a_threshold_or_no_scores_is_tuned_by_the_metric_itself() -> None:
    """A setting may be the threshold; and a learner that only names classes has no AUC."""
    own = ho.Contender("own", ho.ThresholdClassifier(ho.TreeClassifier()), {"threshold": [0.1, 0.3]})
    names = ho.Contender("names", RidgeClassifierNames(), {"alpha": [0.1, 1.0]})
    work = made_work(RARE, own, names, NEAR, choose_by="f1")
    assert [work.tunes_by(each).name for each in (own, names, NEAR)] == ["f1", "f1", "auc"]
    by_area = made_work(RARE, NEAR)
    assert by_area.tunes_by(NEAR).name == by_area.choose_by.name == "auc"
    assert made_work(RARE, NEAR, choose_by="accuracy").tunes_by(NEAR).name == "accuracy"


def test_the_page_names_the_metric_of_the_settings(tmp_path: Path) -> None:
    """Where settings were chosen by AUC for a verdict by F1, the figure of the tuning says AUC."""
    study = ho.Study.create(tmp_path / "a.heldout", RARE.table, target="y", positive="yes")
    result = study.run(ho.Plan([NEAR], folds=ho.KFold(3), tuning=ho.KFold(3), choose_by="f1"), progress=False)
    assert result.metric.name == "f1"
    page = study.report(tmp_path / "a.html").read_text(encoding="utf-8")
    assert "mean auc" in page
    assert "mean f1" not in page


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
