"""Regression forests: means of means, weights, and what they refuse."""

import numpy as np
import pytest

from heldout import DataError, ForestRegressor, RequestError, Table
from heldout.native import forests
from heldout.table.column import category_column

from ..random_tables import other_rows, random_rows
from .same_forest import differing_parts, slopes


def test_an_answer_is_the_mean_of_the_means_of_the_leaves():
    """What is answered can be read from the nodes by hand."""
    X, y = slopes()
    forest, new = ForestRegressor(9).fit(X, y), slopes(seed=1)[0]
    grown, ends = forest.forest_, forest.apply(new)
    means = [grown.value[grown.tree_begin[tree] + ends[:, tree], 0] for tree in range(9)]
    np.testing.assert_allclose(forest.predict(new), np.mean(means, axis=0), rtol=1e-12)


def test_a_leaf_holds_the_mean_of_its_rows():
    """Without bootstrap every leaf answers the weighted mean of the training rows in it."""
    X, y = slopes(80)
    weights = np.random.default_rng(0).integers(1, 4, 80).astype(float)
    forest = ForestRegressor(4, bootstrap=False).fit(X, y, weights)
    grown, ends = forest.forest_, forest.apply(X)
    for tree in range(4):
        for leaf in np.unique(ends[:, tree]):
            inside = ends[:, tree] == leaf
            node = grown.tree_begin[tree] + leaf
            assert grown.value[node, 0] == pytest.approx(np.average(y[inside], weights=weights[inside]))
            assert grown.weight[node] == pytest.approx(weights[inside].sum())


def test_by_default_a_third_of_the_columns_and_two_rows_in_a_leaf():
    """The share is rounded up, so that of four columns two are drawn."""
    X, y = slopes(100, n_columns=10)
    forest = ForestRegressor(5).fit(X, y)
    assert forest.max_features_ == 4
    assert forest.forest_.weight[forest.forest_.feature < 0].min() >= 2
    assert ForestRegressor(1).fit(X[:, :4], y).max_features_ == 2


@pytest.mark.parametrize("n_jobs", [2, 3])
def test_the_same_forest_on_any_number_of_threads(n_jobs):
    """Bits do not depend on threads."""
    X, y = random_rows(1, 200), slopes(200)[1]
    one, many = (
        ForestRegressor(7, sample_fraction=0.4, oob_score=True, n_jobs=jobs).fit(X, y) for jobs in (1, n_jobs)
    )
    assert differing_parts(one, many) == []
    assert one.predict(other_rows(1)).tobytes() == many.predict(other_rows(1)).tobytes()


def test_without_bootstrap_a_weight_is_a_number_of_rows():
    """Weights and repeated rows give the same leaves."""
    X, y = slopes(80)
    weights = np.random.default_rng(0).integers(0, 4, 80)
    weighted = ForestRegressor(5, bootstrap=False).fit(X, y, weights)
    repeated = ForestRegressor(5, bootstrap=False).fit(X.repeat(weights, axis=0), y.repeat(weights))
    new = slopes(seed=1)[0]
    np.testing.assert_allclose(weighted.predict(new), repeated.predict(new), rtol=1e-12)
    assert np.array_equal(weighted.apply(new), repeated.apply(new))


def test_importances_are_those_that_the_core_adds_up(monkeypatch):
    """The gains that follow from the means are those by which the splits were chosen."""
    grown = []
    grow = forests.grow_forests
    monkeypatch.setattr(forests, "grow_forests", lambda *given: grown.extend(grow(*given)) or grown)
    forest = ForestRegressor(6).fit(random_rows(0, 150), 1e6 + slopes(150)[1])
    shares = grown[0].importance / grown[0].importance.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(forest.feature_importances_, shares.mean(axis=0), rtol=1e-6)


def test_one_row_and_a_constant_target():
    """What tells nothing is answered by its mean."""
    assert ForestRegressor(3).fit([[1.0]], [4.5]).predict([[9.0]]).tolist() == [4.5]
    constant = ForestRegressor(3, min_gain=0.0).fit(np.arange(10.0).reshape(-1, 1), np.full(10, 2.5))
    assert constant.predict([[3.0]]).tolist() == [2.5]


def test_a_constant_that_is_learned_is_explained():
    """The mean of many 0.1 is not 0.1 to the last bit, and still nothing is left to explain."""
    X = slopes(120)[0]
    assert ForestRegressor(40, oob_score=True).fit(X, np.full(120, 0.1)).oob_score_ == 1.0


@pytest.mark.parametrize("scale", [2.0**-1000, 2.0**-540, 2.0**540, 2.0**1000])
def test_score_and_importances_do_not_depend_on_the_unit_of_the_target(scale):
    """Targets whose squares would overflow or vanish give what they give in another unit, to the bit."""
    X, y = slopes(150)
    usual = ForestRegressor(40, oob_score=True).fit(X, y)
    scaled = ForestRegressor(40, oob_score=True).fit(X, y * scale)
    assert scaled.oob_score_ == usual.oob_score_
    assert np.array_equal(scaled.feature_importances_, usual.feature_importances_)
    assert np.array_equal(scaled.predict(X), usual.predict(X) * scale)


def test_words_as_targets_are_refused():
    """A regression on classes is refused with advice."""
    with pytest.raises(ValueError, match="y holds classes, and ForestRegressor predicts numbers"):
        ForestRegressor(3).fit([[1.0], [2.0]], ["a", "b"])
    y = category_column("colour", ["red", "blue"])
    with pytest.raises(ValueError, match="y holds classes, and ForestRegressor predicts numbers"):
        ForestRegressor(3).fit(Table([category_column("town", ["Ulm", "Bonn"])]), y)


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"missing": "class_mode"}, "missing must be"),
        ({"missing": "fractional"}, "does not split rows"),
        ({"criterion": "gini"}, "criterion must be"),
        ({"max_features": 9}, "max_features=9 is more"),
        ({"n_trees": 0}, "n_trees must be"),
    ],
)
def test_wrong_parameters_are_refused(changes, what):
    """Each with what is wrong, where, and how to mend it."""
    X, y = slopes(30)
    with pytest.raises(RequestError, match=what) as refusal:
        ForestRegressor(**{"n_trees": 3} | changes).fit(X, y)
    assert refusal.value.where
    assert refusal.value.fix


def test_infinity_is_refused():
    """In the words of scikit-learn."""
    with pytest.raises(ValueError, match="infinity"):
        ForestRegressor(3).fit([[np.inf], [1.0]], [1.0, 2.0])


def test_it_prints_what_it_is():
    """The summary of a regression, and one of its trees with means and weights."""
    X, y = slopes(120)
    forest = ForestRegressor(60, oob_score=True).fit(X, y)
    assert str(forest).startswith("60 trees for a number, from 120 rows and 5 columns\nleaves: ")
    assert "\nout of bag: R² 0." in str(forest)
    assert "importance: x0 " in str(forest)
    assert "x0 <= " in forest.tree_text(0)


def test_the_description_has_a_grid_for_each_mean():
    """A mean is one of the points of a grid, whose steps are as many as the root of the rows of its leaf."""
    X, y = slopes(64, n_columns=4)
    forest = ForestRegressor(3).fit(X, y)
    n_splits = forest.n_nodes_ - forest.n_leaves_
    bags = forest.forest_.weight[forest.forest_.split_kind == 0]
    leaves = sum(np.log2(np.ceil(np.sqrt(n_rows)) + 1) for n_rows in bags)
    expected = forest.n_nodes_ + n_splits * (2 + np.log2(63)) + leaves
    assert forest.description_bits() == pytest.approx(expected, rel=1e-12)


def test_missing_targets_are_refused():
    """A row without a target cannot be learned from."""
    with pytest.raises((DataError, ValueError), match="NaN"):
        ForestRegressor(3).fit([[1.0], [2.0]], [1.0, np.nan])
