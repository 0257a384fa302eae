"""Neighbors on hand-made sets with a known answer."""

import numpy as np

from heldout import NeighborsClassifier, NeighborsRegressor

LINE = np.array([[0.0], [1.0], [3.0], [6.0], [7.0], [8.0]])
SIDES = np.array(["a", "a", "a", "b", "b", "b"])


def test_xor():
    """The four corners of XOR are learned by heart, and points near a corner follow it."""
    corners, answers = np.array([[0, 0], [0, 1], [1, 0], [1, 1]]), ["no", "yes", "yes", "no"]
    xor = NeighborsClassifier(k=1).fit(corners, answers)
    assert xor.predict(corners).tolist() == answers
    assert xor.predict(corners + np.array([0.3, -0.2])).tolist() == answers


def test_leave_one_out_by_hand():
    """Four of the five others are even, and the first class wins; of all five the other side does."""
    found = NeighborsClassifier().leave_one_out(LINE, SIDES)
    assert found.errors.tolist() == [0.0, 0.0, 0.0, 0.5, 1.0]
    assert found.best_k == 1


def test_leave_one_out_of_means_by_hand():
    """Each row is answered by the mean of the nearest others, ties by position."""
    found = NeighborsRegressor().leave_one_out(LINE, LINE[:, 0], 2, keeps_predictions=True)
    assert found.predictions.tolist() == [[1, 0, 1, 7, 6, 7], [2.0, 1.5, 0.5, 7.5, 7.0, 6.5]]
    np.testing.assert_allclose(found.errors, [9 / 6, (4 + 0.25 + 6.25 + 2.25 + 0 + 2.25) / 6])
