"""The perceptron beside a textbook's, and beside scikit-learn's."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.linear_model import Perceptron as TheirPerceptron
from sklearn.linear_model import SGDClassifier

from heldout import Perceptron

from .plain_perceptron import PlainPerceptron


def problem(n_rows, n_columns, n_classes, seed, is_whole=True):
    draw = np.random.default_rng(seed)
    X = draw.integers(-3, 4, (n_rows, n_columns)) * draw.integers(0, 2, (n_rows, n_columns))
    X = X.astype(float) if is_whole else X + 0.37 * draw.normal(size=X.shape) * (X != 0)
    y = np.append(np.arange(n_classes), draw.integers(0, n_classes, n_rows - n_classes))
    return X, y


def fitted_and_plain(X, y, **parameters):
    fitted = Perceptron(**parameters).fit(X, y)
    plain = PlainPerceptron(
        X.tolist(),
        y.tolist(),
        int(y.max()) + 1,
        fitted.epochs,
        fitted.shuffle,
        fitted.fit_intercept,
        fitted.random_state or 0,
    )
    return fitted, plain


SHAPES = st.tuples(st.integers(6, 40), st.integers(1, 6), st.integers(2, 5), st.integers(0, 10**6))


@given(SHAPES, st.integers(1, 5), st.booleans(), st.booleans(), st.booleans())
@settings(max_examples=60)
def test_the_last_weights_are_those_of_the_textbook(shape, epochs, shuffle, fit_intercept, is_whole):
    """Weights and mistakes are bit for bit those of plain loops, whole numbers or not, dense or sparse."""
    X, y = problem(*shape, is_whole=is_whole)
    options = {"epochs": epochs, "shuffle": shuffle, "fit_intercept": fit_intercept, "random_state": 11}
    fitted, plain = fitted_and_plain(X, y, variant="plain", **options)
    expected = np.array(plain.last)
    assert np.array_equal(fitted.coef_, expected[:, :-1])
    assert np.array_equal(fitted.intercept_, expected[:, -1])
    assert fitted.n_mistakes_ == sum(plain.mistakes)
    assert fitted.is_separated_ == (plain.mistakes[-1] == 0)
    by_sparse = Perceptron(variant="plain", **options).fit(sparse.csr_array(X), y)
    assert np.array_equal(by_sparse.coef_, fitted.coef_)
    assert np.array_equal(by_sparse.intercept_, fitted.intercept_)


@given(SHAPES, st.integers(1, 5), st.booleans())
@settings(max_examples=40)
def test_the_average_is_the_mean_over_all_steps(shape, epochs, fit_intercept):
    """The lazy average is the exact mean of whole weights over all steps, but for two roundings."""
    X, y = problem(*shape)
    fitted, plain = fitted_and_plain(X, y, epochs=epochs, fit_intercept=fit_intercept)
    found = np.column_stack([fitted.coef_, fitted.intercept_])
    for row, exact_row, last_row in zip(found.tolist(), plain.average, plain.last, strict=True):
        for weight, exact, last in zip(row, exact_row, last_row, strict=True):
            lazy = Fraction(last) - exact
            assert abs(Fraction(weight) - exact) <= (abs(lazy) + abs(exact)) * Fraction(2) ** -53
    by_sparse = Perceptron(epochs=epochs, fit_intercept=fit_intercept).fit(sparse.csc_array(X), y)
    assert np.array_equal(by_sparse.coef_, fitted.coef_)
    assert np.array_equal(by_sparse.intercept_, fitted.intercept_)


@given(SHAPES, st.integers(1, 4), st.booleans())
@settings(max_examples=40)
def test_every_step_has_a_vote(shape, epochs, fit_intercept):
    """The shares of the votes are those that the weights after every step give by themselves."""
    X, y = problem(*shape)
    fitted, plain = fitted_and_plain(X, y, variant="voted", epochs=epochs, fit_intercept=fit_intercept)
    rows = np.vstack([X, -X[:3], np.zeros((1, X.shape[1]))])
    votes = np.array([plain.votes(row) for row in rows.tolist()])
    shares = votes / (epochs * len(X))
    expected = shares[:, 1] - shares[:, 0] if plain.is_binary else shares
    assert np.array_equal(fitted.decision_function(rows), expected)
    assert np.array_equal(fitted.predict(rows), votes.argmax(axis=1))
    assert np.array_equal(fitted.decision_function(sparse.csr_array(rows)), expected)


@pytest.mark.parametrize("epochs", [1, 7])
def test_two_classes_in_the_order_of_the_rows_are_those_of_scikit_learn(epochs):
    """scikit-learn's Perceptron has the same weights, and its averaging SGD the same averages."""
    X, y = problem(300, 8, 2, seed=4)
    theirs = TheirPerceptron(shuffle=False, max_iter=epochs, tol=None).fit(X, y)
    ours = Perceptron(variant="plain", shuffle=False, epochs=epochs).fit(X, y)
    assert np.array_equal(ours.coef_, theirs.coef_)
    assert np.array_equal(ours.intercept_, theirs.intercept_)
    averaging = SGDClassifier(
        loss="perceptron",
        penalty=None,
        learning_rate="constant",
        eta0=1,
        shuffle=False,
        max_iter=epochs,
        tol=None,
        average=True,
    ).fit(X, y)
    averaged = Perceptron(shuffle=False, epochs=epochs).fit(X, y)
    assert np.allclose(averaged.coef_, averaging.coef_, rtol=1e-12, atol=1e-12)
    assert np.allclose(averaged.intercept_, averaging.intercept_, rtol=1e-12, atol=1e-12)


def test_scores_are_products_and_intercept():
    """The margin is what a matrix product says, of two classes and of more."""
    for n_classes in (2, 4):
        X, y = problem(200, 9, n_classes, seed=6, is_whole=False)
        fitted = Perceptron().fit(X, y)
        expected = X @ fitted.coef_.T + fitted.intercept_
        found = fitted.decision_function(X).reshape(expected.shape)
        assert np.allclose(found, expected, rtol=1e-12, atol=1e-12)
        assert np.array_equal(fitted.decision_function(sparse.csr_array(X)).reshape(expected.shape), found)


def test_many_columns_are_judged_as_few_are():
    """Wide dense rows, whose sums are made in parts, give bit for bit the weights of sparse ones."""
    draw = np.random.default_rng(2)
    X = draw.normal(size=(400, 150)) * (draw.random((400, 150)) < 0.3)
    X[200:] = -X[:200]  # scores that are equal but for the sign, and rows of which many are near 0
    y = (X[:, :5].sum(axis=1) + 0.5 * draw.normal(size=400) > 0).astype(int)
    dense = Perceptron(epochs=20).fit(X, y)
    as_sparse = Perceptron(epochs=20).fit(sparse.csr_array(X), y)
    assert np.array_equal(dense.coef_, as_sparse.coef_)
    assert dense.n_mistakes_ == as_sparse.n_mistakes_
