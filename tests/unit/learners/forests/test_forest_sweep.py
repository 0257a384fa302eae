"""Sweeps of forests: every setting gives the forest and the answers that fitting it by itself gives."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.base import clone

from heldout import ForestClassifier, ForestRegressor, RequestError
from heldout.native import forests

from ..random_tables import other_rows, random_classes, random_rows
from .same_forest import blobs, differing_parts, slopes

SIZES = {
    "n_trees": st.sampled_from([1, 2, 5, 9]),
    "max_depth": st.sampled_from([None, 0, 1, 2, 3, 6]),
    "min_leaf": st.sampled_from([1, 2.5, 6]),
    "min_gain": st.sampled_from([None, 0.0, 0.05]),
    "max_features": st.sampled_from(["sqrt", None, 1, 0.5]),
    "bootstrap": st.booleans(),
    "sample_fraction": st.sampled_from([0.4, 0.7]),
    "categorical_splits": st.sampled_from(["multiway", "subset", "one_vs_rest"]),
    "random_state": st.sampled_from([None, 3]),
    "oob_score": st.booleans(),
}
CLASSES = {
    **SIZES,
    "criterion": st.sampled_from(["gini", "entropy"]),
    "missing": st.sampled_from(["node_mode", "column_mode", "class_mode"]),
    "class_weight": st.sampled_from([None, "balanced"]),
    "combine": st.sampled_from(["average", "vote"]),
}
NUMBERS = {**SIZES, "missing": st.sampled_from(["node_mode", "column_mode"])}


def assert_equal_to_fitting_each(learner, space, X, y, weights, new):
    """Forests bit for bit, out-of-bag answers, importances, predictions and probabilities."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        sweep = learner.sweep(X, y, space, weights)
        answered = sweep.predict(new)
        shares = sweep.predict_proba(new) if hasattr(learner, "predict_proba") else None
        for place, setting in enumerate(sweep.settings):
            alone = clone(learner).set_params(**setting).fit(X, y, weights)
            assert differing_parts(alone, sweep.model(place)) == []
            assert answered[place].tobytes() == alone.predict(new).tobytes()
            if shares is not None:
                assert shares[place].tobytes() == alone.predict_proba(new).tobytes()


@given(
    space=st.lists(st.fixed_dictionaries({}, optional=CLASSES), min_size=1, max_size=5),
    seed=st.integers(0, 50),
)
@settings(max_examples=40)
def test_classification(space, seed):
    """Lists of settings of all parameters, on a table with gaps, with and without weights."""
    X, y = random_rows(seed, 60), random_classes(seed, 60)
    weights = np.random.default_rng(seed).choice([0.0, 1.0, 2.0], 60) if seed % 2 else None
    learner = ForestClassifier(4, sample_fraction=0.5)
    assert_equal_to_fitting_each(learner, space, X, y, weights, other_rows(seed))


@given(
    space=st.lists(st.fixed_dictionaries({}, optional=NUMBERS), min_size=1, max_size=5),
    seed=st.integers(0, 50),
)
@settings(max_examples=30)
def test_regression(space, seed):
    """The same for a regression."""
    X, y = random_rows(seed, 60), slopes(60, seed=seed)[1]
    assert_equal_to_fitting_each(ForestRegressor(4, sample_fraction=0.5), space, X, y, None, other_rows(seed))


def test_every_prefix_from_one_forest(monkeypatch):
    """Numbers of trees, depths and leaves share one growing, and other parameters have one each."""
    grown = []
    grow = forests.grow_forests

    def counted(*given):
        grown.append((given[6].max_depth, *given[-2:]))
        return grow(*given)

    monkeypatch.setattr(forests, "grow_forests", counted)
    X, y = blobs()
    forest = ForestClassifier(20)
    forest.sweep(X, y, {"n_trees": list(range(1, 21)), "max_depth": [1, 3, None]})
    forest.sweep(X, y, {"max_depth": [1, 3], "n_jobs": [1, 2], "combine": ["average", "vote"]})
    assert grown == [(-1, 20, [1.0]), (3, 20, [1.0])]
    grown.clear()
    forest.sweep(X, y, {"n_trees": [5, 10], "max_features": [1, 2], "min_leaf": [1, 4]})
    assert grown == [(-1, 10, [1.0, 4.0])] * 2
    grown.clear()
    forest.sweep(X, y, [{"n_trees": 5, "min_leaf": 3}, {"min_leaf": 1}, {"min_leaf": 7}, {"max_depth": 2}])
    assert grown == [(-1, 5, [3.0]), (-1, 20, [1.0, 7.0])]


def test_a_curve_over_the_number_of_trees():
    """Setting × row × class, in the order of the settings, whatever that is."""
    X, y = blobs()
    sweep = ForestClassifier().sweep(X, y, {"n_trees": [30, 1, 7]})
    assert sweep.predict_proba(X).shape == (3, 200, 3)
    assert sweep.predict(X).shape == (3, 200)
    assert [sweep.model(place).forest_.n_trees for place in range(3)] == [30, 1, 7]
    assert sweep.model(-1) is sweep.model(2)


def test_a_sparse_matrix():
    """Sparse rows come in blocks, to the same answers."""
    draw = np.random.default_rng(0)
    X = draw.poisson(0.3, (120, 12)).astype(float)
    y = (X[:, 3] + X[:, 7] > 0).astype(int)
    space = {"n_trees": [2, 5], "max_depth": [2, None], "oob_score": [True], "sample_fraction": [0.3]}
    assert_equal_to_fitting_each(ForestClassifier(), space, sparse.csr_array(X), y, None, sparse.csr_array(X))


def test_class_mode_warns_once():
    """New rows are filled by column: one warning for all settings."""
    X, y = random_rows(0, 80), random_classes(0, 80)
    sweep = ForestClassifier(3).sweep(X, y, {"missing": ["class_mode", "node_mode"], "max_depth": [1, 2]})
    with pytest.warns(UserWarning, match="filled by the mode") as caught:
        sweep.predict(other_rows(0))
    assert len(caught) == 1


def test_a_regression_has_no_probabilities():
    """It says so."""
    X, y = slopes()
    with pytest.raises(RequestError, match="no probabilities"):
        ForestRegressor(2).sweep(X, y, {"max_depth": [1]}).predict_proba(X)


def test_wrong_settings_are_refused_before_anything_grows():
    """Names and values are checked first."""
    X, y = blobs(30)
    for space, what in (
        ({"n_tree": [3]}, "has no parameter 'n_tree'"),
        ({"n_trees": [3, 0]}, "n_trees must be"),
        ({"missing": ["node_mode", "fractional"]}, "does not split rows"),
        ({"max_features": [2, 9]}, "more than there is"),
    ):
        with pytest.raises(RequestError, match=what):
            ForestClassifier().sweep(X, y, space)


def test_the_learner_is_not_changed():
    """A sweep fits copies."""
    X, y = blobs(50)
    forest = ForestClassifier(3)
    forest.sweep(X, y, {"n_trees": [1, 2]})
    assert not hasattr(forest, "forest_")
    assert forest.n_trees == 3


def test_a_forest_of_a_sweep_can_grow_further():
    """With warm_start a forest of a sweep is like one that was fitted."""
    X, y = blobs()
    grown = ForestClassifier(warm_start=True).sweep(X, y, {"n_trees": [3, 9], "max_depth": [4]}).model(0)
    grown.set_params(n_trees=12).fit(X, y)
    assert differing_parts(grown, ForestClassifier(12, max_depth=4).fit(X, y)) == []
