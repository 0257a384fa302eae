"""Leave-one-out: for every K what as many separate fits give, to the bit."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array
from sklearn.base import clone

from heldout import DataError, NeighborsClassifier, NeighborsRegressor, RequestError
from heldout.learners.neighbors import neighbor_lists as neighbor_blocks

from .neighbor_tables import NUMBER_METRICS, WEIGHTINGS, answers_for, mixed_tables, number_rows

LEARNERS = {False: NeighborsClassifier, True: NeighborsRegressor}


def separate_fits(learner, X, y):
    """K × row: each row answered by a model that was fitted on the others."""
    n_rows = len(y)
    answers = []
    for row in range(n_rows):
        others = np.delete(np.arange(n_rows), row)
        asked = X[row : row + 1] if isinstance(X, np.ndarray) else X[[row]]
        rest = X[others] if isinstance(X, np.ndarray) else X[others.tolist()]
        models = [clone(learner).set_params(k=k).fit(rest, y[others]) for k in range(1, n_rows)]
        answers.append([model.predict(asked)[0] for model in models])
    return np.array(answers).T


def assert_is_leave_one_out(learner, X, y):
    """Predictions to the bit, and the errors made of them."""
    wanted = separate_fits(learner, X, y)
    found = learner.leave_one_out(X, y, keeps_predictions=True)
    assert np.array_equal(found.predictions, wanted)
    if isinstance(learner, NeighborsClassifier):
        assert np.array_equal(found.errors, (wanted != y).sum(axis=1) / len(y))
    else:
        np.testing.assert_allclose(found.errors, ((wanted - y) ** 2).mean(axis=1), rtol=1e-12, atol=1e-25)
    assert found.best_k == int(found.errors.argmin()) + 1


@pytest.mark.slow
@settings(max_examples=45)
@given(st.data(), number_rows(), st.sampled_from(NUMBER_METRICS), WEIGHTINGS, st.booleans())
def test_every_k_equals_separate_fits(data, X, metric, weighting, is_regression):
    """For every metric of numbers and every weighting, with ties and duplicates."""
    y = data.draw(answers_for(len(X), is_regression))
    assert_is_leave_one_out(LEARNERS[is_regression](metric=metric, **weighting), X, y)


@pytest.mark.slow
@settings(max_examples=20)
@given(st.data(), mixed_tables(), WEIGHTINGS, st.booleans())
def test_gower_forgets_the_row_that_is_left_out(data, table_and_rows, weighting, is_regression):
    """Ranges and levels that only one row has are those of the others when it is left out."""
    table, _ = table_and_rows
    y = data.draw(answers_for(table.n_rows, is_regression))
    learner = LEARNERS[is_regression](metric="gower", feature_weights={"size": 2.0}, **weighting)
    assert_is_leave_one_out(learner, table, y)


@pytest.mark.slow
@settings(max_examples=12)
@given(st.data(), mixed_tables(has_gaps=False), WEIGHTINGS)
def test_hamming_of_categories_equals_separate_fits(data, table_and_rows, weighting):
    """A level that only the row left out has differs from all others either way."""
    table, _ = table_and_rows
    y = data.draw(answers_for(table.n_rows, is_regression=False))
    assert_is_leave_one_out(NeighborsClassifier(metric="hamming", **weighting), table, y)


@pytest.mark.slow
@settings(max_examples=25)
@given(st.data(), number_rows(least=6), WEIGHTINGS, st.booleans())
def test_mahalanobis_learns_its_covariance_from_the_others(data, X, weighting, is_regression):
    """The covariance is that of the other rows; where that is singular, it is refused as a fit is."""
    learner, y = (
        LEARNERS[is_regression](metric="mahalanobis", **weighting),
        data.draw(answers_for(len(X), is_regression)),
    )
    if can_be_left_out(X):
        assert_is_leave_one_out(learner, X, y)
        return
    with pytest.raises(DataError, match="the covariance of the columns is singular"):
        learner.leave_one_out(X, y)


def can_be_left_out(X):
    """Whether the covariance is regular with all rows, and without any one of them."""
    parts = [X, *(np.delete(X, row, axis=0) for row in range(len(X)))]
    return all(np.linalg.matrix_rank(part - part.mean(axis=0)) == X.shape[1] for part in parts)


@settings(max_examples=25)
@given(st.data(), number_rows(), st.sampled_from(["l2", "l1", "cosine"]), WEIGHTINGS)
def test_planes_equal_separate_fits(data, X, metric, weighting):
    """Locally weighted linear regression, also where the neighbors lie in line."""
    y = data.draw(answers_for(len(X), is_regression=True))
    assert_is_leave_one_out(NeighborsRegressor(metric=metric, local="linear", **weighting), X, y)


@pytest.mark.parametrize("weights", ["uniform", "inverse", "gaussian"])
@pytest.mark.parametrize("metric", ["l2", "cosine", "gower"])
def test_blocks_change_nothing(monkeypatch, metric, weights):
    """A search in many small blocks, which leaves each row out by itself, gives the same."""
    rng = np.random.default_rng(1)
    X, y = rng.integers(0, 3, (60, 3)).astype(float), rng.integers(0, 3, 60)
    learner = NeighborsClassifier(metric=metric, weights=weights)
    whole = learner.leave_one_out(X, y, 40, keeps_predictions=True)
    monkeypatch.setattr(neighbor_blocks, "NEIGHBORS_AT_ONCE", 500)
    monkeypatch.setattr(neighbor_blocks, "NEIGHBORS_PER_BLOCK", 200)
    monkeypatch.setattr(neighbor_blocks, "ROWS_PER_BLOCK", 2)
    parts = learner.leave_one_out(X, y, 40, keeps_predictions=True)
    assert np.array_equal(whole.predictions, parts.predictions)
    assert np.array_equal(whole.errors, parts.errors)


@pytest.mark.parametrize("metric", ["l2", "l1", "cosine"])
def test_sparse_rows_are_left_out_alike(metric):
    """Sparse rows give what the same rows give dense, single precision what double does."""
    rng = np.random.default_rng(5)
    X, y = rng.integers(0, 3, (50, 6)) * (rng.random((50, 6)) < 0.4) * 0.5, rng.integers(0, 3, 50)
    learner = NeighborsClassifier(metric=metric, weights="inverse")
    wanted = learner.leave_one_out(X, y, keeps_predictions=True).predictions
    for rows in (csr_array(X), X.astype(np.float32)):
        assert np.array_equal(learner.leave_one_out(rows, y, keeps_predictions=True).predictions, wanted)


def test_the_vote_is_compared_with_the_row_itself():
    """Where the classes overlap, K = 1 is not the best, as the algorithm of the lecture would always say."""
    rng = np.random.default_rng(3)
    y = np.repeat([0, 1], 100)
    X = rng.normal(size=(200, 1)) + y[:, np.newaxis]
    found = NeighborsClassifier().leave_one_out(X, y, 60)
    assert found.best_k > 5
    assert found.error(1) > found.best_error
    assert "predictions" not in str(found)


def test_duplicates_are_left_out_one_at_a_time():
    """A row leaves its copies behind, whatever their distance: they are other rows."""
    X, y = np.zeros((4, 1)), np.array(["a", "a", "b", "b"])
    found = NeighborsClassifier().leave_one_out(X, y, keeps_predictions=True)
    # By position: rows 1 and 0 come first for everyone else.
    assert found.predictions[0].tolist() == ["a", "a", "a", "a"]
    assert found.errors.tolist() == [0.5, 0.5, 1.0]


def test_the_result_says_what_it_is_worth():
    """One sentence with the best K, the smallest of equally good ones, and that choosing flatters."""
    found = NeighborsClassifier().leave_one_out(np.array([[0.0], [0.1], [5.0], [5.1]]), [0, 0, 1, 1], 2)
    assert found.best_k == 1
    assert str(found) == (
        "Leave-one-out over 4 rows, K = 1 to 2: the error rate is smallest at K = 1 (0, 0 of 4 rows wrong);"
        " as the best of 2 it is a little too good."
    )
    assert found.ks.tolist() == [1, 2]


def test_a_learner_is_not_changed():
    """It stays unfitted, and its k plays no part."""
    learner = NeighborsClassifier(k=50)
    learner.leave_one_out(np.array([[0.0], [0.1], [5.0]]), [0, 0, 1])
    assert not hasattr(learner, "classes_")


def test_requests_that_cannot_be_met_are_refused():
    """One row, k_max beyond the other rows, a K that was not asked for, and work without end."""
    X, y = np.arange(6.0).reshape(3, 2), [0, 1, 1]
    with pytest.raises(DataError, match="needs another row"):
        NeighborsClassifier().leave_one_out(X[:1], y[:1])
    for k_max in (3, 0, True, 1.5):
        with pytest.raises(RequestError, match="k_max must be an integer of at least 1 and at most 2"):
            NeighborsClassifier().leave_one_out(X, y, k_max)
    found = NeighborsClassifier().leave_one_out(X, y)
    for k in (3, 0, -1, 1.0, "1", None, True):
        with pytest.raises(RequestError, match=f"K = {k!r} is not known"):
            found.error(k)
    assert found.error(np.int64(2)) == found.errors[1]
    rng = np.random.default_rng(0)
    large = NeighborsClassifier(metric="mahalanobis")
    with pytest.raises(RequestError, match="takes too long"):
        large.leave_one_out(rng.normal(size=(50_000, 10)), np.zeros(50_000), 3)
    with pytest.raises(RequestError, match="takes too long"):
        large.leave_one_out(rng.normal(size=(60_000, 1)), np.zeros(60_000), 3)
