"""Wilcoxon's signed ranks, against SciPy and against all signs."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.stats import wilcoxon

from heldout.errors import RequestError
from heldout.stats.paired_tests import MOST_EXACT, MOST_PAIRED, signed_rank, walsh_interval

from .brute_force import signed_rank_p


@settings(max_examples=60)
@given(st.lists(st.integers(-4, 4), max_size=9), st.sampled_from(["pratt", "wilcox"]))
def test_p_is_that_of_all_signs(differences: list[int], zeros: str) -> None:
    """With ties and zeros p equals the share of signs that are as far from the middle."""
    found = signed_rank(differences, [0] * len(differences), zeros)
    assert found.p_value == pytest.approx(float(signed_rank_p(differences, zeros)), rel=1e-12)
    assert found.test.startswith("exact")


@pytest.mark.slow
@given(st.integers(1, MOST_EXACT).flatmap(lambda n: st.permutations(range(1, n + 1))), st.data())
def test_without_ties_it_is_scipys_exact_p(sizes: list[int], data: st.DataObject) -> None:
    """Without ties and zeros SciPy has the exact distribution too, and it is the same."""
    signs = data.draw(st.lists(st.sampled_from([-1, 1]), min_size=len(sizes), max_size=len(sizes)))
    differences = np.array(sizes) * np.array(signs)
    expected = wilcoxon(differences, method="exact").pvalue
    assert signed_rank(differences, np.zeros(len(sizes))).p_value == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("zeros", ["pratt", "wilcox"])
def test_beyond_fifty_it_is_scipys_approximation(zeros: str) -> None:
    """Many differences, with ties and zeros, have SciPy's normal approximation, whatever their scale."""
    differences = np.random.default_rng(0).integers(-8, 10, size=300).astype(float)
    expected = wilcoxon(differences, zero_method=zeros, method="approx").pvalue
    for scale in (1.0, 0.1, 1e-12):
        found = signed_rank(1.0 * scale + differences * scale, np.full(300, 1.0 * scale), zeros)
        assert found.p_value == pytest.approx(expected, rel=1e-9)
        assert found.test.startswith("approximate")


def test_sizes_that_differ_by_rounding_are_tied() -> None:
    """0.9 − 0.8 and 0.3 − 0.2 have one size, so the ranks are those of whole numbers."""
    a, b = np.array([0.9, 0.2, 0.7, 0.5]), np.array([0.8, 0.3, 0.5, 0.2])
    found = signed_rank(a, b)
    assert found.details == {"ranks_above": 8.5, "ranks_below": 1.5, "n_zero": 0.0}


def test_no_difference_at_all() -> None:
    """All zeros, and no pairs, give p = 1 and a note; there is no interval of none."""
    for n in (0, 1, 3, 10, 60):
        found = signed_rank([0.5] * n, [0.5] * n)
        assert found.p_value == 1.0
        assert found.difference is not None
        assert math.isnan(found.difference.low)
        assert "no interval" in str(found)
        assert "No pair shows a difference" in str(found)
        assert found.to_svg().startswith("<svg")


def test_one_and_two_pairs() -> None:
    """One pair and two pairs cannot show anything: p is 1 and 1/2, and there is no interval of 95%."""
    assert signed_rank([2], [1]).p_value == 1.0
    found = signed_rank([2, 4], [1, 1])
    assert found.p_value == 0.5
    assert found.difference is not None
    assert math.isnan(found.difference.low)
    assert "2 differences: too few for an interval of 95%" in str(found)


def test_all_differences_equal() -> None:
    """Equal differences are ties: each sign is as likely, so p is 2 / 2^n."""
    found = signed_rank([0.3, 0.9, 0.5, 0.7, 0.2], [0.2, 0.8, 0.4, 0.6, 0.1])
    assert found.p_value == 2 / 2**5
    many = signed_rank(np.arange(10) / 10 + 0.1, np.arange(10) / 10)
    assert many.difference is not None
    assert many.difference.estimate == pytest.approx(0.1)
    assert math.isnan(many.difference.low)
    assert "All differences are the same" in str(many)


@pytest.mark.slow
@given(st.lists(st.integers(-999, 999).filter(bool), min_size=6, max_size=20, unique_by=abs), st.data())
def test_the_interval_holds_what_the_test_does_not_reject(
    differences: list[int], data: st.DataObject
) -> None:
    """A shift lies outside the interval exactly if the test of the shifted differences rejects."""
    shift = data.draw(st.integers(-1000, 1000)) + 1 / 3
    shifted = np.array(differences) - shift
    assume(len(set(np.abs(shifted).round(9))) == len(shifted))
    interval = walsh_interval(np.array(differences, dtype=float), "d", "pair", 0.9)
    is_rejected = wilcoxon(shifted, method="exact").pvalue <= 0.1 * (1 + 1e-9)
    assert (shift not in interval) == is_rejected


def test_the_interval_of_many() -> None:
    """Beyond fifty the normal approximation places the ends; beyond 2,000 there is the median alone."""
    differences = np.random.default_rng(1).normal(0.3, 1, size=200)
    found = walsh_interval(differences, "d", "pair", 0.95)
    assert 0.3 in found
    assert 0.2 < found.width < 0.4
    many = walsh_interval(np.ones(MOST_PAIRED + 1), "d", "pair", 0.95)
    assert (many.estimate, math.isnan(many.low)) == (1.0, True)
    assert walsh_interval(np.arange(60.0), "d", "pair", 1 - 1e-16).notes


def test_what_is_refused() -> None:
    """A rule for zeros that is none is refused."""
    with pytest.raises(RequestError, match="did you mean 'wilcox'"):
        signed_rank([1], [2], zeros="wilcoxon")
