"""The jackknife."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from heldout.errors import InputTypeError, RequestError
from heldout.stats.bootstrap import bootstrap
from heldout.stats.jackknife import Jackknife, jackknife

NUMBERS = st.lists(st.integers(-50, 50), min_size=2, max_size=30).filter(lambda given: len(set(given)) > 1)


@given(NUMBERS)
def test_of_a_mean_it_is_the_textbook_s(numbers):
    """Of a mean the bias is 0, the standard error s/√n, and the interval SciPy's of Student's t."""
    found = jackknife(np.mean, numbers)
    assert found.bias == pytest.approx(0, abs=1e-10)
    assert found.standard_error == pytest.approx(stats.sem(numbers), rel=1e-9)
    wanted = stats.ttest_1samp(numbers, 0.0).confidence_interval(0.95)
    assert (found.interval.low, found.interval.high) == pytest.approx((wanted.low, wanted.high), rel=1e-9)


@given(NUMBERS)
def test_it_takes_the_bias_from_a_variance(numbers):
    """The variance with n in the denominator, freed of its bias, is the one with n − 1."""
    found = jackknife(np.var, numbers)
    assert found.corrected == pytest.approx(np.var(numbers, ddof=1), rel=1e-9)


def test_groups_are_left_out_whole():
    """Of equal groups the jackknife of the mean is that of the means of the groups."""
    numbers = np.random.default_rng(0).normal(size=(7, 4))
    groups = np.repeat(list("gfedcba"), 4)
    found = jackknife(np.mean, numbers.ravel(), groups=groups)
    wanted = jackknife(np.mean, numbers.mean(axis=1))
    assert found.standard_error == pytest.approx(wanted.standard_error)
    assert found.interval.high == pytest.approx(wanted.interval.high)
    assert (found.interval.n_rows, found.interval.unit) == (7, "group")


def test_several_arrays_are_left_out_together():
    """The jackknife of a correlation is the one computed row by row."""
    a, b = np.random.default_rng(1).normal(size=(2, 12))

    def correlation(x, y):
        return float(np.corrcoef(x, y)[0, 1])

    without = [correlation(np.delete(a, row), np.delete(b, row)) for row in range(12)]
    found = jackknife(correlation, a, b, what="correlation")
    assert found.bias == pytest.approx(11 * (np.mean(without) - correlation(a, b)))
    assert found.standard_error == pytest.approx(math.sqrt(11 * np.var(without)))


@pytest.mark.parametrize(
    ("statistic", "numbers", "word"),
    [
        (np.mean, [], "at least two rows"),
        (np.mean, [4.0], "at least two rows"),
        (np.mean, [4.0, 4.0, 4.0], "no spread"),
        (lambda n: math.nan, [1.0, 2.0], "no finite value"),
        (lambda n: 1.0 if len(n) > 2 else math.nan, [1.0, 2.0, 3.0], "3 of 3 rows could not be left out"),
    ],
)
def test_degenerate_cases(statistic, numbers, word):
    """Where nothing can be learned by leaving out, there is no interval, and a note says why."""
    found = jackknife(statistic, numbers)
    assert math.isnan(found.standard_error)
    assert math.isnan(found.interval.low)
    assert word in str(found)


def test_two_rows_have_an_answer():
    """Two different rows give an interval with one degree of freedom, as wide as that is."""
    found = jackknife(np.mean, [1.0, 3.0])
    assert found.standard_error == 1.0
    assert found.interval.high == pytest.approx(2 + stats.t.isf(0.025, 1))


def test_the_result_prints_and_draws_itself():
    """The sentence has bias and standard error, the dict all fields, and the picture is an SVG."""
    found = jackknife(np.var, [1.0, 4.0, 2.0, 8.0], what="variance")
    assert isinstance(found, Jackknife)
    assert "Bias -2.396, standard error" in str(found)
    assert set(found.to_dict()) == {"estimate", "bias", "standard_error", "interval"}
    assert found.to_svg().startswith("<svg")


def test_what_makes_no_sense_is_refused():
    """A statistic that is no function and a confidence that is none are refused."""
    with pytest.raises(InputTypeError, match="must be a function"):
        jackknife([1.0, 2.0], np.mean)
    with pytest.raises(RequestError, match="confidence"):
        jackknife(np.mean, [1.0, 2.0], confidence=2)


def test_means_that_differ_by_rounding_have_no_spread():
    """Groups of different sizes that hold one number leave means that differ in the last bit: no interval."""
    rows, groups = [0.1] * 7, [0, 1, 1, 2, 2, 2, 3]
    found = jackknife(np.mean, rows, groups=groups)
    assert math.isnan(found.standard_error)
    assert "no interval" in str(found)
    for method in ("percentile", "bca"):
        drawn = bootstrap(np.mean, rows, groups=groups, method=method, n_resamples=200)
        assert math.isnan(drawn.low)
        assert "Every resample gave the same value" in str(drawn)
