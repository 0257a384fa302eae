"""The t tests of scores, against SciPy, and where they have no answer."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import ttest_ind, ttest_rel

from heldout.errors import DataError, InputTypeError, RequestError
from heldout.stats.paired_tests import paired_t, two_sample_t
from heldout.stats.t_test import spread

SCORES = st.floats(-1e3, 1e3).map(lambda number: round(number, 3))


def lists(least: int = 2, most: int = 20) -> st.SearchStrategy[np.ndarray]:
    return st.integers(least, most).flatmap(lambda n: arrays(np.float64, n, elements=SCORES))


@given(st.integers(2, 20).flatmap(lambda n: arrays(np.float64, (2, n), elements=SCORES)))
def test_paired_t_is_scipys(scores: np.ndarray) -> None:
    """Statistic, p and interval equal those of ttest_rel wherever the differences have a spread."""
    assume(np.ptp(scores[0] - scores[1]) > 1e-6)
    found, expected = paired_t(scores[0], scores[1], confidence=0.9), ttest_rel(scores[0], scores[1])
    assert found.statistic == pytest.approx(expected.statistic, rel=1e-6, abs=1e-9)
    assert found.p_value == pytest.approx(expected.pvalue, rel=1e-6)
    ends = expected.confidence_interval(0.9)
    assert found.difference is not None
    assert (found.difference.low, found.difference.high) == pytest.approx(
        (ends.low, ends.high), rel=1e-6, abs=1e-6
    )


@pytest.mark.slow
@given(lists(), lists())
def test_two_sample_t_is_scipys(a: np.ndarray, b: np.ndarray) -> None:
    """Welch's test equals ttest_ind without equal variances."""
    assume(np.ptp(a) > 1e-3)
    assume(np.ptp(b) > 1e-3)
    found, expected = two_sample_t(a, b), ttest_ind(a, b, equal_var=False)
    assert found.p_value == pytest.approx(expected.pvalue, rel=1e-6)
    assert found.details["degrees_of_freedom"] == pytest.approx(expected.df, rel=1e-6)
    ends = expected.confidence_interval(0.95)
    assert found.difference is not None
    assert (found.difference.low, found.difference.high) == pytest.approx(
        (ends.low, ends.high), rel=1e-6, abs=1e-6
    )


def test_one_sample_without_a_spread() -> None:
    """A constant sample against one that varies is the t test with the other's degrees of freedom."""
    found = two_sample_t([0.5, 0.5, 0.5], [0.4, 0.6, 0.7, 0.8])
    assert found.details["degrees_of_freedom"] == pytest.approx(3)
    assert 0 < found.p_value < 1


def test_all_differences_are_zero() -> None:
    """Two that agree everywhere, but for rounding, have p = 1 and no interval."""
    found = paired_t([0.1 + 0.2, 0.7, 0.8], [0.3, 0.7, 0.8])
    assert found.p_value == 1.0
    assert found.difference is not None
    assert found.difference.estimate == 0
    assert math.isnan(found.difference.low)
    assert "All 3 differences are 0" in str(found)
    assert two_sample_t([0.5, 0.5], [0.5, 0.5]).p_value == 1.0


def test_all_differences_are_the_same() -> None:
    """A difference that never varies has no t test, even if it varies in the last digit."""
    found = paired_t([0.3, 0.9, 0.5], [0.2, 0.8, 0.4])
    assert math.isnan(found.p_value)
    assert "All 3 differences are 0.100: without a spread there is no t test" in str(found)
    assert "p is not known" in str(found)
    assert "Without p nothing is said" in str(found)
    other = two_sample_t([0.5, 0.5], [0.6, 0.6])
    assert math.isnan(other.p_value)
    assert "Neither sample has a spread" in str(other)


@pytest.mark.parametrize("n", [0, 1])
def test_too_few(n: int) -> None:
    """Fewer than two pairs have no p and no interval, and a note says so."""
    for found in (paired_t([0.5] * n, [0.4] * n), two_sample_t([0.5] * n, [0.4, 0.3])):
        assert math.isnan(found.p_value)
        assert found.difference is not None
        assert math.isnan(found.difference.high)
        assert "needs two" in str(found)
        assert found.to_svg().startswith("<svg")


def test_two_pairs() -> None:
    """Two pairs are the least, with one degree of freedom."""
    found = paired_t([1.0, 2.0], [0.0, 0.5])
    assert found.details == {"degrees_of_freedom": 1.0}
    assert found.p_value == pytest.approx(ttest_rel([1.0, 2.0], [0.0, 0.5]).pvalue)


def test_numbers_of_any_size() -> None:
    """Scores whose squares overflow, or vanish, have the same p as those around 1."""
    a, b = np.array([1.0, 2.0, 4.0]), np.array([0.5, 0.7, 0.2])
    expected = paired_t(a, b).p_value
    for size in (1e300, 1e-300):
        assert paired_t(size * a, size * b).p_value == pytest.approx(expected, rel=1e-9)
        assert two_sample_t(size * a, size * b).p_value == pytest.approx(two_sample_t(a, b).p_value, rel=1e-9)
    assert spread(np.zeros(3)) == 0
    with pytest.raises(DataError, match="larger than a number can be"):
        paired_t([1.7e308, 0], [-1.7e308, 0])


def test_folds_get_a_warning_in_words() -> None:
    """A t test over folds says that it is too eager, and what is not."""
    assert "corrected_resampled_t accounts for it" in str(paired_t([1, 2, 4], [1, 1, 1], unit="fold"))
    assert "corrected_resampled_t" not in str(paired_t([1, 2, 4], [1, 1, 1]))


def test_what_is_refused() -> None:
    """NaN, infinities, other shapes and confidences in percent are refused."""
    with pytest.raises(DataError, match="infinite"):
        paired_t([1, math.inf], [1, 2])
    with pytest.raises(DataError, match="NaN"):
        two_sample_t([1, 2], [math.nan, 2])
    with pytest.raises(DataError, match="do not come in pairs"):
        paired_t([1, 2, 3], [1, 2])
    with pytest.raises(DataError):
        paired_t([[1, 2]], [[1, 2]])
    with pytest.raises(InputTypeError):
        paired_t(["a", "b"], [1, 2])
    with pytest.raises(RequestError, match=r"0\.95"):
        paired_t([1, 2], [3, 5], confidence=95)


def test_scores_near_the_largest_number() -> None:
    """Means and spreads of scores near the largest number are found without a warning, p as of small ones."""
    a, b = np.array([1.0, 1.5, 1.25]), np.array([0.5, 0.25, 0.0])
    huge = 2.0**1023
    for test in (paired_t, two_sample_t):
        plain, large = test(a, b), test(a * huge, b * huge)
        assert large.p_value == pytest.approx(plain.p_value, rel=1e-12)
        assert large.statistic == pytest.approx(plain.statistic, rel=1e-12)
        assert large.difference is not None
        assert large.difference.estimate == pytest.approx((a.mean() - b.mean()) * huge)
        assert "p = " in str(large)
    with pytest.raises(DataError, match="larger than a number can be"):
        two_sample_t([1e308, 1.2e308], [-1e308, -1.5e308])
