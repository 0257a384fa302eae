"""Bits of foreign models follow from what they hold, not from how their strings lie in memory."""

from __future__ import annotations

import json
import pickle
from typing import Any

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import Pipeline
from sklearn.tree import DecisionTreeClassifier

import heldout as ho
from heldout.errors import RequestError
from heldout.study.cells.joined_model import joined_model
from heldout.study.cells.model_bits import is_foreign, model_bits

X, Y = np.arange(12.0).reshape(6, 2), np.array([0, 0, 0, 1, 1, 1])


def test_equal_strings_cost_the_same_shared_or_not() -> None:
    """A plan that was read from JSON has equal strings that are not one object; the bits are the same."""
    one = "most_frequent"
    other = json.loads('["most_frequent", "most_frequent"]')
    shared, apart = DummyClassifier(), DummyClassifier()
    shared.words, apart.words = [one, one], other
    assert other[0] is not other[1]
    assert len(pickle.dumps(shared)) != len(pickle.dumps(apart))
    assert model_bits(shared) == model_bits(apart)


def test_a_search_is_what_it_found() -> None:
    """The seconds that a search keeps are no part of its description."""
    search = GridSearchCV(DecisionTreeClassifier(random_state=0), {"max_depth": [1, 2]}, cv=2).fit(X, Y)
    assert model_bits(search) == model_bits(search.best_estimator_) > 0
    assert is_foreign(search)


def test_pipelines_are_the_sum_of_their_steps() -> None:
    """Ours by their code, others by their pickle, passthrough by nothing."""
    scale, tree = ho.Scale().fit(X), DecisionTreeClassifier(random_state=0).fit(X, Y)
    whole = Pipeline([("nothing", "passthrough"), ("scale", scale), ("tree", tree)])
    assert model_bits(whole) == scale.description_bits() + model_bits(tree)
    assert is_foreign(whole)
    assert not is_foreign(Pipeline([("scale", scale)]))


def test_what_holds_itself_can_still_be_described() -> None:
    """A model with a circle in it is pickled with references."""
    model = DummyClassifier()
    circle: list[Any] = []
    for _ in range(60):
        circle = [circle]
    model.circle = circle
    circle.append(circle)
    assert model_bits(model) > 0


def test_what_cannot_be_pickled_is_refused_in_three_parts() -> None:
    """A function without a name has no bits, and the error says what to do."""
    model = DummyClassifier()
    model.function = lambda row: row
    with pytest.raises(RequestError, match="DummyClassifier cannot be pickled") as caught:
        model_bits(model)
    assert caught.value.where
    assert caught.value.fix


def test_models_are_joined_without_names_that_clash() -> None:
    """Steps of preparation and learner become one Pipeline, or two nested ones where names are the same."""
    scale, tree = ho.Scale(), ho.TreeClassifier()
    assert joined_model(None, tree) is tree
    flat = joined_model(Pipeline([("scale", scale)]), Pipeline([("paths", ho.TreePaths()), ("tree", tree)]))
    assert [name for name, _ in flat.steps] == ["scale", "paths", "tree"]
    nested = joined_model(Pipeline([("scale", scale)]), Pipeline([("scale", scale), ("tree", tree)]))
    assert [name for name, _ in nested.steps] == ["prepare", "learner"]
