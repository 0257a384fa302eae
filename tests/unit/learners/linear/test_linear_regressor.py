"""Least squares and the errors of its coefficients."""

import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse, stats
from sklearn.linear_model import LinearRegression
from sklearn.utils.estimator_checks import check_dataframe_column_names_consistency

from heldout import DataError, LinearRegressor, RequestError, RidgeRegressor, read_table

from .exact_ridge import exact_ridge

SOLVERS = ["auto", "qr", "svd"]


def rows(n_rows: int, n_columns: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, n_columns)) + 3
    return X, X @ rng.normal(size=n_columns) + rng.normal(size=n_rows)


def quiet_fit(learner, *arguments):
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*not all coefficients are determined")
        return learner.fit(*arguments)


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("fit_intercept", [True, False])
def test_coefficients_are_exact(solver, fit_intercept):
    """They equal the normal equations in fractions, with columns of very different units."""
    X, y = rows(20, 4)
    X *= [1.0, 1e-8, 1e9, 100.0]
    model = LinearRegressor(solver=solver, fit_intercept=fit_intercept).fit(X, y)
    found = np.append([model.intercept_] * fit_intercept, model.coef_)
    np.testing.assert_allclose(found, exact_ridge(X, y, 0, fit_intercept=fit_intercept), rtol=1e-12)


def test_a_column_far_from_0_keeps_its_digits():
    """Years do not lose what their mean has in common."""
    X, y = rows(30, 2)
    X[:, 0] += 1e6
    model = LinearRegressor().fit(X, y)
    np.testing.assert_allclose(np.append(model.intercept_, model.coef_), exact_ridge(X, y, 0), rtol=1e-9)


@pytest.mark.slow
@given(st.integers(0, 10**6), st.sampled_from(SOLVERS), st.booleans(), st.integers(1, 3))
def test_dependent_columns_get_the_answer_of_least_norm(seed, solver, fit_intercept, n_dependent):
    """It equals numpy's least-norm answer on centered columns, and the warning says so."""
    rng = np.random.default_rng(seed)
    base = rng.normal(size=(12, 3))
    X = np.column_stack([base, base @ rng.integers(-3, 4, size=(3, n_dependent))])[
        :, rng.permutation(3 + n_dependent)
    ]
    y = rng.normal(size=12)
    with pytest.warns(UserWarning, match=f"{n_dependent} of {3 + n_dependent} columns depend"):
        model = LinearRegressor(solver=solver, fit_intercept=fit_intercept).fit(X, y)
    shift = (X.mean(axis=0), y.mean()) if fit_intercept else (0.0, 0.0)
    expected = np.linalg.lstsq(X - shift[0], y - shift[1], rcond=1e-10)[0]
    np.testing.assert_allclose(model.coef_, expected, rtol=1e-8, atol=1e-10)
    assert model.rank_ == 3


def test_dependent_columns_are_named_with_what_they_are_made_of():
    """The warning reads like formulas, in the names and units of the table, and points at the user's line."""
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({"celsius": rng.normal(size=20), "a": rng.normal(size=20), "b": rng.normal(size=20)})
    frame["fahrenheit"] = 1.8 * frame["celsius"] + 32
    frame["one"] = 1.0
    frame["sum"] = frame["a"] - 2 * frame["b"]
    with pytest.warns(UserWarning, match="not all coefficients are determined") as caught:
        LinearRegressor().fit(frame, rng.normal(size=20))
    text = str(caught[0].message)
    assert "3 of 6 columns depend on the others" in text
    assert "'fahrenheit' = 1.8 · 'celsius' + 32; 'one' is constant; 'sum' = 'a' - 2 · 'b'" in text
    assert caught[0].filename == __file__


def test_long_combinations_are_counted():
    """A column made of many others is named with their number."""
    X, y = rows(30, 6)
    with pytest.warns(UserWarning, match="'x6' is a combination of 6 columns"):
        LinearRegressor().fit(np.column_stack([X, X.sum(axis=1)]), y)


def test_more_columns_than_rows():
    """The fit passes through every row with the least norm, and nothing is known of its errors."""
    X, y = rows(5, 8)
    with pytest.warns(UserWarning, match="X has 5 rows for 8 columns"):
        model = LinearRegressor().fit(X, y)
    np.testing.assert_allclose(model.predict(X), y, rtol=1e-12)
    expected = np.linalg.lstsq(X - X.mean(axis=0), y - y.mean(), rcond=1e-10)[0]
    np.testing.assert_allclose(model.coef_, expected, rtol=1e-9)
    table = model.coefficients()
    assert np.isnan(table.standard_errors).all()
    assert "no degrees of freedom are left" in str(table)


@pytest.mark.slow
def test_many_more_columns_than_rows():
    """Thousands of columns take memory for rows × columns only."""
    X, y = rows(10, 3000)
    model = quiet_fit(LinearRegressor(), X, y)
    expected = np.linalg.lstsq(X - X.mean(axis=0), y - y.mean(), rcond=1e-10)[0]
    np.testing.assert_allclose(model.coef_, expected, rtol=1e-8, atol=1e-12)


@pytest.mark.parametrize("unit", [1e-250, 1e-9, 1e9, 1e250])
def test_the_unit_of_a_column_does_not_decide_the_rank(unit):
    """Tiny and huge columns are as independent as they are in any other unit."""
    X, y = rows(20, 3)
    plain = LinearRegressor().fit(X, y)
    scaled = LinearRegressor().fit(X * [1.0, unit, 1.0], y)
    assert scaled.rank_ == 3
    np.testing.assert_allclose(scaled.coef_ * [1.0, unit, 1.0], plain.coef_, rtol=1e-12)
    np.testing.assert_allclose(scaled.standard_errors_ * [1.0, unit, 1.0], plain.standard_errors_, rtol=1e-11)


@pytest.mark.parametrize("unit", [1e-300, 1e300])
def test_targets_of_any_size(unit):
    """Squares of very large and very small targets do not leave the range of a float."""
    X, y = rows(20, 3)
    plain, scaled = LinearRegressor().fit(X, y), LinearRegressor().fit(X, y * unit)
    np.testing.assert_allclose(scaled.coef_ / unit, plain.coef_, rtol=1e-12)
    np.testing.assert_allclose(scaled.standard_errors_ / unit, plain.standard_errors_, rtol=1e-11)
    assert scaled.r_squared_ == pytest.approx(plain.r_squared_, rel=1e-12)


def test_errors_of_one_coefficient_are_those_of_scipy():
    """Standard errors, p and R² agree with scipy.stats.linregress."""
    X, y = rows(15, 1)
    table, expected = LinearRegressor().fit(X, y).coefficients(), stats.linregress(X[:, 0], y)
    assert table.names == ("(intercept)", "x0")
    np.testing.assert_allclose(table.estimates, [expected.intercept, expected.slope], rtol=1e-12)
    np.testing.assert_allclose(
        table.standard_errors, [expected.intercept_stderr, expected.stderr], rtol=1e-11
    )
    assert table.p_values[1] == pytest.approx(expected.pvalue, rel=1e-9)
    assert table.r_squared == pytest.approx(expected.rvalue**2, rel=1e-12)


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("fit_intercept", [True, False])
def test_errors_of_many_coefficients_are_those_of_the_inverse(solver, fit_intercept):
    """Standard errors, t, p and intervals follow from the inverse of XᵀX, written out."""
    X, y = rows(25, 4)
    table = LinearRegressor(solver=solver, fit_intercept=fit_intercept).fit(X, y).coefficients(0.9)
    design = np.column_stack([np.ones(25), X]) if fit_intercept else X
    inverse = np.linalg.inv(design.T @ design)
    estimates = inverse @ design.T @ y
    degrees = 25 - design.shape[1]
    variance = ((y - design @ estimates) ** 2).sum() / degrees
    errors = np.sqrt(variance * np.diag(inverse))
    reach = stats.t.ppf(0.95, degrees) * errors
    np.testing.assert_allclose(table.standard_errors, errors, rtol=1e-9)
    np.testing.assert_allclose(table.t_values, estimates / errors, rtol=1e-9)
    np.testing.assert_allclose(table.p_values, 2 * stats.t.sf(np.abs(estimates / errors), degrees), rtol=1e-7)
    np.testing.assert_allclose(table.lower, estimates - reach, rtol=1e-8)
    np.testing.assert_allclose(table.upper, estimates + reach, rtol=1e-8)
    assert (table.residual_variance, table.residual_degrees) == (pytest.approx(variance), degrees)


@pytest.mark.parametrize("fit_intercept", [True, False])
def test_weights_are_repeats_for_the_errors_too(fit_intercept):
    """A weight of 3 gives the coefficients, errors and R² of the row three times; 0 leaves a row out."""
    X, y = rows(15, 3)
    counts = np.array([1, 3, 0, 2, 1] * 3)
    weighted = LinearRegressor(fit_intercept=fit_intercept).fit(X, y, counts)
    repeated = LinearRegressor(fit_intercept=fit_intercept).fit(X.repeat(counts, axis=0), y.repeat(counts))
    for name in ("coef_", "intercept_", "standard_errors_", "intercept_standard_error_", "r_squared_"):
        np.testing.assert_allclose(getattr(weighted, name), getattr(repeated, name), rtol=1e-11)
    assert weighted.residual_degrees_ == repeated.residual_degrees_


def test_determined_coefficients_keep_their_errors():
    """A pair of dependent columns leaves the errors of a third one as they are without one of the pair."""
    X, y = rows(20, 2)
    model = quiet_fit(LinearRegressor(), np.column_stack([X, 2 * X[:, 1]]), y)
    assert np.isnan(model.standard_errors_).tolist() == [False, True, True]
    assert str(model).endswith("-: not determined, as columns depend on each other")
    expected = LinearRegressor().fit(X, y)
    assert model.standard_errors_[0] == pytest.approx(expected.standard_errors_[0], rel=1e-10)


def test_a_constant_column_is_as_good_as_left_out():
    """Its coefficient is 0, and the intercept keeps its error."""
    X, y = rows(20, 2)
    model = quiet_fit(LinearRegressor(), np.column_stack([X, np.full(20, 0.1)]), y)
    expected = LinearRegressor().fit(X, y)
    assert abs(model.coef_[2]) < 1e-15
    np.testing.assert_allclose(model.coef_[:2], expected.coef_, rtol=1e-12)
    assert model.intercept_standard_error_ == pytest.approx(expected.intercept_standard_error_, rel=1e-10)
    assert np.isnan(model.standard_errors_[2])


def test_one_row_is_answered_with_itself():
    """All coefficients are 0 and the intercept is the target."""
    model = quiet_fit(LinearRegressor(), [[1.0, 2.0]], [5.0])
    assert model.coef_.tolist() == [0.0, 0.0]
    assert model.predict([[9.0, 9.0]]).tolist() == [5.0]
    assert model.residual_degrees_ == 0.0


def test_a_perfect_fit_has_no_error():
    """Where y is a line, the errors are rounding and R² is 1."""
    table = LinearRegressor().fit(np.arange(5.0)[:, np.newaxis], 2 * np.arange(5.0) + 1).coefficients()
    assert table.r_squared == pytest.approx(1.0, abs=1e-14)
    assert (table.standard_errors < 1e-14).all()


def test_the_table_prints_in_columns():
    """Names stand on the left, numbers are aligned, and the last line tells the variance."""
    frame = pd.DataFrame({"size": [1.0, 2.0, 3.0, 4.0], "a longer name": [2.0, 1.0, 4.0, 3.5]})
    lines = str(LinearRegressor().fit(frame, [1.0, 2.0, 2.5, 4.5])).splitlines()
    assert [line.split("  ")[0].strip() for line in lines[1:4]] == ["(intercept)", "size", "a longer name"]
    assert len({len(line) for line in lines[:4]}) == 1
    assert "95% interval" in lines[0]
    assert lines[4].startswith("residual variance ")
    assert "on 1 degrees of freedom" in lines[4]


def test_a_confidence_outside_0_and_1_is_refused():
    """A level of 95 is not 95%."""
    with pytest.raises(RequestError, match="confidence must be a number above 0 and below 1"):
        LinearRegressor().fit(*rows(9, 2)).coefficients(95)


def test_a_table_with_booleans_is_taken():
    """Numbers and booleans of a Table enter, and its names come out."""
    table = read_table({"size": ["1", "2", "3", "5"], "new": ["yes", "no", "no", "yes"]})
    model = LinearRegressor().fit(table, [1.0, 2.5, 3.0, 5.5])
    assert model.inputs_.names == ["size", "new"]
    expected = LinearRegression().fit([[1, 1], [2, 0], [3, 0], [5, 1]], [1.0, 2.5, 3.0, 5.5])
    np.testing.assert_allclose(model.coef_, expected.coef_, rtol=1e-12)


@pytest.mark.parametrize("y", [["a", "b"] * 3, [True, False] * 3, np.array(["1", "2"] * 3)])
def test_classes_are_refused_with_advice(y):
    """A regression on words or booleans points to the classifiers."""
    with pytest.raises(DataError, match="y holds classes, and LinearRegressor predicts numbers") as caught:
        LinearRegressor().fit(np.arange(6.0)[:, np.newaxis], y)
    assert "classifier" in caught.value.fix


def test_what_is_not_a_number_is_refused():
    """Missing values and categories are named; sparse matrices are refused in scikit-learn's words."""
    with pytest.raises(DataError, match="Input X contains NaN"):
        LinearRegressor().fit([[1.0], [np.nan]], [1.0, 2.0])
    with pytest.raises(DataError, match="columns of words"):
        LinearRegressor().fit(pd.DataFrame({"a": ["x", "y"]}), [1.0, 2.0])
    with pytest.raises(TypeError, match="dense data is required"):
        LinearRegressor().fit(sparse.eye_array(3).tocsr(), [1.0, 2.0, 3.0])


def test_small_weights_are_warned_of():
    """Weights that sum to 1 are not numbers of rows."""
    X, y = rows(30, 2)
    with pytest.warns(UserWarning, match="standard errors are too large"):
        LinearRegressor().fit(X, y, np.full(30, 1 / 30))


@pytest.mark.parametrize("learner", [LinearRegressor(), RidgeRegressor()])
def test_weights_that_overflow_are_refused(learner):
    """Weights whose sum is no float are refused; large ones that can be added up are not."""
    X, y = rows(8, 2)
    with pytest.raises(DataError, match="too large to be added up"):
        learner.fit(X, y, sample_weight=np.full(8, 1e308))
    heavy = learner.fit(X, y, sample_weight=np.full(8, 2.0**300)).coef_
    assert np.allclose(heavy, LinearRegression().fit(X, y).coef_, rtol=1e-9)


def test_without_an_intercept_r_squared_compares_with_0():
    """The squares of the targets are then those about 0, and not about their mean."""
    X, y = rows(12, 2)
    model = LinearRegressor(fit_intercept=False).fit(X, y)
    assert model.r_squared_ == pytest.approx(1 - ((y - model.predict(X)) ** 2).sum() / (y**2).sum())


def test_frames_without_a_column_are_refused_in_scikit_learn_words():
    """The check that scikit-learn keeps for its own estimators passes as well."""
    check_dataframe_column_names_consistency("LinearRegressor", LinearRegressor())


def test_description_bits_count_every_coefficient():
    """Half of log2 of the rows for each coefficient and the intercept; rows of weight 0 are no rows."""
    X, y = rows(64, 3)
    assert LinearRegressor().fit(X, y).description_bits() == 4 * 3.0
    assert LinearRegressor(fit_intercept=False).fit(X, y).description_bits() == 3 * 3.0
    assert LinearRegressor().fit(X, y, [1] * 16 + [0] * 48).description_bits() == 4 * 2.0


def test_the_sweep_equals_separate_fits():
    """Solvers and intercepts, bit for bit."""
    X, y = rows(20, 3)
    sweep = LinearRegressor().sweep(X, y, {"solver": ["qr", "svd"], "fit_intercept": [True, False]})
    for place, setting in enumerate(sweep.settings):
        alone = LinearRegressor(**setting).fit(X, y)
        assert np.array_equal(sweep.model(place).coef_, alone.coef_)
        assert np.array_equal(sweep.predict(X)[place], alone.predict(X))
