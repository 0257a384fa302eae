"""Rows that a margin separates are separated, within the number of mistakes that theory allows."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from heldout import Perceptron


@given(st.integers(0, 10**6), st.integers(2, 6), st.integers(1, 8), st.booleans(), st.booleans())
@settings(max_examples=80)
def test_there_are_no_more_mistakes_than_the_bound(seed, n_classes, n_columns, shuffle, fit_intercept):
    """At most (R/γ)² mistakes of two classes, 2(R/γ)² of several, whatever weights γ is the margin of."""
    draw = np.random.default_rng(seed)
    X = draw.normal(size=(60, n_columns)).round(2)
    lifted = np.column_stack([X, np.full(60, float(fit_intercept))])
    n_weight_rows = 1 if n_classes == 2 else n_classes
    weights = draw.normal(size=(n_weight_rows, n_columns + 1))
    weights /= np.linalg.norm(weights)  # of all rows together
    scores = lifted @ weights.T
    if n_classes == 2:
        y, margins = (scores[:, 0] > 0).astype(int), np.abs(scores[:, 0])
    else:
        y = scores.argmax(axis=1)
        ordered = np.sort(scores, axis=1)
        margins = ordered[:, -1] - ordered[:, -2]
    is_clear = margins > 0.05
    X, y, margins = X[is_clear], y[is_clear], margins[is_clear]
    classes = np.unique(y)
    assume(len(classes) > 1)
    if n_classes > 2:
        assume(len(classes) == n_classes)
    radius = np.linalg.norm(lifted[is_clear], axis=1).max()
    bound = (1 if n_classes == 2 else 2) * (radius / margins.min()) ** 2
    fitted = Perceptron(
        variant="plain", epochs=int(bound) + 2, shuffle=shuffle, fit_intercept=fit_intercept
    ).fit(X, y)
    assert fitted.is_separated_
    assert fitted.n_mistakes_ <= bound
    assert np.array_equal(fitted.predict(X), y)


@pytest.mark.parametrize("variant", ["plain", "averaged", "voted"])
def test_two_parallel_lines_are_separated(variant):
    """The known answer x2 = x1 ± 1: every row is on its side, and the weights are opposite."""
    x1 = np.arange(-20.0, 21.0)
    X = np.vstack([np.column_stack([x1, x1 + 1]), np.column_stack([x1, x1 - 1])])
    y = np.repeat(["over", "under"], len(x1))
    fitted = Perceptron(variant=variant, epochs=2000).fit(X, y)
    assert fitted.is_separated_
    assert fitted.n_epochs_ < 2000
    assert np.array_equal(fitted.predict(X), y)
    if variant != "voted":
        (coefficients,) = fitted.coefficients()
        assert coefficients.class_ == "under"
        assert coefficients.weights["x0"] > 0 > coefficients.weights["x1"]


@pytest.mark.parametrize("variant", ["plain", "averaged"])
def test_exclusive_or_cannot_be_learned(variant):
    """No line divides XOR: no epoch is free of mistakes, and not all four rows get their answer."""
    X, y = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]), np.array([0, 1, 1, 0])
    fitted = Perceptron(variant=variant, epochs=300).fit(X, y)
    assert not fitted.is_separated_
    assert fitted.n_epochs_ == 300
    assert fitted.n_mistakes_ >= 300
    assert fitted.score(X, y) < 1


def test_a_separated_perceptron_stays_as_it_is():
    """After an epoch without a mistake more epochs change neither weights nor mistakes of a plain one."""
    X = np.array([[-2.0], [-1.0], [1.0], [2.0]])
    y = [0, 0, 1, 1]
    short = Perceptron(variant="plain", epochs=50).fit(X, y)
    long = Perceptron(variant="plain", epochs=5000).fit(X, y)
    assert short.n_epochs_ == long.n_epochs_ < 50
    assert short.n_mistakes_ == long.n_mistakes_
    assert np.array_equal(short.coef_, long.coef_)


def test_epochs_that_were_not_run_count_in_the_average():
    """The average over many epochs comes as near to the separating weights as if all had been run."""
    X, y = np.array([[-2.0], [-1.0], [1.0], [2.0]]), [0, 0, 1, 1]
    plain = Perceptron(variant="plain").fit(X, y)
    averaged = Perceptron(epochs=10**6).fit(X, y)
    assert np.allclose(averaged.coef_, plain.coef_, rtol=1e-4)
    voted = Perceptron(variant="voted", epochs=10**6).fit(X, y)
    assert voted.updates_.votes.sum() == 4 * 10**6
