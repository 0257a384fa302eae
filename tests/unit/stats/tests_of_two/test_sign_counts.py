"""The sign test, from counts and from scores."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from heldout.errors import DataError, InputTypeError, RequestError
from heldout.stats.sign_test import count_wins, sign_test, sign_test_of_scores

from .brute_force import sign_p


@given(st.integers(0, 60), st.integers(0, 60))
def test_p_is_the_sum_of_all_counts_as_far_from_the_middle(wins: int, losses: int) -> None:
    """p equals the fraction that comes from counting; without a winner it is 1."""
    assert sign_test(wins, losses).p_value == pytest.approx(float(sign_p(wins, losses)), rel=1e-12)


@given(st.integers(0, 200), st.integers(0, 200), st.sampled_from([0.8, 0.95, 0.99]))
def test_the_interval_leaves_a_half_out_exactly_if_p_is_small(
    wins: int, losses: int, confidence: float
) -> None:
    """Clopper-Pearson's interval of the share of wins and the two-sided test agree."""
    found = sign_test(wins, losses, confidence=confidence)
    assert found.difference is not None
    if abs(found.p_value - (1 - confidence)) > 1e-9:
        assert (0.5 not in found.difference) == (found.p_value < 1 - confidence)


def test_ties_are_left_out_and_told() -> None:
    """Ties change neither p nor the interval, and stand in the sentence."""
    found, without = sign_test(9, 1, 5), sign_test(9, 1)
    assert found.p_value == without.p_value == pytest.approx(binomtest(9, 10).pvalue)
    assert found.n_rows == 15
    assert "A won 9, B 1, 5 tied" in str(found)


def test_without_a_winner() -> None:
    """No wins and no losses give p = 1, an unknown share, and a note."""
    found = sign_test(0, 0, 4, unit="data set")
    assert found.p_value == 1.0
    assert found.difference is not None
    assert math.isnan(found.difference.estimate)
    assert "No data set has a winner" in str(found)


def test_scores_that_differ_by_rounding_are_tied() -> None:
    """0.1 + 0.2 does not win against 0.3, and infinities are compared as they stand."""
    assert count_wins([0.1 + 0.2, np.inf, np.inf, -np.inf], [0.3, np.inf, 1.0, np.inf]) == (1, 1, 2)
    assert count_wins([1e308, -1e308], [-1e308, 1e308]) == (1, 1, 0)


@given(st.lists(st.tuples(st.integers(-5, 5), st.integers(-5, 5)), max_size=30), st.booleans())
def test_scores_are_counted(pairs: list[tuple[int, int]], is_larger_better: bool) -> None:
    """From scores come the same counts as by hand, in both directions."""
    found = sign_test_of_scores([a for a, _ in pairs], [b for _, b in pairs], is_larger_better)
    above, below = sum(a > b for a, b in pairs), sum(a < b for a, b in pairs)
    expected = (above, below) if is_larger_better else (below, above)
    assert (found.details["wins"], found.details["losses"]) == expected
    assert found.n_rows == len(pairs)


def test_what_is_refused() -> None:
    """Counts below 0, halves, lists of different lengths, NaN and words are refused with all three parts."""
    for attempt, error in [
        (lambda: sign_test(-1, 2), RequestError),
        (lambda: sign_test(1.5, 2), RequestError),
        (lambda: sign_test(1, 2, names=("A",)), RequestError),
        (lambda: sign_test_of_scores([1, 2], [1]), DataError),
        (lambda: sign_test_of_scores([1, math.nan], [1, 2]), DataError),
        (lambda: sign_test_of_scores(["a"], ["b"]), InputTypeError),
        (lambda: sign_test_of_scores(3, 4), InputTypeError),
    ]:
        with pytest.raises(error) as caught:
            attempt()
        assert caught.value.what
        assert caught.value.where
        assert caught.value.fix
