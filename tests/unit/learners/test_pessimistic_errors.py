"""C4.5's upper limit of the errors."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta

from heldout.learners.rules.rule_pruning import pessimistic_errors


def limit(total: float, wrong: float, confidence: float = 0.25) -> float:
    return float(pessimistic_errors(np.array(total), np.array(wrong), confidence)) / total


@pytest.mark.parametrize(("total", "printed"), [(6, 0.206), (9, 0.143), (1, 0.750)])
def test_limits_that_quinlan_printed(total, printed):
    """The limits of leaves without an error in Quinlan's book on C4.5."""
    assert limit(total, 0) == pytest.approx(printed, abs=5e-4)


def test_the_normal_deviate_is_not_taken_from_a_table():
    """Quinlan printed .157 for one error in 16, with .6925 from a short table; .6745 gives .155."""
    assert limit(16, 1) == pytest.approx(0.157, abs=3e-3)
    assert limit(16, 1) == pytest.approx(0.154732, abs=5e-7)


@given(st.integers(1, 500), st.sampled_from([0.05, 0.1, 0.25, 0.5]))
def test_without_errors_it_is_the_exact_binomial_limit(total, confidence):
    """The chance of no error at that rate is the confidence."""
    assert limit(total, 0, confidence) == pytest.approx(beta.ppf(1 - confidence, 1, total), rel=1e-9)


@given(st.integers(10, 500), st.floats(0.05, 0.9))
def test_with_errors_it_is_near_the_exact_limit(total, share):
    """The normal approximation stays within two hundredths of the binomial limit."""
    wrong = max(1, int(share * total))
    exact = beta.ppf(0.75, wrong + 1, total - wrong)
    assert limit(total, wrong) == pytest.approx(exact, abs=0.02)


@given(st.floats(0.01, 200), st.floats(0, 1), st.floats(0, 1))
def test_it_grows_with_the_errors_and_stays_below_all(total, one, other):
    """More errors never lower the limit, which is at least the errors and at most everything."""
    fewer, more = sorted((one * total, other * total))
    low, high = (float(pessimistic_errors(np.array(total), np.array(wrong), 0.25)) for wrong in (fewer, more))
    assert low <= high + 1e-9 * total
    assert fewer <= low + 1e-9 * total
    assert high <= total * (1 + 1e-12)


def test_nothing_has_no_errors():
    """A rule that covers nothing is not divided by."""
    assert pessimistic_errors(np.array([0.0]), np.array([0.0]), 0.25).tolist() == [0.0]


@pytest.mark.parametrize("confidence", [5e-324, 1e-300, 1e-17])
def test_a_tiny_confidence_expects_nearly_all_to_be_wrong(confidence):
    """The deviate of a tiny chance is a number, and the limit lies between what was seen and all."""
    assert 0.6 < limit(20, 2, confidence) <= 1
