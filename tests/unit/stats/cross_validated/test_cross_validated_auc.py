"""The interval of a cross-validated AUC: DeLong on the logit scale, corrected."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import expit, logit
from scipy.stats import t
from sklearn.metrics import roc_auc_score

from heldout.errors import DataError, InputTypeError, RequestError
from heldout.stats.auc_interval import auc_interval
from heldout.stats.bootstrap import bootstrap
from heldout.stats.cross_validated_auc import cross_validated_auc

GENERATOR = np.random.default_rng(5)
Y = np.repeat([0, 1], [40, 30])
SCORES = GENERATOR.normal(size=(3, 70)) + Y


def variance(y, scores):
    """DeLong's variance from all pairs."""
    wins = (scores[y == 1][:, None] > scores[y == 0]) + 0.5 * (scores[y == 1][:, None] == scores[y == 0])
    by_positive, by_negative = wins.mean(axis=1), wins.mean(axis=0)
    return by_positive.var(ddof=1) / len(by_positive) + by_negative.var(ddof=1) / len(by_negative)


@pytest.mark.parametrize("n_folds", [2, 5, 10, 70])
@pytest.mark.parametrize("n_repeats", [1, 3])
def test_it_is_the_formula(n_folds, n_repeats):
    """The mean of scikit-learn's AUCs, and on the logit scale the mean of DeLong's variances, inflated."""
    scores = SCORES[:n_repeats]
    found = cross_validated_auc(Y, scores, n_folds)
    auc = np.mean([roc_auc_score(Y, line) for line in scores])
    error = math.sqrt(np.mean([variance(Y, line) for line in scores]) * (1 + n_folds / (n_folds - 1)))
    half = 1.959963984540054 * error / (auc * (1 - auc))
    assert found.estimate == pytest.approx(auc, abs=1e-14)
    wanted = expit(logit(auc) - half), expit(logit(auc) + half)
    assert (found.low, found.high) == pytest.approx(wanted, abs=1e-12)


def test_it_is_wider_than_that_of_independent_rows():
    """On the logit scale it is √(1 + K/(K−1)) times as wide as DeLong's interval of the same scores."""
    found = cross_validated_auc(Y, SCORES[0], 10)
    plain = auc_interval(Y, SCORES[0], method="delong_logit")
    widths = [logit(each.high) - logit(each.low) for each in (found, plain)]
    assert widths[0] / widths[1] == pytest.approx(math.sqrt(1 + 10 / 9), rel=1e-12)


SMALL = st.integers(4, 30).flatmap(
    lambda n: st.tuples(
        st.lists(st.booleans(), min_size=n, max_size=n), st.lists(st.integers(0, 4), min_size=n, max_size=n)
    )
)


@pytest.mark.slow
@given(SMALL)
def test_every_input_has_an_answer(drawn):
    """Ties, one class, perfect and constant scores: the estimate lies inside, and all of it in 0 … 1."""
    y, scores = drawn
    found = cross_validated_auc(y, scores, 2, positive=True)
    assert 0 <= found.low <= found.high <= 1
    if found.estimate == found.estimate:
        assert found.low <= found.estimate <= found.high
        assert found.estimate == pytest.approx(roc_auc_score(y, scores), abs=1e-14)
    else:
        assert len(set(y)) == 1
        assert (found.low, found.high) == (0, 1)


@pytest.mark.parametrize(
    ("scores", "said"), [(Y, "AUC of 1 is infinite"), (-Y, "AUC of 0 is infinite"), (Y * 0, "no spread")]
)
def test_where_delong_has_no_answer(scores, said):
    """At 0 and 1 and without a spread Newcombe's interval of fewer rows stands in, and a note says so."""
    found = cross_validated_auc(Y, scores, 10)
    assert found.method == "Newcombe's method 5, corrected, 10 folds"
    assert said in str(found)
    plain = auc_interval(Y, scores)
    assert found.width > plain.width > 0
    # Newcombe's width at an AUC of 1, with 40/2.11 and 30/2.11 rows, by solving its equation.
    if found.estimate == 1:
        n, m, low = 40 / (1 + 10 / 9), 30 / (1 + 10 / 9), found.low
        spread = (
            low * (1 - low) * (1 + ((n + m) / 2 - 1) * ((1 - low) / (2 - low) + low / (1 + low))) / (n * m)
        )
        assert (1 - low) / math.sqrt(spread) == pytest.approx(1.959963984540054, rel=1e-9)


@pytest.mark.parametrize(("n_positives", "is_said"), [(19, True), (20, False)])
def test_few_rows_of_a_class_are_told(n_positives, is_said):
    """Below twenty rows of a class a note stands beside it, and the range that was seen is wider."""
    y = np.repeat([0, 1], [60, n_positives])
    found = cross_validated_auc(y, GENERATOR.normal(size=len(y)) + y, 5)
    assert any("fewer than 20 rows" in note for note in found.notes) == is_said
    assert (found.held[0] < 0.9) == is_said


def test_the_positive_class_can_be_named():
    """With the other class as the positive one the AUC is mirrored."""
    labels = np.array(["no", "yes"])[Y]
    found, other = (
        cross_validated_auc(labels, SCORES, 10),
        cross_validated_auc(labels, SCORES, 10, positive="no"),
    )
    assert other.estimate == pytest.approx(1 - found.estimate, abs=1e-14)
    assert (other.low, other.high) == pytest.approx((1 - found.high, 1 - found.low), abs=1e-12)


def test_single_rows_as_groups_are_delongs():
    """With one row per group Obuchowski's variance is DeLong's, but for Student's quantile."""
    rows, groups = (
        cross_validated_auc(Y, SCORES, 10),
        cross_validated_auc(Y, SCORES, 10, groups=np.arange(70)),
    )
    widths = [logit(each.high) - logit(each.low) for each in (groups, rows)]
    assert widths[0] / widths[1] == pytest.approx(t.isf(0.025, 69) / 1.959963984540054, rel=1e-9)


@pytest.mark.slow
def test_the_spread_between_groups_is_that_of_a_bootstrap():
    """For groups with rows of both classes it is the spread over resamples of whole groups."""
    generator = np.random.default_rng(6)
    groups = np.repeat(np.arange(200), generator.integers(1, 6, 200))
    lean = generator.normal(size=200)[groups]
    y = (generator.normal(size=len(groups)) + lean > 0).astype(int)
    scores = generator.normal(size=len(groups)) + lean + 0.5 * y
    drawn = []
    bootstrap(
        lambda a, b: drawn.append(roc_auc_score(a, b)) or drawn[-1], y, scores, groups=groups, n_resamples=600
    )
    found = cross_validated_auc(y, scores, 10, groups=groups)
    auc = found.estimate
    spread = (logit(found.high) - logit(auc)) * auc * (1 - auc) / t.isf(0.025, 199) / math.sqrt(1 + 10 / 9)
    assert spread == pytest.approx(np.std(drawn[1:]), rel=0.08)
    assert (found.n_rows, found.unit) == (200, "group")
    assert math.sqrt(variance(y, scores)) < 0.9 * spread


def test_one_group_with_positives_has_no_delong():
    """Where only one group holds positives Newcombe's interval of so few groups stands in."""
    y = np.array([1, 1] + [0] * 18)
    found = cross_validated_auc(y, np.arange(20.0)[::-1] % 7, 5, groups=np.arange(20) // 2)
    assert "fewer than two groups" in str(found)
    assert found.width > 0.85


@pytest.mark.parametrize(
    ("y", "scores", "error"),
    [
        ([0, 1, 1], [0.1, math.nan, 0.3], DataError),
        ([0, 1, 1], [0.1, 0.2], DataError),
        ([0, 1, 1], [[0.1, 0.2, 0.3], [0.1, 0.2]], DataError),
        ([0, 1, 1], [], DataError),
        ([0, 1, 1], np.zeros((2, 3, 2)), DataError),
        ([0, 1, 1], np.zeros((0, 3)), DataError),
        ([0, 1, 2], [0.1, 0.2, 0.3], RequestError),
        ([0, 1, 1], ["a", "b", "c"], InputTypeError),
        ([0, None, 1], [0.1, 0.2, 0.3], DataError),
    ],
)
def test_what_is_refused(y, scores, error):
    """Gaps, scores that do not fit, three classes and words are refused."""
    with pytest.raises(error):
        cross_validated_auc(y, scores, 2)


def test_infinite_scores_have_an_order():
    """Infinities stay: the largest score may be infinite."""
    y, scores = [0, 1, 0, 1, 1, 0], [0.2, math.inf, 0.1, 0.4, 0.05, -math.inf]
    assert cross_validated_auc(y, scores, 2).estimate == pytest.approx(7 / 9)
