"""The neighbors that are found are those of a plain sort, of scikit-learn and of SciPy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array, csr_matrix
from scipy.spatial.distance import cdist
from sklearn.neighbors import NearestNeighbors

from heldout import NeighborsClassifier, NeighborsRegressor
from heldout.learners.neighbors import neighbor_lists as neighbor_blocks

from .neighbor_tables import NUMBER_METRICS, mixed_tables, number_rows
from .plain_neighbors import plain_neighbors

FEATURE_WEIGHTS = st.none() | st.lists(st.sampled_from([0.0, 0.3, 1.0, 2.0]), min_size=2, max_size=2).map(
    lambda few: [*few, 1.0]
)


def assert_same(found, wanted):
    """Positions and distances, to the bit."""
    distances, positions = found
    assert positions.tolist() == [[position for _, position in row] for row in wanted]
    assert distances.tolist() == [[distance for distance, _ in row] for row in wanted]


@given(st.data(), number_rows(), st.sampled_from(NUMBER_METRICS), FEATURE_WEIGHTS)
def test_neighbors_of_numbers_are_those_of_a_plain_sort(data, X, metric, weights):
    """Distances summed in the order of the columns, ties by position, own rows left out by position."""
    weights = None if weights is None else weights[-X.shape[1] :]
    k = data.draw(st.integers(1, len(X) - 1))
    learner = NeighborsRegressor(k=k, metric=metric, feature_weights=weights).fit(X, np.arange(len(X)))
    queries = np.vstack([X, X[:1] + 0.25])
    rows = X.tolist()
    assert_same(
        learner.kneighbors(queries),
        [plain_neighbors(metric, rows, query, k, weights) for query in queries.tolist()],
    )
    own = [plain_neighbors(metric, rows, row, k, weights, left_out) for left_out, row in enumerate(rows)]
    assert_same(learner.kneighbors(), own)


@pytest.mark.slow
@given(st.data(), mixed_tables(), st.sampled_from([None, {"shape": 0.0, "size": 3.0}]))
def test_neighbors_of_mixed_rows_are_those_of_a_plain_sort(data, table_and_rows, weights):
    """Gower's distance over the columns that both rows know."""
    table, rows = table_and_rows
    k = data.draw(st.integers(1, len(rows) - 1))
    learner = NeighborsRegressor(k=k, metric="gower", feature_weights=weights).fit(
        table, np.arange(len(rows))
    )
    by_column = None if weights is None else [0.0, 3.0, 1.0, 1.0]
    wanted = [plain_neighbors("gower", rows, row, k, by_column, own) for own, row in enumerate(rows)]
    assert_same(learner.kneighbors(), wanted)
    assert_same(
        learner.kneighbors(table), [plain_neighbors("gower", rows, row, k, by_column) for row in rows]
    )


@pytest.mark.slow
@given(st.data(), mixed_tables(has_gaps=False))
def test_hamming_compares_levels(data, table_and_rows):
    """Words, numbers and booleans alike: the share of columns that differ."""
    table, rows = table_and_rows
    k = data.draw(st.integers(1, len(rows)))
    learner = NeighborsClassifier(k=k, metric="hamming").fit(table, np.arange(len(rows)) % 2)
    assert_same(learner.kneighbors(table), [plain_neighbors("hamming", rows, row, k) for row in rows])


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize(
    ("metric", "theirs"),
    [("l2", "euclidean"), ("l1", "manhattan"), ("linf", "chebyshev"), ("cosine", "cosine")],
)
def test_the_neighbors_are_scikit_learns(metric, theirs, dtype):
    """On rows without ties, in single and double precision, on two threads."""
    rng = np.random.default_rng(0)
    X, queries = rng.normal(size=(700, 9)).astype(dtype), rng.normal(size=(60, 9)).astype(dtype)
    learner = NeighborsClassifier(k=20, metric=metric, n_jobs=2).fit(X, np.arange(700) % 2)
    assert learner.numbers_.dtype == dtype
    distances, positions = learner.kneighbors(queries)
    judge = NearestNeighbors(n_neighbors=20, metric=theirs, algorithm="brute").fit(X.astype(np.float64))
    wanted, where = judge.kneighbors(queries.astype(np.float64))
    assert np.array_equal(positions, where)
    np.testing.assert_allclose(distances, wanted, rtol=1e-9)


def test_mahalanobis_is_scipys():
    """The covariance is that of the training rows with n - 1, also where the columns lie far from zero."""
    rng = np.random.default_rng(2)
    X = rng.normal(size=(300, 5)) @ rng.normal(size=(5, 5)) + [0, 1e4, 0, 50, -3]
    queries = X[:40] + rng.normal(size=(40, 5)) / 5
    inverse = np.linalg.inv(np.cov(X, rowvar=False))
    wanted = cdist(queries, X, "mahalanobis", VI=inverse)
    distances, positions = (
        NeighborsClassifier(k=7, metric="mahalanobis").fit(X, np.arange(300) % 2).kneighbors(queries)
    )
    assert np.array_equal(positions, wanted.argsort(axis=1)[:, :7])
    np.testing.assert_allclose(distances, np.sort(wanted, axis=1)[:, :7], rtol=1e-7)


def test_mahalanobis_sees_a_row_alike_in_any_company():
    """A copy of a training row is at distance zero, asked for alone or among many."""
    rng = np.random.default_rng(4)
    X = rng.normal(size=(50, 6)) @ rng.normal(size=(6, 6)) + 100
    learner = NeighborsClassifier(k=1, metric="mahalanobis").fit(X, np.arange(50) % 2)
    assert (learner.kneighbors(X)[0] == 0).all()
    assert all(learner.kneighbors(X[row : row + 1])[0] == 0 for row in range(50))


@pytest.mark.parametrize("form", [csr_array, csr_matrix])
@pytest.mark.parametrize("metric", ["l2", "l1", "cosine"])
def test_sparse_rows_are_the_same_rows(metric, form):
    """Sparse or dense, at fit or later: the same neighbors and distances, to the bit."""
    rng = np.random.default_rng(6)
    X = rng.integers(0, 4, (80, 12)) * (rng.random((80, 12)) < 0.3) * 0.1
    y, queries = rng.integers(0, 3, 80), X[:30] + (rng.random((30, 12)) < 0.1)
    weights = [0.5, *[1.0] * 10, 3.0]
    dense = NeighborsClassifier(k=9, metric=metric, weights="inverse", feature_weights=weights).fit(X, y)
    sparse = NeighborsClassifier(k=9, metric=metric, weights="inverse", feature_weights=weights).fit(
        form(X), y
    )
    wanted = dense.predict_proba(queries)
    for learner, asked in [(dense, form(queries)), (sparse, form(queries)), (sparse, queries)]:
        assert np.array_equal(learner.predict_proba(asked), wanted)
    assert_same(
        sparse.kneighbors(), [list(zip(*row, strict=True)) for row in zip(*dense.kneighbors(), strict=True)]
    )


def test_blocks_of_rows_change_nothing(monkeypatch):
    """Every training row as a neighbor, a few rows at a time: the same answers."""
    rng = np.random.default_rng(5)
    X, y = rng.normal(size=(90, 3)), rng.normal(size=90)
    learner = NeighborsRegressor(k="all", weights="gaussian", bandwidth=0.4).fit(X, y)
    whole, found = learner.predict(X), learner.kneighbors(X)
    monkeypatch.setattr(neighbor_blocks, "NEIGHBORS_AT_ONCE", 1000)
    monkeypatch.setattr(neighbor_blocks, "NEIGHBORS_PER_BLOCK", 300)
    monkeypatch.setattr(neighbor_blocks, "ROWS_PER_BLOCK", 2)
    assert np.array_equal(learner.predict(X), whole)
    assert all(
        np.array_equal(ours, theirs) for ours, theirs in zip(learner.kneighbors(X), found, strict=True)
    )


def test_rows_of_another_precision_are_widened_not_rounded():
    """Double queries to single rows keep their digits."""
    X = np.array([[1.0], [2.0]], dtype=np.float32)
    learner = NeighborsClassifier(k=1).fit(X, [0, 1])
    distances, _ = learner.kneighbors(np.array([[1.0 + 1e-12]]))
    assert 0.9e-12 < distances[0, 0] < 1.1e-12


def test_the_users_array_may_change_afterwards():
    """What is kept are copies."""
    X, y = np.array([[0.0], [1.0]]), np.array([0.0, 1.0])
    learner = NeighborsRegressor(k=1).fit(X, y)
    X[:], y[:] = 7.0, 7.0
    assert learner.predict([[0.1]]).tolist() == [0.0]


@pytest.mark.parametrize("scale", [2.0**-1030, 2.0**-700, 2.0**700, 2.0**1000])
@pytest.mark.parametrize("form", [np.asarray, csr_array])
def test_the_angle_does_not_depend_on_lengths(scale, form):
    """Rows whose squares would overflow or vanish have the cosines of rows of a usual size, to the bit."""
    rng = np.random.default_rng(7)
    X, y = rng.integers(-8, 8, (40, 5)) / 8.0, np.arange(40) % 3
    wanted = NeighborsClassifier(k=7, metric="cosine").fit(X, y).kneighbors(X)
    scaled = X.copy()
    scaled[::2] *= scale
    learner = NeighborsClassifier(k=7, metric="cosine").fit(form(scaled), y)
    for asked in (X, scaled):
        found = learner.kneighbors(form(asked))
        assert all(np.array_equal(ours, theirs) for ours, theirs in zip(found, wanted, strict=True))
    assert np.array_equal(learner.numbers_.toarray() if form is csr_array else learner.numbers_, scaled)
