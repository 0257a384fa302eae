"""Intervals of an AUC: Newcombe's method 5, DeLong on the logit scale, and the paired difference."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import brentq
from scipy.special import expit, logit
from scipy.stats import norm

from heldout.errors import DataError, InputTypeError, RequestError
from heldout.stats.auc_interval import (
    auc_interval,
    compare_auc,
    logit_ends,
    newcombe_ends,
    newcombe_variance,
    paired_variance,
    placements_of,
)
from heldout.stats.two_classes import positive_rows
from heldout.table.column import Column

from .pairwise_auc import pairwise_auc, pairwise_covariance

LEVELS = st.sampled_from([-math.inf, -1.0, -0.0, 0.0, 0.5, 1.0, 2.0, math.inf])
CLASSES = st.tuples(st.lists(LEVELS, min_size=2, max_size=9), st.lists(LEVELS, min_size=2, max_size=9))


def rows(positives, negatives):
    """Labels and scores of two classes, one after the other."""
    return np.repeat([1, 0], [len(positives), len(negatives)]), np.array([*positives, *negatives])


@given(CLASSES)
def test_auc_and_variance_are_those_over_all_pairs(classes):
    """The AUC is the exact share of pairs won, and DeLong's variance the one of the paper, ties or not."""
    y, scores = rows(*classes)
    found = placements_of(y == 1, scores)
    assert found.auc == float(pairwise_auc(*classes))
    assert found.variance == pytest.approx(
        float(pairwise_covariance(classes, classes)), rel=1e-12, abs=1e-300
    )


@given(CLASSES, st.randoms(use_true_random=False))
def test_paired_variance_is_that_over_all_pairs(classes, random):
    """The variance of a difference is var A + var B − 2 cov over all pairs, and exactly 0 where that is."""
    other = tuple([random.choice([0.0, 1.0, 2.0]) for _ in side] for side in classes)
    is_positive, a = rows(*classes)
    b = rows(*other)[1]
    wanted = (
        pairwise_covariance(classes, classes)
        + pairwise_covariance(other, other)
        - 2 * pairwise_covariance(classes, other)
    )
    found = paired_variance(placements_of(is_positive == 1, a), placements_of(is_positive == 1, b))
    assert (found == 0) == (wanted == 0)
    assert found == pytest.approx(float(wanted), rel=1e-9, abs=1e-300)


def exponential_variance(auc, m, n):
    """Hanley and McNeil's variance by Q1 and Q2, with Newcombe's (m + n)/2 − 1 in both terms."""
    q1, q2 = auc / (2 - auc), 2 * auc**2 / (1 + auc)
    others = (m + n) / 2 - 1
    return (auc * (1 - auc) + others * (q1 - auc**2) + others * (q2 - auc**2)) / (m * n)


@given(st.floats(0, 1), st.integers(1, 500), st.integers(1, 500))
def test_newcombe_s_variance_is_hanley_and_mcneil_s(auc, m, n):
    """The short formula equals the one with Q1 and Q2, Hanley and McNeil's for classes of one size."""
    assert newcombe_variance(auc, m, n) == pytest.approx(exponential_variance(auc, m, n), abs=1e-13)


@given(st.floats(0.001, 0.999), st.integers(1, 500), st.integers(1, 500), st.sampled_from([0.5, 0.95, 0.999]))
def test_newcombe_s_ends_solve_the_equation(auc, m, n, confidence):
    """SciPy's root finder puts the ends at the same places."""
    z = norm.isf((1 - confidence) / 2)

    def gap(t):
        return (auc - t) ** 2 - z**2 * exponential_variance(t, m, n)

    low, high = newcombe_ends(auc, m, n, confidence)
    assert low == pytest.approx(brentq(gap, 0, auc, xtol=1e-14), abs=1e-9)
    assert high == pytest.approx(brentq(gap, auc, 1, xtol=1e-14), abs=1e-9)
    assert 0 <= low <= auc <= high <= 1


def test_newcombe_at_the_ends():
    """An AUC of 1 has an upper end of exactly 1 and a width that shrinks with rows; 0 is its mirror."""
    widths = []
    for n_rows in (1, 5, 20, 1000):
        low, high = newcombe_ends(1.0, n_rows, 4 * n_rows)
        assert high == 1.0
        assert newcombe_ends(0.0, n_rows, 4 * n_rows) == pytest.approx((0.0, 1 - low), abs=1e-12)
        # Where the estimate is 1 the equation is 1 − t = z²·t·(…)/(mn), without a root.
        others = (5 * n_rows) / 2 - 1
        pairs = 1 + others * ((1 - low) / (2 - low) + low / (1 + low))
        assert 1 - low == pytest.approx(norm.isf(0.025) ** 2 * low * pairs / (4 * n_rows**2), rel=1e-9)
        widths.append(high - low)
    assert widths == sorted(widths, reverse=True)
    assert 0 < newcombe_ends(0.7, 50, 50, alpha=1e-30)[0] < newcombe_ends(0.7, 50, 50, alpha=1e-10)[0]


def test_delong_on_the_logit_scale():
    """The interval is logit(AUC) ± z·se/(AUC·(1 − AUC)), carried back."""
    generator = np.random.default_rng(3)
    y = generator.integers(2, size=80)
    scores = (y + generator.normal(size=80)).round(1)
    found = auc_interval(y, scores, method="delong_logit", confidence=0.9)
    a = float(pairwise_auc(scores[y == 1].tolist(), scores[y == 0].tolist()))
    sides = scores[y == 1].tolist(), scores[y == 0].tolist()
    half = norm.isf(0.05) * math.sqrt(pairwise_covariance(sides, sides)) / (a * (1 - a))
    assert (found.estimate, found.low, found.high) == pytest.approx(
        (a, expit(logit(a) - half), expit(logit(a) + half)), rel=1e-12
    )
    assert found.method == "DeLong on the logit scale"


@pytest.mark.parametrize(
    ("y", "scores", "reason"),
    [
        ([0, 0, 1, 1], [1, 2, 3, 4], "infinite"),
        ([0, 0, 1, 1], [3, 4, 1, 2], "infinite"),
        ([0, 0, 1, 1], [1, 1, 1, 1], "no spread"),
        ([0, 0, 0, 1], [1, 2, 4, 3], "fewer than two rows"),
    ],
)
def test_newcombe_stands_in_for_delong(y, scores, reason):
    """At 0 and 1, without spread and with one row of a class Newcombe's stands in, and a note says why."""
    found, other = auc_interval(y, scores, method="delong_logit"), auc_interval(y, scores)
    assert (found.low, found.high, found.method) == (other.low, other.high, "Newcombe's method 5")
    assert reason in str(found)
    assert found.width > 0.3


@pytest.mark.parametrize("method", ["newcombe", "delong_logit"])
@pytest.mark.parametrize("y", [[], [1], [0, 0, 0], ["a", "a"]])
def test_one_class_contradicts_nothing(method, y):
    """Without rows of both classes the AUC is NaN, the interval 0 … 1, and the sentence says so."""
    found = auc_interval(y, np.arange(len(y)), method=method)
    assert math.isnan(found.estimate)
    assert (found.low, found.high, found.n_rows) == (0.0, 1.0, len(y))
    assert "Without rows of both classes" in str(found)


def test_labels_of_every_form():
    """Lists, Series, booleans, words and Columns give the same interval, the other class the mirrored one."""
    scores = [0.1, 0.4, 0.35, 0.8, 0.7]
    y = [0, 0, 1, 1, 0]
    words = ["no" if label == 0 else "yes" for label in y]
    column = Column("y", "category", np.array(y, dtype=np.int32), ("no", "yes"))
    wanted = auc_interval(y, scores)
    forms = [np.array(y), pd.Series(y), np.array(y, dtype=bool), words, pd.Series(words), column]
    forms += [np.array(words, dtype=object), pd.Series(words, dtype="category"), np.array(y, dtype=float)]
    for form in forms:
        assert auc_interval(form, pd.Series(scores)) == wanted
    mirrored = auc_interval(words, [-score for score in scores], positive="no")
    assert (mirrored.estimate, mirrored.low) == pytest.approx((wanted.estimate, wanted.low))
    three = auc_interval(["a", "b", "c", "b", "a"], scores, positive="b")
    assert three == auc_interval([0, 1, 0, 1, 0], scores)


@pytest.mark.parametrize(
    ("y", "scores", "more", "error", "word"),
    [
        ([0, 1, None], [1, 2, 3], {}, DataError, "1 of 3 rows, first in row 3"),
        ([0.0, math.nan], [1, 2], {}, DataError, "missing labels"),
        (pd.Series([True, None], dtype="boolean"), [1, 2], {}, DataError, "missing labels"),
        ([0, 1], [1, math.nan], {}, DataError, "first in row 2"),
        ([0, 1], [1, 2, 3], {}, DataError, "does not fit"),
        ([0, 1], [[0.1, 0.9], [0.9, 0.1]], {}, DataError, "probabilities[:, 1]"),
        ([[0, 1]], [1, 2], {}, DataError, "one dimension"),
        ([0, 1], ["low", "high"], {}, InputTypeError, "must hold numbers"),
        ([0, 1, 2], [1, 2, 3], {}, RequestError, "positive=2"),
        (["no", "yes"], [1, 2], {"positive": "yess"}, RequestError, "did you mean 'yes'"),
        (["no", 1], [1, 2], {}, InputTypeError, "no order"),
        ("no", [1, 2], {}, InputTypeError, "one label per row"),
        ([0, 1], [1, 2], {"method": "delong"}, RequestError, "did you mean 'delong_logit'"),
    ],
)
def test_what_makes_no_sense_is_refused(y, scores, more, error, word):
    """Every wrong argument gets a three-part error that counts and names what is wrong."""
    with pytest.raises(error) as caught:
        auc_interval(y, scores, **more)
    assert word in str(caught.value)
    assert caught.value.where
    assert caught.value.fix


def test_the_paired_difference_by_brute_force():
    """Difference, interval, statistic and p are those of DeLong's paper over all pairs."""
    generator = np.random.default_rng(5)
    y = generator.integers(2, size=60)
    a = (y + generator.normal(size=60)).round(1)
    b = (0.5 * a + generator.normal(size=60)).round(1)
    found = compare_auc(y, a, b, names=("tree", "forest"))
    one, two = ((s[y == 1].tolist(), s[y == 0].tolist()) for s in (a, b))
    difference = float(pairwise_auc(*one) - pairwise_auc(*two))
    variance = (
        pairwise_covariance(one, one) + pairwise_covariance(two, two) - 2 * pairwise_covariance(one, two)
    )
    error = math.sqrt(variance)
    assert found.difference is not None
    assert found.difference.estimate == pytest.approx(difference, rel=1e-12)
    half = norm.isf(0.025) * error
    ends = (found.difference.low, found.difference.high)
    assert ends == pytest.approx((difference - half, difference + half), rel=1e-9)
    assert found.statistic == pytest.approx(difference / error, rel=1e-9)
    assert found.p_value == pytest.approx(2 * norm.sf(abs(difference) / error), rel=1e-9)
    assert "tree and forest have the same AUC" in str(found)
    mirrored = compare_auc(y, b, a)
    assert mirrored.p_value == found.p_value
    assert mirrored.difference.high == -found.difference.low


def test_the_paired_difference_without_variance():
    """Without variance the interval is Newcombe's, p is 1 for no difference and unknown for one."""
    y = np.repeat([0, 1], 10)
    same = compare_auc(y, np.arange(20.0), np.exp(np.arange(20.0)))
    assert same.p_value == 1.0
    assert same.difference.low < 0 < same.difference.high
    perfect = compare_auc(y, np.arange(20.0), np.zeros(20))
    assert perfect.difference.estimate == 0.5
    assert math.isnan(perfect.p_value)
    assert 0 < perfect.difference.low < 0.5 < perfect.difference.high <= 1
    assert "its variance is 0" in str(perfect)
    single = compare_auc([0, 0, 1], [1, 3, 2], [1, 2, 3])
    assert "fewer than two rows" in str(single)
    none = compare_auc([1, 1], [1, 2], [2, 1])
    assert (none.difference.low, none.difference.high) == (-1.0, 1.0)
    assert math.isnan(none.difference.estimate)
    assert math.isnan(none.p_value)
    with pytest.raises(RequestError, match="two words"):
        compare_auc([0, 1], [1, 2], [1, 2], names=("A",))


def test_logits_of_far_away_ends():
    """However wide the interval on the logit scale, its ends stay in 0 … 1 without a warning."""
    low, high = logit_ends(1 - 1e-9, 0.4)
    assert low == 0.0
    assert high == 1.0


def test_the_difference_of_scores_turned_around():
    """Of scores and their mirror the difference is 2·AUC − 1, and so is its interval without a variance."""
    y = np.repeat([0, 1], 10)
    found = compare_auc(y, y, -y)
    alone = auc_interval(y, y)
    assert found.difference.estimate == 1.0
    assert found.difference.low == pytest.approx(2 * alone.low - 1, abs=1e-12)
    assert found.difference.high == 1.0
    assert "from end to end" in str(found)


@pytest.mark.parametrize("one", [True, 1, 1.0, np.int8(1)])
def test_a_single_class_that_is_zero_or_one(one):
    """Rows of 0 alone, or of False, are negative; of 1 and True positive: the positive class is 1 in both."""
    for label, n_positives in ((one, 3), (type(one)(0), 0)):
        is_positive, name = positive_rows(np.array([label] * 3))
        assert int(is_positive.sum()) == n_positives
        assert name == 1
    assert positive_rows(["ill", "ill"])[1] == "ill"
