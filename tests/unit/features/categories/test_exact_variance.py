"""Variances are judged without rounding."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from heldout.features.drop_low_variance import spread_of

FINITE = st.floats(allow_nan=False, allow_infinity=False)


def exact_variance(values: list[float]) -> Fraction:
    """1/N, by exact arithmetic."""
    numbers = [Fraction(value) for value in values]
    mean = sum(numbers) / len(numbers)
    return sum(((number - mean) ** 2 for number in numbers), Fraction(0)) / len(numbers)


def as_float(number: Fraction) -> float:
    """Rounded, or infinite if too large."""
    try:
        return float(number)
    except OverflowError:
        return np.inf


@given(
    values=st.lists(
        FINITE | st.floats(-10, 10) | st.sampled_from([0.1, 1e16, 1e16 + 2]), min_size=1, max_size=10
    ),
    step=st.integers(min_value=-2, max_value=2),
)
def test_near_the_threshold_exact_arithmetic_decides(values: list[float], step: int) -> None:
    """A threshold at the variance, or a float beside it, is told apart as fractions tell it."""
    wanted = exact_variance(values)
    threshold = as_float(wanted)
    if not np.isfinite(threshold):
        return
    for _ in range(abs(step)):
        threshold = float(np.nextafter(threshold, np.inf if step > 0 else 0.0))
    assert spread_of(np.array(values)).is_above(threshold) == (wanted > Fraction(threshold))


@given(
    values=st.lists(FINITE | st.floats(-10, 10), min_size=1, max_size=10),
    threshold=st.floats(min_value=0, allow_infinity=False, allow_nan=False),
    n_zeros=st.integers(min_value=0, max_value=5),
)
def test_any_threshold_is_judged_as_by_fractions(values: list[float], threshold: float, n_zeros: int) -> None:
    """Zeros that are only counted count, and no number is too large or too small."""
    wanted = exact_variance([*values, *[0.0] * n_zeros])
    spread = spread_of(np.array(values), n_zeros)
    assert spread.is_above(threshold) == (wanted > Fraction(threshold))
    assert spread.is_above(0.0) == (wanted > 0)
    assert (spread.variance == 0.0) == (wanted == 0)
    if 1e-250 < wanted < Fraction(1e290):
        assert spread.variance == pytest.approx(float(wanted), rel=1e-9)


@pytest.mark.parametrize("value", [0.1, 1e-310, 1e300, -7.7])
@pytest.mark.parametrize("n_rows", [3, 10, 1001])
def test_equal_numbers_do_not_vary(value: float, n_rows: int) -> None:
    """The variance of equal numbers is 0 exactly, whatever their sum is rounded to."""
    spread = spread_of(np.full(n_rows, value))
    assert spread.variance == 0.0
    assert not spread.is_above(0.0)


def test_nothing_known_has_no_variance() -> None:
    """Of a column of gaps nothing is known; zeros that are not stored are known."""
    assert not spread_of(np.array([np.nan, np.nan])).is_known
    assert spread_of(np.array([np.nan]), n_zeros=2).is_known
