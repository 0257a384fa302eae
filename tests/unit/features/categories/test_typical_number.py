"""Means, medians and modes, with zeros that are only counted."""

from __future__ import annotations

import statistics
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from heldout.features.fill_missing import typical_number

FINITE = st.floats(allow_nan=False, allow_infinity=False)
LARGEST = float(np.finfo(np.float64).max)


def exact(values: list[float], how: str) -> Fraction:
    """By exact arithmetic."""
    numbers = [Fraction(value) for value in values]
    if how == "mean":
        return statistics.mean(numbers)
    if how == "median":
        return statistics.median(numbers)
    return min(statistics.multimode(numbers))


@pytest.mark.slow
@given(values=st.lists(FINITE | st.sampled_from([0.0, 1.0, 1.0, -2.0]), min_size=1, max_size=15))
@pytest.mark.parametrize("how", ["mean", "median", "mode"])
def test_it_is_what_exact_arithmetic_says(how: str, values: list[float]) -> None:
    """Of any finite numbers the answer is right up to rounding, never infinite, and inside their range."""
    found = typical_number(np.array(values), how)
    wanted = exact(values, how)
    largest = max(map(abs, values))
    assert min(values) <= found <= max(values)
    slack = (
        Fraction(0)
        if how == "mode"
        else Fraction(largest) * len(values) * Fraction(2) ** -52 + Fraction(5e-324)
    )
    assert abs(Fraction(found) - wanted) <= slack


@pytest.mark.slow
@given(
    values=st.lists(st.sampled_from([-2.0, -1.0, 0.0, 1.0, 3.0, 3.0]), max_size=12),
    n_zeros=st.integers(min_value=0, max_value=8),
)
@pytest.mark.parametrize("how", ["mean", "median", "mode"])
def test_zeros_that_are_counted_are_as_zeros_that_are_there(
    how: str, values: list[float], n_zeros: int
) -> None:
    """n_zeros gives what so many zeros among the numbers give."""
    if not values and not n_zeros:
        return
    dense = np.array([*values, *[0.0] * n_zeros])
    assert typical_number(np.array(values), how, n_zeros) == typical_number(dense, how)


def test_the_middle_of_two_large_numbers_does_not_overflow() -> None:
    """The mean of the middle two is finite where their sum is not."""
    assert typical_number(np.array([LARGEST, LARGEST]), "median") == LARGEST
    assert typical_number(np.array([LARGEST, -LARGEST]), "median") == 0.0
    assert typical_number(np.array([LARGEST] * 3), "mean") == LARGEST


def test_the_mean_of_equal_numbers_is_that_number() -> None:
    """0.1 three times has the mean 0.1, which the sum divided by 3 has not."""
    assert sum([0.1] * 3) / 3 != 0.1
    assert typical_number(np.array([0.1] * 3), "mean") == 0.1


def test_the_smallest_of_equally_frequent_numbers_is_the_mode() -> None:
    """Ties go to the smallest number, and -0.0 counts as 0."""
    assert typical_number(np.array([5.0, 3.0, 5.0, 3.0, 9.0]), "mode") == 3.0
    assert np.signbit(typical_number(np.array([-0.0, -0.0, 1.0]), "mode")) == np.False_
