"""On numbers, the training predictions are scikit-learn's where the best split is unique."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris, load_wine
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from heldout import TreeClassifier, TreeRegressor


def exact(X):
    """Values that float32, in which scikit-learn searches, holds exactly."""
    return X.astype(np.float32).astype(np.float64)


def random_table(seed, n_rows=500):
    """Continuous columns, so that ties between splits are rare."""
    draw = np.random.default_rng(seed)
    X = exact(draw.normal(size=(n_rows, 6)))
    return X, X[:, 0] + np.abs(X[:, 1]) + draw.normal(scale=0.5, size=n_rows)


def their_gain(tree, node):
    children = [tree.children_left[node], tree.children_right[node]]
    left_over = sum(tree.impurity[child] * tree.n_node_samples[child] for child in children)
    return tree.impurity[node] - left_over / tree.n_node_samples[node]


def tied_nodes(theirs, ours):
    """Our nodes where the two trees part; both splits must gain the same there."""
    tied, waiting = [], [(0, 0)]
    while waiting:
        their_node, our_node = waiting.pop()
        is_leaf = ours.feature[our_node] < 0, theirs.feature[their_node] < 0
        if all(is_leaf):
            continue
        assert not any(is_leaf)
        is_same = theirs.feature[their_node] == ours.feature[our_node]
        if is_same and theirs.threshold[their_node] == pytest.approx(ours.threshold[our_node]):
            first = ours.first_child[our_node]
            waiting.append((theirs.children_left[their_node], first))
            waiting.append((theirs.children_right[their_node], first + 1))
        else:
            assert ours.gain[our_node] == pytest.approx(their_gain(theirs, their_node), abs=1e-12)
            tied.append(our_node)
    return tied


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("seed", range(5))
def test_classifier_agrees_where_the_best_split_is_unique(criterion, seed):
    """The trees part only where two splits gain the same; every other row is answered alike."""
    X, score = random_table(seed)
    y = np.digitize(score, [0.3, 1.5])
    theirs = DecisionTreeClassifier(criterion=criterion, min_samples_leaf=20, random_state=0).fit(X, y)
    ours = TreeClassifier.cart(criterion=criterion, min_leaf=20, prune=None, smoothing=0).fit(X, y)
    tied = tied_nodes(theirs.tree_, ours.tree_.grown)
    is_unique = ours.decision_path(X)[:, tied].sum(axis=1) == 0
    is_unique = np.asarray(is_unique).ravel()
    assert is_unique.mean() > 0.5
    assert np.array_equal(ours.predict_proba(X)[is_unique], theirs.predict_proba(X)[is_unique])


@pytest.mark.parametrize("seed", range(5))
def test_regressor_agrees_on_continuous_columns(seed):
    """Means in the leaves agree to rounding."""
    X, y = random_table(seed)
    theirs = DecisionTreeRegressor(min_samples_leaf=5, random_state=0).fit(X, y)
    ours = TreeRegressor(prune=None).fit(X, y)
    assert ours.n_leaves_ == theirs.get_n_leaves()
    assert ours.predict(X) == pytest.approx(theirs.predict(X), abs=1e-10)


@pytest.mark.parametrize("n_leaves", [2, 5, 17])
def test_best_first_growth_agrees(n_leaves):
    """With a limit on leaves the most useful node is split next, as scikit-learn does it."""
    X, score = random_table(9)
    y = (score > 0.8).astype(int)
    theirs = DecisionTreeClassifier(max_leaf_nodes=n_leaves, random_state=0).fit(X, y)
    ours = TreeClassifier.cart(max_leaves=n_leaves, prune=None, smoothing=0).fit(X, y)
    assert ours.n_leaves_ == theirs.get_n_leaves() == n_leaves
    assert np.array_equal(ours.predict_proba(X), theirs.predict_proba(X))


@pytest.mark.parametrize("load", [load_iris, load_wine, load_breast_cancer])
def test_known_tables_are_learned_by_heart(load):
    """Grown to purity, both know every training row; the sizes are alike."""
    X, y = load(return_X_y=True)
    X = exact(X)
    theirs = DecisionTreeClassifier(random_state=0).fit(X, y)
    ours = TreeClassifier.cart(prune=None).fit(X, y)
    assert np.array_equal(ours.predict(X), theirs.predict(X))
    assert abs(ours.n_leaves_ - theirs.get_n_leaves()) <= 0.2 * theirs.get_n_leaves()


def test_depth_two_on_diabetes_agrees():
    """The first splits of a real regression are scikit-learn's."""
    X, y = load_diabetes(return_X_y=True)
    X = exact(X)
    theirs = DecisionTreeRegressor(max_depth=2, random_state=0).fit(X, y)
    ours = TreeRegressor(max_depth=2, min_leaf=1, prune=None).fit(X, y)
    assert ours.predict(X) == pytest.approx(theirs.predict(X))
