"""A contender: what it takes, what it refuses, and that no one changes it from outside."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import heldout as ho
from heldout.errors import HeldoutError
from heldout.learners.sweep import settings_of

from .small_tasks import OwnClassifier


def refused(*arguments: Any, **options: Any) -> HeldoutError:
    """The error of a contender that cannot be, which has all three parts."""
    with pytest.raises(HeldoutError) as caught:
        ho.Contender(*arguments, **options)
    assert caught.value.what
    assert caught.value.where
    assert caught.value.fix
    return caught.value


def test_the_learner_is_copied() -> None:
    """What a user does to a learner after handing it over leaves the contender as it was."""
    learner = ho.TreeClassifier(min_leaf=2)
    contender = ho.Contender("tree", learner)
    before = contender.digest
    learner.set_params(min_leaf=50)
    contender.learner.set_params(min_leaf=70)
    assert contender.learner.min_leaf == 2
    assert ho.Contender("tree", ho.TreeClassifier(min_leaf=2)).digest == before == contender.digest


def test_the_space_is_copied() -> None:
    """Lists that grow later do not change the settings of a contender."""
    leaves = [2, 5]
    space = {"min_leaf": leaves}
    contender = ho.Contender("tree", ho.TreeClassifier(), space)
    leaves.append(9)
    space["max_depth"] = [1]
    contender.space["min_leaf"].append(7)
    contender.settings()[0]["min_leaf"] = 99
    assert contender.settings() == [{"min_leaf": 2}, {"min_leaf": 5}]


def test_nested_parameters_are_copied() -> None:
    """An array within a learner's parameter is copied as well."""
    weights = {"no": 1.0, "yes": 5.0}
    contender = ho.Contender("tree", ho.TreeClassifier(class_weight=weights))
    weights["yes"] = 1000.0
    assert contender.learner.class_weight == {"no": 1.0, "yes": 5.0}


def test_a_fitted_learner_enters_unfitted() -> None:
    """A learner that was fitted before brings nothing of what it learned."""
    fitted = ho.TreeClassifier().fit([[1.0], [2.0], [3.0], [4.0]], ["a", "a", "b", "b"])
    contender = ho.Contender("tree", fitted)
    assert not hasattr(contender.learner, "tree_")
    assert contender.digest == ho.Contender("tree", ho.TreeClassifier()).digest


def test_a_frozen_estimator_is_refused() -> None:
    """What scikit-learn would not unfit may have seen test rows, at any depth of a pipeline."""
    frozen = FrozenEstimator(LogisticRegression().fit([[1.0], [2.0]], [0, 1]))
    assert "FrozenEstimator" in refused("frozen", frozen).what
    assert "FrozenEstimator" in refused("frozen", make_pipeline(StandardScaler(), frozen)).what


def test_settings_are_those_of_a_sweep() -> None:
    """The settings of a space come in the order in which a sweep takes them."""
    learner, space = ho.TreeClassifier(), {"max_depth": [1, 2], "min_leaf": [5, 2]}
    assert ho.Contender("tree", learner, space).settings() == settings_of(learner, space)


@pytest.mark.parametrize(
    ("space", "settings"),
    [
        (None, [{}]),
        ({"k": np.arange(1, 4)}, [{"k": 1}, {"k": 2}, {"k": 3}]),
        ({"k": range(3, 5)}, [{"k": 3}, {"k": 4}]),
        ({"k": (np.int64(2),)}, [{"k": 2}]),
        ([{"k": 1, "metric": "l1"}, {}], [{"k": 1, "metric": "l1"}, {}]),
    ],
)
def test_forms_of_a_space(space: Any, settings: list[dict[str, Any]]) -> None:
    """Arrays, ranges and tuples are lists of plain values; a list of settings is taken as it is."""
    found = ho.Contender("neighbors", ho.NeighborsClassifier(), space).settings()
    assert found == settings
    assert all(type(value) in (int, str) for setting in found for value in setting.values())


@pytest.mark.parametrize(
    ("space", "advice"),
    [
        ({"kk": [1]}, "did you mean 'k'?"),
        ({"k": 5}, "{'k': [5]}"),
        ({"k": "all"}, "{'k': ['all']}"),
        ({"k": []}, "at least one"),
        ({}, "max_depth"),
        ([], "max_depth"),
        ([1, 2], "max_depth"),
        ("k", "max_depth"),
        ({1: [2]}, "max_depth"),
        ({"k": [0]}, "set k to"),
        ({"metric": ["euclid"]}, "metric must be"),
        ([{"k": [1, 2]}], "set k to"),
        ({"k": list(range(1, 200)), "bandwidth": [float(b) for b in range(1, 200)]}, "fewer"),
        ({"k": np.ones((2, 2))}, "list"),
        ({"n_jobs": [1, 2]}, "set it in the learner"),
        ({"max_depth": {1, 2}}, "make it a list, in the order in which values are tried"),
    ],
)
def test_spaces_that_are_refused(space: Any, advice: str) -> None:
    """Wrong names, values and forms of a space are refused before anything runs, with what was meant."""
    error = refused("neighbors", ho.NeighborsClassifier(), space)
    assert advice in f"{error.what} {error.fix}"
    assert "neighbors" in error.where


def test_foreign_parameters_are_checked() -> None:
    """Values that scikit-learn would refuse when it fits are refused when the contender is made."""
    assert "C" in refused("svm", SVC(), {"C": [-1.0]}).what
    assert "kernel" in refused("svm", SVC(), {"kernel": ["rfb"]}).what
    assert "C" in refused("svm", make_pipeline(StandardScaler(), SVC(C=-3.0))).what
    assert refused("svm", SVC(), {"gama": [1.0]}).fix == "did you mean 'gamma'?"


def test_a_space_reaches_into_a_pipeline() -> None:
    """Parameters of steps have the names that scikit-learn gives them; a step itself can be exchanged."""
    pipeline = Pipeline([("scale", StandardScaler()), ("learn", SVC())])
    space = [{"learn__C": 2.0}, {"learn": LogisticRegression(), "learn__l1_ratio": 0.5}]
    contender = ho.Contender("svm", pipeline, space, prepare=None)
    assert contender.settings()[0] == {"learn__C": 2.0}
    assert refused("svm", pipeline, {"learn__c": [1.0]}).fix == "did you mean 'learn__C'?"


def test_a_parameter_of_a_step_is_named_in_full() -> None:
    """Whoever names a parameter as if there were no Pipeline around it is told its whole name."""
    error = refused("svm", make_pipeline(StandardScaler(), SVC()), {"C": [1.0]})
    assert error.fix == "did you mean 'svc__C'?"


def test_a_space_reaches_into_the_preparation() -> None:
    """Names that begin with prepare__ are the preparation's, where there is one."""
    prepare = make_pipeline(ho.FillMissing(), ho.Scale())
    space = {"k": [1, 3], "prepare__scale__by": ["max"]}
    contender = ho.Contender("neighbors", ho.NeighborsClassifier(), space, prepare)
    assert contender.divided(contender.settings()[1]) == ({"k": 3}, {"scale__by": "max"})
    wrong = {"prepare__scale__bye": ["max"]}
    assert "scale__by" in refused("neighbors", ho.NeighborsClassifier(), wrong, prepare).fix
    assert "prepare__" in refused("neighbors", ho.NeighborsClassifier(), wrong, None).what


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("", "tree"),
        ("   ", "tree"),
        (" tree", "'tree'"),
        ("tree\n", "'tree'"),
        ("tr\x00ee", "'tr ee'"),
        ("tr\u202eee", "'tr ee'"),
        ("x" * 61, "'" + "x" * 60 + "'"),
        ("\ud800", "tree"),
        (None, "ho.Contender"),
        (3, "ho.Contender"),
        (ho.TreeClassifier(), "ho.Contender"),
    ],
)
def test_names_that_are_refused(name: Any, advice: str) -> None:
    """A name is what a table, a terminal and a page can show as it is."""
    assert advice in refused(name, ho.TreeClassifier()).fix


@pytest.mark.parametrize("name", ["tree", "Bäume & <b>", "決定木", "x" * 60, "a'; drop table fact; --"])
def test_names_that_are_taken(name: str) -> None:
    """Letters of any script, and what is only hostile to those who do not quote, are kept."""
    assert ho.Contender(name, ho.TreeClassifier()).name == name


@pytest.mark.parametrize(
    ("learner", "advice"),
    [
        (ho.TreeClassifier, "TreeClassifier()"),
        ("tree", "BaseEstimator"),
        (None, "BaseEstimator"),
        (ho.Scale(), "prepare=Scale()"),
        (make_pipeline(StandardScaler()), "prepare=Pipeline()"),
        (object(), "BaseEstimator"),
    ],
)
def test_learners_that_are_refused(learner: Any, advice: str) -> None:
    """A class, a transformer, or anything else that predicts nothing is refused with what to do."""
    assert advice in refused("x", learner).fix


def test_bad_parameters_of_a_learner_are_refused() -> None:
    """A learner that could not be fitted is refused when the contender is made."""
    assert "min_leaf" in refused("tree", ho.TreeClassifier(min_leaf=-1)).what


def test_a_learner_that_cannot_be_copied_is_refused() -> None:
    """A constructor that changes its arguments breaks scikit-learn's protocol, and is refused."""

    class Changing(OwnClassifier):
        def __init__(self, answer: Any = None) -> None:
            self.answer = [answer]

    assert "cannot be copied" in refused("own", Changing(3)).what


@pytest.mark.parametrize(
    ("prepare", "advice"),
    [
        ("automatic", "did you mean 'auto'?"),
        (ho.Scale, "Scale()"),
        (ho.TreeClassifier(), "leave it out"),
        (True, "leave it out"),
        (make_pipeline(StandardScaler(), SVC()), "leave it out"),
    ],
)
def test_preparations_that_are_refused(prepare: Any, advice: str) -> None:
    """A preparation is a transformer, or said to be automatic."""
    assert advice in refused("tree", ho.TreeClassifier(), prepare=prepare).fix


@pytest.mark.parametrize(
    ("resample", "advice"),
    [("undersample", "'down'"), ("upp", "'up'"), (True, "set resample"), (1, "set resample")],
)
def test_resampling_that_is_refused(resample: Any, advice: str) -> None:
    """Resampling is down, up or nothing."""
    assert advice in refused("tree", ho.TreeClassifier(), resample=resample).fix


def test_which_contenders_are_baselines() -> None:
    """A baseline answers the same whatever it sees; a dummy that draws at random is none."""
    from sklearn.dummy import DummyClassifier, DummyRegressor

    assert ho.Contender("a", ho.BaselineClassifier()).is_baseline
    assert ho.Contender("a", DummyRegressor(strategy="median")).is_baseline
    assert ho.Contender("a", DummyClassifier()).is_baseline
    assert not ho.Contender("a", DummyClassifier(strategy="uniform")).is_baseline
    assert not ho.Contender("baseline", ho.TreeClassifier()).is_baseline


def test_a_contender_travels_to_workers() -> None:
    """A contender comes out of a pickle as it went in."""
    contender = ho.Contender("neighbors", ho.NeighborsClassifier(), {"k": [1, 3]}, resample="up")
    _ = contender.digest
    again = pickle.loads(pickle.dumps(contender))
    assert again.digest == contender.digest
    assert again.settings() == contender.settings()


def test_a_search_can_be_a_learner() -> None:
    """A GridSearchCV is a learner as any other."""
    search = GridSearchCV(SVC(), {"C": [1.0, 2.0]}, cv=ho.KFold(3))
    assert ho.Contender("search", search).learner.param_grid == {"C": [1.0, 2.0]}
    assert len(ho.Contender("search", search).digest) == 64
