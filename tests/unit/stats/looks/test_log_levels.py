"""Ends of intervals at levels that no float can hold."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from heldout.stats.looks import (
    LOG2,
    SMALLEST_KNOWN,
    auc_ends_at,
    divergence,
    f1_ends_at,
    level_after_bits,
    lower_rate,
    rate_ends_at,
    upper_rate,
)

from .exact_tails import log_upper_tail


@pytest.mark.parametrize("bits", [1, 50, 195, 205, 300, 1000, 3000])
@pytest.mark.parametrize(
    ("n_hits", "n_rows"), [(1, 10), (2, 10), (9, 10), (10, 10), (30, 60), (59, 60), (240, 300)]
)
def test_the_lower_end_solves_the_tail_exactly(n_hits: int, n_rows: int, bits: int) -> None:
    """At the lower end the chance of so many hits, in exact fractions, is the level; down to 2^-3000."""
    log_tail = math.log(0.025) - bits * LOG2
    rate = lower_rate(n_hits, n_rows, log_tail)
    if rate < 1e-290:
        assert log_tail / n_hits < -600
    else:
        assert log_upper_tail(n_hits, n_rows, rate) == pytest.approx(log_tail, rel=1e-12, abs=1e-9)


@pytest.mark.parametrize(("n_hits", "n_rows"), [(0, 20), (3, 20), (800_000, 1_000_000), (5, 1_000_000)])
def test_both_ways_agree_where_they_meet(n_hits: int, n_rows: int) -> None:
    """The ends by SciPy's inverse and those by logarithms are the same on both sides of the border."""
    above, below = (rate_ends_at(n_hits, n_rows, SMALLEST_KNOWN + step) for step in (1e-9, -1e-9))
    assert above == pytest.approx(below, rel=1e-8)


@pytest.mark.slow
@given(st.integers(1, 400), st.data(), st.floats(0.5, 0.999))
def test_the_ends_are_scipys(n_rows: int, data: st.DataObject, confidence: float) -> None:
    """At common levels the ends are those of SciPy's exact interval."""
    n_hits = data.draw(st.integers(0, n_rows))
    found = rate_ends_at(n_hits, n_rows, math.log(1 - confidence))
    wanted = binomtest(n_hits, n_rows).proportion_ci(confidence, method="exact")
    assert found == pytest.approx((wanted.low, wanted.high), abs=1e-9)


@given(st.integers(1, 5000), st.data(), st.floats(0, 5000), st.floats(0, 5000))
def test_more_bits_widen(n_rows: int, data: st.DataObject, bits: float, more: float) -> None:
    """With more bits given away no end comes nearer, the estimate stays inside, and both sides mirror."""
    n_hits = data.draw(st.integers(0, n_rows))
    low, high = rate_ends_at(n_hits, n_rows, level_after_bits(0.95, bits))
    lower, higher = rate_ends_at(n_hits, n_rows, level_after_bits(0.95, bits + more))
    assert 0 <= lower <= low + 1e-12 <= n_hits / n_rows + 2e-12
    assert n_hits / n_rows - 1e-12 <= high <= higher + 1e-12 <= 1 + 1e-12
    mirrored = rate_ends_at(n_rows - n_hits, n_rows, level_after_bits(0.95, bits))
    assert mirrored == pytest.approx((1 - high, 1 - low), abs=1e-9)


def test_one_side() -> None:
    """One-sided ends have closed forms where nothing or everything was hit, and none without rows."""
    assert upper_rate(0, 10, math.log(0.05)) == pytest.approx(1 - 0.05**0.1)
    assert upper_rate(0, 10, -2000.0) == pytest.approx(1.0)
    assert lower_rate(10, 10, math.log(0.05)) == pytest.approx(0.05**0.1)
    assert (lower_rate(0, 10, -5.0), upper_rate(10, 10, -5.0)) == (0.0, 1.0)
    assert rate_ends_at(0, 0, -5.0) == (0.0, 1.0) == rate_ends_at(0, 0, -5000.0)


def test_the_upper_end_far_out() -> None:
    """The upper end at 2^-1000 solves the lower tail, which is the upper one of the misses."""
    log_tail = math.log(0.025) - 1000 * LOG2
    rate = upper_rate(100, 300, log_tail)
    assert log_upper_tail(200, 300, 1 - rate) == pytest.approx(log_tail, rel=1e-9)


@given(st.integers(0, 300), st.integers(0, 300), st.floats(0, 2000))
def test_f1_follows_the_rate(tp: int, n_others: int, bits: float) -> None:
    """Ends for F1 are those of Jaccard's share, carried over by 2J / (1 + J)."""
    log_alpha = level_after_bits(0.95, bits)
    wanted = [2 * end / (1 + end) for end in rate_ends_at(tp, tp + n_others, log_alpha)]
    assert list(f1_ends_at(tp, tp + n_others, log_alpha)) == wanted


@given(st.floats(0, 1), st.integers(1, 400), st.integers(1, 400), st.floats(0, 3000))
def test_the_ends_of_an_auc_diverge_as_they_should(auc: float, m: int, n: int, bits: float) -> None:
    """The estimate diverges from an end by the level's logarithm over the rows of the rarer class."""
    log_alpha = level_after_bits(0.95, bits)
    low, high = auc_ends_at(auc, m, n, log_alpha)
    assert 0 <= low <= auc <= high <= 1
    most = (LOG2 - log_alpha) / min(m, n)
    if 1e-6 < low < auc:
        assert divergence(auc, low) == pytest.approx(most, rel=1e-6)
    if auc < high < 1 - 1e-6:
        assert divergence(auc, high) == pytest.approx(most, rel=1e-6)


def test_an_auc_without_a_class_is_not_bounded() -> None:
    """Without rows of a class every AUC is possible."""
    assert auc_ends_at(math.nan, 0, 5, -3.0) == (0.0, 1.0)
