"""A cell is GridSearchCV inside cross_val_score: the same choices and the same scores, bit for bit."""

from __future__ import annotations

from copy import copy
from typing import Any

import numpy as np
import pytest
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

import heldout as ho
from heldout.metrics.metric_registry import metric_named
from heldout.study.cells.chosen_on import chosen_on
from heldout.study.cells.fit_contender import fit_contender, joined_model
from heldout.study.cells.tune import tune
from heldout.study.runners.one_thread import one_thread

from ..unit.study.made_work import cells_of, made_work
from .nested_search import nested_search
from .study_tasks import study_task

MACRO_F1 = metric_named("f1").using("macro f1", average="macro")
SCALED = Pipeline([("fill", ho.FillMissing()), ("scale", ho.Scale()), ("encode", ho.OneHot())])

TREES = {"max_depth": [1, 3, None], "min_leaf": [1, 5], "prune": [None, "pessimistic"]}
ALPHAS = {"prune": ["cost_complexity"], "prune_alpha": [0.0, 0.01, 0.1], "max_depth": [4, None]}
CRITERIA = {"criterion": ["gini", "gain_ratio"], "min_leaf": [2, 40]}
FORESTS = {"n_trees": [1, 5, 12], "max_depth": [2, None]}
NEAR = {"k": [1, 2, 7], "weights": ["uniform", "inverse"]}
TIES = {"max_leaves": [1, 1, 1], "min_leaf": [30, 40]}

CASES: list[tuple[str, Any, Any, dict[str, Any]]] = [
    ("penguins", ho.TreeClassifier(), TREES, {}),
    ("penguins", ho.TreeClassifier(), ALPHAS, {"choose_by": "log_loss"}),
    ("penguins", ho.TreeClassifier(), CRITERIA, {"choose_by": "auc"}),
    ("penguins", ho.TreeClassifier(), TIES, {"choose_by": "balanced_accuracy"}),
    ("penguins", ho.TreeClassifier(), [{"max_depth": 2}, {"min_leaf": 9}, {}], {"choose_by": MACRO_F1}),
    ("penguins", ho.RuleClassifier(), {"min_leaf": [2, 10], "estimate": ["pessimistic", "validation"]}, {}),
    ("penguins", ho.ForestClassifier(), FORESTS, {}),
    (
        "penguins",
        ho.ForestClassifier(),
        {"max_features": [1, 3], "n_trees": [3, 9]},
        {"choose_by": "log_loss"},
    ),
    ("penguins", ho.NeighborsClassifier(), NEAR, {}),
    ("penguins", ho.NeighborsClassifier(), {"k": [1, 4], "metric": ["l1", "l2"]}, {"choose_by": "brier"}),
    ("penguins", ho.Perceptron(), {"epochs": [1, 5], "variant": ["plain", "averaged"]}, {}),
    ("penguins", ho.BaselineClassifier(), {"strategy": ["prior", "majority"]}, {"choose_by": "log_loss"}),
    ("votes", ho.TreeClassifier(), TREES, {"choose_by": "f1"}),
    ("votes", ho.ForestClassifier(), FORESTS, {"choose_by": "auc"}),
    ("votes", ho.NeighborsClassifier(), NEAR, {"choose_by": "auc"}),
    ("votes", ho.Perceptron(), {"epochs": [1, 4, 9]}, {"choose_by": "auc"}),
    ("votes", ho.RuleClassifier(), {"min_leaf": [2, 6]}, {"choose_by": "recall"}),
    ("prostate", ho.TreeRegressor(), {"max_depth": [1, 3, None], "min_leaf": [1, 8]}, {}),
    ("prostate", ho.ForestRegressor(), FORESTS, {"choose_by": "mae"}),
    ("prostate", ho.NeighborsRegressor(), NEAR, {}),
    ("prostate", ho.LinearRegressor(), {"fit_intercept": [True, False]}, {"choose_by": "r2"}),
    ("prostate", ho.RidgeRegressor(), {"alpha": np.geomspace(1e-3, 1e3, 9)}, {}),
    (
        "prostate",
        ho.RidgeRegressor(),
        {"alpha": [0.1, 10.0], "fit_intercept": [True, False]},
        {"choose_by": "rmse"},
    ),
    ("prostate", ho.BaselineRegressor(), {"strategy": ["mean", "median"]}, {"choose_by": "mae"}),
    ("mixed", ho.TreeClassifier(), {"missing": ["fractional", "node_mode"], "min_leaf": [2, 9]}, {}),
    ("mixed", ho.NeighborsClassifier(), {"k": [3, 9]}, {"choose_by": "balanced_accuracy"}),
    ("words", ho.NeighborsClassifier(), {"k": [3, 9]}, {}),
    ("words", ho.TreeClassifier(), {"max_depth": [1, 4]}, {}),
    ("words", ho.Perceptron(), {"epochs": [1, 6]}, {}),
    ("groups", ho.TreeClassifier(), {"prune": ["reduced_error"], "min_leaf": [1, 4]}, {}),
    ("groups", ho.ForestClassifier(), FORESTS, {"choose_by": "log_loss"}),
    ("weights", ho.TreeClassifier(), TREES, {}),
    ("weights", ho.NeighborsClassifier(), NEAR, {}),
    ("weights", ho.BaselineClassifier(), {"strategy": ["prior", "majority"]}, {"choose_by": "log_loss"}),
    ("groups and weights", ho.ForestClassifier(), FORESTS, {"choose_by": "balanced_accuracy"}),
    ("time", ho.TreeClassifier(), {"max_depth": [1, 4]}, {}),
    ("penguins", GaussianNB(), {"var_smoothing": [1e-9, 1e-2]}, {"choose_by": "log_loss"}),
    ("votes", LogisticRegression(max_iter=15), {"C": [0.01, 1.0]}, {"choose_by": "auc"}),
    ("votes", LinearSVC(), {"C": [0.001, 0.1]}, {"choose_by": "auc"}),
    ("penguins", DecisionTreeClassifier(), {"max_depth": [1, 4], "random_state": [None]}, {}),
    ("weights", DecisionTreeClassifier(), {"max_depth": [1, 4]}, {}),
]


def _label(case: tuple[str, Any, Any, dict[str, Any]]) -> str:
    names = ", ".join(case[2]) if isinstance(case[2], dict) else "a list"
    return f"{type(case[1]).__name__} on {case[0]} over {names}"


def _check(work: Any, name: str = "tried") -> None:
    """Cells against scikit-learn, and the sweep against fits one by one."""
    found, wanted = cells_of(work, name), nested_search(work, name)
    contender = work.resolved.contender(name)
    metric = work.tunes_by(contender).name  # scores at a threshold are no part of a grid search
    assert [cell.chosen_index for cell in found] == wanted.places
    for cell, fold, scores, score in zip(found, work.folds, wanted.choice_scores, wanted.scores, strict=True):
        assert cell.choice_scores.tobytes() == scores.tobytes()
        plain, calibrated = _scores_around_calibration(work, contender, fold, cell.scores[metric])
        assert np.float64(plain).tobytes() == np.float64(score).tobytes()
        assert np.float64(cell.scores[metric]).tobytes() == np.float64(calibrated).tobytes()
        by_hand = tune(work, contender, work.tuning_folds(fold), uses_sweeps=False)
        assert by_hand.scores.tobytes() == cell.choice_scores.tobytes()
        assert by_hand.index == cell.chosen_index


def _scores_around_calibration(work: Any, contender: Any, fold: Any, score: float) -> tuple[float, float]:
    """A cell's score before and after class factors, which no grid search knows; without factors its own."""
    fitted = chosen_on(work, contender, fold.train).fitted
    factors = getattr(fitted.learner, "class_factors_", np.ones(1))
    if isinstance(fitted.learner, ho.NeighborsClassifier) or (factors == 1.0).all():
        return score, score
    before = copy(fitted.learner)
    before.class_factors_ = np.ones(len(factors))
    metric = work.tunes_by(contender)
    rows, y = work.X.take(fold.test), work.y[fold.test]
    models = (joined_model(fitted.preparation, learner) for learner in (before, fitted.learner))
    plain, calibrated = (float(metric.sign * metric.scorer(model, rows, y) + 0.0) for model in models)
    return plain, calibrated


@pytest.mark.parametrize("case", CASES, ids=_label)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_cells_choose_and_score_as_grid_search(case: tuple[str, Any, Any, dict[str, Any]]) -> None:
    """Every learner, with preparation, gaps, texts, groups and weights, gives what scikit-learn gives."""
    task, learner, space, choices = case
    _check(made_work(study_task(task), ho.Contender("tried", learner, space), folds=ho.KFold(2), **choices))


@pytest.mark.parametrize("how", ["down", "up"])
@pytest.mark.parametrize(
    "learner", [ho.TreeClassifier(), ho.NeighborsClassifier()], ids=["tree", "neighbors"]
)
def test_resampling_happens_inside_every_training_part(how: str, learner: Any) -> None:
    """Resampling each training part, inner and outer, is an estimator that resamples what it is fitted on."""
    space = {"k": [1, 5]} if hasattr(learner, "k") else {"max_depth": [1, 3]}
    contender = ho.Contender("tried", learner, space, resample=how)
    _check(made_work(study_task("votes"), contender, folds=ho.KFold(2), choose_by="accuracy"))


SPACES_OF_PREPARATION = [
    (SCALED, {"k": [1, 5], "prepare__scale__by": ["variance", "max"]}),
    ("auto", {"k": [1, 5], "prepare__scale": [ho.Scale(), "passthrough"]}),
    (ho.OneHot(), {"k": [1, 3]}),
]


@pytest.mark.parametrize(("prepare", "space"), SPACES_OF_PREPARATION, ids=["given", "auto", "transformer"])
def test_settings_reach_into_the_preparation(prepare: Any, space: Any) -> None:
    """Settings of the preparation are chosen like those of the learner, fitted once for those that agree."""
    task = study_task("complete" if isinstance(prepare, ho.OneHot) else "mixed")
    _check(made_work(task, ho.Contender("tried", ho.NeighborsClassifier(), space, prepare=prepare)))


def test_without_preparation_the_rows_come_as_they_are() -> None:
    """prepare=None hands the table over."""
    contender = ho.Contender("tried", ho.TreeRegressor(), {"min_leaf": [1, 20]}, prepare=None)
    _check(made_work(study_task("prostate"), contender))


class InPlace(RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """Writes into everything that it is given; answers by how large the first column and y were before."""

    def __init__(self, twist: float = 0.0) -> None:
        self.twist = twist

    def fit(self, X: Any, y: Any) -> InPlace:
        self.mean_ = float(X[:, 0].mean() + y.mean()) + self.twist
        X += 1.0
        y += 1.0
        return self

    def predict(self, X: Any) -> Any:
        X *= 2.0
        return X[:, 0] + self.mean_


def test_a_learner_that_computes_in_place_spoils_nothing_for_the_next_setting() -> None:
    """Each setting gets rows of its own, as in a grid search, where the preparation gives plain arrays."""
    contender = ho.Contender("tried", InPlace(), {"twist": [0.0, 0.1, 0.2]}, prepare=StandardScaler())
    task = ho.Task(ho.datasets.load("prostate").drop("part"), target="lpsa")
    _check(made_work(task, contender))
    quick = made_work(task, contender, rigor="quick")
    for fold, cell in zip(quick.folds, cells_of(quick, "tried"), strict=True):
        for place, setting in enumerate(contender.settings()):
            alone = fit_contender(contender, quick.X[fold.train], quick.y[fold.train], setting=setting)
            assert cell.predictions["values"][place].tobytes() == alone.predict(quick.X[fold.test]).tobytes()


def test_whole_splits_of_scikit_learns_kind_agree() -> None:
    """Handed to scikit-learn as cross-validators, our own splits lead to the same scores as our own run."""
    task = study_task("penguins")
    outer, inner = ho.KFold(4, seed=5), ho.KFold(3, seed=6)
    space = {"max_depth": [1, 2, None], "min_leaf": [1, 7]}
    work = made_work(task, ho.Contender("tried", ho.TreeClassifier(), space), folds=outer, tuning=inner)
    search = GridSearchCV(
        work.recipe_of(work.resolved.contender("tried")).learner, space, scoring="accuracy", cv=inner
    )
    wanted = cross_val_score(search, task.X, task.y, cv=outer, scoring="accuracy")
    assert [cell.scores["accuracy"] for cell in cells_of(work, "tried")] == wanted.tolist()


def test_rotating_validation_chooses_by_one_fold_and_refits_on_both() -> None:
    """The validation fold is the one inner fold; the model is fitted on training and validation rows."""
    task = study_task("votes")
    work = made_work(task, ho.Contender("tried", ho.TreeClassifier(), TREES), folds=ho.RotatingValidation(4))
    contender = work.resolved.contender("tried")
    for fold, cell in zip(work.folds, cells_of(work, "tried"), strict=True):
        learner = work.recipe_of(contender).learner
        both = work.fit_rows(fold)
        pair = [(np.searchsorted(both, fold.train), np.searchsorted(both, fold.validation))]
        grid = [{name: [value] for name, value in setting.items()} for setting in contender.settings()]
        search = GridSearchCV(learner, grid, scoring="accuracy", cv=pair).fit(task.X[both], task.y[both])
        assert cell.chosen_index == search.best_index_
        assert cell.choice_scores.tolist() == search.cv_results_["mean_test_score"].tolist()
        assert cell.scores["accuracy"] == search.score(task.X[fold.test], task.y[fold.test])


def test_a_setting_without_a_score_is_chosen_last() -> None:
    """Settings for which the metric is NaN lose, as in GridSearchCV; where all have NaN, the first wins."""

    def leaves(y: Any, answers: Any) -> float:
        return float("nan") if len(set(answers)) == 1 else float(np.mean(y == answers))

    picky = ho.metrics.Metric("picky", leaves)
    task = study_task("penguins")
    contender = ho.Contender("tried", ho.TreeClassifier(), {"max_leaves": [1, 2, 3, 3]})
    work = made_work(task, contender)
    chosen = tune(_choosing_by(work, picky), contender, work.inner_folds(np.arange(work.n_rows)))
    search = GridSearchCV(
        work.recipe_of(contender).learner,
        {"max_leaves": [1, 2, 3, 3]},
        scoring=picky.scorer,
        cv=[(fold.train, fold.judged) for fold in work.inner_folds(np.arange(work.n_rows))],
    )
    with one_thread(), pytest.warns(UserWarning, match="non-finite"):
        search.fit(task.X, task.y)
    assert np.isnan(chosen.scores[0])
    assert chosen.index == search.best_index_
    assert chosen.scores.tobytes() == search.cv_results_["mean_test_score"].tobytes()
    one_leaf = ho.Contender("tried", DummyClassifier(), {"strategy": ["prior", "most_frequent"]})
    none = tune(_choosing_by(work, picky), one_leaf, work.inner_folds(np.arange(work.n_rows)))
    assert np.isnan(none.scores).all()
    assert none.index == 0


def _choosing_by(work: Any, metric: Any) -> Any:
    """The work with a metric that no plan could write down."""

    class Choosing(type(work)):  # type: ignore[misc]
        choose_by = metric

    return Choosing(**{name: value for name, value in vars(work).items() if not name.startswith("_")})
