"""Proximity: the share of trees in which two rows end in the same leaf."""

import numpy as np
import pytest

from heldout import ForestClassifier, ForestRegressor, RequestError
from heldout.learners.forests import proximity as room

from ..random_tables import other_rows, random_classes, random_rows
from .same_forest import slopes


def test_it_is_the_share_of_trees_with_a_common_leaf(monkeypatch):
    """Counted pair by pair, whatever the blocks."""
    X, y = random_rows(0, 70), random_classes(0, 70)
    forest, new = ForestClassifier(12, min_leaf=4).fit(X, y), other_rows(0, 30)
    mine, theirs = forest.apply(X), forest.apply(new)
    wanted = (mine[:, None, :] == theirs[None, :, :]).mean(axis=2)
    np.testing.assert_allclose(forest.proximity(X, new), wanted, rtol=1e-12)
    monkeypatch.setattr(room, "PAIRS_AT_ONCE", 16 * 30)
    np.testing.assert_allclose(forest.proximity(X, new), wanted, rtol=1e-12)


def test_a_row_is_nearest_to_itself():
    """Without a second table rows are compared with one another."""
    X, y = slopes(60)
    near = ForestRegressor(10).fit(X, y).proximity(X)
    assert np.array_equal(near, near.T)
    assert (near.diagonal() == 1).all()
    assert near.min() >= 0
    assert near.mean() < 0.5


def test_too_many_pairs_are_refused(monkeypatch):
    """What would not fit into memory is refused with advice."""
    X, y = slopes(60)
    forest = ForestRegressor(2).fit(X, y)
    monkeypatch.setattr(room, "MOST_PAIRS", 3599)
    with pytest.raises(RequestError, match="3,600 pairs") as refusal:
        forest.proximity(X)
    assert "fewer rows at a time" in refusal.value.fix
    assert forest.proximity(X[:50], X).shape == (50, 60)
