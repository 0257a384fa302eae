"""Votes of neighbors: shares, ties, weights, and the classic XOR."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.neighbors import KNeighborsClassifier

from heldout import NeighborsClassifier, Table, Task, datasets
from heldout.learners.neighbors.votes import Weighting
from heldout.table.column import category_column

from .neighbor_tables import NUMBER_METRICS, WEIGHTINGS, answers_for, boolean, number_rows
from .plain_neighbors import plain_neighbors, plain_shares, plain_weights


@pytest.mark.slow
@given(st.data(), number_rows(), st.sampled_from(NUMBER_METRICS), WEIGHTINGS)
def test_shares_are_those_of_the_definition(data, X, metric, weighting):
    """Class shares by the weights of the plain neighbors; the answer is the first of the largest shares."""
    y = data.draw(answers_for(len(X), is_regression=False))
    k = data.draw(st.integers(1, len(X)))
    learner = NeighborsClassifier(k=k, metric=metric, smoothing=0, **weighting).fit(X, y)
    shares = learner.predict_proba(X)
    codes = np.searchsorted(learner.classes_, y)
    for row, found in zip(X.tolist(), shares, strict=True):
        nearest = plain_neighbors(metric, X.tolist(), row, k)
        distances = np.array([[distance for distance, _ in nearest]])
        rule = weighting["weights"]
        weights = (
            rule(distances)[0]
            if callable(rule)
            else plain_weights(rule, distances[0], weighting.get("bandwidth"))
        )
        wanted = plain_shares([codes[position] for _, position in nearest], weights, len(learner.classes_))
        np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-12)
    assert np.array_equal(learner.predict(X), learner.classes_[shares.argmax(axis=1)])


@pytest.mark.parametrize(("weights", "theirs"), [("uniform", "uniform"), ("inverse", "distance")])
def test_probabilities_are_scikit_learns(weights, theirs):
    """On rows without ties, also at the training rows themselves.

    Its tree of boxes adds squares of differences: a row is exactly 0 from itself. By brute force it
    multiplies matrices, and on some processors that leaves 1e-8.
    """
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(300, 4)), rng.integers(0, 4, 300)
    queries = np.vstack([X[:50], rng.normal(size=(50, 4))])
    ours = NeighborsClassifier(k=9, weights=weights, smoothing=0).fit(X, y)
    judge = KNeighborsClassifier(9, weights=theirs, algorithm="kd_tree").fit(X, y)
    np.testing.assert_allclose(
        ours.predict_proba(queries), judge.predict_proba(queries), rtol=1e-12, atol=1e-14
    )


def test_xor_is_learned():
    """Two crossed classes, which no line parts, are no trouble for the nearest."""
    rng = np.random.default_rng(0)
    X = rng.uniform(-1, 1, (400, 2))
    y = np.where((X > 0).sum(axis=1) == 1, "differ", "agree")
    assert NeighborsClassifier(k=3).fit(X[:300], y[:300]).score(X[300:], y[300:]) > 0.9
    corners = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    xor = NeighborsClassifier(k=1).fit(corners, corners.sum(axis=1) % 2)
    assert xor.predict(corners).tolist() == [0, 1, 1, 0]


def test_ties_go_to_the_first():
    """Equally near rows by their position, equally strong classes by their order."""
    X = np.array([[1.0], [-1.0], [1.0]])
    nearest = NeighborsClassifier(k=1).fit(X, ["b", "a", "a"])
    assert nearest.predict([[0.0]]).tolist() == ["b"]
    both = NeighborsClassifier(k=2, smoothing=0).fit(X, ["b", "a", "a"])
    assert both.predict([[0.0]]).tolist() == ["a"]
    assert both.predict_proba([[0.0]]).tolist() == [[0.5, 0.5]]


def test_rows_at_distance_zero_have_all_the_weight():
    """By weights="inverse" the copies of a row decide, and no one else."""
    X = np.array([[0.0], [0.0], [0.0], [1e-9], [1e-9], [1e-9], [1e-9]])
    y = ["a", "a", "b", "b", "b", "b", "b"]
    shares = NeighborsClassifier(k=7, weights="inverse", smoothing=0).fit(X, y).predict_proba([[0.0]])
    np.testing.assert_allclose(shares, [[2 / 3, 1 / 3]])


def test_a_row_that_is_far_from_all_still_gets_an_answer():
    """Bells that all vanish at the row are compared with each other; tiny distances do not overflow."""
    X, y = np.array([[0.0], [1.0]]), ["a", "b"]
    far = NeighborsClassifier(k="all", weights="gaussian", bandwidth=0.01, smoothing=0).fit(X, y)
    assert far.predict_proba([[1e6]]).tolist() == [[0.0, 1.0]]
    assert far.predict_proba([[0.5]]).tolist() == [[0.5, 0.5]]
    near = NeighborsClassifier(k=2, metric="l1", weights="inverse", smoothing=0).fit(X, y)
    assert near.predict_proba([[5e-324]]).tolist() == [[1.0, 5e-324]]


def test_the_bell_without_a_bandwidth_is_as_wide_as_the_neighbors_are_spread():
    """The k-th neighbor counts exp(-2) of one at distance zero; equal rows count the same."""
    weights = Weighting("gaussian").weights(np.array([[0.0, 1.0, 2.0], [0.0, 0.0, 0.0]]))
    np.testing.assert_allclose(weights, [[1.0, np.exp(-0.5), np.exp(-2.0)], [1.0, 1.0, 1.0]])


def test_the_global_method_counts_every_row():
    """k="all" is k = N, and uniform votes are then the shares of the classes."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 2)), rng.integers(0, 3, 40)
    everyone = NeighborsClassifier(k="all").fit(X, y).predict_proba(X[:3])
    np.testing.assert_allclose(everyone, np.tile(np.bincount(y) / 40, (3, 1)))
    bell = {"weights": "gaussian", "bandwidth": 0.5}
    whole = NeighborsClassifier(k=40, **bell).fit(X, y).predict_proba(X)
    assert np.array_equal(whole, NeighborsClassifier(k="all", **bell).fit(X, y).predict_proba(X))


def test_feature_weights_change_who_is_near():
    """A column of weight 0 is as good as left out."""
    rng = np.random.default_rng(7)
    X, y = rng.normal(size=(100, 3)), rng.integers(0, 2, 100)
    without = NeighborsClassifier().fit(X[:, :2], y).predict_proba(X[:, :2])
    assert np.array_equal(NeighborsClassifier(feature_weights=[1, 1, 0]).fit(X, y).predict_proba(X), without)
    named = NeighborsClassifier(feature_weights={"x2": 0}).fit(X, y)
    assert np.array_equal(named.predict_proba(X), without)
    assert named.feature_weights_.tolist() == [1, 1, 0]


def test_a_level_that_training_never_saw_differs_from_all():
    """It is known, so it counts as a difference, where a missing value does not count at all."""
    table = Table([category_column("color", ["red", "blue"]), category_column("shape", ["a", "b"])])
    asked = Table([category_column("color", ["green", None]), category_column("shape", ["b", "b"])])
    for metric, wanted in [("gower", [[0.5, 1.0], [0.0, 1.0]]), ("hamming", [[0.5, 1.0]])]:
        learner = NeighborsClassifier(k=2, metric=metric).fit(table, [0, 1])
        distances, positions = learner.kneighbors(asked[: len(wanted)])
        assert distances.tolist() == wanted
        assert positions.tolist() == [[1, 0]] * len(wanted)


def test_booleans_are_the_same_in_other_words():
    """yes and true mean the same, to Gower and Hamming."""
    rows = Table([boolean("paid", ["no", "yes"])])
    asked = Table([type(rows["paid"])("paid", "boolean", np.array([1], dtype=np.int32), ("false", "true"))])
    for metric in ("gower", "hamming"):
        assert NeighborsClassifier(k=1, metric=metric).fit(rows, ["n", "y"]).predict(asked).tolist() == ["y"]


def test_penguins_with_gaps_are_classified_by_gower():
    """A real table of numbers, categories and missing values, with its words."""
    task = Task(datasets.load("penguins"), "species")
    assert any(task.X[name].n_missing for name in task.X.names)
    assert NeighborsClassifier(metric="gower").leave_one_out(task.X, task.y, 20).best_error < 0.02


def test_shares_sum_to_one_and_logarithms_follow():
    """Each row of probabilities is a distribution."""
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(60, 2)), rng.integers(0, 5, 60)
    learner = NeighborsClassifier(k=12, weights="inverse").fit(X, y)
    shares = learner.predict_proba(rng.normal(size=(30, 2)))
    np.testing.assert_allclose(shares.sum(axis=1), 1.0)
    with np.errstate(divide="ignore"):
        assert np.array_equal(learner.predict_log_proba(X), np.log(learner.predict_proba(X)))


def test_parameters_may_change_after_fit():
    """k and weights are asked for at prediction; the metric is that of fit."""
    X, y = np.array([[0.0], [1.0], [2.0]]), [0, 1, 1]
    learner = NeighborsClassifier(k=1).fit(X, y)
    learner.set_params(k=3, metric="cosine")
    assert learner.predict([[0.0]]).tolist() == [1]
    assert learner.kneighbors([[0.2]], k=1)[0].tolist() == [[0.2]]
