"""Forests beside scikit-learn's: as good, and no larger in memory."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, make_classification
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.model_selection import KFold, StratifiedKFold, cross_val_score

from heldout import ForestClassifier, ForestRegressor


def n_bytes(forest):
    return sum(array.nbytes for array in vars(forest.forest_).values())


def n_bytes_of_sklearn(forest):
    states = [tree.tree_.__getstate__() for tree in forest.estimators_]
    return sum(state["nodes"].nbytes + state["values"].nbytes for state in states)


@pytest.mark.slow
@pytest.mark.parametrize("load", [load_breast_cancer, load_digits], ids=["breast cancer", "digits"])
def test_as_many_right_answers(load):
    """Within the noise of a cross-validation."""
    X, y = load(return_X_y=True)
    folds = StratifiedKFold(4, shuffle=True, random_state=0)
    ours, theirs = (
        cross_val_score(forest, X, y, cv=folds).mean()
        for forest in (
            ForestClassifier(60),
            RandomForestClassifier(60, random_state=0),
        )
    )
    assert ours == pytest.approx(theirs, abs=0.015)


@pytest.mark.slow
def test_as_near_to_the_numbers():
    """R² within the noise of a cross-validation, with the same settings."""
    X, y = load_diabetes(return_X_y=True)
    folds = KFold(4, shuffle=True, random_state=0)
    ours, theirs = (
        cross_val_score(forest, X, y, cv=folds).mean()
        for forest in (
            ForestRegressor(100),
            RandomForestRegressor(100, max_features=4, min_samples_leaf=2, random_state=0),
        )
    )
    assert ours == pytest.approx(theirs, abs=0.03)


@pytest.mark.parametrize("n_classes", [2, 5])
def test_no_more_memory_than_scikit_learn(n_classes):
    """The arrays of the nodes, for a classification."""
    X, y = make_classification(
        1500, 20, n_informative=8, n_classes=n_classes, n_clusters_per_class=1, random_state=0
    )
    ours, theirs = ForestClassifier(10).fit(X, y), RandomForestClassifier(10, random_state=0).fit(X, y)
    assert n_bytes(ours) <= n_bytes_of_sklearn(theirs)


def test_no_more_memory_in_a_regression():
    """The arrays of the nodes, for a regression with the same leaves."""
    X, y = load_diabetes(return_X_y=True)
    ours = ForestRegressor(10, min_leaf=1, max_features=None).fit(X, y)
    theirs = RandomForestRegressor(10, random_state=0).fit(X, y)
    assert n_bytes(ours) <= n_bytes_of_sklearn(theirs)
    assert np.isclose(ours.n_nodes_, sum(tree.tree_.node_count for tree in theirs.estimators_), rtol=0.1)
