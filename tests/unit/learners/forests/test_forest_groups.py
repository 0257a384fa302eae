"""Rows of a group are in a bag together, so that what is said out of the bag is said of unknown groups."""

import numpy as np
import pytest

from heldout import DataError, ForestClassifier, ForestRegressor, RequestError
from heldout.native.forests import Bagging, in_bag_counts

from .same_forest import differing_arrays


def repeated(n_groups: int, n_copies: int, seed: int = 0):
    """Copies of rows whose class is pure chance: only a row's own copies know it."""
    generator = np.random.default_rng(seed)
    X, y = generator.normal(size=(n_groups, 3)), generator.integers(0, 2, n_groups)
    rows = np.repeat(np.arange(n_groups), n_copies)
    return X[rows], y[rows], rows


def test_out_of_bag_scores_do_not_see_the_rows_of_their_group():
    """Copies in the bag make chance look like skill; with groups the score is that of guessing."""
    X, y, groups = repeated(120, 5)
    deceived = ForestClassifier(60, oob_score=True).fit(X, y)
    honest = ForestClassifier(60, oob_score=True).fit(X, y, groups=groups)
    assert deceived.oob_score_ > 0.95
    assert honest.oob_score_ < 0.65


def test_groups_of_one_row_are_rows():
    """Where every row is its own group, the forest is the one without groups."""
    X, y, _ = repeated(60, 1)
    alone = ForestClassifier(10, oob_score=True).fit(X, y)
    grouped = ForestClassifier(10, oob_score=True).fit(X, y, groups=np.arange(60))
    assert differing_arrays(alone.forest_, grouped.forest_) == []
    np.testing.assert_array_equal(alone.oob_decision_function_, grouped.oob_decision_function_)


def test_a_bag_has_all_rows_of_a_group_or_none():
    """The trees' root weights are those of whole groups, weights included."""
    X, y, groups = repeated(20, 3)
    weights = np.random.default_rng(1).uniform(0.5, 2, 60)
    names = np.array([f"patient {group:02}" for group in groups])
    forest = ForestRegressor(8).fit(X, y.astype(float), weights, groups=names)
    bagging = Bagging(0, True, 20, groups.astype(np.uint32))
    for tree in range(8):
        counts = in_bag_counts(bagging, tree, 60, None)
        root = forest.forest_.weight[forest.forest_.tree_begin[tree]]
        assert root == pytest.approx(counts @ weights)


@pytest.mark.parametrize("bootstrap", [True, False])
def test_sweeps_and_importances_obey_groups(bootstrap):
    """A sweep equals separate fits with the same groups, and importances need them again."""
    X, y, groups = repeated(40, 2)
    learner = ForestClassifier(30, bootstrap=bootstrap, sample_fraction=0.5, oob_score=True)
    sweep = learner.sweep(X, y, {"n_trees": [20, 30], "min_leaf": [1, 4]}, groups=groups)
    for place, setting in enumerate(sweep.settings):
        alone = ForestClassifier(bootstrap=bootstrap, sample_fraction=0.5, oob_score=True, **setting)
        alone.fit(X, y, groups=groups)
        assert differing_arrays(sweep.model(place).forest_, alone.forest_) == []
        assert sweep.model(place).oob_score_ == alone.oob_score_
    assert alone.permutation_importances(X, y, groups=groups).n_trees == 30
    with pytest.raises(DataError, match="not the rows that the forest was fitted on"):
        alone.permutation_importances(X, y)


def test_groups_of_weight_0_are_left_out():
    """A group whose rows have no weight is never drawn."""
    X, y, groups = repeated(30, 2)
    weights = (groups != 7).astype(float)
    left_out = ForestClassifier(5).fit(X, y, weights, groups=groups)
    removed = ForestClassifier(5).fit(X[groups != 7], y[groups != 7], groups=groups[groups != 7])
    assert differing_arrays(left_out.forest_, removed.forest_) == []


def test_groups_that_do_not_fit_are_refused():
    """There is one group for each row."""
    X, y, groups = repeated(10, 2)
    with pytest.raises(DataError, match="groups has the shape"):
        ForestClassifier(2).fit(X, y, groups=groups[:-1])


@pytest.mark.parametrize("bootstrap", [True, False])
def test_one_group_has_nothing_out_of_its_bag(bootstrap):
    """An out-of-bag score of one group is refused with what would help."""
    X, y, _ = repeated(10, 2)
    forest = ForestClassifier(3, bootstrap=bootstrap, oob_score=True)
    with pytest.raises(RequestError, match="no row is out of the bag") as refusal:
        forest.fit(X, y, groups=np.zeros(20))
    assert "only one group" in refusal.value.where
