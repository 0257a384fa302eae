"""Bounds of Hoeffding, of Vapnik and Chervonenkis, and of Occam."""

from __future__ import annotations

import json
import math
from itertools import product
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from heldout.errors import HeldoutError, InputTypeError, RequestError
from heldout.stats.bounds import chance_to_fit, growth_function, hoeffding, log_growth, vc_bound
from heldout.stats.occam import occam_bound


@given(st.integers(1, 10**7), st.integers(1, 10**9), st.floats(0.01, 0.999))
def test_hoeffding_turns_the_inequality_around(n_rows: int, m: int, confidence: float) -> None:
    """2 · m · exp(−2 · deviation² · n) is what the confidence leaves."""
    found = hoeffding(n_rows, m, confidence)
    left = math.log(2 * m) - 2 * found.deviation**2 * n_rows
    assert left == pytest.approx(math.log(1 - confidence), rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("share", [0.05, 0.3, 0.5])
@pytest.mark.parametrize("n_rows", [30, 200])
def test_hoeffding_holds_for_binomial_counts(share: float, n_rows: int) -> None:
    """An error rate lies outside the bound at most as often as is said, by SciPy's exact distribution."""
    deviation = hoeffding(n_rows, confidence=0.9).deviation
    counts = np.arange(n_rows + 1)
    is_outside = np.abs(counts / n_rows - share) > deviation
    assert binom.pmf(counts[is_outside], n_rows, share).sum() <= 0.1


def test_lines_label_points_as_often_as_sauer_allows() -> None:
    """Lines in a plane have dimension 3, and label 4 points in 14 ways, below Sauer's 15."""
    points = np.array([[0.0, 0.1], [1.0, 0.0], [0.1, 1.0], [1.1, 1.2]])
    directions = np.linspace(0, 2 * np.pi, 2000, endpoint=False)
    ways = set()
    for direction in directions:
        along = points @ [np.cos(direction), np.sin(direction)]
        ways |= {tuple(along > cut) for cut in [*(along - 1e-9), along.max() + 1]}
    assert len(ways) == 14 <= growth_function(4, 3) == 15
    first_three = {way[:3] for way in ways}
    assert len(first_three) == growth_function(3, 3) == 8


def test_intervals_on_a_line_reach_the_growth_function() -> None:
    """Intervals on a line have dimension 2 and reach Sauer's bound exactly."""
    for n_rows in range(1, 9):
        ways = {
            tuple(start <= place < end for place in range(n_rows))
            for start, end in product(range(n_rows + 1), repeat=2)
        }
        assert len(ways) == growth_function(n_rows, 2)


@given(st.integers(0, 300), st.integers(0, 320))
def test_growth_is_a_sum_of_binomial_coefficients(n_rows: int, d: int) -> None:
    """The growth function is Σ C(n, i), at most 2^n and at most n^d + 1; its logarithm agrees."""
    found = growth_function(n_rows, d)
    assert found == sum(math.comb(n_rows, place) for place in range(d + 1))
    assert found <= 2**n_rows
    assert found <= n_rows**d + 1
    assert log_growth(n_rows, d) == pytest.approx(math.log(found), rel=1e-9, abs=1e-9)


@given(st.integers(1, 10**6), st.integers(0, 2000))
def test_the_vc_bound_turns_its_inequality_around(n_rows: int, d: int) -> None:
    """4 · growth(2n) · exp(−ε²n/8) is what the confidence leaves; a richer model has a wider bound."""
    found = vc_bound(n_rows, d)
    left = math.log(4) + log_growth(2 * n_rows, d) - found.deviation**2 * n_rows / 8
    assert left == pytest.approx(math.log(0.05), rel=1e-6, abs=1e-6)
    rounding = 1 - 1e-12  # sums of logarithms differ in their last digits
    assert vc_bound(n_rows, d + 1).deviation >= found.deviation * rounding


def test_chance_to_fit() -> None:
    """Up to d rows every labelling can be fitted; then the share falls as the tail of a binomial."""
    assert chance_to_fit(3, 3) == chance_to_fit(0, 0) == 1
    assert chance_to_fit(30, 4) == pytest.approx(binom.cdf(4, 30, 0.5))
    assert chance_to_fit(100_000, 10) == 0


def test_bounds_say_when_they_are_empty() -> None:
    """A bound of 1 or more says that it excludes nothing; without rows it is infinite."""
    assert "excludes nothing" in str(vc_bound(50, 10))
    assert hoeffding(0).is_empty
    assert "excludes nothing" in str(hoeffding(0))
    assert "at most 0.043 apart" in str(hoeffding(1000))
    assert "100 models fixed before they saw them" in str(hoeffding(1000, 100))
    assert vc_bound(10, 10**6).deviation > 1
    assert hoeffding(10, 10**400).m == math.inf


@given(st.integers(1, 3000), st.data(), st.floats(0, 5000))
def test_occams_bound(n_rows: int, data: st.DataObject, bits: float) -> None:
    """The exact bound solves the binomial's tail at δ · 2^−bits and is never wider than Hoeffding's."""
    n_errors = data.draw(st.integers(0, n_rows))
    found = occam_bound(n_errors / n_rows, bits, n_rows)
    spent = bits * math.log(2) + math.log(20)
    assert 2 * n_rows * found.deviation**2 == pytest.approx(spent)
    assert found.upper == min(found.train_error + found.deviation, 1)
    assert n_errors / n_rows <= found.tighter + 1e-12 <= found.upper + 2e-12
    if n_errors < n_rows and spent < 500 and found.tighter < 1 - 1e-9:
        log_tail = binom.logcdf(n_errors, n_rows, found.tighter)
        assert log_tail == pytest.approx(-spent, rel=1e-5)


@pytest.mark.parametrize("bits", [0, 3, 8.5, 20])
def test_occams_bound_holds_for_all_models_of_a_code(bits: float) -> None:
    """A model exceeds its bound with a chance of at most δ · 2^−bits, by SciPy; all together with δ."""
    counts = np.arange(61)
    bounds = np.array([occam_bound(count / 60, bits, 60).tighter for count in counts])
    for truth in np.linspace(0.01, 0.99, 99):
        chance = binom.pmf(counts[bounds < truth], 60, truth).sum()
        assert chance <= 0.05 * 2.0**-bits * (1 + 1e-9)


def test_occams_bound_in_words() -> None:
    """A long model on few rows excludes nothing, a short one says how far it goes; no rows, no bound."""
    assert "too long for so few rows" in str(occam_bound(0.1, 1e6, 100))
    assert "Hoeffding excludes nothing" in str(occam_bound(0.4, 80, 80))
    assert "A model of 1 bit with" in str(occam_bound(0.1, 1, 100))
    assert occam_bound(0.0, 5, 0).tighter == 1
    assert occam_bound(0.0, 10, 100).tighter < occam_bound(0.0, 20, 100).tighter


@pytest.mark.parametrize("found", [hoeffding(100), vc_bound(50, 3), occam_bound(0.1, 20, 500), hoeffding(0)])
def test_bounds_become_dicts_and_pictures(found: Any) -> None:
    """Every bound goes through JSON and is a well-formed picture."""
    assert json.loads(json.dumps(found.to_dict()))["n_rows"] == found.n_rows
    assert ElementTree.fromstring(found.to_svg()).tag.endswith("svg")


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: hoeffding(-1), RequestError),
        (lambda: hoeffding(10, 0), RequestError),
        (lambda: hoeffding(10, confidence=95), RequestError),
        (lambda: vc_bound(10, -1), RequestError),
        (lambda: vc_bound(10, 1.5), RequestError),  # type: ignore[arg-type]
        (lambda: vc_bound(10**10, 10**9), RequestError),
        (lambda: occam_bound(1.5, 3, 10), RequestError),
        (lambda: occam_bound(0.5, -3, 10), RequestError),
        (lambda: occam_bound(0.5, math.nan, 10), RequestError),
        (lambda: occam_bound("0.5", 3, 10), InputTypeError),  # type: ignore[arg-type]
    ],
)
def test_nonsense_is_refused(call: Any, error: type[HeldoutError]) -> None:
    """What is no count, share or number of bits is refused with a way out."""
    with pytest.raises(error) as caught:
        call()
    assert caught.value.where
    assert caught.value.fix


def test_why_occam_excludes_nothing() -> None:
    """A model of one bit is not too long for a hundred rows: where it has all of them wrong, that is told."""
    assert "because it has every row wrong" in str(occam_bound(1.0, 1, 100))
    assert "because it is too long for so few rows" in str(occam_bound(0.1, 1e6, 1000))
