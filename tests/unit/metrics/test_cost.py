"""What models cost."""

from __future__ import annotations

import pickle
import zlib

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.neural_network import MLPRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from heldout.errors import RequestError
from heldout.learners.forest_classifier import ForestClassifier
from heldout.learners.linear_regressor import LinearRegressor
from heldout.learners.tree_classifier import TreeClassifier
from heldout.metrics.cost import (
    TimedModel,
    description_bits,
    fit_seconds,
    model_bytes,
    n_leaves,
    n_parameters,
    predict_seconds,
    timed,
)

DRAW = np.random.default_rng(0)
X, Y = DRAW.normal(size=(60, 3)), DRAW.integers(0, 2, 60)


def test_the_clock():
    """Fitting and predicting are measured apart, on as many rows as were given."""
    found = timed(TreeClassifier(), X, Y, X_new=X[:7])
    assert found.n_rows == 7
    assert fit_seconds(found) == found.fit_seconds > 0
    assert predict_seconds(found) == found.predict_seconds > 0
    assert found.model.predict(X).shape == (60,)


def test_fit_options_are_handed_on():
    """Weights reach the learner."""
    found = timed(TreeClassifier(), X, Y, sample_weight=np.where(Y == 0, 1.0, 0.0))
    assert set(found.model.predict(X).tolist()) == {0}


@pytest.mark.parametrize("cost", [fit_seconds, predict_seconds])
def test_seconds_that_were_not_measured(cost):
    """A model alone does not know how long it took."""
    with pytest.raises(RequestError, match="not measured"):
        cost(TreeClassifier().fit(X, Y))
    with pytest.raises(RequestError, match="timed"):
        cost(TimedModel(None))


def test_bytes_are_those_of_the_pickle():
    """The length of the pickle, with or without the clock around the model."""
    model = TreeClassifier().fit(X, Y)
    assert model_bytes(model) == model_bytes(TimedModel(model)) == len(pickle.dumps(model, protocol=5))
    with pytest.raises(RequestError, match="cannot be pickled"):
        model_bytes(lambda row: row)


def test_bits():
    """Heldout's learners know theirs, foreign ones have their compressed pickle, a pipeline the sum."""
    tree, foreign = TreeClassifier().fit(X, Y), DecisionTreeClassifier(random_state=0).fit(X, Y)
    assert description_bits(tree) == tree.description_bits()
    assert description_bits(foreign) == 8 * len(zlib.compress(pickle.dumps(foreign, protocol=5), 9))
    both = make_pipeline(StandardScaler(), "passthrough", TreeClassifier()).fit(X, Y)
    wanted = description_bits(both.steps[0][1]) + both.steps[-1][1].description_bits()
    assert description_bits(both) == wanted


def test_leaves():
    """Trees and forests of Heldout and of scikit-learn, in pipelines too."""
    tree, forest = TreeClassifier().fit(X, Y), ForestClassifier(n_trees=5).fit(X, Y)
    assert n_leaves(tree) == tree.n_leaves_
    assert n_leaves(forest) == forest.n_leaves_ > 5
    theirs = RandomForestClassifier(3, random_state=0).fit(X, Y)
    assert n_leaves(theirs) == sum(each.get_n_leaves() for each in theirs.estimators_)
    piped = make_pipeline(StandardScaler(), TreeClassifier()).fit(X, Y)
    assert n_leaves(piped) == piped[-1].n_leaves_
    with pytest.raises(RequestError, match="no leaves"):
        n_leaves(LinearRegression().fit(X, Y))


def test_parameters():
    """Coefficients and intercepts, and layers of networks."""
    assert n_parameters(LinearRegressor().fit(X, Y)) == 4
    assert n_parameters(LinearRegressor(fit_intercept=False).fit(X, Y)) == 3
    assert n_parameters(LogisticRegression().fit(X, Y % 2)) == 4
    network = MLPRegressor(hidden_layer_sizes=(2,), solver="lbfgs", max_iter=5000, random_state=0)
    network.fit(X[:5], Y[:5])
    assert n_parameters(network) == 3 * 2 + 2 + 2 * 1 + 1
    with pytest.raises(RequestError, match="no coefficients"):
        n_parameters(TreeClassifier().fit(X, Y))
