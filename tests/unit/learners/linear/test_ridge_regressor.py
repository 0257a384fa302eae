"""Ridge for one penalty and for many."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.linear_model import Ridge
from sklearn.utils.estimator_checks import check_dataframe_column_names_consistency

from heldout import DataError, LinearRegressor, RequestError, RidgeRegressor
from heldout.learners.linear import ridge_spectrum

from .exact_ridge import exact_ridge

ALPHAS = [0.0, 1e-6, 0.01, 1.0, 30.0, 1e5]


def rows(n_rows: int, n_columns: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, n_columns)) + 2
    return X, X @ rng.normal(size=n_columns) + rng.normal(size=n_rows)


def all_of(model) -> np.ndarray:
    return np.append([model.intercept_] * model.fit_intercept, model.coef_)


INTERCEPTS = [(True, False), (True, True), (False, False)]


@pytest.mark.parametrize(("fit_intercept", "penalize"), INTERCEPTS)
@pytest.mark.parametrize("units", [[1.0, 1.0, 1.0, 1.0], [1.0, 1e-3, 1e3, 10.0]], ids=["alike", "unlike"])
def test_coefficients_are_exact(fit_intercept, penalize, units):
    """They equal the normal equations in fractions, whichever decomposition the units call for."""
    X, y = rows(15, 4)
    X = X * units
    weights = np.random.default_rng(1).uniform(0.3, 3, 15)
    for alpha in ALPHAS:
        for w in (None, weights):
            model = RidgeRegressor(alpha=alpha, fit_intercept=fit_intercept, penalize_intercept=penalize)
            found = all_of(model.fit(X, y, w))
            expected = exact_ridge(X, y, alpha, w, fit_intercept, penalize)
            np.testing.assert_allclose(found, expected, rtol=1e-9)


@given(
    st.integers(0, 10**6),
    st.integers(1, 12),
    st.integers(1, 12),
    st.floats(1e-4, 1e4),
    st.booleans(),
    st.booleans(),
)
def test_equal_to_scikit_learn(seed, n_rows, n_columns, alpha, fit_intercept, has_weights):
    """Tall, square and wide, with one row and with weights: scikit-learn's Ridge by SVD agrees."""
    X, y = rows(n_rows, n_columns, seed)
    weights = np.random.default_rng(seed).integers(1, 4, n_rows) if has_weights else None
    ours = RidgeRegressor(alpha=alpha, fit_intercept=fit_intercept).fit(X, y, weights)
    theirs = Ridge(alpha=alpha, fit_intercept=fit_intercept, solver="svd").fit(X, y, weights)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X), rtol=1e-8, atol=1e-9)


def test_without_penalty_it_is_least_squares():
    """alpha=0 gives the coefficients of LinearRegressor, and as many degrees of freedom as columns."""
    X, y = rows(20, 3)
    ridge, linear = RidgeRegressor(alpha=0).fit(X, y), LinearRegressor().fit(X, y)
    np.testing.assert_allclose(ridge.coef_, linear.coef_, rtol=1e-10)
    assert ridge.df_ == 3.0


def test_without_penalty_dependent_columns_get_the_least_norm():
    """The answer is numpy's of least norm, and a warning says that it is one of many."""
    X, y = rows(10, 3)
    X = np.column_stack([X, X[:, 0] + X[:, 1], np.full(10, 7.0)])
    with pytest.warns(UserWarning, match="only 3 of 5 columns are independent"):
        model = RidgeRegressor(alpha=0).fit(X, y)
    expected = np.linalg.lstsq(X - X.mean(axis=0), y - y.mean(), rcond=1e-10)[0]
    np.testing.assert_allclose(model.coef_, expected, rtol=1e-9, atol=1e-12)


def test_a_constant_column_gets_nothing():
    """Its coefficient is 0 at any penalty."""
    X, y = rows(10, 2)
    model = RidgeRegressor(alpha=0.5).fit(np.column_stack([X, np.full(10, 0.1)]), y)
    assert model.coef_[2] == 0.0
    np.testing.assert_allclose(model.coef_[:2], RidgeRegressor(alpha=0.5).fit(X, y).coef_, rtol=1e-12)


def test_one_row_is_answered_with_itself():
    """With an intercept nothing is left for the coefficients."""
    model = RidgeRegressor().fit([[1.0, 2.0]], [5.0])
    assert (model.coef_.tolist(), model.intercept_, model.df_) == ([0.0, 0.0], 5.0, 0.0)
    free = RidgeRegressor(fit_intercept=False).fit([[1.0, 2.0]], [6.0])
    np.testing.assert_allclose(free.coef_, [1.0, 2.0], rtol=1e-14)


@given(st.integers(0, 10**6), st.floats(0.01, 0.999))
def test_degrees_of_freedom_in_place_of_a_penalty(seed, share):
    """The penalty that is found gives the degrees of freedom that were asked for, which equal the trace."""
    X, y = rows(9, 4, seed)
    model = RidgeRegressor(df=share * 4).fit(X, y)
    centered = X - X.mean(axis=0)
    hat = centered @ np.linalg.solve(centered.T @ centered + model.alpha_ * np.eye(4), centered.T)
    assert np.trace(hat) == pytest.approx(share * 4, rel=1e-9)
    assert model.df_ == pytest.approx(share * 4, rel=1e-11)
    assert np.array_equal(model.coef_, RidgeRegressor(alpha=model.alpha_).fit(X, y).coef_)


def test_all_degrees_of_freedom_are_no_penalty():
    """df equal to the number of columns is alpha=0, and orthogonal columns have a plain formula."""
    X, y = rows(9, 4)
    assert RidgeRegressor(df=4).fit(X, y).alpha_ == 0.0
    assert RidgeRegressor(df=1, fit_intercept=False).fit(
        2 * np.eye(3), [1.0, 2.0, 3.0]
    ).alpha_ == pytest.approx(8)


def test_a_penalized_intercept_counts_as_a_degree_of_freedom():
    """df is the trace over the columns and the intercept if both pay."""
    X, y = rows(9, 2)
    model = RidgeRegressor(alpha=3.0, penalize_intercept=True).fit(X, y)
    design = np.column_stack([X, np.ones(9)])
    hat = design @ np.linalg.solve(design.T @ design + 3.0 * np.eye(3), design.T)
    assert model.df_ == pytest.approx(np.trace(hat), rel=1e-12)


@pytest.mark.parametrize("df", [4.5, 100])
def test_too_many_degrees_of_freedom_are_refused(df):
    """The error says how many independent columns there are."""
    X, y = rows(9, 4)
    with pytest.raises(RequestError, match="df must be above 0 and at most 4") as caught:
        RidgeRegressor(df=df).fit(X, y)
    assert "4 independent columns in 9 samples" in caught.value.where


@pytest.mark.parametrize(
    "parameter", [{"df": 0}, {"df": -1}, {"alpha": -1.0}, {"alpha": np.nan}, {"alpha": np.inf}]
)
def test_penalties_that_mean_nothing_are_refused(parameter):
    """Neither may be negative, infinite or no number."""
    with pytest.raises(RequestError, match="must be"):
        RidgeRegressor(**parameter).fit(*rows(9, 4))


def test_weights_are_repeats():
    """A weight of 3 is the row three times, and rows of weight 0 are not there."""
    X, y = rows(10, 3)
    counts = np.array([1, 3, 0, 2, 1] * 2)
    for alpha in ALPHAS:
        weighted = RidgeRegressor(alpha=alpha).fit(X, y, counts)
        repeated = RidgeRegressor(alpha=alpha).fit(X.repeat(counts, axis=0), y.repeat(counts))
        np.testing.assert_allclose(all_of(weighted), all_of(repeated), rtol=1e-10)
        assert weighted.df_ == pytest.approx(repeated.df_, rel=1e-12)


@pytest.mark.parametrize("shape", [(30, 4), (4, 9)])
@pytest.mark.parametrize("has_weights", [False, True])
def test_the_sweep_equals_separate_fits(shape, has_weights):
    """Every penalty, degree of freedom and intercept: the same bits, whatever else is in the sweep."""
    X, y = rows(*shape)
    weights = np.random.default_rng(0).uniform(0.5, 2, shape[0]) if has_weights else None
    space = [{"alpha": alpha, "fit_intercept": i} for alpha in ALPHAS[1:] for i in (True, False)]
    space += [{"df": df} for df in (0.5, 2, 2.5)] + [{"alpha": 2, "penalize_intercept": True}]
    sweep = RidgeRegressor().sweep(X, y, space, weights)
    answers = sweep.predict(X)
    assert len(sweep) == len(space)
    for place, setting in enumerate(space):
        alone, swept = RidgeRegressor(**setting).fit(X, y, weights), sweep.model(place)
        assert np.array_equal(swept.coef_, alone.coef_)
        assert (swept.intercept_, swept.alpha_, swept.df_) == (alone.intercept_, alone.alpha_, alone.df_)
        assert np.array_equal(answers[place], alone.predict(X))
        assert swept.get_params() == alone.get_params()


def test_a_sweep_decomposes_once(monkeypatch):
    """Fifty penalties take one decomposition."""
    calls = []
    whole = ridge_spectrum._decomposed
    monkeypatch.setattr(ridge_spectrum, "_decomposed", lambda *given: calls.append(1) or whole(*given))
    RidgeRegressor().sweep(*rows(20, 3), {"alpha": np.geomspace(0.1, 10, 50)})
    assert len(calls) == 1


def test_an_alpha_without_effect_is_refused_in_a_sweep():
    """Where df is given, alpha is not looked at: a sweep over it would say the same many times."""
    X, y = rows(9, 4)
    with pytest.raises(RequestError, match="an alpha that df would replace"):
        RidgeRegressor(df=2).sweep(X, y, {"alpha": [1, 2]})
    assert len(RidgeRegressor(df=2).sweep(X, y, {"alpha": [1, 2], "df": [None]})) == 2


def test_a_sweep_has_no_probabilities():
    """It is a regression."""
    with pytest.raises(RequestError, match="RidgeRegressor has no probabilities"):
        RidgeRegressor().sweep(*rows(9, 4), {"alpha": [1]}).predict_proba(None)


@pytest.mark.parametrize(("fit_intercept", "penalize"), INTERCEPTS)
@pytest.mark.parametrize("shape", [(40, 6), (6, 40)])
@pytest.mark.parametrize("is_small", [True, False])
def test_sparse_is_dense(monkeypatch, shape, fit_intercept, penalize, is_small):
    """A sparse matrix gives the answers of the dense one, made dense or kept as products, with weights."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=shape) * (rng.random(shape) < 0.4)
    y, weights = rng.normal(size=shape[0]), rng.integers(0, 3, shape[0])
    settings = {"alpha": 0.3, "fit_intercept": fit_intercept, "penalize_intercept": penalize}
    dense = RidgeRegressor(**settings).fit(X, y, weights)
    if not is_small:
        monkeypatch.setattr(ridge_spectrum, "DENSE_CELLS", 0)
    thin = RidgeRegressor(**settings).fit(sparse.csr_matrix(X), y, weights)
    np.testing.assert_allclose(all_of(thin), all_of(dense), rtol=1e-10, atol=1e-13)
    np.testing.assert_allclose(thin.predict(sparse.csc_array(X)), dense.predict(X), rtol=1e-10, atol=1e-12)
    assert thin.df_ == pytest.approx(dense.df_, rel=1e-11)


def test_a_large_sparse_matrix_stays_sparse(monkeypatch):
    """Three hundred documents of 60,000 terms are fitted through the products of the documents."""
    X = sparse.random_array((300, 60_000), density=0.001, rng=np.random.default_rng(0), format="csr")
    y = np.arange(300) * 0.01
    made_dense, whole = [], type(X).toarray
    monkeypatch.setattr(type(X), "toarray", lambda self: made_dense.append(self.shape) or whole(self))
    model = RidgeRegressor(alpha=1.0).fit(X, y)
    assert made_dense == [(300, 300)]
    residuals = y - model.predict(X)
    assert abs(residuals.mean()) < 1e-12
    assert np.abs(X.T @ residuals - model.coef_).max() < 1e-10


def test_a_sparse_matrix_with_two_long_sides_is_refused():
    """The memory that would be needed is said before it is taken."""
    X = sparse.eye_array(7000, format="csr")
    with pytest.raises(DataError, match="X is too large for ridge"):
        RidgeRegressor().fit(X, np.arange(7000.0))


def test_a_tiny_penalty_on_a_sparse_matrix_is_warned_of(monkeypatch):
    """Products lose digits that only a penalty can make unimportant."""
    monkeypatch.setattr(ridge_spectrum, "DENSE_CELLS", 0)
    X = np.eye(9)[:, :4] * [1.0, 1.0, 1.0, 1e-5]
    with pytest.warns(UserWarning, match="fewer than half of the digits"):
        RidgeRegressor(alpha=1e-12).fit(sparse.csr_array(X), np.arange(9.0))


@pytest.mark.parametrize("unit", [1e-300, 1e300])
def test_targets_of_any_size(unit):
    """The coefficients grow with the targets, without overflow."""
    X, y = rows(20, 3)
    plain, scaled = RidgeRegressor().fit(X, y), RidgeRegressor().fit(X, y * unit)
    np.testing.assert_allclose(scaled.coef_ / unit, plain.coef_, rtol=1e-12)


@pytest.mark.parametrize("unit", [1e-200, 1e200])
def test_numbers_that_cannot_be_squared_are_refused(unit):
    """The error says how to bring them into range."""
    X, y = rows(9, 2)
    with pytest.raises(DataError, match="too large or too small to be squared"):
        RidgeRegressor().fit(X * unit, y)


@pytest.mark.parametrize("y", [["a", "b", "c"] * 3, [True, False, True] * 3])
def test_classes_are_refused_with_advice(y):
    """A ridge classifier is not on offer; the error names classifiers."""
    with pytest.raises(DataError, match="y holds classes, and RidgeRegressor predicts numbers"):
        RidgeRegressor().fit(rows(9, 2)[0], y)


def test_frames_without_a_column_are_refused_in_scikit_learn_words():
    """The check that scikit-learn keeps for its own estimators passes as well."""
    check_dataframe_column_names_consistency("RidgeRegressor", RidgeRegressor())


def test_it_prints_its_coefficients():
    """Names, numbers, and the penalty with its degrees of freedom."""
    frame = pd.DataFrame({"size": [-1.0, 0.0, 1.0]})
    text = str(RidgeRegressor(alpha=2.0).fit(frame, [1.0, 2.0, 6.0]))
    assert text.splitlines() == [
        "(intercept)     3",
        "size         1.25",
        "alpha 2, 0.5 effective degrees of freedom",
    ]
    assert str(RidgeRegressor()) == "RidgeRegressor()"


def test_description_bits_count_every_coefficient():
    """Half of log2 of the rows for each coefficient and the intercept."""
    X, y = rows(64, 3)
    assert RidgeRegressor().fit(X, y).description_bits() == 4 * 3.0
    assert RidgeRegressor(fit_intercept=False).fit(X, y).description_bits() == 3 * 3.0


def test_text_shows_the_largest_of_many_coefficients():
    """Of many columns those with the largest coefficients, in their order; a salary has no power of ten."""
    draws = np.random.default_rng(4)
    X = draws.normal(size=(80, 60))
    fitted = RidgeRegressor().fit(X, X @ np.arange(60.0) * 1000)
    lines = fitted.to_text(max_columns=3).splitlines()
    largest = np.sort(np.abs(fitted.coef_).argsort()[-3:])
    assert [line.split()[0] for line in lines] == ["(intercept)", *(f"x{k}" for k in largest), "and", "alpha"]
    assert lines[4] == "and 57 more columns of smaller coefficients"
    assert lines[3].split()[1] == f"{fitted.coef_[largest[-1]]:,.0f}"
    assert "more column" not in fitted.to_text(max_columns=60)
