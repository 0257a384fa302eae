"""Models that only say yes or no: their votes are scores."""

from __future__ import annotations

import numpy as np

from heldout.learners.forest_classifier import ForestClassifier
from heldout.learners.tree_classifier import TreeClassifier
from heldout.metrics.many_classes import hand_till
from heldout.metrics.roc import roc


def test_votes_of_a_forest():
    """Counts of votes and their shares give one curve, with a step for each number of votes."""
    draw = np.random.default_rng(0)
    X = draw.normal(size=(300, 3))
    y = np.where(X[:, 0] + draw.normal(size=300) > 0, "yes", "no")
    forest = ForestClassifier(n_trees=20, combine="vote", smoothing=0, random_state=0).fit(X[:200], y[:200])
    shares = forest.predict_proba(X[200:])[:, 1]
    votes = np.rint(20 * shares)
    np.testing.assert_allclose(20 * shares, votes, atol=1e-9)
    by_votes = roc(y[200:], votes)
    assert by_votes.thresholds[1:].tolist() == sorted(set(votes.tolist()), reverse=True)
    assert by_votes.area == roc(y[200:], np.round(shares, 6)).area > 0.7


def test_a_hundred_stumps_vote():
    """Models that answer with a class alone become a curve by counting who says yes."""
    draw = np.random.default_rng(1)
    X = draw.normal(size=(400, 4))
    y = (X.sum(axis=1) + draw.normal(size=400) > 0).astype(int)
    votes = np.zeros(100)
    for _ in range(25):
        rows = draw.integers(0, 300, 60)
        votes += TreeClassifier(max_depth=1).fit(X[rows], y[rows]).predict(X[300:])
    single = roc(y[300:], TreeClassifier(max_depth=1).fit(X[:300], y[:300]).predict(X[300:]))
    assert len(single.thresholds) == 3
    assert len(roc(y[300:], votes).thresholds) > 10
    assert roc(y[300:], votes).area > single.area


def test_votes_for_several_classes():
    """Counts of votes need not sum to 1 to be judged by pairs of classes."""
    votes = np.array([[9, 1, 0], [5, 3, 2], [2, 8, 0], [4, 6, 0], [1, 1, 8], [0, 4, 6]])
    assert hand_till([0, 0, 1, 1, 2, 2], votes) == 1.0
