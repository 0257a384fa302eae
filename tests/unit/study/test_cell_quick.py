"""A quick cell keeps the answers of every setting; the choice over its folds is that of a grid search."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV

import heldout as ho
from heldout.metrics.operating_point import best_index
from heldout.study.cells.cell import run_cell
from heldout.study.cells.chosen_on import chosen_on
from heldout.study.cells.tune import mean_scores

from .made_work import cells_of, key_of, made_work

PENGUINS = ho.Task(ho.datasets.load("penguins").take(np.arange(0, 344, 3)), target="species")
PROSTATE = ho.Task(ho.datasets.load("prostate"), target="lpsa")

CASES: list[tuple[ho.Task, Any, dict[str, Any]]] = [
    (PENGUINS, ho.TreeClassifier(), {"max_depth": [1, 2, None], "min_leaf": [1, 8]}),
    (PENGUINS, ho.NeighborsClassifier(metric="gower"), {"k": [1, 5, 15]}),
    (PENGUINS, ho.RuleClassifier(), {"min_leaf": [2, 9]}),
    (PROSTATE, ho.ForestRegressor(), {"n_trees": [2, 6]}),
]


@pytest.mark.parametrize(("task", "learner", "space"), CASES, ids=lambda given: type(given).__name__)
def test_quick_cells_are_the_folds_of_a_grid_search(
    task: ho.Task, learner: Any, space: dict[str, Any]
) -> None:
    """Scores of all settings on all folds, and the choice over them, are GridSearchCV's."""
    contender = ho.Contender("tried", learner, space, prepare=None)
    work = made_work(task, contender, rigor="quick", tuning=ho.KFold(4))
    cells = cells_of(work, "tried")
    metric = work.choose_by
    search = GridSearchCV(
        work.recipe_of(contender).learner,
        [{name: [value] for name, value in setting.items()} for setting in contender.settings()],
        scoring=metric.scorer,
        cv=[(fold.train, fold.test) for fold in work.folds],
    ).fit(task.X, task.y)
    for place, cell in enumerate(cells):
        wanted = metric.sign * search.cv_results_[f"split{place}_test_score"]
        assert cell.choice_scores.tolist() == wanted.tolist()
        assert (cell.chosen, cell.chosen_index) == ({}, -1)
    means = mean_scores(np.stack([cell.choice_scores for cell in cells], axis=1))
    assert best_index(means, metric) == search.best_index_ == chosen_on(work, contender).choice.index


def test_answers_of_every_setting_are_kept() -> None:
    """The first axis of every array is the settings, and each row is what that setting alone would answer."""
    space = {"max_depth": [1, 2, None]}
    work = made_work(PENGUINS, ho.Contender("tree", ho.TreeClassifier(), space), rigor="quick")
    for fold, cell in zip(work.folds, cells_of(work, "tree"), strict=True):
        n_rows = len(fold.test)
        assert cell.predictions["labels"].shape == (3, n_rows)
        assert cell.predictions["probabilities"].shape == (3, n_rows, 3)
        assert cell.predictions["setting_scores"].shape == (3, len(work.metrics))
        for place, depth in enumerate(space["max_depth"]):
            learner = work.recipe_of(work.resolved.contender("tree")).unfitted({"max_depth": depth})
            learner.fit(PENGUINS.X[fold.train], PENGUINS.y[fold.train])
            labels = work.codes_of(learner.predict(PENGUINS.X[fold.test]), "tree")
            assert cell.predictions["labels"][place].tolist() == labels.tolist()
            assert cell.predictions["setting_bits"][place] == learner.description_bits()
        assert np.isnan(cell.bits)
        assert [look.what for look in cell.looks] == ["fit", "score"]


def test_one_setting_has_scores_and_bits_of_its_own() -> None:
    """Where there is nothing to choose, a quick cell is an ordinary one."""
    work = made_work(PENGUINS, ho.Contender("tree", ho.TreeClassifier()), rigor="quick")
    cell = cells_of(work, "tree")[0]
    assert cell.scores["accuracy"] == cell.choice_scores[0] == cell.predictions["setting_scores"][0, 0]
    assert cell.bits == cell.predictions["setting_bits"][0]


def test_foreign_learners_and_settings_of_the_preparation_are_kept_too() -> None:
    """What has no sweep is fitted setting by setting, and settings may reach into the preparation."""
    space = {"C": [0.1, 1.0], "prepare__scale__by": ["variance", "max"]}
    work = made_work(
        PENGUINS, ho.Contender("logistic", LogisticRegression(max_iter=20), space), rigor="quick"
    )
    cell = cells_of(work, "logistic")[0]
    assert cell.predictions["probabilities"].shape[0] == 4
    assert not cell.bits_are_foreign
    assert not np.array_equal(cell.predictions["probabilities"][0], cell.predictions["probabilities"][1])


def test_a_refused_sweep_is_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a learner refuses to sweep, every setting is fitted by itself, and the cell says so."""
    tree = ho.Contender("tree", ho.TreeClassifier(), {"max_depth": [1, 2]})
    work = made_work(PENGUINS, tree, rigor="quick")
    key = key_of(work, "tree", work.folds[0])
    swept = run_cell(work, key)

    def refuse(*given: object, **named: object) -> None:
        raise ValueError("no sweep today")

    monkeypatch.setattr(ho.TreeClassifier, "sweep", refuse)
    cell = run_cell(work, key)
    assert "the sweep was refused, every setting was fitted by itself: no sweep today" in cell.notes
    assert cell.choice_scores.tolist() == swept.choice_scores.tolist()
    assert not [note for note in swept.notes if "sweep" in note]
