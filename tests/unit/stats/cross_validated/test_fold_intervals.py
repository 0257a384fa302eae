"""Intervals that others use: plain t, corrected resampled t, pooled Wald."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import sem, t, ttest_1samp

from heldout.errors import DataError, InputTypeError, RequestError
from heldout.stats.fold_intervals import corrected_t_interval, plain_t_interval, pooled_wald_interval

SCORES = arrays(np.float64, st.tuples(st.integers(1, 3), st.integers(2, 10)), elements=st.integers(0, 20))


@given(SCORES, st.sampled_from([0.8, 0.95]))
def test_plain_t_is_scipys(scores, confidence):
    """Over all folds of all repeats it is SciPy's interval of a mean."""
    found = plain_t_interval(scores / 20, confidence)
    if scores.min() == scores.max():
        assert math.isnan(found.low)
        assert "without a spread" in str(found)
        return
    wanted = ttest_1samp(scores.ravel() / 20, 0).confidence_interval(confidence)
    assert (found.low, found.high) == pytest.approx((wanted.low, wanted.high), abs=1e-12)
    assert (found.n_rows, found.unit) == (scores.size, "fold")


@given(SCORES)
def test_the_corrected_one_is_wider_by_the_overlap(scores):
    """The half width is t · s · √(1/m + 1/(K−1)), so it is √(1 + m/(K−1)) times as wide as plain t."""
    if scores.min() == scores.max():
        return
    plain, found = plain_t_interval(scores), corrected_t_interval(scores)
    n_folds = scores.shape[1]
    assert found.width == pytest.approx(plain.width * math.sqrt(1 + scores.size / (n_folds - 1)), rel=1e-12)
    assert found.estimate == plain.estimate


def test_a_case_by_hand():
    """Scores 1, 2, 3 of three folds: mean 2, s 1, t of two degrees 4.3027, √(1/3 + 1/2)."""
    found = corrected_t_interval([1, 2, 3])
    assert found.high - 2 == pytest.approx(4.302652729911275 * math.sqrt(5 / 6), rel=1e-9)


def test_hold_out_says_its_share():
    """With a fifth of the rows tested, test / train is ¼; a list with n_folds is the same as a table."""
    scores = np.random.default_rng(0).random(12)
    found = corrected_t_interval(scores, test_share=0.2)
    half = t.isf(0.025, 11) * scores.std(ddof=1) * math.sqrt(1 / 12 + 0.25)
    assert found.width == pytest.approx(2 * half, rel=1e-12)
    flat, table = corrected_t_interval(scores, n_folds=4), corrected_t_interval(scores.reshape(3, 4))
    assert (flat.low, flat.high) == (table.low, table.high)


@given(arrays(np.float64, st.integers(2, 50), elements=st.integers(0, 9)))
def test_pooled_wald_is_the_mean_and_its_standard_error(losses):
    """Of one repeat it is the mean ± 1.96 of SciPy's standard errors; of copies the same."""
    found = pooled_wald_interval(losses)
    if losses.min() == losses.max():
        assert math.isnan(found.low)
        return
    assert found.high - found.estimate == pytest.approx(1.959963984540054 * sem(losses), rel=1e-9)
    copies = pooled_wald_interval([losses] * 4, n_folds=2)
    assert (copies.low, copies.high) == pytest.approx((found.low, found.high), rel=1e-12)


def test_one_score_has_no_interval():
    """Of one fold, and of one row, the mean is told and no interval."""
    for found in (plain_t_interval([0.7]), corrected_t_interval([0.7]), pooled_wald_interval([0.7])):
        assert found.estimate == pytest.approx(0.7)
        assert math.isnan(found.low)
        assert math.isnan(found.high)
        assert "no interval" in str(found)


def test_each_says_what_it_really_does():
    """The sentences name what was seen in simulation and never claim that 95% hold."""
    scores = np.random.default_rng(1).random((3, 10))
    for found in (
        plain_t_interval(scores),
        plain_t_interval(scores[0]),
        corrected_t_interval(scores),
        corrected_t_interval(scores[0]),
        pooled_wald_interval(scores),
    ):
        assert found.held[0] < 0.9
        assert "about 95%" not in str(found)
        assert "held the true value in simulations" in str(found)
    assert "too short" in str(plain_t_interval(scores))


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: plain_t_interval([]), DataError),
        (lambda: plain_t_interval([0.5, math.nan]), DataError),
        (lambda: plain_t_interval("scores"), InputTypeError),
        (lambda: corrected_t_interval([0.5, 0.6], n_folds=1), RequestError),
        (lambda: corrected_t_interval([0.5, 0.6, 0.7], n_folds=2), RequestError),
        (lambda: corrected_t_interval([0.5, 0.6], test_share=1.0), RequestError),
        (lambda: corrected_t_interval([0.5, 0.6], test_share="a"), RequestError),
        (lambda: corrected_t_interval([0.5, 0.6], n_folds=2, test_share=0.5), RequestError),
        (lambda: pooled_wald_interval([0.5, math.inf]), DataError),
        (lambda: pooled_wald_interval([0.5, 0.6], n_folds=0), RequestError),
        (lambda: pooled_wald_interval([0.5, 0.6], confidence=1), RequestError),
    ],
)
def test_what_is_refused(call, error):
    """Gaps, empty input, folds that do not fit and shares outside 0 … 1 are refused."""
    with pytest.raises(error):
        call()
