"""A sweep whose settings are fitted one by one."""

import numpy as np
import pytest

from heldout import BaselineClassifier, BaselineRegressor, LinearRegressor, RequestError
from heldout.learners.sweep import SeparateSweep, separate_models, separate_sweep

X = np.arange(12.0).reshape(6, 2)
y = np.array([1.0, 2.0, 2.0, 5.0, 9.0, 9.5])


def test_each_setting_is_fitted_as_by_itself():
    """Models and answers are those of separate fits, weights included, in the order of the settings."""
    weights = [1, 2, 1, 1, 3, 1]
    sweep = separate_sweep(BaselineRegressor(), X, y, {"strategy": ["median", "mean"]}, sample_weight=weights)
    alone = [BaselineRegressor(strategy=name).fit(X, y, weights) for name in ("median", "mean")]
    assert sweep.settings == [{"strategy": "median"}, {"strategy": "mean"}]
    assert [sweep.model(place).constant_ for place in range(2)] == [model.constant_ for model in alone]
    assert np.array_equal(sweep.predict(X), [model.predict(X) for model in alone])


def test_the_learner_is_not_changed():
    """A sweep works on copies."""
    learner = BaselineRegressor()
    separate_models(learner, [{"strategy": "median"}], X, y)
    assert learner.strategy == "mean"
    assert not hasattr(learner, "constant_")


def test_probabilities_are_stacked():
    """Settings × rows × classes."""
    classes = ["a", "b", "a", "a", "c", "c"]
    sweep = separate_sweep(BaselineClassifier(), X, classes, {"strategy": ["prior", "majority"]})
    assert isinstance(sweep, SeparateSweep)
    assert sweep.predict_proba(X).shape == (2, 6, 3)
    assert sweep.predict_proba(X)[1, 0].tolist() == [1.0, 0.0, 0.0]


def test_a_regression_has_no_probabilities():
    """What has no predict_proba says so in the words of the house."""
    sweep = LinearRegressor().sweep(X[:, :1], y, {"solver": ["qr", "svd"]})
    with pytest.raises(RequestError, match="LinearRegressor has no probabilities"):
        sweep.predict_proba(X)


def test_every_setting_is_checked_before_the_first_fit():
    """A wrong value at the end is found without fitting what stands before it."""
    fitted = []

    class Noted(BaselineRegressor):
        def fit(self, X, y, sample_weight=None):
            fitted.append(self.strategy)
            return super().fit(X, y, sample_weight)

    with pytest.raises(RequestError, match="strategy must be"):
        separate_sweep(Noted(), X, y, {"strategy": ["mean", "medium"]})
    assert fitted == []
