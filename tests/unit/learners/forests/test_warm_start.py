"""Warm start: trees that are added later are those that would have grown at once."""

import warnings

import numpy as np
import pytest

from heldout import DataError, ForestClassifier, ForestRegressor, RequestError

from ..random_tables import random_classes, random_rows
from .same_forest import blobs, differing_parts, slopes


@pytest.mark.parametrize("bootstrap", [True, False])
@pytest.mark.parametrize("categorical_splits", ["subset", "multiway"])
def test_growing_further_equals_growing_at_once(bootstrap, categorical_splits):
    """Every array, importance and out-of-bag answer, bit for bit."""
    X, y = random_rows(2, 150), random_classes(2, 150)
    weights = np.random.default_rng(2).choice([0.0, 0.5, 1.0, 2.0], 150)
    asked = {
        "bootstrap": bootstrap,
        "sample_fraction": 0.5,
        "categorical_splits": categorical_splits,
        "oob_score": True,
        "random_state": 5,
    }
    at_once = ForestClassifier(30, **asked).fit(X, y, weights)
    grown = ForestClassifier(20, warm_start=True, **asked).fit(X, y, weights)
    for n_trees in (21, 21, 30):
        grown.set_params(n_trees=n_trees).fit(X, y, weights)
        assert grown.forest_.n_trees == n_trees
    assert differing_parts(at_once, grown) == []
    assert np.array_equal(at_once.predict_proba(X), grown.predict_proba(X))


def test_a_regression_grows_further():
    """The same for means, and with a RandomState, whose seed is kept."""
    X, y = slopes()
    at_once = ForestRegressor(12, random_state=np.random.RandomState(1)).fit(X, y)
    grown = ForestRegressor(5, warm_start=True, random_state=np.random.RandomState(1)).fit(X, y)
    grown.set_params(n_trees=12).fit(X, y)
    assert differing_parts(at_once, grown) == []


def test_without_warm_start_a_fit_begins_anew():
    """A second fit forgets the first."""
    X, y = blobs()
    forest = ForestClassifier(9).fit(X, y)
    assert forest.set_params(n_trees=4).fit(X, y).forest_.n_trees == 4


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"n_trees": 4}, "n_trees=4 is less than the 5 trees that stand"),
        ({"n_trees": 8, "max_features": 1}, "the parameters have changed"),
        ({"n_trees": 8, "random_state": 1}, "the parameters have changed"),
        ({"n_trees": 8, "missing": "column_mode"}, "the parameters have changed"),
        ({"n_trees": 8, "sample_fraction": 0.5}, "the parameters have changed"),
    ],
)
def test_what_would_not_have_grown_at_once_is_refused(changes, what):
    """Fewer trees, or trees of other rules; the forest stays as it was."""
    X, y = blobs()
    forest = ForestClassifier(5, warm_start=True).fit(X, y)
    before = forest.predict_proba(X)
    forest.set_params(**changes)
    with pytest.raises(RequestError, match=what) as refusal:
        forest.fit(X, y)
    assert "warm_start=False" in refusal.value.fix
    assert np.array_equal(forest.predict_proba(X), before)


def test_what_has_changed_is_named():
    """Parameters as the user writes them; rows by their number, or as other values or weights."""
    X, y = blobs()
    forest = ForestClassifier(5, warm_start=True).fit(X, y)
    with pytest.raises(RequestError) as refusal:
        forest.set_params(max_depth=3, min_gain=0.5).fit(X, y)
    assert refusal.value.where.endswith(
        "max_depth=3, and max_depth=None before; min_gain=0.5, and min_gain=None before"
    )
    forest.set_params(max_depth=None, min_gain=None)
    with pytest.raises(DataError) as refusal:
        forest.fit(X[:-1], y[:-1])
    assert refusal.value.where.endswith(": 199 rows and 5 columns, and 200 rows and 5 columns at fit")
    with pytest.raises(DataError) as refusal:
        forest.fit(X, y, np.arange(200) + 1.0)
    assert "other values, names, targets, weights or groups" in refusal.value.where
    assert "the same X, y, groups and sample_weight" in refusal.value.fix


def test_other_class_weights_are_taken_over():
    """They belong to the decision: trees may be added, and the answers are those of the new weights."""
    X, y = blobs()
    weights = {0: 1.0, 1: 5.0, 2: 0.2}
    forest = ForestClassifier(5, warm_start=True, class_weight="balanced", oob_score=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # five trees leave rows without an answer out of the bag
        forest.fit(X, y).set_params(n_trees=8, class_weight=weights).fit(X, y)
        at_once = ForestClassifier(8, class_weight=weights, oob_score=True).fit(X, y)
        assert differing_parts(at_once, forest) == []
        assert np.array_equal(at_once.predict(X), forest.predict(X))
        with pytest.raises(DataError, match="not those of the trees that stand"):
            forest.set_params(class_weight={0: 0.0}).fit(X, y)


def test_other_rows_are_refused():
    """Other rows, columns, classes, answers or weights; the forest stays as it was."""
    X, y = blobs()
    forest = ForestClassifier(5, warm_start=True, max_features=1).fit(X, y)
    before = forest.predict_proba(X)
    changed = X.copy()
    changed[100] += 1
    forest.set_params(n_trees=8)
    for other in (
        (X[:-1], y[:-1]),
        (X[:, :-1], y),
        (X, y + 1),
        (X, np.roll(y, 1)),
        (X, y, np.arange(200) + 1.0),
        (changed, y),
    ):
        with pytest.raises(DataError, match="not those of the trees that stand"):
            forest.fit(*other)
    assert np.array_equal(forest.predict_proba(X), before)
    assert forest.fit(X, y).forest_.n_trees == 8
