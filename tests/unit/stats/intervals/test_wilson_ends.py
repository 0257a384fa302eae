"""Wilson's interval."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from heldout.stats.rate_interval import wilson_of_counts


@given(st.integers(1, 400), st.integers(0, 400), st.sampled_from([0.8, 0.95, 0.99]))
def test_it_is_scipy_s_interval(total, right, confidence):
    """SciPy's interval by Wilson's method is the same."""
    right = min(right, total)
    wanted = binomtest(right, total).proportion_ci(confidence, method="wilson")
    assert wilson_of_counts(right, total, confidence) == pytest.approx((wanted.low, wanted.high), abs=1e-12)


def test_ends_are_exact():
    """What was never or always right has an end at exactly 0 or 1."""
    assert wilson_of_counts(0, 7)[0] == 0.0
    assert wilson_of_counts(7, 7)[1] == 1.0
    assert wilson_of_counts(0, 0) == (0.0, 1.0)


def test_weights_need_not_be_whole():
    """Between two whole counts the interval lies between theirs."""
    lows = [wilson_of_counts(right, 10)[0] for right in (6, 6.5, 7)]
    assert lows == sorted(lows)
    assert len(set(lows)) == 3


@given(st.floats(5e-324, 1e300), st.floats(0, 1))
def test_no_weight_is_too_small_or_too_large(total, share):
    """The interval holds the share and lies in 0 … 1, whatever the weight."""
    right = share * total
    low, high = wilson_of_counts(right, total)
    assert 0 <= low <= right / total * (1 + 1e-12)
    assert right / total * (1 - 1e-12) <= high <= 1


def test_next_to_no_weight_says_nothing():
    """As the weight vanishes, the interval becomes everything."""
    assert wilson_of_counts(5e-321, 1e-320) == pytest.approx((0.0, 1.0), abs=1e-300)
