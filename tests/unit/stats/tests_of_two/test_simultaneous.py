"""Intervals beside adjusted p-values: they say the same, and hold together."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t

from heldout.stats.comparison import Comparison
from heldout.stats.interval import Interval
from heldout.verdict.paired_comparison import PairedComparison


def made(differences: np.ndarray, errors: np.ndarray, freedom: float = 29) -> list[PairedComparison]:
    """One comparison per difference, with its t test."""
    p_values = 2 * t.sf(np.abs(differences) / errors, freedom)
    return [
        PairedComparison(
            f"c{place}",
            "other",
            Interval("", difference, math.nan, math.nan),
            float(p),
            standard_error=error,
            degrees_of_freedom=freedom,
        )
        for place, (difference, error, p) in enumerate(zip(differences, errors, p_values, strict=True))
    ]


@given(
    st.integers(0, 10_000), st.integers(1, 12), st.sampled_from(["holm", "bonferroni", "benjamini_hochberg"])
)
def test_an_interval_says_what_its_adjusted_p_says(seed: int, n_made: int, method: str) -> None:
    """0 lies strictly inside if and only if the adjusted p is above 5%."""
    generator = np.random.default_rng(seed)
    pairs = made(generator.normal(0, 3, n_made), generator.uniform(0.5, 2, n_made))
    for each in Comparison.adjusted(pairs, method):
        assert each.simultaneous is not None
        assert each.adjusted_p is not None
        assert (each.simultaneous.low < 0 < each.simultaneous.high) == (each.adjusted_p > 0.05)
        assert each.effect.estimate in each.simultaneous


def test_one_comparison_keeps_its_own_interval() -> None:
    """Alone in its family it has the interval of the t test."""
    (found,) = Comparison.adjusted(made(np.array([0.3]), np.array([0.1])))
    assert found.simultaneous is not None
    half = 0.1 * t.isf(0.025, 29)
    assert (found.simultaneous.low, found.simultaneous.high) == pytest.approx((0.3 - half, 0.3 + half))


def test_the_ends_are_those_of_bonferroni() -> None:
    """Of a family of three the ends lie at 5% / 3; Holm cuts off the side of 0 that it excludes."""
    found = Comparison.adjusted(made(np.array([0.5, 0.24, 0.1]), np.full(3, 0.1)))
    ends = [(each.simultaneous.low, each.simultaneous.high) for each in found if each.simultaneous]
    half = 0.1 * t.isf(0.025 / 3, 29)
    assert found[1].adjusted_p is not None
    assert 0.05 / 3 < found[1].p_value < found[1].adjusted_p <= 0.05
    assert ends[0] == pytest.approx((0.5 - half, 0.5 + half))
    assert ends[1] == pytest.approx((0.0, 0.24 + half))
    assert ends[2] == pytest.approx((0.1 - half, 0.1 + half))


def test_a_comparison_without_a_standard_error_gets_none() -> None:
    """Of a comparison that a user made of an interval alone nothing can be widened."""
    (found,) = Comparison.adjusted([Comparison("a", "b", Interval("", 0.1, 0.0, 0.2), 0.04)])
    assert found.simultaneous is None


@pytest.mark.slow
@pytest.mark.parametrize("truth", [(0, 0, 0, 0), (0, 0, 0, 3.2), (0, 0, 2.9, 2.9), (0.3, 0.3, 0.3, 0.3)])
def test_all_intervals_of_a_family_hold_together(truth: tuple[float, ...]) -> None:
    """Of 2,000 families of all pairs of four means, at least 94.5% hold every true difference."""
    generator = np.random.default_rng(7)
    first, second = np.triu_indices(4, 1)
    true = np.array(truth)[first] - np.array(truth)[second]
    n_held = 0
    for _ in range(2_000):
        means = np.array(truth) + generator.normal(size=4) / math.sqrt(2)
        found = Comparison.adjusted(made(means[first] - means[second], np.ones(6), math.inf))
        intervals = [each.simultaneous for each in found]
        n_held += all(
            each is not None and each.low <= value <= each.high
            for each, value in zip(intervals, true, strict=True)
        )
    assert n_held / 2_000 >= 0.945
