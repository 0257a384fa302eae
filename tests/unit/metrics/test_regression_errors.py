"""Errors of numbers, beside scikit-learn's and exact fractions."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics as theirs

from heldout.errors import DataError, InputTypeError
from heldout.metrics.regression_errors import mae, mse, r2, rmse, rss
from heldout.table.column import Column, category_column

NUMBERS = st.floats(-1e6, 1e6, allow_subnormal=False)


@st.composite
def judged_numbers(draw: st.DrawFn):
    """True numbers, answers, and weights or none."""
    n_rows = draw(st.integers(2, 20))
    y, predicted = (draw(st.lists(NUMBERS, min_size=n_rows, max_size=n_rows)) for _ in range(2))
    weight = st.one_of(st.just(0.0), st.floats(0.01, 100.0))
    weights = draw(st.none() | st.lists(weight, min_size=n_rows, max_size=n_rows))
    if weights is not None:
        weights[0] = 1.0
    return np.array(y), np.array(predicted), weights


@pytest.mark.slow
@given(judged_numbers())
def test_errors_equal_those_of_scikit_learn(rows):
    """MSE, RMSE and MAE with and without weights are scikit-learn's."""
    y, predicted, weights = rows
    asked = {"sample_weight": weights}
    assert mse(y, predicted, weights) == pytest.approx(theirs.mean_squared_error(y, predicted, **asked))
    assert rmse(y, predicted, weights) == pytest.approx(theirs.root_mean_squared_error(y, predicted, **asked))
    assert mae(y, predicted, weights) == pytest.approx(theirs.mean_absolute_error(y, predicted, **asked))


@pytest.mark.slow
@given(judged_numbers())
def test_r2_is_exact(rows):
    """R² and RSS agree with fractions, and R² is NaN where y does not vary."""
    y, predicted, weights = rows
    weight = [Fraction(1)] * len(y) if weights is None else [Fraction(each) for each in weights]
    true, answers = [Fraction(each) for each in y], [Fraction(each) for each in predicted]
    off = sum(w * (a - b) ** 2 for w, a, b in zip(weight, true, answers, strict=True))
    mean = sum(w * a for w, a in zip(weight, true, strict=True)) / sum(weight)
    spread = sum(w * (a - mean) ** 2 for w, a in zip(weight, true, strict=True))
    assert rss(y, predicted, weights) == pytest.approx(float(off), rel=1e-12)
    if spread == 0:
        assert math.isnan(r2(y, predicted, weights))
    else:
        exact = 1 - off / spread
        wanted = float(exact) if exact > -(2**1023) else -math.inf
        assert r2(y, predicted, weights) == pytest.approx(wanted, rel=1e-9, abs=1e-9)


def test_far_from_zero():
    """Targets around 10⁹ that vary by less than 1 keep their R²."""
    y = 1e9 + np.arange(10) / 8
    assert r2(y, y[::-1]) == pytest.approx(-3.0, rel=1e-12)
    assert r2(y, y) == 1.0


def test_no_square_overflows():
    """Errors of 10²⁰⁰ have an RMSE, an MAE and an R²; their MSE is infinite."""
    y, predicted = [0.0, 1e200], [1e200, 0.0]
    assert rmse(y, predicted) == pytest.approx(1e200)
    assert mae(y, predicted) == pytest.approx(1e200)
    assert r2(y, predicted) == -3.0
    assert mse(y, predicted) == rss(y, predicted) == math.inf


def test_the_largest_numbers():
    """A difference that is too large for a float is infinite, and what can be said is said."""
    largest = np.finfo(float).max
    assert mae([largest, 0.0], [-largest, 0.0]) == largest
    assert rmse([largest], [-largest]) == math.inf
    assert mae([5e-324], [0.0]) == 5e-324
    assert rmse([1e-200], [0.0]) == 1e-200


def test_perfect_and_constant():
    """Errors of perfect answers are 0; R² of a constant target is NaN, however good the answers."""
    assert mse([1, 2], [1, 2]) == rmse([1, 2], [1, 2]) == mae([1, 2], [1, 2]) == rss([1, 2], [1, 2]) == 0.0
    assert math.isnan(r2([2, 2], [2, 2]))
    assert math.isnan(r2([2, 2], [1, 2]))
    assert math.isnan(r2([5], [5]))
    assert math.isnan(r2([1, 2], [1, 1], weights=[1, 0]))


@pytest.mark.parametrize("made", [list, np.array, pd.Series, lambda x: Column("x", "number", np.array(x))])
def test_numbers_in_every_form(made):
    """Lists, arrays, series and columns are taken."""
    assert mse(made([1.0, 2.0]), made([1.0, 4.0])) == 2.0


def test_tiny_and_huge_weights():
    """Only the proportions of weights matter for means."""
    for size in (1e-310, 1.0, 1e300):
        assert mse([0, 0], [1, 3], [size, 3 * size]) == pytest.approx(7.0, rel=1e-6)


@pytest.mark.parametrize("function", [mse, rmse, mae, rss, r2])
@pytest.mark.parametrize(
    ("y", "predicted"),
    [
        ([1.0, math.nan], [1.0, 1.0]),
        ([1.0, 1.0], [1.0, math.inf]),
        ([1.0, None], [1.0, 1.0]),
        ([1.0], [1.0, 2.0]),
        ([], []),
        (["a"], ["b"]),
        (["1"], [1]),
        ([[1.0]], [[1.0]]),
        (category_column("x", ["a"]), [1.0]),
        (np.array(["2020"], dtype="M8[Y]"), [1.0]),
    ],
)
def test_what_is_no_pair_of_numbers(function, y, predicted):
    """NaN, infinity, gaps, words, dates, other lengths and no rows are refused cleanly."""
    with pytest.raises((DataError, InputTypeError)):
        function(y, predicted)


def test_the_row_is_named():
    """The error counts the rows and names the first."""
    with pytest.raises(DataError) as caught:
        mse([0, 0, 0], [0, math.nan, math.inf])
    assert caught.value.where == "2 of 3 rows, first nan in row 2"
