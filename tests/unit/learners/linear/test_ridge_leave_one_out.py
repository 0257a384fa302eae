"""Leave-one-out of ridge equals as many fits as there are rows."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.linear_model import Ridge, RidgeCV
from sklearn.model_selection import LeaveOneOut, cross_val_predict

from heldout import RequestError, RidgeRegressor
from heldout.learners.linear import ridge_spectrum

from .exact_ridge import exact_ridge

ALPHAS = np.array([1e-6, 0.01, 1.0, 50.0])


def rows(n_rows: int, n_columns: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n_rows, n_columns)) + 2, rng.normal(size=n_rows) + 1


def refitted(X, y, alphas, weights=None, **settings) -> np.ndarray:
    """Each row predicted by a fit without it."""
    predictions = np.empty((len(alphas), len(y)))
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="alpha is 0")
        for row in range(len(y)):
            others = np.delete(np.arange(len(y)), row)
            kept = None if weights is None else np.asarray(weights)[others]
            for place, alpha in enumerate(alphas):
                model = RidgeRegressor(alpha=alpha, **settings).fit(X[others], y[others], kept)
                predictions[place, row] = model.predict(X[[row]])[0]
    return predictions


@pytest.mark.parametrize(("fit_intercept", "penalize"), [(True, False), (True, True), (False, False)])
@pytest.mark.parametrize("has_weights", [False, True])
def test_exactly_what_refits_in_fractions_give(fit_intercept, penalize, has_weights):
    """Intercept, means and weights are all found without the row: exact arithmetic agrees."""
    X, y = rows(8, 3)
    weights = np.random.default_rng(2).uniform(0.3, 3, 8) if has_weights else None
    found = RidgeRegressor(fit_intercept=fit_intercept, penalize_intercept=penalize).leave_one_out(
        X, y, ALPHAS, weights
    )
    for row in range(8):
        others = np.delete(np.arange(8), row)
        kept = None if weights is None else weights[others]
        for place, alpha in enumerate(ALPHAS):
            coef = exact_ridge(X[others], y[others], alpha, kept, fit_intercept, penalize)
            row_values = np.append([1.0] * fit_intercept, X[row])
            assert found.predictions[place, row] == pytest.approx(row_values @ coef, rel=1e-9, abs=1e-10)


@pytest.mark.slow
@given(
    st.integers(0, 10**6),
    st.integers(2, 9),
    st.integers(1, 9),
    st.booleans(),
    st.sampled_from([(True, False), (True, True), (False, False)]),
)
def test_equal_to_refits(seed, n_rows, n_columns, has_weights, intercept):
    """Tall, square and wide, down to two rows, with weights of which one may be 0."""
    X, y = rows(n_rows, n_columns, seed)
    weights = None
    if has_weights:
        weights = np.random.default_rng(seed).integers(1, 4, n_rows).astype(float)
        weights[0] = 0.0 if n_rows > 3 else 0.5
    settings = {"fit_intercept": intercept[0], "penalize_intercept": intercept[1]}
    found = RidgeRegressor(**settings).leave_one_out(X, y, ALPHAS[1:], weights)
    expected = refitted(X, y, ALPHAS[1:], weights, **settings)
    np.testing.assert_allclose(found.predictions, expected, rtol=1e-8, atol=1e-8)
    errors = np.average((expected - y) ** 2, axis=1, weights=weights)
    np.testing.assert_allclose(found.errors, errors, rtol=1e-8, atol=1e-10)


@pytest.mark.parametrize("shape", [(12, 4), (6, 11)])
def test_no_penalty_at_all(shape):
    """alpha=0 gives the refits of least norm, also where the columns can reach every target."""
    X, y = rows(*shape)
    found = RidgeRegressor().leave_one_out(X, y, [0.0, 1e-12])
    expected = refitted(X, y, [0.0])
    np.testing.assert_allclose(found.predictions[0], expected[0], rtol=1e-9, atol=1e-10)
    np.testing.assert_allclose(found.predictions[1], expected[0], rtol=1e-8, atol=1e-8)


def test_dependent_columns_without_penalty():
    """Least-norm refits agree where columns depend on each other."""
    X, y = rows(10, 3)
    X = np.column_stack([X, X[:, 0] - X[:, 1]])
    found = RidgeRegressor().leave_one_out(X, y, [0.0, 0.5])
    np.testing.assert_allclose(found.predictions, refitted(X, y, [0.0, 0.5]), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("size", [1.0, 1e5])
def test_a_row_on_which_a_coefficient_depends_alone(size):
    """A column that only one row has leaves nothing to the others; the refit agrees all the same."""
    X, y = rows(10, 3)
    X[:, 0], X[4, 0] = 0.0, size
    alphas = np.array([0.0, 1e-9, 1e-3, 1.0])
    found = RidgeRegressor().leave_one_out(X, y, alphas)
    np.testing.assert_allclose(found.predictions, refitted(X, y, alphas), rtol=1e-9, atol=1e-9)


def test_a_row_of_almost_all_the_weight():
    """Where rounding would decide, the row is fitted again without itself."""
    X, y = rows(8, 2)
    weights = np.ones(8)
    weights[3] = 1e10
    found = RidgeRegressor().leave_one_out(X, y, [0.0, 1.0], weights)
    expected = refitted(X, y, [0.0, 1.0], weights)
    np.testing.assert_allclose(found.predictions[:, 3], expected[:, 3], rtol=1e-10)


def test_equal_to_scikit_learn():
    """Predictions are those of cross_val_predict with LeaveOneOut, the best penalty that of RidgeCV."""
    X, y = rows(40, 5)
    y = y + X[:, 0]
    alphas = np.geomspace(0.01, 100, 9)
    found = RidgeRegressor().leave_one_out(X, y, alphas)
    expected = cross_val_predict(Ridge(alpha=float(alphas[4])), X, y, cv=LeaveOneOut())
    np.testing.assert_allclose(found.predictions[4], expected, rtol=1e-9)
    theirs = RidgeCV(alphas=alphas).fit(X, y)
    assert found.best_alpha == theirs.alpha_
    assert found.errors.min() == pytest.approx(-theirs.best_score_, rel=1e-9)


def test_the_order_of_the_penalties_is_kept():
    """Each penalty has its own answer, whatever stands beside it."""
    X, y = rows(20, 3)
    both = RidgeRegressor().leave_one_out(X, y, [5.0, 0.1])
    assert both.alphas.tolist() == [5.0, 0.1]
    alone = RidgeRegressor().leave_one_out(X, y, [0.1])
    np.testing.assert_allclose(both.errors[1:], alone.errors, rtol=1e-13)


@pytest.mark.parametrize("shape", [(25, 4), (5, 12)])
@pytest.mark.parametrize("has_weights", [False, True])
def test_sparse_is_dense(monkeypatch, shape, has_weights):
    """Products of a sparse matrix lead to the same predictions, zero weights included."""
    X, y = rows(*shape)
    X *= np.random.default_rng(1).random(shape) < 0.6
    weights = np.arange(len(y)) % 3 if has_weights else None
    dense = RidgeRegressor().leave_one_out(X, y, ALPHAS[1:], weights)
    monkeypatch.setattr(ridge_spectrum, "DENSE_CELLS", 0)
    thin = RidgeRegressor().leave_one_out(sparse.csr_array(X), y, ALPHAS[1:], weights)
    np.testing.assert_allclose(thin.predictions, dense.predictions, rtol=1e-8, atol=1e-9)


def test_many_rows_are_done_in_blocks(monkeypatch):
    """Small blocks give what one large block gives."""
    X, y = rows(50, 3)
    whole = RidgeRegressor().leave_one_out(X, y, ALPHAS).predictions
    monkeypatch.setattr("heldout.learners.linear.ridge_leave_one_out.CELLS_PER_BLOCK", 20)
    np.testing.assert_allclose(RidgeRegressor().leave_one_out(X, y, ALPHAS).predictions, whole, rtol=1e-12)


def test_penalties_are_found_where_none_are_named():
    """They run from almost none to one under which almost nothing is left, and units do not matter."""
    X, y = rows(30, 5)
    found = RidgeRegressor().leave_one_out(X, y)
    assert len(found.alphas) == 50
    assert found.df[0] == pytest.approx(0.99 * 5)
    assert found.df[-1] == pytest.approx(0.1)
    scaled = RidgeRegressor().leave_one_out(1000 * X, y)
    np.testing.assert_allclose(scaled.errors, found.errors, rtol=1e-8)


def test_of_equal_errors_the_larger_penalty_is_best():
    """Where the columns say nothing, every penalty is as good, and the strongest is taken."""
    found = RidgeRegressor().leave_one_out(np.ones((5, 2)), np.arange(5.0), [0.1, 10.0, 1.0])
    assert found.best_alpha == 10.0
    np.testing.assert_allclose(found.predictions[0], [(10 - k) / 4 for k in range(5)], rtol=1e-14)


def test_the_learner_is_not_changed():
    """Neither leaving out nor a path fits the learner itself."""
    X, y = rows(9, 2)
    learner = RidgeRegressor(alpha=7.0)
    learner.leave_one_out(X, y)
    learner.coefficient_path(X, y)
    assert vars(learner) == vars(RidgeRegressor(alpha=7.0))


@pytest.mark.parametrize("weights", [None, [3.0, 0.0]])
def test_one_row_cannot_be_left_out(weights):
    """There must be another one to learn from."""
    X, y = rows(1 if weights is None else 2, 2)
    with pytest.raises(RequestError, match="there must be two"):
        RidgeRegressor().leave_one_out(X, y, sample_weight=weights)


@pytest.mark.parametrize("alphas", [[], [-1.0], [np.nan], [np.inf], "many", 3.0, [[1.0]]], ids=str)
def test_penalties_that_mean_nothing_are_refused(alphas):
    """Each must be a finite number of at least 0, and there must be one."""
    with pytest.raises(RequestError, match="alphas must be a list of finite numbers"):
        RidgeRegressor().leave_one_out(*rows(9, 2), alphas)


def test_it_prints_itself():
    """A few penalties are shown, the best of them marked."""
    found = RidgeRegressor().leave_one_out(*rows(30, 3))
    lines = str(found).splitlines()
    assert lines[0] == "leave-one-out error over 30 rows"
    assert lines[1].split() == ["alpha", "df", "error"]
    assert len(lines) <= 2 + 13
    assert [line.endswith("<- least") for line in lines].count(True) == 1
