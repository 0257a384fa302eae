"""Rows given as `validation=(X, y)`: what they must be, and what becomes of those that do not fit."""

import warnings

import numpy as np
import pandas as pd
import pytest

from heldout import DataError, RuleClassifier, TreeClassifier, TreeRegressor

from .same_tree import differing_fields


def rows(n_rows=200, seed=0):
    """Numbers, and a class of letters that depends on the first of them."""
    draw = np.random.default_rng(seed)
    X = draw.normal(size=(n_rows, 3))
    return X, np.array(["a", "b"])[(X[:, 0] + 0.5 * draw.normal(size=n_rows) > 0).astype(int)]


def fit_tree(X, y, validation):
    return TreeClassifier(prune="reduced_error").fit(X, y, validation=validation)


def fit_rules(X, y, validation):
    return RuleClassifier(estimate="validation").fit(X, y, validation=validation)


def rules_of_a_tree(X, y, validation):
    tree = TreeClassifier(prune=None).fit(X, y)
    return RuleClassifier.from_tree(tree, X, y, estimate="validation", validation=validation)


def swept(X, y, validation):
    space = {"prune": ["reduced_error"], "criterion": ["gini", "entropy"], "categorical": ["auto", [2]]}
    return TreeClassifier().sweep(X, y, space, validation=validation).model(0)


LEARNINGS = [fit_tree, fit_rules, rules_of_a_tree, swept]


def named(learning):
    return learning.__name__


@pytest.mark.parametrize("learn", LEARNINGS, ids=named)
def test_classes_that_do_not_fit_are_refused(learn):
    """Classes of another type would judge every answer wrong and leave nothing of the tree."""
    X, y = rows()
    with pytest.raises(DataError, match="no row of validation has a class that training knows") as caught:
        learn(X, y, (X, (y == "b").astype(int)))
    assert caught.value.where == "200 of 200 rows, first 0; the classes are 'a', 'b'"
    assert "same type" in caught.value.fix


@pytest.mark.parametrize("learn", LEARNINGS, ids=named)
def test_rows_of_an_unknown_class_are_left_out_with_a_warning(learn):
    """The warning counts them, once, at the line that called; the rest decides as if it were alone."""
    X, y = rows()
    held, truth = rows(80, 1)
    alone = learn(X, y, (held, truth))
    strange = np.where(np.arange(100) < 20, "new", "a")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        more = learn(X, y, (np.vstack([rows(20, 2)[0], held]), np.append(strange[:20], truth)))
    assert [str(warning.message) for warning in caught] == [
        "20 of 100 validation rows have a class that training does not know, first 'new': left out"
    ]
    assert caught[0].filename == __file__
    assert str(more) == str(alone)


def test_one_row_has_a_class():
    """The warning is grammatical."""
    X, y = rows()
    with pytest.warns(UserWarning, match="1 of 200 validation rows has a class"):
        fit_tree(X, y, (X, np.append(y[1:], "new")))


@pytest.mark.parametrize("learn", LEARNINGS, ids=named)
def test_no_rows_are_refused(learn):
    """Nothing can be judged by an empty pair."""
    X, y = rows()
    with pytest.raises(DataError, match="validation has no rows") as caught:
        learn(X, y, (X[:0], y[:0]))
    assert all([caught.value.where, caught.value.fix])


def test_no_rows_are_refused_in_a_regression():
    """Neither are numbers pruned by nothing."""
    X, _ = rows()
    with pytest.raises(DataError, match="validation has no rows"):
        TreeRegressor(prune="reduced_error").fit(X, X[:, 0], validation=(X[:0], X[:0, 0]))


@pytest.mark.parametrize("learn", LEARNINGS, ids=named)
def test_lengths_are_those_of_the_validation_pair(learn):
    """The error says which X and y differ."""
    X, y = rows()
    with pytest.raises(DataError, match="X and y of validation differ in length") as caught:
        learn(X, y, (X[:7], y[:5]))
    assert caught.value.where == "7 rows in X, 5 targets in y"
    with pytest.raises(DataError, match="X and y of validation differ in length"):
        TreeRegressor(prune="reduced_error").fit(X, X[:, 0], validation=(X[:7], X[:5, 0]))


def test_numbers_may_be_of_another_type():
    """Classes that are equal numbers are the same classes, whole or not."""
    X, y = rows()
    whole, broken = (y == "b").astype(int), (y == "b").astype(float)
    tree = fit_tree(X, whole, (X, broken))
    assert tree.n_leaves_ > 1
    assert differing_fields(tree.tree_.grown, fit_tree(X, whole, (X, whole)).tree_.grown) == []


def test_squares_that_are_no_numbers_are_refused():
    """Validation targets far beyond those of training give a three-part error."""
    X, _ = rows()
    with pytest.raises(DataError, match="too large to be numbers") as caught:
        TreeRegressor(prune="reduced_error").fit(X, X[:, 0], validation=(X, X[:, 0] * 1e200))
    assert all([caught.value.where, caught.value.fix])


def test_names_of_columns_are_kept():
    """No form of y to validate on makes a learner, or the models of a sweep, forget the columns' names."""
    X, y = rows()
    frame = pd.DataFrame(X, columns=["width", "height", "depth"])
    space = {"prune": ["reduced_error"], "max_depth": [1, 2]}
    for answers in (y, y.tolist(), pd.Series(y)):
        pair = frame, answers
        sweep = TreeClassifier().sweep(frame, y, space, validation=pair)
        learners = [fit_tree(frame, y, pair), fit_rules(frame, y, pair), sweep.model(0), sweep.model(1)]
        numbers = pd.Series(X[:, 0]).tolist()
        learners.append(TreeRegressor(prune="reduced_error").fit(frame, X[:, 0], validation=(frame, numbers)))
        for learner in learners:
            assert learner.feature_names_in_.tolist() == ["width", "height", "depth"]
            assert len(learner.predict(frame)) == 200
