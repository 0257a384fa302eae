"""How many rows a question needs."""

from __future__ import annotations

import json
import math
from functools import cache
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom, binomtest, norm

from heldout.errors import HeldoutError, RequestError
from heldout.stats.planning import power_of, rows_for_width, rows_needed
from heldout.stats.power import power_of_same_rows, power_of_separate_rows, rows_by_formula
from heldout.stats.rate_interval import rate_interval

SHARES = st.sampled_from([0.0, 0.1, 0.35, 0.5, 0.8, 0.95, 1.0])
LEVELS = st.sampled_from([0.01, 0.05, 0.2])


@given(st.integers(1, 60), SHARES, SHARES, LEVELS)
@settings(max_examples=60)
def test_the_power_on_separate_rows_is_a_double_sum(n_rows: int, a: float, b: float, level: float) -> None:
    """The power of the z-test is the sum over all pairs of counts that it rejects."""
    x, y = np.arange(n_rows + 1)[:, np.newaxis], np.arange(n_rows + 1)[np.newaxis]
    mean = (x + y) / (2 * n_rows)
    beyond = norm.isf(level / 2) * np.sqrt(2 * mean * (1 - mean) / n_rows) * (1 + 1e-12)
    is_rejected = np.abs(x - y) / n_rows > beyond
    wanted = (binom.pmf(x, n_rows, a) * binom.pmf(y, n_rows, b) * is_rejected).sum()
    assert power_of_separate_rows(n_rows, a, b, level) == pytest.approx(wanted, abs=1e-9)


@cache
def p_of(n_wins: int, n_rows: int) -> float:
    return float(binomtest(n_wins, n_rows).pvalue)


@pytest.mark.slow
@given(st.integers(1, 40), st.sampled_from([0.05, 0.2, 0.6, 1.0]), st.floats(0, 1), LEVELS)
@settings(max_examples=40)
def test_the_power_on_the_same_rows_is_a_double_sum(
    n_rows: int, differing: float, part: float, level: float
) -> None:
    """The power of McNemar's exact test is the sum over all outcomes that SciPy's binomial test rejects."""
    share = (1 + part) / 2
    wanted = 0.0
    for n_differing in range(1, n_rows + 1):
        wins = np.arange(n_differing + 1)
        is_rejected = [p_of(int(win), n_differing) <= level for win in wins]
        found = binom.pmf(wins, n_differing, share)[is_rejected].sum()
        wanted += binom.pmf(n_differing, n_rows, differing) * found
    assert power_of_same_rows(n_rows, part * differing, differing, level) == pytest.approx(wanted, abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("paired", [None, 0.05, 0.1, 0.15])
@pytest.mark.parametrize(("a", "b"), [(0.8, 0.82), (0.5, 0.55), (0.95, 0.9)])
def test_rows_and_power_turn_each_other_around(a: float, b: float, paired: float | None) -> None:
    """With the rows needed the power is reached, with one less it is not, near the textbook's formula."""
    found = rows_needed(a, b, paired=paired)
    assert power_of(found.n_rows, a, b, paired=paired).power == found.reached >= 0.8
    assert power_of(found.n_rows - 1, a, b, paired=paired).power < 0.8
    formula = rows_by_formula(a, b, 0.8, 0.05, paired)
    assert found.n_rows == pytest.approx(formula, rel=0.1, abs=40)
    assert rows_needed(b, a, paired=paired).n_rows == found.n_rows


def test_eighty_from_eighty_two() -> None:
    """80% against 82% takes 6,039 rows each by the formula of Fleiss; exactly it is 6,038."""
    mean, z_level, z_power = 0.81, norm.isf(0.025), norm.isf(0.2)
    variance = 0.8 * 0.2 + 0.82 * 0.18
    fleiss = (z_level * math.sqrt(2 * mean * (1 - mean)) + z_power * math.sqrt(variance)) ** 2 / 0.02**2
    assert math.ceil(fleiss) == 6039
    assert rows_needed(0.8, 0.82).n_rows == 6038


def test_pairs_are_bounded_by_the_fewest_and_most() -> None:
    """Rows needed grow with the share that differs, between the least and the most that are shown."""
    found = rows_needed(0.8, 0.82)
    between = [rows_needed(0.8, 0.82, paired=share).n_rows for share in (0.02, 0.05, 0.1, 0.38)]
    assert between == sorted(between)
    assert (found.least, found.most) == (between[0], between[-1])


@pytest.mark.slow
def test_simulated_power_agrees() -> None:
    """Of 4,000 simulated pairs of models with the rows needed, 80% are told apart by SciPy's test."""
    n_rows = rows_needed(0.7, 0.8, paired=0.3).n_rows
    generator = np.random.default_rng(0)
    outcomes = generator.multinomial(n_rows, [0.2, 0.1, 0.7], size=4000)
    p_values = {
        pair: binomtest(pair[0], sum(pair)).pvalue for pair in set(map(tuple, outcomes[:, :2].tolist()))
    }
    share = np.mean([p_values[tuple(pair)] <= 0.05 for pair in outcomes[:, :2].tolist()])
    assert share == pytest.approx(0.8, abs=0.025)


def test_many_rows_are_summed_in_steps() -> None:
    """Past 4,000 numbers of hits only some are summed, and the power is that of the formula."""
    for paired in (None, 0.3):
        n_rows = round(rows_by_formula(0.8, 0.801, 0.8, 0.05, paired))
        assert n_rows > 10**6
        assert power_of(n_rows, 0.8, 0.801, paired=paired).power == pytest.approx(0.8, abs=2e-3)


def test_equal_shares_have_the_power_of_false_alarms() -> None:
    """Where there is no difference the power is how often one is found nevertheless."""
    found = power_of(2000, 0.8, 0.8)
    assert found.power == pytest.approx(0.05, abs=0.003)
    assert "where there is none" in str(found)
    assert power_of(2000, 0.8, 0.8, paired=0.1).power < 0.05
    assert power_of(0, 0.5, 0.9).power == 0
    assert power_of(10, 0.5, 0.5, paired=0.0).power == 0


@pytest.mark.parametrize("method", ["clopper_pearson", "wilson", "normal"])
@pytest.mark.parametrize(("share", "width"), [(0.5, 0.1), (0.9, 0.04), (0.01, 0.02), (0.3, 0.6)])
def test_rows_for_width(method: str, share: float, width: float) -> None:
    """With so many rows the interval is at most so wide, with one less it is wider."""
    n_rows = rows_for_width(share, width, method=method).n_rows
    if method == "clopper_pearson":
        hits = [math.floor(share * n_rows), math.ceil(share * n_rows)]
        fewer = [math.floor(share * (n_rows - 1)), math.ceil(share * (n_rows - 1))]
    else:
        hits, fewer = [share * n_rows], [share * (n_rows - 1)]
    assert max(rate_interval(each, n_rows, method).width for each in hits) <= width
    if n_rows > 1:
        assert max(rate_interval(each, n_rows - 1, method).width for each in fewer) > width


def test_the_width_of_a_share_at_the_end() -> None:
    """Around 0 and 1 the exact and Wilson's interval have a width."""
    assert rows_for_width(0.0, 0.04).n_rows == rows_for_width(1.0, 0.04).n_rows == 91
    assert rows_for_width(1.0, 0.04, method="wilson").n_rows == 93


@pytest.mark.parametrize(
    "found",
    [
        rows_needed(0.8, 0.9),
        rows_needed(0.8, 0.9, paired=0.2),
        power_of(100, 0.8, 0.9),
        power_of(100, 0.8, 0.9, paired=0.2),
        rows_for_width(0.9, 0.1),
    ],
)
def test_words_dicts_and_pictures(found: Any) -> None:
    """Every plan is a sentence with its rows, goes through JSON and is a well-formed picture."""
    assert f"{found.n_rows:,} row" in str(found)
    assert json.loads(json.dumps(found.to_dict()))["n_rows"] == found.n_rows
    assert ElementTree.fromstring(found.to_svg()).tag.endswith("svg")


@pytest.mark.parametrize(
    ("call", "word"),
    [
        (lambda: rows_needed(80, 82), "0.8"),
        (lambda: rows_needed(0.8, 0.8), "difference"),
        (lambda: rows_needed(0.8, 0.82, power=1.0), "power"),
        (lambda: rows_needed(0.8, 0.82, power=0.01), "more power"),
        (lambda: rows_needed(0.8, 0.82, paired=0.01), "between 0.02 and 0.38"),
        (lambda: rows_needed(0.8, 0.82, paired=0.5), "between 0.02 and 0.38"),
        (lambda: rows_needed(0.5, 0.500001), "larger difference"),
        (lambda: power_of(-5, 0.5, 0.6), "n_rows"),
        (lambda: rows_for_width(0.5, 0.0), "width"),
        (lambda: rows_for_width(1.0, 0.1, method="normal"), "wilson"),
        (lambda: rows_for_width(0.5, 0.1, method="wald"), "normal"),
    ],
)
def test_nonsense_is_refused(call: Any, word: str) -> None:
    """What no number of rows can do is refused with a way out."""
    with pytest.raises(RequestError) as caught:
        call()
    error: HeldoutError = caught.value
    assert word in str(error)
    assert error.fix
