"""Least squares and ridge give the numbers that are known from elsewhere."""

from __future__ import annotations

import numpy as np
import pytest

import heldout as ho

NAMES = ("lcavol", "lweight", "age", "lbph", "svi", "lcp", "gleason", "pgg45")

# The Longley data of NIST's Statistical Reference Datasets: the target, then six columns.
LONGLEY = """
60323 83.0 234289 2356 1590 107608 1947
61122 88.5 259426 2325 1456 108632 1948
60171 88.2 258054 3682 1616 109773 1949
61187 89.5 284599 3351 1650 110929 1950
63221 96.2 328975 2099 3099 112075 1951
63639 98.1 346999 1932 3594 113270 1952
64989 99.0 365385 1870 3547 115094 1953
63761 100.0 363112 3578 3350 116219 1954
66019 101.2 397469 2904 3048 117388 1955
67857 104.6 419180 2822 2857 118734 1956
68169 108.4 442769 2936 2798 120445 1957
66513 110.8 444546 4681 2637 121950 1958
68655 112.6 482704 3813 2552 123366 1959
69564 114.2 502601 3931 2514 125368 1960
69331 115.7 518173 4806 2572 127852 1961
70551 116.9 554894 4007 2827 130081 1962
"""
CERTIFIED = """
-3482258.63459582 890420.383607373
15.0618722713733 84.9149257747669
-0.0358191792925910 0.0334910077722432
-2.02022980381683 0.488399681651699
-1.03322686717359 0.214274163161675
-0.0511041056535807 0.226073200069370
1829.15146461355 455.478499142212
"""


def prostate() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The inputs standardized over all 97 rows with n - 1, the target, and which rows are for training."""
    table = ho.datasets.load("prostate")
    inputs = np.column_stack([table[name].values for name in NAMES])
    inputs = (inputs - inputs.mean(axis=0)) / inputs.std(axis=0, ddof=1)
    return inputs, np.asarray(table["lpsa"].values), np.asarray(table["part"]) == "train"


def test_prostate_least_squares():
    """The whole column of the textbook is met to three decimals, and its error on the 30 test rows."""
    X, y, is_train = prostate()
    model = ho.LinearRegressor().fit(X[is_train], y[is_train])
    printed = [0.680, 0.263, -0.141, 0.210, 0.305, -0.288, -0.021, 0.267]
    assert (int(is_train.sum()), int((~is_train).sum())) == (67, 30)
    assert round(model.intercept_, 3) == 2.465
    assert model.coef_.round(3).tolist() == printed
    assert round(float(((model.predict(X[~is_train]) - y[~is_train]) ** 2).mean()), 3) == 0.521


def test_prostate_ridge_at_five_degrees_of_freedom():
    """The penalty, the coefficients and the error on the test rows are the recomputed ones."""
    X, y, is_train = prostate()
    model = ho.RidgeRegressor(df=5).fit(X[is_train], y[is_train])
    assert round(model.alpha_, 1) == 24.0
    assert model.df_ == pytest.approx(5, abs=1e-12)
    assert (model.coef_.round(3) + 0.0).tolist() == [0.421, 0.239, -0.048, 0.162, 0.227, 0.0, 0.041, 0.132]
    assert round(model.intercept_, 3) == 2.464
    assert round(float(((model.predict(X[~is_train]) - y[~is_train]) ** 2).mean()), 3) == 0.490


def test_least_squares_example_of_the_lecture():
    """Eight points give .8108 x - .7787."""
    x = [0.13, 1.02, 3, -2.5, 1.44, 5, -1.74, 7.5]
    y = [-1, -0.17, 1.61, -2, 0.1, 3.36, -2.46, 5.56]
    model = ho.LinearRegressor().fit(np.array(x)[:, np.newaxis], y)
    assert model.coef_.round(4).tolist() == [0.8108]
    assert round(model.intercept_, 4) == -0.7787


@pytest.mark.parametrize("solver", ["qr", "svd"])
def test_longley(solver: str):
    """NIST's certified coefficients, standard errors, residual deviation and R² are met to ten digits."""
    numbers = np.array([line.split() for line in LONGLEY.strip().splitlines()], dtype=float)
    certified = np.array([line.split() for line in CERTIFIED.strip().splitlines()], dtype=float)
    table = ho.LinearRegressor(solver=solver).fit(numbers[:, 1:], numbers[:, 0]).coefficients()
    np.testing.assert_allclose(table.estimates, certified[:, 0], rtol=1e-10)
    np.testing.assert_allclose(table.standard_errors, certified[:, 1], rtol=1e-10)
    assert table.residual_variance**0.5 == pytest.approx(304.854073561965, rel=1e-10)
    assert table.r_squared == pytest.approx(0.995479004577296, rel=1e-12)
    assert table.residual_degrees == 9
