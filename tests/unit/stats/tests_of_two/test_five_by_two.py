"""The 5 × 2 cv tests."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import f as f_distribution
from scipy.stats import t as t_distribution

from heldout.errors import DataError, InputTypeError, RequestError
from heldout.stats.five_by_two import five_by_two

HALVES = st.lists(st.lists(st.integers(-100, 100), min_size=2, max_size=2), min_size=5, max_size=5)


def spread(first: int, second: int) -> Fraction:
    """The variance of a pair, as Dietterich writes it."""
    mean = Fraction(first + second, 2)
    return (first - mean) ** 2 + (second - mean) ** 2


@given(HALVES)
def test_both_statistics_are_those_of_the_papers(halves: list[list[int]]) -> None:
    """t and F in fractions, and p by SciPy's distributions."""
    total = sum((spread(*pair) for pair in halves), Fraction(0))
    assume(total > 0)
    t = halves[0][0] / math.sqrt(total / 5)
    found = five_by_two(halves)
    assert found.statistic == pytest.approx(t)
    assert found.p_value == pytest.approx(2 * t_distribution.sf(abs(t), 5), rel=1e-9)
    f = float(sum(Fraction(each) ** 2 for pair in halves for each in pair) / (2 * total))
    other = five_by_two(halves, "f")
    assert other.statistic == pytest.approx(f)
    assert other.p_value == pytest.approx(f_distribution.sf(f, 10, 5), rel=1e-9)


@given(HALVES)
def test_the_interval_agrees_with_the_test(halves: list[list[int]]) -> None:
    """0 lies outside the interval exactly if p is below 5%."""
    found = five_by_two(halves)
    assume(not math.isnan(found.p_value))
    assert found.difference is not None
    if abs(found.p_value - 0.05) > 1e-9 and not math.isnan(found.difference.low):
        assert (0.0 not in found.difference) == (found.p_value < 0.05)


@pytest.mark.parametrize("method", ["t", "f"])
def test_no_spread(method: str) -> None:
    """All zeros give p = 1; halves that agree have no test; a note says which it was."""
    zeros = five_by_two(np.zeros((5, 2)), method)
    assert zeros.p_value == 1.0
    assert "All ten differences are 0" in str(zeros)
    flat = five_by_two([[0.3 - 0.2, 0.1]] * 5, method)
    assert math.isnan(flat.p_value)
    assert "Both halves agree in all five" in str(flat)
    assert flat.to_svg().startswith("<svg")


def test_what_is_refused() -> None:
    """Other shapes, gaps, words and methods that are none are refused."""
    for wrong in (np.zeros((2, 5)), np.zeros(10), np.zeros((5, 2, 1))):
        with pytest.raises(DataError):
            five_by_two(wrong)
    with pytest.raises(DataError, match=r"first at place \(1, 2\)"):
        five_by_two([[0.1, math.nan], *[[0.1, 0.2]] * 4])
    with pytest.raises(InputTypeError):
        five_by_two("ten")
    with pytest.raises(InputTypeError):
        five_by_two([[1], [1, 2]])
    with pytest.raises(RequestError, match="did you mean 'f'"):
        five_by_two(np.zeros((5, 2)), "alpaydin")


@pytest.mark.parametrize("method", ["t", "f"])
@pytest.mark.parametrize("power", [-1000, -600, 600, 1000])
def test_differences_of_any_size(method: str, power: int) -> None:
    """Differences times a power of two have the same p, and an interval that is as many times as wide."""
    halves = np.array([[0.5, 0.25], [0.75, -0.5], [0.25, 0.125], [0.0, 0.5], [0.375, 0.5]])
    plain, scaled = five_by_two(halves, method), five_by_two(halves * 2.0**power, method)
    assert scaled.p_value == plain.p_value
    assert plain.difference is not None
    assert scaled.difference is not None
    if method == "t":
        assert scaled.difference.high == plain.difference.high * 2.0**power
    assert scaled.details["mean_difference"] == plain.details["mean_difference"] * 2.0**power
