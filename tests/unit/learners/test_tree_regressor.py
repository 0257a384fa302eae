"""The regression tree as a whole."""

import numpy as np
import pandas as pd
import pytest

from heldout import Table, TreeRegressor
from heldout.table.column import category_column

from .same_tree import differing_fields
from .tables import FORMS, as_table, mixed_cells


def wave(n_rows=300, seed=1):
    draw = np.random.default_rng(seed)
    X = draw.uniform(0, 10, size=(n_rows, 3)).round(2)
    return X, np.sin(X[:, 0]) + (X[:, 1] > 5) + draw.normal(scale=0.1, size=n_rows)


def test_defaults():
    """Squared error, five rows in a leaf, and as many leaves as folds support."""
    tree = TreeRegressor()
    assert (tree.criterion, tree.min_leaf) == ("squared_error", 5)
    assert (tree.prune, tree.prune_alpha, tree.missing) == ("cost_complexity", "cv", "node_mode")
    X, y = wave()
    structure = tree.fit(X, y).tree_
    assert structure.grown.weight[structure.is_leaf].min() >= 5


def test_leaves_predict_means():
    """Each leaf predicts the mean of its training rows; its impurity is their variance."""
    X, y = wave()
    tree = TreeRegressor(max_depth=3).fit(X, y)
    leaf = tree.apply(X)
    for node in np.unique(leaf):
        assert tree.predict(X)[leaf == node] == pytest.approx(y[leaf == node].mean())
        assert tree.tree_.grown.impurity[node] == pytest.approx(y[leaf == node].var())


def test_gain_is_the_reduction_of_variance():
    """The root's gain is its variance less the weighted variances of its children."""
    X, y = wave()
    tree = TreeRegressor(max_depth=1).fit(X, y)
    side = tree.apply(X)
    left = sum((side == node).mean() * y[side == node].var() for node in np.unique(side))
    assert tree.tree_.grown.gain[0] == pytest.approx(y.var() - left)


def test_a_large_mean_does_not_hurt():
    """A target far from zero gives the tree of the same target near zero."""
    X, y = wave()
    y = np.round(y * 1024) / 1024
    near = TreeRegressor(prune=None).fit(X, y).tree_.grown
    far = TreeRegressor(prune=None).fit(X, y + 2.0**20).tree_.grown
    assert np.array_equal(near.feature, far.feature)
    assert np.array_equal(near.threshold, far.threshold, equal_nan=True)


def test_overfits_distinct_rows():
    """Without limits every row gets its own answer back."""
    X, y = wave()
    X[:, 2] = np.arange(len(X))
    assert TreeRegressor(min_leaf=1, prune=None).fit(X, y).predict(X) == pytest.approx(y)


@pytest.mark.parametrize("form", FORMS)
def test_every_form_of_a_table_gives_the_same_tree(form):
    """Frames of every make give the tree of the Table."""
    cells = mixed_cells()
    y = np.array([float(age or 40) for age in cells["age"]]) + np.array(
        [10.0 * (town == "Ulm") for town in cells["town"]]
    )
    expected = TreeRegressor().fit(as_table(cells), y).tree_.grown
    assert differing_fields(expected, TreeRegressor().fit(FORMS[form](cells), y).tree_.grown) == []


def test_levels_are_grouped_by_their_means():
    """The best two groups of levels are the low and the high ones."""
    table = Table([category_column("town", list("abcd") * 5)])
    y = np.array([1.0, 9.0, 1.5, 9.5] * 5)
    tree = TreeRegressor(max_depth=1).fit(table, y)
    assert str(tree) == "town in {a, c}: 1.25 (10 rows)\ntown not in {a, c}: 9.25 (10 rows)"


def test_integers_and_series_are_numbers():
    """Whole numbers and a pandas series are taken as targets."""
    X = np.arange(10.0)[:, None]
    for y in ([0, 1] * 5, pd.Series([0, 1] * 5), np.array([0, 1] * 5, dtype=np.int8)):
        assert TreeRegressor(min_leaf=1, prune=None).fit(X, y).predict(X).tolist() == [0.0, 1.0] * 5


def test_constant_target():
    """A constant target is one leaf."""
    assert TreeRegressor(min_leaf=1).fit(np.arange(9.0)[:, None], np.full(9, 0.1)).n_leaves_ == 1
