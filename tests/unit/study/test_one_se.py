"""Choosing the first setting within one standard error of the best: by every way of tuning."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import sem
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV

import heldout as ho
from heldout.metrics.metric_registry import metric_named
from heldout.metrics.operating_point import setting_index
from heldout.plan.contender import read_contender
from heldout.study.cells.chosen_on import chosen_on
from heldout.study.cells.tune import tune

from .made_work import made_work

PENGUINS = ho.Task(ho.datasets.load("penguins").take(np.arange(0, 344, 3)), target="species")
PROSTATE = ho.Task(ho.datasets.load("prostate"), target="lpsa")
DEPTHS = {"max_depth": [0, 1, 2, 3, 6]}
CASES: list[tuple[ho.Task, Any, dict[str, Any]]] = [
    (PENGUINS, ho.TreeClassifier(), DEPTHS),
    (PENGUINS, ho.RuleClassifier(), {"min_leaf": [30, 9, 2]}),
    (PROSTATE, ho.TreeRegressor(), DEPTHS),
    (PROSTATE, ho.ForestRegressor(), {"n_trees": [2, 6, 12]}),
]


def test_numbers_of_both_directions() -> None:
    """The first within the best one's standard error is taken, larger or smaller being better."""
    accuracy, mse = metric_named("accuracy"), metric_named("mse")
    folds = np.array([[0.5, 0.5, 0.5, 0.5], [0.70, 0.72, 0.74, 0.76], [0.6, 0.7, 0.8, 0.9]])
    assert sem(folds[2]) > folds[2].mean() - folds[1].mean()
    assert setting_index(folds, accuracy, "one_se") == 1
    assert setting_index(folds, accuracy, "best") == 2
    assert setting_index(1 - folds, mse, "one_se") == 1
    assert setting_index(folds[:, :1], accuracy, "one_se") == setting_index(folds[:, :1], accuracy, "best")
    folds[1, 0] = np.nan  # a setting without a score in one fold has none
    assert setting_index(folds, accuracy, "one_se") == 2
    assert setting_index(np.full((2, 3), np.nan), accuracy, "one_se") == 0


@pytest.mark.slow
@pytest.mark.parametrize(("task", "learner", "space"), CASES, ids=lambda given: type(given).__name__)
def test_tuning_takes_what_the_folds_of_a_grid_search_say(
    task: ho.Task, learner: Any, space: dict[str, Any]
) -> None:
    """By sweep and one by one: the first whose mean of GridSearchCV is within SciPy's standard error."""
    contender = ho.Contender("tried", learner, space, prepare=None, choose="one_se")
    work = made_work(task, contender, tuning=ho.KFold(5))
    inner = work.inner_folds(np.arange(work.n_rows))
    search = GridSearchCV(
        work.recipe_of(contender).learner,
        [{name: [value] for name, value in setting.items()} for setting in contender.settings()],
        scoring=work.choose_by.scorer,
        cv=[(fold.train, fold.judged) for fold in inner],
    ).fit(task.X, task.y)
    table = np.stack([search.cv_results_[f"split{place}_test_score"] for place in range(5)], axis=1)
    best = search.best_index_
    wanted = int(np.flatnonzero(table.mean(axis=1) >= table[best].mean() - sem(table[best]))[0])
    for uses_sweeps in (True, False):
        assert tune(work, contender, inner, uses_sweeps=uses_sweeps).index == wanted
    assert wanted <= best


def test_it_is_part_of_the_plan() -> None:
    """It is written down, read back, counts in the digest, and is refused where it is misspelled."""
    plain, careful = (
        ho.Contender("t", ho.TreeClassifier(), DEPTHS, choose=each) for each in ("best", "one_se")
    )
    assert plain.digest != careful.digest
    assert read_contender(careful.to_dict()).choose == "one_se"
    assert "choose='one_se'" in repr(careful)
    assert "choose" not in repr(plain)
    assert "within one standard error" in " ".join(str(ho.Plan([careful])).split())
    with pytest.raises(ho.errors.RequestError) as caught:
        ho.Contender("t", ho.TreeClassifier(), DEPTHS, choose="1se")
    assert "'one_se'" in caught.value.fix


@pytest.mark.slow
def test_a_quick_plan_chooses_so_too(tmp_path: Path) -> None:
    """The standing, the correction by resampling and the shipped model take the same simpler setting."""
    space = {"C": [0.001, 0.01, 0.1, 1.0, 10.0, 100.0]}
    made = [
        ho.Contender("best", LogisticRegression(), space),
        ho.Contender("one_se", LogisticRegression(), space, choose="one_se"),
    ]
    table = ho.datasets.load("house_votes")
    study = ho.Study.create(tmp_path / "quick.heldout", table, target="party")
    result = study.run(ho.Plan(made, rigor="quick", tuning=ho.KFold(5)), progress=False)
    best, careful = (result.standing(each.name) for each in made)
    assert [each.score for each in (best, careful)] == sorted((best.score, careful.score), reverse=True)
    work = made_work(study.task, *made, rigor="quick", tuning=ho.KFold(5), seed=study.seed)
    places = [chosen_on(work, each).choice.index for each in made]
    assert places[1] < places[0]
    assert careful.fold_scores.mean() < best.fold_scores.mean()
    pair = next(each for each in result.comparisons if {each.name_a, each.name_b} == {"best", "one_se"})
    assert pair.effect.estimate != 0
