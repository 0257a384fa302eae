"""Models of others have the lengths of ours; a pickle's length follows from what it holds, and never wins."""

from __future__ import annotations

import json
import math
import pickle
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.compose import ColumnTransformer
from sklearn.datasets import load_iris, make_regression
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.ensemble import (
    AdaBoostClassifier,
    BaggingClassifier,
    ExtraTreesClassifier,
    GradientBoostingClassifier,
    HistGradientBoostingRegressor,
    RandomForestClassifier,
    StackingClassifier,
    VotingClassifier,
)
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import heldout as ho
from heldout.errors import RequestError
from heldout.study.cells.fit_contender import joined_model
from heldout.study.cells.model_bits import model_length

X, Y = np.arange(12.0).reshape(6, 2), np.array([0, 0, 0, 1, 1, 1])
FLOWERS, SPECIES = load_iris(return_X_y=True)


def bits(model: Any, rows: Any = X) -> float:
    length = model_length(model, rows)
    assert not length.is_pickled
    return length.bits


def plain_tree_bits(tree: Any, rows: np.ndarray) -> float:
    """The code of the methods page, a node after the other; counts of ways by whole numbers."""
    nodes, total = tree.tree_, 0.0
    for node in range(nodes.node_count):
        total += 1
        if nodes.children_left[node] < 0:
            steps = math.isqrt(int(nodes.n_node_samples[node]) - 1) + 1
            n_classes = len(tree.classes_) if hasattr(tree, "classes_") else 2
            total += math.log2(math.comb(steps + n_classes - 1, n_classes - 1))
        else:
            n_cuts = len(set(rows[:, nodes.feature[node]].tolist())) - 1
            total += math.log2(rows.shape[1]) + math.log2(n_cuts)
    return total


def test_the_same_tree_has_the_same_length_whoever_grew_it() -> None:
    """Trees of four leaves on the same table, ours and scikit-learn's, agree to the last bit."""
    draw = np.random.default_rng(3)
    rows = draw.normal(size=(200, 5))  # no two splits gain the same
    labels = np.digitize(rows[:, 0] + rows[:, 1] + 0.5 * draw.normal(size=200), [-0.7, 0.7])
    ours = ho.TreeClassifier.cart(prune=None, max_leaves=4).fit(rows, labels)
    theirs = DecisionTreeClassifier(max_leaf_nodes=4, random_state=0).fit(rows, labels)
    assert ours.n_leaves_ == theirs.get_n_leaves() == 4
    assert (ours.predict(rows) == theirs.predict(rows)).all()
    assert ours.description_bits() == pytest.approx(bits(theirs, rows), rel=1e-12)
    assert bits(theirs, rows) == pytest.approx(plain_tree_bits(theirs, rows), rel=1e-12)


def test_the_same_regression_tree_has_the_same_length() -> None:
    """Leaves with means cost the same in both."""
    rows, targets = make_regression(80, 3, random_state=1)
    ours = ho.TreeRegressor(prune=None, max_depth=2).fit(rows, targets)
    theirs = DecisionTreeRegressor(max_depth=2, random_state=0).fit(rows, targets)
    assert ours.predict(rows) == pytest.approx(theirs.predict(rows))
    assert ours.description_bits() == pytest.approx(bits(theirs, rows), rel=1e-12)


def test_linear_models_of_one_shape_have_one_length() -> None:
    """A logistic regression is as long as a perceptron of its shape, least squares as ours."""
    for labels in (SPECIES, SPECIES == 1):
        perceptron = ho.Perceptron().fit(FLOWERS, labels)
        logistic = LogisticRegression(max_iter=1000).fit(FLOWERS, labels)
        assert bits(logistic, FLOWERS) == perceptron.description_bits()
    rows, targets = make_regression(80, 3, random_state=1)
    for has_intercept in (True, False):
        ours = ho.LinearRegressor(fit_intercept=has_intercept).fit(rows, targets)
        theirs = LinearRegression(fit_intercept=has_intercept).fit(rows, targets)
        assert bits(theirs, rows) == ours.description_bits()
        assert bits(theirs, csr_array(rows)) == ours.description_bits()


@pytest.mark.parametrize("kind", [RandomForestClassifier, ExtraTreesClassifier])
def test_a_forest_is_the_sum_of_its_trees(kind: Any) -> None:
    """Each tree of a forest is written as a tree."""
    forest = kind(5, random_state=0).fit(FLOWERS, SPECIES)
    expected = math.fsum(plain_tree_bits(tree, FLOWERS) for tree in forest.estimators_)
    assert bits(forest, FLOWERS) == pytest.approx(expected, rel=1e-12)


def test_forests_of_ours_and_theirs_are_about_as_long() -> None:
    """Forests that are grown alike, from bags of their own, differ by what the bags differ."""
    theirs = RandomForestClassifier(100, random_state=0).fit(FLOWERS, SPECIES)
    ours = ho.ForestClassifier(n_trees=100, random_state=0).fit(FLOWERS, SPECIES)
    assert ours.description_bits() == pytest.approx(bits(theirs, FLOWERS), rel=0.1)


def test_boosting_pays_for_trees_weights_and_its_start() -> None:
    """AdaBoost pays for a weight of each tree, gradient boosting for the shares it begins from."""
    half_log = 0.5 * math.log2(150)
    ada = AdaBoostClassifier(n_estimators=3, random_state=0).fit(FLOWERS, SPECIES)
    trees = math.fsum(plain_tree_bits(tree, FLOWERS) for tree in ada.estimators_)
    assert bits(ada, FLOWERS) == pytest.approx(trees + len(ada.estimators_) * half_log, rel=1e-12)
    boosted = GradientBoostingClassifier(n_estimators=2, random_state=0).fit(FLOWERS, SPECIES)
    trees = math.fsum(plain_tree_bits(tree, FLOWERS) for tree in boosted.estimators_.ravel())
    start = math.log2(math.comb(13 + 2, 2))  # 13 steps, the root of 150 rows, among three classes
    assert bits(boosted, FLOWERS) == pytest.approx(trees + start, rel=1e-12)


def test_trees_of_histograms_are_trees() -> None:
    """A tree of HistGradientBoosting that cuts as a plain one does is longer by the mean it begins from."""
    rows = np.array([[1.0], [2.0], [3.0], [4.0]] * 10)
    targets = np.array([0.0, 0.0, 1.0, 1.0] * 10)
    model = HistGradientBoostingRegressor(max_iter=1, max_leaf_nodes=2, min_samples_leaf=1).fit(rows, targets)
    tree = DecisionTreeRegressor(max_depth=1).fit(rows, targets)
    assert bits(model, rows) == pytest.approx(plain_tree_bits(tree, rows) + math.log2(7 + 1), rel=1e-12)


def test_bags_of_columns_tell_their_columns() -> None:
    """A bag of two of four columns costs log2 of six, and its tree reads two columns."""
    bagged = BaggingClassifier(n_estimators=2, max_features=0.5, random_state=0).fit(FLOWERS, SPECIES)
    trees = zip(bagged.estimators_, bagged.estimators_features_, strict=True)
    expected = math.fsum(math.log2(6) + plain_tree_bits(tree, FLOWERS[:, columns]) for tree, columns in trees)
    assert bits(bagged, FLOWERS) == pytest.approx(expected, rel=1e-12)


def test_votes_are_the_sum_of_the_voters() -> None:
    """Ours and theirs vote together, each by its own code; a stack has none and is pickled."""
    members = [("tree", ho.TreeClassifier()), ("linear", LogisticRegression(max_iter=1000))]
    vote = VotingClassifier(members).fit(FLOWERS, SPECIES)
    assert bits(vote, FLOWERS) == math.fsum(bits(each, FLOWERS) for each in vote.estimators_)
    stack = StackingClassifier([("tree", DecisionTreeClassifier())], cv=2).fit(FLOWERS, SPECIES)
    assert model_length(stack, FLOWERS).is_pickled


def test_guesses_cost_what_ours_cost() -> None:
    """Dummies of scikit-learn have the lengths of our baselines, and a tree of one leaf a bit more."""
    prior = bits(DummyClassifier().fit(FLOWERS, SPECIES), FLOWERS)
    assert prior == ho.BaselineClassifier(strategy="prior").fit(FLOWERS, SPECIES).description_bits()
    assert prior + 1 == ho.TreeClassifier(max_depth=0).fit(FLOWERS, SPECIES).description_bits()
    majority = DummyClassifier(strategy="most_frequent").fit(FLOWERS, SPECIES)
    assert bits(majority, FLOWERS) == math.log2(3)
    targets = FLOWERS[:, 0]
    mean = bits(DummyRegressor().fit(FLOWERS, targets), FLOWERS)
    assert mean == ho.BaselineRegressor().fit(FLOWERS, targets).description_bits()
    assert mean + 1 == ho.TreeRegressor(max_depth=0).fit(FLOWERS, targets).description_bits()


def test_unknown_values_take_a_bit_for_their_side() -> None:
    """A tree of scikit-learn learns where missing values go, and tells it in each split on such a column."""
    rows = np.array([[1.0, 0.0], [2.0, 1.0], [np.nan, 0.0], [4.0, 1.0]])
    tree = DecisionTreeClassifier(max_depth=1, random_state=0).fit(rows[:, :1], [0, 0, 1, 1])
    # Three nodes, one of two cuts, the side, and leaves of two rows: one of three shares each.
    assert bits(tree, rows[:, :1]) == pytest.approx(3 + 1 + 1 + 2 * math.log2(3), rel=1e-12)


def test_preparations_of_others_are_coded() -> None:
    """Means and scales cost as ours do, levels nothing, and columns beside each other are added up."""
    scale = StandardScaler().fit(FLOWERS)
    assert bits(scale, FLOWERS) == ho.Scale().fit(FLOWERS).description_bits()
    beside = ColumnTransformer(
        [
            ("scale", StandardScaler(), [0, 1]),
            ("fill", SimpleImputer(), [2]),
            ("levels", OneHotEncoder(), [3]),
        ]
    ).fit(FLOWERS)
    assert bits(beside, FLOWERS) == pytest.approx(5 * 0.5 * math.log2(150))


def test_a_tree_behind_foreign_steps_knows_its_columns() -> None:
    """In a pipeline the values are those that the tree was given."""
    codes = np.array([[0.0], [1.0], [2.0], [3.0]] * 5)
    labels = np.array([0, 1, 1, 1] * 5)
    model = make_pipeline(
        OneHotEncoder(sparse_output=False), DecisionTreeClassifier(max_depth=1, random_state=0)
    ).fit(codes, labels)
    # Three nodes, one of four columns with one cut, leaves of 5 and 15 rows: 3 and 4 steps.
    assert bits(model, codes) == pytest.approx(3 + 2 + math.log2(4) + math.log2(5), rel=1e-12)


def test_equal_strings_cost_the_same_shared_or_not() -> None:
    """A plan that was read from JSON has equal strings that are not one object; the bits are the same."""
    one = "most_frequent"
    other = json.loads('["most_frequent", "most_frequent"]')
    shared, apart = KNeighborsClassifier(), KNeighborsClassifier()
    shared.words, apart.words = [one, one], other
    assert other[0] is not other[1]
    assert len(pickle.dumps(shared)) != len(pickle.dumps(apart))
    assert model_length(shared, X) == model_length(apart, X)
    assert model_length(shared, X).is_pickled


def test_a_search_is_what_it_found() -> None:
    """The seconds that a search keeps are no part of its description."""
    search = GridSearchCV(DecisionTreeClassifier(random_state=0), {"max_depth": [1, 2]}, cv=2).fit(X, Y)
    assert bits(search) == bits(search.best_estimator_) > 0


def test_pipelines_are_the_sum_of_their_steps() -> None:
    """Each step by its code, passthrough by nothing; one pickle makes the whole one of pickles."""
    scale, tree = ho.Scale().fit(X), DecisionTreeClassifier(random_state=0).fit(X, Y)
    whole = Pipeline([("nothing", "passthrough"), ("scale", scale), ("tree", tree)])
    assert bits(whole) == scale.description_bits() + bits(tree)
    near = KNeighborsClassifier(1).fit(X, Y)
    assert model_length(Pipeline([("scale", scale), ("near", near)]), X).is_pickled


def test_what_holds_itself_can_still_be_described() -> None:
    """A model with a circle in it is pickled with references."""
    model = KNeighborsClassifier()
    circle: list[Any] = []
    for _ in range(60):
        circle = [circle]
    model.circle = circle
    circle.append(circle)
    assert model_length(model, X).bits > 0


def test_what_cannot_be_pickled_is_refused_in_three_parts() -> None:
    """A function without a name has no bits, and the error says what to do."""
    model = KNeighborsClassifier()
    model.function = lambda row: row
    with pytest.raises(RequestError, match="KNeighborsClassifier cannot be pickled") as caught:
        model_length(model, X)
    assert caught.value.where
    assert caught.value.fix


def test_models_are_joined_without_names_that_clash() -> None:
    """Steps of preparation and learner become one Pipeline, or two nested ones where names are the same."""
    scale, tree = ho.Scale(), ho.TreeClassifier()
    assert joined_model(None, tree) is tree
    flat = joined_model(Pipeline([("scale", scale)]), Pipeline([("paths", ho.TreePaths()), ("tree", tree)]))
    assert [name for name, _ in flat.steps] == ["scale", "paths", "tree"]
    nested = joined_model(Pipeline([("scale", scale)]), Pipeline([("scale", scale), ("tree", tree)]))
    assert [name for name, _ in nested.steps] == ["prepare", "learner"]
