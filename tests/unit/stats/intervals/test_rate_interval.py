"""Intervals of a rate: normal, Wilson, Clopper-Pearson."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.stats import binomtest, norm

from heldout.errors import DataError, InputTypeError, RequestError
from heldout.stats.rate_interval import (
    clopper_pearson_ends,
    normal_ends,
    rate_interval,
    wilson_ends,
    wilson_of_counts,
)

COUNTS = st.integers(1, 300).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
CONFIDENCES = st.sampled_from([0.5, 0.8, 0.95, 0.999])


@pytest.mark.slow
@given(COUNTS, CONFIDENCES)
def test_exact_and_wilson_are_scipy_s(counts, confidence):
    """SciPy's proportion_ci gives the same ends, by both methods."""
    n_hits, n_rows = counts
    for method, theirs in (("clopper_pearson", "exact"), ("wilson", "wilson")):
        found = rate_interval(n_hits, n_rows, method, confidence)
        wanted = binomtest(n_hits, n_rows).proportion_ci(confidence, method=theirs)
        assert (found.low, found.high) == pytest.approx((wanted.low, wanted.high), abs=1e-11)
        assert found.estimate == n_hits / n_rows


@given(COUNTS, CONFIDENCES)
def test_normal_is_the_textbook_s(counts, confidence):
    """The normal interval is the share ± z·√(p(1−p)/n), cut at 0 and 1."""
    n_hits, n_rows = counts
    share = n_hits / n_rows
    half = norm.isf((1 - confidence) / 2) * math.sqrt(share * (1 - share) / n_rows)
    found = rate_interval(n_hits, n_rows, "normal", confidence)
    assert (found.low, found.high) == pytest.approx((max(share - half, 0), min(share + half, 1)), abs=1e-12)


def tail(n_hits: int, n_rows: int, rate: float) -> Fraction:
    """The chance of at least so many hits, in exact arithmetic."""
    p = Fraction(rate)
    return sum(
        (math.comb(n_rows, k) * p**k * (1 - p) ** (n_rows - k) for k in range(n_hits, n_rows + 1)), Fraction()
    )


@pytest.mark.parametrize("alpha", [0.05, 1e-6, 1e-18, 0.05 * 2.0**-200])
@pytest.mark.parametrize(("n_hits", "n_rows"), [(1, 4), (11, 50), (29, 30)])
def test_clopper_pearson_ends_have_the_exact_tails(n_hits, n_rows, alpha):
    """In exact fractions both tails pass alpha/2 within 1e-14 of the ends, however small alpha is."""
    low, high = clopper_pearson_ends(n_hits, n_rows, alpha=alpha)
    half, slack = Fraction(alpha) / 2, 1e-14
    inside, outside = low * (1 + slack), low * (1 - slack)
    assert tail(n_hits, n_rows, outside) <= half <= tail(n_hits, n_rows, inside)
    inside, outside = high - slack, min(high + slack, 1.0)
    assert 1 - tail(n_hits + 1, n_rows, outside) <= half <= 1 - tail(n_hits + 1, n_rows, inside)


@given(st.floats(0, 1), st.floats(0.1, 1e6))
def test_effective_rows_need_not_be_whole(share, n_effective):
    """Wilson's ends of a share and a number of rows are those of the counts, and hold the share."""
    low, high = wilson_ends(share, n_effective)
    assert 0 <= low <= share * (1 + 1e-12)
    assert share * (1 - 1e-12) <= high <= 1
    found = rate_interval(share * n_effective, n_effective, "wilson")
    assert (found.low, found.high) == pytest.approx((low, high), abs=1e-12)


@given(COUNTS, CONFIDENCES, st.sampled_from(["normal", "wilson", "clopper_pearson"]))
@example((0, 1), 0.95, "clopper_pearson")
def test_hits_and_misses_mirror_each_other(counts, confidence, method):
    """The interval of the misses is the mirrored one of the hits."""
    n_hits, n_rows = counts
    hits = rate_interval(n_hits, n_rows, method, confidence)
    misses = rate_interval(n_rows - n_hits, n_rows, method, confidence)
    assert (hits.low, hits.high) == pytest.approx((1 - misses.high, 1 - misses.low), abs=1e-12)


@pytest.mark.parametrize("method", ["normal", "wilson", "clopper_pearson"])
def test_no_rows_contradict_nothing(method):
    """Of no rows the estimate is NaN, the interval 0 … 1, and the sentence says so."""
    found = rate_interval(0, 0, method)
    assert math.isnan(found.estimate)
    assert (found.low, found.high) == (0.0, 1.0)
    assert "Without a row there is no estimate" in str(found)
    assert normal_ends(0.3, 0) == wilson_of_counts(0, 0) == clopper_pearson_ends(0, 0) == (0.0, 1.0)


def test_the_ends_at_0_and_1():
    """Without hits the exact and Wilson's interval start at 0 and have a width; the normal one has none."""
    for method in ("wilson", "clopper_pearson"):
        none, all_hit = rate_interval(0, 20, method), rate_interval(20, 20, method)
        assert (none.low, all_hit.high) == (0.0, 1.0)
        assert none.high == pytest.approx(1 - all_hit.low)
        assert none.high > 0.1
    normal = rate_interval(0, 20, "normal")
    assert (normal.low, normal.high) == (0.0, 0.0)
    assert "no width" in str(normal)


def test_the_sentence():
    """The sentence has the estimate, the interval, how it was made, the rows, and what it does not say."""
    text = str(rate_interval(11, 50, what="error"))
    assert text.startswith("error 0.220, 95% interval 0.115 to 0.360 (Clopper-Pearson, 50 rows).")
    assert "that is not the probability that" in text
    assert "23.6842 independent" in str(rate_interval(5, 50 / (1 + 10 / 9), "wilson"))


@pytest.mark.parametrize(
    ("arguments", "error", "word"),
    [
        ((5, 4), DataError, "more hits than rows"),
        ((2.5, 4), RequestError, "method='wilson'"),
        ((2, 4.5), RequestError, "method='wilson'"),
        ((-1, 4), RequestError, "at least 0"),
        ((1, -4, "wilson"), RequestError, "at least 0"),
        ((1, math.inf, "wilson"), RequestError, "finite"),
        ((math.nan, 4), RequestError, "whole number"),
        (("1", 4), InputTypeError, "whole number"),
        ((True, 4), InputTypeError, "whole number"),
        ((1, 4, "wald"), RequestError, "did you mean 'normal'"),
        ((1, 4, "exact"), RequestError, "did you mean 'clopper_pearson'"),
        ((1, 4, "wilsn"), RequestError, "did you mean 'wilson'"),
        ((1, 4, None), InputTypeError, "'clopper_pearson', 'wilson' or 'normal'"),
        ((1, 4, "wilson", 95), RequestError, "say 0.95 for 95%"),
        ((1, 4, "wilson", 1.0), RequestError, "below 1"),
        ((1, 4, "wilson", "0.9"), InputTypeError, "below 1"),
    ],
)
def test_what_makes_no_sense_is_refused(arguments, error, word):
    """Every wrong argument gets a three-part error that names what was meant."""
    with pytest.raises(error) as caught:
        rate_interval(*arguments)
    assert word in str(caught.value)
    assert caught.value.where
    assert caught.value.fix


def test_numbers_of_numpy_are_numbers():
    """Counts may come from NumPy, whole floats too."""
    import numpy as np

    assert rate_interval(np.int64(11), np.float64(50.0)) == rate_interval(11, 50)
