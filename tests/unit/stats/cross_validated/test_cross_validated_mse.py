"""The interval of a cross-validated mean squared error, on the logarithmic scale."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import norm, sem, t

from heldout.errors import DataError, InputTypeError, RequestError
from heldout.stats.bootstrap import bootstrap
from heldout.stats.cross_validated_interval import cross_validated_mse

SHAPES = st.tuples(st.integers(1, 3), st.integers(2, 40))
LOSSES = arrays(np.float64, SHAPES, elements=st.floats(0, 1e6, allow_subnormal=False))
USUAL = arrays(np.float64, SHAPES, elements=st.integers(0, 50).map(lambda n: n / 8))


@pytest.mark.slow
@given(USUAL, st.integers(2, 10), st.sampled_from([0.5, 0.95, 0.99]))
def test_it_is_the_formula(losses, n_folds, confidence):
    """Of each repeat SciPy's standard error; their mean square, inflated, on the logarithmic scale."""
    n_rows = losses.shape[1]
    if n_folds > n_rows or losses.min() == losses.max():
        return
    found = cross_validated_mse(losses, n_folds, confidence)
    error = math.sqrt(np.mean(sem(losses, axis=1) ** 2) * (1 + n_folds / (n_folds - 1)))
    mean = losses.mean()
    half = norm.isf((1 - confidence) / 2) * error / mean
    assert (found.low, found.high) == pytest.approx((mean * math.exp(-half), mean * math.exp(half)), rel=1e-9)
    assert 0 < found.low < found.estimate < found.high


def test_a_case_by_hand():
    """Errors 1 and 3 have the mean 2 and the standard error 1; with two folds the variance is tripled."""
    found = cross_validated_mse([1.0, 3.0], 2)
    assert found.estimate == 2
    assert found.high / found.estimate == pytest.approx(
        math.exp(1.959963984540054 * math.sqrt(3) / 2), rel=1e-12
    )
    assert found.low * found.high == pytest.approx(4, rel=1e-12)


@given(LOSSES, st.sampled_from([1e-3, 7.0, 1e4]))
def test_the_unit_does_not_matter(losses, factor):
    """Errors in another unit have the same interval in that unit."""
    if losses.min() == losses.max() or losses.max() < 1e-290:
        return
    found, other = cross_validated_mse(losses, 2), cross_validated_mse(losses * factor, 2)
    assert (other.low, other.high) == pytest.approx((found.low * factor, found.high * factor), rel=1e-9)


@pytest.mark.parametrize(("value", "said"), [(0.0, "All errors are 0"), (0.1, "All errors are equal")])
def test_equal_errors_have_no_interval(value, said):
    """Where nothing varies the ends are unknown, and the sentence says why instead of a width of 0."""
    found = cross_validated_mse(np.full((3, 20), value), 10)
    assert found.estimate == pytest.approx(value)
    assert math.isnan(found.low)
    assert math.isnan(found.high)
    assert "no interval" in str(found)
    assert said in str(found)


def test_groups_of_copies_add_nothing():
    """Each error five times in a group: the interval of the rows, but for Student's quantile."""
    losses = np.random.default_rng(0).gamma(2, size=30)
    found = cross_validated_mse(np.repeat(losses, 5), 10, groups=np.repeat(np.arange(30), 5))
    half = t.isf(0.025, 29) * sem(losses) * math.sqrt(1 + 10 / 9) / losses.mean()
    assert found.high / found.estimate == pytest.approx(math.exp(half), rel=1e-12)
    assert (found.n_rows, found.unit) == (30, "group")


def test_the_spread_between_groups_is_that_of_a_bootstrap():
    """For groups of different sizes it is the standard deviation over resamples of whole groups."""
    generator = np.random.default_rng(1)
    groups = np.repeat(np.arange(150), generator.integers(1, 8, 150))
    losses = generator.gamma(2, size=len(groups)) * generator.gamma(3, size=150)[groups]
    drawn = []
    bootstrap(lambda rows: drawn.append(rows.mean()) or drawn[-1], losses, groups=groups)
    found = cross_validated_mse(losses, 10, groups=groups)
    spread = math.log(found.high / found.estimate) * found.estimate
    wanted = t.isf(0.025, 149) * np.std(drawn[1:]) * math.sqrt(1 + 10 / 9)
    assert spread == pytest.approx(wanted, rel=0.05)


def test_groups_with_equal_means_have_no_interval():
    """Where rows vary and groups do not, there is no spread to go by."""
    found = cross_validated_mse([1.0, 3.0] * 10, 5, groups=np.repeat(np.arange(10), 2))
    assert math.isnan(found.low)
    assert "equal" in found.notes[-1]


@pytest.mark.parametrize(
    ("losses", "n_folds", "error"),
    [
        ([1.0, math.nan], 2, DataError),
        ([1.0, math.inf], 2, DataError),
        ([1.0, -1.0], 2, DataError),
        ([2.0], 2, RequestError),
        ([[1.0], [2.0]], 2, RequestError),
        (["a", "b"], 2, InputTypeError),
        (None, 2, DataError),
    ],
)
def test_what_is_refused(losses, n_folds, error):
    """Gaps, infinities, negative errors and one row are refused."""
    with pytest.raises(error):
        cross_validated_mse(losses, n_folds)


def test_the_sentence():
    """It says what is estimated, of how many training rows, and what such intervals were seen to hold."""
    text = str(cross_validated_mse([1.0, 2.0, 4.0, 3.0], 4))
    assert "mean squared error 2.500" in text
    assert "trained on 3/4 of these rows, about 3" in text
