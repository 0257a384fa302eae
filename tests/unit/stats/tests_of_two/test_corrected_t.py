"""The corrected t tests of splits that share their training rows."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import t as t_distribution
from scipy.stats import ttest_1samp

from heldout.errors import DataError, RequestError
from heldout.stats.corrected_resampled_t import corrected_resampled_t, cross_validated_t

SPLITS = st.tuples(st.integers(1, 4), st.integers(2, 10)).flatmap(
    lambda shape: arrays(np.float64, shape, elements=st.integers(-100, 100).map(float))
)


@pytest.mark.slow
@given(SPLITS)
def test_it_is_the_formula_of_the_paper(differences: np.ndarray) -> None:
    """Mean, variance times 1/m + n_test/n_train, and Student's t with m − 1 degrees of freedom."""
    assume(np.ptp(differences) > 0)
    m, n_folds = differences.size, differences.shape[1]
    error = math.sqrt(differences.var(ddof=1) * (1 / m + 1 / (n_folds - 1)))
    found = corrected_resampled_t(differences)
    assert found.statistic == pytest.approx(differences.mean() / error)
    expected = 2 * t_distribution.sf(abs(differences.mean() / error), m - 1)
    assert found.p_value == pytest.approx(expected, rel=1e-9)
    ends = t_distribution.interval(0.95, m - 1, differences.mean(), error)
    assert found.difference is not None
    assert (found.difference.low, found.difference.high) == pytest.approx(ends)


@pytest.mark.slow
@given(SPLITS)
def test_it_is_never_more_eager_than_the_plain_test(differences: np.ndarray) -> None:
    """p is at least that of the plain t test, and comes near it as the test part shrinks."""
    assume(np.ptp(differences) > 0)
    plain = ttest_1samp(differences.ravel(), 0).pvalue
    assert corrected_resampled_t(differences).p_value >= plain - 1e-12
    tiny = corrected_resampled_t(differences.ravel(), test_share=1e-12)
    assert tiny.p_value == pytest.approx(plain, rel=1e-6)


def test_ways_to_say_the_same() -> None:
    """Lines of folds, a list with n_folds, and a list with the share of test rows agree."""
    differences = np.array([[0.01, 0.03, -0.02, 0.04, 0.0], [0.02, 0.0, 0.01, 0.03, -0.01]])
    folds = corrected_resampled_t(differences)
    assert corrected_resampled_t(differences.ravel(), n_folds=5) == folds
    share = corrected_resampled_t(differences.ravel(), test_share=0.2)
    assert share.p_value == pytest.approx(folds.p_value)
    assert (folds.unit, share.unit) == ("fold", "split")


def test_two_folds() -> None:
    """Two folds leave one degree of freedom and as many test rows as training rows; a note says it."""
    found = corrected_resampled_t([[0.1, 0.2]])
    assert found.details["test_to_train"] == 1
    error = math.sqrt(0.005 * 1.5)
    assert found.p_value == pytest.approx(2 * t_distribution.sf(0.15 / error, 1))
    assert "one degree of freedom" in str(found)


def test_no_spread() -> None:
    """All zeros give p = 1, one repeated number and a single split give none; each has a note."""
    zeros = corrected_resampled_t(np.zeros((3, 10)))
    assert (zeros.p_value, "All 30 differences are 0" in str(zeros)) == (1.0, True)
    same = corrected_resampled_t([[0.3 - 0.2, 0.9 - 0.8, 0.1]])
    assert math.isnan(same.p_value)
    assert "All 3 differences are 0.1: without a spread" in str(same)
    single = corrected_resampled_t([0.1], test_share=0.3)
    assert math.isnan(single.p_value)
    assert "needs two" in str(single)
    none = corrected_resampled_t([], test_share=0.3)
    assert math.isnan(none.statistic)
    assert none.to_svg().startswith("<svg")


def test_the_difference_stands_first() -> None:
    """What is compared, the interval and the number of folds come before p."""
    text = str(corrected_resampled_t([[0.1, 0.2, 0.4]], names=("tree", "rule"), what="accuracy"))
    assert text.startswith("accuracy of tree minus accuracy of rule 0.233, 95% interval -0.")
    assert text.index("3 folds") < text.index("p = ")


def test_what_is_refused() -> None:
    """A list without the size of its test parts, broken repetitions, and both sizes at once are refused."""
    with pytest.raises(RequestError, match="does not say how large"):
        corrected_resampled_t([0.1, 0.2])
    with pytest.raises(RequestError, match="both given"):
        corrected_resampled_t([0.1, 0.2], test_share=0.2, n_folds=2)
    with pytest.raises(RequestError, match="test_share"):
        corrected_resampled_t([0.1, 0.2], test_share=20)
    with pytest.raises(RequestError, match="n_folds"):
        corrected_resampled_t([0.1, 0.2], n_folds=1)
    for differences, n_folds in (([0.1, 0.2, 0.3], 2), ([[0.1, 0.2]], 3), ([[0.1], [0.2]], None)):
        with pytest.raises(DataError, match="whole repetitions"):
            corrected_resampled_t(differences, n_folds=n_folds)


def test_repeated_hold_out_counts_splits() -> None:
    """With a share of test rows there are no folds, and neither test nor interval speaks of them."""
    found = corrected_resampled_t([0.1, 0.3, 0.2], test_share=0.2)
    assert "3 splits" in str(found)
    assert "fold" not in str(found)


@given(SPLITS)
def test_repeats_bring_no_new_folds(differences: np.ndarray) -> None:
    """The variance within a repeat times 1/K + 1/(K − 1), with K − 1 degrees of freedom for any repeats."""
    n_folds = differences.shape[1]
    variance = differences.var(axis=1, ddof=1).mean()
    assume(variance > 0)
    error = math.sqrt(variance * (1 / n_folds + 1 / (n_folds - 1)))
    found = cross_validated_t(differences)
    assert found.p_value == pytest.approx(2 * t_distribution.sf(abs(differences.mean() / error), n_folds - 1))
    ends = t_distribution.interval(0.95, n_folds - 1, differences.mean(), error)
    assert found.difference is not None
    assert (found.difference.low, found.difference.high) == pytest.approx(ends)
    twice = cross_validated_t(np.vstack([differences, differences]))
    assert twice.p_value == pytest.approx(found.p_value)


def test_one_repeat_is_the_published_test() -> None:
    """Without repeats both corrected tests say the same of the same folds."""
    line = [[0.01, 0.03, -0.02, 0.04, 0.0]]
    ours, theirs = cross_validated_t(line), corrected_resampled_t(line)
    assert (ours.p_value, ours.statistic) == pytest.approx((theirs.p_value, theirs.statistic))


def test_folds_that_learn_from_few_rows_tell_less() -> None:
    """The ratio of test to training rows is counted where it is given, and must be a number above 0."""
    line = np.array([[0.01, 0.03, -0.02, 0.04, 0.0]])
    found = cross_validated_t(line, test_to_train=0.5)
    assert found.details["standard_error"] == pytest.approx(math.sqrt(line.var(ddof=1) * (1 / 5 + 0.5)))
    for wrong in (0, -1.0, math.nan, math.inf, True, "half"):
        with pytest.raises(RequestError, match="test_to_train"):
            cross_validated_t(line, test_to_train=wrong)


def test_repeats_whose_folds_agree_give_no_test() -> None:
    """Without a spread within the repeats there is no p, and a note says why."""
    found = cross_validated_t([[0.1, 0.1], [0.2, 0.2]])
    assert math.isnan(found.p_value)
    assert "folds of each repetition agree" in str(found)
