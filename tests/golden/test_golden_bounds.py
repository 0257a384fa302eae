"""Bounds whose numbers are known: Hoeffding's of the lectures, and Sauer's."""

from __future__ import annotations

import pytest

from heldout.stats.bounds import chance_to_fit, growth_function, hoeffding
from heldout.stats.occam import occam_bound


@pytest.mark.parametrize(("m", "deviation"), [(1, 0.0429), (100, 0.0644)])
def test_hoeffding_of_a_thousand_rows(m: int, deviation: float) -> None:
    """At 95% and 1,000 rows the error is off by .0429 for one model, by .0644 for the best of a hundred."""
    assert round(hoeffding(1000, m).deviation, 4) == deviation


def test_growth_of_the_perceptron() -> None:
    """A line in a plane labels three points in all 8 ways, four at most in 15 of 16."""
    assert (growth_function(3, 3), growth_function(4, 3)) == (8, 15)
    assert chance_to_fit(4, 3) == pytest.approx(15 / 16)


def test_occam_is_hoeffding_with_two_to_the_bits_models() -> None:
    """A model of 10 bits has the bound of 1,024 models, one-sided: that of 512 models on both sides."""
    assert occam_bound(0.1, 10, 1000).deviation == pytest.approx(hoeffding(1000, 512).deviation)
