"""Means of neighbors, and planes through them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.linear_model import LinearRegression
from sklearn.neighbors import KNeighborsRegressor

from heldout import DataError, NeighborsRegressor

from .neighbor_tables import NUMBER_METRICS, WEIGHTINGS, answers_for, number_rows
from .plain_neighbors import plain_neighbors, plain_weights


@pytest.mark.slow
@given(st.data(), number_rows(), st.sampled_from(NUMBER_METRICS), WEIGHTINGS)
def test_means_are_those_of_the_definition(data, X, metric, weighting):
    """The mean of the plain neighbors, each by its weight."""
    y = data.draw(answers_for(len(X), is_regression=True))
    k = data.draw(st.integers(1, len(X)))
    answers = NeighborsRegressor(k=k, metric=metric, **weighting).fit(X, y).predict(X)
    for row, found in zip(X.tolist(), answers, strict=True):
        nearest = plain_neighbors(metric, X.tolist(), row, k)
        distances = np.array([[distance for distance, _ in nearest]])
        rule = weighting["weights"]
        weights = (
            rule(distances)[0]
            if callable(rule)
            else plain_weights(rule, distances[0], weighting.get("bandwidth"))
        )
        wanted = np.average(y[[position for _, position in nearest]], weights=weights)
        np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize(("weights", "theirs"), [("uniform", "uniform"), ("inverse", "distance")])
def test_answers_are_scikit_learns(weights, theirs):
    """On rows without ties."""
    rng = np.random.default_rng(1)
    X, y, queries = rng.normal(size=(300, 4)), rng.normal(size=300), rng.normal(size=(50, 4))
    ours = NeighborsRegressor(k=9, weights=weights).fit(X, y).predict(queries)
    judge = KNeighborsRegressor(9, weights=theirs, algorithm="brute").fit(X, y)
    np.testing.assert_allclose(ours, judge.predict(queries), rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("weights", ["uniform", "inverse", "gaussian"])
def test_planes_are_weighted_least_squares(weights):
    """At each row what scikit-learn's weighted linear regression on its neighbors says."""
    rng = np.random.default_rng(2)
    X, queries = rng.normal(size=(120, 3)) + 50, rng.normal(size=(25, 3)) + 50
    y = np.sin(X[:, 0]) + X[:, 1] ** 2
    learner = NeighborsRegressor(k=20, local="linear", weights=weights, bandwidth=None).fit(X, y)
    distances, positions = learner.kneighbors(queries)
    for query, found, far, where in zip(queries, learner.predict(queries), distances, positions, strict=True):
        judge = LinearRegression().fit(X[where], y[where], sample_weight=plain_weights(weights, far.tolist()))
        np.testing.assert_allclose(found, judge.predict([query])[0], rtol=1e-8)


def test_a_plane_reproduces_a_plane():
    """Where the truth is linear, the answer is exact everywhere, and the mean is not."""
    rng = np.random.default_rng(3)
    X, queries = rng.uniform(size=(60, 2)), rng.uniform(size=(20, 2))
    truth = np.array([2.0, -3.0])
    linear = NeighborsRegressor(k=8, local="linear").fit(X, X @ truth + 1).predict(queries)
    np.testing.assert_allclose(linear, queries @ truth + 1, rtol=1e-9)
    mean = NeighborsRegressor(k=8).fit(X, X @ truth + 1).predict(queries)
    assert np.abs(mean - (queries @ truth + 1)).max() > 0.05


def test_open_slopes_are_the_smallest():
    """Too few neighbors, neighbors in line and equal neighbors give the least steep plane."""
    X, y = np.array([[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [0.0, 9.0]]), np.array([0.0, 1.0, 2.0, 40.0])
    alone = NeighborsRegressor(k=1, local="linear").fit(X, y)
    assert alone.predict([[0.2, 0.3]]).tolist() == [0.0]
    # Three in line know nothing of the second column, so it does not count.
    in_line = NeighborsRegressor(k=3, local="linear").fit(X, y)
    np.testing.assert_allclose(in_line.predict([[1.5, 0.7]]), [1.5])
    equal = NeighborsRegressor(k=2, local="linear").fit(np.zeros((2, 2)), [1.0, 3.0])
    np.testing.assert_allclose(equal.predict([[5.0, 5.0]]), [2.0])


def test_a_plane_leaves_columns_of_weight_zero_out():
    """They count neither in the distance nor in the slopes."""
    rng = np.random.default_rng(4)
    X, y = rng.normal(size=(50, 3)), rng.normal(size=50)
    ours = NeighborsRegressor(k=12, local="linear", feature_weights=[1, 0, 1]).fit(X, y).predict(X)
    wanted = NeighborsRegressor(k=12, local="linear").fit(X[:, [0, 2]], y).predict(X[:, [0, 2]])
    assert np.array_equal(ours, wanted)


def test_the_global_method_is_kernel_regression():
    """k = N with bells is the estimator of Nadaraya and Watson."""
    rng = np.random.default_rng(5)
    X, y, queries = rng.uniform(size=(80, 1)), rng.normal(size=80), rng.uniform(size=(10, 1))
    bells = np.exp(-0.5 * ((queries - X.T) / 0.1) ** 2)
    found = NeighborsRegressor(k="all", weights="gaussian", bandwidth=0.1).fit(X, y).predict(queries)
    np.testing.assert_allclose(found, bells @ y / bells.sum(axis=1), rtol=1e-10)


def test_classes_are_no_targets():
    """A regression on words is refused with advice."""
    with pytest.raises(DataError, match="y holds classes, and NeighborsRegressor predicts numbers"):
        NeighborsRegressor(k=1).fit([[0.0], [1.0]], ["yes", "no"])
