"""Copies of a learner are what scikit-learn's clone gives, for less."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.base import clone

import heldout as ho
from heldout.learners.readable_learner import learner_copies

LEARNERS = [
    ho.TreeClassifier(min_leaf=3),
    ho.ForestRegressor(n_trees=7),
    ho.NeighborsClassifier(feature_weights={"a": 2.0}),
    ho.Perceptron(random_state=5),
    ho.RidgeRegressor(alpha=3.0),
    ho.RuleClassifier(),
]


@pytest.mark.parametrize("learner", LEARNERS, ids=lambda learner: type(learner).__name__)
def test_a_copy_has_the_parameters_of_a_clone(learner: Any) -> None:
    """Every parameter of a copy prints as that of a clone does, and a fitted state is not copied."""
    [copy] = learner_copies(learner, [{}])
    assert type(copy) is type(learner)
    assert repr(copy) == repr(clone(learner))
    assert sorted(vars(copy)) == sorted(vars(clone(learner)))


def test_what_can_change_is_not_shared() -> None:
    """A random state and a dict belong to one copy each."""
    first, second = learner_copies(ho.Perceptron(random_state=np.random.RandomState(0)), [{}, {}])
    assert first.random_state is not second.random_state
    near, far = learner_copies(ho.NeighborsClassifier(feature_weights={"a": 2.0}), [{}, {}])
    assert near.feature_weights is not far.feature_weights


def test_a_subclass_has_its_own_names() -> None:
    """The names that are kept for a class are not those of the class it derives from."""

    class Shallow(ho.TreeClassifier):
        def __init__(self, *, floors: int = 2) -> None:
            super().__init__(max_depth=floors)
            self.floors = floors

    assert "criterion" in ho.TreeClassifier().get_params()
    assert list(Shallow().get_params()) == ["floors"]
    assert [copy.floors for copy in learner_copies(Shallow(), [{"floors": 5}, {}])] == [5, 2]
